"""Figures of models and harnesses: heat maps of S and V, the interaction map, fit, shares, and who is dominated.

Belongs here: these figures. How a figure becomes inline SVG is `figures`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from markupsafe import Markup

from resources.site.axes import Axes
from resources.site.figures import draw
from resources.site.rendering import shown
from resources.site.svg_pieces import FAINT, NO_FILL, QUIET, STRONG, WEAK
from warehouse.harness_words import PARTS

Row = Mapping[str, Any]
LONGEST: Final = 26
ROOM: Final = 70
"""Signs that names of columns may take together before they are turned."""
DEEPEST: Final = 0.6
PART_NAMES: Final = {"model": "model", "harness": "harness", "interaction": "how they go together"}


def matrix(
    models: Sequence[str],
    harnesses: Sequence[str],
    values: Mapping[tuple[str, str], float | None],
    what: str,
    *,
    is_signed: bool = False,
) -> Markup:
    """A heat map, a model a row: the deeper the more; of signed values, another colour below 0.

    Args:
        models, harnesses: rows and columns.
        values: in percent or points, by (model, harness); absent or None where there is none.
        what: what a cell shows, for the label.
    """
    known = [abs(value) for value in values.values() if value is not None]
    full = max([*known, 1e-9]) if is_signed else 100.0

    def paint(axes: Axes) -> None:
        for row, model in enumerate(models):
            for column, harness in enumerate(harnesses):
                value = values.get((model, harness))
                if value is None:
                    axes.text(column, row, "–", colour=QUIET, size=9)
                    continue
                depth = min(1.0, abs(value) / full)
                colour = WEAK if is_signed and value < 0 else STRONG
                if depth > 0:
                    axes.bar(row, 0.95, column - 0.475, height=0.9, colour=colour, alpha=DEEPEST * depth**1.5)
                axes.text(column, row, f"{value:+.1f}" if is_signed else f"{value:.1f}", size=9)
        labels = [_short(harness) for harness in harnesses]
        axes.columns(labels, turned=max((len(label) for label in labels), default=0) * len(labels) > ROOM)
        axes.rows([_short(model) for model in models])

    label = f"Heat map: {what}; the figures stand in its cells"
    return draw(label, 0.8 + 0.3 * len(models), paint, width=min(7.2, 2.6 + 1.25 * len(harnesses)))


def fit_bars(rows: Sequence[Row]) -> Markup:
    """Fit of each harness with its interval, on J (filled) and on S (hollow); the best first.

    Args:
        rows: of `out__harness_summary`, one a harness, in the order to be drawn.
    """

    def paint(axes: Axes) -> None:
        for place, row in enumerate(rows):
            for fit, shift, colour, is_filled in (("fit", -0.16, STRONG, True), ("score_fit", 0.16, WEAK, False)):
                if row[fit] is None:
                    continue
                if row[f"{fit}_low"] is not None:
                    ends = [row[f"{fit}_low"], row[f"{fit}_high"]]
                    axes.plot(ends, [place + shift] * 2, colour=colour, width=2.2)
                axes.plot(
                    [row[fit]], [place + shift], colour=colour, marker="o", size=5.5,
                    fill=colour if is_filled else NO_FILL,
                    label={"fit": "on J", "score_fit": "on S"}[fit] if place == 0 else "",
                )  # fmt: skip
        axes.rows([_short(row["one"]) for row in rows], room=0.6)
        axes.x_ends(high=1.01)
        axes.grid(x=True)
        axes.titles(x="fit: geometric mean over models of the share of the best harness's score")
        if any(row["fit"] is not None or row["score_fit"] is not None for row in rows):
            axes.legend(2)

    label = "Intervals: fit of every harness on J and on S; the figures stand in the table beside"
    return draw(label, 1.1 + 0.42 * len(rows), paint)


def shares(rows: Sequence[Row]) -> Markup:
    """What of the differences on each benchmark is model, harness and interaction, beyond chance, with intervals.

    Args:
        rows: of `out__harness_blame`.
    """
    benchmarks = list(dict.fromkeys(row["benchmark"] for row in rows))
    colours = dict(zip(PARTS, (STRONG, WEAK, QUIET), strict=True))

    def paint(axes: Axes) -> None:
        for row in rows:
            if row["freed_share"] is None:
                continue
            place = benchmarks.index(row["benchmark"]) + 0.22 * (PARTS.index(row["part"]) - 1)
            colour = colours[row["part"]]
            if row["freed_low"] is not None:
                ends = [100 * row["freed_low"], 100 * row["freed_high"]]
                axes.plot(ends, [place, place], colour=colour, width=2.2)
            is_first = row["benchmark"] == benchmarks[0]
            axes.plot(
                [100 * row["freed_share"]], [place], colour=colour, marker="o",
                label=PART_NAMES[row["part"]] if is_first else "",
            )  # fmt: skip
        axes.rows([_short(benchmark) for benchmark in benchmarks])
        axes.x_ends(-1, 101)
        axes.grid(x=True)
        axes.titles(x="percent of the squared differences between configurations, beyond chance")
        axes.legend(3)

    label = "Intervals: shares of model, harness and interaction on every benchmark; the figures stand in the table"
    return draw(label, 1.2 + 0.62 * len(benchmarks), paint)


def front(rows: Sequence[Row], references: Sequence[Row] = ()) -> Markup:
    """Outcome against clean ends: configurations that none dominates are filled and named; references are squares.

    Args:
        rows: with model, harness, score, clean and is_pareto; those without V are left out.
        references: likewise, of systems outside the panel.
    """
    known = [row for row in rows if row["clean"] is not None]

    def paint(axes: Axes) -> None:
        for row in known:
            is_front = bool(row["is_pareto"])
            axes.plot(
                [100 * row["clean"]], [100 * row["score"]], marker="o", size=6,
                colour=STRONG if is_front else FAINT, fill=STRONG if is_front else NO_FILL,
            )  # fmt: skip
        for row in references:
            axes.plot([100 * row["clean"]], [100 * row["score"]], colour=WEAK, marker="s", size=6)
        middle = sum(100 * row["clean"] for row in known) / max(1, len(known))
        for row in [*(row for row in known if row["is_pareto"]), *references]:
            is_right = 100 * row["clean"] > middle
            axes.text(
                100 * row["clean"], 100 * row["score"], _short(f"{row['model']} + {row['harness']}"),
                align="end" if is_right else "start", size=8.5, offset=(-7 if is_right else 7, 0),
            )  # fmt: skip
        axes.titles("V: percent of planned attempts that were clean", "S: mean score, percent")
        axes.grid(x=True, y=True)
        axes.margins(0.08)

    label = "Points: mean score against clean ends, one a configuration; the figures stand in the table beside"
    return draw(label, 3.4, paint)


def _short(name: str) -> str:
    text = shown(name)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
