"""contract, decide and plan from the shell: exit codes, every form, and a decision that goes out in a release."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml
from small_homes import build_world, call, day_frame, quiet_process

from resources.manifest import read_release
from resources.site.build import site_files
from resources.site.inputs import inputs_of_folder
from warehouse.release_stages import ENTRY_FLAGS

RIGHT = [n % 25 < 18 for n in range(200)]


def made(folder: Path, *more: str) -> Path:
    """A sealed contract."""
    file = folder / "c.yaml"
    asked = ("--modality", "text", "--scorer", "rule", "--objective", "non_inferiority", "--risk", "low")
    assert call("contract", "new", str(file), *asked, "--baseline", "old", "--candidate", "new", *more).code == 0
    assert call("contract", "seal", str(file)).code == 0
    return file


def evidence(folder: Path, contract: Path, lost: int = 0, tasks: int = 200) -> Path:
    """Samples: 144 of 200 by the baseline, so many of them lost by the candidate; four are won."""
    draw = random.Random(1)
    lines = ["system,task,success,latency_s,broke_red_line,scorer_type,scorer_version"]
    right = [n for n, known in enumerate(RIGHT) if known][:lost]
    won = [n for n, known in enumerate(RIGHT) if not known][:4]
    for n, known in enumerate(RIGHT[:tasks]):
        for system, success in (("old", known), ("new", (known and n not in right) or n in won)):
            lines.append(f"{system},q{n},{success},{draw.uniform(0.5, 4):.2f},False,rule,1")
    file = folder / "samples.csv"
    file.write_text("\n".join(lines) + "\n")
    sealed = re.search(r"sha256: (\w{64})", contract.read_text())
    assert sealed is not None
    (folder / "samples.yaml").write_text(f"contract_sha256: {sealed[1]}\n")
    return file


def test_exit_codes_follow_the_verdict(tmp_path: Path) -> None:
    contract = made(tmp_path)
    home = ("--home", str(tmp_path / "home"))
    for lost, tasks, code, verdict in ((2, 200, 0, "shadow_only"), (60, 200, 1, "block"), (0, 60, 4, "insufficient")):
        said = call("decide", str(contract), str(evidence(tmp_path, contract, lost, tasks)), *home)
        assert said.code == code and verdict.split("_")[0] in said.out, said.out
    assert "60 paired tasks, the contract asks for 100" in said.out
    assert not (tmp_path / "home" / "evidence").exists()  # deciding stores nothing


def test_every_form_says_the_same(tmp_path: Path) -> None:
    contract = made(tmp_path)
    samples = evidence(tmp_path, contract, 60)
    files = {name: tmp_path / f"out.{name}" for name in ("xml", "md", "html")}
    forms = ("--junit", str(files["xml"]), "--markdown", str(files["md"]), "--page", str(files["html"]))
    said = call("decide", str(contract), str(samples), *forms, "--json")
    values = json.loads(said.out)
    assert (said.code, values["exit_code"], values["verdict"]) == (1, 1, "block")
    level = values["levels"][0]
    assert [round(100 * level[name], 1) for name in ("share", "low", "high")] == [72.0, 65.4, 77.8]
    objective = next(gate for gate in values["gates"] if gate["id"] == "objective")
    suite = ElementTree.parse(files["xml"]).getroot()
    assert suite.attrib["failures"] == "1" and suite.attrib["errors"] == "0"
    assert [case.attrib["name"] for case in suite.iter("testcase")] == [gate["id"] for gate in values["gates"]]
    failed = suite.find(".//testcase[@name='objective']/failure")
    assert failed is not None and failed.attrib["message"] == objective["detail"]
    assert "| objective | ❌ fail |" in files["md"].read_text() and "block: a gate said no" in files["md"].read_text()
    assert {gate["id"]: gate["detects"] for gate in values["gates"] if gate["kind"] != "evidence"} == {
        "objective": f"{objective['detectable']:.2f} pp",
        "red-line.forbidden-act": "1.5% of rows", "budget.latency-p95": "—",
    }  # fmt: skip
    for form in (call("decide", str(contract), str(samples)).out, files["md"].read_text(), files["html"].read_text()):
        assert f"{objective['detectable']:.2f} pp" in form and "1.5% of rows" in form
    page = files["html"].read_text()
    assert page.startswith("<!doctype html>") and "src=" not in page and 'href="http' not in page
    assert f"{objective['estimate']:.2f} pp" in page


def test_nobody_is_said_to_have_made_sure(tmp_path: Path) -> None:
    """A new contract claims nothing of the entry to shadow that nobody said, and asks where somebody is there."""
    asked = ("--modality", "text", "--scorer", "rule", "--objective", "superiority", "--risk", "low")

    def flags(name: str, *more: str) -> list[str]:
        assert call("contract", "new", str(tmp_path / name), *asked, *more).code == 0
        entry = yaml.safe_load((tmp_path / name).read_text())["stages"]["shadow"]
        return [flag for flag, value in entry.items() if value is True]

    assert flags("none.yaml") == []
    assert flags("one.yaml", "--made-sure", "are_write_tools_off") == ["are_write_tools_off"]
    assert flags("all.yaml", *(word for flag in ENTRY_FLAGS for word in ("--made-sure", flag))) == [*ENTRY_FLAGS]
    assert "one of is_data_minimized" in call(
        "contract", "new", str(tmp_path / "x.yaml"), *asked, "--made-sure", "all"
    ).err  # fmt: skip
    assert call("contract", "seal", str(tmp_path / "none.yaml")).code == 0
    ran = call("shadow", "start", "mine", str(tmp_path / "none.yaml"), "--home", str(tmp_path / "home"))
    assert ran.code == 1 and "not yet so that data is minimized; write tools are off" in ran.err


def test_what_must_hold_is_asked_of_a_person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter([True, False, True, False, False])
    monkeypatch.setattr("typer.confirm", lambda _question, *, default, err: next(answers))
    monkeypatch.setattr("typer.prompt", lambda _question, *, err: "low")
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    asked = ("--modality", "text", "--scorer", "rule", "--objective", "superiority")
    assert call("contract", "new", str(tmp_path / "c.yaml"), *asked).code == 0
    entry = yaml.safe_load((tmp_path / "c.yaml").read_text())["stages"]["shadow"]
    assert [entry[flag] for flag in ENTRY_FLAGS] == [True, False, True, False, False]


def test_names_stay_text_in_every_form(tmp_path: Path) -> None:
    contract = made(tmp_path)
    evil = "<img src=x>|[a](http://b)"
    contract.write_text(contract.read_text().split("\n# Fixed before")[0].replace("new in place of old", evil))
    assert call("contract", "seal", str(contract)).code == 0
    samples = evidence(tmp_path, contract)
    page, text = tmp_path / "p.html", tmp_path / "m.md"
    assert call("decide", str(contract), str(samples), "--page", str(page), "--markdown", str(text)).code == 0
    assert "<img" not in page.read_text() and "&lt;img" in page.read_text()
    assert "\\<img src=x\\>\\|\\[a\\](http://b)" in text.read_text()


def test_a_contract_is_refused_where_it_must_be(tmp_path: Path) -> None:
    contract = made(tmp_path)
    samples = evidence(tmp_path, contract)
    assert call("contract", "check", str(contract)).code == 0
    assert "never written over" in call("contract", "new", str(contract)).err
    contract.write_text(contract.read_text().replace("alpha: 0.05", "alpha: 0.2"))
    checked = call("contract", "check", str(contract))
    assert (checked.code, checked.out) == (2, "") and "changed after it was sealed" in checked.err
    assert "another id" in checked.err
    asked = call("contract", "check", str(contract), "--json")
    assert (asked.code, asked.json["is_changed"], asked.json["exit_code"]) == (2, True, 2)
    for said in (call("decide", str(contract), str(samples)), call("contract", "seal", str(contract))):
        assert said.code == 2 and "changed after it was sealed" in said.err
    contract.write_text(contract.read_text().replace("kind: non_inferiority", "kind: guess"))
    said = call("contract", "check", str(contract))
    assert said.code == 2 and re.search(r"c\.yaml:\d+: objective\.kind", said.err)
    assert call("contract", "new", str(tmp_path / "d.yaml"), "--modality", "smell").code == 2


def test_plan_estimates_from_a_pilot(tmp_path: Path) -> None:
    contract = made(tmp_path)
    samples = evidence(tmp_path, contract, 6)
    found = json.loads(call("plan", str(contract), "--pilot", str(samples), "--json").out)
    assert found["pilot"]["tasks"] == 200 and found["pilot"]["baseline_rate"] == 0.72
    assert found["assumptions"]["pairing"] == pytest.approx(found["pilot"]["pairing"])
    assert found["needed"] > 0 and found["at"]["tasks"] == 100 and len(found["curve"]) > 10
    text = call("plan", "--baseline-rate", "0.7", "--expected-pp", "0", "--margin-pp", "-5", "--pairing", "0.6").out
    assert "Needed: 416 tasks" in text
    assert call("plan", "--baseline-rate", "0.7").code == 2
    assert "does not lie above the margin" in call(
        "plan", "--baseline-rate", "0.7", "--expected-pp", "-6", "--margin-pp", "-5", "--pairing", "0.6"
    ).err  # fmt: skip


def test_a_decision_is_published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    quiet_process(monkeypatch)
    world = build_world(tmp_path / "world")
    studies = [{"id": "assistant", "kind": "release_decision", "evidence": "assistant-1", "publish": True}]
    (world.catalog / "studies.yaml").write_text(yaml.safe_dump({"studies": studies}))
    contract = made(tmp_path)
    home = ("--home", str(world.home))
    said = call("decide", str(contract), str(evidence(tmp_path, contract, 60)), "--register", "assistant-1", *home)
    assert said.code == 1 and "Registered samples assistant-1" in said.out
    ran = world.run(day=None)
    assert ran.code == 0, ran.said
    day = max(world.tables.days("out__release_decision"))
    row = day_frame(world, "out__release_decision", day).row(0, named=True)
    assert (row["study"], row["verdict"], row["failed_gates"]) == ("assistant", "block", ["objective"])
    gates = day_frame(world, "out__release_decision_gate", day)
    assert gates["place"].to_list() == list(range(1, gates.height + 1))
    verdicts = {one["gate"]: one["verdict"] for one in day_frame(world, "out__gate", day).rows(named=True)}
    assert verdicts["decision-follows.assistant"] == "pass" and verdicts["decision-verdict.assistant"] == "fail"
    products = {one["product"]: one["status"] for one in day_frame(world, "out__product", day).rows(named=True)}
    assert products["assistant"] == "published"
    current = world.current()
    assert current is not None
    folder = world.releases.folder(current)
    site = dict(site_files(inputs_of_folder(folder, read_release(folder).manifest)))
    assert b"decisions/assistant.html" in site["decisions.html"] and b'href="studies.html"' in site["index.html"]
    assert b"Release decisions" in site["studies.html"] and b"decisions/assistant.html" in site["studies.html"]
    assert b"objective (n = 200): fail" in site["decisions/assistant.html"]


def test_evidence_of_another_contract_is_said_to_be(tmp_path: Path) -> None:
    """Not the column that it lacks for this one: the file, and what both contracts are."""
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    mine, other = made(tmp_path / "a"), made(tmp_path / "b", "--id", "other")
    mine.write_text(mine.read_text().split("\n# Fixed before")[0].replace("column: success", "column: solved"))
    assert call("contract", "seal", str(mine)).code == 0
    said = call("decide", str(mine), str(evidence(tmp_path / "b", other)))
    assert said.code == 2
    assert "samples.csv: is evidence of another contract" in said.err and "c is " in said.err and "solved" in said.err


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda text: text + text.splitlines()[-1] + "\n", "stands in more than one row"),
        (lambda text: text.replace("new,", "newest,"), "no row of system 'new'"),
    ],
    ids=["repeated", "unknown"],
)
def test_rows_at_fault_are_told_with_their_file(tmp_path: Path, change: Callable[[str], str], said: str) -> None:
    contract = made(tmp_path)
    samples = evidence(tmp_path, contract)
    samples.write_text(change(samples.read_text()))
    ran = call("decide", str(contract), str(samples))
    assert ran.code == 2
    assert f"{samples}: " in ran.err and said in ran.err


@pytest.mark.parametrize(
    ("option", "value"),
    [("--baseline-rate", "2"), ("--pairing", "-2"), ("--repeats", "7"), ("--trials", "0"), ("--tasks", "0")],
)
def test_a_number_that_cannot_be_is_told_before_those_that_lack(option: str, value: str) -> None:
    ran = call("plan", option, value)
    assert (ran.code, option in ran.err, value in ran.err) == (2, True, True)
