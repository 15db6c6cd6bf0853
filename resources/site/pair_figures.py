"""Figures of pairs and of the study: intervals by direction, decisions, and which source types measure which benchmark.

Belongs here: these figures. How a figure becomes inline SVG is `figures`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from markupsafe import Markup

from resources.site.figures import FAINT, LINE, QUIET, STRONG, draw, stacked
from resources.site.rendering import shown, words
from warehouse.pairing_words import SOURCE_DIRECTIONS
from warehouse.vocabulary import SOURCE_TYPES

SHOWN_BENCHMARKS: Final = 30
_LONG_NAME: Final = 42


def direction_intervals(rows: Sequence[Mapping[str, Any]]) -> Markup:
    """The mean difference of every direction with its 95% interval; a direction without pairs says so."""
    by_direction = {row["direction"]: row for row in rows}
    listed = [name for name in SOURCE_DIRECTIONS if name in by_direction]

    def paint(axes: Any) -> None:
        ends = [0.0]
        for place, name in enumerate(listed):
            row = by_direction[name]
            if row["mean_low_pp"] is not None:
                ends += [row["mean_low_pp"], row["mean_high_pp"]]
                axes.plot([row["mean_low_pp"], row["mean_high_pp"]], [place, place], color=STRONG, linewidth=2.2)
            if row["mean_pp"] is None:
                axes.annotate(
                    words(row["reason_code"] or "no numbers"), (0, place), (6, 0), textcoords="offset points",
                    va="center", color=QUIET,
                )  # fmt: skip
            else:
                ends.append(row["mean_pp"])
                axes.plot([row["mean_pp"]], [place], marker="o", color=STRONG, linestyle="none", markersize=5)
        axes.set_yticks(range(len(listed)), [f"{words(name)} (n = {by_direction[name]['n']})" for name in listed])
        axes.set_ylim(len(listed) - 0.5, -0.5)
        axes.axvline(0, color=QUIET, linewidth=1)
        room = max(1.0, (max(ends) - min(ends)) * 0.1)
        axes.set_xlim(min(ends) - room, max(ends) + room)
        axes.grid(visible=True, axis="x", color=LINE, linewidth=0.6)
        axes.set_xlabel("mean difference of aligned pairs, percentage points, with its 95% interval")

    label = "Intervals: mean difference of aligned pairs by direction; the figures stand in the table beside"
    return draw("direction intervals", label, 0.9 + 0.34 * len(listed), paint)


def pair_decisions(counts: Mapping[str, int]) -> Markup:
    """Pairs by decision: the reasons for which pairs are excluded, those aligned, and those that await a person."""
    listed = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    labels = [words(name) for name, _ in listed]
    return draw(
        "pair decisions",
        "Bars: pairs by decision; the figures stand in the text beside",
        0.8 + 0.28 * len(listed),
        lambda axes: stacked(axes, labels, {"pairs": [n for _, n in listed]}, (STRONG,), "pairs"),
    )  # fmt: skip


def source_coverage(counts: Mapping[str, Mapping[str, int]]) -> Markup:
    """Results by benchmark and source type: benchmarks of most source types first, the largest first among them.

    Args:
        counts: by benchmark, results by source type.
    """
    listed = sorted(counts, key=lambda name: (-len(counts[name]), -sum(counts[name].values()), name))[:SHOWN_BENCHMARKS]

    def paint(axes: Any) -> None:
        for row, name in enumerate(listed):
            for column, kind in enumerate(SOURCE_TYPES):
                number = counts[name].get(kind, 0)
                if number:
                    axes.barh([row], [0.9], left=[column - 0.45], height=0.8, color=FAINT)
                axes.text(column, row, f"{number:,}" if number else "–", ha="center", va="center", fontsize=8.5)
        axes.set_xticks(range(len(SOURCE_TYPES)), [words(kind) for kind in SOURCE_TYPES])
        axes.xaxis.tick_top()
        axes.tick_params(axis="x", length=0)
        axes.set_yticks(range(len(listed)), [_short(name) for name in listed])
        axes.set_xlim(-0.5, len(SOURCE_TYPES) - 0.5)
        axes.set_ylim(len(listed) - 0.5, -0.5)
        axes.spines["bottom"].set_visible(False)

    label = "Grid: number of results by benchmark and source type"
    return draw("source coverage", label, 0.7 + 0.24 * len(listed), paint)


def _short(name: str) -> str:
    text = shown(name)
    return text if len(text) <= _LONG_NAME else f"{text[: _LONG_NAME - 1]}…"
