"""The third step of triage: did two judges decide, and do the errors lie where the judge is unsure?

Belongs here: keys, the verdicts on common items, and where errors lie. What a judge is worth is `methods.judging`.
Errors where confidence is low ask for another threshold; errors elsewhere say that a cascade is open where it does not
work.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from methods.judging.auroc import auroc
from methods.judging.judgments import Judgments
from methods.judging.orders import Flags
from methods.judging.records import Gold, JudgeRecord, gold_of, record_of
from methods.manifests.triage import TriageRun, TriageStep
from warehouse.judge_words import STACK_FIELDS
from warehouse.methodology import Methodology
from warehouse.plain_text import counted

_MEASURE = "judgments of both runs' items in both orders, as scoretrail judge reads them"


@dataclass(frozen=True)
class _Judged:
    """One run's judge on the common items, in their order."""

    run: str
    judge: str
    record: JudgeRecord
    gold: Gold
    places: dict[str, int]


def judge_step(a: TriageRun, b: TriageRun, methodology: Methodology, judge: str | None) -> TriageStep:
    """Two keys explain; one key explains where its errors can be seen on items that it decided differently."""
    absent = [run.stack.id for run in (a, b) if run.judgments is None]
    if a.judgments is None or b.judgments is None:
        said = f"{' and '.join(absent)} brought no judgments"
        return TriageStep("judge", "unknown", said, next=f"bring {_MEASURE}, or say that no judge was used")
    names = _names(a.judgments, b.judgments, judge)
    if names is None:
        said = "the runs hold the judgments of several judges, and none is named"
        return TriageStep("judge", "unknown", said, next="name the one that made the scores with --judge")
    first, second = (run.judgments.stack(name) for run, name in zip((a, b), names, strict=True) if run.judgments)
    stated = [name for name in STACK_FIELDS if first.fields.get(name) and second.fields.get(name)]
    unlike = [name for name in stated if first.fields[name] != second.fields[name]]
    equal = tuple(name for name in stated if name not in unlike)
    unknown = tuple(f"{name} of the judge's key" for name in STACK_FIELDS if name not in stated)
    compared = (f"the keys of {names[0]} and {names[1]}",)
    if unlike:
        field = unlike[0]
        said = (
            f"two judges: {field} is {first.fields[field]} in {a.stack.id} and {second.fields[field]} in {b.stack.id}"
        )
        return TriageStep("judge", "explains", said, compared, equal, unknown,
                          "judge both runs with one key: results under two are never put together")  # fmt: skip
    one = _judged(a, names[0])
    other = _judged(b, names[1])
    return _verdicts(one, other, (compared, equal, unknown), methodology)


def _names(a: Judgments, b: Judgments, judge: str | None) -> tuple[str, str] | None:
    """Which judge of each run is meant; None where that is not clear (JudgmentsError for one that is not there)."""
    if judge is not None:
        a.stack(judge), b.stack(judge)
        return judge, judge
    if len(a.judges) == len(b.judges) == 1:
        return a.judges[0], b.judges[0]
    common = sorted(set(a.judges) & set(b.judges))
    return (common[0], common[0]) if len(common) == 1 else None


def _judged(run: TriageRun, judge: str) -> _Judged:
    assert run.judgments is not None
    items = run.judgments.items
    gold = gold_of(items)
    places = {name: place for place, name in enumerate(items["item"].to_list())}
    return _Judged(run.stack.id, judge, record_of(run.judgments, judge, gold), gold, places)


def _verdicts(a: _Judged, b: _Judged, parts: tuple[tuple[str, ...], ...], methodology: Methodology) -> TriageStep:
    compared, equal, unknown = parts
    common = sorted(set(a.places) & set(b.places))
    at_a, at_b = (np.array([one.places[name] for name in common], dtype=np.int64) for one in (a, b))
    both = a.record.decided.valid[at_a] & b.record.decided.valid[at_b]
    at_a, at_b = at_a[both], at_b[both]
    n = len(at_a)
    if not n:
        said = "the runs have no item in common that the judge decided in both"
        return TriageStep("judge", "unknown", said, compared, equal, unknown, "judge the same items in both runs")
    disputed = a.record.decided.sides[at_a] != b.record.decided.sides[at_b]
    compared = (*compared, f"verdicts on {counted(n, 'common item')}, {int(disputed.sum()):,} of them disputed")
    if not disputed.any():
        said = f"the judge decides all {n:,} common items alike in both runs"
        return TriageStep("judge", "ruled_out", said, compared, equal, unknown)
    agreed = a.gold.known[at_a] & b.gold.known[at_b] & (a.gold.sides[at_a] == b.gold.sides[at_b])
    labelled = int((disputed & agreed).sum())
    if not labelled:
        said = f"{counted(int(disputed.sum()), 'common item')} are decided differently, and none has a gold label"
        ask = f"have the {int(disputed.sum()):,} disputed items labelled by two people, blind and in random order"
        return TriageStep("judge", "unknown", said, compared, equal, (*unknown, "who is right on disputed items"), ask)
    return _errors(a, b, labelled, int(disputed.sum()), (compared, equal, unknown), methodology)


def _errors(
    a: _Judged, b: _Judged, labelled: int, disputed: int, parts: tuple[tuple[str, ...], ...], methodology: Methodology
) -> TriageStep:
    """Where the judge's errors lie in both runs: AUROC of q for a right verdict, over everything labelled."""
    compared, equal, unknown = parts
    least = methodology.judging.auroc_least
    found = [(one.run, *_ordering(one)) for one in (a, b)]
    compared = (*compared, *(
        f"{run}: {errors:,} errors on {counted(n, 'labelled item')}, "
        + ("AUROC of q not defined" if area is None else f"AUROC of q {area:.3f}")
        for run, area, errors, n in found
    ))  # fmt: skip
    areas = [area for _, area, _, _ in found if area is not None]
    told = f"{disputed:,} common items are decided differently, {labelled:,} of them with a gold label"
    if not areas:
        said = f"{told}; the judge is never wrong, or never right, so where errors lie cannot be seen"
        ask = "have more items labelled until the judge is both right and wrong among them"
        return TriageStep("judge", "unknown", said, compared, equal, (*unknown, "where errors lie"), ask)
    if min(areas) < least:
        said = f"{told}; q does not order the errors (AUROC {min(areas):.3f}, limit {least:g})"
        ask = "close the cascade: it is open where it does not work, and no threshold mends that"
        return TriageStep("judge", "explains", said, compared, equal, unknown, ask)
    said = f"{told}; the errors lie where q is low (AUROC {min(areas):.3f} or more)"
    ask = "fit the threshold again, for this fallback and task type, on items it was not chosen on"
    return TriageStep("judge", "explains", said, compared, equal, unknown, ask)


def _ordering(one: _Judged) -> tuple[float | None, int, int]:
    """AUROC of q, errors, and labelled items of a judge; ties of correctness stay out of the first."""
    record, gold = one.record, one.gold
    scored: Flags = record.asked & record.decided.valid & gold.known
    ordered = scored & (record.credit != 1)
    area = auroc(record.decided.q[ordered], record.credit[ordered] == 2)
    return area, int((record.credit[scored] == 0).sum()), int(scored.sum())
