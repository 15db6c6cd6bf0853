"""Figures of shadow and canary evidence: the mean of a stop rule and its always-valid bounds, look by look.

Belongs here: these figures. How a figure becomes inline SVG is `figures`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from resources.site.axes import Axes
from resources.site.figures import draw
from resources.site.rendering import shown
from resources.site.svg_pieces import FAINT, STRONG, WEAK

Row = Mapping[str, Any]


def looks_over_batches(looks: Sequence[Row]) -> Markup:
    """The candidate's mean with its bounds after every batch, against the limit of the rule.

    Args:
        looks: rows of out__canary_look of one rule, by batch; one of them has a mean.
    """
    known = [row for row in looks if row["mean"] is not None]
    batches = [row["batch"] for row in known]

    def paint(axes: Axes) -> None:
        for row in known:
            axes.plot([row["batch"]] * 2, [row["low"], row["high"]], colour=FAINT, width=2.4)
        axes.plot(batches, [row["mean"] for row in known], colour=STRONG, width=1.6, marker="o", size=4)
        axes.rule(looks[-1]["at_most"], colour=WEAK, across=True)
        axes.x_ends(min(batches) - 0.5, max(batches) + 0.5)
        axes.whole_numbers()
        axes.titles("batch", shown(looks[-1]["stop_column"]))
        axes.grid(y=True)

    label = "Points: the candidate's mean with bounds valid at every look, by batch; the figures stand in the table"
    return draw(label, 2.2, paint)
