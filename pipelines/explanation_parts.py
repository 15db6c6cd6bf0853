"""What every explanation prints alike, whatever the score: its head, its sum, and where a row lies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.console import Console
from rich.text import Text

from methods.lineage.explanation import ExcludedRow, Explanation, Origin
from methods.lineage.linked_explanation import LinkedExplanation
from resources.table_files import TableError
from warehouse.plain_text import one_line
from warehouse.vocabulary import unit_in_words

TOLERANCE: Final = 1e-9
"""Score points between a score and the sum of its parts (METHODS 7)."""


def print_head(out: Console, item: Explanation | LinkedExplanation, what: str) -> None:
    """Whose score, of which release, and the number; `what` stands behind the category, empty for 3.0's own score."""
    who = f"{item.model_name} ({item.model_id}, {item.developer or 'developer unknown'})"
    print_line(out, f"{who} in {item.category}{what}", "bold")
    print_line(
        out,
        f"release {item.release_id} as of {item.as_of}, catalog {item.catalog_version}, "
        f"methodology {item.methodology_version}",
    )
    print_line(out, _headline(item), "bold")


def check_sum(item: Explanation | LinkedExplanation) -> None:
    """The published score is its parts' sum, clamped to 0 to 100.

    Raises:
        TableError: where it is not: a table of the release was changed after it was made.
    """
    expected = min(max(item.total, 0.0), 100.0)
    off = max(abs(item.total - item.unclamped), 0.0 if item.score is None else abs(item.score - expected))
    if not off <= TOLERANCE:
        shown = item.unclamped if item.score is None else item.score
        raise TableError(
            f"{item.release_id}: publishes {shown:.6f} for {item.model_id} in {item.category}, its parts sum to "
            f"{item.total:.6f}; its tables were changed: see scoretrail verify {item.release_id}"
        )


def print_sum(out: Console, item: Explanation | LinkedExplanation) -> None:
    """The sum of all parts beside the score before clamping, and how a row below becomes points."""
    off = item.total - item.unclamped
    print_line(out, f"{item.total:10.4f}  sum; unclamped score {item.unclamped:.4f}, difference {off:.1e}")
    print_line(out, f"{'':10}  each own row below: points = {item.slope:g} x weight x z", "dim")


def stated_value(origin: Origin) -> str:
    """A result's value as its source states it, with its unit: 86.2 (unit: score, percent)."""
    value = "no value" if origin.raw_value is None else f"{origin.raw_value:g}"
    return f"{value} (unit: {unit_in_words(origin.unit)})"


def print_place(out: Console, origin: Origin, duplicates: Sequence[ExcludedRow]) -> None:
    """Where a result comes from, down to the row of the snapshot, and which rows it won against."""
    setting = f", {origin.setting}" if origin.setting else ""
    print_line(out, f"             {origin.model} on {origin.leaderboard}, {origin.source_type}{setting}", "dim")
    if origin.source_url:
        print_line(out, f"             {origin.source_url}", "dim")
    print_line(
        out, f"             snapshot {origin.snapshot_sha256} row {origin.row_locator}, entry {origin.entry_id}", "dim"
    )
    for loser in duplicates:
        print_line(out, f"             instead of {loser.raw_value} from {loser.leaderboard}: {loser.detail}", "dim")
        print_line(out, f"               snapshot {loser.snapshot_sha256} row {loser.row_locator}", "dim")


def print_line(out: Console, text: str, style: str = "") -> None:
    """One line, whatever stands in the names."""
    out.print(Text(one_line(text), style=style), soft_wrap=True)


def _headline(item: Explanation | LinkedExplanation) -> str:
    lacking = "; ".join(item.missing_for_rated)
    if item.score is None:
        first = "; ".join(item.missing_for_estimated)
        return f"— unrated ({item.reason_code}): for a score it lacks {first}; for a rank {lacking}"
    shown = f"{item.score:.2f}, 80% interval [{item.low80:.2f}, {item.high80:.2f}], {item.status}"
    if item.rank is not None:
        return f"{shown}, rank {item.rank} (the evidence allows {item.rank_low} to {item.rank_high})"
    return f"{shown}; for a rank it lacks {lacking}"
