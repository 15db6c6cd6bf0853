"""The contracts of a study of judges: keys, figures, bins, cascades, transfers, labels, the queue (METHODS 10)."""

from __future__ import annotations

from typing import Final

from warehouse import judge_words
from warehouse.contracts import TableContract

_SLICE: Final = ("slice", "slice_value")
_POLICY: Final = ("study", "judge", "fallback", "task_type", "rule")
_RULE: Final = ("rule", judge_words.RULES)
_SHARES: Final = (
    "accuracy", "accuracy_worst", "accuracy_best", "auroc", "calibration_error", "gold_agreement", "swap_consistency",
    "first_place_share", "repeat_stability",
)  # fmt: skip
_COUNTS: Final = (
    "items", "labelled", "valid", "verdicts_a", "verdicts_b", "ties", "calls", "cannot_judge", "parse_failures",
    "refusals", "errored", "unrecorded", "not_run", "repeated", "cost_items",
)  # fmt: skip
_HELD_OUT: Final = (
    "judge_accuracy", "fallback_accuracy", "cascade_accuracy", "retained", "loss_pp", "loss_bound_pp",
    "random_accuracy", "optimal_accuracy", "gain_captured", "acceptance",
)  # fmt: skip
_COSTS: Final = ("cascade_cost_per_1000", "fallback_cost_per_1000", "cost_ratio", "conservative_cost_ratio")

OUT_JUDGE_STACK: Final = TableContract(
    name="out__judge_stack",
    grain="One row per judge of a study: its key, the whole stack as stated.",
    key=("study", "judge"),
    columns=("study", "judge", *judge_words.STACK_FIELDS, "key_sha256", "unstated_fields", "strange_labels"),
    nullable=frozenset({*judge_words.STACK_FIELDS, "key_sha256"}),
    may_be_empty=True,
)

OUT_JUDGE_SUMMARY: Final = TableContract(
    name="out__judge_summary",
    grain="One row per judge and slice of items: what the judge alone is worth there.",
    key=("study", "judge", *_SLICE),
    columns=(
        "study", "judge", *_SLICE, "items", "labelled", "valid", "verdicts_a", "verdicts_b", "ties", "accuracy",
        "accuracy_worst", "accuracy_best", "auroc", "calibration_error", "gold_agreement", "gold_kappa", "is_one_order",
        "discordant", "weakly_discordant", "swap_consistency", "first_place_share", "calls", "cannot_judge",
        "parse_failures", "refusals", "errored", "unrecorded", "not_run", "repeated", "repeat_stability", "cost_items",
        "cost_per_1000",
    ),
    nullable=frozenset({*_SHARES, "gold_kappa", "discordant", "weakly_discordant", "cost_per_1000"}),
    bounds=(
        *((name, 0, 1) for name in _SHARES), *((name, 0, None) for name in _COUNTS), ("gold_kappa", -1, 1),
        ("discordant", 0, None), ("weakly_discordant", 0, None), ("cost_per_1000", 0, None),
    ),
    may_be_empty=True,
)  # fmt: skip

OUT_JUDGE_BIN: Final = TableContract(
    name="out__judge_bin",
    grain="One row per judge, fallback, slice and bin of q, empty bins included.",
    key=("study", "judge", "fallback", *_SLICE, "bin"),
    columns=(
        "study", "judge", "fallback", *_SLICE, "bin", "bin_label", "q_low", "q_high", "n", "mean_q", "accuracy",
        "accuracy_low", "accuracy_high", "fallback_n", "fallback_accuracy",
    ),
    nullable=frozenset({"mean_q", "accuracy", "accuracy_low", "accuracy_high", "fallback_accuracy"}),
    bounds=(
        ("bin", 1, None), ("q_low", 0.5, 1), ("q_high", 0.5, 1), ("n", 0, None), ("mean_q", 0.5, 1), ("accuracy", 0, 1),
        ("accuracy_low", 0, 1), ("accuracy_high", 0, 1), ("fallback_n", 0, None), ("fallback_accuracy", 0, 1),
    ),
    may_be_empty=True,
)  # fmt: skip

