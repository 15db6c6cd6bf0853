"""Category abilities of the linked model: mean over all four dimensions, variance and derivative (METHODS 7b).

An unobserved dimension contributes the effects above it, with the prior variance of its own. The effect of a family
stands for the benchmark, not for the ability, and is no part of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from methods.linked.cells import CATEGORY, DIMENSION, MODEL, Cells, Floats, Integers, summed
from methods.linked.elimination import pairs_under
from methods.linked.likelihood import Hyperparameters
from methods.linked.posterior import Posterior
from methods.linked.targets import Derivatives

DIMENSIONS: Final = 4


@dataclass(frozen=True)
class Abilities:
    """One row a (model, category) with any evidence, in the order of the tree's category nodes.

    Attributes:
        model, category: (rows,) numbers.
        mean, variance: (rows,) exact posterior of the category ability.
        prior_variance: (rows,) of the same among the models of the run, so without any evidence of this one.
        let_through: (rows,) mean over the four dimensions of the share that the category's node gets.
    """

    model: Integers
    category: Integers
    mean: Floats
    variance: Floats
    prior_variance: Floats
    let_through: Floats


def abilities(cells: Cells, posterior: Posterior, found: Hyperparameters) -> Abilities:
    """The posterior of every category ability.

    Args:
        cells, posterior: the fit. found: for the variance of dimensions that nothing measured.
    """
    level, below = cells.levels[CATEGORY], cells.levels[DIMENSION]
    effect, share = found.effect[DIMENSION][level.category], posterior.share[DIMENSION]

    def gathered(values: Floats) -> Floats:
        return summed(below.parent, values, level.nodes)

    missing = DIMENSIONS - gathered(np.ones(below.nodes))
    upper = posterior.mean[CATEGORY]
    mean = (gathered(posterior.mean[DIMENSION]) + missing * upper) / DIMENSIONS
    let_through = (gathered(share) + missing) / DIMENSIONS
    given = (
        let_through * let_through * posterior.given_cohort[CATEGORY]
        + (gathered(posterior.kappa[DIMENSION]) + missing * effect) / DIMENSIONS**2
    )
    own = direct(cells, posterior)
    through = (
        let_through * let_through * posterior.through_cohort[CATEGORY]
        + 2.0 * let_through * level.sum_cells(own * posterior.image[CATEGORY])
        + _quadratic(cells, posterior.cohort_covariance, own)
    )
    model = np.zeros(level.nodes, dtype=np.int64)
    model[level.of_cell] = cells.model
    return Abilities(
        model=model,
        category=level.category,
        mean=mean,
        variance=given + through,
        prior_variance=found.effect[MODEL][level.category]
        + found.effect[CATEGORY][level.category]
        + effect / DIMENSIONS,
        let_through=let_through,
    )


def derivative(cells: Cells, posterior: Posterior, rows: Abilities, chosen: Integers) -> Derivatives:
    """Derivative of chosen category means by minus the offsets of their model's cells, cell by cell.

    Args:
        cells, posterior, rows: the fit. chosen: (targets,) rows.
    """
    model, lengths = rows.model[chosen], np.diff(cells.start)[rows.model[chosen]]
    target = np.repeat(np.arange(len(chosen), dtype=np.int64), lengths)
    cell = np.repeat(cells.start[model] - (np.cumsum(lengths) - lengths), lengths) + np.arange(len(target))
    top, level = posterior.kappa[MODEL], cells.levels[CATEGORY]
    value = top[cells.levels[MODEL].of_cell[cell]] * posterior.coefficient[MODEL][cell]
    node = chosen[target]
    is_inside = level.of_cell[cell] == node
    value = posterior.share[CATEGORY][node] * value + np.where(
        is_inside, posterior.kappa[CATEGORY][node] * posterior.coefficient[CATEGORY][cell], 0.0
    )
    value = rows.let_through[node] * value + np.where(is_inside, direct(cells, posterior)[cell], 0.0)
    return Derivatives(target, cell.astype(np.int64), value)


def direct(cells: Cells, posterior: Posterior) -> Floats:
    """(cells,) what a cell adds to its category's mean through its dimension's own effect."""
    node = cells.levels[DIMENSION].of_cell
    own: Floats = posterior.kappa[DIMENSION][node] * posterior.coefficient[DIMENSION] / DIMENSIONS
    return own


def _quadratic(cells: Cells, covariance: Floats, own: Floats) -> Floats:
    """(category nodes,) own' C own over the cells of each."""
    level = cells.levels[CATEGORY]
    total = level.sum_cells(own * own * covariance[cells.metric, cells.metric])
    for first, second, node in pairs_under(level):
        between = covariance[cells.metric[first], cells.metric[second]]
        total = total + 2.0 * summed(node, own[first] * own[second] * between, level.nodes)
    return total
