"""Which results count, for which metric, and why the others do not: the exclusion codes of METHODS 3 in order.

Belongs here: eligibility of a result for a metric, its tier and its model. Does not belong here: which metric claims
a result (`matching`), duplicates among eligible rows (`methods.dedup`), statistics (`methods.scoring`).
"""

from __future__ import annotations

from typing import Final, NamedTuple

import polars as pl

from methods.catalog.corrections import apply_corrections
from methods.catalog.matching import CatalogConflict, Claim, claims, conflicts
from methods.names.registry import ModelRegistry
from methods.scoring.kept import KEPT_SCHEMA
from warehouse.catalog_model import Catalog
from warehouse.reasons import STAGE_OF
from warehouse.records import LARGEST_NUMBER
from warehouse.tables import CORE_EXCLUSION
from warehouse.vocabulary import KINDS, PERCENT_UNITS, RATING_UNIT

MISSING_TOKENS: Final = ("", "-")
"""Received texts that say that there is no value (METHODS 3); null is the third."""

CANDIDATE_SCHEMA: Final = pl.Schema(
    {**KEPT_SCHEMA, "copied_from": pl.String(), "confidence": pl.Float64(), "updated_at": pl.Datetime("us", "UTC")}
)
"""Admitted rows: what scoring reads, and the three columns that deduplication decides by."""

_CLAIM_SCHEMA: Final = pl.Schema(
    {
        "claim": pl.Int64(),
        "metric_id": pl.String(),
        "wanted_by": pl.String(),
        "missing": pl.String(),
        "status": pl.String(),
        "direction": pl.String(),
        "transform": pl.String(),
        "category": pl.String(),
        "dimension": pl.String(),
        "family": pl.String(),
        "protocol": pl.String(),
    }
)


class Admitted(NamedTuple):
    """Rows that count for a metric (`CANDIDATE_SCHEMA`, by evidence id), and the rows that do not."""

    candidates: pl.DataFrame
    exclusions: pl.DataFrame


def admit(raw_rows: pl.DataFrame, results: pl.DataFrame, catalog: Catalog) -> Admitted:
    """Judge every result for every metric that claims it (METHODS 3).

    Args:
        raw_rows: `raw__row`, for the value tokens as received.
        results: `core__result`.
        catalog: metrics, models, methodology, corrections.

    Raises:
        CatalogConflict: if two metrics claim one result in one (category, dimension) place.
    """
    claimed = claims(results, catalog)
    double = conflicts(results, claimed, catalog)
    if double:
        raise CatalogConflict("; ".join(map(str, double[:3])) + (f"; {len(double)} in all" if len(double) > 3 else ""))
    tokens = raw_rows.filter(pl.col("problem").is_null() & ~pl.col("is_duplicate")).select("entry_id", "raw_value")
    judged = (
        _corrected(results, catalog)
        .with_columns(claimed.number)
        .join(tokens, on="entry_id", how="left")
        .join(_claim_table(claimed.distinct, catalog), on="claim", how="left")
    )
    judged = _identified(judged, catalog).with_columns(reason_code=_reason()).with_columns(detail=_detail())
    return Admitted(_candidates(judged, catalog), _exclusions(judged))


def _corrected(results: pl.DataFrame, catalog: Catalog) -> pl.DataFrame:
    """Results with corrected values, and the reason in words where a correction withdraws them."""
    corrected = apply_corrections(results, catalog)
    entry = pl.col("entry_id")
    # The row's model_id and developer are the source's own words; from here on these names are the registry's.
    frame = results.rename({"model_id": "source_model_id", "developer": "source_developer"})
    if corrected.values:
        frame = frame.with_columns(
            value=entry.replace_strict(corrected.values, default=pl.col("value"), return_dtype=pl.Float64)
        )
    withdrawn = (
        entry.replace_strict(corrected.withdrawn, default=None, return_dtype=pl.String)
        if corrected.withdrawn
        else pl.lit(None, dtype=pl.String)
    )
    return frame.with_columns(withdrawn=withdrawn)


