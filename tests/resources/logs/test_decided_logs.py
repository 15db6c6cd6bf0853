"""Logs of other tools are evidence of a decision as they are: archives of Inspect, folders of lm-eval."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from tool_logs import inspect_header, inspect_sample, lm_eval_line, write_eval, write_lm_eval

from methods.decision.decide import decide
from methods.decision.verdict import Decision
from resources.catalog_files import load_catalog
from resources.contract_files import seal_contract
from resources.contract_template import Choices, contract_text
from resources.evidence_store import EvidenceError
from resources.sample_evidence import read_decision_evidence, read_samples
from resources.sample_notes import read_note
from resources.sample_registration import files_to_register
from warehouse.decision_rules import RiskDefaults
from warehouse.release_contract import ReleaseContract

CATALOG = Path(__file__).resolve().parents[3] / "warehouse" / "catalog"
DEFAULTS = RiskDefaults(
    alpha=0.05, delta_pp=20, minimum_tasks=20, slice_minimum_tasks=5, minimum_clusters=2, max_infrastructure_frac=0.1,
    max_parse_frac=0.1,
)  # fmt: skip
STATED = 'columns: {success: score}\nstate: {scorer_type: rule, scorer_version: "1", broke_red_line: "false"}\n'


@pytest.fixture
def contract(tmp_path: Path) -> ReleaseContract:
    file = tmp_path / "contract.yaml"
    text = contract_text(Choices("logs", "text", "rule", "non_inferiority", "low", "old", "new"), DEFAULTS)
    file.write_text(
        text.replace(
            "{id: latency-p95, column: latency_s, statistic: p95", "{id: latency, column: latency_s, statistic: max"
        )
    )
    return seal_contract(file, datetime(2026, 10, 1, tzinfo=UTC))[0]


def decided(contract: ReleaseContract, places: list[Path]) -> Decision:
    return decide(contract, read_samples(places, contract), load_catalog(CATALOG).catalog.methodology)


def inspect_logs(folder: Path) -> list[Path]:
    """Two archives: 40 tasks twice; the candidate misses one answer."""
    tasks, made = [f"q{n}" for n in range(40)], []
    for model, missed in (("mock/old", ()), ("mock/new", ("q3",))):
        header = inspect_header(tasks, 2)
        header["eval"]["model"] = model
        samples = [inspect_sample(t, epoch, "I" if t in missed else "C") for t in tasks for epoch in (1, 2)]
        made.append(write_eval(folder / f"{model[5:]}.eval", header, samples))
    return made


def test_inspect_archives_are_decided_on(tmp_path: Path, contract: ReleaseContract) -> None:
    logs = inspect_logs(tmp_path)
    systems = "systems: {arith / mock/old: old, mock/old: old, arith / mock/new: new, mock/new: new}\n"
    (tmp_path / "samples.yaml").write_text(f"contract_sha256: {contract.sha256}\n{STATED}{systems}")
    found = decided(contract, logs)
    objective = next(gate for gate in found.gates if gate.id == "objective")
    assert (objective.tasks, objective.rows, objective.estimate) == (40, 160, -2.5)
    assert found.verdict == "shadow_only" and found.instability is not None and found.instability.flip_rate == 0.0
    assert next(gate for gate in found.gates if gate.id == "budget.latency").estimate == pytest.approx(0.453, abs=0.01)


def test_folders_of_lm_evaluation_harness_are_decided_on(tmp_path: Path, contract: ReleaseContract) -> None:
    places = []
    for system in ("old", "new"):
        folder = tmp_path / system
        lines = [lm_eval_line(n, {"acc": 1.0 if n % 2 or n < 4 else 0.0}) for n in range(40)]
        told = {"config": {"model": "hf", "model_args": {"pretrained": f"org/{system}"}}, "model_name": f"org/{system}"}
        write_lm_eval(folder, "arith", lines, **told)
        places.append(folder)
    note = (
        f"contract_sha256: {contract.sha256}\nlogs: {{format: lm-eval, scores: [acc]}}\nfiles: {{old: old, new: new}}\n"
    )
    (tmp_path / "samples.yaml").write_text(note + STATED)
    samples = read_samples([*places, tmp_path / "samples.yaml"], contract)
    assert samples.rows["system"].unique().sort().to_list() == ["new", "old"] and samples.height == 80
    kept = tmp_path / "kept"
    kept.mkdir()
    given = [*places, tmp_path / "samples.yaml"]
    for file in files_to_register(tmp_path / "contract.yaml", given, samples, kept):
        assert file.parent == kept
    again = read_decision_evidence(kept)
    methodology = load_catalog(CATALOG).catalog.methodology
    assert decide(contract, again.samples, methodology) == decide(contract, samples, methodology)
    note = read_note([kept])
    assert note.logs is None and [one.format for one in note.originals] == ["lm-eval"] * 4


def test_a_log_that_cannot_be_read_whole_decides_nothing(tmp_path: Path, contract: ReleaseContract) -> None:
    (tmp_path / "broken.eval").write_bytes(b"PK\x03\x04 cut short")
    (tmp_path / "samples.yaml").write_text(f"contract_sha256: {contract.sha256}\n{STATED}")
    with pytest.raises(EvidenceError, match=r"broken\.eval"):
        read_samples([tmp_path / "broken.eval"], contract)
