"""One rule for all gates: crashes, emptiness, missing tables, baselines, waivers, and what gates.yaml may say."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from checks import gates
from checks.gate_inputs import Finding, GateInputs, NamedGate
from checks.gates import definition_problems, evaluate, tables_of
from checks.registry import NAMED_GATES
from methods.lineage.baseline import BaselineFigures
from warehouse.catalog_model import Catalog, GateSpec, Waiver
from warehouse.tables import INPUTS, TABLES
from warehouse.verdicts import GateResult
from warehouse.vocabulary import BOARD_PRODUCT

NOW = datetime(2026, 10, 20, 12, 0, tzinfo=UTC)
Tables = dict[str, pl.DataFrame]
Judge = Callable[..., GateResult]


THREE_VALUED = ("backtest-", "board-coverage", "board-pss", "board-winner-swap")
"""Gates on estimates: so few results as the sound tables hold need not decide them."""


def ids(catalog: Catalog) -> list[str]:
    return [gate.id for gate in catalog.gates]


def test_gates_yaml_describes_gates_that_exist(catalog: Catalog) -> None:
    assert definition_problems(catalog) == []
    listed = {gate.id: gate for gate in (*catalog.gates, *catalog.study_gates)}
    assert set(listed) >= set(NAMED_GATES)
    for table in INPUTS:
        assert listed[f"suite-{table}"].required
    for gate in listed.values():
        if gate.required:
            assert gate.severity == ("blocking" if gate.product == BOARD_PRODUCT else "warning"), gate.id


def test_no_study_is_stopped_by_what_it_found(catalog: Catalog) -> None:
    """One rule for studies of every kind, as docs/concepts.md states it: each gate, in the column that it stands in."""
    page = (Path(__file__).resolve().parents[2] / "docs" / "concepts.md").read_text(encoding="utf-8")
    rows = page.partition("| required | shown |\n|---|---|\n")[2].partition("\n\n")[0].splitlines()
    stated = [[set(re.findall(r"`([a-z-]+)`", cell)) for cell in row.split("|")[1:3]] for row in rows]
    required, shown = (set().union(*(row[column] for row in stated)) for column in (0, 1))
    lines = [gate for gate in catalog.study_gates if not gate.id.startswith("suite-")]
    assert {gate.id for gate in lines if gate.required} == required
    assert {gate.id for gate in lines if not gate.required} == shown


def test_a_gate_stands_at_the_last_table_it_reads(catalog: Catalog) -> None:
    order = list(TABLES)
    for gate in catalog.gates:
        tables = tables_of(gate)
        assert tables[-1] == gate.table
        assert list(tables) == sorted(tables, key=order.index)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"id": "no-such-gate"}, "nothing judges it"),
        ({"id": "suite-core__nothing", "table": "core__nothing"}, "nothing judges it"),
        ({"table": "core__evidence"}, "last table it reads"),
        ({"baseline": True}, "`baseline` must be false"),
        ({"threshold": None}, "needs a `threshold`"),
        ({"threshold": float("nan")}, "finite"),
        ({"threshold": float("inf")}, "finite"),
    ],
)
def test_a_line_that_describes_no_gate_is_told_and_judged_an_error(
    catalog: Catalog, sound: Tables, change: dict[str, Any], told: str, changed_catalog: Callable[..., Catalog]
) -> None:
    gate = catalog.gate_by_id["weights-sum"].model_copy(update=change)
    assert any(told in problem for problem in definition_problems(changed_catalog(catalog, gates=(gate,))))
    result = evaluate(gate, GateInputs(sound, catalog, None, NOW, NOW.date()))
    assert result.verdict == "error"
    assert told in result.detail


def test_every_gate_passes_or_warns_on_sound_tables(catalog: Catalog, judge: Judge, former: BaselineFigures) -> None:
    for gate in ids(catalog):
        result = judge(gate, baseline=former)
        if gate.startswith(THREE_VALUED):
            assert result.verdict in {"pass", "inconclusive"}, result.detail
            assert result.verdict == "pass" or "would decide" in result.detail
            continue
        assert result.verdict == ("fail" if gate == "unreadable-rows" else "pass"), result.detail
        assert result.evaluated > 0
        assert result.figure is not None or gate == "same-config"
        json.dumps(dict(result.validation or {}), allow_nan=False)


def test_no_gate_passes_on_empty_tables(catalog: Catalog, judge: Judge, former: BaselineFigures) -> None:
    """C03 for gates: what saw nothing does not pass, except a table that its contract lets be empty."""
    nothing = {name: contract.empty() for name, contract in TABLES.items()}
    for gate in ids(catalog):
        result = judge(gate, nothing, baseline=former)
        if gate.startswith("suite-") and TABLES[gate.removeprefix("suite-")].may_be_empty:
            assert (result.verdict, result.evaluated) == ("pass", 2)
        else:
            undecided = {"inconclusive"} if gate.startswith(THREE_VALUED) else set()
            undecided |= {"not_applicable"} if gate == "linked-settled" else set()
            assert result.verdict in {"fail", "error", *undecided}, f"{gate}: {result.detail}"


def test_no_gate_raises_whatever_it_is_given(catalog: Catalog, former: BaselineFigures) -> None:
    """A crash is the verdict error, with a short message; nothing is ever raised and nothing passes."""
    junk = pl.DataFrame({"x": ["y" * 10_000]})
    for frames in ({}, dict.fromkeys(TABLES, junk), dict.fromkeys(TABLES, pl.DataFrame())):
        for gate in catalog.gates:
            result = evaluate(gate, GateInputs(frames, catalog, former, NOW, NOW.date()))
            assert result.verdict in {"fail", "error"}, gate.id
            assert len(result.detail) <= 900


@pytest.mark.parametrize("crash", [ZeroDivisionError("no"), MemoryError(), pl.exceptions.PanicException("panic")])
def test_a_crash_is_an_error_that_no_waiver_excuses(
    crash: BaseException,
    catalog: Catalog,
    sound: Tables,
    monkeypatch: pytest.MonkeyPatch,
    changed_catalog: Callable[..., Catalog],
) -> None:
    def explode(_gate: GateSpec, _inputs: GateInputs) -> Finding:
        raise crash

    named = NamedGate(("core__result",), explode)
    monkeypatch.setattr(gates, "NAMED_GATES", {**NAMED_GATES, "mixed-scale": named})
    waived = changed_catalog(catalog, waivers=(waiver("mixed-scale", NOW + timedelta(days=9)),))
    result = evaluate(catalog.gate_by_id["mixed-scale"], GateInputs(sound, waived, None, NOW, NOW.date()))
    assert result.verdict == "error"
    assert type(crash).__name__ in result.detail
    assert result.evaluated == 0


def test_a_gate_that_evaluates_nothing_does_not_pass(
    catalog: Catalog, sound: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    def blind(_gate: GateSpec, _inputs: GateInputs) -> Finding:
        return Finding("pass", 0.0, 0, 0, "all well")

    monkeypatch.setattr(gates, "NAMED_GATES", {**NAMED_GATES, "mixed-scale": NamedGate(("core__result",), blind)})
    result = evaluate(catalog.gate_by_id["mixed-scale"], GateInputs(sound, catalog, None, NOW, NOW.date()))
    assert result.verdict == "fail"
    assert "nothing was looked at, so the gate fails" in result.detail


def test_a_figure_that_is_no_number_is_null(catalog: Catalog, sound: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    """B11."""

    def undefined(_gate: GateSpec, _inputs: GateInputs) -> Finding:
        return Finding("fail", float("nan"), 1, 1, "undefined")

    monkeypatch.setattr(gates, "NAMED_GATES", {**NAMED_GATES, "mixed-scale": NamedGate(("core__result",), undefined)})
    assert evaluate(catalog.gate_by_id["mixed-scale"], GateInputs(sound, catalog, None, NOW, NOW.date())).figure is None


def test_without_a_baseline_gates_that_compare_do_not_apply(catalog: Catalog, judge: Judge) -> None:
    for gate in catalog.gates:
        if gate.id in NAMED_GATES:
            assert (judge(gate.id).verdict == "not_applicable") == gate.baseline, gate.id


def waiver(gate: str, until: datetime) -> Waiver:
    return Waiver(gate=gate, reason="known gap", who="Ada", approved_by="Ben", until=until)


def test_a_waiver_lets_a_failed_gate_stand_until_it_ends(
    catalog: Catalog, judge: Judge, changed_catalog: Callable[..., Catalog]
) -> None:
    end = NOW + timedelta(days=3)
    waived = changed_catalog(catalog, waivers=(waiver("unreadable-rows", NOW), waiver("unreadable-rows", end)))
    for at in (NOW, end):
        result = judge("unreadable-rows", of=waived, at=at)
        assert result.verdict == "waived"
        assert "until 2026-10-23T12:00:00Z by Ada, approved by Ben: known gap" in result.detail
        assert "1/4 > 0.05" in result.detail
        assert result.failed == 1
    late = judge("unreadable-rows", of=waived, at=end + timedelta(microseconds=1))
    assert late.verdict == "fail"
    assert "its waiver by Ada ended at 2026-10-23T12:00:00Z" in late.detail


def test_a_waiver_waives_nothing_but_its_own_failed_gate(
    catalog: Catalog, judge: Judge, changed_catalog: Callable[..., Catalog]
) -> None:
    end = NOW + timedelta(days=3)
    waived = changed_catalog(catalog, waivers=tuple(waiver(gate, end) for gate in ("conservation", "rows-lost")))
    assert judge("conservation", of=waived).verdict == "pass"
    assert judge("rows-lost", of=waived).verdict == "not_applicable"
    assert judge("unreadable-rows", of=waived).verdict == "fail"


def test_a_suite_gate_keeps_its_validation(judge: Judge, sound: Tables) -> None:
    broken = sound["core__evidence"].with_columns(pl.col("z") + 0.5)
    result = judge("suite-core__evidence", {"core__evidence": broken})
    assert result.verdict == "fail"
    assert (result.figure, result.threshold, result.failed) == (1.0, 0.0, 1)
    assert result.validation is not None
    assert result.validation["verdict"] == "fail"
    assert "the median of z is 0" in result.detail
