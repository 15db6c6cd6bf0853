"""Figures of models and harnesses: heat maps of S and V, the interaction map, fit, shares, and who is dominated.

Belongs here: these figures. How a figure becomes inline SVG is `figures`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from markupsafe import Markup

from resources.site.figures import FAINT, INK, LINE, QUIET, STRONG, WEAK, draw
from resources.site.rendering import shown
from warehouse.harness_words import PARTS

Row = Mapping[str, Any]
LONGEST: Final = 26
ROOM: Final = 70
"""Signs that names of columns may take together before they are turned."""
DEEPEST: Final = 0.6
PART_NAMES: Final = {"model": "model", "harness": "harness", "interaction": "how they go together"}


def matrix(
    name: str,
    models: Sequence[str],
    harnesses: Sequence[str],
    values: Mapping[tuple[str, str], float | None],
    what: str,
    *,
    is_signed: bool = False,
) -> Markup:
    """A heat map, a model a row: the deeper the more; of signed values, another colour below 0.

    Args:
        name: salt. models, harnesses: rows and columns.
        values: in percent or points, by (model, harness); absent or None where there is none.
        what: what a cell shows, for the label.
    """
    known = [abs(value) for value in values.values() if value is not None]
    full = max([*known, 1e-9]) if is_signed else 100.0

    def paint(axes: Any) -> None:
        for row, model in enumerate(models):
            for column, harness in enumerate(harnesses):
                value = values.get((model, harness))
                if value is None:
                    axes.text(column, row, "–", ha="center", va="center", color=QUIET, fontsize=9)
                    continue
                depth = min(1.0, abs(value) / full)
                colour = WEAK if is_signed and value < 0 else STRONG
                if depth > 0:
                    axes.barh(
                        [row], [0.95], left=[column - 0.475], height=0.9, color=colour, alpha=DEEPEST * depth**1.5
                    )
                axes.text(
                    column, row, f"{value:+.1f}" if is_signed else f"{value:.1f}", ha="center", va="center", fontsize=9
                )
        _columns(axes, harnesses)
        axes.set_yticks(range(len(models)), [_short(model) for model in models])
        axes.set_ylim(len(models) - 0.5, -0.5)
        axes.spines["bottom"].set_visible(False)

    label = f"Heat map: {what}; the figures stand in its cells"
    return draw(f"matrix {name}", label, 0.8 + 0.3 * len(models), paint, width=min(7.2, 2.6 + 1.25 * len(harnesses)))


def fit_bars(name: str, rows: Sequence[Row]) -> Markup:
    """Fit of each harness with its interval, on J (filled) and on S (hollow); the best first.

    Args:
        name: salt.
        rows: of `out__harness_summary`, one a harness, in the order to be drawn.
    """

    def paint(axes: Any) -> None:
        for place, row in enumerate(rows):
            for fit, shift, colour, is_filled in (("fit", -0.16, STRONG, True), ("score_fit", 0.16, WEAK, False)):
                if row[fit] is None:
                    continue
                if row[f"{fit}_low"] is not None:
                    ends = [row[f"{fit}_low"], row[f"{fit}_high"]]
                    axes.plot(ends, [place + shift] * 2, color=colour, linewidth=2.2, solid_capstyle="butt")
                axes.plot(
                    [row[fit]], [place + shift], marker="o", markersize=5.5, linestyle="none", markeredgecolor=colour,
                    markerfacecolor=colour if is_filled else "none",
                    label={"fit": "on J", "score_fit": "on S"}[fit] if place == 0 else None,
                )  # fmt: skip
        axes.set_yticks(range(len(rows)), [_short(row["one"]) for row in rows])
        axes.set_ylim(len(rows) - 0.4, -0.6)
        axes.set_xlim(right=1.01)
        axes.grid(visible=True, axis="x", color=LINE, linewidth=0.6)
        axes.set_xlabel("fit: geometric mean over models of the share of the best harness's score")
        if any(row["fit"] is not None or row["score_fit"] is not None for row in rows):
            axes.legend(loc="lower left", bbox_to_anchor=(0, 1.0), ncols=2, borderaxespad=0.2, handletextpad=0.2)

    label = "Intervals: fit of every harness on J and on S; the figures stand in the table beside"
    return draw(f"fit {name}", label, 1.1 + 0.42 * len(rows), paint)


def shares(name: str, rows: Sequence[Row]) -> Markup:
    """What of the differences on each benchmark is model, harness and interaction, beyond chance, with intervals.

    Args:
        name: salt.
        rows: of `out__harness_blame`.
    """
    benchmarks = list(dict.fromkeys(row["benchmark"] for row in rows))
    colours = dict(zip(PARTS, (STRONG, WEAK, QUIET), strict=True))

    def paint(axes: Any) -> None:
        for row in rows:
            if row["freed_share"] is None:
                continue
            place = benchmarks.index(row["benchmark"]) + 0.22 * (PARTS.index(row["part"]) - 1)
            colour = colours[row["part"]]
            if row["freed_low"] is not None:
                ends = [100 * row["freed_low"], 100 * row["freed_high"]]
                axes.plot(ends, [place, place], color=colour, linewidth=2.2, solid_capstyle="butt")
            is_first = row["benchmark"] == benchmarks[0]
            axes.plot(
                [100 * row["freed_share"]], [place], marker="o", markersize=5, color=colour, linestyle="none",
                label=PART_NAMES[row["part"]] if is_first else None,
            )  # fmt: skip
        axes.set_yticks(range(len(benchmarks)), [_short(benchmark) for benchmark in benchmarks])
        axes.set_ylim(len(benchmarks) - 0.5, -0.5)
        axes.set_xlim(-1, 101)
        axes.grid(visible=True, axis="x", color=LINE, linewidth=0.6)
        axes.set_xlabel("percent of the squared differences between configurations, beyond chance")
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1.0), ncols=3, borderaxespad=0.2, handletextpad=0.2)

    label = "Intervals: shares of model, harness and interaction on every benchmark; the figures stand in the table"
    return draw(f"shares {name}", label, 1.2 + 0.62 * len(benchmarks), paint)


def front(name: str, rows: Sequence[Row], references: Sequence[Row] = ()) -> Markup:
    """Outcome against clean ends: configurations that none dominates are filled and named; references are squares.

    Args:
        name: salt.
        rows: with model, harness, score, clean and is_pareto; those without V are left out.
        references: likewise, of systems outside the panel.
    """
    known = [row for row in rows if row["clean"] is not None]

    def paint(axes: Any) -> None:
        for row in known:
            is_front = bool(row["is_pareto"])
            axes.plot(
                [100 * row["clean"]], [100 * row["score"]], marker="o", markersize=6, linestyle="none",
                markeredgecolor=STRONG if is_front else FAINT, markerfacecolor=STRONG if is_front else "none",
            )  # fmt: skip
        for row in references:
            axes.plot(
                [100 * row["clean"]], [100 * row["score"]], marker="s", markersize=6, linestyle="none", color=WEAK
            )
        middle = sum(100 * row["clean"] for row in known) / max(1, len(known))
        for row in [*(row for row in known if row["is_pareto"]), *references]:
            is_right = 100 * row["clean"] > middle
            axes.annotate(
                _short(f"{row['model']} + {row['harness']}"), (100 * row["clean"], 100 * row["score"]),
                (-7 if is_right else 7, 0), textcoords="offset points", ha="right" if is_right else "left", va="center",
                fontsize=8.5, color=INK,
            )  # fmt: skip
        axes.set_xlabel("V: percent of planned attempts that were clean")
        axes.set_ylabel("S: mean score, percent")
        axes.grid(visible=True, color=LINE, linewidth=0.6)
        axes.margins(0.08)

    label = "Points: mean score against clean ends, one a configuration; the figures stand in the table beside"
    return draw(f"front {name}", label, 3.4, paint)


def _columns(axes: Any, names: Sequence[str]) -> None:
    labels = [_short(name) for name in names]
    axes.set_xticks(range(len(names)), labels)
    axes.xaxis.tick_top()
    is_crowded = max((len(label) for label in labels), default=0) * len(names) > ROOM
    axes.tick_params(axis="x", length=0, labelrotation=22 if is_crowded else 0)
    for label in axes.get_xticklabels() if is_crowded else ():
        label.set_ha("left")
    axes.set_xlim(-0.5, len(names) - 0.5)


def _short(name: str) -> str:
    text = shown(name)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
