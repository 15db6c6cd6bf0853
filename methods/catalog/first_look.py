"""What a new leaderboard's rows would come to, before any is kept: for the person who writes its entry.

Belongs here: counts and names that show what a mapping did and what the catalog does not know yet, and the stanza to
begin with. Does not belong here: reading a source, or printing.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from methods.catalog.eligibility import MISSING_TOKENS
from methods.catalog.matching import claims, metrics_named
from methods.catalog.results import build_results
from methods.names.registry import ModelRegistry
from warehouse.catalog_model import Catalog
from warehouse.vocabulary import PERCENT_UNITS, RATING_UNIT

_PARTS = re.compile(r"[0-9]+|[^0-9]+")
PLACE = ("benchmark", "benchmark_version", "subset", "metric", "unit")


@dataclass(frozen=True, slots=True)
class Quarantined:
    """Rows that do not become a value, by reason."""

    reason: str
    rows: int
    example: str


@dataclass(frozen=True, slots=True)
class UnknownMetric:
    """Results of one kind that no metric of the catalog matches, with a stanza to edit."""

    benchmark: str
    benchmark_version: str | None
    subset: str | None
    metric: str
    unit: str
    rows: int
    lowest: float | None
    highest: float | None
    stanza: str


@dataclass(frozen=True, slots=True)
class OtherProtocol:
    """Results of a metric that the catalog knows, under a protocol that none of its entries asks for."""

    benchmark: str
    metric: str
    metric_ids: tuple[str, ...]
    rows: int


@dataclass(frozen=True, slots=True)
class UnknownModel:
    """A name that the registry does not know."""

    name: str
    rows: int
    why: str


@dataclass(frozen=True, slots=True)
class FirstLook:
    """What the rows of a source came to."""

    rows: int
    results: int
    first: tuple[dict[str, Any], ...]
    quarantined: tuple[Quarantined, ...]
    unknown_metrics: tuple[UnknownMetric, ...]
    models: int
    unknown_models: tuple[UnknownModel, ...]
    metrics: dict[str, int] = field(default_factory=dict)
    other_protocols: tuple[OtherProtocol, ...] = ()


def first_look(raw_rows: pl.DataFrame, catalog: Catalog, shown: int = 10) -> FirstLook:
    """What the received rows of one leaderboard would come to.

    Args:
        raw_rows: `raw__row` of the leaderboard, which the catalog knows.
        shown: how many of the first results to give in full.
    """
    raw_rows = raw_rows[_as_they_stand(raw_rows["row_locator"].to_list())]
    results = build_results(raw_rows, catalog)
    first = raw_rows.filter(pl.col("problem").is_null() & ~pl.col("is_duplicate")).head(shown)
    claimed = claims(results, catalog)
    known = [bool(claim.metric_ids or claim.undecided_ids) for claim in claimed.distinct]
    served = Counter(
        metric
        for number in claimed.number
        for metric in (*claimed.distinct[number].metric_ids, *claimed.distinct[number].undecided_ids)
    )
    is_known = pl.Series("known", [known[number] for number in claimed.number], dtype=pl.Boolean)
    unmatched = results.filter(~is_known)
    named = metrics_named(unmatched, catalog)
    is_named = pl.Series("named", [bool(ids) for ids in named], dtype=pl.Boolean)
    return FirstLook(
        rows=raw_rows.height,
        results=results.height,
        first=tuple({"row": row, **json.loads(text)} for row, text in first.select("row_locator", "record").rows()),
        quarantined=tuple(_quarantined(raw_rows, results)),
        unknown_metrics=tuple(_unknown_metrics(unmatched.filter(~is_named))),
        models=results["model"].n_unique(),
        unknown_models=tuple(_unknown_models(results, catalog)),
        metrics=dict(sorted(served.items())),
        other_protocols=tuple(_other_protocols(unmatched, named)),
    )


def _as_they_stand(locators: list[str]) -> list[int]:
    """Places of the rows in the order that people count: row 2 before row 10, which texts sort the other way."""
    keys = [
        [(part.isdecimal(), int(part) if part.isdecimal() else 0, part) for part in _PARTS.findall(locator)]
        for locator in locators
    ]
    return sorted(range(len(locators)), key=keys.__getitem__)


def _quarantined(raw_rows: pl.DataFrame, results: pl.DataFrame) -> list[Quarantined]:
    """Unreadable rows, repeated rows, and values that are no numbers, by reason, most first."""
    reasons: list[tuple[str, str]] = []
    tokens = raw_rows.join(results.filter(pl.col("value").is_null()).select("entry_id"), on="entry_id", how="semi")
    for locator, problem in raw_rows.filter(pl.col("problem").is_not_null()).select("row_locator", "problem").rows():
        reasons.append((re.sub(r" \(received .*", "", problem), locator))
    for (locator,) in raw_rows.filter(pl.col("is_duplicate")).select("row_locator").rows():
        reasons.append(("equal in everything to another row", locator))
    for locator, token in tokens.filter(~pl.col("is_duplicate")).select("row_locator", "raw_value").rows():
        missing = token is None or token in MISSING_TOKENS
        reasons.append(("no value" if missing else f"no number: {token[:40]!r}", locator))
    count = Counter(reason for reason, _ in reasons)
    example = dict(reversed(reasons))
    return [Quarantined(reason, rows, example[reason]) for reason, rows in count.most_common()]


def _other_protocols(unmatched: pl.DataFrame, named: list[tuple[str, ...]]) -> list[OtherProtocol]:
    counts = Counter(
        (benchmark, metric, ids)
        for (benchmark, metric), ids in zip(unmatched.select("benchmark", "metric").iter_rows(), named, strict=True)
        if ids
    )
    ordered = sorted(counts.items(), key=lambda one: (-one[1], one[0]))
    return [OtherProtocol(benchmark, metric, ids, rows) for (benchmark, metric, ids), rows in ordered]


def _unknown_metrics(unknown: pl.DataFrame) -> list[UnknownMetric]:
    grouped = unknown.group_by(*PLACE).agg(rows=pl.len(), lowest=pl.col("value").min(), highest=pl.col("value").max())
    return [
        UnknownMetric(**row, stanza=stanza(*(row[name] for name in PLACE)))
        for row in grouped.sort("rows", *PLACE, descending=[True] + [False] * len(PLACE)).rows(named=True)
    ]


def _unknown_models(results: pl.DataFrame, catalog: Catalog) -> list[UnknownModel]:
    registry = ModelRegistry(catalog.models)
    counted = results.group_by("model", "developer").agg(rows=pl.len()).sort("rows", "model", descending=[True, False])
    found = []
    for name, developer, rows in counted.rows():
        resolution = registry.resolve(name, developer)
        if resolution.model_id is None:
            found.append(UnknownModel(name, rows, resolution.detail))
    return found


def stanza(benchmark: str, version: str | None, subset: str | None, metric: str, unit: str) -> str:
    """An entry of metrics.yaml to edit: what the rows say filled in, what a person must decide left open.

    It is shown, never scored, and its direction unknown, until somebody has read what the publisher states.
    """
    transform = "identity" if unit == RATING_UNIT else "logit"
    remark = "" if unit in PERCENT_UNITS or unit == RATING_UNIT else f" Unit {_text(unit)} can be shown, never scored."
    name = "-".join(part for part in (_slug(benchmark), _slug(version or ""), _slug(subset or "")) if part)
    matcher = ", ".join(
        f"{key}: {_text(value)}"
        for key, value in (
            ("benchmark", benchmark),
            ("benchmark_version", version),
            ("subset", subset),
            ("metric", metric),
        )
    )
    metric_id = f"{name or 'benchmark'}-{_slug(metric) or 'metric'}"
    family = _text(_slug(benchmark) or "benchmark")
    return (
        f"  # {benchmark}, {metric}: what its publisher states of unit and direction, and why it counts here.{remark}\n"
        f"  - {{id: {metric_id}, category: CHOOSE, dimension: CHOOSE, family: {family},\n"
        f"     protocol: as-stated, direction: unknown, transform: {transform}, status: display_only,\n"
        f"     from: [{{{matcher}}}]}}\n"
    )


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9.]+", "-", text.casefold()).strip("-.")[:40].strip("-.")


def _text(value: str | None) -> str:
    """A value in YAML: a plain word as it is, anything else in quotes; null for none."""
    if value is None:
        return "null"
    plain = re.fullmatch(r"[A-Za-z][A-Za-z0-9_ +-]*[A-Za-z0-9+]", value) is not None
    words = {"null", "true", "false", "yes", "no", "on", "off"}
    return value if plain and value.casefold() not in words else json.dumps(value, ensure_ascii=False)
