"""The contracts of a release decision: its verdict, every gate, each system by itself (METHODS 12)."""

from __future__ import annotations

from typing import Final

from warehouse import decision_words as words
from warehouse.contracts import TableContract

OUT_RELEASE_DECISION: Final = TableContract(
    name="out__release_decision",
    grain="One row per release decision: a sealed contract, its evidence, and the verdict.",
    key=("study",),
    columns=(
        "study", "contract_id", "contract_sha256", "title", "modality", "risk", "baseline_system", "candidate_system",
        "objective", "margin_pp", "alpha", "evidence_stage", "verdict", "gates", "failed_gates", "inconclusive_gates",
        "needed_tasks", "redraws", "flips", "flip_rate", "flip_reason",
    ),
    nullable=frozenset({"needed_tasks", "flip_rate", "flip_reason"}),
    allowed=(
        ("verdict", words.DECISION_VERDICTS), ("evidence_stage", words.EVIDENCE_STAGES),
        ("objective", words.OBJECTIVE_KINDS), ("modality", words.MODALITIES), ("risk", words.RISKS),
        ("flip_reason", words.NO_FLIP_REASONS),
    ),
    bounds=(("margin_pp", -100, 100), ("alpha", 0, 0.5), ("flip_rate", 0, 1), ("gates", 1, None)),
    may_be_empty=True,
)  # fmt: skip

OUT_RELEASE_DECISION_GATE: Final = TableContract(
    name="out__release_decision_gate",
    grain="One row per gate of a release decision.",
    key=("study", "place"),
    columns=(
        "study", "place", "gate", "kind", "outcome", "estimate", "low", "high", "threshold", "unit", "baseline_level",
        "candidate_level", "tasks", "clusters", "rows", "detectable", "needed_tasks", "p", "holm_p", "method", "detail",
    ),
    nullable=frozenset({
        "estimate", "low", "high", "threshold", "unit", "baseline_level", "candidate_level", "detectable",
        "needed_tasks", "p", "holm_p", "method",
    }),
    allowed=(
        ("kind", words.GATE_KINDS), ("outcome", words.GATE_OUTCOMES), ("method", words.BOUND_METHODS),
    ),
    bounds=(("place", 1, None), ("tasks", 0, None), ("p", 0, 1), ("holm_p", 0, 1), ("needed_tasks", 1, None)),
    may_be_empty=True,
)  # fmt: skip

OUT_RELEASE_DECISION_LEVEL: Final = TableContract(
    name="out__release_decision_level",
    grain="One row per system of a release decision and way of counting unparsed answers.",
    key=("study", "role", "parse_view"),
    columns=(
        "study", "role", "parse_view", "system", "tasks", "rows", "parse_failures", "infrastructure_failures", "voided",
        "successes", "share", "share_low", "share_high",
    ),
    nullable=frozenset({"successes", "share", "share_low", "share_high"}),
    allowed=(("role", words.ROLES), ("parse_view", words.PARSE_VIEWS)),
    bounds=(("share", 0, 1), ("share_low", 0, 1), ("share_high", 0, 1), ("tasks", 0, None), ("rows", 0, None)),
    may_be_empty=True,
)  # fmt: skip

DECISION_TABLES: Final = (OUT_RELEASE_DECISION, OUT_RELEASE_DECISION_GATE, OUT_RELEASE_DECISION_LEVEL)
