"""`scoretrail export` and `verify FILE`: one release as one file, whole or with inputs withheld for their licence."""

from __future__ import annotations

import io
import shutil
import zipfile
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from small_homes import SmallWorld, build_world, call, quiet_process


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> SmallWorld:
    """A published small world in which delta's licence does not allow passing its bytes on. Read only."""
    world = build_world(tmp_path_factory.mktemp("closed") / "world")
    world.entries["delta"]["license"] = "none declared"
    del world.entries["gamma"]["license"]
    world.write_sources()
    with pytest.MonkeyPatch.context() as patch:
        quiet_process(patch)
        ran = world.run()
    assert ran.code == 0, ran.said
    return world


def packed(world: SmallWorld, target: Path, *arguments: str) -> dict[str, Any]:
    ran = world.ask("export", "current", "--archive", str(target), "--json", *arguments)
    assert ran.code == 0, ran.said
    return ran.json


def test_a_complete_archive_is_the_same_bytes_and_holds_elsewhere(template: SmallWorld, tmp_path: Path) -> None:
    first, second = tmp_path / "one.zip", tmp_path / "two.zip"
    said = packed(template, first)
    assert packed(template.copy(tmp_path / "elsewhere"), second)["inputs"] == said["inputs"]
    assert first.read_bytes() == second.read_bytes()
    assert all(item["withheld_because"] is None for item in said["inputs"]) and said["raw_rows_left_out"] == 0
    shutil.rmtree(tmp_path / "elsewhere")
    found = call("verify", first, "--json").json
    assert (found["holds"], found["complete"]) == (True, True)
    assert found["whole"]["holds"] is True and len(found["whole"]["tables"]) == len(template.released)


def test_an_unpacked_archive_is_a_home(template: SmallWorld, tmp_path: Path) -> None:
    packed(template, tmp_path / "one.zip")
    with zipfile.ZipFile(tmp_path / "one.zip") as archive:
        archive.extractall(tmp_path / "home")
    release = template.current()
    assert release is not None
    assert call("verify", release, "--home", tmp_path / "home", "--json").json["holds"] is True
    scores = call("scores", "--home", tmp_path / "home", "--json")
    assert scores.code == 0 and scores.json["scores"] == template.ask("scores", "--json").json["scores"]


def test_inputs_whose_licence_forbids_it_are_named_with_hash_and_link(closed: SmallWorld, tmp_path: Path) -> None:
    said = packed(closed, tmp_path / "one.zip")
    withheld = {item["name"]: item for item in said["inputs"] if item["withheld_because"]}
    assert set(withheld) == {"delta", "gamma"} and said["raw_rows_left_out"] == 48
    assert withheld["gamma"]["withheld_because"] == "no licence is stated"
    assert "'none declared'" in withheld["delta"]["withheld_because"] and withheld["delta"]["source_url"]
    with zipfile.ZipFile(tmp_path / "one.zip") as archive:
        names = archive.namelist()
        text = b"".join(archive.read(name) for name in names if name.endswith((".json", ".jsonl")))
        rows = next(name for name in names if name.endswith("tables/raw__row.parquet"))
        kept = pl.read_parquet(io.BytesIO(archive.read(rows)))
    assert not [name for name in names if name.startswith("snapshots/") and ("delta" in name or "gamma" in name)]
    assert sorted(kept["leaderboard"].unique()) == ["alpha", "beta"]
    assert withheld["delta"]["sha256"].encode() in text
    whole = packed(closed, tmp_path / "two.zip", "--allow-license", "none declared")
    assert [item["name"] for item in whole["inputs"] if item["withheld_because"]] == ["gamma"]


def test_an_archive_with_inputs_withheld_is_verified_as_far_as_it_reaches(closed: SmallWorld, tmp_path: Path) -> None:
    packed(closed, tmp_path / "one.zip")
    found = call("verify", tmp_path / "one.zip", "--json").json
    assert (found["holds"], found["complete"], found["faults"]) == (True, False, [])
    proved = " ".join(found["proved"])
    for table in (
        "raw__row: 48 rows",
        "core__result: 48 rows",
        "core__evidence",
        "out__category_score",
        "out__score_weight",
    ):
        assert table in proved
    missing = " ".join(found["missing"])
    assert "delta" in missing and "gamma" in missing and "SHA-256" in missing and "48 rows as received" in missing
    text = call("verify", tmp_path / "one.zip").out
    assert "holds as far as the archive reaches" in text


