"""The board's evidence as arrays, and the rows that lost to it in deduplication (METHODS 4, 7, 8).

Belongs here: from tables to what variants change. Does not belong here: the variants (`variants`). A cell is one model
on one metric: at most one row of it counts, so that variants only choose another row, another z, another precision, or
leave it out.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from methods.catalog.corrections import apply_corrections
from methods.scoring.logit import read_values, transform_values
from warehouse.catalog_model import Catalog

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

LOSER: Final = "lower_priority_duplicate"
_STATED: Final = ("entry_id", "unit", "stderr", "copied_from", "confidence", "updated_at")


@dataclass(frozen=True)
class Cells:
    """Evidence, sorted by category, dimension, model and metric.

    Attributes:
        rows: one row a cell: category, dimension, model_id, metric_id, family, tier, value (as read in its unit),
            stderr (in the same unit, null where none), x, z, q, variance, precision, direction, transform, developer,
            entry_id, copied_from, confidence, updated_at.
        place: (cells) number of the (category, dimension); places: their names, in order.
        metric: (cells) number of the metric. metric_names: their names, in order.
        groups: (cells) what shares a family cap: (model, category, dimension, family).
        losers: rows of other cells' duplicates that lost: the same columns but x to precision, and `cell`, the number
            of the cell whose row won.
    """

    rows: pl.DataFrame
    place: Integers
    places: tuple[tuple[str, str], ...]
    metric: Integers
    metric_names: tuple[str, ...]
    groups: tuple[tuple[str, ...], ...]
    losers: pl.DataFrame
    epsilon: float

    @property
    def count(self) -> int:
        """Number of cells."""
        return self.rows.height

    @cached_property
    def stderr_x(self) -> Floats:
        """(cells) the standard error on the transformed scale; 0 where none is stated."""
        stated = self.column("stderr")
        known = np.flatnonzero(stated > 0)
        found = np.zeros(self.count)
        chosen = self.rows[known.tolist()]
        for direction, transform in (
            chosen.select("direction", "transform").unique().sort("direction", "transform").rows()
        ):
            alike = (chosen["direction"] == direction) & (chosen["transform"] == transform)
            here = known[alike.to_numpy()]
            values = self.rows["value"].to_numpy()[here]
            _, slope = transform_values(values, direction=direction, transform=transform, epsilon=self.epsilon)
            found[here] = stated[here] * slope
        return found

    @cached_property
    def variance(self) -> Floats:
        """(cells) the variance before the family cap."""
        return self.column("variance")

    def column(self, name: str) -> Floats:
        """A column of numbers; NaN where there is none."""
        values: Floats = self.rows[name].cast(pl.Float64).fill_null(np.nan).to_numpy()
        return values


def board_cells(evidence: pl.DataFrame, exclusions: pl.DataFrame, results: pl.DataFrame, catalog: Catalog) -> Cells:
    """The cells of a day's evidence.

    Args:
        evidence: `core__evidence`. exclusions: `core__exclusion`. results: `core__result`.
        catalog: directions, transforms, developers, corrections, the tier that a source type gives.
    """
    stated = results.select(*_STATED, "value", "tier", "source_type")
    rows = evidence.join(stated.select(_STATED), on="entry_id", how="left")
    rows = _described(rows, catalog).sort("category", "dimension", "model_id", "metric_id")
    rows = rows.with_columns(stderr=_in_unit(rows, "stderr")).with_row_index("cell")
    names = rows.select("category", "dimension").unique().sort("category", "dimension")
    metric_names = rows["metric_id"].unique().sort()
    placed = rows.join(names.with_row_index("place"), on=["category", "dimension"], how="left", maintain_order="left")
    return Cells(
        rows=rows.drop("cell"),
        place=placed["place"].to_numpy().astype(np.int64),
        places=tuple((str(category), str(dimension)) for category, dimension in names.rows()),
        metric=_numbers(rows["metric_id"], metric_names),
        metric_names=tuple(metric_names.to_list()),
        groups=tuple(rows.select("model_id", "category", "dimension", "family").rows()),
        losers=_losers(rows, exclusions, stated, results, catalog),
        epsilon=catalog.methodology.standardization.epsilon,
    )


def _losers(
    rows: pl.DataFrame, exclusions: pl.DataFrame, stated: pl.DataFrame, results: pl.DataFrame, catalog: Catalog
) -> pl.DataFrame:
    """What lost in deduplication to a row of the evidence; where the winner's metric is not scored, nothing changes."""
    winners = rows.select(
        "cell", "metric_id", pl.col("entry_id").alias("kept_entry_id"), "model_id", "category", "dimension", "family",
        "developer", "direction", "transform",
    )  # fmt: skip
    lost = exclusions.filter(pl.col("reason_code") == LOSER).select("entry_id", "metric_id", "kept_entry_id")
    found = lost.join(winners, on=["metric_id", "kept_entry_id"]).join(stated, on="entry_id")
    corrected = apply_corrections(results, catalog).values if catalog.corrections else {}
    if corrected:
        new = pl.col("entry_id").replace_strict(corrected, default=pl.col("value"), return_dtype=pl.Float64)
        found = found.with_columns(value=new)
    tiers = dict(catalog.methodology.evidence.source_tiers)
    found = found.with_columns(
        tier=pl.coalesce("tier", pl.col("source_type").replace_strict(tiers, return_dtype=pl.String))
    )
    return found.with_columns(value=_in_unit(found, "value"), stderr=_in_unit(found, "stderr")).sort("cell", "entry_id")


def _described(rows: pl.DataFrame, catalog: Catalog) -> pl.DataFrame:
    metric, model = pl.col("metric_id"), pl.col("model_id")
    directions = {spec.id: spec.direction for spec in catalog.metrics}
    transforms = {spec.id: spec.transform for spec in catalog.metrics}
    developers = {spec.id: spec.developer for spec in catalog.models}
    return rows.with_columns(
        direction=metric.replace_strict(directions, default=None, return_dtype=pl.String),
        transform=metric.replace_strict(transforms, default=None, return_dtype=pl.String),
        developer=model.replace_strict(developers, default=None, return_dtype=pl.String),
    )


def _in_unit(rows: pl.DataFrame, name: str) -> pl.Series:
    """A column read in its row's unit; null stays null."""
    values = rows[name].fill_null(np.nan).to_numpy().copy()
    units = rows["unit"].to_numpy()
    for unit in sorted(set(units.tolist())):
        here = (units == unit) & ~np.isnan(values)
        if here.any():
            values[here] = read_values(values[here], unit)
    return pl.Series(name, values).fill_nan(None)


def _numbers(names: pl.Series, ordered: pl.Series) -> Integers:
    numbers = names.replace_strict(ordered, pl.Series(range(ordered.len())), return_dtype=pl.Int64)
    return numbers.to_numpy().astype(np.int64)
