"""The figure of a precision audit: what re-computing close calls would touch, and what it could give back at most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from resources.site.figures import LINE, QUIET, STRONG, WEAK, draw

Row = Mapping[str, Any]


def sweep(name: str, rows: Sequence[Row], agreement: float) -> Markup:
    """Exact agreement at most, and share of steps touched, over the threshold of the margin.

    Args:
        name: salt, of one pair of runs.
        rows: of out__manifest_margin, ascending margin.
        agreement: exact agreement as it is.
    """
    margins = [row["margin"] for row in rows]

    def paint(axes: Any) -> None:
        axes.axhline(agreement, color=QUIET, linewidth=1, linestyle=(0, (4, 3)), label="agreement as it is")
        limit = [row["agreement_if_recomputed"] for row in rows]
        axes.plot(margins, limit, color=STRONG, linewidth=1.8, marker="o", markersize=4, label="agreement at most")
        touched = [row["steps_share"] for row in rows]
        axes.plot(margins, touched, color=WEAK, linewidth=1.4, marker="s", markersize=3.5, label="steps re-computed")
        axes.set_ylim(-0.02, 1.04)
        axes.set_xlim(left=0)
        axes.set_xlabel("margin between the two largest logits, up to which steps are re-computed")
        axes.set_ylabel("share")
        axes.grid(visible=True, color=LINE, linewidth=0.6)
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1.0), ncols=3, borderaxespad=0.2, handletextpad=0.4)

    return draw(
        f"sweep {name}", "Lines: agreement at most and steps touched over the margin; see the table", 3.0, paint
    )
