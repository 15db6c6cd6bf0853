"""The observations of all categories as sorted arrays, and the tree of effects over them (METHODS 7b).

A model's results hang together in a tree: the model, its categories, their dimensions, the benchmark families within a
dimension, and under these the single results ("cells"). Every level has one random effect a node, and all results
under a node share it. Belongs here: the arrays and their order. Does not belong here: any variance or posterior.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from warehouse.vocabulary import CATEGORIES, TIERS

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

LEVELS: Final = 4
"""Levels of effects: model, category, dimension, family within the dimension."""
MODEL, CATEGORY, DIMENSION, FAMILY = range(LEVELS)
PLACES: Final = tuple((category, dimension) for category, four in CATEGORIES.items() for dimension in four)
"""Every (category, dimension), in the order of the vocabulary."""


def summed(number: Integers, values: Floats, size: int) -> Floats:
    """(size,) sums of the values of each number, added in the order given."""
    return np.bincount(number, values, size).astype(np.float64, copy=False)


@dataclass(frozen=True)
class Level:
    """The nodes of one level of the tree, in the order of the cells under them.

    Attributes:
        of_cell: (cells,) node above each cell.
        parent: (nodes,) node of the level above; -1 at the top.
        category: (nodes,) number of the category; -1 at the top, which belongs to none.
    """

    of_cell: Integers
    parent: Integers
    category: Integers

    @property
    def nodes(self) -> int:
        """Number of nodes."""
        return len(self.parent)

    def sum_cells(self, values: Floats) -> Floats:
        """(nodes,) sums over the cells under each node, in the order of the cells."""
        return summed(self.of_cell, values, self.nodes)


@dataclass(frozen=True)
class Cells:
    """Observations sorted by model, category, dimension, family, metric.

    Attributes:
        model_ids: (models) sorted. metric_ids: (metrics) sorted. families: (families) sorted.
        model, metric, family: (cells,) numbers among these. place: (cells,) number among `PLACES`.
        tier: (cells,) number among `TIERS`.
        quality: (cells,) q of METHODS 7.
        z: (cells,) standardized value.
        rows: (cells,) row of the frame that each cell came from.
        levels: the four levels of the tree, the model's first.
    """

    model_ids: tuple[str, ...]
    metric_ids: tuple[str, ...]
    families: tuple[str, ...]
    model: Integers
    metric: Integers
    place: Integers
    family: Integers
    tier: Integers
    quality: Floats
    z: Floats
    rows: Integers
    levels: tuple[Level, ...]

    @property
    def count(self) -> int:
        """Number of observations."""
        return len(self.z)

    @property
    def metrics(self) -> int:
        """Number of metrics."""
        return len(self.metric_ids)

    @cached_property
    def start(self) -> Integers:
        """(models + 1,) position at which each model's cells begin."""
        return np.concatenate([[0], np.cumsum(np.bincount(self.model, minlength=len(self.model_ids)))]).astype(np.int64)

    @cached_property
    def metric_of(self) -> dict[str, int]:
        """Number of each metric."""
        return {metric_id: number for number, metric_id in enumerate(self.metric_ids)}

    @cached_property
    def model_of(self) -> dict[str, int]:
        """Number of each model."""
        return {model_id: number for number, model_id in enumerate(self.model_ids)}


def arrange(evidence: pl.DataFrame) -> Cells:
    """The cells of a frame, whatever the order of its rows.

    Args:
        evidence: `core__evidence`, or its columns model_id, metric_id, category, dimension, family, tier, q, z.

    Raises:
        ValueError: if a model stands twice on one metric, or a z or q is not finite, or a q not positive.
    """
    columns = ("model_id", "metric_id", "category", "dimension", "family", "tier", "q", "z")
    numbered = evidence.select(columns).with_row_index("row")
    if numbered.select("model_id", "metric_id").is_duplicated().any():
        raise ValueError("a model stands twice on one metric")
    category = {name: number for number, name in enumerate(CATEGORIES)}
    places = {pair: number for number, pair in enumerate(PLACES)}
    rows = numbered.with_columns(
        at=pl.Series([places[pair] for pair in numbered.select("category", "dimension").rows()], dtype=pl.Int64),
        of=pl.Series([category[name] for name in numbered["category"]], dtype=pl.Int64),
    ).sort("model_id", "at", "family", "metric_id")
    z, quality = rows["z"].to_numpy(), rows["q"].to_numpy()
    if not (np.all(np.isfinite(z)) and np.all(np.isfinite(quality)) and np.all(quality > 0.0)):
        raise ValueError("z must be finite, q positive and finite")
    model_ids, model = _numbered(rows["model_id"])
    metric_ids, metric = _numbered(rows["metric_id"])
    families, family = _numbered(rows["family"])
    place, of = rows["at"].to_numpy(), rows["of"].to_numpy()
    tiers = {name: number for number, name in enumerate(TIERS)}
    return Cells(
        model_ids=model_ids,
        metric_ids=metric_ids,
        families=families,
        model=model,
        metric=metric,
        place=place,
        family=family,
        tier=np.array([tiers[name] for name in rows["tier"]], dtype=np.int64),
        quality=quality,
        z=z,
        rows=rows["row"].to_numpy().astype(np.int64),
        levels=_tree(model, of, place, family),
    )


def _tree(model: Integers, category: Integers, place: Integers, family: Integers) -> tuple[Level, ...]:
    keys: tuple[Sequence[Integers], ...] = ((model,), (model, category), (model, place), (model, place, family))
    levels: list[Level] = []
    for depth, key in enumerate(keys):
        is_first = np.ones(len(model), dtype=bool)
        if len(model):
            is_first[1:] = np.any([np.diff(part) != 0 for part in key], axis=0)
        of_cell = (np.cumsum(is_first) - 1).astype(np.int64)
        parent = levels[-1].of_cell[is_first] if levels else np.full(int(is_first.sum()), -1, dtype=np.int64)
        of = category[is_first] if depth else np.full(int(is_first.sum()), -1, dtype=np.int64)
        levels.append(Level(of_cell, parent, of))
    return tuple(levels)


def _numbered(column: pl.Series) -> tuple[tuple[str, ...], Integers]:
    names = column.unique().sort()
    numbers = column.replace_strict(names, pl.Series(range(len(names))), return_dtype=pl.Int64).to_numpy()
    return tuple(names.to_list()), numbers
