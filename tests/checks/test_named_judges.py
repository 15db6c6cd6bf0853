"""Gates on judges: three values and what would decide, on the bundled example; every rule catches its fault."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from checks.clauses import Suite
from checks.gate_inputs import GateInputs
from checks.gates import evaluate
from checks.handmade import handmade_clauses
from checks.suites import suite_for
from checks.validation import validate
from methods.catalog.study_gates import split_gates
from methods.judging.study import judge_study, judge_tables
from resources.catalog_files import load_catalog
from resources.judgment_files import judgments_of
from warehouse.catalog_model import Catalog, StudySpec
from warehouse.study_options import JudgeOptions
from warehouse.tables import TABLES
from warehouse.tables_judging import JUDGE_TABLES
from warehouse.verdicts import GateResult

WAREHOUSE = Path(__file__).resolve().parents[2] / "warehouse"
EXAMPLE = [WAREHOUSE / "demo" / "judgments.csv", WAREHOUSE / "demo" / "judgments.yaml"]
STUDY = StudySpec(id="judges", kind="judge", evidence="example", options={"fallbacks": ["large"]}, publish=True)
NOW = datetime(2026, 10, 20, 12, tzinfo=UTC)

Tables = dict[str, pl.DataFrame]
Judge = Callable[..., GateResult]


@pytest.fixture(scope="module")
def shipped() -> Catalog:
    """The shipped catalog, with one study of judges, its gates made."""
    loaded = load_catalog(WAREHOUSE / "catalog", None).catalog
    gates, _ = split_gates([*loaded.gates, *loaded.study_gates], [STUDY])
    fields = {name: getattr(loaded, name) for name in Catalog.model_fields}
    return Catalog(**(fields | {"studies": (STUDY,), "gates": gates}))


@pytest.fixture(scope="module")
def made(shipped: Catalog) -> Tables:
    """The tables of the study."""
    found = judge_study(judgments_of(EXAMPLE), JudgeOptions.model_validate(STUDY.options), shipped.methodology)
    return judge_tables(STUDY.id, found, shipped.methodology)


@pytest.fixture
def judged(shipped: Catalog, made: Tables) -> Judge:
    """Judges one gate on the tables, cascades of open state changed as told."""

    def run(gate: str, **changed: Any) -> GateResult:
        cascades = made["out__judge_cascade"].with_columns(
            pl.when(pl.col("tau").is_not_null()).then(pl.lit(value)).otherwise(pl.col(name)).alias(name)
            for name, value in changed.items()
        )
        spec = shipped.gate_by_id[f"{gate}.{STUDY.id}"]
        inputs = GateInputs({**made, "out__judge_cascade": cascades}, shipped, None, NOW, date(2026, 10, 20))
        return evaluate(spec, inputs)

    return run


@pytest.mark.parametrize("gate", ["judge-auroc", "judge-loss", "judge-cost", "judge-key", "judge-no-escalation"])
def test_the_example_passes(judged: Judge, gate: str) -> None:
    found = judged(gate)
    assert (found.verdict, found.evaluated, found.failed) == ("pass", 2, 0)
    assert "small, else large, on free-text: " in found.detail


@pytest.mark.parametrize(
    ("gate", "changed", "verdict", "said"),
    [
        ("judge-auroc", {"held_out_auroc": 0.69}, "fail", "AUROC 0.690 on 450 held-out items"),
        ("judge-auroc", {"held_out_auroc": None}, "inconclusive", "held-out items where it is both would decide"),
        ("judge-loss", {"loss_pp": 2.01, "loss_bound_pp": 3.0}, "fail", "loses 2.01 points on 450 held-out items"),
        (
            "judge-loss",
            {"loss_pp": 2.0, "loss_bound_pp": 3.0, "items_to_decide": 9000},
            "inconclusive",
            "9,000 items would",
        ),
        (
            "judge-loss",
            {"held_out_items": 0},
            "inconclusive",
            "gold labels and decisions of the fallback on other items",
        ),
        (
            "judge-cost",
            {"conservative_cost_ratio": 1.096},
            "fail",
            "109.6% with missing usage at its reserve: more than",
        ),
        ("judge-cost", {"conservative_cost_ratio": None}, "inconclusive", "usage, or a reserve for it, would decide"),
        (
            "judge-no-escalation",
            {"tau": 0.5, "is_no_escalation": True},
            "fail",
            "tau = 0.50: no escalation by confidence",
        ),
    ],
)
def test_three_values_and_what_would_decide(
    judged: Judge, gate: str, changed: dict[str, Any], verdict: str, said: str
) -> None:
    found = judged(gate, **changed)
    assert (found.verdict, found.failed) == (verdict, 1)
    assert said in found.detail


def test_without_cascades_nothing_is_decided_in_a_fallbacks_place(shipped: Catalog, made: Tables) -> None:
    none = {**made, "out__judge_cascade": made["out__judge_cascade"].clear()}
    for gate in ("judge-auroc", "judge-loss", "judge-cost", "judge-key", "judge-no-escalation"):
        spec = shipped.gate_by_id[f"{gate}.{STUDY.id}"]
        found = evaluate(spec, GateInputs(none, shipped, None, NOW, date(2026, 10, 20)))
        assert (found.verdict, found.evaluated) == ("pass", 2)


def test_a_key_that_is_not_stated_is_said(shipped: Catalog, made: Tables) -> None:
    bare = made["out__judge_stack"].with_columns(
        unstated_fields=pl.when(pl.col("judge") == "small")
        .then(["rubric", "parser"])
        .otherwise(pl.col("unstated_fields"))
    )
    inputs = GateInputs({**made, "out__judge_stack": bare}, shipped, None, NOW, date(2026, 10, 20))
    found = evaluate(shipped.gate_by_id[f"judge-key.{STUDY.id}"], inputs)
    assert (found.verdict, found.failed) == ("inconclusive", 1)
    assert "small does not state rubric, parser" in found.detail


def test_every_suite_passes_on_the_example(shipped: Catalog, made: Tables) -> None:
    for contract in JUDGE_TABLES:
        found = validate(made[contract.name], suite_for(contract, shipped))
        assert found.verdict == "pass", found.detail()


FAULTS: dict[str, dict[str, pl.Expr]] = {
    "verdicts-counted": {"verdicts_a": pl.col("verdicts_a") + 1},
    "valid-among-items": {"labelled": pl.col("items") + 1},
    "calls-of-orders": {"calls": pl.col("calls") - 1},
    "accuracy-between": {"accuracy": pl.col("accuracy_best") + 0.1},
    "order-known-in-two": {"discordant": pl.lit(None, dtype=pl.Int64)},
    "mean-in-bin": {"mean_q": pl.col("q_high") + 0.1},
    "accuracy-in-interval": {"accuracy_low": pl.lit(1.0)},
    "empty-says-nothing": {"accuracy": pl.lit(None, dtype=pl.Float64)},
    "fallback-within": {"fallback_n": pl.col("n") + 1},
    "tau-where-open": {"tau": pl.lit(None, dtype=pl.Float64)},
    "tau-on-grid": {"tau": pl.col("tau") + 0.005},
    "open-in-order": {"selection_auroc": pl.lit(None, dtype=pl.Float64)},
    "loss-formula": {"loss_pp": pl.col("loss_pp") + 1},
    "retained-formula": {"retained": pl.col("retained") + 0.01},
    "random-formula": {"random_accuracy": pl.col("random_accuracy") + 0.01},
    "optimal-at-least": {"cascade_accuracy": pl.col("optimal_accuracy") + 0.01},
    "gain-formula": {"gain_captured": pl.col("gain_captured") + 0.01},
    "closed-loses-nothing": {"acceptance": pl.lit(0.5)},
    "bound-above-loss": {"loss_bound_pp": pl.col("loss_pp") - 1},
    "verdict-of-loss": {"cascade_verdict": pl.lit("fail")},
    "acceptance-falls": {"acceptance": pl.col("threshold")},
}


def test_every_hand_made_rule_catches_its_fault(shipped: Catalog, made: Tables) -> None:
    seen = set()
    for contract in JUDGE_TABLES:
        for clause in handmade_clauses(contract.name, shipped):
            broken = made[contract.name].with_columns(**FAULTS[clause.name])
            found = validate(broken, Suite(TABLES[contract.name], (clause,)))
            assert found.verdict == "fail", f"{contract.name}: {clause.name} let a fault pass"
            seen.add(clause.name)
    assert seen == set(FAULTS)


def test_a_shared_item_breaks_its_contract(shipped: Catalog, made: Tables) -> None:
    """What the threshold was chosen on never judges it."""
    leaked = made["out__judge_cascade"].with_columns(shared_items=pl.lit(1, dtype=pl.Int64))
    found = validate(leaked, suite_for(TABLES["out__judge_cascade"], shipped))
    assert found.verdict == "fail"
    assert "shared_items" in found.detail()
