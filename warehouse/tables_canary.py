"""The contracts of shadow and canary evidence beside its release decision: looks, exposure, cohorts, models, action."""

from __future__ import annotations

from typing import Final

from warehouse import rollout_words as words
from warehouse.contracts import TableContract

OUT_CANARY_LOOK: Final = TableContract(
    name="out__canary_look",
    grain="One row per batch of shadow or canary evidence and stop rule of its contract.",
    key=("study", "batch", "rule"),
    columns=(
        "study", "batch", "rule", "stop_column", "is_proxy", "state", "at_most", "alpha", "units", "unstated", "mean",
        "low", "high", "baseline_mean", "baseline_units", "log_evidence", "since", "since_mean",
    ),
    nullable=frozenset({"mean", "baseline_mean", "log_evidence", "since_mean"}),
    allowed=(("state", words.STOP_STATES),),
    bounds=(
        ("batch", 1, None), ("alpha", 0, 0.5), ("units", 0, None), ("unstated", 0, None), ("baseline_units", 0, None),
        ("log_evidence", 0, None),
    ),
    may_be_empty=True,
)  # fmt: skip

OUT_CANARY_EXPOSURE: Final = TableContract(
    name="out__canary_exposure",
    grain="One row per batch of canary evidence: exposure against plan over all batches up to it.",
    key=("study", "batch"),
    columns=(
        "study", "batch", "candidate_units", "baseline_units", "planned_frac", "observed_frac", "log_evidence",
        "p_always", "p_single", "is_mismatch", "in_both_groups",
    ),
    nullable=frozenset({"observed_frac", "p_single"}),
    bounds=(
        ("batch", 1, None), ("candidate_units", 0, None), ("baseline_units", 0, None), ("planned_frac", 0, 1),
        ("observed_frac", 0, 1), ("p_always", 0, 1), ("p_single", 0, 1), ("in_both_groups", 0, None),
    ),
    may_be_empty=True,
)  # fmt: skip

OUT_CANARY_COHORT: Final = TableContract(
    name="out__canary_cohort",
    grain="One row per cohort of canary evidence, and one for everybody.",
    key=("study", "cohort_column", "cohort"),
    columns=(
        "study", "cohort_column", "cohort", "candidate_units", "baseline_units", "candidate_frac", "baseline_frac",
        "composition_difference_pp", "candidate_mean", "baseline_mean", "effect_pp", "effect_low_pp", "effect_high_pp",
        "reading",
    ),
    nullable=frozenset({
        "candidate_frac", "baseline_frac", "composition_difference_pp", "candidate_mean", "baseline_mean", "effect_pp",
        "effect_low_pp", "effect_high_pp",
    }),
    allowed=(("reading", words.COHORT_READINGS),),
    bounds=(
        ("candidate_units", 0, None), ("baseline_units", 0, None), ("candidate_frac", 0, 1), ("baseline_frac", 0, 1),
        ("composition_difference_pp", -100, 100), ("effect_pp", -100, 100),
    ),
    may_be_empty=True,
)  # fmt: skip

OUT_CANARY_MODEL: Final = TableContract(
    name="out__canary_model",
    grain="One row per system of shadow or canary evidence: who answered its requests.",
    key=("study", "system"),
    columns=("study", "system", "rows", "same_model", "other_model", "model_unstated"),
    bounds=(("rows", 0, None), ("same_model", 0, None), ("other_model", 0, None), ("model_unstated", 0, None)),
    may_be_empty=True,
)

OUT_CANARY_ACTION: Final = TableContract(
    name="out__canary_action",
    grain="One row per study of shadow or canary evidence: the action that all its batches ask for.",
    key=("study",),
    columns=("study", "action", "batches", "rows", "repeated_units", "rules"),
    allowed=(("action", words.ROLLOUT_ACTIONS),),
    bounds=(("batches", 1, None), ("rows", 0, None), ("repeated_units", 0, None)),
    may_be_empty=True,
)

CANARY_TABLES: Final = (OUT_CANARY_LOOK, OUT_CANARY_EXPOSURE, OUT_CANARY_COHORT, OUT_CANARY_MODEL, OUT_CANARY_ACTION)
