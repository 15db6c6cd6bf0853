"""An explanation as text: the score, its parts, the evidence under each part, and where every row lies."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from methods.lineage.explanation import DimensionPart, ExcludedRow, Explanation, Origin, OwnEvidence
from warehouse.plain_text import counted, one_line

SHOWN_EXCLUSIONS = 20


def print_explanation(out: Console, item: Explanation) -> None:
    """Prints an explanation, from the number down to the rows."""
    _line(
        out, f"{item.model_name} ({item.model_id}, {item.developer or 'developer unknown'}) in {item.category}", "bold"
    )
    _line(
        out,
        f"release {item.release_id} as of {item.as_of}, catalog {item.catalog_version}, "
        f"methodology {item.methodology_version}",
    )
    _line(out, _headline(item), "bold")
    _line(out, "")
    _line(out, f"{item.centre:10.4f}  centre: the run's eligible models")
    for part in item.dimensions:
        _line(out, f"{part.own_points:+10.4f}  {part.dimension}: own evidence ({_counts(part)})")
        _line(out, f"{part.cohort_points:+10.4f}  {part.dimension}: whom it was measured against")
    _line(
        out,
        f"{item.total:10.4f}  sum; unclamped score {item.unclamped:.4f}, difference {item.total - item.unclamped:.1e}",
    )
    _interval(out, item)
    for part in item.dimensions:
        _part(out, part)
    _excluded(out, item)


def _headline(item: Explanation) -> str:
    if item.score is None:
        return f"— unrated ({item.reason_code}): {'; '.join(item.missing_for_rated)}"
    shown = f"{item.score:.2f}, 80% interval [{item.low80:.2f}, {item.high80:.2f}], {item.status}"
    if item.rank is not None:
        return f"{shown}, rank {item.rank} (the evidence allows {item.rank_low} to {item.rank_high})"
    return f"{shown}; for a rank it lacks {'; '.join(item.missing_for_rated)}"


def _interval(out: Console, item: Explanation) -> None:
    whole = item.sigma**2
    _line(out, "")
    _line(out, f"Interval: sigma {item.sigma:.4f}, variance {whole:.4f}, of which")
    for part in item.dimensions:
        _line(out, f"  {part.variance_share / whole:6.1%}  {part.dimension}")
    if item.missing_dimensions:
        _line(out, f"  {item.missing_variance / whole:6.1%}  not measured: {', '.join(item.missing_dimensions)}")


def _counts(part: DimensionPart) -> str:
    return f"{counted(part.observations, 'result')}, {counted(part.families, 'family')}"


def _part(out: Console, part: DimensionPart) -> None:
    overlap = "overlap-calibrated" if part.is_overlap_calibrated else "not overlap-calibrated"
    _line(out, "")
    _line(out, f"{part.dimension}: mu {part.mu:+.4f}, sigma {part.sigma:.4f}, {overlap}", "bold")
    for own in part.own:
        _own(out, own)
    for effect in part.cohort:
        _line(out, f"  {effect.contribution:+9.4f}  the others on {effect.metric_id}", "dim")


def _own(out: Console, own: OwnEvidence) -> None:
    clamped = " (clamped)" if own.is_clamped else ""
    stated = "no value" if own.origin.raw_value is None else f"{own.origin.raw_value:g}"
    _line(
        out,
        f"  {own.contribution:+9.4f}  {own.metric_id}: {stated} {own.origin.unit} -> z {own.z:+.3f}{clamped}, "
        f"weight {own.weight:.4f}, precision {own.precision:.3f} ({own.tier}, {own.n_models} models, q {own.q:.2f})",
    )
    _where(out, own.origin)
    for loser in own.duplicates:
        _line(out, f"             instead of {loser.raw_value} from {loser.leaderboard}: {loser.detail}", "dim")
        _line(out, f"               snapshot {loser.snapshot_sha256} row {loser.row_locator}", "dim")


def _where(out: Console, origin: Origin) -> None:
    setting = f", {origin.setting}" if origin.setting else ""
    _line(out, f"             {origin.model} on {origin.leaderboard}, {origin.source_type}{setting}", "dim")
    if origin.source_url:
        _line(out, f"             {origin.source_url}", "dim")
    _line(
        out, f"             snapshot {origin.snapshot_sha256} row {origin.row_locator}, entry {origin.entry_id}", "dim"
    )


def _excluded(out: Console, item: Explanation) -> None:
    if not item.excluded:
        return
    _line(out, "")
    _line(out, f"Left out ({len(item.excluded)}):", "bold")
    for row in item.excluded[:SHOWN_EXCLUSIONS]:
        _excluded_row(out, row)
    if len(item.excluded) > SHOWN_EXCLUSIONS:
        _line(out, f"  and {len(item.excluded) - SHOWN_EXCLUSIONS} more: --json lists them all")


def _excluded_row(out: Console, row: ExcludedRow) -> None:
    metric = row.metric_id or "no metric"
    _line(out, f"  {row.reason_code}: {metric}, {row.raw_value} on {row.leaderboard}: {row.detail}")
    _line(out, f"      snapshot {row.snapshot_sha256} row {row.row_locator}", "dim")


def _line(out: Console, text: str, style: str = "") -> None:
    out.print(Text(one_line(text), style=style), soft_wrap=True)
