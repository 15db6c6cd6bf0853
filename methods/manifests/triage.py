"""Triage of two scores that disagree: manifest, then protocol, then judge; it stops at the first that explains it.

Belongs here: the order, what each step compared, found equal and does not know, and the cheapest next measurement
(METHODS 9). What costs minutes and no new run comes first. Does not belong here: the steps of protocol and judge
(`triage_protocol`, `triage_judge`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

import polars as pl

from methods.judging.judgments import Judgments
from methods.manifests.study import StackPair, StackRun, compare_runs
from warehouse.methodology import Methodology
from warehouse.plain_text import counted

StepName = Literal["manifest", "protocol", "judge"]
StepOutcome = Literal["explains", "ruled_out", "unknown", "not_reached"]


@dataclass(frozen=True)
class TriageRun:
    """One of the two: what it brought, each part None where it did not.

    Attributes:
        stack: its name, manifest and outputs.
        losses: tidy losses (`warehouse.protocol_words.LOSS_SCHEMA`).
        judgments: what a judge said.
    """

    stack: StackRun
    losses: pl.DataFrame | None = None
    judgments: Judgments | None = None


@dataclass(frozen=True, slots=True)
class TriageStep:
    """One step.

    Attributes:
        name: which. outcome: whether it explains the disagreement, cannot, or is not known; not_reached where an
            earlier one explains it.
        said: why, in a sentence.
        compared, equal, unknown: what was held against each other, what of it was equal, and what is not known.
        next: the cheapest measurement that would settle this step; None where nothing is left to settle.
    """

    name: StepName
    outcome: StepOutcome
    said: str
    compared: tuple[str, ...] = ()
    equal: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    next: str | None = None


@dataclass(frozen=True, slots=True)
class Triage:
    """The steps in order, and what comes of them."""

    steps: tuple[TriageStep, ...]

    @property
    def explained_by(self) -> TriageStep | None:
        """The first step that explains the disagreement."""
        return next((step for step in self.steps if step.outcome == "explains"), None)

    @property
    def unsettled(self) -> tuple[TriageStep, ...]:
        """Steps before the explaining one, or all, that are not known."""
        return tuple(step for step in self.steps if step.outcome == "unknown")

    @property
    def verdict(self) -> str:
        """What comes of it, in a sentence."""
        step, open_ = self.explained_by, [one.name for one in self.unsettled]
        if step is not None:
            held = f"; {' and '.join(open_)} before it could not be settled" if open_ else ""
            return f"The {step.name} explains it: {step.said}{held}."
        if open_:
            return f"Not explained: {' and '.join(open_)} could not be settled."
        return "None of the three explains it: what is left is the models themselves, and chance."

    @property
    def next(self) -> str | None:
        """The cheapest next measurement: that of the first step that is not settled, else of the explaining one."""
        asked = [step.next for step in self.steps if step.outcome in ("unknown", "explains") and step.next is not None]
        return next(iter(asked), None)


def triage(
    a: TriageRun, b: TriageRun, methodology: Methodology, judge: str | None = None, *, go_on: bool = False
) -> Triage:
    """Why two scores disagree.

    Args:
        a, b: the two runs.
        methodology: constants of all three steps.
        judge: whose judgments to compare, where the runs hold those of several.
        go_on: whether to look at every step, though an earlier one explains it.
    """
    from methods.manifests.triage_judge import judge_step
    from methods.manifests.triage_protocol import protocol_step

    asked: tuple[tuple[StepName, Callable[[], TriageStep]], ...] = (
        ("manifest", lambda: manifest_step(a.stack, b.stack, methodology)),
        ("protocol", lambda: protocol_step(a, b, methodology)),
        ("judge", lambda: judge_step(a, b, methodology, judge)),
    )  # fmt: skip
    return Triage(tuple(_steps(asked, go_on=go_on)))


def _steps(asked: tuple[tuple[StepName, Callable[[], TriageStep]], ...], *, go_on: bool) -> Iterator[TriageStep]:
    explained: StepName | None = None
    for name, look in asked:
        if explained is not None and not go_on:
            yield TriageStep(name, "not_reached", f"not looked at: the {explained} explains it")
            continue
        step = look()
        if step.outcome == "explains" and explained is None:
            explained = name
        yield step


def manifest_step(a: StackRun, b: StackRun, methodology: Methodology) -> TriageStep:
    """The inference stacks: a stated difference explains, unless the outputs are known to be the same.

    Nothing of this needs a new run, which is why it comes first.
    """
    pair = compare_runs(a, b, methodology)
    outcome, said, ask = _stacks(pair)
    compared = [
        f"{counted(len(pair.comparison.fields), 'field')} of the manifests, dtype, batch size and kernels first"
    ]
    if pair.audit.reason is None:
        compared.append(f"the outputs of {counted(pair.audit.prompts, 'prompt')}")
    equal, missing = pair.comparison.having("equal"), pair.comparison.missing
    return TriageStep(
        "manifest", outcome, said, tuple(compared), tuple(one.field for one in equal),
        tuple(one.field for one in missing), ask,
    )  # fmt: skip


def _stacks(pair: StackPair) -> tuple[StepOutcome, str, str | None]:
    """Outcome, why, and the cheapest measurement that would settle it."""
    a, b, found, audit = pair.a, pair.b, pair.comparison, pair.audit
    if audit.reason is None and not audit.diverging:
        rest = audit.only_a + audit.only_b + audit.left_out
        same = f"the outputs of all {audit.prompts:,} common prompts are equal"
        if not rest:
            return "ruled_out", f"{same}, whatever the stacks", None
        ask = "run the prompts that only one run answered in the other"
        return "unknown", f"{same}, and {rest:,} more were not answered by both", ask
    telling = [one for one in found.different if one.part != "beside"]
    diverging = "" if audit.reason is not None else f"; {audit.diverging:,} of {audit.prompts:,} outputs diverge"
    if telling:
        first = telling[0]
        others = len(telling) - 1
        more = f", and {counted(others, 'more field')} {'differs' if others == 1 else 'differ'}" if others else ""
        said = f"{first.field} is {first.a} in {a.id} and {first.b} in {b.id}{more}{diverging}"
        again = "the prompts whose outputs diverge" if audit.diverging else "a few dozen prompts"
        return "explains", said, f"set {first.field} equal, run {again} again, and compare the outputs"
    absent = [run.id for run in (a, b) if run.manifest is None]
    if absent:
        ask = f"write the manifest of {absent[0]}: minutes, and nothing is run again"
        return "unknown", f"{' and '.join(absent)} brought no manifest{diverging}", ask
    missing = [one.field for one in found.missing if one.part != "beside"]
    if missing:
        few = ", ".join(missing[:3]) + (f" and {len(missing) - 3} more" if len(missing) > 3 else "")
        said = f"nothing stated differs, and {few} is not stated on both sides{diverging}"
        return "unknown", said, f"state {few} on both sides: minutes, and nothing is run again"
    beside = [one.field for one in found.fields if one.state != "equal"]
    if beside:
        said = f"the stacks match, but for {', '.join(beside[:3])}, stated beside them{diverging}"
        return "unknown", said, f"set {beside[0]} equal, run a few dozen prompts again, and compare the outputs"
    if audit.diverging:
        said = f"one stack as stated, and {audit.diverging:,} of {audit.prompts:,} outputs diverge all the same"
        return "unknown", said, f"run {a.id} a second time unchanged: its own divergence is the yardstick"
    return "ruled_out", "the whole manifests match", None
