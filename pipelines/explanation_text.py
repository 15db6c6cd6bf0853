"""An explanation as text: the score, its parts, the evidence under each part, and where every row lies."""

from __future__ import annotations

from rich.console import Console

from methods.lineage.explanation import DimensionPart, ExcludedRow, Explanation, OwnEvidence
from pipelines.explanation_parts import print_head, print_line, print_place, print_sum, stated_value
from warehouse.plain_text import counted

SHOWN_EXCLUSIONS = 20


def print_explanation(out: Console, item: Explanation) -> None:
    """Prints an explanation, from the number down to the rows."""
    print_head(out, item, "")
    print_line(out, "")
    print_line(out, f"{item.centre:10.4f}  centre: the run's eligible models")
    for part in item.dimensions:
        print_line(out, f"{part.own_points:+10.4f}  {part.dimension}: own evidence ({_counts(part)})")
        print_line(out, f"{part.cohort_points:+10.4f}  {part.dimension}: whom it was measured against")
    print_sum(out, item)
    _interval(out, item)
    for part in item.dimensions:
        _part(out, part)
    _excluded(out, item)


def _interval(out: Console, item: Explanation) -> None:
    whole = item.sigma**2
    print_line(out, "")
    print_line(out, f"Interval: sigma {item.sigma:.4f}, variance {whole:.4f}, of which")
    for part in item.dimensions:
        print_line(out, f"  {part.variance_share / whole:6.1%}  {part.dimension}")
    if item.missing_dimensions:
        names = ", ".join(f'"{name}"' for name in item.missing_dimensions)
        what = "dimension" if len(item.missing_dimensions) == 1 else "dimensions"
        print_line(out, f"  {item.missing_variance / whole:6.1%}  not measured: {what} {names}")


def _counts(part: DimensionPart) -> str:
    return f"{counted(part.observations, 'result')}, {counted(part.families, 'family')}"


def _part(out: Console, part: DimensionPart) -> None:
    overlap = "overlap-calibrated" if part.is_overlap_calibrated else "not overlap-calibrated"
    print_line(out, "")
    print_line(out, f"{part.dimension}: mu {part.mu:+.4f}, sigma {part.sigma:.4f}, {overlap}", "bold")
    for own in part.own:
        _own(out, own)
    for effect in part.cohort:
        print_line(out, f"  {effect.contribution:+9.4f}  the others on {effect.metric_id}", "dim")


def _own(out: Console, own: OwnEvidence) -> None:
    clamped = " (clamped)" if own.is_clamped else ""
    print_line(
        out,
        f"  {own.contribution:+9.4f}  {own.metric_id}: {stated_value(own.origin)} -> z {own.z:+.3f}{clamped}, "
        f"weight {own.weight:.4f}, precision {own.precision:.3f} ({own.tier}, {own.n_models} models, q {own.q:.2f})",
    )
    print_place(out, own.origin, own.duplicates)


def _excluded(out: Console, item: Explanation) -> None:
    if not item.excluded:
        return
    print_line(out, "")
    print_line(out, f"Left out ({len(item.excluded)}):", "bold")
    for row in item.excluded[:SHOWN_EXCLUSIONS]:
        _excluded_row(out, row)
    if len(item.excluded) > SHOWN_EXCLUSIONS:
        print_line(out, f"  and {len(item.excluded) - SHOWN_EXCLUSIONS} more: --json lists them all")


def _excluded_row(out: Console, row: ExcludedRow) -> None:
    metric = row.metric_id or "no metric"
    print_line(out, f"  {row.reason_code}: {metric}, {row.raw_value} on {row.leaderboard}: {row.detail}")
    print_line(out, f"      snapshot {row.snapshot_sha256} row {row.row_locator}", "dim")
