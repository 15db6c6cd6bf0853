"""The figure of a precision audit: what re-computing close calls would touch, and what it could give back at most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from resources.site.axes import Axes
from resources.site.figures import draw
from resources.site.svg_pieces import QUIET, STRONG, WEAK

Row = Mapping[str, Any]


def sweep(rows: Sequence[Row], agreement: float) -> Markup:
    """Exact agreement at most, and share of steps touched, over the threshold of the margin.

    Args:
        rows: of out__manifest_margin, ascending margin.
        agreement: exact agreement as it is.
    """
    margins = [row["margin"] for row in rows]

    def paint(axes: Axes) -> None:
        axes.rule(agreement, colour=QUIET, across=True, dashes=(4, 3), label="agreement as it is")
        limit = [row["agreement_if_recomputed"] for row in rows]
        axes.plot(margins, limit, colour=STRONG, width=1.8, marker="o", size=4, label="agreement at most")
        touched = [row["steps_share"] for row in rows]
        axes.plot(margins, touched, colour=WEAK, width=1.4, marker="s", size=3.5, label="steps re-computed")
        axes.y_ends(-0.02, 1.04)
        axes.x_ends(low=0)
        axes.titles("margin between the two largest logits, up to which steps are re-computed", "share")
        axes.grid(x=True, y=True)
        axes.legend(3)

    return draw("Lines: agreement at most and steps touched over the margin; see the table", 3.0, paint)
