"""Figures of protocol sensitivity: what moves where, candidates from one protocol to the other, growing sets.

Belongs here: these figures. How a figure becomes inline SVG is `figures`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from markupsafe import Markup

from resources.site.axes import Axes
from resources.site.figures import draw
from resources.site.rendering import shown
from resources.site.svg_pieces import QUIET, STRONG, WEAK

Row = Mapping[str, Any]
LONGEST: Final = 34
ROOM: Final = 92
"""Signs that names of columns may take together before they are turned."""
FULL: Final = 2.0
"""The PSS of a reversed order: the deepest shade of a heat map of tau."""


def heat(
    rows: Sequence[str],
    columns: Sequence[str],
    cells: Mapping[tuple[int, int], tuple[float | None, bool]],
    what: str,
    full: float = FULL,
) -> Markup:
    """A heat map: the deeper, the further it moves; a dot where the winner changes, a dash where nothing is known.

    Args:
        rows, columns: their names. cells: by (row, column), what moves and whether the winner does.
        what: what a cell shows, for the label. full: the deepest shade.
    """

    def paint(axes: Axes) -> None:
        for (row, column), (value, is_changed) in cells.items():
            if value is None:
                axes.text(column, row, "–", colour=QUIET, size=8.5)
                continue
            shade = min(1.0, value / full)
            if shade > 0:
                axes.bar(row, 0.94, column - 0.47, height=0.88, colour=STRONG, alpha=0.08 + 0.8 * shade)
            axes.text(column, row, f"{value:.2f}", size=8.5)
            if is_changed:
                axes.plot([column + 0.38], [row], colour=WEAK, marker="o", size=4)
        is_crowded = any(len(_short(column)) * len(columns) > ROOM for column in columns)
        axes.columns([_short(column) for column in columns], turned=is_crowded)
        axes.rows([_short(row) for row in rows])

    label = f"Heat map: {what}; the figures stand in its cells"
    return draw(label, 0.85 + 0.235 * len(rows), paint)


def slopes(left: str, right: str, candidates: Sequence[tuple[str, float, float]]) -> Markup:
    """Places by mean rank from one protocol to the other, one line a candidate; those that change are drawn strong.

    Args:
        left, right: names of the protocols. candidates: (name, mean rank left, mean rank right).
    """
    ranks = [{one: (a, b)[side] for one, a, b in candidates} for side in (0, 1)]
    orders = [sorted(of, key=lambda one, of=of: (of[one], one)) for of in ranks]  # type: ignore[misc]
    places = [{one: place for place, one in enumerate(order)} for order in orders]

    def paint(axes: Axes) -> None:
        for one, _, _ in candidates:
            ends = [places[0][one], places[1][one]]
            colour, width = (STRONG, 1.8) if ends[0] != ends[1] else (QUIET, 1.0)
            axes.plot([0, 1], ends, colour=colour, width=width, marker="o", size=4)
        for side, align in ((0, "end"), (1, "start")):
            for one, place in places[side].items():
                rank = f"{ranks[side][one]:.2f}"
                said = f"{_short(one)} \u2002 {rank}" if side == 0 else f"{rank} \u2002 {_short(one)}"
                axes.text(side + (0.05 if side else -0.05), place, said, align=align, size=8.8)
        axes.x_marks([_short(left), _short(right)])
        axes.names_above()
        axes.y_marks([])
        axes.x_ends(-0.9, 1.9)
        axes.y_ends(len(candidates) - 0.4, -0.6)

    label = "Lines: place of each candidate by mean rank under both protocols; mean ranks stand beside the names"
    return draw(label, 0.6 + 0.235 * max(3, len(candidates)), paint)


def growing(declared: Sequence[Row], random: Sequence[Row]) -> Markup:
    """Mean PSS and share of swapped sites over the size of the candidate set.

    Args:
        declared: rows of an order of joining, ascending. random: rows over random orders.
    """

    def paint(axes: Axes) -> None:
        for rows, dashes, more in ((declared, None, ""), (random, (4.0, 3.0), ", any order")):
            for column, colour, what in (("mean_pss", STRONG, "mean PSS"), ("swap_share", WEAK, "sites swapped")):
                known = [(row["candidates"], row[column]) for row in rows if row[column] is not None]
                axes.plot(
                    [size for size, _ in known], [value for _, value in known], colour=colour, width=1.6,
                    dashes=dashes, marker="o" if not more else None, size=3.5, label=what + more,
                )  # fmt: skip
        axes.titles("candidates", "PSS (0 to 2), share (0 to 1)")
        axes.y_ends(low=0)
        axes.whole_numbers()
        axes.grid(x=True, y=True)
        axes.legend(4)

    label = "Lines: mean PSS and share of swapped sites as candidates join; the figures stand in the table"
    return draw(label, 2.8, paint)


def _short(name: str) -> str:
    text = shown(name)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
