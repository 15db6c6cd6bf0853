"""Which registered metrics a result serves: matchers on exact strings, protocol fields held to a value (METHODS 3).

Belongs here: the three answers of a matcher (serves, does not, cannot be told) and the conflicts between entries of
the catalog. Does not belong here: what excludes a result that a metric claims (`methods.catalog.eligibility`).
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, NamedTuple

import polars as pl

from methods.names.name_states import states_of
from methods.names.state_budget import effort_of, steps_of
from warehouse.catalog_model import Catalog
from warehouse.metric_model import Matcher, MetricSpec

PLACE_FIELDS: Final = ("leaderboard", "benchmark", "benchmark_version", "subset", "metric")
"""The received fields that a matcher holds to exact strings."""

_EXTRA: Final = "extra."

Rule = tuple[MetricSpec, Matcher]
_Index = Mapping[tuple[str | None, str | None], Sequence[Rule]]


class CatalogConflict(ValueError):  # noqa: N818 - the name says what the catalog holds
    """Two entries of the metric catalog claim one result in one (category, dimension) place."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What the catalog says of a result.

    Attributes:
        metric_ids: metrics it serves, sorted.
        undecided_ids: metrics that would claim it, were a protocol field stated that is not; sorted.
        missing: those fields, sorted.
    """

    metric_ids: tuple[str, ...] = ()
    undecided_ids: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


class Claims(NamedTuple):
    """The distinct claims, and for each result (in its order) the number of its own."""

    distinct: tuple[Claim, ...]
    number: pl.Series


@dataclass(frozen=True, slots=True)
class Ambiguity:
    """A result that two or more metrics of one (category, dimension) place claim."""

    entry_id: str
    category: str
    dimension: str
    metric_ids: tuple[str, ...]

    def __str__(self) -> str:
        """The conflict in words."""
        return (
            f"entry {self.entry_id} is claimed by {' and '.join(self.metric_ids)}, "
            f"both in {self.category}/{self.dimension}"
        )


def claims(results: pl.DataFrame, catalog: Catalog) -> Claims:
    """What the metric catalog says of each row of `core__result`.

    A metric serves a result if one of its matchers agrees in full. A matcher whose exact strings agree and whose
    `match` or `requires` field is not stated leaves its metric undecided, unless another matcher of it agrees; a
    field stated otherwise means that the matcher does not apply.
    """
    index = _index(catalog.metrics)
    levels = catalog.methodology.names.effort_levels
    numbers: dict[Claim, int] = {}
    number = [0] * results.height
    places = results.select(*PLACE_FIELDS).with_row_index("position").group_by(*PLACE_FIELDS).agg("position")
    for *place, positions in places.iter_rows():
        rules = _rules_at(place, index)
        fields = sorted({name for _, matcher in rules for name in (*matcher.match, *matcher.requires)})
        if not fields:
            claim_number = numbers.setdefault(_claim(rules, {}), len(numbers))
            for position in positions:
                number[position] = claim_number
            continue
        known: dict[tuple[object, ...], int] = {}
        for position, values in zip(positions, _inputs(results, positions, fields), strict=True):
            found = known.get(values)
            if found is None:
                found = numbers.setdefault(_claim(rules, _stated(fields, values, levels)), len(numbers))
                known[values] = found
            number[position] = found
    return Claims(tuple(numbers), pl.Series("claim", number, dtype=pl.Int64))


def metrics_named(results: pl.DataFrame, catalog: Catalog) -> list[tuple[str, ...]]:
    """For each row of `core__result`, the metrics whose exact strings agree with it, whatever protocol it states."""
    index = _index(catalog.metrics)
    known: dict[tuple[str | None, ...], tuple[str, ...]] = {}
    for place in results.select(*PLACE_FIELDS).unique().iter_rows():
        known[place] = tuple(sorted({metric.id for metric, _ in _rules_at(place, index)}))
    return [known[place] for place in results.select(*PLACE_FIELDS).iter_rows()]


def ambiguous(results: pl.DataFrame, catalog: Catalog) -> list[Ambiguity]:
    """Results that two metrics claim in one (category, dimension) place, in order of entry id: catalog errors."""
    return conflicts(results, claims(results, catalog), catalog)


def conflicts(results: pl.DataFrame, claimed: Claims, catalog: Catalog) -> list[Ambiguity]:
    """`ambiguous`, from claims at hand."""
    double = {number: _double(claim, catalog) for number, claim in enumerate(claimed.distinct)}
    bad = [number for number, places in double.items() if places]
    rows = results.select("entry_id").with_columns(claimed.number).filter(pl.col("claim").is_in(bad)).sort("entry_id")
    return [
        Ambiguity(entry, category, dimension, ids)
        for entry, number in rows.rows()
        for (category, dimension), ids in double[number]
    ]


def _double(claim: Claim, catalog: Catalog) -> list[tuple[tuple[str, str], tuple[str, ...]]]:
    places: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for metric_id in claim.metric_ids:
        metric = catalog.metric_by_id[metric_id]
        places[metric.category, metric.dimension].append(metric_id)
    return [(place, tuple(ids)) for place, ids in sorted(places.items()) if len(ids) > 1]


def _index(metrics: Iterable[MetricSpec]) -> _Index:
    index: defaultdict[tuple[str | None, str | None], list[Rule]] = defaultdict(list)
    for metric in metrics:
        for matcher in metric.from_:
            index[matcher.benchmark, matcher.metric].append((metric, matcher))
    return index


def _rules_at(place: Sequence[str | None], index: _Index) -> list[Rule]:
    """The rules whose exact strings agree with a place."""
    leaderboard, benchmark, version, subset, metric = place
    return [
        (spec, matcher)
        for spec, matcher in index.get((benchmark, metric), ())
        if matcher.leaderboard in {None, leaderboard}
        and (not matcher.constrains_version or matcher.benchmark_version == version)
        and (not matcher.constrains_subset or matcher.subset == subset)
    ]


def _claim(rules: Sequence[Rule], stated: Mapping[str, object]) -> Claim:
    """The claim of rules on a result that states these protocol fields (None: not stated)."""
    served: set[str] = set()
    missing: defaultdict[str, set[str]] = defaultdict(set)
    for metric, matcher in rules:
        if any(stated[name] is not None and not _equal(stated[name], value) for name, value in matcher.match.items()):
            continue
        unstated = {name for name in (*matcher.match, *matcher.requires) if stated[name] is None}
        if unstated:
            missing[metric.id] |= unstated
        else:
            served.add(metric.id)
    undecided = sorted(set(missing) - served)
    fields = {name for metric_id in undecided for name in missing[metric_id]}
    return Claim(tuple(sorted(served)), tuple(undecided), tuple(sorted(fields)))


def _equal(stated: object, wanted: int | str) -> bool:
    """Whether a stated value is the wanted one; a number is never a text, a boolean neither."""
    if isinstance(stated, bool) or isinstance(stated, str) != isinstance(wanted, str):
        return False
    return stated == wanted


def _inputs(results: pl.DataFrame, positions: list[int], fields: Sequence[str]) -> Iterable[tuple[object, ...]]:
    """For each position: the columns its fields are read from, setting and name last."""
    columns = ["protocol_extra" if name.startswith(_EXTRA) else f"protocol_{name}" for name in fields]
    return (
        results[positions]
        .select(*(pl.col(column).alias(str(place)) for place, column in enumerate(columns)), "setting", "model")
        .iter_rows()
    )


def _stated(fields: Sequence[str], values: tuple[Any, ...], levels: Sequence[str]) -> dict[str, object]:
    """What a row states in each field: the field itself, else (steps, effort) the setting, else the name.

    An empty text states nothing.
    """
    *received, setting, model = values
    stated = [None if isinstance(value, str) and not value.strip() else value for value in received]
    named = states_of(model) if model else {}
    found: dict[str, object] = {}
    for name, value in zip(fields, stated, strict=True):
        if name.startswith(_EXTRA):
            key = name.removeprefix(_EXTRA)
            own = _extra(value).get(key) if value is not None else None
            found[name] = named.get(key) if own is None or (isinstance(own, str) and not own.strip()) else own
        elif name == "steps":
            found[name] = steps_of(value, setting, model)
        elif name == "effort":
            # A field that states no level of the methodology's ("none", "16k tokens") is stated all the same.
            found[name] = effort_of(value, setting, model, levels) or value or named.get(name)
        else:
            found[name] = named.get(name) if value is None else value
    return found


@lru_cache(maxsize=4096)
def _extra(text: str) -> dict[str, object]:
    loaded: dict[str, object] = json.loads(text)
    return loaded
