"""A home whose files others damaged: named, with an exit code, never a traceback, and mended where it can be."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from small_homes import DAY, SmallWorld, call, gate_row

READERS = (("scores",), ("status", "--max-age-hours", "1e9"), ("verify", "current"), ("explain", "model-a", "coding"))


def break_ledger(world: SmallWorld) -> Path:
    return overwrite(world.home / "releases.jsonl", "garbage\n")


def break_verdict(world: SmallWorld) -> Path:
    return overwrite(world.verdicts.path(DAY, "conservation"), "{")


def break_outcome(world: SmallWorld) -> Path:
    return overwrite(world.home / "snapshots" / "outcomes" / "alpha.json", "")


def break_index(world: SmallWorld) -> Path:
    return overwrite(world.home / "snapshots" / "index.jsonl", "not an index\n")


def overwrite(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


@pytest.mark.parametrize("damage", [break_ledger, break_verdict, break_outcome, break_index])
def test_readers_name_the_damaged_file_or_do_not_need_it(
    published: SmallWorld, damage: Callable[[SmallWorld], Path]
) -> None:
    path = damage(published)
    for arguments in READERS:
        ran = published.ask(*arguments, "--json")
        assert ran.code in {0, 1}, (arguments, ran.said)
        assert "Traceback" not in ran.said
        if ran.code == 1:
            assert path.name in ran.out, (arguments, ran.out)


def test_the_next_run_mends_what_it_writes_anyway(published: SmallWorld) -> None:
    """A verdict, how a sync went, and the published copy, which is built anew and says so."""
    release = published.current()
    break_verdict(published)
    break_outcome(published)
    published.database.write_bytes(b"garbage")
    assert published.ask("scores", "--json").json["release_id"] == release, "the release folder answers"
    ran = call("run", "--home", published.home, "--catalog", published.catalog, "--as-of", DAY.isoformat())
    assert ran.code == 0, ran.said
    assert "built anew" in ran.err
    assert published.published() == release
    assert gate_row(published, "conservation")["verdict"] == "pass"
    assert published.ask("status", "--max-age-hours", "1e9").code == 0


def test_a_damaged_ledger_stops_a_run_and_nothing_is_written(published: SmallWorld) -> None:
    """No start papers over a ledger that cannot be read: it decides what readers get."""
    path, before = break_ledger(published), published.database.read_bytes()
    ran = published.run()
    assert ran.code == 1
    assert "releases.jsonl, line 1" in ran.json["error"]
    assert path.read_text() == "garbage\n"
    assert published.database.read_bytes() == before


def test_files_that_are_none_of_ours_are_left_alone(published: SmallWorld, tmp_path: Path) -> None:
    (published.home / "verdicts" / "notes").mkdir()
    stray = overwrite(published.home / "tables" / "core__result" / "notes.parquet", "")
    assert published.ask("status", "--max-age-hours", "1e9").code == 0
    assert published.ask("freeze", "--out", str(tmp_path / "frozen")).code == 0
    assert stray.exists()


def test_a_home_that_is_a_file_is_named(tmp_path: Path) -> None:
    home = overwrite(tmp_path / "home", "")
    ran = call("run", "--demo", "--home", home, "--json")
    assert ran.code == 2
    assert str(home) in ran.json["error"]


def test_a_sync_without_any_source_does_nothing(fresh: SmallWorld) -> None:
    (fresh.catalog / "sources.yaml").write_text("sources: []\n")
    ran = call("sync", "--home", fresh.home, "--catalog", fresh.catalog, "--json")
    assert (ran.code, ran.json["sources"]) == (0, [])


def test_a_catalog_without_required_gates_publishes_nothing(fresh: SmallWorld) -> None:
    (fresh.catalog / "gates.yaml").write_text("gates: []\n")
    ran = fresh.run()
    assert ran.code == 1
    assert "no gate guards" in ran.json["problems"][0]["message"]
    assert not fresh.database.exists()


def test_a_mirror_serves_every_source_by_its_path(fresh: SmallWorld, tmp_path: Path) -> None:
    mirror = tmp_path / "mirror"
    mirror.mkdir()
    for board in fresh.entries:
        fresh.board_file(board).rename(mirror / f"{board}.json")
    assert fresh.run("--mirror", str(mirror)).code == 0
    (mirror / "delta.json").unlink()
    ran = fresh.run("--mirror", str(mirror))
    assert ran.code == 3
    assert "delta.json" in next(s["message"] for s in ran.json["sources"] if s["status"] == "failed")