OUT_JUDGE_CASCADE: Final = TableContract(
    name="out__judge_cascade",
    grain="One row per judge, fallback, task type and rule: the threshold chosen, and how it fares on other items.",
    key=_POLICY,
    columns=(
        *_POLICY, "open_state", "tau", "is_no_escalation", "selection_items", "selection_accepted",
        "selection_difference_pp", "selection_bound_pp", "selection_auroc", "held_out_items", "left_out_items",
        "shared_items", *_HELD_OUT, "held_out_auroc", "cost_items", *_COSTS, "cascade_verdict", "items_to_decide",
    ),
    nullable=frozenset({
        "tau", "selection_difference_pp", "selection_bound_pp", "selection_auroc", *_HELD_OUT, "held_out_auroc",
        *_COSTS, "items_to_decide",
    }),
    allowed=(
        _RULE, ("open_state", judge_words.OPEN_STATES), ("cascade_verdict", judge_words.CASCADE_VERDICTS),
    ),
    bounds=(
        ("tau", 0.5, 1), ("selection_items", 0, None), ("selection_accepted", 0, None),
        ("selection_difference_pp", -100, 100), ("selection_auroc", 0, 1), ("held_out_items", 0, None),
        ("left_out_items", 0, None), ("shared_items", 0, 0), ("judge_accuracy", 0, 1), ("fallback_accuracy", 0, 1),
        ("cascade_accuracy", 0, 1), ("retained", 0, None), ("loss_pp", -100, 100), ("random_accuracy", 0, 1),
        ("optimal_accuracy", 0, 1), ("acceptance", 0, 1), ("held_out_auroc", 0, 1), ("cost_items", 0, None),
        *((name, 0, None) for name in _COSTS), ("items_to_decide", 1, None),
    ),
    may_be_empty=True,
)  # fmt: skip

OUT_JUDGE_CURVE: Final = TableContract(
    name="out__judge_curve",
    grain="One row per judge, fallback, task type and threshold of the grid: the cascade on held-out items.",
    key=("study", "judge", "fallback", "task_type", "threshold"),
    columns=(
        "study", "judge", "fallback", "task_type", "threshold", "acceptance", "cascade_accuracy", "random_accuracy",
        "optimal_accuracy", "cost_ratio", "conservative_cost_ratio",
    ),
    nullable=frozenset({"cost_ratio", "conservative_cost_ratio"}),
    bounds=(
        ("threshold", 0.5, 1), ("acceptance", 0, 1), ("cascade_accuracy", 0, 1), ("random_accuracy", 0, 1),
        ("optimal_accuracy", 0, 1), ("cost_ratio", 0, None), ("conservative_cost_ratio", 0, None),
    ),
    may_be_empty=True,
)  # fmt: skip

OUT_JUDGE_TRANSFER: Final = TableContract(
    name="out__judge_transfer",
    grain="One row per open cascade and what it was not chosen for, a fallback or a task type: what it would do there.",
    key=(*_POLICY, "transfer", "transferred_to"),
    columns=(
        *_POLICY, "transfer", "transferred_to", "tau", "held_out_items", "acceptance", "fallback_accuracy",
        "cascade_accuracy", "loss_pp", "is_within_tolerance", "cost_ratio", "conservative_cost_ratio",
    ),
    nullable=frozenset({
        "acceptance", "fallback_accuracy", "cascade_accuracy", "loss_pp", "is_within_tolerance", "cost_ratio",
        "conservative_cost_ratio",
    }),
    allowed=(_RULE, ("transfer", judge_words.TRANSFER_KINDS)),
    bounds=(
        ("tau", 0.5, 1), ("held_out_items", 0, None), ("acceptance", 0, 1), ("fallback_accuracy", 0, 1),
        ("cascade_accuracy", 0, 1), ("loss_pp", -100, 100), ("cost_ratio", 0, None),
        ("conservative_cost_ratio", 0, None),
    ),
    may_be_empty=True,
)  # fmt: skip

OUT_JUDGE_LABEL: Final = TableContract(
    name="out__judge_label",
    grain="One row per slice of items: the labels that judges are held against.",
    key=("study", *_SLICE),
    columns=(
        "study", *_SLICE, "items", "labelled", "gold_ties", "double_labelled", "label_agreement", "label_kappa",
        "adjudicated", "adjudication_rate", "adjudication_reasons",
    ),
    nullable=frozenset({"label_agreement", "label_kappa", "adjudication_rate"}),
    bounds=(
        ("items", 0, None), ("labelled", 0, None), ("gold_ties", 0, None), ("double_labelled", 0, None),
        ("label_agreement", 0, 1), ("label_kappa", -1, 1), ("adjudicated", 0, None), ("adjudication_rate", 0, None),
    ),
    may_be_empty=True,
)  # fmt: skip

OUT_JUDGE_QUEUE: Final = TableContract(
    name="out__judge_queue",
    grain="One row per judge and item that a person should look at.",
    key=("study", "judge", "item"),
    columns=("study", "judge", "item", "task_type", "queue_reason", "prob_a_shown_first", "prob_a_shown_second"),
    nullable=frozenset({"prob_a_shown_first", "prob_a_shown_second"}),
    allowed=(("queue_reason", judge_words.QUEUE_REASONS),),
    bounds=(("prob_a_shown_first", 0, 1), ("prob_a_shown_second", 0, 1)),
    may_be_empty=True,
)

JUDGE_TABLES: Final = (
    OUT_JUDGE_STACK, OUT_JUDGE_SUMMARY, OUT_JUDGE_BIN, OUT_JUDGE_CASCADE, OUT_JUDGE_CURVE, OUT_JUDGE_TRANSFER,
    OUT_JUDGE_LABEL, OUT_JUDGE_QUEUE,
)  # fmt: skip
