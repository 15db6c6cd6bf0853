"""`scoretrail harness`: text and JSON, exit codes, registering; and a study of attempts through a whole run."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
import yaml
from small_homes import CATALOG, CHECKOUT, Ran, build_world, call, day_frame, quiet_process

from pipelines.harness_command import recording_limit
from resources.catalog_files import load_catalog

EXAMPLE = CHECKOUT / "warehouse" / "demo" / "agents"
MAPS = ("--map", EXAMPLE / "repair-map.yaml", "--map", EXAMPLE / "desk-map.yaml")


def harness(attempts: Path, *more: str | Path, panel: Path = EXAMPLE / "panel.yaml") -> Ran:
    return call("harness", attempts, "--panel", panel, *MAPS, *more)


def test_a_sentence_a_benchmark_says_who_is_to_blame(tmp_path: Path) -> None:
    said = harness(EXAMPLE / "attempts.csv", "--home", tmp_path)
    assert said.code == 0, said.said
    for benchmark in ("desk", "repair"):
        [sentence] = [
            " ".join(one.split())
            for one in said.out.replace("\n  ", " ").splitlines()
            if one.startswith(f"{benchmark}: of the differences")
        ]
        assert "95% interval" in sentence
        assert "Had every attempt ended cleanly" in sentence
    assert "task desk-07" in said.out
    assert not (tmp_path / "evidence").exists()


def test_json_holds_every_table(tmp_path: Path) -> None:
    found = harness(EXAMPLE / "attempts.csv", "--home", tmp_path, "--json").json
    assert {name for name in found if name.startswith("out__harness_")} >= {"out__harness_cell", "out__harness_blame"}
    assert found["exit_code"] == 0
    assert {row["verdict"] for row in found["out__harness_verdict"]} <= {"model", "harness", "interaction", "undecided"}


def test_records_at_fault_end_with_1(tmp_path: Path) -> None:
    text = (EXAMPLE / "attempts.csv").read_text(encoding="utf-8")
    attempts = tmp_path / "attempts.csv"
    attempts.write_text(text + "nobody,loop,desk,desk-01,1,50,completed,true,9\n", encoding="utf-8")
    said = harness(attempts, "--home", tmp_path)
    assert said.code == 1
    assert "unplanned: 1 attempt" in said.out
    assert "nobody + loop" in said.out


def test_attempts_that_nobody_recorded_blame_nobody(tmp_path: Path) -> None:
    """29 of 1,200 planned attempts, none of desk: 4, no verdict, and how many lack; a few missing ones are borne."""
    lines = (EXAMPLE / "attempts.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    attempts = tmp_path / "attempts.csv"
    attempts.write_text("".join(lines[:30]), encoding="utf-8")
    said = harness(attempts, "--home", tmp_path)
    told = " ".join(said.out.split())
    assert said.code == 4
    assert "desk: 600 of 600 planned attempts have no record: nobody can be blamed" in told
    assert "of the differences" not in told and "all score the same" not in told
    found = harness(attempts, "--home", tmp_path, "--json").json
    assert found["exit_code"] == 4 and set(found["unrecorded"]) == {"desk", "repair"}
    attempts.write_text("".join(lines[:-1]), encoding="utf-8")
    assert harness(attempts, "--home", tmp_path, "--json").json["unrecorded"] == {}


def test_a_catalog_without_the_gate_has_no_limit() -> None:
    catalog = load_catalog(CATALOG).catalog
    assert recording_limit(catalog) == 0.05
    bare = catalog.model_copy(update={"gates": (), "study_gates": ()})
    assert recording_limit(bare) == 1.0


def test_where_no_two_models_meet_two_harnesses_nobody_is_blamed(tmp_path: Path) -> None:
    panel = tmp_path / "panel.yaml"
    declared = yaml.safe_load((EXAMPLE / "panel.yaml").read_text(encoding="utf-8"))
    declared |= {"configurations": [["north-1", "loop"], ["south-2", "shell"]], "references": []}
    panel.write_text(yaml.safe_dump(declared), encoding="utf-8")
    frame = pl.read_csv(EXAMPLE / "attempts.csv", infer_schema=False)
    kept = (pl.col("model") + pl.col("harness")).is_in(["north-1loop", "south-2shell"])
    frame.filter(kept).write_csv(tmp_path / "attempts.csv")
    said = harness(tmp_path / "attempts.csv", "--home", tmp_path, panel=panel)
    assert said.code == 4
    assert "No two models meet two harnesses." in said.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("harness",), "name files of attempts"),
        (("harness", EXAMPLE / "attempts.csv"), "--panel PANEL.yaml"),
        (("harness", "nowhere.csv", "--panel", EXAMPLE / "panel.yaml", *MAPS), "nowhere.csv"),
        (("harness", EXAMPLE / "attempts.csv", "--panel", EXAMPLE / "panel.yaml"), "no status map repair"),
        (("harness", EXAMPLE / "attempts.csv", "--panel", EXAMPLE / "desk-map.yaml"), "desk-map.yaml"),
        (("harness", "--show-map", "vitabenhc"), "did you mean vitabench"),
    ],
)
def test_mistakes_are_said_without_a_traceback(arguments: tuple[str | Path, ...], said: str, tmp_path: Path) -> None:
    ran = call(*arguments, "--home", tmp_path)
    assert ran.code == 2
    assert said in ran.err
    assert "Traceback" not in ran.said


def test_a_bundled_map_is_shown_to_be_copied() -> None:
    shown = call("harness", "--show-map", "clawmark")
    assert yaml.safe_load(shown.out)["id"] == "clawmark"


def test_a_bundled_map_is_json_where_that_is_asked(tmp_path: Path) -> None:
    shown = call("harness", "--show-map", "clawmark", "--json").json
    assert shown["map"] == "clawmark" and shown["declares"] == yaml.safe_load(shown["yaml"])


def test_a_file_that_is_missing_is_told_before_its_map(tmp_path: Path) -> None:
    """The panel names a map of its own, which was not named either."""
    panel = tmp_path / "panel.yaml"
    panel.write_text((EXAMPLE / "panel.yaml").read_text().replace("map: ", "map: own-"))
    assert "nope.csv: no such file" in harness(tmp_path / "nope.csv", panel=panel).err
    assert "status map" in harness(EXAMPLE / "attempts.csv", panel=panel).err


def test_a_study_of_attempts_is_published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    quiet_process(monkeypatch)
    world = build_world(tmp_path / "world")
    gates = yaml.safe_load((CATALOG / "gates.yaml").read_text(encoding="utf-8"))["gates"]
    own = yaml.safe_load((world.catalog / "gates.yaml").read_text(encoding="utf-8"))["gates"]
    own += [gate for gate in gates if gate["id"] in {"suite-out__harness_cell", "suite-out__harness_block"}]
    (world.catalog / "gates.yaml").write_text(yaml.safe_dump({"gates": own}), encoding="utf-8")
    studies = [{"id": "three-by-three", "kind": "harness", "evidence": "made-up", "publish": True}]
    (world.catalog / "studies.yaml").write_text(yaml.safe_dump({"studies": studies}), encoding="utf-8")
    kept = harness(EXAMPLE / "attempts.csv", "--register", "made-up", "--home", world.home)
    assert "Registered attempts made-up" in kept.out
    ran = world.run(day=None)
    day = max(world.tables.days("out__harness_verdict"))
    judged = day_frame(world, "out__gate", day).filter(pl.col("product") == "three-by-three")
    assert set(judged["verdict"]) == {"pass"}, judged.filter(pl.col("verdict") != "pass").rows(named=True)
    assert ran.code == 0, ran.said
    assert day_frame(world, "out__harness_verdict", day).height == 2
    told = harness(EXAMPLE / "attempts.csv", "--home", world.home, "--json").json
    published = day_frame(world, "out__harness_summary", day).drop("study").rows(named=True)
    assert published == told["out__harness_summary"]  # what the command says is what a study publishes
