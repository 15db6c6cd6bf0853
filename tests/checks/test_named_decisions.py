"""Gates on release decisions: the verdict follows from its gates, and says what it is in three values."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from checks.gate_inputs import GateInputs
from checks.gates import evaluate
from methods.catalog.study_gates import split_gates
from methods.decision.study import decision_tables
from methods.decision.verdict import Decision, Gate
from resources.catalog_files import load_catalog
from resources.contract_files import contract_of
from resources.contract_template import Choices, contract_text
from warehouse.catalog_model import Catalog, StudySpec
from warehouse.tables import TABLES
from warehouse.verdicts import GateResult

CATALOG = Path(__file__).resolve().parents[2] / "warehouse" / "catalog"
STUDY = StudySpec(id="assistant", kind="release_decision", evidence="assistant-1", publish=True)
NOW = datetime(2026, 10, 20, 12, tzinfo=UTC)
PASSED = Gate("objective", "objective", "pass", "clear", 1.0, -2.0, 4.0, -5.0, "pp", tasks=200)
UNSURE = Gate("slice.de", "slice", "inconclusive", "unclear", 1.0, -9.0, 4.0, -5.0, "pp", tasks=20, needed_tasks=90)
FAILED = Gate("red-line.leak", "red_line", "fail", "told a secret", 1.0, threshold=0.0)


@pytest.fixture(scope="module")
def shipped() -> Catalog:
    loaded = load_catalog(CATALOG).catalog
    gates, _ = split_gates([*loaded.gates, *loaded.study_gates], [STUDY])
    fields = {name: getattr(loaded, name) for name in Catalog.model_fields}
    return Catalog(**(fields | {"studies": (STUDY,), "gates": gates}))


def test_a_study_without_a_decision_does_not_pass_and_says_where_to_look(shipped: Catalog) -> None:
    empty = {name: TABLES[name].empty() for name in ("out__release_decision", "out__release_decision_gate")}
    inputs = GateInputs(empty, shipped, None, NOW, date(2026, 10, 20))
    found = evaluate(shipped.gate_by_id[f"decision-verdict.{STUDY.id}"], inputs)
    assert found.verdict == "fail" and "study-evidence" in found.detail


def judged(shipped: Catalog, gate: str, verdict: Any, gates: tuple[Gate, ...], **changed: Any) -> GateResult:
    risks = shipped.methodology.decision.risks
    text = contract_text(Choices("assistant", "text", "rule", "non_inferiority", "low", "old", "new"), risks["low"])
    contract = contract_of(text.encode(), "c.yaml")
    found = Decision("assistant", contract.sha256, "offline", verdict, gates)
    tables = {name: TABLES[name].conform(frame) for name, frame in decision_tables(STUDY.id, found, contract).items()}
    table = tables["out__release_decision"].with_columns(pl.lit(value).alias(name) for name, value in changed.items())
    inputs = GateInputs({**tables, "out__release_decision": table}, shipped, None, NOW, date(2026, 10, 20))
    return evaluate(shipped.gate_by_id[f"{gate}.{STUDY.id}"], inputs)


@pytest.mark.parametrize(
    ("verdict", "gates", "outcome", "said"),
    [
        ("shadow_only", (PASSED,), "pass", "every gate passed"),
        ("insufficient_evidence", (PASSED, UNSURE), "inconclusive", "slice.de; 90 tasks would decide"),
        ("block", (PASSED, UNSURE, FAILED), "fail", "block: red-line.leak"),
    ],
)
def test_what_a_decision_says(shipped: Catalog, verdict: str, gates: tuple[Gate, ...], outcome: str, said: str) -> None:
    assert judged(shipped, "decision-follows", verdict, gates).verdict == "pass"
    found = judged(shipped, "decision-verdict", verdict, gates)
    assert found.verdict == outcome and said in found.detail


@pytest.mark.parametrize(
    ("verdict", "gates", "changed"),
    [
        ("ship", (PASSED,), {}),
        ("shadow_only", (PASSED, UNSURE), {}),
        ("insufficient_evidence", (PASSED, FAILED), {}),
        ("shadow_only", (PASSED,), {"failed_gates": ["objective"]}),
        ("shadow_only", (Gate("objective", "objective", "pass", "no", 1.0, -6.0, 4.0, -5.0, "pp"),), {}),
        ("block", (Gate("slice.de", "slice", "fail", "no", 1.0, -6.0, 4.0, -5.0, "pp"),), {}),
    ],
)
def test_a_verdict_that_its_gates_do_not_make_fails(
    shipped: Catalog, verdict: str, gates: tuple[Gate, ...], changed: dict[str, Any]
) -> None:
    assert judged(shipped, "decision-follows", verdict, gates, **changed).verdict == "fail"
