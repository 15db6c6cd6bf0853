"""`out__linked_score`: the linked ability of every model with evidence in a category, on 3.0's columns (METHODS 7b).

Status and its counts are 3.0's own. Belongs here: score, interval, rank and rank range. Does not belong here: the
posterior (`abilities`), names and versions, which are taken from the row of 3.0 beside it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from methods.linked.abilities import Abilities, abilities, derivative
from methods.linked.cells import Cells, Integers
from methods.linked.centre import centre, centred
from methods.linked.model import LinkedFit
from methods.linked.posterior import Posterior
from methods.scoring import rank_kernels
from methods.scoring.categories import RATED, UNRATED, unclamped
from methods.scoring.loops import Loops, as_vector
from warehouse.methodology import CategoryScale
from warehouse.tables_linked import OUT_LINKED_SCORE
from warehouse.vocabulary import CATEGORIES

_FROM_BOARD = (
    "release_id", "as_of", "category", "model_id", "model_name", "developer", "status", "observed_dimensions",
    "families", "overlap_dimensions", "reason_code", "catalog_version", "methodology_version",
)  # fmt: skip
_BLOCK = 256


def linked_board(fit: LinkedFit, board: pl.DataFrame, scale: CategoryScale) -> pl.DataFrame:
    """The linked board beside 3.0's.

    Args:
        fit: the linked fit of the same evidence.
        board: `out__category_score`, which says who is rated and names everybody.
        scale: centre, slope and interval of a score.

    Raises:
        KeyError: if the fit and the board know different models.
    """
    cells, posterior = fit.cells, fit.posterior
    rows = abilities(cells, posterior, fit.hyperparameters)
    shown = centred(cells, posterior, rows, centre(cells, posterior, fit.hyperparameters))
    names = list(CATEGORIES)
    place = {
        (names[category], cells.model_ids[model]): row
        for row, (model, category) in enumerate(zip(rows.model.tolist(), rows.category.tolist(), strict=True))
    }
    made = [_row(one, place[one["category"], one["model_id"]], shown, scale) for one in _known(board)]
    for category in sorted({one["category"] for one in made}):
        rated = [one for one in made if one["category"] == category and one["status"] == RATED]
        rated.sort(key=lambda one: _order(one, scale))
        chosen = np.array([place[category, one["model_id"]] for one in rated], dtype=np.int64)
        # the centre is common to both sides of a difference, and so no part of it
        low, high = _rank_ranges(cells, posterior, rows, chosen, scale.interval_z)
        for rank, one in enumerate(rated):
            one.update(rank=rank + 1, rank_low=low[rank], rank_high=high[rank])
    return OUT_LINKED_SCORE.conform(pl.DataFrame(made, schema=OUT_LINKED_SCORE.polars_schema()))


def _known(board: pl.DataFrame) -> list[dict[str, Any]]:
    return board.select(_FROM_BOARD).sort("category", "model_id").rows(named=True)


def _row(one: dict[str, Any], row: int, rows: Abilities, scale: CategoryScale) -> dict[str, Any]:
    mu, variance = float(rows.mean[row]), float(rows.variance[row])
    sigma = float(np.sqrt(variance))
    reach, is_shown = scale.interval_z * sigma, one["status"] != UNRATED

    def clamped(value: float) -> float | None:
        return min(max(unclamped(value, scale), scale.lowest), scale.highest) if is_shown else None

    return {
        **one,
        "score": clamped(mu),
        "low80": clamped(mu - reach),
        "high80": clamped(mu + reach),
        "mu": mu,
        "sigma": sigma,
        "effective_coverage": min(max(1.0 - variance / float(rows.prior_variance[row]), 0.0), 1.0),
        "rank": None,
        "rank_low": None,
        "rank_high": None,
    }


def _order(one: dict[str, Any], scale: CategoryScale) -> tuple[float, float, float, str]:
    """3.0's order: mu, coverage, lower bound, all descending, then model id."""
    return (-one["mu"], -one["effective_coverage"], -(one["mu"] - scale.interval_z * one["sigma"]), one["model_id"])


def _rank_ranges(
    cells: Cells, posterior: Posterior, rows: Abilities, chosen: Integers, interval_z: float
) -> tuple[list[int], list[int]]:
    """As 3.0's: who is surely better or worse by the 80% interval of the difference, covariance included.

    Two models share nothing but the offsets, so the covariance of their means is a' C a' of their derivatives.
    """
    count = len(chosen)
    found = derivative(cells, posterior, rows, chosen)
    start = np.concatenate([[0], np.cumsum(np.bincount(found.target, minlength=count))]).astype(np.int64)
    metric = cells.metric[found.cell]
    loops = Loops.for_work(count * (len(metric) + count) + cells.metrics * len(metric))
    better, worse = loops.vector(count), loops.vector(count)
    loaded = (loops.load(start), loops.load(metric), loops.load(found.value), loops.load(posterior.cohort_covariance))
    image = loops.vector(cells.metrics)
    mean, spread = loops.load(rows.mean[chosen]), loops.load(rows.variance[chosen])
    for first in range(0, count, _BLOCK):
        end = min(first + _BLOCK, count)
        pairs = loops.matrix(end - first, count)
        loops.run(rank_kernels.add_covariances, *loaded, cells.metrics, image, first, end, count, pairs)
        loops.run(rank_kernels.count_sure, mean, spread, interval_z, first, end, count, pairs, better, worse)
    low = [1 + int(surely) for surely in as_vector(better)]
    high = [count - int(surely) for surely in as_vector(worse)]
    return low, high
