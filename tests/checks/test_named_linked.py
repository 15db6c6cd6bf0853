"""Gates on the linked board and the proof: pass, fail, inconclusive with what would decide, and nothing to look at."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import polars as pl
import pytest

from checks.gates import GateInputs, evaluate
from checks.suites import suite_of_gate
from checks.validation import validate
from methods.backtest.tables import backtest_tables
from methods.linked.tables import linked_tables
from resources.catalog_files import load_catalog
from resources.settings import CHECKOUT
from warehouse.catalog_model import Catalog
from warehouse.tables import TABLES
from warehouse.tables_linked import BACKTEST_TABLES, LINKED_TABLES
from warehouse.verdicts import GateResult

NOW = datetime(2026, 10, 20, 12, 0, tzinfo=UTC)
Judge = Callable[..., GateResult]


@pytest.fixture(scope="module")
def whole() -> Catalog:
    return load_catalog(CHECKOUT / "warehouse" / "catalog", None).catalog


@pytest.fixture
def judged(whole: Catalog) -> Judge:
    def run(gate: str, **tables: pl.DataFrame) -> GateResult:
        return evaluate(whole.gate_by_id[gate], GateInputs(tables, whole, None, NOW, NOW.date()))

    return run


def proof(**row: Any) -> pl.DataFrame:
    """One row of out__backtest, of the linked score over all categories where nothing else is said."""
    full = {"method": "linked", "split": "cells", "category": "all", "n": 1000, "median_error_pp": 4.0,
            "mean_error_pp": 7.0, "rank_correlation": 0.8, "cover50": 0.5, "cover80": 0.8, "cover95": 0.95}  # fmt: skip
    return pl.DataFrame([full | row], schema=TABLES["out__backtest"].polars_schema())


@pytest.mark.parametrize(
    ("n", "error", "verdict"), [(1000, 4.6, "pass"), (1000, 4.61, "fail"), (99, 9.0, "inconclusive")]
)
def test_error(judged: Judge, n: int, error: float, verdict: str) -> None:
    found = judged("backtest-error", out__backtest=proof(n=n, median_error_pp=error))
    assert found.verdict == verdict
    assert "100 withheld results would decide" in found.detail or n >= 100


@pytest.mark.parametrize(
    ("n", "cover", "verdict"),
    [(1000, 0.83, "pass"), (1000, 0.88, "fail"), (1000, 0.84, "inconclusive"), (1000, 0.60, "fail"),
     (60, 0.80, "inconclusive")],
)  # fmt: skip
def test_coverage(judged: Judge, n: int, cover: float, verdict: str) -> None:
    for gate, method in (("backtest-coverage", "linked"), ("board-coverage", "3.0")):
        found = judged(gate, out__backtest=proof(n=n, cover80=cover, method=method))
        assert found.verdict == verdict
        assert ("would decide" in found.detail) == (verdict == "inconclusive")


def test_coverage_of_categories(judged: Judge) -> None:
    """Categories below the least number take no part; the worst of the others decides."""
    small, large = proof(category="math", n=99, cover80=0.2), proof(category="coding", n=400, cover80=0.82)
    assert judged("backtest-coverage-category", out__backtest=pl.concat([small, large])).verdict == "pass"
    assert judged("backtest-coverage-category", out__backtest=small).verdict == "inconclusive"
    bad = proof(category="agent", n=400, cover80=0.95)
    found = judged("backtest-coverage-category", out__backtest=pl.concat([small, large, bad]))
    assert (found.verdict, found.failed) == ("fail", 1)
    assert "agent" in found.detail


def versus(**row: Any) -> pl.DataFrame:
    full = {"split": "cells", "method": "additive", "n": 200, "nearer": 120, "farther": 80, "nearer_share": 0.6,
            "wilson_low": 0.53, "wilson_high": 0.67, "median_gap_pp": -1.0}  # fmt: skip
    return pl.DataFrame([full | row], schema=TABLES["out__backtest_versus"].polars_schema())


def test_baselines(judged: Judge) -> None:
    """A larger median fails only where the baseline is surely nearer; 3.0 and variants are no baselines."""
    worse = versus(nearer=60, farther=140, nearer_share=0.3, wilson_low=0.24, wilson_high=0.37, median_gap_pp=0.4)
    unsure = versus(nearer=98, farther=102, nearer_share=0.49, wilson_low=0.42, wilson_high=0.56, median_gap_pp=0.1)
    other = versus(method="linked-flat", median_gap_pp=3.0, wilson_high=0.4)
    assert judged("backtest-baselines", out__backtest_versus=pl.concat([versus(), other])).verdict == "pass"
    found = judged("backtest-baselines", out__backtest_versus=pl.concat([versus(method="rank-2-logit"), unsure]))
    assert found.verdict == "inconclusive"
    assert "9,600 withheld results would decide" in found.detail
    assert (
        judged("backtest-baselines", out__backtest_versus=pl.concat([versus(method="rank-2-logit"), worse])).verdict
        == "fail"
    )
    assert judged("backtest-baselines", out__backtest_versus=other).verdict == "inconclusive"


@pytest.mark.parametrize(
    "gate", ["backtest-error", "backtest-coverage", "backtest-coverage-category", "board-coverage"]
)
def test_nothing_proved_decides_nothing(judged: Judge, gate: str) -> None:
    found = judged(gate, out__backtest=proof().clear())
    assert found.verdict == "inconclusive"
    assert "100 withheld results would decide" in found.detail


def test_real_tables_stand(catalog: Catalog, sound: dict[str, pl.DataFrame], whole: Catalog) -> None:
    """Every suite and gate of the product on tables that the methods made; a fault in each is seen."""
    evidence, board = sound["core__evidence"], sound["out__category_score"]
    made = {**linked_tables(evidence, board, catalog), **backtest_tables(evidence, board, catalog)}
    tables = {**sound, **made}
    for table in (*LINKED_TABLES, *BACKTEST_TABLES):
        suite = suite_of_gate(f"suite-{table.name}", catalog)
        assert suite is not None
        assert validate(made[table.name], suite).verdict == "pass", table.name

    def run(gate: str, **changed: pl.DataFrame) -> str:
        return evaluate(
            whole.gate_by_id[gate], GateInputs({**tables, **changed}, catalog, None, NOW, NOW.date())
        ).verdict

    assert run("linked-beside") == run("linked-parts-sum") == "pass"
    assert run("linked-beside", out__linked_score=made["out__linked_score"].head(-1)) == "fail"
    moved = made["out__linked_part"].with_columns(contribution=pl.col("contribution") + 1e-8)
    assert run("linked-parts-sum", out__linked_part=moved) == "fail"
    restless = made["out__linked_parameter"].with_columns(
        estimate=pl.when(pl.col("parameter") == "has_settled").then(0.0).otherwise(pl.col("estimate"))
    )
    assert run("linked-settled", out__linked_parameter=restless) == "fail"
    assert run("linked-settled", out__linked_parameter=restless.clear()) == "not_applicable"
