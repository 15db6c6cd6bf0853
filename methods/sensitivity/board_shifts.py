"""Our own board under METHODS 8: how far each category's rankings move under every lawful variant.

Belongs here: which variants meet which category, the figures and the rows. Does not belong here: what a variant does
(`variants`), the figures' definition (`methods.protocols.shifts`). Site = category, coordinate = dimension, candidate =
model, loss = minus the posterior mean; the board as published is one side, the variant the other.

The reference: the board on evidence drawn anew. Each dimension's n observations are drawn n times with replacement
(generator: `methods.statistics.keyed_random`; with D dimensions of the board in order, draw r of dimension d is
resample r D + d; observations stand by model and metric). One drawn k times counts as k equal ones, under the family
cap; z and the cohorts' statistics stay as they are. A model whose observations were not drawn is no candidate then.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import polars as pl

from methods.protocols.rank_agreement import Agreement, agreement
from methods.protocols.shifts import SiteShifts, resolution, site_shifts
from methods.sensitivity.abilities import ability_means, drawn_precision
from methods.sensitivity.cells import Cells, Floats, Integers, board_cells
from methods.sensitivity.places import Category, Dimension, categories
from methods.sensitivity.separation import separation
from methods.sensitivity.standing import Standings, category_means
from methods.sensitivity.variants import Restated, Variant, declared_variants, family_variant, own
from methods.statistics.fixed_point import SCALE
from methods.statistics.keyed_random import draws, resample_keys
from methods.statistics.quantiles import quantile, tails
from warehouse.catalog_model import Catalog
from warehouse.methodology import Methodology
from warehouse.tables_sensitivity import OUT_BOARD_SENSITIVITY, OUT_BOARD_SEPARATION, SENSITIVITY_TABLES

Row = dict[str, Any]
REFERENCE: Final = "resampled"
_RESTATED: Final = ("precision", "z")


def board_sensitivity(
    evidence: pl.DataFrame, exclusions: pl.DataFrame, results: pl.DataFrame, catalog: Catalog
) -> dict[str, pl.DataFrame]:
    """`out__board_sensitivity` and `out__board_separation` of a day (METHODS 8).

    Args:
        evidence: `core__evidence`. exclusions: `core__exclusion`. results: `core__result`. catalog: the day's.
    """
    methodology = catalog.methodology
    if not evidence.height:
        return {contract.name: contract.empty() for contract in SENSITIVITY_TABLES}
    cells = board_cells(evidence, exclusions, results, catalog)
    now = own(cells, methodology)
    declared = [(variant, variant.restate()) for variant in declared_variants(cells, methodology)]
    rows: list[Row] = []
    separated: list[Row] = []
    for category in categories(cells):
        of_variants, order = _category_rows(cells, category, now, declared, methodology)
        rows += of_variants
        separated.append(separation(category, now, order, methodology))
    return {
        "out__board_sensitivity": pl.DataFrame(rows, schema=OUT_BOARD_SENSITIVITY.polars_schema(), orient="row"),
        "out__board_separation": pl.DataFrame(separated, schema=OUT_BOARD_SEPARATION.polars_schema(), orient="row"),
    }


def _category_rows(
    cells: Cells,
    category: Category,
    now: Restated,
    declared: Sequence[tuple[Variant, Restated]],
    methodology: Methodology,
) -> tuple[list[Row], list[int]]:
    """Every variant's row of one category, and the reference's; and the numbers of its rated models, best first."""
    families = [family_variant(cells, family, now) for family in category.families]
    every = [*declared, *((variant, variant.restate()) for variant in families)]
    sides = [now, *(restated for _, restated in every)]
    fitted = [_ability(dimension, sides, methodology) for dimension in category.dimensions]
    shifts = _as_sites([one.against_the_board() for one in fitted], methodology)
    abilities = [one.over(category) for one in fitted]
    standing = Standings(category, now, category_means(abilities), methodology)
    rows: list[Row] = [
        {
            "variant": variant.id,
            "variant_kind": variant.kind,
            "meaning": variant.meaning,
            "category": category.name,
            **_figures(shifts, place),
            **standing.changes(place + 1, restated),
        }
        for place, (variant, restated) in enumerate(every)
    ]
    board = [one.means[:, :1] for one in fitted]
    return [*rows, _reference(cells, category, now, board, methodology)], standing.order


@dataclass(frozen=True)
class Fitted:
    """The abilities of one dimension under every side of a comparison; most sides leave a dimension as it is.

    Attributes:
        dimension: its cells.
        means: (models of the dimension, distinct sides) the first the board's.
        column: (sides) where each side stands among the distinct ones; the first side is the board.
    """

    dimension: Dimension
    means: Floats
    column: Integers

    def against_the_board(self) -> Agreement:
        """The board's ranking against that of every other side."""
        found = _held(self.means[:, :1], self.means)
        taken = (getattr(found, name)[self.column[1:]] for name in Agreement.__annotations__)
        return Agreement(*taken)

    def over(self, category: Category) -> Floats:
        """(models of the category, sides) NaN where a model was not measured here."""
        block = np.full((len(category.models), len(self.column)), np.nan)
        block[np.unique(self.dimension.model)] = self.means[:, self.column]
        return block


