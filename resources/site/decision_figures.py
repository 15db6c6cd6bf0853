"""Figures of a release decision: every comparison's one-sided bounds against its margin.

Belongs here: these figures. How a figure becomes inline SVG is `figures`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from resources.site.figures import FAINT, LINE, QUIET, STRONG, WEAK, draw
from resources.site.rendering import shown

Row = Mapping[str, Any]
_COLOURS = {"pass": STRONG, "inconclusive": FAINT, "fail": WEAK}


def comparisons(name: str, rows: Sequence[Row]) -> Markup:
    """The difference of every comparison with its bounds; a bar across its line is the margin that it must clear.

    Args:
        name: salt.
        rows: gates of kinds objective and slice, in points, with an estimate.
    """

    def paint(axes: Any) -> None:
        ends = [0.0]
        for place, row in enumerate(rows):
            colour = _COLOURS[row["outcome"]]
            known = [row[end] for end in ("low", "high") if row[end] is not None]
            ends += [row["estimate"], row["threshold"], *known]
            if len(known) == 2:
                axes.plot(known, [place, place], color=colour, linewidth=2.4, solid_capstyle="butt")
            axes.plot([row["estimate"]], [place], linestyle="none", marker="o", color=colour, markersize=5)
            axes.plot([row["threshold"]] * 2, [place - 0.32, place + 0.32], color=QUIET, linewidth=1.8)
        axes.axvline(0, color=LINE, linewidth=1)
        labels = [f"{shown(row['gate'])} (n = {row['tasks']:,}): {row['outcome']}" for row in rows]
        axes.set_yticks(range(len(rows)), labels)
        axes.set_ylim(len(rows) - 0.5, -0.5)
        room = max(0.5, (max(ends) - min(ends)) * 0.08)
        axes.set_xlim(min(ends) - room, max(ends) + room)
        axes.grid(visible=True, axis="x", color=LINE, linewidth=0.6)
        axes.set_xlabel("candidate minus baseline, points")

    label = "Intervals: difference of every comparison against its margin; the figures stand in the table"
    return draw(f"comparisons {name}", label, 0.8 + 0.3 * len(rows), paint)