def edited(source: Path, target: Path, part: str, change: Any) -> Path:
    """A copy of an archive with one member changed."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            new.writestr(name, change(data) if part in name else data)
    return target


def test_what_was_changed_in_an_archive_is_found(closed: SmallWorld, template: SmallWorld, tmp_path: Path) -> None:
    packed(closed, tmp_path / "one.zip")

    def raised(data: bytes) -> bytes:
        frame = pl.read_parquet(io.BytesIO(data)).with_columns(pl.col("value") + 1.0)
        buffer = io.BytesIO()
        frame.write_parquet(buffer)
        return buffer.getvalue()

    for part, change in (
        ("tables/core__result", raised),
        ("snapshots/alpha", lambda data: data.replace(b"model-a", b"model-z")),
        ("catalog/methodology", lambda data: data + b"\n# changed\n"),
    ):
        ran = call("verify", edited(tmp_path / "one.zip", tmp_path / "changed.zip", part, change), "--json")
        assert ran.code == 1, (part, ran.said)
    manifest = edited(tmp_path / "one.zip", tmp_path / "changed.zip", "manifest.json", lambda data: data + b" ")
    assert call("verify", manifest).code in {1, 2}
    packed(template, tmp_path / "whole.zip")
    swapped = edited(tmp_path / "whole.zip", tmp_path / "changed.zip", "tables/core__result", raised)
    assert call("verify", swapped, "--json").code == 1


def test_what_is_no_archive_is_said(template: SmallWorld, tmp_path: Path) -> None:
    (tmp_path / "text.zip").write_text("no zip", encoding="utf-8")
    ran = call("verify", tmp_path / "text.zip")
    assert ran.code == 2 and "not a readable zip" in ran.said
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as other:
        other.writestr("readme", "x")
    ran = call("verify", tmp_path / "other.zip")
    assert ran.code == 2 and "holds no archive.json" in ran.said
    ran = template.ask("export", "current", "--archive", str(tmp_path))
    assert ran.code == 2 and "name a file" in ran.said
    ran = template.ask("export", "2026-01-01-000000000000", "--archive", str(tmp_path / "x.zip"))
    assert ran.code == 2 and not (tmp_path / "x.zip").exists()


def test_what_is_no_archive_is_named(template: SmallWorld, tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text("no archive")
    for path, said in (
        (tmp_path / "missing.zip", "no such file"),
        (tmp_path, "is a folder"),
        (tmp_path / "page.md", "zip"),
    ):
        ran = template.ask("verify", str(path))
        assert ran.code == 2
        assert f"{path}: " in ran.err and said in ran.err, ran.err


def test_an_archive_goes_into_a_folder_that_is_there(template: SmallWorld, tmp_path: Path) -> None:
    ran = template.ask("export", "current", "--archive", str(tmp_path / "none" / "deep" / "x.zip"))
    assert ran.code == 2
    assert f"no folder {tmp_path / 'none' / 'deep'}" in ran.err
    assert list(tmp_path.iterdir()) == []


def test_a_licence_that_no_input_states_is_told(closed: SmallWorld, tmp_path: Path) -> None:
    asked = ("export", "current", "--archive", str(tmp_path / "x.zip"))
    ran = closed.ask(*asked, "--allow-license", "bogus", "--allow-license", "None Declared")
    assert ran.code == 0
    assert "--allow-license bogus: no input" in ran.err and "Declared" not in ran.err
    ran = closed.ask("export", "current", "--format", "csv", "--out", str(tmp_path / "t"), "--allow-license", "MIT")
    assert (ran.code, "go with --archive" in ran.err) == (2, True)
    assert not (tmp_path / "t").exists()
