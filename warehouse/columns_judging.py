"""Column dictionary, judges: keys, accuracy by confidence, cascades and what they keep and cost (METHODS 10)."""

from __future__ import annotations

from typing import Final

from warehouse.columns import Column
from warehouse.judge_words import STACK_FIELDS

_TABLES = "methods.judging.study:judge_tables"
_SUMMARY = "methods.judging.summary:summarize"
_LABELS = "methods.judging.summary:label_figures"
_STACKS = "methods.judging.stacks:gather_stacks"
_BINS = "methods.judging.bins:bins"
_AUROC = "methods.judging.auroc:auroc"
_AGREEMENT = "methods.judging.agreement:agreement"
_ORDERS = "methods.judging.orders:two_orders"
_CALLS = "methods.judging.calls:read_calls"
_FIT = "methods.judging.fitting:fit"
_EVALUATE = "methods.judging.evaluation:evaluate"
_BOUND = "methods.judging.rules:lower_bound"
_COSTS = "methods.judging.evaluation:cost_figures"
_JUDGED = "methods.judging.evaluation:judged"
_TRANSFER = "methods.judging.transfer:transfers"
_CURVE = "methods.judging.curves:curve"
_SHARE = "0 to 1"
_PP = "percentage points"
_MONEY = "currency of the file"

_STACK_MEANINGS: Final[dict[str, str]] = {
    "model": "Model as returned by the serving stack.",
    "model_version": "Its version or snapshot as returned.",
    "system_prompt": "System prompt, or its name and hash.",
    "rubric": "Rubric, or its name and hash.",
    "reference": "Which reference answer the judge is shown; none where none is.",
    "temperature": "Sampling temperature.",
    "max_length": "Most tokens the judge may answer with.",
    "parser": "What reads a verdict out of the answer.",
    "retries": "How often a failed call is asked again.",
}

