"""The exact explanation of a linked score: how much every observation adds, to 1e-9 (METHODS 7 and 7b).

Given slopes, variances and noise the category mean is linear in z without intercept. With a the derivative of the mean
by minus the offsets,

  mu = a' (z_own - beta),  beta = C X' V^-1 z   so   d mu / d z = [a on own cells] - V^-1 X C a

minus the weights of the centre that scores are measured from (`centre`).

Belongs here: the weights, one score's observation by observation and the sums that are published. Does not belong
here: text.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import polars as pl

from methods.linked.abilities import Abilities, abilities, derivative
from methods.linked.cells import CATEGORY, Cells, Floats, Integers, summed
from methods.linked.centre import centre
from methods.linked.model import LinkedFit
from methods.linked.posterior import Posterior, solve
from warehouse.methodology import CategoryScale
from warehouse.tables_linked import OUT_LINKED_PART
from warehouse.vocabulary import CATEGORIES

_OWN: Final = "own"
_COHORT: Final = "cohort"


def weights(fit: LinkedFit, model_id: str, category: str) -> Floats:
    """(cells,) derivative of one category ability by every z of the run, in the order of `fit.cells`.

    Raises:
        KeyError: for a model without evidence in the category.
    """
    cells, posterior = fit.cells, fit.posterior
    rows = abilities(cells, posterior, fit.hyperparameters)
    number, of = cells.model_of[model_id], list(CATEGORIES).index(category)
    row = np.flatnonzero((rows.model == number) & (rows.category == of))
    if len(row) == 0:
        raise KeyError(f"{model_id} has no evidence in {category}")
    found = derivative(cells, posterior, rows, row)
    own = np.zeros(cells.count)
    own[found.cell] = found.value
    pull = _offset_pull(cells, posterior, found.cell, found.value)
    middle = centre(cells, posterior, fit.hyperparameters)
    return own - solve(cells, posterior, pull[cells.metric]) - middle.weights


def _offset_pull(cells: Cells, posterior: Posterior, cell: Integers, value: Floats) -> Floats:
    """(metrics,) C X a."""
    total = np.zeros(cells.metrics)
    for number, share in zip(cells.metric[cell].tolist(), value.tolist(), strict=True):
        total += share * posterior.cohort_covariance[number]
    return total


def linked_parts(fit: LinkedFit, scale: CategoryScale) -> pl.DataFrame:
    """`out__linked_part`: what each category's evidence adds to every linked score, own and others' apart.

    With y = V^-1 z, observations of category k add, over all models, (C a)' X_k' y; what of it the model's own cells
    add is found from their weights, so that own and cohort are exactly the two halves of the sum.
    """
    cells, posterior = fit.cells, fit.posterior
    rows = abilities(cells, posterior, fit.hyperparameters)
    chosen = np.arange(len(rows.model), dtype=np.int64)
    entries = derivative(cells, posterior, rows, chosen)
    category_of_cell = cells.levels[CATEGORY].of_cell
    source = cells.levels[CATEGORY].category[category_of_cell]
    kinds = len(CATEGORIES)
    # information of each category's observations about the offsets: X' V^-1 (z of that category alone)
    told = [
        summed(cells.metric, solve(cells, posterior, np.where(source == kind, cells.z, 0.0)), cells.metrics)
        for kind in range(kinds)
    ]
    beta = [_times(posterior.cohort_covariance, right) for right in told]
    key = entries.target * kinds + source[entries.cell]
    size = len(chosen) * kinds
    direct = summed(key, entries.value * cells.z[entries.cell], size)
    shift = np.stack(
        [summed(entries.target, entries.value * part[cells.metric[entries.cell]], len(chosen)) for part in beta]
    )
    own_shift = _own_shift(cells, posterior, rows, entries.target, entries.cell, entries.value)
    middle = centre(cells, posterior, fit.hyperparameters).weights * cells.z
    whole = summed(source, middle, kinds)
    mine = summed(cells.model * kinds + source, middle, len(cells.model_ids) * kinds).reshape(-1, kinds)[rows.model]
    own = direct.reshape(-1, kinds) - own_shift - mine
    cohort = own_shift - shift.T - (whole - mine)
    counts = np.bincount(key, minlength=size).reshape(-1, kinds)
    return _framed(cells, rows, own, cohort, counts, scale)


def _own_shift(
    cells: Cells, posterior: Posterior, rows: Abilities, target: Integers, cell: Integers, value: Floats
) -> Floats:
    """(targets, categories) what the model's own observations add to its mean through the offsets, negated."""
    kinds = len(CATEGORIES)
    found = np.zeros((len(rows.model), kinds))
    starts = np.concatenate([[0], np.cumsum(np.bincount(target, minlength=len(rows.model)))])
    source = cells.levels[CATEGORY].category[cells.levels[CATEGORY].of_cell]
    # V^-1 touches one model's cells alone: its own z, solved by themselves, category by category
    solved = [solve(cells, posterior, np.where(source == kind, cells.z, 0.0)) for kind in range(kinds)]
    for row in range(len(rows.model)):
        here = slice(int(starts[row]), int(starts[row + 1]))
        metric = cells.metric[cell[here]]
        block = posterior.cohort_covariance[metric][:, metric]
        pull = np.zeros(len(metric))
        for number, share in enumerate(value[here].tolist()):
            pull += share * block[number]
        for kind in range(kinds):
            found[row, kind] = float(np.sum(pull * solved[kind][cell[here]]))
    return found


def _times(matrix: Floats, vector: Floats) -> Floats:
    found = np.zeros(len(matrix))
    for column, share in enumerate(vector.tolist()):
        found += matrix[column] * share
    return found


def _framed(
    cells: Cells, rows: Abilities, own: Floats, cohort: Floats, counts: Integers, scale: CategoryScale
) -> pl.DataFrame:
    names = list(CATEGORIES)
    made = []
    for row, (model, category) in enumerate(zip(rows.model.tolist(), rows.category.tolist(), strict=True)):
        for kind, name in enumerate(names):
            shared = {"category": names[category], "model_id": cells.model_ids[model], "source_category": name}
            if counts[row, kind]:
                own_part = {"role": _OWN, "observations": int(counts[row, kind])}
                made.append({**shared, **own_part, "contribution": scale.slope * float(own[row, kind])})
            made.append(
                {
                    **shared,
                    "role": _COHORT,
                    "observations": None,
                    "contribution": scale.slope * float(cohort[row, kind]),
                }
            )
    return OUT_LINKED_PART.conform(pl.DataFrame(made, schema=OUT_LINKED_PART.polars_schema()))
