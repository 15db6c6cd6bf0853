"""The words of the linked score and of the proof on withheld results (METHODS 7b)."""

from __future__ import annotations

from typing import Final, Literal, get_args

LINKED_PRODUCT: Final = "linked_score"
"""The linked board, and the proof of it and of 3.0: beside the board, which it never blocks."""

ALL: Final = "all"
"""The row of `out__backtest` over all categories together."""

Split = Literal["cells", "model-family", "family", "forward"]
SPLITS: Final[tuple[Split, ...]] = get_args(Split)
"""What is withheld: single results; all of a model in a family; whole families; what the next release brought."""

BOARD_METHOD: Final = "3.0"
CALIBRATED_METHOD: Final = "3.0-calibrated"
LINKED_METHOD: Final = "linked"
BASELINES: Final = ("metric-median", "additive", "rank-2-logit", "logistic-2pl")
VARIANT_METHODS: Final = ("linked-letter", "linked-slopes", "linked-flat", "linked-narrow")
"""Variants of the linked model that are not published; `methodology.yaml` names their parts."""
METHODS: Final = (BOARD_METHOD, CALIBRATED_METHOD, LINKED_METHOD, *BASELINES, *VARIANT_METHODS)

SLICED_BY: Final = ("tier", "observations")
OBSERVATIONS: Final[tuple[tuple[int, int | None, str], ...]] = (
    (1, 2, "1-2"), (3, 5, "3-5"), (6, 10, "6-10"), (11, 20, "11-20"), (21, None, "21+"),
)  # fmt: skip
"""Slices by the number of the model's results at hand: first, last, name."""

PARAMETERS: Final = (
    "effect_variance", "tier_factor", "updates", "last_change", "has_settled", "cohort_variance", "prior_width",
)  # fmt: skip
"""What `out__linked_parameter` states: variances by level and category, noise factors by tier, the search, priors."""
