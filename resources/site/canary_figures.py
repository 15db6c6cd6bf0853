"""Figures of shadow and canary evidence: the mean of a stop rule and its always-valid bounds, look by look.

Belongs here: these figures. How a figure becomes inline SVG is `figures`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from resources.site.figures import FAINT, LINE, STRONG, WEAK, draw
from resources.site.rendering import shown

Row = Mapping[str, Any]
SHOWN_TICKS = 12


def looks_over_batches(study: str, rule: str, looks: Sequence[Row]) -> Markup:
    """The candidate's mean with its bounds after every batch, against the limit of the rule.

    Args:
        study: salt.
        rule: id of the rule.
        looks: rows of out__canary_look of that rule, by batch.
    """

    def paint(axes: Any) -> None:
        known = [row for row in looks if row["mean"] is not None]
        batches = [row["batch"] for row in known]
        axes.fill_between(batches, [row["low"] for row in known], [row["high"] for row in known], color=FAINT,
                          alpha=0.35, linewidth=0)  # fmt: skip
        axes.plot(batches, [row["mean"] for row in known], color=STRONG, marker="o", markersize=4, linewidth=1.6)
        axes.axhline(looks[-1]["at_most"], color=WEAK, linewidth=1.8)
        axes.set_xticks(batches if len(batches) <= SHOWN_TICKS else batches[:: -(-len(batches) // SHOWN_TICKS)])
        axes.set_xlabel("batch")
        axes.set_ylabel(shown(looks[-1]["stop_column"]))
        axes.grid(visible=True, axis="y", color=LINE, linewidth=0.6)

    label = "Line with its band: the candidate's mean and bounds valid at every look; the figures stand in the table"
    return draw(f"looks {study} {rule}", label, 2.2, paint)
