"""A comparison of two releases as text: the basis first, then inputs, boards, and single scores taken apart."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from methods.lineage.input_changes import BoardInput
from methods.lineage.release_basis import ReleaseFacts
from methods.lineage.release_diff import BoardChange, ReleaseDiff
from methods.lineage.score_change import OwnRowChange, RowSide, ScoreChange, ScoreSide

SHOWN_VALUES = 5
SHOWN_NAMES = 12
PART_WORDS = {
    "program": "another version of the program",
    "methodology": "1 former rows under the new methodology",
    "catalog": "2 under the new catalog and corrections",
    "removed": "3 own rows removed, cohort held",
    "changed": "4 own rows changed, cohort held",
    "added": "5 own rows added, cohort held",
    "cohort": "6 all the rest: whom it is measured against",
}


def print_diff(out: Console, diff: ReleaseDiff) -> None:
    """Prints a whole comparison."""
    print_basis(out, diff.former, diff.latter, diff.warnings)
    _inputs(out, diff.inputs)
    for board in diff.boards:
        _board(out, board)


def print_basis(out: Console, former: ReleaseFacts, latter: ReleaseFacts, warnings: Sequence[str]) -> None:
    """Prints what both releases are to be quoted with, and what forbids taking one from the other."""
    for name, facts in (("former", former), ("latter", latter)):
        made = "" if facts.created_at is None else f", made {facts.created_at:%Y-%m-%d %H:%M}Z"
        _line(
            out,
            f"{name}  {facts.release_id} as of {facts.as_of}{made}, {facts.status}; catalog {facts.catalog_version} "
            f"({facts.catalog_sha256[:12]}), methodology {facts.methodology_version}, code {facts.code_version[:12]}",
        )
    for warning in warnings:
        _line(out, f"warning {warning}", "yellow")


def print_score(
    out: Console, former: ReleaseFacts, latter: ReleaseFacts, warnings: Sequence[str], score: ScoreChange
) -> None:
    """Prints one score's change, part by part, with the rows behind it."""
    print_basis(out, former, latter, warnings)
    _line(out, "")
    _line(out, f"{score.model_name} ({score.model_id}) in {score.category}", "bold")
    for name, side in (("former", score.former), ("latter", score.latter)):
        _line(out, f"  {name}  {_side(side)}")
    _line(out, f"  {score.sentence}.")
    _line(out, "")
    if score.parts is not None and score.former is not None and score.latter is not None:
        _line(out, f"{score.former.unclamped:12.6f}  former, unclamped")
        for name, points in score.parts.by_name().items():
            if points or name != "program":
                _line(out, f"{points:+12.6f}  {PART_WORDS[name]}")
        gap = score.former.unclamped + score.parts.total - score.latter.unclamped
        _line(out, f"{score.latter.unclamped:12.6f}  latter, unclamped; the parts miss it by {abs(gap):.1e}")
    else:
        _line(out, "No parts: a change is taken apart only where both releases publish a score.")
    for row in score.own_rows:
        _own_row(out, row)
    for move in score.cohort_moves:
        _line(
            out,
            f"  {move.points:+9.4f}  cohort of {move.metric_id}: {move.joined} others joined, {move.left} left, "
            f"{move.changed} changed",
            "dim",
        )


def _inputs(out: Console, inputs: Sequence[BoardInput]) -> None:
    moved = [board for board in inputs if not board.is_same]
    _line(out, "")
    _line(out, f"Inputs: {len(inputs) - len(moved)} of {len(inputs)} leaderboards are the same", "bold")
    for board in moved:
        _line(
            out,
            f"  {board.leaderboard}: {board.former_rows} -> {board.latter_rows} results; {board.added} added, "
            f"{board.removed} removed, {len(board.changed)} changed",
        )
        for item in board.changed[:SHOWN_VALUES]:
            _line(
                out,
                f"      {item.model} on {item.benchmark} {item.metric}: {_number(item.former_value)} {item.former_unit}"
                f" -> {_number(item.latter_value)} {item.latter_unit} (entry {item.entry_id})",
                "dim",
            )
        if len(board.changed) > SHOWN_VALUES:
            _line(out, f"      and {len(board.changed) - SHOWN_VALUES} more: --json lists them all", "dim")


def _board(out: Console, board: BoardChange) -> None:
    _line(out, "")
    _line(out, f"{board.category}: {_tally(board.former_counts)} -> {_tally(board.latter_counts)}", "bold")
    for score in board.movements:
        _line(out, f"  {score.change or 0.0:+8.3f}  {score.sentence}.")
    if not board.movements:
        _line(out, f"  no published score moved ({board.unchanged} are equal to the last bit)")
    groups = (
        ("status changed", board.statuses),
        ("appeared", board.appeared),
        ("disappeared", board.disappeared),
    )
    for heading, scores in groups:
        for score in scores[:SHOWN_NAMES]:
            _line(out, f"  {heading}: {score.sentence}.")
        if len(scores) > SHOWN_NAMES:
            _line(out, f"  {heading}: and {len(scores) - SHOWN_NAMES} more: --json lists them all")
    if board.ranks:
        shown = [
            f"{score.model_name} {score.former.rank} -> {score.latter.rank}"
            for score in board.ranks[:SHOWN_NAMES]
            if score.former is not None and score.latter is not None
        ]
        more = f" and {len(board.ranks) - SHOWN_NAMES} more" if len(board.ranks) > SHOWN_NAMES else ""
        _line(out, f"  ranks: {', '.join(shown)}{more}")


def _own_row(out: Console, row: OwnRowChange) -> None:
    _line(out, f"  {row.points:+9.4f}  own row {row.step}: {row.metric_id} ({row.dimension})")
    for name, side in (("former", row.former), ("latter", row.latter)):
        if side is not None:
            _line(out, f"             {name} {_row(side)}", "dim")


def _row(side: RowSide) -> str:
    error = "" if side.stderr is None else f" +/- {side.stderr:g}"
    return (
        f"{side.value:g} {side.unit}{error} ({side.tier}) on {side.leaderboard}: snapshot {side.snapshot_sha256} "
        f"row {side.row_locator}, entry {side.entry_id}"
    )


def _side(side: ScoreSide | None) -> str:
    if side is None:
        return "not there"
    counts = f"{side.rows} rows, {side.observed_dimensions} dimensions, {side.families} families"
    if side.score is None:
        return f"— unrated ({side.reason_code}); {counts}"
    rank = "" if side.rank is None else f", rank {side.rank} (range {side.rank_low} to {side.rank_high})"
    return f"{side.score:.2f} [{side.low80:.2f}, {side.high80:.2f}], {side.status}{rank}; {counts}"


def _tally(counts: dict[str, int]) -> str:
    return ", ".join(f"{count} {status}" for status, count in counts.items()) or "nobody"


def _number(value: float | None) -> str:
    return "no number" if value is None else f"{value:g}"


def _line(out: Console, text: str, style: str = "") -> None:
    out.print(Text(text, style=style), soft_wrap=True)
