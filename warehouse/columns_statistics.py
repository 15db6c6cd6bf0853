"""Column dictionary, source statistics: differences by direction, divergence by uncertainty (METHODS 6)."""

from __future__ import annotations

from typing import Final

from warehouse.columns import Column

_DIFFERENCE = "methods.statistics.source_difference:source_differences"
_BOOTSTRAP = "methods.statistics.bootstrap:paired_bootstrap"
_WILSON = "methods.statistics.wilson:wilson_interval"
_SIGN = "methods.statistics.sign_test:sign_test"
_POWER = "methods.statistics.power:detectable_difference"
_DIVERGENCE = "methods.statistics.divergence:source_divergence"
_ERROR = "methods.statistics.standard_errors:standard_error"
_FIELDS = "methods.statistics.stated_fields:compare_fields"
_PP = "percentage points"

STATISTICS: Final[dict[str, Column]] = {
    "n": Column("integer", "Aligned pairs in the direction.", _DIFFERENCE, "pairs"),
    "mean_pp": Column("number", "Mean difference, higher being better; first minus second.", _BOOTSTRAP, _PP),
    "median_pp": Column("number", "Median difference.", _BOOTSTRAP, _PP),
    "mean_low_pp": Column("number", "Lower end of the mean's 95% bootstrap interval.", _BOOTSTRAP, _PP),
    "mean_high_pp": Column("number", "Upper end of the mean's 95% bootstrap interval.", _BOOTSTRAP, _PP),
    "median_low_pp": Column("number", "Lower end of the median's 95% bootstrap interval.", _BOOTSTRAP, _PP),
    "median_high_pp": Column("number", "Upper end of the median's 95% bootstrap interval.", _BOOTSTRAP, _PP),
    "positive_share": Column("number", "Share of positive among non-zero differences.", _WILSON, "0 to 1"),
    "wilson_low": Column("number", "Lower end of that share's 95% Wilson interval.", _WILSON, "0 to 1"),
    "wilson_high": Column("number", "Upper end of that share's 95% Wilson interval.", _WILSON, "0 to 1"),
    "zeros": Column("integer", "Differences of exactly 0, which the sign test leaves out.", _SIGN, "pairs"),
    "sign_p": Column("number", "Exact two-sided p of the sign test.", _SIGN, "0 to 1"),
    "mde_pp": Column("number", "Smallest mean difference detectable at 80% power and 5% level.", _POWER, _PP),
    "n_for_one_pp": Column(
        "integer", "Pairs, spread and clustered alike, that would detect one point.", _POWER, "pairs"
    ),
    "out__source_difference.reason_code": Column(
        "text", "Why numbers or the reading are missing; null where nothing is.", _DIFFERENCE
    ),
    "out__source_difference.n_models": Column("integer", "Distinct models among the pairs.", _DIFFERENCE, "models"),
    "left_out": Column(
        "integer",
        "Aligned pairs that enter no number: ratings, no direction, no value, two models.",
        _DIFFERENCE,
        "pairs",
    ),
    "interval_method": Column(
        "text", "percentile, or degenerate where all differences are equal; null without interval.", _BOOTSTRAP
    ),
    "is_bias_readable": Column(
        "boolean", 'Whether the interval may be read as "source bias": enough distinct models, and spread.', _DIFFERENCE
    ),
    "scope": Column("text", "What the row rests on, and what it does not support.", _DIFFERENCE),
    "place": Column(
        "integer", "Place by standard errors apart, then by points apart; those without error last.", _DIVERGENCE
    ),
    "out__source_divergence.benchmark": Column("text", "Benchmark as row a names it.", _DIVERGENCE),
    "out__source_divergence.metric": Column("text", "Metric as row a names it.", _DIVERGENCE),
    "out__source_divergence.metric_id": Column(
        "text", "First registered metric that both rows serve; null where only their names agree.", _DIVERGENCE
    ),
    "out__source_divergence.direction": Column(
        "text", "Which source type is subtracted from which; null where both are the same.", _DIVERGENCE
    ),
    "out__source_divergence.entry_id_a": Column("text", "The row subtracted from.", _DIVERGENCE),
    "out__source_divergence.entry_id_b": Column("text", "The row subtracted.", _DIVERGENCE),
    "leaderboard_a": Column("text", "Leaderboard of row a.", _DIVERGENCE),
    "leaderboard_b": Column("text", "Leaderboard of row b.", _DIVERGENCE),
    "source_type_a": Column("text", "Source type of row a.", _DIVERGENCE),
    "source_type_b": Column("text", "Source type of row b.", _DIVERGENCE),
    "value_a_pp": Column("number", "Value of row a as stated, not flipped.", _DIVERGENCE, "percent"),
    "value_b_pp": Column("number", "Value of row b as stated, not flipped.", _DIVERGENCE, "percent"),
    "difference_pp": Column("number", "Value a minus value b, as stated, not flipped.", _DIVERGENCE, _PP),
    "stderr_a_pp": Column("number", "Standard error of value a; null where none can be stated.", _ERROR, _PP),
    "stderr_b_pp": Column("number", "Standard error of value b; null where none can be stated.", _ERROR, _PP),
    "error_basis_a": Column("text", "stated, or binomial from the number of samples; null without error.", _ERROR),
    "error_basis_b": Column("text", "stated, or binomial from the number of samples; null without error.", _ERROR),
    "standard_errors": Column(
        "number",
        "How far apart: difference without sign over the root of both squared errors.",
        _DIVERGENCE,
        "standard errors",
    ),
    "differing_fields": Column("text_list", "Fields that both rows state, and state differently.", _FIELDS),
    "unstated_fields": Column("text_list", "Fields that alignment asks for and that not both rows state.", _FIELDS),
    "out__source_divergence.reason_code": Column(
        "text", "Why no number of standard errors is given; null where one is.", _DIVERGENCE
    ),
    "out__source_divergence.scope": Column("text", "What the comparison supports, and what it does not.", _DIVERGENCE),
}
