"""The contract of every table made here, in the order of a row's journey."""

from __future__ import annotations

from typing import Final

from warehouse import reasons, vocabulary
from warehouse.contracts import TableContract
from warehouse.study_words import STUDY_TABLES
from warehouse.tables_canary import CANARY_TABLES
from warehouse.tables_decision import DECISION_TABLES
from warehouse.tables_harness import HARNESS_TABLES
from warehouse.tables_judging import JUDGE_TABLES
from warehouse.tables_linked import BACKTEST_TABLES, LINKED_TABLES
from warehouse.tables_manifests import MANIFEST_TABLES
from warehouse.tables_pairing import CORE_CANDIDATE_PAIR, CORE_PAIR_DECISION
from warehouse.tables_protocols import PROTOCOL_TABLES
from warehouse.tables_sensitivity import SENSITIVITY_TABLES
from warehouse.tables_statistics import OUT_SOURCE_DIFFERENCE, OUT_SOURCE_DIVERGENCE
from warehouse.tables_study import CORE_STUDY_PAIR, RAW_EVIDENCE

_PROTOCOL = tuple(f"protocol_{name}" for name in vocabulary.PROTOCOL_FIELDS)

_WIDEST_SIGMA: Final = 1.09
"""One dimension observed as weakly as can be: the square root of 1 + 3/16, rounded up (METHODS 7)."""

RAW_SNAPSHOT: Final = TableContract(
    name="raw__snapshot",
    grain="One row per leaderboard: the snapshot that the day uses, and how it stands.",
    key=("leaderboard",),
    columns=(
        "leaderboard", "sha256", "path", "source_url", "fetched_at", "synced_at", "bytes", "rows", "etag",
        "connector", "status",
    ),
    nullable=frozenset({"sha256", "path", "source_url", "fetched_at", "synced_at", "bytes", "rows", "etag"}),
    unhashed=frozenset({"fetched_at", "path", "etag", "status"}),
    allowed=(("status", vocabulary.SNAPSHOT_STATUSES),),
    bounds=(("bytes", 0, None), ("rows", 0, None)),
)  # fmt: skip

RAW_ROW: Final = TableContract(
    name="raw__row",
    grain="One row per row of a snapshot as received, readable or not.",
    key=("leaderboard", "snapshot_sha256", "row_locator"),
    columns=(
        "leaderboard", "snapshot_sha256", "row_locator", "record", "problem", "raw_value", "entry_id", "is_duplicate",
    ),
    nullable=frozenset({"record", "problem", "raw_value", "entry_id"}),
)  # fmt: skip

CORE_RESULT: Final = TableContract(
    name="core__result",
    grain="One row per (leaderboard, model entry, benchmark, subset, metric) value.",
    key=("entry_id",),
    columns=(
        "entry_id", "leaderboard", "snapshot_sha256", "row_locator", "benchmark", "benchmark_version", "subset",
        "metric", "unit", "value", "stderr", "n_samples", "kind", "model", "model_id", "model_url", "developer",
        "source_type", "tier", "copied_from", "source_url", "confidence", "updated_at", "setting", "notes",
        *_PROTOCOL, "protocol_extra",
    ),
    nullable=frozenset({
        "benchmark_version", "subset", "value", "stderr", "n_samples", "model_id", "model_url", "developer", "tier",
        "copied_from", "source_url", "confidence", "updated_at", "setting", "notes", *_PROTOCOL, "protocol_extra",
    }),
    allowed=(
        ("kind", vocabulary.KINDS),
        ("source_type", vocabulary.SOURCE_TYPES),
        ("tier", vocabulary.TIERS),
    ),
    bounds=(("stderr", 0, None), ("n_samples", 0, None)),
)  # fmt: skip

CORE_EVIDENCE: Final = TableContract(
    name="core__evidence",
    grain="One row per result that serves one metric: eligible, deduplicated, standardized.",
    key=("evidence_id",),
    columns=(
        "evidence_id", "entry_id", "metric_id", "model_id", "category", "dimension", "family", "protocol", "tier",
        "value", "x", "z", "n_models", "n_developers", "q", "stderr_norm", "variance", "precision",
    ),
    allowed=(("tier", vocabulary.TIERS), ("category", tuple(vocabulary.CATEGORIES))),
    bounds=(
        ("n_models", 1, None), ("n_developers", 1, None), ("q", 0, 1), ("stderr_norm", 0, None),
        ("variance", 0, None), ("precision", 0, None),
    ),
)  # fmt: skip

CORE_EXCLUSION: Final = TableContract(
    name="core__exclusion",
    grain="One row per received row and metric that went no further, with the first reason that applies.",
    key=("leaderboard", "snapshot_sha256", "row_locator", "metric_id"),
    columns=(
        "entry_id", "metric_id", "leaderboard", "snapshot_sha256", "row_locator", "stage", "reason_code",
        "raw_value", "detail", "kept_entry_id",
    ),
    nullable=frozenset({"entry_id", "metric_id", "raw_value", "kept_entry_id"}),
    allowed=(("stage", reasons.STAGES), ("reason_code", reasons.EXCLUSION_CODES)),
    may_be_empty=True,
)  # fmt: skip

OUT_DIMENSION_SCORE: Final = TableContract(
    name="out__dimension_score",
    grain="One row per (category, dimension, model) with evidence.",
    key=("category", "dimension", "model_id"),
    columns=(
        "category", "dimension", "model_id", "mu", "sigma", "families", "observations", "is_overlap_calibrated",
    ),
    allowed=(("category", tuple(vocabulary.CATEGORIES)),),
    bounds=(("sigma", 0, 1), ("families", 1, None), ("observations", 1, None)),
)  # fmt: skip

