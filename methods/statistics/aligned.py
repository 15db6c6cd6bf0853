"""From aligned pairs to differences in percentage points: oriented, flipped where lower is better (METHODS 6).

Belongs here: reading both rows of a pair, and the pairs that enter no number, with the reason. Does not belong here:
what makes a pair aligned (`methods.pairing`), statistics of the differences (`source_difference`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, NamedTuple

import polars as pl

from methods.catalog.matching import claims
from methods.names import normalize
from methods.names.registry import ModelRegistry
from methods.statistics.percentage_points import percentage
from warehouse.catalog_model import Catalog
from warehouse.statistics_words import LeftOutReason
from warehouse.vocabulary import SOURCE_TYPES


@dataclass(frozen=True, slots=True)
class AlignedDifference:
    """One aligned pair's difference.

    Attributes:
        pair_id: the pair.
        direction: as `warehouse.pairing_words.direction_of` names it.
        model: the registry's id, else the normalized name: what is resampled and counted as one model.
        points: value of the first source type minus value of the second, percentage points, higher being better.
    """

    pair_id: str
    direction: str
    model: str
    points: Decimal


@dataclass(frozen=True, slots=True)
class LeftOut:
    """An aligned pair that enters no number, and why."""

    pair_id: str
    direction: str
    reason: LeftOutReason


class AlignedDifferences(NamedTuple):
    """The differences of aligned pairs, and the pairs left out; both in order of pair id."""

    differences: list[AlignedDifference]
    left_out: list[LeftOut]


def aligned_differences(
    pairs: pl.DataFrame, results: pl.DataFrame, registry: ModelRegistry, catalog: Catalog
) -> AlignedDifferences:
    """The differences of the pairs decided `aligned` (METHODS 6).

    Left out are: ratings and other units (`unit_excluded`), a value that is missing or no fraction, metrics of which
    the catalog does not say whether higher is better (`direction_unknown`), and pairs whose rows are two different
    models of the registry (`models_differ`).

    Args:
        pairs: `core__candidate_pair`.
        results: `core__result`; holds both rows of every pair.
        registry: finds the model of a row.
        catalog: says which direction a metric has.

    Raises:
        KeyError: where a pair names a row that `results` does not hold.
    """
    aligned = pairs.filter(pl.col("decision") == "aligned").sort("pair_id")
    entries = pl.concat([aligned["entry_id_a"], aligned["entry_id_b"]]).unique()
    needed = results.filter(pl.col("entry_id").is_in(entries.implode())).sort("entry_id")
    rows = {row["entry_id"]: row for row in needed.iter_rows(named=True)}
    signs = _signs(needed, catalog)
    kept: list[AlignedDifference] = []
    left_out: list[LeftOut] = []
    for pair_id, direction, *ids in aligned.select("pair_id", "direction", "entry_id_a", "entry_id_b").rows():
        second, first = sorted(ids, key=lambda entry: SOURCE_TYPES.index(rows[entry]["source_type"]))
        read = _difference(rows[first], rows[second], {signs[first], signs[second]}, registry)
        if isinstance(read, tuple):
            kept.append(AlignedDifference(pair_id, direction, *read))
        else:
            left_out.append(LeftOut(pair_id, direction, read))
    return AlignedDifferences(kept, left_out)


def _difference(
    first: Mapping[str, Any], second: Mapping[str, Any], signs: set[int | None], registry: ModelRegistry
) -> tuple[str, Decimal] | LeftOutReason:
    values = [percentage(row["value"], row["unit"]) for row in (first, second)]
    for value in values:
        if value.reason:
            return value.reason
    a, b = (value.points for value in values)
    sign = signs.pop() if len(signs) == 1 else None
    if sign is None or a is None or b is None:
        return "direction_unknown"
    models = sorted({found for row in (first, second) if (found := model_of(row, registry))})
    if len(models) > 1:
        return "models_differ"
    return models[0] if models else f"name:{normalize(first['model'])}", sign * (a - b)


def model_of(row: Mapping[str, Any], registry: ModelRegistry) -> str | None:
    """The registry's model of a row of `core__result`; None where none, or several, answer to its name."""
    return registry.resolve(row["model"], row["developer"]).model_id


def metrics_of(results: pl.DataFrame, catalog: Catalog) -> list[tuple[str, ...]]:
    """For each row, the registered metrics it serves, or would serve were a protocol field stated; sorted."""
    claimed = claims(results, catalog)
    ids = [tuple(sorted({*claim.metric_ids, *claim.undecided_ids})) for claim in claimed.distinct]
    return [ids[number] for number in claimed.number]


def _signs(results: pl.DataFrame, catalog: Catalog) -> dict[str, int | None]:
    """By entry id: 1 where higher is better, -1 where lower is, None where the catalog does not say, or both."""
    return {
        entry: _sign([catalog.metric_by_id[name].direction for name in metrics])
        for entry, metrics in zip(results["entry_id"], metrics_of(results, catalog), strict=True)
    }


def _sign(directions: Sequence[str]) -> int | None:
    stated = set(directions)
    return {"higher": 1, "lower": -1}.get(stated.pop()) if len(stated) == 1 else None