def _ability(dimension: Dimension, sides: Sequence[Restated], methodology: Methodology) -> Fitted:
    """The abilities of a dimension, each distinct side fitted once."""
    precision, z = (np.stack([getattr(side, name)[dimension.cells] for side in sides], axis=1) for name in _RESTATED)
    cohort = np.array([side.cohort_variance for side in sides])
    is_other = (precision != precision[:, :1]).any(axis=0) | (z != z[:, :1]).any(axis=0) | (cohort != cohort[0])
    distinct = np.concatenate([[0], np.flatnonzero(is_other)])
    column = np.zeros(len(sides), dtype=np.int64)
    column[distinct] = np.arange(len(distinct))
    means = ability_means(
        _dense(dimension.model), dimension.metric, precision[:, distinct], z[:, distinct], cohort[distinct],
        methodology.latent,
    )  # fmt: skip
    return Fitted(dimension, means, column)


def _dense(numbers: Integers) -> Integers:
    _, dense = np.unique(numbers, return_inverse=True)
    return dense.astype(np.int64)


def _held(board: Floats, other: Floats) -> Agreement:
    """The board's ranking of one dimension against each of several others; losses are abilities turned over."""
    return agreement(np.repeat(-board, other.shape[1], axis=1), -other)


def _as_sites(dimensions: Sequence[Agreement], methodology: Methodology) -> SiteShifts:
    """The figures of a category against each of several others: these stand as sites, dimensions as coordinates."""
    count = len(dimensions[0].balance)
    joined = Agreement(
        *(np.stack([getattr(one, name) for one in dimensions], axis=1).ravel() for name in Agreement.__annotations__)
    )
    size = count * len(dimensions)
    site = np.repeat(np.arange(count, dtype=np.int64), len(dimensions))
    whole = np.full(size, SCALE, dtype=np.int64)
    return site_shifts(joined, site, count, np.ones(size), whole, methodology.protocols.swap_share)


def _figures(shifts: SiteShifts, place: int) -> Row:
    is_defined = bool(shifts.is_defined[place])
    candidates, used = int(shifts.candidates[place]), int(shifts.used[place])
    return {
        "candidates": candidates,
        "coordinates": used,
        "pss": float(shifts.pss[place]) if is_defined else None,
        "pss_low": None,
        "pss_high": None,
        "swap_share": float(shifts.swap_share[place]) if is_defined else None,
        "is_swapped": bool(shifts.is_swapped[place]) if is_defined else None,
        "resolution": resolution(candidates, used),
        "is_resolution_exact": bool(is_defined and shifts.is_exact[place]),
        "dropped_coordinates": int(shifts.dropped[place]),
        "tied_wins": int(shifts.tied_wins[place]),
        "reason_code": None if is_defined else "no_defined_dimension",
    }


def _reference(
    cells: Cells, category: Category, now: Restated, board: Sequence[Floats], methodology: Methodology
) -> Row:
    """The board against itself on evidence drawn anew."""
    wanted = methodology.sensitivity.resamples
    drawn = [_drawn(cells, category, dimension, now, methodology) for dimension in category.dimensions]
    shifts = _as_sites([_held(one, other) for one, other in zip(board, drawn, strict=True)], methodology)
    defined = shifts.is_defined
    pss = sorted(shifts.pss[defined].tolist())
    low, high = tails(methodology.source_statistics.level)
    used = int(shifts.used.max())
    candidates = int(shifts.candidates.max())
    return {
        "variant": REFERENCE,
        "variant_kind": "reference",
        "meaning": f"the same methodology on evidence drawn anew, mean of {wanted} draws",
        "category": category.name,
        "candidates": candidates,
        "coordinates": used,
        "pss": math.fsum(pss) / len(pss) if pss else None,
        "pss_low": quantile(pss, low) if pss else None,
        "pss_high": quantile(pss, high) if pss else None,
        "swap_share": int(shifts.is_swapped[defined].sum()) / len(pss) if pss else None,
        "resolution": resolution(candidates, used),
        "is_resolution_exact": False,
        "dropped_coordinates": int(shifts.dropped.max()),
        "tied_wins": int(shifts.tied_wins.max()),
        "reason_code": None if pss else "no_defined_dimension",
    }


def _drawn(cells: Cells, category: Category, dimension: Dimension, now: Restated, methodology: Methodology) -> Floats:
    """(models of the dimension, draws) abilities of one dimension on its observations drawn anew."""
    wanted, count = methodology.sensitivity.resamples, len(dimension.cells)
    dimensions = len(cells.places)
    keys = resample_keys(methodology.seed, 0, wanted * dimensions)[dimension.place :: dimensions]
    rows = np.arange(wanted, dtype=np.int64)[:, None] * count
    flat = np.bincount((draws(keys, count) + rows).ravel(), minlength=wanted * count)
    times = flat.reshape(wanted, count).T.astype(np.int64)
    precision = drawn_precision(
        dimension.model * len(category.families) + dimension.family,
        cells.variance[dimension.cells],
        times,
        methodology.standardization.family_precision_cap,
    )
    z = np.repeat(now.z[dimension.cells][:, None], wanted, axis=1)
    cohort = np.full(wanted, now.cohort_variance)
    return ability_means(_dense(dimension.model), dimension.metric, precision, z, cohort, methodology.latent)
