"""The count that nothing was lost: every received row ends in evidence or in an exclusion (METHODS, general rules).

Belongs here: the account itself. Does not belong here: the gate that judges it (`checks`).
"""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from methods.catalog.matching import claims
from warehouse.catalog_model import Catalog


@dataclass(frozen=True, slots=True)
class ConservationCount:
    """The account of received rows.

    Attributes:
        received: rows of `raw__row`.
        evidence_rows: those of them that stand in evidence for at least one metric.
        excluded_rows: those of them with at least one exclusion; a row may count in both, for different metrics.
        unaccounted: what does not add up, as "leaderboard row_locator: what is wrong", sorted; empty when all is well.
    """

    received: int
    evidence_rows: int
    excluded_rows: int
    unaccounted: list[str]


_ROW = ("leaderboard", "snapshot_sha256", "row_locator")


def conservation(
    raw_rows: pl.DataFrame,
    results: pl.DataFrame,
    evidence: pl.DataFrame,
    exclusions: pl.DataFrame,
    catalog: Catalog | None = None,
) -> ConservationCount:
    """Account for every received row.

    A row is accounted for if it stands in evidence or in an exclusion; one (row, metric) stands in one of them only;
    a readable row that is no duplicate is a result; and no evidence, exclusion or result comes from nowhere.

    Args:
        raw_rows, results, evidence, exclusions: the four tables of one day.
        catalog: if given, every metric that claims a result is accounted for by itself.
    """
    faults: list[pl.DataFrame] = []
    rows = raw_rows.select(*_ROW, "entry_id", "problem", "is_duplicate")
    original = rows.filter(pl.col("problem").is_null() & ~pl.col("is_duplicate")).select("entry_id", *_ROW)
    used = evidence.select("entry_id", "metric_id").join(original, on="entry_id", how="left")
    faults.append(_fault(used.filter(pl.col("row_locator").is_null()), "evidence without a received row"))
    in_evidence = used.select(_ROW).unique()
    excluded = exclusions.select(_ROW).unique()

    faults.append(_fault(excluded.join(rows, on=_ROW, how="anti"), "an exclusion without a received row"))
    lost = rows.join(in_evidence, on=_ROW, how="anti").join(excluded, on=_ROW, how="anti")
    faults.append(_fault(lost, "neither in evidence nor excluded"))
    faults.append(_fault(original.join(results, on="entry_id", how="anti"), "readable, but no result"))
    faults.append(_fault(results.join(original, on="entry_id", how="anti"), "a result without a received row"))

    judged = exclusions.filter(pl.col("entry_id").is_not_null()).select(*_ROW, "entry_id", "metric_id")
    twice = used.join(judged.select(*_ROW, "metric_id"), on=[*_ROW, "metric_id"], how="inner")
    faults.append(_fault(twice, "in evidence and excluded for one metric"))
    if catalog is not None:
        faults.append(_fault(_unjudged(results, evidence, exclusions, catalog), "a metric that claims it is missing"))
    unaccounted = sorted(text for fault in faults for text in fault.to_series().to_list())
    return ConservationCount(
        received=rows.height,
        evidence_rows=rows.join(in_evidence, on=_ROW, how="semi").height,
        excluded_rows=rows.join(excluded, on=_ROW, how="semi").height,
        unaccounted=unaccounted,
    )


def _unjudged(
    results: pl.DataFrame, evidence: pl.DataFrame, exclusions: pl.DataFrame, catalog: Catalog
) -> pl.DataFrame:
    """Results for which a metric that serves them is neither evidence nor exclusion."""
    claimed = claims(results, catalog)
    expected = (
        results.select("entry_id", *_ROW)
        .with_columns(claimed.number)
        .join(
            pl.DataFrame(
                [(number, metric) for number, claim in enumerate(claimed.distinct) for metric in claim.metric_ids],
                schema={"claim": pl.Int64, "metric_id": pl.String},
                orient="row",
            ),
            on="claim",
        )
    )
    done = pl.concat([evidence.select("entry_id", "metric_id"), exclusions.select("entry_id", "metric_id")])
    return expected.join(done, on=["entry_id", "metric_id"], how="anti")


def _fault(rows: pl.DataFrame, what: str) -> pl.DataFrame:
    """Offending rows as text."""
    return rows.select(
        pl.format("{} {}: {}", pl.col("leaderboard").fill_null("?"), pl.col("row_locator").fill_null("?"), pl.lit(what))
    )
