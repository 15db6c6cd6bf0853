"""Figures of protocol sensitivity: what moves where, candidates from one protocol to the other, growing sets.

Belongs here: these figures. How a figure becomes inline SVG is `figures`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from markupsafe import Markup

from resources.site.figures import INK, LINE, QUIET, STRONG, WEAK, draw
from resources.site.rendering import shown

Row = Mapping[str, Any]
LONGEST: Final = 34
ROOM: Final = 92
"""Signs that names of columns may take together before they are turned."""
FULL: Final = 2.0
"""The PSS of a reversed order: the deepest shade of a heat map of tau."""


def heat(
    name: str,
    rows: Sequence[str],
    columns: Sequence[str],
    cells: Mapping[tuple[int, int], tuple[float | None, bool]],
    what: str,
    full: float = FULL,
) -> Markup:
    """A heat map: the deeper, the further it moves; a dot where the winner changes, a dash where nothing is known.

    Args:
        name: salt. rows, columns: their names. cells: by (row, column), what moves and whether the winner does.
        what: what a cell shows, for the label. full: the deepest shade.
    """

    def paint(axes: Any) -> None:
        for (row, column), (value, is_changed) in cells.items():
            if value is None:
                axes.text(column, row, "–", ha="center", va="center", color=QUIET, fontsize=8.5)
                continue
            shade = min(1.0, value / full)
            if shade > 0:
                axes.barh([row], [0.94], left=[column - 0.47], height=0.88, color=STRONG, alpha=0.08 + 0.8 * shade)
            axes.text(column, row, f"{value:.2f}", ha="center", va="center", fontsize=8.5)
            if is_changed:
                axes.plot([column + 0.38], [row], marker="o", markersize=4, color=WEAK, linestyle="none")
        axes.set_xticks(range(len(columns)), [_short(column) for column in columns])
        axes.xaxis.tick_top()
        is_crowded = any(len(_short(column)) * len(columns) > ROOM for column in columns)
        axes.tick_params(axis="x", length=0, labelrotation=22 if is_crowded else 0)
        for label in axes.get_xticklabels() if is_crowded else ():
            label.set_ha("left")
        axes.set_yticks(range(len(rows)), [_short(row) for row in rows])
        axes.set_xlim(-0.5, len(columns) - 0.5)
        axes.set_ylim(len(rows) - 0.5, -0.5)
        axes.spines["bottom"].set_visible(False)

    label = f"Heat map: {what}; the figures stand in its cells"
    return draw(f"heat {name}", label, 0.85 + 0.235 * len(rows), paint)


def slopes(name: str, left: str, right: str, candidates: Sequence[tuple[str, float, float]]) -> Markup:
    """Places by mean rank from one protocol to the other, one line a candidate; those that change are drawn strong.

    Args:
        name: salt. left, right: names of the protocols. candidates: (name, mean rank left, mean rank right).
    """
    ranks = [{one: (a, b)[side] for one, a, b in candidates} for side in (0, 1)]
    orders = [sorted(of, key=lambda one, of=of: (of[one], one)) for of in ranks]  # type: ignore[misc]
    places = [{one: place for place, one in enumerate(order)} for order in orders]

    def paint(axes: Any) -> None:
        for one, _, _ in candidates:
            ends = [places[0][one], places[1][one]]
            colour, width = (STRONG, 1.8) if ends[0] != ends[1] else (QUIET, 1.0)
            axes.plot([0, 1], ends, color=colour, linewidth=width, marker="o", markersize=4)
        for side, align in ((0, "right"), (1, "left")):
            for one, place in places[side].items():
                rank = f"{ranks[side][one]:.2f}"
                axes.annotate(
                    f"{_short(one)}   {rank}" if side == 0 else f"{rank}   {_short(one)}",
                    (side, place), (side + (0.05 if side else -0.05), place), ha=align, va="center", fontsize=8.8,
                    color=INK, annotation_clip=False,
                )  # fmt: skip
        axes.set_xticks([0, 1], [_short(left), _short(right)])
        axes.xaxis.tick_top()
        axes.tick_params(axis="x", length=0)
        axes.set_yticks([])
        axes.set_xlim(-0.9, 1.9)
        axes.set_ylim(len(candidates) - 0.4, -0.6)
        axes.spines["bottom"].set_visible(False)

    label = "Lines: place of each candidate by mean rank under both protocols; mean ranks stand beside the names"
    return draw(f"slopes {name}", label, 0.6 + 0.235 * max(3, len(candidates)), paint)


def growing(name: str, declared: Sequence[Row], random: Sequence[Row]) -> Markup:
    """Mean PSS and share of swapped sites over the size of the candidate set.

    Args:
        name: salt. declared: rows of an order of joining, ascending. random: rows over random orders.
    """

    def paint(axes: Any) -> None:
        for rows, style, more in ((declared, "-", ""), (random, (0, (4, 3)), ", any order")):
            for column, colour, what in (("mean_pss", STRONG, "mean PSS"), ("swap_share", WEAK, "sites swapped")):
                known = [(row["candidates"], row[column]) for row in rows if row[column] is not None]
                axes.plot(
                    [size for size, _ in known], [value for _, value in known], color=colour, linewidth=1.6,
                    linestyle=style, marker="o" if not more else None, markersize=3.5, label=what + more,
                )  # fmt: skip
        axes.set_xlabel("candidates")
        axes.set_ylabel("PSS (0 to 2), share (0 to 1)")
        axes.set_ylim(bottom=0)
        axes.xaxis.get_major_locator().set_params(integer=True)
        axes.grid(visible=True, color=LINE, linewidth=0.6)
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1.0), ncols=4, borderaxespad=0.2, handlelength=1.6)

    label = "Lines: mean PSS and share of swapped sites as candidates join; the figures stand in the table"
    return draw(f"growing {name}", label, 2.8, paint)


def _short(name: str) -> str:
    text = shown(name)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
