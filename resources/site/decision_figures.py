"""Figures of a release decision: every comparison's one-sided bounds against its margin.

Belongs here: these figures. How a figure becomes inline SVG is `figures`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from resources.site.axes import Axes
from resources.site.figures import draw
from resources.site.rendering import shown
from resources.site.svg_pieces import FAINT, LINE, QUIET, STRONG, WEAK

Row = Mapping[str, Any]
_COLOURS = {"pass": STRONG, "inconclusive": FAINT, "fail": WEAK}


def comparisons(rows: Sequence[Row]) -> Markup:
    """The difference of every comparison with its bounds; a bar across its line is the margin that it must clear.

    Args:
        rows: gates of kinds objective and slice, in points, with an estimate.
    """

    def paint(axes: Axes) -> None:
        ends = [0.0]
        for place, row in enumerate(rows):
            colour = _COLOURS[row["outcome"]]
            known = [row[end] for end in ("low", "high") if row[end] is not None]
            ends += [row["estimate"], row["threshold"], *known]
            if len(known) == 2:
                axes.plot(known, [place, place], colour=colour, width=2.4)
            axes.plot([row["estimate"]], [place], colour=colour, marker="o")
            axes.plot([row["threshold"]] * 2, [place - 0.32, place + 0.32], colour=QUIET, width=1.8)
        axes.rule(0, colour=LINE, across=False)
        labels = [f"{shown(row['gate'])} (n = {row['tasks']:,}): {row['outcome']}" for row in rows]
        axes.rows(labels)
        room = max(0.5, (max(ends) - min(ends)) * 0.08)
        axes.x_ends(min(ends) - room, max(ends) + room)
        axes.grid(x=True)
        axes.titles(x="candidate minus baseline, points")

    label = "Intervals: difference of every comparison against its margin; the figures stand in the table"
    return draw(label, 0.8 + 0.3 * len(rows), paint)
