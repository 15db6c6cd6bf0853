"""Relative token load: what a harness spends against its block, where every harness is tracked (METHODS 11).

Belongs here: the load of a cell within its block, and its geometric mean over blocks. Does not belong here: tokens of a
cell (`cells`).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from methods.harness.crossed import Crossed
from methods.harness.exact import geometric_mean


def block_loads(tokens: Sequence[Fraction | None]) -> list[float] | None:
    """[h] tokens of each harness over the geometric mean of its block; None where one is not tracked, or 0."""
    known = [value for value in tokens if value]
    if len(known) < len(tokens):
        return None
    middle = Fraction(geometric_mean(known))
    return [float(value / middle) for value in known]


def cell_loads(figures: Crossed) -> list[list[list[float] | None]]:
    """[b][m] the loads of a block, by harness; None where the block is not tracked throughout."""
    return [[block_loads([cell.tokens for cell in row]) for row in block] for block in figures.cells]


def harness_loads(figures: Crossed) -> tuple[list[float] | None, int]:
    """[h] the geometric mean of each harness's loads over tracked blocks, and how many those are; None for none."""
    blocks = [loads for block in cell_loads(figures) for loads in block if loads is not None]
    if not blocks:
        return None, 0
    return [geometric_mean([Fraction(load) for load in column]) for column in zip(*blocks, strict=True)], len(blocks)
