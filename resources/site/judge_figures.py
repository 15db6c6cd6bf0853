"""Figures of judges: accuracy against confidence, and what a cascade would keep for what it costs.

Belongs here: these figures. How a figure becomes inline SVG is `figures`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from resources.site.axes import Axes
from resources.site.figures import draw
from resources.site.rendering import shown
from resources.site.svg_pieces import FAINT, INK, NO_FILL, QUIET, STRONG, WEAK

Row = Mapping[str, Any]
_LARGEST = 13.0
_SMALLEST = 3.5


def reliability(rows: Sequence[Row], fallback: str | None) -> Markup:
    """The reliability diagram of a judge: accuracy of each bin over its mean confidence, with its 95% interval.

    Args:
        rows: its bins, ascending.
        fallback: name of the fallback; None where there is none.
    """
    full = [row for row in rows if row["n"]]
    most = max((row["n"] for row in full), default=1)

    def paint(axes: Axes) -> None:
        axes.plot([0.5, 1], [0.5, 1], colour=QUIET, width=1, dashes=(4, 3), label="as right as it is sure")
        for row in full:
            ends = [row["accuracy_low"], row["accuracy_high"]]
            axes.plot([row["mean_q"]] * 2, ends, colour=STRONG, width=1.6)
        beside = [row for row in full if row["fallback_n"]]
        if fallback is not None and beside:
            axes.plot(
                [row["mean_q"] for row in beside], [row["fallback_accuracy"] for row in beside], colour=WEAK,
                width=1.2, marker="s", size=4, fill=NO_FILL, label=shown(f"{fallback} there") or "",
            )  # fmt: skip
        for place, row in enumerate(full):
            size = _SMALLEST + (_LARGEST - _SMALLEST) * (row["n"] / most) ** 0.5
            axes.plot(
                [row["mean_q"]], [row["accuracy"]], colour=STRONG, marker="o", size=size,
                label="judge, the larger the more items" if place == 0 else "",
            )  # fmt: skip
        axes.x_ends(0.49, 1.01)
        axes.y_ends(min([0.45, *(row["accuracy_low"] - 0.03 for row in full)]), 1.02)
        axes.titles("mean confidence q of the bin", "accuracy")
        axes.grid(x=True, y=True)
        axes.legend(3)

    label = "Points: accuracy over mean confidence by bin, with 95% intervals; the figures stand in the table"
    return draw(label, 3.2, paint)


def cost_accuracy(curve: Sequence[Row], cascade: Row) -> Markup:
    """What a cascade would keep at every threshold: accuracy over cost, or over the share escalated without costs.

    Args:
        curve: its rows, ascending threshold.
        cascade: its row, with the frozen threshold.
    """
    has_costs = all(row["cost_ratio"] is not None for row in curve)
    across = [row["cost_ratio"] if has_costs else 1 - row["acceptance"] for row in curve]

    def paint(axes: Axes) -> None:
        for column, colour, dashes, label in (
            ("optimal_accuracy", FAINT, (1.0, 2.0), "escalated by label"),
            ("random_accuracy", QUIET, (4.0, 3.0), "escalated at random"),
            ("cascade_accuracy", STRONG, None, "escalated where unsure"),
        ):
            axes.plot(across, [row[column] for row in curve], colour=colour, width=1.6, dashes=dashes, label=label)
        axes.rule(cascade["fallback_accuracy"], colour=WEAK, width=1.1, across=True, label="fallback alone")
        chosen = [at for at, row in enumerate(curve) if row["threshold"] == cascade["tau"]]
        if chosen:
            place = across[chosen[0]], curve[chosen[0]]["cascade_accuracy"]
            axes.plot([place[0]], [place[1]], colour=INK, marker="o", size=6)
            axes.text(*place, f"tau = {cascade['tau']:.2f}", align="start", size=9, offset=(7, -9))
        across_title = "cost over the fallback alone" if has_costs else "share of items escalated"
        axes.titles(across_title, "accuracy on held-out items")
        axes.x_ends(0, max([1.0, *across]) * 1.02)
        axes.grid(x=True, y=True)
        axes.legend(2)

    label = "Lines: accuracy over cost at every threshold, at random and by label; the chosen threshold is marked"
    return draw(label, 3.4, paint)
