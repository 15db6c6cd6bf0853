"""Column dictionary, shadow and canary: looks, exposure, cohorts, models, action (METHODS 12).

The entries stand under `table.column`, since a mean or a bound means another thing in other tables.
"""

from __future__ import annotations

from typing import Final

from warehouse.columns import Column

_MONITOR = "methods.rollout.monitor:monitor"
_UNITS = "methods.rollout.units:unit_sums"
_BOUND = "methods.rollout.always_valid:always_valid"
_EVIDENCE = "methods.rollout.always_valid:stop_evidence"
_EXPOSURE = "methods.rollout.exposure:exposure"
_COHORT = "methods.rollout.cohorts:cohort_table"
_MODELS = "methods.rollout.returned_models:returned_models"
_ACTION = "methods.rollout.action:asked_for"
_REASONS = "methods.rollout.action:reasons"
_CONTRACT = "warehouse.release_contract:StopRule"
_PLAN = "warehouse.release_contract:CanaryPlan"
_PP = "percentage points"

_LOOK: Final = {
    "batch": Column("integer", "The look: all batches up to and with this one.", _MONITOR, "batches"),
    "rule": Column("text", "Id of the stop rule in the contract.", _CONTRACT),
    "stop_column": Column("text", "Column whose mean the rule limits.", _CONTRACT),
    "is_proxy": Column("boolean", "Whether it is a short-term proxy, kept apart from outcomes.", _CONTRACT),
    "state": Column("text", "crossed, unclear, not_tracked, within or open.", _MONITOR),
    "at_most": Column("number", "Limit of the candidate's mean, on the column's scale.", _CONTRACT),
    "alpha": Column("number", "Chance, at most, of ever stopping within the limit.", _CONTRACT, "0 to 1"),
    "units": Column("integer", "Units of the candidate that state a value.", _UNITS, "units"),
    "unstated": Column("integer", "Units of the candidate that state none.", _UNITS, "units"),
    "mean": Column("number", "Mean over these units, each as it first came; null of none.", _UNITS),
    "low": Column("number", "Lower bound of it, valid at every look together.", _BOUND),
    "high": Column("number", "Upper bound of it, valid at every look together.", _BOUND),
    "baseline_mean": Column("number", "The same mean of the baseline, for orientation; null of no unit.", _UNITS),
    "baseline_units": Column("integer", "Units of the baseline that state a value.", _UNITS, "units"),
    "log_evidence": Column(
        "number", "Largest log E so far for a mean above the limit; crossed from log(1/alpha) on; null: infinite.",
        _EVIDENCE,
    ),
    "since": Column("integer", "Batch from which on the values said so most strongly.", _EVIDENCE, "batches"),
    "since_mean": Column("number", "Mean of the units from that batch on; null of none.", _UNITS),
}  # fmt: skip
_EXPOSED: Final = {
    "batch": Column("integer", "The look: all batches up to and with this one.", _MONITOR, "batches"),
    "candidate_units": Column("integer", "Units that the candidate got.", _MONITOR, "units"),
    "baseline_units": Column("integer", "Units that the baseline got.", _MONITOR, "units"),
    "planned_frac": Column("number", "Share of units that the contract plans for the candidate.", _PLAN, "0 to 1"),
    "observed_frac": Column("number", "Share that it got; null of no unit.", _EXPOSURE, "0 to 1"),
    "log_evidence": Column(
        "number", "log E against the planned share.", "methods.rollout.exposure:exposure_log_evidence"
    ),
    "p_always": Column("number", "p of the planned share, however often one looks.", _EXPOSURE, "0 to 1"),
    "p_single": Column("number", "Chi-squared p, for a single look; null of no unit.", _EXPOSURE, "0 to 1"),
    "is_mismatch": Column("boolean", "Whether a sample-ratio mismatch was found by then.", _EXPOSURE),
    "in_both_groups": Column("integer", "Units that came in both groups by then.", _MONITOR, "units"),
}
_COHORTS: Final = {
    "cohort_column": Column("text", "Column that the cohort is of; `all` for everybody.", _COHORT),
    "cohort": Column("text", "Value of that column.", _COHORT),
    "candidate_units": Column("integer", "The candidate's units in the cohort.", _COHORT, "units"),
    "baseline_units": Column("integer", "The baseline's units in the cohort.", _COHORT, "units"),
    "candidate_frac": Column("number", "Share of the candidate's units in the cohort.", _COHORT, "0 to 1"),
    "baseline_frac": Column("number", "Share of the baseline's units in the cohort.", _COHORT, "0 to 1"),
    "composition_difference_pp": Column("number", "Difference of both shares: who is in the groups.", _COHORT, _PP),
    "candidate_mean": Column("number", "Mean outcome of the candidate's units; null of none.", _COHORT),
    "baseline_mean": Column("number", "Mean outcome of the baseline's units; null of none.", _COHORT),
    "effect_pp": Column(
        "number", "Candidate minus baseline, higher being better; null unless assigned at random.", _COHORT, _PP
    ),
    "effect_low_pp": Column("number", "Lower bound of it, valid at every look together.", _COHORT, _PP),
    "effect_high_pp": Column("number", "Upper bound of it, valid at every look together.", _COHORT, _PP),
    "reading": Column("text", "randomized, or operational: no effect is claimed.", _PLAN),
}
_MODEL: Final = {
    "system": Column("text", "The system as the contract names it.", _MODELS),
    "rows": Column("integer", "Its rows.", _MODELS, "rows"),
    "same_model": Column("integer", "Rows that the model asked for answered.", _MODELS, "rows"),
    "other_model": Column("integer", "Rows that another model answered.", _MODELS, "rows"),
    "model_unstated": Column("integer", "Rows that do not state both models.", _MODELS, "rows"),
}
_ACTIONS: Final = {
    "action": Column("text", "continue, hold, stop or rollback.", _ACTION),
    "batches": Column("integer", "Batches looked at.", _MONITOR, "batches"),
    "rows": Column("integer", "Rows in all batches.", _MONITOR, "rows"),
    "repeated_units": Column("integer", "Units of the candidate that came again in a later batch.", _MONITOR, "units"),
    "rules": Column("text_list", "Rules and gates that ask for other than continue, the strongest first.", _REASONS),
}

CANARY: Final[dict[str, Column]] = {
    f"{table}.{name}": entry
    for table, entries in (
        ("out__canary_look", _LOOK),
        ("out__canary_exposure", _EXPOSED),
        ("out__canary_cohort", _COHORTS),
        ("out__canary_model", _MODEL),
        ("out__canary_action", _ACTIONS),
    )
    for name, entry in entries.items()
}
