"""The contracts of source statistics: differences by direction, and divergence by uncertainty (METHODS 6)."""

from __future__ import annotations

from typing import Final

from warehouse import pairing_words, statistics_words, vocabulary
from warehouse.contracts import TableContract

_FIGURES = (
    "mean_pp", "median_pp", "mean_low_pp", "mean_high_pp", "median_low_pp", "median_high_pp", "positive_share",
    "wilson_low", "wilson_high", "zeros", "sign_p", "mde_pp", "n_for_one_pp",
)  # fmt: skip

OUT_SOURCE_DIFFERENCE: Final = TableContract(
    name="out__source_difference",
    grain="One row per direction, all six always: how far aligned values of two source types lie apart.",
    key=("direction",),
    columns=("direction", "n", *_FIGURES, "reason_code", "n_models", "left_out", "interval_method",
             "is_bias_readable", "scope"),
    nullable=frozenset({*_FIGURES, "reason_code", "interval_method"}),
    allowed=(
        ("direction", pairing_words.SOURCE_DIRECTIONS),
        ("reason_code", statistics_words.DIFFERENCE_REASONS),
        ("interval_method", statistics_words.INTERVAL_METHODS),
    ),
    bounds=(
        ("n", 0, None), ("positive_share", 0, 1), ("wilson_low", 0, 1), ("wilson_high", 0, 1), ("zeros", 0, None),
        ("sign_p", 0, 1), ("mde_pp", 0, None), ("n_for_one_pp", 2, None), ("n_models", 0, None), ("left_out", 0, None),
    ),
)  # fmt: skip

OUT_SOURCE_DIVERGENCE: Final = TableContract(
    name="out__source_divergence",
    grain="One row per two values of one model on one benchmark from two sources, aligned or not; the farthest first.",
    key=("place",),
    columns=(
        "place", "pair_id", "model_id", "benchmark", "metric", "metric_id", "direction", "entry_id_a", "entry_id_b",
        "leaderboard_a", "leaderboard_b", "source_type_a", "source_type_b", "value_a_pp", "value_b_pp",
        "difference_pp", "stderr_a_pp", "stderr_b_pp", "error_basis_a", "error_basis_b", "standard_errors",
        "differing_fields", "unstated_fields", "reason_code", "scope",
    ),
    nullable=frozenset({
        "metric_id", "direction", "stderr_a_pp", "stderr_b_pp", "error_basis_a", "error_basis_b", "standard_errors",
        "reason_code",
    }),
    allowed=(
        ("direction", pairing_words.SOURCE_DIRECTIONS),
        ("source_type_a", vocabulary.SOURCE_TYPES),
        ("source_type_b", vocabulary.SOURCE_TYPES),
        ("error_basis_a", statistics_words.ERROR_BASES),
        ("error_basis_b", statistics_words.ERROR_BASES),
        ("reason_code", statistics_words.DIVERGENCE_REASONS),
    ),
    bounds=(
        ("place", 1, None), ("value_a_pp", 0, 100), ("value_b_pp", 0, 100), ("difference_pp", -100, 100),
        ("stderr_a_pp", 0, None), ("stderr_b_pp", 0, None), ("standard_errors", 0, None),
    ),
    may_be_empty=True,
)  # fmt: skip
