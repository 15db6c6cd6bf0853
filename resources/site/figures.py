"""Figures with axes and legends, as small inline SVG that follows the page's colours.

Belongs here: the figures of boards, sources and metrics. How one is drawn is `axes`; the column of intervals of a
board, and other drawings made row by row, are `drawing`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from markupsafe import Markup

from resources.site.axes import Axes
from resources.site.rendering import title, words
from resources.site.svg_pieces import FAINT, INK, NO_FILL, STRONG, WEAK
from warehouse.vocabulary import SCORE_STATUSES, TIERS

WIDTH: Final = 7.2
"""Inches; on the page a figure takes the width there is."""


def draw(label: str, height: float, paint: Callable[[Axes], None], width: float = WIDTH) -> Markup:
    """A figure as inline SVG.

    Args:
        label: what it shows, for those who do not see it; the table beside it holds the figures.
        height: inches.
        paint: draws on the axes.
        width: inches.
    """
    axes = Axes(width, height)
    paint(axes)
    return axes.svg(label)


def stacked(
    axes: Axes, labels: Sequence[str], series: Mapping[str, Sequence[int]], colours: Sequence[str], unit: str
) -> None:
    """Paints stacked bars, one row a label, with a legend where there are several series."""
    start = [0] * len(labels)
    for (name, values), colour in zip(series.items(), colours, strict=False):
        for place, (left, value) in enumerate(zip(start, values, strict=True)):
            axes.bar(place, value, left, height=0.62, colour=colour, label=name if place == 0 else "")
        start = [left + value for left, value in zip(start, values, strict=True)]
    axes.rows(labels)
    axes.x_ends(0, max([1, *start]) * 1.02)
    axes.whole_numbers()
    axes.grid(x=True)
    axes.titles(x=unit)
    if len(series) > 1:
        axes.legend(len(series))


def statuses(counts: Mapping[str, Mapping[str, int]]) -> Markup:
    """Models by status in every category."""
    labels = [title(category) for category in counts]
    series: dict[str, list[int]] = {
        status: [counts[category][status] for category in counts] for status in SCORE_STATUSES
    }
    return draw(
        "Bars: models by status in every category; the figures stand in the table beside",
        2.9,
        lambda axes: stacked(axes, labels, series, (STRONG, WEAK, FAINT), "models"),
    )


def tiers(counts: Mapping[str, Mapping[str, int]]) -> Markup:
    """Observations by evidence tier in every category."""
    categories = sorted({category for of in counts.values() for category in of})
    series = {words(tier): [counts[tier].get(category, 0) for category in categories] for tier in TIERS}
    return draw(
        "Bars: observations by evidence tier in every category",
        1.0 + 0.26 * len(categories),
        lambda axes: stacked(axes, [title(c) for c in categories], series, (INK, STRONG, WEAK, FAINT), "observations"),
    )


def fates(rows: Iterable[tuple[str, int, int]]) -> Markup:
    """Rows of every source: those that count for a score, and those that do not."""
    listed = sorted(rows, key=lambda row: (-row[1] - row[2], row[0]))[:40]
    series = {
        "counts as evidence": [counted for _, counted, _ in listed],
        "excluded": [out for _, _, out in listed],
    }
    return draw(
        "Bars: rows of every source that count as evidence, and rows excluded; the figures stand in the table",
        1.0 + 0.24 * len(listed),
        lambda axes: stacked(axes, [name for name, _, _ in listed], series, (STRONG, FAINT), "rows"),
    )


def reasons(counts: Mapping[str, int]) -> Markup:
    """Excluded rows by reason."""
    listed = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    series = {"rows": [n for _, n in listed]}
    return draw(
        "Bars: excluded rows by reason; the figures stand in the table",
        0.8 + 0.25 * len(listed),
        lambda axes: stacked(axes, [name for name, _ in listed], series, (STRONG,), "excluded rows"),
    )


def coverage(category: str, rows: Sequence[Mapping[str, Any]]) -> Markup:
    """Score against effective coverage: how much of a category each score rests on."""

    def paint(axes: Axes) -> None:
        for status, colour, fill in (("estimated", WEAK, NO_FILL), ("rated", STRONG, STRONG)):
            points = [(row["effective_coverage"], row["score"]) for row in rows if row["status"] == status]
            across, up = ([point[side] for point in points] for side in (0, 1))
            axes.plot(across, up, colour=colour, marker="o", size=4.5, fill=fill, edge_width=1.1, label=status)
        axes.x_ends(0, 1)
        axes.titles("effective coverage of the category (0 to 1)", "score")
        axes.grid(x=True, y=True)
        axes.legend(2)

    label = (
        f"Points: score against effective coverage in {words(category)}, one a model; the figures stand in the table"
    )
    return draw(label, 2.9, paint)
