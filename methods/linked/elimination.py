"""The inverse of a symmetric positive matrix in a fixed order of arithmetic, and pairs of cells under one node.

Belongs here: linear algebra that the posterior needs, by whole rows: products and differences element by element, so
that the bits depend on no linear-algebra library, processor or number of threads. Cost: size^3 products.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np

from methods.linked.cells import Floats, Integers, Level

BLOCK: Final = 4_000_000
"""Pairs of cells held in memory at a time; the numbers do not depend on it."""


def invert(matrix: Floats) -> Floats:
    """The inverse of a symmetric positive definite matrix, by sweeping one row after the other.

    Raises:
        ValueError: if the matrix is not positive definite.
    """
    swept = matrix.copy()
    for pivot in range(len(swept)):
        corner = swept[pivot, pivot]
        if not corner > 0.0:
            raise ValueError("the matrix over metrics is not positive definite")
        row = swept[pivot] / corner
        column = swept[:, pivot].copy()
        swept -= column[:, None] * row[None, :]
        swept[pivot] = row
        swept[:, pivot] = -column / corner
        swept[pivot, pivot] = 1.0 / corner
    return _symmetric(swept)


def _symmetric(matrix: Floats) -> Floats:
    lower = np.tril(matrix)
    return lower + np.tril(lower, -1).T


class Pairs(NamedTuple):
    """Pairs of different cells under one node, each pair once: (pairs,) positions and (pairs,) node."""

    first: Integers
    second: Integers
    node: Integers


def pairs_under(level: Level) -> Iterator[Pairs]:
    """All pairs of different cells under each node of a level, in a fixed order, block by block."""
    cells = len(level.of_cell)
    counts = np.bincount(level.of_cell, minlength=level.nodes)
    start = np.concatenate([[0], np.cumsum(counts)[:-1]]).astype(np.int64)
    # cell e pairs with those before it under its node: e - start of them
    before = np.arange(cells, dtype=np.int64) - start[level.of_cell]
    ends = np.cumsum(before)
    first = 0
    while first < cells:
        done = int(ends[first - 1]) if first else 0
        last = max(int(np.searchsorted(ends, done + BLOCK, side="right")), first + 1)
        here = before[first:last]
        second = np.repeat(np.arange(first, last, dtype=np.int64), here)
        within = np.arange(len(second), dtype=np.int64) - np.repeat(np.cumsum(here) - here, here)
        node = level.of_cell[second]
        yield Pairs(start[node] + within, second, node)
        first = last
