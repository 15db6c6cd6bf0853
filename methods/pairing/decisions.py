"""The append-only table of reviewed decisions, held against the generated candidates (METHODS 5).

Belongs here: what each row of the table is worth now, which decision of a pair holds, and what keeps the table from
equalling the generated set. Does not belong here: reading the file (`resources`), suggesting a decision
(`methods.pairing.suggestions`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from methods.pairing.alignment import Alignment, UnconfirmedAlignmentError, confirm_aligned
from warehouse.catalog_model import Decision
from warehouse.identity import pair_id
from warehouse.pairing_words import DecisionState, PairDecision


@dataclass(frozen=True, slots=True)
class ReviewedDecision:
    """One row of the decision table.

    Attributes:
        position: place in the table, from 1.
        pair_id: the pair it speaks of, whichever entry it names first.
        decision: the row as its reviewer wrote it.
        state: what it is worth now (`warehouse.pairing_words.DECISION_STATES`).
    """

    position: int
    pair_id: str
    decision: Decision
    state: DecisionState


@dataclass(frozen=True, slots=True)
class RefusedDecision:
    """A new row that is not accepted: its place among the new rows, from 0, and why."""

    index: int
    reason: str


@dataclass(frozen=True, slots=True)
class DecisionReview:
    """The decision table against the generated set.

    Attributes:
        rows: every row with its state, in order.
        holds: by pair id, the decision that holds; `unsure` while reviewers disagree; None where none does.
        missing: candidates that no row speaks of.
        orphaned: pairs of rows that no candidate answers to.
        duplicated: pairs with a row that only repeats another.
        disputed: pairs on which two reviewers' latest words differ.
        unconfirmed: pairs called `aligned`, with the fields that stand against it.
    """

    rows: tuple[ReviewedDecision, ...]
    holds: Mapping[str, PairDecision | None]
    missing: tuple[str, ...]
    orphaned: tuple[str, ...]
    duplicated: tuple[str, ...]
    disputed: tuple[str, ...]
    unconfirmed: Mapping[str, tuple[str, ...]]

    @property
    def equals_generated(self) -> bool:
        """Whether the table and the generated set agree pair by pair: none missing, none too many, all settled."""
        return not (self.missing or self.orphaned or self.duplicated or self.disputed or self.unconfirmed)


def read_history(decisions: Sequence[Decision]) -> list[ReviewedDecision]:
    """The rows of the table in order, each with its pair; all are taken to stand until they are reviewed."""
    return [
        ReviewedDecision(position, pair_id(row.entry_id_a, row.entry_id_b), row, "standing")
        for position, row in enumerate(decisions, start=1)
    ]


def review_decisions(decisions: Sequence[Decision], candidates: Mapping[str, Alignment]) -> DecisionReview:
    """Holds the decision table against the generated candidates.

    The table only grows: a reviewer changes a decision by adding a row, and the latest row of each reviewer is that
    reviewer's word. A pair stands where all reviewers' words agree. An `aligned` that cannot be confirmed is no word.

    Args:
        decisions: the table, oldest first.
        candidates: the alignment of every generated pair, by pair id.
    """
    by_pair: dict[str, list[ReviewedDecision]] = defaultdict(list)
    for row in read_history(decisions):
        by_pair[row.pair_id].append(row)
    rows: list[ReviewedDecision] = []
    holds: dict[str, PairDecision | None] = dict.fromkeys(candidates)
    for pair, history in by_pair.items():
        judged = _judged(history, candidates.get(pair))
        rows.extend(judged)
        if pair in candidates:
            holds[pair] = effective_decision(judged)

    def pairs_with(state: DecisionState) -> tuple[str, ...]:
        return tuple(sorted({row.pair_id for row in rows if row.state == state}))

    return DecisionReview(
        rows=tuple(sorted(rows, key=lambda row: row.position)),
        holds=holds,
        missing=tuple(sorted(set(candidates) - set(by_pair))),
        orphaned=pairs_with("orphaned"),
        duplicated=pairs_with("duplicated"),
        disputed=pairs_with("disputed"),
        unconfirmed={pair: candidates[pair].blocking for pair in pairs_with("unconfirmed")},
    )


def effective_decision(history: Sequence[ReviewedDecision]) -> PairDecision | None:
    """The decision of a pair that holds: the standing one; `unsure` (excluded) while disputed; None where none does."""
    states = {row.state: row.decision.decision for row in history}
    return "unsure" if "disputed" in states else states.get("standing")


def refused_decisions(
    new: Sequence[Decision], history: Sequence[Decision], candidates: Mapping[str, Alignment]
) -> list[RefusedDecision]:
    """The rows of an import that may not be added to the table, each with the reason; the others may.

    Refused are: a pair that is no candidate, an `aligned` that cannot be confirmed (its fields named), a row that only
    repeats the same reviewer's latest one, and a row dated before the same reviewer's former row on the pair.
    """
    refused = []
    earlier = read_history(history)
    for index, row in enumerate(new):
        pair = pair_id(row.entry_id_a, row.entry_id_b)
        own = [old.decision for old in earlier if old.pair_id == pair and old.decision.reviewer == row.reviewer]
        reason = _reason_to_refuse(pair, row, own, candidates)
        if reason:
            refused.append(RefusedDecision(index, reason))
        else:
            earlier.append(ReviewedDecision(len(earlier) + 1, pair, row, "standing"))
    return refused


def rewritten_history(before: Sequence[Decision], now: Sequence[Decision]) -> list[int]:
    """Positions, from 1, of rows of an earlier table that a later one no longer holds in place: none may be."""
    kept = [*now, *[None] * len(before)]
    return [position for position, (old, new) in enumerate(zip(before, kept, strict=False), start=1) if old != new]


def _judged(history: Sequence[ReviewedDecision], alignment: Alignment | None) -> list[ReviewedDecision]:
    """The rows of one pair with their states."""
    if alignment is None:
        return [replace(row, state="orphaned") for row in history]
    states: dict[int, DecisionState] = {}
    latest: dict[str, ReviewedDecision] = {}
    for row in history:
        former = latest.get(row.decision.reviewer)
        if former is not None and _says(former.decision) == _says(row.decision):
            states[row.position] = "duplicated"
            continue
        if former is not None:
            states[former.position] = "superseded"
        latest[row.decision.reviewer] = row
    words = [row for row in latest.values() if row.decision.decision != "aligned" or alignment.is_alignable]
    agree = len({row.decision.decision for row in words}) == 1
    for row in latest.values():
        states[row.position] = "unconfirmed" if row not in words else "standing" if agree else "disputed"
    return [replace(row, state=states[row.position]) for row in history]


def _says(row: Decision) -> tuple[object, ...]:
    return row.reviewer, row.decision, row.reason, row.reviewed_at


def _reason_to_refuse(
    pair: str, row: Decision, own: Sequence[Decision], candidates: Mapping[str, Alignment]
) -> str | None:
    if pair not in candidates:
        return f"{pair} is no candidate pair"
    if own and _says(own[-1]) == _says(row):
        return f"{row.reviewer} has said exactly this of {pair} before"
    if own and own[-1].reviewed_at > row.reviewed_at:
        return f"dated {row.reviewed_at}, before {row.reviewer}'s decision of {own[-1].reviewed_at} on {pair}"
    if row.decision == "aligned":
        try:
            confirm_aligned(pair, candidates[pair])
        except UnconfirmedAlignmentError as error:
            return str(error)
    return None