def _claim_table(distinct: tuple[Claim, ...], catalog: Catalog) -> pl.DataFrame:
    """One row per claim and metric; one for all its undecided metrics together; one where nothing claims."""
    rows: list[dict[str, object]] = []
    for number, claim in enumerate(distinct):
        for metric_id in claim.metric_ids:
            metric = catalog.metric_by_id[metric_id]
            shown = {name: getattr(metric, name) for name in _CLAIM_SCHEMA.names()[4:]}
            rows.append({"claim": number, "metric_id": metric_id, "wanted_by": metric_id, **shown})
        if claim.undecided_ids:
            metrics = [catalog.metric_by_id[metric_id] for metric_id in claim.undecided_ids]
            rows.append(
                {
                    "claim": number,
                    "metric_id": metrics[0].id if len(metrics) == 1 else None,
                    "wanted_by": ", ".join(claim.undecided_ids),
                    "missing": ", ".join(claim.missing),
                    # Several undecided metrics are shown-only, or without direction, only if all of them are.
                    "status": _all_same([metric.status for metric in metrics], "display_only", "scored"),
                    "direction": _all_same([metric.direction for metric in metrics], "unknown", "higher"),
                }
            )
        if not claim.metric_ids and not claim.undecided_ids:
            rows.append({"claim": number})
    return pl.DataFrame(rows, schema=_CLAIM_SCHEMA)


def _all_same(words: list[str], word: str, otherwise: str) -> str:
    return word if set(words) == {word} else otherwise


def _identified(judged: pl.DataFrame, catalog: Catalog) -> pl.DataFrame:
    """With the registry's model and developer, and how the name was resolved."""
    registry = ModelRegistry(catalog.models)
    names = judged.select("model", "source_developer").unique().sort("model", "source_developer")
    found = [registry.resolve(name, developer) for name, developer in names.rows()]
    developers = [
        None if resolution.model_id is None else catalog.model_by_id[resolution.model_id].developer
        for resolution in found
    ]
    resolved = names.with_columns(
        model_id=pl.Series([resolution.model_id for resolution in found], dtype=pl.String),
        developer=pl.Series(developers, dtype=pl.String),
        resolution=pl.Series([resolution.detail for resolution in found], dtype=pl.String),
    )
    return judged.join(resolved, on=["model", "source_developer"], how="left", nulls_equal=True)


def _reason() -> pl.Expr:
    """The first exclusion code that applies, null where none does: the order is METHODS 3's."""
    unit, value, raw_value = pl.col("unit"), pl.col("value"), pl.col("raw_value")
    is_percent = pl.col("transform") == "logit"
    fits = (is_percent & unit.is_in(list(PERCENT_UNITS))) | (~is_percent & (unit == RATING_UNIT))
    limit = unit.replace_strict(PERCENT_UNITS, default=None, return_dtype=pl.Float64)
    steps: list[tuple[pl.Expr, str]] = [
        (pl.col("wanted_by").is_null(), "unregistered_metric"),
        (pl.col("status") == "display_only", "display_only"),
        *((pl.col("kind") == kind, kind) for kind in KINDS if kind != "measured"),
        (pl.col("direction") == "unknown", "direction_unknown"),
        (pl.col("missing").is_not_null(), "protocol_unknown"),
        (~fits, "unit_excluded"),
        (
            value.is_null() & (raw_value.is_null() | raw_value.is_in(MISSING_TOKENS)) | _nothing_measured(),
            "value_missing",
        ),
        (value.is_null(), "value_unparseable"),
        (is_percent & ((value < 0) | (value > limit)) | (value.abs() > LARGEST_NUMBER), "value_out_of_range"),
        (pl.col("model_id").is_null(), "model_unidentified"),
        (pl.col("withdrawn").is_not_null(), "superseded"),
    ]
    chain = pl.when(steps[0][0]).then(pl.lit(steps[0][1]))
    for applies, code in steps[1:]:
        chain = chain.when(applies).then(pl.lit(code))  # type: ignore[assignment]
    return chain.otherwise(pl.lit(None, dtype=pl.String))


