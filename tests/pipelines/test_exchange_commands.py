"""`scoretrail export --format` and `scoretrail import`: a release out, and back in as results that give the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from small_homes import SmallWorld, call

PERMISSIVE = {"$schema": "http://json-schema.org/draft-07/schema#", "required": ["evaluation_results"]}
STRICT = PERMISSIVE | {"properties": {"evaluation_id": {"maxLength": 1}}}


@pytest.fixture
def schemas(tmp_path: Path) -> tuple[Path, Path]:
    paths = tmp_path / "permissive.json", tmp_path / "strict.json"
    for path, schema in zip(paths, (PERMISSIVE, STRICT), strict=True):
        path.write_text(json.dumps(schema), encoding="utf-8")
    return paths


def stated(rows: list[dict[str, Any]]) -> list[str]:
    return sorted(json.dumps(row, sort_keys=True) for row in rows)


def test_a_release_goes_out_and_comes_back(template: SmallWorld, schemas: tuple[Path, Path], tmp_path: Path) -> None:
    out, back = tmp_path / "logs", tmp_path / "back.json"
    said = template.ask(
        "export", "current", "--format", "every-eval-ever", "--out", str(out), "--leaderboard", "alpha", "--json",
        "--schema", str(schemas[0]),
    )  # fmt: skip
    assert said.code == 0, said.said
    assert (said.json["files"], said.json["results"], said.json["schema_faults"]) == (8, 24, [])
    ran = call("import", out, "--leaderboard", "alpha", "--out", back, "--json", "--schema", schemas[0])
    assert (ran.code, ran.json["results"], ran.json["problems"]) == (0, 24, [])
    mine = json.loads(template.board_file("alpha").read_text(encoding="utf-8"))
    theirs = json.loads(back.read_text(encoding="utf-8"))
    assert stated(theirs["results"]) == stated(mine["results"])
    assert theirs["synced_at"] == mine["synced_at"]


def test_the_logs_as_a_source_give_the_same_scores(template: SmallWorld, tmp_path: Path) -> None:
    world = template.copy(tmp_path / "world")
    out = world.catalog / "logs"
    assert (
        world.ask("export", "current", "--format", "every-eval-ever", "--out", str(out), "--leaderboard", "alpha").code
        == 0
    )
    before = world.ask("scores", "--json").json
    world.entries["alpha"] |= {"connector": "every-eval-ever", "url": "logs"}
    world.write_sources()
    assert world.run().code == 0
    after = world.ask("scores", "--json").json
    kept = [[(row["model_id"], row["score"], row["rank"]) for row in one["scores"]] for one in (before, after)]
    assert kept[0] == kept[1]


def test_tables_as_csv_and_parquet(template: SmallWorld, tmp_path: Path) -> None:
    for form in ("csv", "parquet"):
        ran = template.ask("export", "current", "--format", form, "--out", str(tmp_path / form), "--json")
        assert ran.code == 0, ran.said
        assert ran.json["files"] == len(list((tmp_path / form).iterdir()))
    table = pl.read_parquet(tmp_path / "parquet" / "core__result.parquet")
    assert pl.read_csv(tmp_path / "csv" / "core__result.csv", infer_schema=False).height == table.height == 96


def test_the_schemas_verdict_ends_with_1(template: SmallWorld, schemas: tuple[Path, Path], tmp_path: Path) -> None:
    out = tmp_path / "logs"
    arguments = ("export", "current", "--format", "every-eval-ever", "--out", str(out), "--schema", str(schemas[1]))
    ran = template.ask(*arguments)
    assert ran.code == 1 and "$.evaluation_id" in ran.err
    assert template.ask(*arguments).code == 2, "the folder holds something now"
    assert call("import", out, "--leaderboard", "x", "--out", tmp_path / "b.json", "--schema", schemas[1]).code == 1


def test_instance_files_are_read_where_asked(template: SmallWorld, tmp_path: Path) -> None:
    out = tmp_path / "logs"
    template.ask("export", "current", "--format", "every-eval-ever", "--out", str(out), "--leaderboard", "alpha")
    sample = {
        "schema_version": "0.3.0", "evaluation_id": "e", "model_id": "m", "evaluation_name": "n", "sample_id": "s",
        "interaction_type": "single_turn", "input": {"raw": "q", "reference": ["a"]}, "output": {"raw": ["b"]},
        "answer_attribution": [], "evaluation": {"score": 0.5, "is_correct": False},
    }  # fmt: skip
    lines = [sample, sample | {"sample_id": None}, sample | {"evaluation": {"score": 1, "is_correct": True}}]
    (out / "x_samples.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    asked = ("import", out, "--leaderboard", "a", "--out", tmp_path / "b.json")
    assert "1 instance-level files were left aside" in call(*asked).out
    ran = call(*asked, "--samples", tmp_path / "s.parquet", "--json")
    assert (ran.code, ran.json["samples"]) == (1, 2)
    assert ran.json["problems"] == ["x_samples.jsonl, line 2: sample_id: must be text"]
    assert pl.read_parquet(tmp_path / "s.parquet")["score"].to_list() == [0.5, 1.0]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("export", "current"), "either --archive"),
        (("export", "current", "--format", "csv"), "either --archive"),
        (("export", "current", "--archive", "x.zip", "--format", "csv", "--out", "y"), "either --archive"),
        (("export", "current", "--archive", "x.zip", "--leaderboard", "alpha"), "go with --format"),
        (("export", "current", "--format", "csv", "--out", "y", "--leaderboard", "alpha"), "go with --format"),
        (("export", "current", "--format", "every-eval-ever", "--out", "y", "--leaderboard", "?"), "no leaderboard of"),
    ],
)
def test_what_cannot_be_done_is_said(
    template: SmallWorld, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = template.ask(*arguments)
    assert ran.code == 2 and said in ran.err


def test_an_import_that_cannot_be_done_is_said(tmp_path: Path) -> None:
    more = ("--out", tmp_path / "o.json", "--leaderboard", "a")
    assert call("import", tmp_path / "absent", *more).code == 2
    assert "holds no .json" in call("import", tmp_path, *more).err
    (tmp_path / "a.json").write_text("{}", encoding="utf-8")
    ran = call("import", tmp_path, *more)
    assert ran.code == 2 and "evaluation_results" in ran.err
    assert call("import", tmp_path, "--out", tmp_path / "o.json", "--leaderboard", "A B").code == 2
