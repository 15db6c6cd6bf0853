"""A million admitted results deduplicated and standardized, against the same in SQL; prints seconds, ratio and memory.

    python tests/benchmarks/bench_evidence.py

500 metrics of 1,000 models, each measured by two sources (METHODS 4 and 7). The peer is what an analyst would write in
DuckDB: a window for the priority, medians, deviations and the family cap as aggregates, on all cores, without reasons,
sums rounded once or a fixed order. Both give the same rows, z and precision (largest difference printed). Ours runs in
a process of its own, for its peak memory. Asked of a million: 10 s and 2 GB.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import duckdb
import numpy as np
import polars as pl

from methods.catalog.eligibility import CANDIDATE_SCHEMA
from methods.dedup.priority import deduplicate
from methods.scoring.standardize import standardize_rows
from resources.catalog_files import load_methodology
from warehouse.methodology import Methodology
from warehouse.vocabulary import CATEGORIES, TIERS

CATALOG = Path(__file__).resolve().parents[2] / "warehouse" / "catalog"
PLACES = [(category, dimension) for category, four in CATEGORIES.items() for dimension in four]
SQL = """
with ranked as (
  select *, row_number() over (
    partition by model_id, family, protocol, metric_id
    order by (coalesce(copied_from, '') <> ''), list_position($tiers, tier), confidence desc nulls last,
      updated_at desc nulls last, entry_id) as place
  from candidates),
kept as (
  select *, least(greatest(value / 100, $clip), 1 - $clip) as p, ln(p / (1 - p)) as x from ranked where place = 1),
centred as (
  select *, median(x) over (partition by metric_id) as centre, count(*) over (partition by metric_id) as n from kept),
scaled as (
  select *, $mad * median(abs(x - centre)) over (partition by metric_id) as scale from centred),
judged as (
  select *, least(greatest((x - centre) / scale, -$limit), $limit) as z,
    least(1.0, n / $quality) as q,
    greatest((stderr / 100 / (p * (1 - p)) / scale) ** 2, $floors[list_position($tiers, tier)] ** 2) / q as variance
  from scaled),
capped as (
  select *, sum(1 / variance) over (partition by model_id, category, dimension, family) as whole from judged)
select evidence_id, z, (1 / variance) * least(whole, $cap) / whole as precision from capped order by evidence_id
"""


@dataclass(frozen=True)
class Comparison:
    """Seconds of processor and of wall of ours and of SQL, rows kept, and the largest differences."""

    rows: int
    kept: int
    ours: tuple[float, float]
    sql: tuple[float, float]
    peak_mb: float
    z_off: float
    precision_off: float


def candidates(metrics: int, models: int) -> pl.DataFrame:
    """Two results of every model on every metric, by sources of different tiers, confidence and day; shuffled."""
    rng = np.random.default_rng(20261020)
    count = metrics * models * 2
    number = np.arange(count)
    metric, model, source = number // (models * 2), (number // 2) % models, number % 2
    place = metric % len(PLACES)
    ability = rng.normal(size=models)[model] - rng.normal(size=metrics)[metric] + 0.3 * rng.normal(size=count)
    value = np.round(100.0 / (1.0 + np.exp(-ability)), 2)
    tier = np.array(TIERS)[rng.integers(0, len(TIERS), count)]
    days = rng.integers(0, 300, count).tolist()
    text = pl.Series(number).cast(pl.String)
    frame = pl.DataFrame({
        "evidence_id": "e" + text.str.zfill(8), "entry_id": "r" + text.str.zfill(8),
        "metric_id": [f"metric-{one:04}" for one in metric.tolist()],
        "model_id": [f"model-{one:05}" for one in model.tolist()],
        "developer": [f"lab-{one % 40}" for one in model.tolist()],
        "category": [PLACES[one][0] for one in place.tolist()],
        "dimension": [PLACES[one][1] for one in place.tolist()],
        "family": [f"family-{one // 3:04}" for one in metric.tolist()], "protocol": ["standard"] * count,
        "tier": tier, "direction": ["higher"] * count, "transform": ["logit"] * count, "unit": ["score"] * count,
        "value": value, "stderr": np.where(source == 0, 1.5, 0.0),
        "leaderboard": [f"board-{one}" for one in source.tolist()], "snapshot_sha256": ["0" * 64] * count,
        "row_locator": "row " + text, "raw_value": pl.Series(value).cast(pl.String),
        "copied_from": pl.Series(np.where(rng.random(count) < 0.1, "elsewhere", "")).replace("", None),
        "confidence": np.round(rng.random(count), 1),
        "updated_at": pl.Series([datetime(2026, 1, 1, tzinfo=UTC)] * count).dt.offset_by(
            pl.Series([f"{day}d" for day in days])
        ),
    })  # fmt: skip
    return frame.cast(CANDIDATE_SCHEMA).select(CANDIDATE_SCHEMA.names())[rng.permutation(count).tolist()]


def compare(metrics: int = 500, models: int = 1_000) -> Comparison:
    """Both on the same rows, ours first."""
    rows, methodology = candidates(metrics, models), load_methodology(CATALOG)
    before = _clock()
    kept = deduplicate(rows).kept
    evidence = standardize_rows(kept, methodology).evidence
    ours, peak = _since(before), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    before = _clock()
    told = _in_sql(rows, methodology)
    sql = _since(before)
    both = evidence.select("evidence_id", "z", "precision").sort("evidence_id")
    assert both["evidence_id"].to_list() == told["evidence_id"].to_list()
    z_off, precision_off = (float((both[name] - told[name]).abs().max() or 0.0) for name in ("z", "precision"))
    return Comparison(rows.height, evidence.height, ours, sql, peak, z_off, precision_off)


def _in_sql(candidates: pl.DataFrame, methodology: Methodology) -> pl.DataFrame:
    rules = methodology.standardization
    with duckdb.connect() as connection:
        connection.register("candidates", candidates.to_arrow())
        given = {
            "tiers": list(TIERS), "clip": rules.epsilon, "mad": rules.mad_factor, "limit": rules.z_limit,
            "quality": rules.quality_models, "floors": [rules.source_floors[tier] for tier in TIERS],
            "cap": rules.family_precision_cap,
        }  # fmt: skip
        return pl.DataFrame(connection.sql(SQL, params=given).to_arrow_table())


def _clock() -> tuple[float, float]:
    return time.process_time(), time.perf_counter()


def _since(before: tuple[float, float]) -> tuple[float, float]:
    now = _clock()
    return now[0] - before[0], now[1] - before[1]


def line(one: Comparison) -> str:
    """What was measured, in a sentence."""
    return (
        f"{one.rows:,} results, {one.kept:,} kept: {one.ours[0]:.1f} s processor, {one.ours[1]:.1f} s wall, peak "
        f"{one.peak_mb:,.0f} MB with the rows themselves; the same in SQL {one.sql[0]:.1f} s processor, "
        f"{one.sql[1]:.1f} s wall (ours is {one.ours[0] / one.sql[0]:.2f} of its processor time); z off by "
        f"{one.z_off:.1e}, precision by {one.precision_off:.1e}"
    )


if __name__ == "__main__":
    if "--alone" in sys.argv:
        sys.stdout.write(line(compare()) + "\n")
    else:
        subprocess.run([sys.executable, __file__, "--alone"], check=True)
