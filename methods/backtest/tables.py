"""The tables of a release's own proof, in one call: single results withheld (METHODS 7b).

Belongs here: which categories get a calibrated interval. A category with enough withheld results is judged by its own
coverage, any other by that of all together.
"""

from __future__ import annotations

import polars as pl

from methods.backtest.calibration import calibrated_intervals
from methods.backtest.proof import Proof, nightly_plan, prove
from warehouse.catalog_model import Catalog
from warehouse.linked_rules import BacktestRules
from warehouse.linked_words import ALL, BOARD_METHOD
from warehouse.vocabulary import CATEGORIES


def backtest_tables(evidence: pl.DataFrame, board: pl.DataFrame, catalog: Catalog) -> dict[str, pl.DataFrame]:
    """`out__backtest`, its companions, and `out__calibrated_interval`.

    Args:
        evidence: `core__evidence`. board: `out__category_score` of it. catalog: the whole catalog.
    """
    methodology = catalog.methodology
    proof = prove(evidence, catalog, nightly_plan(methodology))
    factors = {name: proof.factors[name] for name in uncalibrated(proof, methodology.backtest)}
    return {
        "out__backtest": proof.backtest,
        "out__backtest_slice": proof.slices,
        "out__backtest_versus": proof.versus,
        "out__backtest_split": proof.splits,
        "out__calibrated_interval": calibrated_intervals(board, factors, methodology.category),
    }


def uncalibrated(proof: Proof, rules: BacktestRules) -> list[str]:
    """The categories whose 80% intervals by 3.0 covered less or more of the withheld results than they may."""
    own = proof.backtest.filter((pl.col("method") == BOARD_METHOD) & (pl.col("split") == "cells"))
    measured = {category: (n, cover) for category, n, cover in own.select("category", "n", "cover80").rows()}
    whole = measured.get(ALL)
    if whole is None:
        return []
    found = []
    for category in CATEGORIES:
        n, cover = measured.get(category, (0, None))
        if n < rules.least_cells:
            _, cover = whole
        if cover is not None and not rules.coverage_low <= cover <= rules.coverage_high:
            found.append(category)
    return found
