"""One plain sentence about a score's change: how far, and which part did most of it (METHODS 7, "Exact change").

Belongs here: words. Every figure in them stands in the `ScoreChange`.
"""

from __future__ import annotations

from collections.abc import Iterator

from methods.lineage.score_change import ChangeParts, OwnRowChange, ScoreChange, ScoreSide

TOLD_SHARE = 0.1
"""A part is told if it moves at least this share of the largest one."""
NO_NEWS = "no new evidence of its own, the score moved"


def sentence(score: ScoreChange) -> str:
    """The change in plain words, without a full stop at its end.

    A score without own rows that differ says so: the others, the rules or the catalog moved it.
    """
    former, latter = score.former, score.latter
    name = score.model_name
    if former is None and latter is not None:
        return f"{name} appeared: {_standing(latter)}"
    if latter is None and former is not None:
        return f"{name} disappeared; it was {_standing(former)}"
    if former is None or latter is None:
        return f"{name} is in neither release"
    if score.change is None or score.parts is None:
        if former.status == latter.status:
            return f"{name} stays {_standing(latter)}"
        return f"{name} went from {_standing(former)} to {_standing(latter)}"
    return f"{name} {_moved(score.change, former, latter)}{_why(score, score.parts)}{_places(former, latter)}"


def _moved(change: float, former: ScoreSide, latter: ScoreSide) -> str:
    if change == 0.0:
        return f"stays at {latter.unclamped:.2f}"
    verb = "rose" if change > 0 else "fell"
    return f"{verb} {_points(abs(change))} points, {former.unclamped:.2f} to {latter.unclamped:.2f}"


def _why(score: ScoreChange, parts: ChangeParts) -> str:
    if score.change == 0.0 and not score.own_rows:
        return ""
    phrases = list(_phrases(score, parts))
    return f": {'; '.join(phrases)}" if phrases else ""


def _phrases(score: ScoreChange, parts: ChangeParts) -> Iterator[str]:
    if not score.own_rows and score.change != 0.0:
        yield NO_NEWS
    figures = parts.by_name()
    largest = max(abs(figure) for figure in figures.values())
    words = {
        "program": "another version of the program",
        "methodology": "the new methodology",
        "catalog": "the new catalog or its corrections",
        "removed": _rows(score.own_rows, "removed"),
        "changed": _rows(score.own_rows, "changed"),
        "added": _rows(score.own_rows, "added"),
        "cohort": _cohort(score),
    }
    for name in sorted(figures, key=lambda name: -abs(figures[name])):
        if figures[name] != 0.0 and abs(figures[name]) >= TOLD_SHARE * largest:
            yield f"{words[name]} {_signed(figures[name])}"
    if score.own_rows and not any(figures[name] for name in ("removed", "changed", "added")):
        yield "its own rows differ without moving it"


def _rows(own: tuple[OwnRowChange, ...], step: str) -> str:
    mine = sorted((row for row in own if row.step == step), key=lambda row: (-abs(row.points), row.metric_id))
    if not mine:
        return f"own results {step}"
    first = mine[0]
    shown = first.metric_id
    if first.former is not None and first.latter is not None:
        shown += f" {_value(first.former.value)} -> {_value(first.latter.value)}"
        if first.former.leaderboard != first.latter.leaderboard:
            shown += f" (now read from {first.latter.leaderboard})"
    more = f" and {len(mine) - 1} more" if len(mine) > 1 else ""
    label = {"removed": "own results gone", "changed": "own results changed", "added": "own new results"}[step]
    return f"{label} ({shown}{more})"


def _cohort(score: ScoreChange) -> str:
    words = "the models it is measured against"
    if not score.cohort_moves:
        return words
    first = score.cohort_moves[0]
    counts = [
        f"{count} {what}"
        for count, what in ((first.joined, "joined"), (first.left, "left"), (first.changed, "changed"))
        if count
    ]
    told = f": {', '.join(counts)}" if counts else ""
    return f"{words} (most on {first.metric_id}{told})"


def _places(former: ScoreSide, latter: ScoreSide) -> str:
    if former.status != latter.status:
        return f"; {former.status} before, {latter.status} now"
    if former.rank is not None and latter.rank is not None and former.rank != latter.rank:
        return f"; rank {former.rank} -> {latter.rank} (range {latter.rank_low} to {latter.rank_high})"
    return ""


def _standing(side: ScoreSide) -> str:
    if side.score is None:
        return f"unrated ({side.reason_code})"
    rank = "" if side.rank is None else f", rank {side.rank} (range {side.rank_low} to {side.rank_high})"
    return f"{side.status} at {side.score:.2f} [{side.low80:.2f}, {side.high80:.2f}]{rank}"


def _points(value: float) -> str:
    return f"{value:.2f}" if value >= 0.005 else f"{value:.1e}"


def _signed(value: float) -> str:
    return f"{'+' if value > 0 else '-'}{_points(abs(value))}"


def _value(value: float) -> str:
    return f"{value:g}"
