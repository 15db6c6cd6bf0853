"""Gates and rules of models and harnesses: each passes on a sound panel, and says what is wrong with another."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from checks.gate_inputs import GateInputs
from checks.gates import evaluate
from checks.handmade import handmade_clauses
from checks.suites import suite_of_gate
from checks.validation import validate
from methods.harness.study import harness_tables
from resources.attempts.evidence import attempts_of
from resources.catalog_files import load_catalog
from warehouse.catalog_model import Catalog, GateSpec
from warehouse.methodology import HarnessRules
from warehouse.verdicts import GateResult

ROOT = Path(__file__).resolve().parent.parent.parent
EXAMPLE = ROOT / "warehouse" / "demo" / "agents"
MAPS = [EXAMPLE / "repair-map.yaml", EXAMPLE / "desk-map.yaml"]
RULES = HarnessRules(resamples=100, level=0.95, lower_quartile=0.25, search_limit=100)
Tables = dict[str, pl.DataFrame]


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog(ROOT / "warehouse" / "catalog").catalog


def tables_of(folder: Path, attempts: str | None = None, panel: str | None = None) -> Tables:
    records, declared = folder / "attempts.csv", folder / "panel.yaml"
    records.write_text(attempts or (EXAMPLE / "attempts.csv").read_text(encoding="utf-8"), encoding="utf-8")
    declared.write_text(panel or (EXAMPLE / "panel.yaml").read_text(encoding="utf-8"), encoding="utf-8")
    return harness_tables(attempts_of([records], declared, MAPS), "s", RULES, 1)


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Tables:
    return tables_of(tmp_path_factory.mktemp("sound"))


def judged(gate: str, tables: Tables, catalog: Catalog, threshold: float | None = None) -> GateResult:
    of = {
        "harness-records": "out__harness_fault", "harness-status-map": "out__harness_fault",
        "harness-counts": "out__harness_cell", "harness-planned": "out__harness_cell",
        "harness-balance": "out__harness_panel",
    }[gate]  # fmt: skip
    spec = GateSpec(id=gate, product="scores", table=of, severity="warning", threshold=threshold)
    return evaluate(spec, GateInputs(tables, catalog, None, datetime(2026, 11, 1, tzinfo=UTC), date(2026, 11, 1)))


GATES = (("harness-records", None), ("harness-status-map", None), ("harness-counts", None), ("harness-planned", 0.05),
         ("harness-balance", 0.0))  # fmt: skip


@pytest.mark.parametrize(("gate", "threshold"), GATES)
def test_a_sound_panel_passes(gate: str, threshold: float | None, sound: Tables, catalog: Catalog) -> None:
    found = judged(gate, sound, catalog, threshold)
    assert (found.verdict, found.evaluated > 0) == ("pass", True), found.detail


@pytest.mark.parametrize(("gate", "threshold"), GATES)
def test_an_empty_table_is_no_pass(gate: str, threshold: float | None, sound: Tables, catalog: Catalog) -> None:
    empty = {name: frame.clear() for name, frame in sound.items()}
    assert judged(gate, empty, catalog, threshold).verdict == "fail"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("north-1,loop,desk,desk-01,1,17,completed,true,5", "duplicate: attempts.csv row 1197"),
        ("nobody,loop,desk,desk-01,1,17,completed,true,5", "unplanned: attempts.csv row 1197"),
    ],
)
def test_records_at_fault_are_named(line: str, said: str, tmp_path: Path, catalog: Catalog) -> None:
    text = (EXAMPLE / "attempts.csv").read_text(encoding="utf-8") + line + "\n"
    found = judged("harness-records", tables_of(tmp_path, text), catalog)
    assert found.verdict == "fail"
    assert said in found.detail


def test_a_status_nobody_knows_fails_its_gate(tmp_path: Path, catalog: Catalog) -> None:
    text = (EXAMPLE / "attempts.csv").read_text(encoding="utf-8").replace(",crashed,", ",exploded,", 1)
    found = judged("harness-status-map", tables_of(tmp_path, text), catalog)
    assert found.verdict == "fail"
    assert "1 status_unknown" in found.detail


def test_a_configuration_hardly_run_and_a_panel_with_holes(tmp_path: Path, catalog: Catalog) -> None:
    lines = (EXAMPLE / "attempts.csv").read_text(encoding="utf-8").splitlines()
    few = [line for n, line in enumerate(lines) if not (line.startswith("south-2,shell,desk") and n % 2)]
    found = judged("harness-planned", tables_of(tmp_path, "\n".join(few) + "\n"), catalog, 0.05)
    assert found.verdict == "fail"
    assert "south-2 + shell on desk" in found.detail
    panel = (EXAMPLE / "panel.yaml").read_text(encoding="utf-8")
    panel += (
        "configurations: [[north-1, loop], [north-1, shell], [south-2, loop], [south-2, shell], [south-2, planner]]\n"
    )
    found = judged("harness-balance", tables_of(tmp_path, panel=panel), catalog, 0.0)
    assert found.verdict == "fail"
    assert "4/9 > 0.0 (balanced: 2 models × 2 harnesses × 2 benchmarks)" in found.detail


def test_counts_that_do_not_sum_are_found(sound: Tables, catalog: Catalog) -> None:
    bent = sound | {"out__harness_cell": sound["out__harness_cell"].with_columns(recorded=pl.col("recorded") - 1)}
    assert judged("harness-counts", bent, catalog).verdict == "fail"


BENT: dict[str, dict[str, Any]] = {
    "out__harness_cell": {
        "joint": pl.col("joint") + 0.1,
        "best_of_r": pl.lit(0.0),
        "loss_clean": pl.col("loss_clean") / 2,
    },
    "out__harness_block": {"fit": pl.col("fit") / 2, "residual_pp": pl.col("residual_pp") + 1},
    "out__harness_summary": {"fit": pl.col("fit") * 1.5, "clean_quartile": pl.col("clean_minimum") - 0.1},
    "out__harness_win": {"win_rate": pl.col("win_rate") / 2 + 0.01},
    "out__harness_blame": {"share": pl.col("share") / 2, "freed_share": pl.col("freed_share") / 2},
    "out__harness_difference": {"low_pp": pl.col("high_pp") + 1},
}


@pytest.mark.parametrize("table", BENT)
def test_rules_hold_and_a_bent_column_breaks_one(table: str, sound: Tables, catalog: Catalog) -> None:
    clauses = handmade_clauses(table, catalog)
    assert _broken(clauses, sound[table]) == []
    for name, bent in BENT[table].items():
        assert _broken(clauses, sound[table].with_columns(bent.alias(name))), f"{table}.{name}"


def _broken(clauses: Any, frame: pl.DataFrame) -> list[str]:
    return [clause.name for clause in clauses if frame.select(x=clause.holds)["x"].eq(other=False).any()]


def test_suites_pass_on_a_sound_panel_and_on_nothing(sound: Tables, catalog: Catalog) -> None:
    for name in ("out__harness_cell", "out__harness_fault"):
        suite = suite_of_gate(f"suite-{name}", catalog)
        assert suite is not None
        found = validate(sound[name], suite)
        assert found.verdict == "pass", (name, found.detail())
    suite = suite_of_gate("suite-out__harness_reference", catalog)
    assert suite is not None
    assert validate(sound["out__harness_reference"].clear(), suite).verdict == "pass"
