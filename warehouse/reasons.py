"""Reason codes: why a row went no further, and why a published value is null (METHODS 3, 4, 7; DESIGN).

The order of `EXCLUSIONS` is the order of precedence: the first that applies is the one recorded.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

Stage = Literal["parse", "result", "eligibility", "dedup", "standardize"]


@dataclass(frozen=True, slots=True)
class Reason:
    """One exclusion code: the stage that gives it and its plain meaning."""

    code: str
    stage: Stage
    meaning: str


EXCLUSIONS: Final[tuple[Reason, ...]] = (
    Reason("row_unparseable", "parse", "The row could not be read as a result; it has no entry id."),
    Reason("exact_duplicate", "result", "Equal in everything to another row of the same leaderboard."),
    Reason("unregistered_metric", "eligibility", "No entry of the metric catalog matches the row."),
    Reason("display_only", "eligibility", "The catalog shows this metric and does not score it."),
    Reason("aggregate", "eligibility", "The value is an aggregate of other results."),
    Reason("estimated", "eligibility", "The value was estimated, not measured."),
    Reason("inferred", "eligibility", "The value was inferred from other values."),
    Reason("direction_unknown", "eligibility", "Nobody states whether higher or lower is better."),
    Reason("protocol_unknown", "eligibility", "A protocol field that the metric requires is not stated."),
    Reason("unit_excluded", "eligibility", "The row's unit does not fit the metric's transform."),
    Reason("value_missing", "eligibility", "The value is null, empty or '-'."),
    Reason("value_unparseable", "eligibility", "The value is no finite number."),
    Reason("value_out_of_range", "eligibility", "The fraction lies outside 0 to 1, or the rating beyond ±1e150."),
    Reason("model_unidentified", "eligibility", "No model of the registry, or several, answer to the name."),
    Reason("superseded", "eligibility", "A correction of the catalog withdraws the row."),
    Reason("lower_priority_duplicate", "dedup", "Another row of the same model, family, protocol and metric won."),
    Reason("too_few_models", "standardize", "Fewer models than the methodology asks for stand on this metric."),
    Reason("no_known_developer", "standardize", "No model on this metric has a developer in the registry."),
    Reason("no_spread", "standardize", "All models have the same value on this metric."),
)

EXCLUSION_CODES: Final[tuple[str, ...]] = tuple(reason.code for reason in EXCLUSIONS)
STAGES: Final[tuple[str, ...]] = ("parse", "result", "eligibility", "dedup", "standardize")
STAGE_OF: Final[dict[str, str]] = {reason.code: reason.stage for reason in EXCLUSIONS}

TOO_FEW_DIMENSIONS: Final = "too_few_dimensions"
TOO_FEW_FAMILIES: Final = "too_few_families"
SCORE_REASONS: Final[tuple[str, ...]] = (TOO_FEW_DIMENSIONS, TOO_FEW_FAMILIES)
