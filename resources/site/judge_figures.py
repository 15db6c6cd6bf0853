"""Figures of judges: accuracy against confidence, and what a cascade would keep for what it costs.

Belongs here: these figures. How a figure becomes inline SVG is `figures`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from resources.site.figures import FAINT, INK, LINE, QUIET, STRONG, WEAK, draw
from resources.site.rendering import shown

Row = Mapping[str, Any]
_LARGEST = 13.0
_SMALLEST = 3.5


def reliability(name: str, rows: Sequence[Row], fallback: str | None) -> Markup:
    """The reliability diagram of a judge: accuracy of each bin over its mean confidence, with its 95% interval.

    Args:
        name: salt, of one judge and fallback.
        rows: its bins, ascending.
        fallback: name of the fallback; None where there is none.
    """
    full = [row for row in rows if row["n"]]
    most = max((row["n"] for row in full), default=1)

    def paint(axes: Any) -> None:
        axes.plot([0.5, 1], [0.5, 1], color=QUIET, linewidth=1, linestyle=(0, (4, 3)), label="as right as it is sure")
        for row in full:
            ends = [row["accuracy_low"], row["accuracy_high"]]
            axes.plot([row["mean_q"]] * 2, ends, color=STRONG, linewidth=1.6, solid_capstyle="butt")
        beside = [row for row in full if row["fallback_n"]]
        if fallback is not None and beside:
            axes.plot(
                [row["mean_q"] for row in beside], [row["fallback_accuracy"] for row in beside], color=WEAK,
                linewidth=1.2, marker="s", markersize=4, markerfacecolor="none", label=shown(f"{fallback} there"),
            )  # fmt: skip
        for place, row in enumerate(full):
            size = _SMALLEST + (_LARGEST - _SMALLEST) * (row["n"] / most) ** 0.5
            axes.plot(
                [row["mean_q"]], [row["accuracy"]], linestyle="none", marker="o", color=STRONG, markersize=size,
                label="judge, the larger the more items" if place == 0 else None,
            )  # fmt: skip
        axes.set_xlim(0.49, 1.01)
        axes.set_ylim(min([0.45, *(row["accuracy_low"] - 0.03 for row in full)]), 1.02)
        axes.set_xlabel("mean confidence q of the bin")
        axes.set_ylabel("accuracy")
        axes.grid(visible=True, color=LINE, linewidth=0.6)
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1.0), ncols=3, borderaxespad=0.2, handletextpad=0.4)

    label = "Points: accuracy over mean confidence by bin, with 95% intervals; the figures stand in the table"
    return draw(f"reliability {name}", label, 3.2, paint)


def cost_accuracy(name: str, curve: Sequence[Row], cascade: Row) -> Markup:
    """What a cascade would keep at every threshold: accuracy over cost, or over the share escalated without costs.

    Args:
        name: salt, of one cascade.
        curve: its rows, ascending threshold.
        cascade: its row, with the frozen threshold.
    """
    has_costs = all(row["cost_ratio"] is not None for row in curve)
    across = [row["cost_ratio"] if has_costs else 1 - row["acceptance"] for row in curve]

    def paint(axes: Any) -> None:
        for column, colour, style, label in (
            ("optimal_accuracy", FAINT, (0, (1, 2)), "escalated by label"),
            ("random_accuracy", QUIET, (0, (4, 3)), "escalated at random"),
            ("cascade_accuracy", STRONG, "-", "escalated where unsure"),
        ):
            axes.plot(across, [row[column] for row in curve], color=colour, linewidth=1.6, linestyle=style, label=label)
        axes.axhline(cascade["fallback_accuracy"], color=WEAK, linewidth=1.1, label="fallback alone")
        chosen = [at for at, row in enumerate(curve) if row["threshold"] == cascade["tau"]]
        if chosen:
            place = across[chosen[0]], curve[chosen[0]]["cascade_accuracy"]
            axes.plot([place[0]], [place[1]], marker="o", color=INK, linestyle="none", markersize=6)
            axes.annotate(
                f"tau = {cascade['tau']:.2f}", place, (7, -12), textcoords="offset points", color=INK, fontsize=9
            )
        axes.set_xlabel("cost over the fallback alone" if has_costs else "share of items escalated")
        axes.set_ylabel("accuracy on held-out items")
        axes.set_xlim(0, max([1.0, *across]) * 1.02)
        axes.grid(visible=True, color=LINE, linewidth=0.6)
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1.0), ncols=2, borderaxespad=0.2, handletextpad=0.4)

    label = "Lines: accuracy over cost at every threshold, at random and by label; the chosen threshold is marked"
    return draw(f"cost accuracy {name}", label, 3.4, paint)
