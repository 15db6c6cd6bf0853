"""An explanation of a linked score as text: the score, its parts by category of evidence, and where every row lies."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from methods.lineage.linked_explanation import LinkedExplanation, LinkedPart, LinkedResult
from warehouse.plain_text import counted, one_line


def print_linked_explanation(out: Console, item: LinkedExplanation) -> None:
    """Prints an explanation, from the number down to the rows."""
    who = f"{item.model_name} ({item.model_id}, {item.developer or 'developer unknown'})"
    _line(out, f"{who} in {item.category}, linked score", "bold")
    _line(
        out,
        f"release {item.release_id} as of {item.as_of}, catalog {item.catalog_version}, "
        f"methodology {item.methodology_version}",
    )
    _line(out, _headline(item), "bold")
    _line(out, _beside(item))
    _line(out, "")
    _line(out, f"{item.centre:10.4f}  centre: the run's models")
    for part in item.parts:
        if part.own:
            _line(out, f"{part.own_points:+10.4f}  {part.source_category}: own evidence ({_counts(part)})")
        _line(out, f"{part.cohort_points:+10.4f}  {part.source_category}: whom it was measured against")
    _line(
        out,
        f"{item.total:10.4f}  sum; unclamped score {item.unclamped:.4f}, difference {item.total - item.unclamped:.1e}",
    )
    _line(out, "")
    _line(out, f"Interval: sigma {item.sigma:.4f}, the offsets' own uncertainty included")
    for part in item.parts:
        _part(out, part)


def _headline(item: LinkedExplanation) -> str:
    if item.score is None:
        return f"— unrated ({item.reason_code}): {'; '.join(item.missing_for_rated)}"
    shown = f"{item.score:.2f}, 80% interval [{item.low80:.2f}, {item.high80:.2f}], {item.status}"
    if item.rank is not None:
        return f"{shown}, rank {item.rank} (the evidence allows {item.rank_low} to {item.rank_high})"
    return f"{shown}; for a rank it lacks {'; '.join(item.missing_for_rated)}"


def _beside(item: LinkedExplanation) -> str:
    if item.board_score is None:
        return f"Beside it the methodology's own score: none, {item.status}"
    return f"Beside it the methodology's own score: {item.board_score:.2f}"


def _counts(part: LinkedPart) -> str:
    return f"{counted(len(part.own), 'result')}, {counted(len({one.family for one in part.own}), 'family')}"


def _part(out: Console, part: LinkedPart) -> None:
    if not part.own:
        return
    _line(out, "")
    _line(out, f"{part.source_category}: own evidence {part.own_points:+.4f}", "bold")
    for own in part.own:
        _own(out, own)


def _own(out: Console, own: LinkedResult) -> None:
    clamped = " (clamped)" if own.is_clamped else ""
    stated = "no value" if own.origin.raw_value is None else f"{own.origin.raw_value:g}"
    _line(
        out,
        f"  {own.contribution:+9.4f}  {own.metric_id}: {stated} {own.origin.unit} -> z {own.z:+.3f}{clamped}, "
        f"weight {own.weight:.4f} ({own.dimension}, {own.tier}, q {own.q:.2f})",
    )
    _line(
        out,
        f"             the metric: slope {own.slope:.3f}, offset {own.offset:+.3f}, noise {own.noise_sd:.3f}, "
        f"cohort at {own.cohort_score:.1f}",
        "dim",
    )
    setting = f", {own.origin.setting}" if own.origin.setting else ""
    _line(
        out,
        f"             {own.origin.model} on {own.origin.leaderboard}, {own.origin.source_type}{setting}",
        "dim",
    )
    if own.origin.source_url:
        _line(out, f"             {own.origin.source_url}", "dim")
    _line(
        out,
        f"             snapshot {own.origin.snapshot_sha256} row {own.origin.row_locator}, entry {own.origin.entry_id}",
        "dim",
    )
    for loser in own.duplicates:
        _line(out, f"             instead of {loser.raw_value} from {loser.leaderboard}: {loser.detail}", "dim")
        _line(out, f"               snapshot {loser.snapshot_sha256} row {loser.row_locator}", "dim")


def _line(out: Console, text: str, style: str = "") -> None:
    out.print(Text(one_line(text), style=style), soft_wrap=True)
