"""A release decided on logs that the real tools wrote, end to end: the command, its verdict, and what is registered.

The tools are found as in `test_real_tools`; where they are not, these tests skip, saying so.
"""

from __future__ import annotations

import hashlib
import io
import json
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import yaml
from test_real_tools import run_tool
from tool_systems import MISSED, QUESTIONS

from pipelines import command
from resources.evidence_store import EvidenceStore

TOOLS = {"inspect": ("inspect_ai", "inspect"), "lm-eval": ("lm_eval", "lm-eval")}
RUNS = Path(__file__).with_name("tool_systems.py")
STATED = {"scorer_type": "rule", "scorer_version": "1", "broke_red_line": "false"}
NOTES: dict[str, dict[str, Any]] = {
    "inspect": {"logs": {"format": "inspect"}, "systems": {f"mockllm/{name}": name for name in MISSED}},
    "lm-eval": {"logs": {"format": "lm-eval", "scores": ["acc"]}, "files": {name: name for name in MISSED}},
}


def scoretrail(*words: object) -> tuple[int, dict[str, Any], str]:
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = command.run([str(word) for word in words] + ["--json"])
    return int(code), json.loads(out.getvalue()), err.getvalue()


@pytest.fixture(scope="module", params=sorted(TOOLS))
def world(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path, Path]:
    """The format, a sealed contract, and logs that came after it: evidence from before a contract is refused."""
    contract = sealed_contract(tmp_path_factory.mktemp("contract"))
    package, name = TOOLS[request.param]
    return request.param, contract, run_tool(package, name, tmp_path_factory.mktemp(request.param), RUNS)


def sealed_contract(folder: Path) -> Path:
    """A contract for forty questions, whose only budget is taken out: not every tool tells seconds."""
    file = folder / "contract.yaml"
    asked = ("--modality", "text", "--scorer", "rule", "--objective", "non_inferiority", "--risk", "low")
    assert scoretrail("contract", "new", file, *asked, "--baseline", "old", "--candidate", "new")[0] == 0
    text = file.read_text()
    for was, now in (("minimum_tasks: 100", "minimum_tasks: 30"), ("delta_regress_pp: 5", "delta_regress_pp: 15")):
        assert was in text
        text = text.replace(was, now)
    head, _, rest = text.partition("budgets:\n  - {id: latency")
    file.write_text(f"{head}budgets: []\n{rest.partition(chr(10))[2]}")
    assert scoretrail("contract", "seal", file)[0] == 0
    return file


def places(form: str, folder: Path, contract: Path, tmp_path: Path) -> list[Path]:
    """Both systems' folders of logs, and the note beside them."""
    sealed = yaml.safe_load(contract.read_text())["seal"]["sha256"]
    note = {"contract_sha256": sealed, "columns": {"success": "score"}, "state": STATED, **NOTES[form]}
    (tmp_path / "samples.yaml").write_text(yaml.safe_dump(note))
    return [*(folder / name for name in MISSED), tmp_path / "samples.yaml"]


def test_a_decision_on_real_logs(world: tuple[str, Path, Path], tmp_path: Path) -> None:
    form, contract, folder = world
    given = places(form, folder, contract, tmp_path)
    code, found, said = scoretrail("decide", contract, *given, "--home", tmp_path / "home")
    assert (code, found.get("verdict"), found.get("notes")) == (0, "shadow_only", []), (found, said)
    objective = next(gate for gate in found["gates"] if gate["id"] == "objective")
    lost = 100 * (len(MISSED["old"]) - len(MISSED["new"])) / QUESTIONS
    assert (objective["tasks"], objective["estimate"]) == (QUESTIONS, pytest.approx(lost))
    levels = {one["system"]: one["successes"] for one in found["levels"]}
    assert levels == {name: QUESTIONS - len(missed) for name, missed in MISSED.items()}


def test_logs_are_registered_as_samples_beside_their_own_hashes(world: tuple[str, Path, Path], tmp_path: Path) -> None:
    form, contract, folder = world
    given, home = places(form, folder, contract, tmp_path), tmp_path / "home"
    code, found, said = scoretrail("decide", contract, *given, "--register", "real", "--home", home)
    assert code == 0, said
    [record] = EvidenceStore(home).records()
    assert record.sha256 == found["registered"]
    kept = yaml.safe_load((record.folder / "samples.yaml").read_text())["originals"]
    files = [path for name in MISSED for path in sorted((folder / name).rglob("*")) if path.is_file()]
    assert [one["sha256"] for one in kept] == [hashlib.sha256(path.read_bytes()).hexdigest() for path in files]
    assert {one["format"] for one in kept} == {form} and {one["name"].split("/")[0] for one in kept} == set(MISSED)
    assert pl.read_parquet(record.folder / "samples.parquet").height == 2 * QUESTIONS
    code, again, _ = scoretrail("decide", contract, record.folder, "--home", home)
    assert code == 0
    assert {**again, "registered": None} == {**found, "registered": None}
