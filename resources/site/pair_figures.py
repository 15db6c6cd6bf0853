"""Figures of pairs and of the study: intervals by direction, decisions, and which source types measure which benchmark.

Belongs here: these figures. How a figure becomes inline SVG is `figures`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from markupsafe import Markup

from resources.site.axes import Axes
from resources.site.figures import draw, stacked
from resources.site.rendering import shown, words
from resources.site.svg_pieces import FAINT, QUIET, STRONG
from warehouse.pairing_words import SOURCE_DIRECTIONS
from warehouse.vocabulary import SOURCE_TYPES

SHOWN_BENCHMARKS: Final = 30
_LONG_NAME: Final = 42


def direction_intervals(rows: Sequence[Mapping[str, Any]]) -> Markup:
    """The mean difference of every direction with its 95% interval; a direction without pairs says so."""
    by_direction = {row["direction"]: row for row in rows}
    listed = [name for name in SOURCE_DIRECTIONS if name in by_direction]

    def paint(axes: Axes) -> None:
        ends = [0.0]
        for place, name in enumerate(listed):
            row = by_direction[name]
            if row["mean_low_pp"] is not None:
                ends += [row["mean_low_pp"], row["mean_high_pp"]]
                axes.plot([row["mean_low_pp"], row["mean_high_pp"]], [place, place], colour=STRONG, width=2.2)
            if row["mean_pp"] is None:
                why = words(row["reason_code"] or "no numbers")
                axes.text(0, place, why, align="start", colour=QUIET, offset=(6, 0))
            else:
                ends.append(row["mean_pp"])
                axes.plot([row["mean_pp"]], [place], colour=STRONG, marker="o")
        axes.rows([f"{words(name)} (n = {by_direction[name]['n']})" for name in listed])
        axes.rule(0, colour=QUIET, across=False)
        room = max(1.0, (max(ends) - min(ends)) * 0.1)
        axes.x_ends(min(ends) - room, max(ends) + room)
        axes.grid(x=True)
        axes.titles(x="mean difference of aligned pairs, percentage points, with its 95% interval")

    label = "Intervals: mean difference of aligned pairs by direction; the figures stand in the table beside"
    return draw(label, 0.9 + 0.34 * len(listed), paint)


def pair_decisions(counts: Mapping[str, int]) -> Markup:
    """Pairs by decision: the reasons for which pairs are excluded, those aligned, and those that await a person."""
    listed = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    labels = [words(name) for name, _ in listed]
    return draw(
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

    def paint(axes: Axes) -> None:
        for row, name in enumerate(listed):
            for column, kind in enumerate(SOURCE_TYPES):
                number = counts[name].get(kind, 0)
                if number:
                    axes.bar(row, 0.9, column - 0.45, height=0.8, colour=FAINT)
                axes.text(column, row, f"{number:,}" if number else "–", size=8.5)
        axes.columns([words(kind) for kind in SOURCE_TYPES])
        axes.rows([_short(name) for name in listed])

    label = "Grid: number of results by benchmark and source type"
    return draw(label, 0.7 + 0.24 * len(listed), paint)


def _short(name: str) -> str:
    text = shown(name)
    return text if len(text) <= _LONG_NAME else f"{text[: _LONG_NAME - 1]}…"
