"""Figures of the proof on withheld results: error by method, coverage by category (METHODS 7b).

Belongs here: these figures. How a figure becomes inline SVG is `figures`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from resources.site.figures import FAINT, LINE, STRONG, WEAK, draw
from resources.site.rendering import title
from warehouse.linked_words import BOARD_METHOD, LINKED_METHOD

Row = Mapping[str, Any]


def errors(rows: Sequence[Row]) -> Markup:
    """Median error of every method on withheld single results, least first; 3.0 and the linked score drawn strong."""
    listed = [row for row in rows if row["median_error_pp"] is not None]

    def paint(axes: Any) -> None:
        for place, row in enumerate(listed):
            colour = STRONG if row["method"] == LINKED_METHOD else WEAK if row["method"] == BOARD_METHOD else FAINT
            axes.barh(place, row["median_error_pp"], color=colour, height=0.62)
        axes.set_yticks(range(len(listed)), [row["method"] for row in listed])
        axes.set_ylim(len(listed) - 0.5, -0.5)
        axes.grid(visible=True, axis="x", color=LINE, linewidth=0.6)
        axes.set_xlabel("median error on withheld results, percentage points")

    label = "Bars: median error on withheld results by method; the figures stand in the table"
    return draw("backtest errors", label, 0.9 + 0.27 * len(listed), paint)


def coverages(rows: Sequence[Row], low: float, high: float) -> Markup:
    """Share of withheld results within 80% intervals by category, 3.0 and linked, and the band both should lie in."""
    categories = list(dict.fromkeys(row["category"] for row in rows))

    def paint(axes: Any) -> None:
        axes.axvspan(100 * low, 100 * high, color=FAINT, alpha=0.35, linewidth=0)
        axes.axvline(80, color=LINE, linewidth=1)
        for method, colour, shift, filled in ((LINKED_METHOD, STRONG, -0.13, True), (BOARD_METHOD, WEAK, 0.13, False)):
            points = [
                (100 * row["cover80"], categories.index(row["category"]) + shift)
                for row in rows
                if row["method"] == method and row["cover80"] is not None
            ]
            across, up = ([point[side] for point in points] for side in (0, 1))
            axes.plot(
                across, up, linestyle="none", marker="o", markersize=5, label=method, markeredgecolor=colour,
                markerfacecolor=colour if filled else "none", markeredgewidth=1.2,
            )  # fmt: skip
        axes.set_yticks(range(len(categories)), [title(one) for one in categories])
        axes.set_ylim(len(categories) - 0.5, -0.5)
        axes.grid(visible=True, axis="y", color=LINE, linewidth=0.6)
        axes.set_xlabel("withheld results within the 80% interval, percent")
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1.0), ncols=2, borderaxespad=0.2, handletextpad=0.2)

    label = "Points: share of withheld results within 80% intervals, by category; the figures stand in the table"
    return draw("backtest coverage", label, 1.1 + 0.29 * len(categories), paint)
