"""The closed sets of words that tables and the catalog may use (METHODS 1 and 3, DESIGN "The catalog folder").

Belongs here: the words and their order. Does not belong here: what follows from a word (that is `methods`).
"""

from __future__ import annotations

from typing import Final, Literal, get_args

SourceType = Literal["official", "paper", "self_reported", "reproduced"]
Tier = Literal["verified", "official", "reported", "self_reported"]
Kind = Literal["measured", "aggregate", "estimated", "inferred"]
Direction = Literal["higher", "lower", "unknown"]
Transform = Literal["logit", "identity"]
MetricStatus = Literal["scored", "display_only"]
ScoreStatus = Literal["rated", "estimated", "unrated"]
WeightRole = Literal["own", "cohort"]
Verdict = Literal["pass", "fail", "error", "inconclusive", "not_applicable", "waived"]
Severity = Literal["blocking", "warning"]
ProductStatus = Literal["published", "blocked", "not_run"]
ReleaseStatus = Literal["current", "superseded", "withdrawn"]
SnapshotStatus = Literal["fresh", "unchanged", "asserted", "stale", "failed", "skipped", "missing_credential"]
Exactness = Literal["hash", "tolerance"]

SOURCE_TYPES: Final[tuple[SourceType, ...]] = get_args(SourceType)
TIERS: Final[tuple[Tier, ...]] = get_args(Tier)
"""Evidence tiers, strongest first: the order in which deduplication prefers them (METHODS 4)."""
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
VERDICTS: Final[tuple[Verdict, ...]] = get_args(Verdict)
SCORE_STATUSES: Final[tuple[ScoreStatus, ...]] = get_args(ScoreStatus)
WEIGHT_ROLES: Final[tuple[WeightRole, ...]] = get_args(WeightRole)
SEVERITIES: Final[tuple[Severity, ...]] = get_args(Severity)
PRODUCT_STATUSES: Final[tuple[ProductStatus, ...]] = get_args(ProductStatus)
RELEASE_STATUSES: Final[tuple[ReleaseStatus, ...]] = get_args(ReleaseStatus)
SNAPSHOT_STATUSES: Final[tuple[SnapshotStatus, ...]] = get_args(SnapshotStatus)

HEALTHY_SNAPSHOTS: Final[frozenset[str]] = frozenset({"fresh", "unchanged", "asserted"})
"""Snapshot statuses that count as green; every other one is visibly not."""

SYNC_FAILURES: Final[frozenset[str]] = frozenset({"failed", "missing_credential"})
"""Snapshot statuses that end a run with exit code 3."""

CATEGORIES: Final[dict[str, tuple[str, str, str, str]]] = {
    "agent": ("planning", "tool-use", "long-horizon", "recovery"),
    "coding": ("generation", "repository", "debugging", "tool-driven"),
    "reasoning": ("abstract", "scientific", "multi-constraint", "evidence"),
    "knowledge": ("broad", "professional", "factuality", "retrieval"),
    "math": ("basic", "competition", "proof", "applied"),
    "multilingual": ("understanding", "generation", "transfer", "low-resource"),
    "multimodal": ("perception", "document", "visual-reasoning", "video-action"),
    "instruction-following": ("constraints", "structured", "novel", "multi-turn"),
}
"""The eight categories, each with its four dimensions. Each category is scored alone; there is no overall score."""

PROTOCOL_INTEGERS: Final[tuple[str, ...]] = ("steps", "samples", "seed", "runs")
PROTOCOL_FIELDS: Final[tuple[str, ...]] = (
    "model_version",
    "post_training",
    "protocol_id",
    "steps",
    "samples",
    "effort",
    "prompt_enhancement",
    "harness",
    "observation",
    "action_interface",
    "commit",
    "seed",
    "runs",
    "api_snapshot",
)
"""Protocol fields in the order of the native format; `extra` stands apart."""
MODEL_FIELDS: Final[tuple[str, ...]] = ("model_version", "post_training")
"""Protocol fields that say which model was measured, not how."""

PERCENT_UNITS: Final[dict[str, int]] = {"score": 100, "score_fraction": 1}
"""Units that a fraction may be read from, with the number that stands for one (METHODS 3)."""
RATING_UNIT: Final = "rating"
_UNIT_WORDS: Final[dict[str, str]] = {"score": "score, percent", "score_fraction": "score_fraction, of 1"}
BOARD_PRODUCT: Final = "scores"
NATIVE_SCHEMA: Final = "scoretrail.leaderboard/1"


def unit_in_words(unit: str) -> str:
    """A unit as its source states it, with the scale that it means where the name alone does not say it."""
    return _UNIT_WORDS.get(unit, unit)
