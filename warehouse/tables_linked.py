"""The contracts of the linked score and of the proof on withheld results (METHODS 7b, DESIGN)."""

from __future__ import annotations

from typing import Final

from warehouse import linked_words, reasons, vocabulary
from warehouse.contracts import TableContract

_CATEGORIES = tuple(vocabulary.CATEGORIES)

OUT_LINKED_SCORE: Final = TableContract(
    name="out__linked_score",
    grain="One row per (category, model) with any evidence: the linked score beside 3.0's.",
    key=("category", "model_id"),
    columns=(
        "release_id", "as_of", "category", "model_id", "model_name", "developer", "status", "score", "low80", "high80",
        "mu", "sigma", "observed_dimensions", "families", "overlap_dimensions", "effective_coverage", "rank",
        "rank_low", "rank_high", "reason_code", "catalog_version", "methodology_version",
    ),
    nullable=frozenset({"developer", "score", "low80", "high80", "rank", "rank_low", "rank_high", "reason_code"}),
    allowed=(
        ("category", _CATEGORIES),
        ("status", vocabulary.SCORE_STATUSES),
        ("reason_code", reasons.SCORE_REASONS),
    ),
    bounds=(
        ("score", 0, 100), ("low80", 0, 100), ("high80", 0, 100), ("sigma", 0, None), ("observed_dimensions", 1, 4),
        ("families", 1, None), ("overlap_dimensions", 0, 4), ("effective_coverage", 0, 1), ("rank", 1, None),
        ("rank_low", 1, None), ("rank_high", 1, None),
    ),
    may_be_empty=True,
)  # fmt: skip

OUT_LINKED_PART: Final = TableContract(
    name="out__linked_part",
    grain="One row per linked score, category of evidence and role: what that evidence adds to the score.",
    key=("category", "model_id", "source_category", "role"),
    columns=("category", "model_id", "source_category", "role", "observations", "contribution"),
    nullable=frozenset({"observations"}),
    allowed=(("category", _CATEGORIES), ("source_category", _CATEGORIES), ("role", vocabulary.WEIGHT_ROLES)),
    bounds=(("observations", 1, None),),
    may_be_empty=True,
)

OUT_LINKED_METRIC: Final = TableContract(
    name="out__linked_metric",
    grain="One row per metric: its slope, offset and noise in the linked model, and how able its cohort is.",
    key=("metric_id",),
    columns=(
        "metric_id", "category", "dimension", "models", "slope", "offset", "offset_sd", "noise_sd", "cohort_score",
    ),
    allowed=(("category", _CATEGORIES),),
    bounds=(("models", 1, None), ("slope", 0, None), ("offset_sd", 0, None), ("noise_sd", 0, None)),
    may_be_empty=True,
)  # fmt: skip

OUT_LINKED_PARAMETER: Final = TableContract(
    name="out__linked_parameter",
    grain="One row per variance, factor or fact of the search that the linked board rests on.",
    key=("parameter", "subject"),
    columns=("parameter", "subject", "estimate"),
    allowed=(("parameter", linked_words.PARAMETERS),),
    may_be_empty=True,
)

_FIGURES = ("median_error_pp", "mean_error_pp", "rank_correlation", "cover50", "cover80", "cover95")
_BOUNDS: Final[tuple[tuple[str, float | None, float | None], ...]] = (
    ("n", 1, None), ("median_error_pp", 0, 100), ("mean_error_pp", 0, 100), ("rank_correlation", -1, 1),
    ("cover50", 0, 1), ("cover80", 0, 1), ("cover95", 0, 1),
)  # fmt: skip

OUT_BACKTEST: Final = TableContract(
    name="out__backtest",
    grain="One row per method, split and category: error and coverage on results withheld from it.",
    key=("method", "split", "category"),
    columns=("method", "split", "category", "n", *_FIGURES),
    nullable=frozenset(_FIGURES),
    allowed=(
        ("method", linked_words.METHODS),
        ("split", linked_words.SPLITS),
        ("category", (linked_words.ALL, *_CATEGORIES)),
    ),
    bounds=_BOUNDS,
    may_be_empty=True,
)

OUT_BACKTEST_SLICE: Final = TableContract(
    name="out__backtest_slice",
    grain="One row per method, split and slice: by evidence tier, and by the model's results at hand.",
    key=("method", "split", "sliced_by", "slice"),
    columns=("method", "split", "sliced_by", "slice", "n", *_FIGURES),
    nullable=frozenset(_FIGURES),
    allowed=(
        ("method", linked_words.METHODS),
        ("split", linked_words.SPLITS),
        ("sliced_by", linked_words.SLICED_BY),
    ),
    bounds=_BOUNDS,
    may_be_empty=True,
)

OUT_BACKTEST_VERSUS: Final = TableContract(
    name="out__backtest_versus",
    grain="One row per split and other method: how often the linked score came nearer to a withheld fraction.",
    key=("split", "method"),
    columns=(
        "split", "method", "n", "nearer", "farther", "nearer_share", "wilson_low", "wilson_high", "median_gap_pp",
    ),
    allowed=(("split", linked_words.SPLITS), ("method", linked_words.METHODS)),
    bounds=(
        ("n", 1, None), ("nearer", 0, None), ("farther", 0, None), ("nearer_share", 0, 1), ("wilson_low", 0, 1),
        ("wilson_high", 0, 1), ("median_gap_pp", -100, 100),
    ),
    may_be_empty=True,
)  # fmt: skip

OUT_BACKTEST_SPLIT: Final = TableContract(
    name="out__backtest_split",
    grain="One row per split: what was withheld, and what of it anybody could predict.",
    key=("split",),
    columns=("split", "repetitions", "withheld", "without_metric", "without_model", "predicted"),
    allowed=(("split", linked_words.SPLITS),),
    bounds=(("repetitions", 1, None), ("withheld", 0, None), ("predicted", 0, None)),
    may_be_empty=True,
)

OUT_CALIBRATED_INTERVAL: Final = TableContract(
    name="out__calibrated_interval",
    grain="One row per scored (category, model) where 3.0's own 80% intervals covered too little or too much.",
    key=("category", "model_id"),
    columns=("category", "model_id", "factor", "low80", "high80"),
    allowed=(("category", _CATEGORIES),),
    bounds=(("factor", 0, None), ("low80", 0, 100), ("high80", 0, 100)),
    may_be_empty=True,
)

LINKED_TABLES: Final = (OUT_LINKED_SCORE, OUT_LINKED_PART, OUT_LINKED_METRIC, OUT_LINKED_PARAMETER)
BACKTEST_TABLES: Final = (
    OUT_BACKTEST, OUT_BACKTEST_SLICE, OUT_BACKTEST_VERSUS, OUT_BACKTEST_SPLIT, OUT_CALIBRATED_INTERVAL,
)  # fmt: skip
