"""The words of judgments: sides, how a call ended, what a judge's key holds, why no cascade opens (METHODS 10).

Belongs here: closed sets of words that reader, methods, checks and pages share. Does not belong here: column names of
tables (`warehouse.tables_judging`), anything computed.
"""

from __future__ import annotations

from typing import Final, Literal, get_args

Side = Literal["A", "B", "tie"]
SIDES: Final[tuple[Side, ...]] = get_args(Side)
"""What a verdict or a gold label names: one of the two answers, or neither."""
PLACES: Final[tuple[str, ...]] = ("first", "second")
"""A verdict may also name the place in which the answer was shown."""

CallState = Literal["ok", "cannot_judge", "parse_failure", "refusal", "errored", "missing", "not_run"]
CALL_STATES: Final[tuple[CallState, ...]] = get_args(CallState)
"""How the call of a judge in one order ended; all but `ok` are invalid, and none of them is a tie:

ok: a probability or a verdict;
cannot_judge: the judge said that it cannot tell;
parse_failure: an answer that the parser, or the closed set of labels, does not know;
refusal: the judge declined;
errored: no answer came, by the serving stack's fault;
missing: nothing was recorded;
not_run: the order was not asked.
"""

Split = Literal["selection", "held_out"]
SPLITS: Final[tuple[Split, ...]] = get_args(Split)
"""Items that a threshold is chosen on, and items that it is judged on."""

STACK_FIELDS: Final[tuple[str, ...]] = (
    "model", "model_version", "system_prompt", "rubric", "reference", "temperature", "max_length", "parser", "retries",
)  # fmt: skip
"""What makes a judge's key: the model and version as returned, and everything else of its stack."""

Rule = Literal["bound", "point"]
RULES: Final[tuple[Rule, ...]] = get_args(Rule)
"""bound: one is sure that the cascade stays within the tolerance; point: it did on the selection set."""

OpenState = Literal["open", "no_items", "auroc_undefined", "auroc_below_limit", "none_qualifies"]
OPEN_STATES: Final[tuple[OpenState, ...]] = get_args(OpenState)
"""Whether a cascade opens, or the first reason why everything is escalated:

no_items: no item with a gold label, and a decision of the fallback, to choose a threshold on;
auroc_undefined: the judge was never wrong there, or never right: q cannot be seen to order errors;
auroc_below_limit: q does not order errors well enough;
none_qualifies: no threshold of the grid keeps the tolerance.
"""

CascadeVerdict = Literal["pass", "fail", "inconclusive"]
CASCADE_VERDICTS: Final[tuple[CascadeVerdict, ...]] = get_args(CascadeVerdict)

QueueReason = Literal["position_discordant", "cannot_judge"]
QUEUE_REASONS: Final[tuple[QueueReason, ...]] = get_args(QueueReason)
"""Why a person should look: the two orders decide differently, or the judge says that it cannot tell."""

TransferKind = Literal["fallback", "task_type"]
TRANSFER_KINDS: Final[tuple[TransferKind, ...]] = get_args(TransferKind)

ALL_SLICE: Final = "all"
"""The slice that holds everything, and its only value."""
TASK_SLICE: Final = "task_type"
UNSTATED: Final = "not stated"
"""Shown for a task type or another slice of an item that states none."""
NO_FALLBACK: Final = "none"
"""Shown in place of a fallback where none is named."""
