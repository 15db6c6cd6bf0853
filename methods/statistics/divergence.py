"""How far apart several sources put one model on one benchmark, measured against their own errors (METHODS 6, ours).

Belongs here: which values meet, how many standard errors lie between them, what differs and what nobody states. Does
not belong here: aligned pairs and claims about a source (`source_difference`). A divergence is a surface difference:
it says where to look, not who is right.

Two results meet where they are of one registered model and either serve one registered metric (or would, were a
protocol field stated), or name benchmark, version, subset and metric alike, and where they come from different boards
or different source types. Copies, ratings, and everything not measured take no part, and are counted.

Standard errors apart = |a - b| / sqrt(SE_a^2 + SE_b^2). It takes the two errors as independent. Two runs over the same
questions err together, so the true figure is rather larger than the one given.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final, NamedTuple

import polars as pl

from methods.names.registry import ModelRegistry
from methods.statistics.aligned import metrics_of, model_of
from methods.statistics.percentage_points import percentage
from methods.statistics.standard_errors import StandardError, standard_error
from methods.statistics.stated_fields import FieldComparison, FieldReader, Stated, compare_fields, folded
from warehouse.catalog_model import Catalog
from warehouse.identity import pair_id
from warehouse.pairing_words import direction_of
from warehouse.statistics_words import UncomparedReason
from warehouse.tables_statistics import OUT_SOURCE_DIVERGENCE
from warehouse.vocabulary import PROTOCOL_FIELDS, SOURCE_TYPES

RESULT_COLUMNS: Final = (
    "entry_id", "leaderboard", "benchmark", "benchmark_version", "subset", "metric", "unit", "value", "stderr",
    "n_samples", "kind", "model", "developer", "source_type", "copied_from", "setting",
    *(f"protocol_{name}" for name in PROTOCOL_FIELDS), "protocol_extra",
)  # fmt: skip
"""The columns of `core__result` that divergence reads."""


class Divergence(NamedTuple):
    """The `out__source_divergence` table, and how many results are compared with none, by reason."""

    table: pl.DataFrame
    uncompared: dict[UncomparedReason, int]


@dataclass(frozen=True, slots=True)
class ComparedResult:
    """A result that can be held against another source's.

    Attributes:
        row: its columns of `core__result`.
        model_id: the registry's.
        metric_ids: registered metrics it serves or would serve.
        points: its value in percent.
        error: its standard error, if any can be stated.
        stated: what it states about how it was measured.
    """

    row: Mapping[str, Any]
    model_id: str
    metric_ids: tuple[str, ...]
    points: Decimal
    error: StandardError | None
    stated: Stated

    @property
    def source(self) -> tuple[str, str]:
        """Where the value comes from: board and source type."""
        return self.row["leaderboard"], self.row["source_type"]


def source_divergence(results: pl.DataFrame, registry: ModelRegistry, catalog: Catalog) -> Divergence:
    """Every meeting of values from two sources, the most standard errors apart first (METHODS 6).

    Args:
        results: `core__result`.
        registry: finds the model of a row.
        catalog: metrics, applicable fields, what alignment asks for, the level's normal quantile.
    """
    reader = FieldReader(catalog)
    compared, uncompared = _readable(results, registry, catalog, reader)
    rows = [_meeting(a, b, reader) for a, b in _meetings(compared)]
    rows.sort(key=_order)
    for place, row in enumerate(rows, start=1):
        row["place"] = place
    table = pl.DataFrame(rows, schema=OUT_SOURCE_DIVERGENCE.polars_schema(), orient="row")
    return Divergence(OUT_SOURCE_DIVERGENCE.conform(table), uncompared)


def _readable(
    results: pl.DataFrame, registry: ModelRegistry, catalog: Catalog, reader: FieldReader
) -> tuple[list[ComparedResult], dict[UncomparedReason, int]]:
    z = catalog.methodology.source_statistics.level_z
    ordered = results.sort("entry_id")
    compared: list[ComparedResult] = []
    uncompared: Counter[UncomparedReason] = Counter()
    rows = ordered.select(RESULT_COLUMNS).iter_rows(named=True)
    for row, metric_ids in zip(rows, metrics_of(ordered, catalog), strict=True):
        value = percentage(row["value"], row["unit"])
        model = model_of(row, registry)
        reason: UncomparedReason | None = None
        if (row["copied_from"] or "").strip():
            reason = "copy"
        elif row["kind"] != "measured":
            reason = "not_measured"
        else:
            reason = value.reason or (None if model else "model_unidentified")
        if reason or model is None or value.points is None:
            uncompared[reason or "model_unidentified"] += 1
            continue
        error = standard_error(value.points, row["unit"], row["stderr"], row["n_samples"], z)
        compared.append(ComparedResult(row, model, metric_ids, value.points, error, reader.stated(row)))
    return compared, dict(sorted(uncompared.items()))


def _meetings(compared: Sequence[ComparedResult]) -> Iterator[tuple[ComparedResult, ComparedResult]]:
    """Each pair that meets, once: the row subtracted from first."""
    groups: dict[tuple[str, ...], list[int]] = {}
    for number, result in enumerate(compared):
        row = result.row
        names = (row["benchmark"], row["benchmark_version"] or "", row["subset"] or "", row["metric"])
        groups.setdefault((result.model_id, *map(folded, names)), []).append(number)
        for metric in result.metric_ids:
            groups.setdefault((result.model_id, metric), []).append(number)
    met: set[tuple[int, int]] = set()
    for members in groups.values():
        for place, one in enumerate(members):
            met.update((one, other) for other in members[place + 1 :] if compared[one].source != compared[other].source)
    for one, other in sorted(met):
        a, b = compared[one], compared[other]
        later = SOURCE_TYPES.index(b.row["source_type"]) > SOURCE_TYPES.index(a.row["source_type"])
        yield (b, a) if later else (a, b)


def _meeting(a: ComparedResult, b: ComparedResult, reader: FieldReader) -> dict[str, Any]:
    fields = compare_fields(
        a.stated, b.stated, reader.asked, reader.applicable((a.row["benchmark"], b.row["benchmark"]))
    )
    shared = [metric for metric in a.metric_ids if metric in b.metric_ids]
    types = a.row["source_type"], b.row["source_type"]
    apart = _standard_errors(a, b)
    row: dict[str, Any] = {
        "place": None,
        "pair_id": pair_id(a.row["entry_id"], b.row["entry_id"]),
        "model_id": a.model_id,
        "benchmark": a.row["benchmark"],
        "metric": a.row["metric"],
        "metric_id": shared[0] if shared else None,
        "direction": direction_of(*types) if types[0] != types[1] else None,
        "difference_pp": float(a.points - b.points),
        "standard_errors": apart,
        "differing_fields": list(fields.differing),
        "unstated_fields": list(fields.unstated),
        "reason_code": "no_error_stated" if apart is None else None,
        "scope": _scope(fields),
    }
    for side, result in (("a", a), ("b", b)):
        row[f"entry_id_{side}"] = result.row["entry_id"]
        row[f"leaderboard_{side}"], row[f"source_type_{side}"] = result.source
        row[f"value_{side}_pp"] = float(result.points)
        row[f"stderr_{side}_pp"] = result.error.points if result.error else None
        row[f"error_basis_{side}"] = result.error.basis if result.error else None
    return row


def _standard_errors(a: ComparedResult, b: ComparedResult) -> float | None:
    if a.error is None or b.error is None:
        return None
    together = math.sqrt(a.error.points * a.error.points + b.error.points * b.error.points)
    return float(abs(a.points - b.points)) / together


def _scope(fields: FieldComparison) -> str:
    known = f"differing: {', '.join(fields.differing)}" if fields.differing else "no stated field differs"
    unknown = f"not stated on both sides: {', '.join(fields.unstated)}" if fields.unstated else "all asked-for stated"
    return f"A surface difference; {known}; {unknown}. No claim about the source."


def _order(row: Mapping[str, Any]) -> tuple[bool, float, float, str]:
    apart = row["standard_errors"]
    return apart is None, -(apart or 0.0), -abs(row["difference_pp"]), row["pair_id"]
