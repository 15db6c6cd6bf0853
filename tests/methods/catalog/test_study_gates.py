"""A line of gates.yaml for a kind of study becomes one gate a study, and no other study's."""

from __future__ import annotations

from methods.catalog.study_gates import split_gates
from warehouse.catalog_model import GateSpec, StudySpec

BOARD = GateSpec(id="conservation", product="scores", table="core__exclusion")
BALANCE = GateSpec(id="balance", product="harness", table="out__harness_cell", threshold=1.0)
PROVED = GateSpec(id="study-evidence", product="every_study", table="raw__evidence")
STUDIES = [
    StudySpec(id="terminal", kind="harness", evidence="terminal-1"),
    StudySpec(id="judge-a", kind="judge", evidence="votes"),
    StudySpec(id="sources", kind="source_difference", evidence="frozen-1"),
]


def test_a_line_stands_once_for_every_study_of_its_kind() -> None:
    gates, lines = split_gates([BALANCE, BOARD, PROVED], STUDIES)
    assert [(gate.id, gate.product, gate.study) for gate in gates] == [
        ("conservation", "scores", None),
        ("balance.terminal", "terminal", "terminal"),
        ("study-evidence.terminal", "terminal", "terminal"),
        ("study-evidence.judge-a", "judge-a", "judge-a"),
    ]
    assert lines == (BALANCE, PROVED)
    assert [gate.judged_as for gate in gates] == ["conservation", "balance", "study-evidence", "study-evidence"]
    assert gates[1].threshold == 1.0


def test_without_studies_no_line_is_judged() -> None:
    assert split_gates([BALANCE, BOARD], []) == ((BOARD,), (BALANCE,))


def test_a_study_called_as_a_gate_ends_is_still_told_apart() -> None:
    gates, _ = split_gates([BALANCE], [StudySpec(id="balance", kind="harness", evidence="one")])
    assert [(gate.id, gate.judged_as) for gate in gates] == [("balance.balance", "balance")]
