"""The board against its variants, beside running the board's own chain once for each: prints a ratio, asserts nothing.

    python tests/benchmarks/bench_sensitivity.py [HOME]

With a home whose last run scored real leaderboards, on its tables; without one, on simulated ones. The chain (one
standardization and one fit of every dimension) is timed once and multiplied by the number of variants; ours computes
all of them, the reference's draws, statuses and separated ranks. CPU time, the least of three.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from methods.scoring.dimensions import score_dimensions
from methods.scoring.kept import KEPT_SCHEMA
from methods.scoring.standardize import standardize_rows
from methods.sensitivity.board_shifts import board_sensitivity
from methods.sensitivity.cells import board_cells
from warehouse.catalog_model import Catalog

TURNS = 3
TABLES = ("core__evidence", "core__exclusion", "core__result")


@dataclass(frozen=True)
class Comparison:
    """One board: its size, how many variants meet it, least CPU seconds of ours and of one pass of the chain."""

    observations: int
    variants: int
    our_seconds: float
    chain_seconds: float

    @property
    def ratio(self) -> float:
        """How many times faster ours is than the chain once a variant."""
        return self.chain_seconds * self.variants / self.our_seconds


def compare(evidence: pl.DataFrame, exclusions: pl.DataFrame, results: pl.DataFrame, catalog: Catalog) -> Comparison:
    """Both sides on one day's tables."""
    kept = board_cells(evidence, exclusions, results, catalog).rows.with_columns(
        unit=pl.when(pl.col("transform") == "logit").then(pl.lit("score_fraction")).otherwise(pl.lit("rating")),
        leaderboard=pl.lit(""), snapshot_sha256=pl.lit(""), row_locator=pl.lit(""), raw_value=pl.lit(""),
    ).select(KEPT_SCHEMA.names())  # fmt: skip

    def chain() -> object:
        return score_dimensions(standardize_rows(kept, catalog.methodology).evidence, catalog.methodology)

    def ours() -> dict[str, pl.DataFrame]:
        return board_sensitivity(evidence, exclusions, results, catalog)

    variants = ours()["out__board_sensitivity"]["variant"].n_unique()
    return Comparison(evidence.height, variants, _least(ours), _least(chain))


def line(one: Comparison) -> str:
    """A comparison in words."""
    return (
        f"{one.observations:,} observations, {one.variants} variants: {one.our_seconds:.2f} s CPU, {one.ratio:.0f} "
        "times as fast as the chain once a variant"
    )


def of_home(home: Path) -> Comparison:
    """The last day of a home, with the published catalog."""
    from resources.catalog_files import load_catalog
    from resources.tables import TableStore

    store = TableStore(home)
    day = max(store.days("core__evidence"))
    catalog = load_catalog(Path(__file__).resolve().parents[2] / "warehouse" / "catalog").catalog
    return compare(*(store.read(name, day) for name in TABLES), catalog)


def _least(work: Callable[[], object]) -> float:
    seconds = float("inf")
    for _ in range(TURNS):
        gc.collect()
        start = time.process_time()
        work()
        seconds = min(seconds, time.process_time() - start)
    return seconds


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.stdout.write(line(of_home(Path(sys.argv[1]))) + "\n")
    else:
        sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "methods" / "sensitivity"))
        from day_tables import day as simulated

        a_day = simulated(1, models=200, metrics=60, categories=("coding", "math", "reasoning"))
        sys.stdout.write(line(compare(a_day.evidence, a_day.exclusions, a_day.results, a_day.catalog)) + "\n")