OUT_CATEGORY_SCORE: Final = TableContract(
    name="out__category_score",
    grain="One row per (category, model) with any evidence.",
    key=("category", "model_id"),
    columns=(
        "release_id", "as_of", "category", "model_id", "model_name", "developer", "status", "score", "low80", "high80",
        "mu", "sigma", "observed_dimensions", "families", "overlap_dimensions", "effective_coverage", "rank",
        "rank_low", "rank_high", "reason_code", "catalog_version", "methodology_version",
    ),
    nullable=frozenset({"developer", "score", "low80", "high80", "rank", "rank_low", "rank_high", "reason_code"}),
    allowed=(
        ("category", tuple(vocabulary.CATEGORIES)),
        ("status", vocabulary.SCORE_STATUSES),
        ("reason_code", reasons.SCORE_REASONS),
    ),
    bounds=(
        ("score", 0, 100), ("low80", 0, 100), ("high80", 0, 100), ("sigma", 0, _WIDEST_SIGMA),
        ("observed_dimensions", 1, 4),
        ("families", 1, None), ("overlap_dimensions", 0, 4), ("effective_coverage", 0, 1), ("rank", 1, None),
        ("rank_low", 1, None), ("rank_high", 1, None),
    ),
)  # fmt: skip

OUT_SCORE_WEIGHT: Final = TableContract(
    name="out__score_weight",
    grain="One row per own observation of a score, and one per metric for what the others' observations add.",
    key=("category", "dimension", "model_id", "metric_id", "role", "evidence_id"),
    columns=(
        "category", "dimension", "model_id", "metric_id", "role", "evidence_id", "weight", "z", "contribution",
    ),
    nullable=frozenset({"evidence_id", "z"}),
    allowed=(("role", vocabulary.WEIGHT_ROLES), ("category", tuple(vocabulary.CATEGORIES))),
)  # fmt: skip

OUT_GATE: Final = TableContract(
    name="out__gate",
    grain="One row per gate: what it measured, against what, and its verdict.",
    key=("gate",),
    columns=(
        "gate", "product", "table", "severity", "verdict", "figure", "threshold", "evaluated", "failed",
        "verdict_key", "decided_at", "detail",
    ),
    nullable=frozenset({"figure", "threshold"}),
    unhashed=frozenset({"decided_at", "detail"}),
    allowed=(("verdict", vocabulary.VERDICTS), ("severity", vocabulary.SEVERITIES)),
    bounds=(("evaluated", 0, None), ("failed", 0, None)),
)  # fmt: skip

OUT_PRODUCT: Final = TableContract(
    name="out__product",
    grain="One row per product: published, blocked or not run, and by which gates.",
    key=("product",),
    columns=("product", "status", "blocked_by"),
    nullable=frozenset({"blocked_by"}),
    allowed=(("status", vocabulary.PRODUCT_STATUSES),),
)

OUT_RELEASE: Final = TableContract(
    name="out__release",
    grain="One row per release ever made in this home.",
    key=("release_id",),
    columns=(
        "release_id", "as_of", "created_at", "baseline_release_id", "status", "catalog_version",
        "methodology_version", "code_version", "manifest_sha256",
    ),
    nullable=frozenset({"baseline_release_id"}),
    allowed=(("status", vocabulary.RELEASE_STATUSES),),
)  # fmt: skip

TABLES: Final[dict[str, TableContract]] = {
    contract.name: contract
    for contract in (
        RAW_SNAPSHOT, RAW_ROW, CORE_RESULT, CORE_EVIDENCE, CORE_EXCLUSION, OUT_DIMENSION_SCORE, OUT_CATEGORY_SCORE,
        OUT_SCORE_WEIGHT, *SENSITIVITY_TABLES, *LINKED_TABLES, *BACKTEST_TABLES,
        CORE_CANDIDATE_PAIR, CORE_PAIR_DECISION, RAW_EVIDENCE, CORE_STUDY_PAIR, OUT_SOURCE_DIFFERENCE,
        OUT_SOURCE_DIVERGENCE, *PROTOCOL_TABLES, *MANIFEST_TABLES, *JUDGE_TABLES, *HARNESS_TABLES,
        *DECISION_TABLES, *CANARY_TABLES,
        OUT_GATE, OUT_PRODUCT, OUT_RELEASE,
    )
}  # fmt: skip

INPUTS: Final[dict[str, tuple[str, ...]]] = {
    "raw__snapshot": (),
    "raw__row": ("raw__snapshot",),
    "core__result": ("raw__row",),
    "core__evidence": ("raw__row", "core__result"),
    "core__exclusion": ("raw__row", "core__result", "core__evidence"),
    "out__dimension_score": ("core__evidence",),
    "out__category_score": ("raw__snapshot", "core__evidence"),
    "out__score_weight": ("core__evidence",),
    **{table.name: ("core__result", "core__evidence", "core__exclusion") for table in SENSITIVITY_TABLES},
    **{
        table.name: ("raw__snapshot", "core__evidence", "out__category_score")
        for table in (*LINKED_TABLES, *BACKTEST_TABLES)
    },
    "core__candidate_pair": ("core__result",),
    "core__pair_decision": ("core__result", "core__candidate_pair"),
    "raw__evidence": (),
    "core__study_pair": ("raw__evidence",),
    "out__source_difference": ("raw__evidence", "core__study_pair"),
    "out__source_divergence": ("core__result",),
    **{table: ("raw__evidence",) for tables in STUDY_TABLES.values() for table in tables},
}
"""The tables each table is computed from: the chain of hashes that publication walks."""

RELEASED: Final[tuple[str, ...]] = (*INPUTS, "out__gate", "out__product")
"""Tables that a release folder holds; `out__release` is the manifest as a row."""
