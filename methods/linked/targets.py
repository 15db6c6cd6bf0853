"""Abilities that nothing measured directly: the sum of effects at any node of a model, also one without evidence.

A target is a model and a path down its tree: as far as the model has evidence the path runs over nodes of the
posterior; below that the effects keep their prior variance, which is independent of everything else. Belongs here:
mean, variance and the derivative by the observations. Does not belong here: what targets are asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from methods.linked.cells import LEVELS, MODEL, PLACES, Cells, Floats, Integers
from methods.linked.posterior import Posterior

_DIMENSIONS: Final = 4


@dataclass(frozen=True)
class Paths:
    """(targets,) paths: the model's number, and per level the node, -1 where the model has none there.

    `model` is -1 for a model without any observation. `node` is (levels, targets).
    """

    model: Integers
    node: Integers

    @property
    def count(self) -> int:
        """Number of targets."""
        return len(self.model)


@dataclass(frozen=True)
class Derivatives:
    """Entries of the derivative of each target's mean by minus the offsets of its own model's cells.

    Attributes:
        target, cell: (entries,) which target, which cell. value: (entries,) the derivative.
    """

    target: Integers
    cell: Integers
    value: Floats


def paths(cells: Cells, model: Integers, place: Integers, family: Integers) -> Paths:
    """The path of each (model, place, family).

    Args:
        cells: observations.
        model, place, family: (targets,) numbers; -1 for a model or family that no observation has.
    """
    count = len(model)
    found = np.full((LEVELS, count), -1, dtype=np.int64)
    categories = place // _DIMENSIONS
    wide, kinds = len(PLACES), len(cells.families) + 1
    own = cells.place // _DIMENSIONS
    keys = (
        (cells.model, model),
        (cells.model * wide + own, model * wide + categories),
        (cells.model * wide + cells.place, model * wide + place),
        ((cells.model * wide + cells.place) * kinds + cells.family, (model * wide + place) * kinds + family),
    )
    for depth, (known, asked) in enumerate(keys):
        node_of = dict(zip(known.tolist(), cells.levels[depth].of_cell.tolist(), strict=True))
        found[depth] = [node_of.get(key, -1) for key in asked.tolist()]
    found[:, model < 0] = -1
    found[LEVELS - 1, family < 0] = -1
    return Paths(model, found)


def deepest(path: Paths) -> Integers:
    """(targets,) the last level at which the path has a node; -1 for a model without evidence."""
    depth: Integers = np.sum(path.node >= 0, axis=0).astype(np.int64) - 1
    return depth


def at_nodes(path: Paths, by_level: tuple[Floats, ...]) -> Floats:
    """A per-node value at each path's last node; 0 where it has none."""
    found = np.zeros(path.count)
    for depth, values in enumerate(by_level):
        here = path.node[depth] >= 0
        found[here] = values[path.node[depth][here]]
    return found


def derivatives(cells: Cells, posterior: Posterior, path: Paths) -> Derivatives:
    """a of every target over its model's cells: a = share a_parent + kappa q, level by level (`posterior`)."""
    known = np.flatnonzero(path.model >= 0)
    lengths = cells.start[path.model[known] + 1] - cells.start[path.model[known]]
    target = np.repeat(known, lengths)
    within = np.arange(len(target), dtype=np.int64) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    cell = cells.start[path.model[target]] + within
    value = np.zeros(len(target))
    for depth, level in enumerate(cells.levels):
        node = path.node[depth][target]
        has = node >= 0
        share = posterior.share[depth][node[has]] if depth > MODEL else 0.0
        inside = np.where(level.of_cell[cell[has]] == node[has], posterior.coefficient[depth][cell[has]], 0.0)
        value[has] = share * value[has] + posterior.kappa[depth][node[has]] * inside
    return Derivatives(target, cell, value)
