"""Column dictionary, release decisions: verdict, gates, levels of the two systems (METHODS 12).

The entries stand under `table.column`, since a share or a limit means another thing in other tables.
"""

from __future__ import annotations

from typing import Final

from warehouse.columns import Column

_DECIDE = "methods.decision.decide:decide"
_VERDICT = "methods.decision.verdict:verdict_of"
_CONTRACT = "warehouse.release_contract:ReleaseContract"
_FLIP = "methods.decision.instability:flip_rate"
_COMPARE = "methods.decision.paired_bounds:compare"
_GATE = "methods.decision.objective_gates:comparison_gate"
_EFFECT = "methods.decision.effects:detectable_effect"
_NEEDED = "methods.decision.effects:needed_tasks"
_TABLES = "methods.decision.study:decision_tables"
_LEVELS = "methods.decision.system_levels:system_levels"
_TOTALS = "methods.decision.reduction:task_totals"
_WILSON = "methods.statistics.wilson:wilson_interval"
_PP = "percentage points"

_DECISION: Final = {
    "contract_id": Column("text", "Id of the release contract.", _CONTRACT),
    "contract_sha256": Column(
        "text", "Hash of the sealed contract, which the evidence names.", "warehouse.release_contract:ReleaseContract"
    ),
    "title": Column("text", "Title of the contract.", _CONTRACT),
    "modality": Column("text", "text, rag, agent or multimodal.", _CONTRACT),
    "risk": Column("text", "Risk as the contract states it.", _CONTRACT),
    "baseline_system": Column("text", "System in use.", _CONTRACT),
    "candidate_system": Column("text", "System that is judged.", _CONTRACT),
    "objective": Column("text", "superiority or non_inferiority.", _CONTRACT),
    "margin_pp": Column("number", "What the lower bound of the difference must exceed.", _CONTRACT, _PP),
    "alpha": Column("number", "One-sided level of every bound.", _CONTRACT, "0 to 1"),
    "evidence_stage": Column("text", "Where the samples come from: offline, shadow or canary.", _DECIDE),
    "verdict": Column("text", "block, insufficient_evidence, or the next stage that the evidence allows.", _VERDICT),
    "gates": Column("integer", "Gates judged.", _DECIDE, "gates"),
    "failed_gates": Column("text_list", "Gates that said no.", _DECIDE),
    "inconclusive_gates": Column("text_list", "Gates that cannot tell.", _DECIDE),
    "needed_tasks": Column(
        "integer",
        "Most paired tasks that an inconclusive gate needs; null where none states a number.",
        _NEEDED,
        "tasks",
    ),
    "redraws": Column("integer", "How often trials were drawn again.", _FLIP, "redraws"),
    "flips": Column("integer", "Redraws with another verdict on objective and slices.", _FLIP, "redraws"),
    "flip_rate": Column("number", "Flips over redraws; null where not measured.", _FLIP, "0 to 1"),
    "flip_reason": Column("text", "Why the flip rate is not measured; null where it is.", _FLIP),
}
_GATES: Final = {
    "place": Column("integer", "Place among the decision's gates, from 1.", _TABLES, "gates"),
    "gate": Column("text", "Id of the gate: objective, or its kind and the contract's id.", _DECIDE),
    "kind": Column("text", "What the gate asks about.", _DECIDE),
    "outcome": Column("text", "pass, fail or inconclusive.", _GATE),
    "estimate": Column("number", "What is judged, in the gate's unit; null where nothing could be computed.", _COMPARE),
    "low": Column("number", "Lower bound, one-sided at the contract's alpha.", _COMPARE),
    "high": Column("number", "Upper bound, one-sided at the contract's alpha.", _COMPARE),
    "threshold": Column("number", "What the bound is held against.", _CONTRACT),
    "unit": Column(
        "text",
        "Unit of estimate, bounds, threshold and detectable effect; a red line detects percent of rows.",
        _CONTRACT,
    ),
    "baseline_level": Column("number", "Level of the baseline, where two are compared.", _COMPARE),
    "candidate_level": Column("number", "Level of the candidate.", _COMPARE),
    "tasks": Column("integer", "Paired tasks that it rests on.", _DECIDE, "tasks"),
    "clusters": Column("integer", "Units that were resampled: clusters where declared, else tasks.", _DECIDE, "units"),
    "rows": Column("integer", "Rows that it rests on.", _DECIDE, "rows"),
    "detectable": Column("number", "Smallest true effect beyond the threshold that this n finds.", _EFFECT),
    "needed_tasks": Column(
        "integer", "Tasks that would decide, were the planned effect true, else the observed.", _NEEDED, "tasks"
    ),
    "p": Column("number", "p of the test at the threshold.", _COMPARE, "0 to 1"),
    "holm_p": Column(
        "number", "p of a slice by Holm, for claims about single slices only.", "methods.decision.holm:holm", "0 to 1"
    ),
    "method": Column("text", "How the bounds came about.", _COMPARE),
    "detail": Column("text", "What was found, in one sentence.", _GATE),
}
_SYSTEMS: Final = {
    "role": Column("text", "baseline or candidate.", _LEVELS),
    "parse_view": Column("text", "Whether unparsed answers count as failures or are left out.", _LEVELS),
    "system": Column("text", "The system as the evidence names it.", _LEVELS),
    "tasks": Column("integer", "Tasks with a counted row.", _LEVELS, "tasks"),
    "rows": Column("integer", "Counted rows.", _TOTALS, "rows"),
    "parse_failures": Column("integer", "Rows whose answer was not parsed.", _TOTALS, "rows"),
    "infrastructure_failures": Column("integer", "Rows that the infrastructure failed.", _TOTALS, "rows"),
    "voided": Column("integer", "Successes beyond a red line or a sample's budget, which are none.", _TOTALS, "rows"),
    "successes": Column("integer", "Successes of a binary outcome.", _LEVELS, "rows"),
    "share": Column(
        "number", "Mean over tasks of the outcome on its range; null for corpus metrics.", _LEVELS, "0 to 1"
    ),
    "share_low": Column("number", "Lower end of Wilson's 95% interval: one binary trial a task.", _WILSON, "0 to 1"),
    "share_high": Column("number", "Upper end of it.", _WILSON, "0 to 1"),
}

DECISION: Final[dict[str, Column]] = {
    f"{table}.{name}": entry
    for table, entries in (
        ("out__release_decision", _DECISION),
        ("out__release_decision_gate", _GATES),
        ("out__release_decision_level", _SYSTEMS),
    )
    for name, entry in entries.items()
}
