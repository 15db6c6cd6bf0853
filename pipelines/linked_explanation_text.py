"""An explanation of a linked score as text: the score, its parts by category of evidence, and where every row lies."""

from __future__ import annotations

from rich.console import Console

from methods.lineage.linked_explanation import LinkedExplanation, LinkedPart, LinkedResult
from pipelines.explanation_parts import print_head, print_line, print_place, print_sum, stated_value
from warehouse.plain_text import counted


def print_linked_explanation(out: Console, item: LinkedExplanation) -> None:
    """Prints an explanation, from the number down to the rows."""
    print_head(out, item, ", linked score")
    print_line(out, _beside(item))
    print_line(out, "")
    print_line(out, f"{item.centre:10.4f}  centre: the run's models")
    for part in item.parts:
        if part.own:
            print_line(out, f"{part.own_points:+10.4f}  {part.source_category}: own evidence ({_counts(part)})")
        print_line(out, f"{part.cohort_points:+10.4f}  {part.source_category}: whom it was measured against")
    print_sum(out, item)
    print_line(out, "")
    print_line(out, f"Interval: sigma {item.sigma:.4f}, the offsets' own uncertainty included")
    for part in item.parts:
        _part(out, part)


def _beside(item: LinkedExplanation) -> str:
    if item.board_score is None:
        return f"Beside it the methodology's own score: none, {item.status}"
    return f"Beside it the methodology's own score: {item.board_score:.2f}"


def _counts(part: LinkedPart) -> str:
    return f"{counted(len(part.own), 'result')}, {counted(len({one.family for one in part.own}), 'family')}"


def _part(out: Console, part: LinkedPart) -> None:
    if not part.own:
        return
    print_line(out, "")
    print_line(out, f"{part.source_category}: own evidence {part.own_points:+.4f}", "bold")
    for own in part.own:
        _own(out, own)


def _own(out: Console, own: LinkedResult) -> None:
    clamped = " (clamped)" if own.is_clamped else ""
    print_line(
        out,
        f"  {own.contribution:+9.4f}  {own.metric_id}: {stated_value(own.origin)} -> z {own.z:+.3f}{clamped}, "
        f"weight {own.weight:.4f} ({own.dimension}, {own.tier}, q {own.q:.2f})",
    )
    print_line(
        out,
        f"             the metric: slope {own.slope:.3f}, offset {own.offset:+.3f}, noise {own.noise_sd:.3f}, "
        f"cohort at {own.cohort_score:.1f}",
        "dim",
    )
    print_place(out, own.origin, own.duplicates)
