"""Figures of the proof on withheld results: error by method, coverage by category (METHODS 7b).

Belongs here: these figures. How a figure becomes inline SVG is `figures`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from resources.site.axes import Axes
from resources.site.figures import draw
from resources.site.rendering import title
from resources.site.svg_pieces import FAINT, LINE, NO_FILL, STRONG, WEAK
from warehouse.linked_words import BOARD_METHOD, LINKED_METHOD

Row = Mapping[str, Any]


def errors(rows: Sequence[Row]) -> Markup:
    """Median error of every method on withheld single results, least first; 3.0 and the linked score drawn strong."""
    listed = [row for row in rows if row["median_error_pp"] is not None]

    def paint(axes: Axes) -> None:
        for place, row in enumerate(listed):
            colour = STRONG if row["method"] == LINKED_METHOD else WEAK if row["method"] == BOARD_METHOD else FAINT
            axes.bar(place, row["median_error_pp"], colour=colour, height=0.62)
        axes.rows([row["method"] for row in listed])
        axes.grid(x=True)
        axes.titles(x="median error on withheld results, percentage points")

    label = "Bars: median error on withheld results by method; the figures stand in the table"
    return draw(label, 0.9 + 0.27 * len(listed), paint)


def coverages(rows: Sequence[Row], low: float, high: float) -> Markup:
    """Share of withheld results within 80% intervals by category, 3.0 and linked, and the band both should lie in."""
    categories = list(dict.fromkeys(row["category"] for row in rows))

    def paint(axes: Axes) -> None:
        axes.band(100 * low, 100 * high, colour=FAINT, alpha=0.35)
        axes.rule(80, colour=LINE, across=False)
        shown = ((LINKED_METHOD, STRONG, -0.13, STRONG), (BOARD_METHOD, WEAK, 0.13, NO_FILL))
        for method, colour, shift, fill in shown:
            points = [
                (100 * row["cover80"], categories.index(row["category"]) + shift)
                for row in rows
                if row["method"] == method and row["cover80"] is not None
            ]
            across, up = ([point[side] for point in points] for side in (0, 1))
            axes.plot(across, up, colour=colour, marker="o", fill=fill, edge_width=1.2, label=method)
        axes.rows([title(one) for one in categories])
        axes.grid(y=True)
        axes.titles(x="withheld results within the 80% interval, percent")
        axes.legend(2)

    label = "Points: share of withheld results within 80% intervals, by category; the figures stand in the table"
    return draw(label, 1.1 + 0.29 * len(categories), paint)
