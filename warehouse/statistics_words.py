"""The closed sets of words of source statistics: why a number is null, how an interval or an error came about.

Belongs here: the words and their meaning (METHODS 6). Does not belong here: directions (`warehouse.pairing_words`),
exclusion codes of rows (`warehouse.reasons`).
"""

from __future__ import annotations

from typing import Final, Literal, get_args

DifferenceReason = Literal["no_aligned_pairs", "too_few_pairs", "one_model", "all_zero", "no_spread", "too_few_models"]
LeftOutReason = Literal["unit_excluded", "value_missing", "value_out_of_range", "direction_unknown", "models_differ"]
DivergenceReason = Literal["no_error_stated"]
UncomparedReason = Literal[
    "copy", "not_measured", "value_missing", "unit_excluded", "value_out_of_range", "model_unidentified"
]
ErrorBasis = Literal["stated", "binomial"]
IntervalMethod = Literal["percentile", "degenerate"]

DIFFERENCE_REASONS: Final[tuple[DifferenceReason, ...]] = get_args(DifferenceReason)
"""Why a direction lacks numbers or a reading; the first that applies is the one recorded:

no_aligned_pairs: n = 0; every statistic is null;
too_few_pairs: n = 1; no interval, no detectable difference;
one_model: several pairs of one model; nothing can be resampled: as above;
all_zero: every difference is 0; no share of positive ones, no sign test, a degenerate interval;
no_spread: every difference is the same number; a degenerate interval, no detectable difference;
too_few_models: numbers are given, the reading "source bias" is not.
"""
LEFT_OUT_REASONS: Final[tuple[LeftOutReason, ...]] = get_args(LeftOutReason)
"""Why an aligned pair enters no direction: a rating or other unit, no value, a fraction outside 0 to 1, nobody says
whether higher is better, or its two rows are different models of the registry."""
DIVERGENCE_REASONS: Final[tuple[DivergenceReason, ...]] = get_args(DivergenceReason)
"""no_error_stated: at least one of the two values states neither a standard error nor how many samples it rests on."""
UNCOMPARED_REASONS: Final[tuple[UncomparedReason, ...]] = get_args(UncomparedReason)
"""Why a result is compared with no other source's."""
ERROR_BASES: Final[tuple[ErrorBasis, ...]] = get_args(ErrorBasis)
INTERVAL_METHODS: Final[tuple[IntervalMethod, ...]] = get_args(IntervalMethod)
