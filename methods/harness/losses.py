"""What attempts that were not clean cost, and what would change had every attempt ended cleanly (METHODS 11).

Belongs here: the loss of a crossing divided, and the harness that leads now and then. Does not belong here: the figures
of a cell (`cells`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from methods.harness.cells import Cell
from methods.harness.exact import mean, mean_or_none


@dataclass(frozen=True, slots=True)
class Losses:
    """Means over the cells of one benchmark of a crossing.

    Attributes:
        score: S.
        unclean, clean: the parts of 1 - S lost by attempts that were not clean, and by clean ones that were wrong.
        if_clean: S had every attempt been clean, as `cells.if_clean` expects; None where nothing says for a task.
        at_most: S had every attempt that was not clean scored full marks.
        leaders, leaders_if_clean: the harnesses with the highest mean score, now and then; None as `if_clean`.
    """

    score: Fraction
    unclean: Fraction
    clean: Fraction
    if_clean: Fraction | None
    at_most: Fraction
    leaders: tuple[str, ...]
    leaders_if_clean: tuple[str, ...] | None


def losses_of(cells: Sequence[Sequence[Cell]], harnesses: Sequence[str]) -> Losses | None:
    """The losses of one benchmark; None where its records do not say how attempts ended.

    Args:
        cells: [model][harness].
        harnesses: their names.
    """
    flat = [cell for row in cells for cell in row]
    unclean = mean_or_none(cell.loss_unclean for cell in flat)
    clean = mean_or_none(cell.loss_clean for cell in flat)
    at_most = mean_or_none(cell.score_at_most for cell in flat)
    if unclean is None or clean is None or at_most is None:
        return None
    hoped = [[_fraction(cell.score_if_clean) for cell in row] for row in cells]
    columns = [mean_or_none(row[h] for row in hoped) for h in range(len(harnesses))]
    known = [value for value in columns if value is not None]
    return Losses(
        mean(cell.score for cell in flat), unclean, clean, mean_or_none(columns), at_most,
        leaders_of(cells, harnesses),
        _highest(known, harnesses) if len(known) == len(columns) else None,
    )  # fmt: skip


def leaders_of(cells: Sequence[Sequence[Cell]], harnesses: Sequence[str]) -> tuple[str, ...]:
    """The harnesses with the highest mean score over models."""
    return _highest([mean(row[h].score for row in cells) for h in range(len(harnesses))], harnesses)


def _highest(values: Sequence[Fraction], names: Sequence[str]) -> tuple[str, ...]:
    top = max(values)
    return tuple(name for name, value in zip(names, values, strict=True) if value == top)


def _fraction(value: float | None) -> Fraction | None:
    return None if value is None else Fraction(value)