def _detail() -> pl.Expr:
    """Each reason in words, with what decided."""
    words: dict[str, pl.Expr] = {
        "unregistered_metric": pl.format(
            "no metric of the catalog matches benchmark {}, version {}, subset {}, metric {}",
            *(_shown(name) for name in ("benchmark", "benchmark_version", "subset", "metric")),
        ),
        "display_only": pl.format("the catalog only shows {}", "wanted_by"),
        "aggregate": pl.lit("the row says that its value aggregates other results"),
        "estimated": pl.lit("the row says that its value is estimated"),
        "inferred": pl.lit("the row says that its value is inferred"),
        "direction_unknown": pl.format("the catalog states no direction for {}", "wanted_by"),
        "protocol_unknown": pl.format(
            "{} not stated in field, setting or name; asked for by {}", "missing", "wanted_by"
        ),
        "unit_excluded": pl.format("unit {} does not fit transform {} of {}", _shown("unit"), "transform", "wanted_by"),
        "value_missing": pl.format(
            "the value received is {}{}",
            _shown("raw_value"),
            pl.when(_nothing_measured()).then(pl.lit(", of 0 samples: nothing was measured")).otherwise(pl.lit("")),
        ),
        "value_unparseable": pl.format("the value received is no finite number: {}", _shown("raw_value")),
        "value_out_of_range": pl.format(
            "{} as {} lies outside {}",
            pl.col("value"),
            pl.col("unit"),
            pl.format(
                "0 to {}", pl.col("unit").replace_strict(PERCENT_UNITS, default=None, return_dtype=pl.Int64)
            ).fill_null(f"±{LARGEST_NUMBER:g}, where arithmetic ends"),
        ),
        "model_unidentified": pl.col("resolution"),
        "superseded": pl.col("withdrawn"),
    }
    chain = pl.when(pl.col("reason_code").is_null()).then(pl.lit(""))
    for code, text in words.items():
        chain = chain.when(pl.col("reason_code") == code).then(text)  # type: ignore[assignment]
    return chain.otherwise(pl.lit(None, dtype=pl.String))


def _nothing_measured() -> pl.Expr:
    """A number that rests on no sample stands for a missing value, whatever it is (METHODS, general rules)."""
    return pl.col("n_samples").eq_missing(0)


def _shown(name: str) -> pl.Expr:
    """A received text in quotes, cut to 80 characters; null as the word."""
    return (
        pl.when(pl.col(name).is_null()).then(pl.lit("null")).otherwise(pl.format("'{}'", pl.col(name).str.slice(0, 80)))
    )


def _candidates(judged: pl.DataFrame, catalog: Catalog) -> pl.DataFrame:
    tiers = dict(catalog.methodology.evidence.source_tiers)
    admitted = judged.filter(pl.col("reason_code").is_null()).with_columns(
        evidence_id=pl.format("{}:{}", "entry_id", "metric_id"),
        tier=pl.coalesce("tier", pl.col("source_type").replace_strict(tiers, return_dtype=pl.String)),
    )
    return admitted.select(CANDIDATE_SCHEMA.names()).cast(CANDIDATE_SCHEMA).sort("evidence_id")


def _exclusions(judged: pl.DataFrame) -> pl.DataFrame:
    dropped = judged.filter(pl.col("reason_code").is_not_null()).with_columns(
        stage=pl.lit(STAGE_OF["unregistered_metric"]), kept_entry_id=pl.lit(None, dtype=pl.String)
    )
    return CORE_EXCLUSION.conform(dropped.select(CORE_EXCLUSION.columns))