JUDGING: Final[dict[str, Column]] = {
    "judge": Column("text", "Name of the judge in the evidence.", _STACKS),
    "fallback": Column("text", "The judge that decides what this one does not; none where none is named.", _TABLES),
    **{
        f"out__judge_stack.{name}": Column("text", f"{meaning} Null where not stated.", _STACKS)
        for name, meaning in _STACK_MEANINGS.items()
    },
    "key_sha256": Column("text", "Hash of the whole key, under whatever name; null with a field not stated.", _STACKS),
    "out__judge_stack.unstated_fields": Column(
        "text_list", "Fields of the key that nobody stated: with any, a policy fits no other file.", _STACKS
    ),
    "strange_labels": Column(
        "text_list", "Verdicts outside the closed set, with their number; parse failures all.",
        "methods.judging.calls:unknown_labels",
    ),
    "slice": Column("text", "What the items are cut by: all, task_type, or a slice of the evidence.", _SUMMARY),
    "slice_value": Column("text", "The value that the items of the row share.", _SUMMARY),
    "out__judge_summary.items": Column("integer", "Items put to the judge.", _SUMMARY, "items"),
    "out__judge_label.items": Column("integer", "Items of the slice.", _LABELS, "items"),
    "labelled": Column("integer", "Of these, items with a gold label.", _SUMMARY, "items"),
    "valid": Column("integer", "Items with a verdict, every order asked having an answer.", _ORDERS, "items"),
    "verdicts_a": Column("integer", "Verdicts for A.", _ORDERS, "items"),
    "verdicts_b": Column("integer", "Verdicts for B.", _ORDERS, "items"),
    "ties": Column("integer", "Verdicts at exactly one half.", _ORDERS, "items"),
    "accuracy": Column(
        "number", "Accuracy against gold where there is a verdict; a tie of one of the two counts half.",
        "methods.judging.orders:credit", _SHARE,
    ),
    "accuracy_worst": Column("number", "Accuracy were every item without a verdict wrong.", _SUMMARY, _SHARE),
    "accuracy_best": Column("number", "Accuracy were every item without a verdict right.", _SUMMARY, _SHARE),
    "auroc": Column(
        "number", "Chance that a right verdict is held with more confidence than a wrong one; null with one class.",
        _AUROC, _SHARE,
    ),
    "calibration_error": Column(
        "number", "Mean distance of accuracy from confidence over the bins.",
        "methods.judging.bins:calibration_error", _SHARE,
    ),
    "gold_agreement": Column("number", "Share of verdicts equal to the gold label, ties a label.", _AGREEMENT, _SHARE),
    "gold_kappa": Column("number", "Cohen's kappa of verdicts and gold labels.", _AGREEMENT, "-1 to 1"),
    "is_one_order": Column("boolean", "Whether one order stands for both, so that nothing shows its place.", _ORDERS),
    "discordant": Column("integer", "Items whose two orders decide differently.", _ORDERS, "items"),
    "weakly_discordant": Column("integer", "Items where one order decides and the other ties.", _ORDERS, "items"),
    "swap_consistency": Column("number", "Share of verdicts whose two orders say the same.", _SUMMARY, _SHARE),
    "first_place_share": Column(
        "number", "Share of deciding calls that favour what is shown first; one half without a preference.", _SUMMARY,
        _SHARE,
    ),
    "calls": Column("integer", "Calls of the orders asked.", _CALLS, "calls"),
    "cannot_judge": Column("integer", "Calls in which the judge says that it cannot tell.", _CALLS, "calls"),
    "parse_failures": Column("integer", "Calls whose answer the parser does not know.", _CALLS, "calls"),
    "refusals": Column("integer", "Calls that the judge declined.", _CALLS, "calls"),
    "errored": Column("integer", "Calls without an answer, by the serving stack's fault.", _CALLS, "calls"),
    "unrecorded": Column("integer", "Calls of which nothing is recorded.", _CALLS, "calls"),
    "not_run": Column("integer", "Calls that were not made.", _CALLS, "calls"),
    "repeated": Column("integer", "Items with at least two valid verdicts.", _SUMMARY, "items"),
    "repeat_stability": Column("number", "Share of these whose verdicts all agree.", _SUMMARY, _SHARE),
    "cost_items": Column("integer", "Items whose usage is recorded.", _COSTS, "items"),
    "cost_per_1000": Column("number", "Cost of 1,000 items, as used; null where not tracked.", _SUMMARY, _MONEY),
    "bin": Column("integer", "Bin of q, ascending from 1.", _BINS),
    "bin_label": Column("text", "The bin as the source writes it.", "methods.judging.bins:labels"),
    "q_low": Column("number", "Lower end of the bin.", _BINS, _SHARE),
    "q_high": Column("number", "Upper end of the bin; the last bin holds 1 alone.", _BINS, _SHARE),
    "out__judge_bin.n": Column("integer", "Items of the bin with a verdict and a gold label.", _BINS, "items"),
    "mean_q": Column("number", "Mean confidence of these.", _BINS, _SHARE),
    "accuracy_low": Column("number", "Lower end of the accuracy's 95% Wilson interval.", _BINS, _SHARE),
    "accuracy_high": Column("number", "Upper end of the accuracy's 95% Wilson interval.", _BINS, _SHARE),
    "fallback_n": Column("integer", "Of these items, those the fallback decided.", _BINS, "items"),
    "fallback_accuracy": Column("number", "Accuracy of the fallback alone on the same items.", _EVALUATE, _SHARE),
    "task_type": Column("text", "Kind of task; a threshold is of one.", "methods.judging.item_facts:read_items"),
    "out__judge_cascade.rule": Column("text", "Rule under which the threshold was chosen: bound or point.", _FIT),
    "out__judge_transfer.rule": Column("text", "Rule under which the threshold was chosen: bound or point.", _FIT),
    "open_state": Column("text", "open, or the first reason why everything is escalated.", _FIT),
    "out__judge_cascade.tau": Column(
        "number", "The threshold: q at or above it is accepted. Null where closed.", _FIT, _SHARE
    ),
    "out__judge_transfer.tau": Column("number", "The threshold that is carried over.", _FIT, _SHARE),
    "is_no_escalation": Column(
        "boolean", "Whether the threshold is the lowest of the grid: confidence then sends nothing on.",
        "methods.judging.fitting:no_escalation",
    ),
    "selection_items": Column("integer", "Items that the threshold was chosen on.", _FIT, "items"),
    "selection_accepted": Column("integer", "Of these, accepted.", _FIT, "items"),
    "selection_difference_pp": Column("number", "Cascade minus fallback on these.", _FIT, _PP),
    "selection_bound_pp": Column("number", "One-sided 95% lower bound of that difference.", _BOUND, _PP),
    "selection_auroc": Column("number", "AUROC of q on the selection items; null with one class.", _AUROC, _SHARE),
    "held_out_items": Column("integer", "Items that the cascade is judged on.", _EVALUATE, "items"),
    "left_out_items": Column(
        "integer", "Held-out items without a gold label or without a decision of the fallback.", _EVALUATE, "items"
    ),
    "shared_items": Column(
        "integer", "Held-out items that share themselves or their cluster with the selection set: none may.",
        "methods.judging.separation:shared_with", "items",
    ),
    "judge_accuracy": Column("number", "Accuracy of the judge alone on the held-out items.", _EVALUATE, _SHARE),
    "cascade_accuracy": Column("number", "Accuracy of the cascade.", _EVALUATE, _SHARE),
    "retained": Column("number", "Cascade over fallback.", _EVALUATE, "ratio"),
    "loss_pp": Column("number", "Fallback minus cascade.", _EVALUATE, _PP),
    "loss_bound_pp": Column("number", "One-sided 95% upper bound of the loss.", _BOUND, _PP),
    "random_accuracy": Column("number", "Accuracy of escalating as many items at random.", _EVALUATE, _SHARE),
    "optimal_accuracy": Column("number", "Accuracy of escalating as many, chosen by label.", _EVALUATE, _SHARE),
    "gain_captured": Column(
        "number", "(cascade - random)/(optimal - random).", "methods.judging.evaluation:gain_captured", "ratio"
    ),
    "acceptance": Column("number", "Share of items that the judge decides.", _EVALUATE, _SHARE),
    "held_out_auroc": Column("number", "AUROC of q on the held-out items; null with one class.", _AUROC, _SHARE),
    "out__judge_cascade.cost_items": Column(
        "integer", "Held-out items whose usage is recorded on both sides.", _COSTS, "items"
    ),
    "cascade_cost_per_1000": Column("number", "Cost of 1,000 of these by the cascade, as used.", _COSTS, _MONEY),
    "fallback_cost_per_1000": Column("number", "Cost of 1,000 of these by the fallback alone.", _COSTS, _MONEY),
    "cost_ratio": Column("number", "Cascade over fallback alone, as used.", _COSTS, "ratio"),
    "conservative_cost_ratio": Column(
        "number", "The same over all items, missing usage charged at its reserve; null where none is stated.", _COSTS,
        "ratio",
    ),
    "cascade_verdict": Column("text", "pass, fail or inconclusive: whether the loss keeps the tolerance.", _JUDGED),
    "items_to_decide": Column(
        "integer", "How many items like these would be enough to be sure; null where sure, or none would.",
        "methods.judging.rules:items_to_decide", "items",
    ),
    "out__judge_curve.threshold": Column("number", "A threshold of the grid.", _CURVE, _SHARE),
    "transfer": Column("text", "What the threshold is carried to: another fallback or another task type.", _TRANSFER),
    "transferred_to": Column("text", "Which one.", _TRANSFER),
    "is_within_tolerance": Column("boolean", "Whether the loss there is within the tolerance.", _TRANSFER),
    "gold_ties": Column("integer", "Gold labels that are ties.", _LABELS, "items"),
    "double_labelled": Column("integer", "Items that two people labelled on their own.", _LABELS, "items"),
    "label_agreement": Column("number", "Share of these labelled alike.", _AGREEMENT, _SHARE),
    "label_kappa": Column("number", "Cohen's kappa of the two labels.", _AGREEMENT, "-1 to 1"),
    "adjudicated": Column("integer", "Items with a reason of adjudication.", _LABELS, "items"),
    "adjudication_rate": Column("number", "Adjudicated over labelled.", _LABELS, "ratio"),
    "adjudication_reasons": Column("text_list", "The reasons with their number, the most frequent first.", _LABELS),
    "item": Column("text", "Id of the item in the evidence.", "methods.judging.item_facts:read_items"),
    "queue_reason": Column(
        "text", "position_discordant or cannot_judge: why a person should look.",
        "methods.judging.summary:queue_reasons",
    ),
    "prob_a_shown_first": Column("number", "Probability that A is better, A shown first.", _ORDERS, _SHARE),
    "prob_a_shown_second": Column("number", "Probability that A is better, A shown second.", _ORDERS, _SHARE),
}  # fmt: skip

assert set(_STACK_MEANINGS) == set(STACK_FIELDS)
