"""Backfill: older versions as the syncs of their days, a release for each, the same again from themselves alone."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
from datetime import date, timedelta
from pathlib import Path

import polars as pl
import pytest
import yaml
from small_homes import MODELS, Ran, SmallWorld, board_rows, call, quiet_process

FIRST = date(2026, 1, 10)
MUTATIONS = int(os.environ.get("SCORETRAIL_MUTATIONS", "3"))
"""Days beyond the first. Three show every relation between days; SCORETRAIL_MUTATIONS=30 takes most of a minute."""
COMPARING = {"rows-lost", "value-jump", "scale-change", "models-disappeared", "board-models-gone", "conservation"}


def put(folder: Path, world: SmallWorld, board: str, day: date, rows: list[dict[str, object]]) -> None:
    """One older version of a board, in the history folder of a mirror."""
    body = {"schema": "scoretrail.leaderboard/1", "leaderboard": board, "title": board.title(), "results": rows}
    target = folder / "history" / f"{day}_{day.toordinal():x}" / f"{board}.json"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(body), encoding="utf-8")


def mutated(draw: random.Random, rows: list[dict[str, object]]) -> list[dict[str, object]]:
    """A board a few days on: some values move a little, a row comes or goes, the order is another."""
    changed = [dict(row) for row in rows]
    for row in draw.sample(changed, 3):
        row["value"] = round(min(99.0, max(1.0, float(str(row["value"])) + draw.uniform(-0.4, 0.4))), 2)
    if draw.random() < 0.3:
        # A model that the registry does not know comes, or the last such goes.
        name = f"newcomer-{draw.randrange(100)}"
        changed.append(dict(changed[0]) | {"model": name, "developer": None})
    draw.shuffle(changed)
    return changed


def mirror_of(world: SmallWorld, days: int, seed: int) -> Path:
    """A mirror whose history holds `days` versions, each a seeded mutation of the one before, of one board or two."""
    draw = random.Random(seed)
    folder = world.root / "mirror"
    rows = {board: board_rows(board) for board in world.entries}
    for board, first in rows.items():
        put(folder, world, board, FIRST, first)
    for n in range(1, days):
        for board in draw.sample(sorted(rows), draw.randint(1, 2)):
            rows[board] = mutated(draw, rows[board])
            put(folder, world, board, FIRST + timedelta(days=n), rows[board])
    for entry in world.entries.values():
        # The url leads elsewhere: nothing of the past is read from it.
        entry |= {"url": "https://example.invalid/x.json", "path": f"{entry['id']}.json"}
    world.write_sources()
    # The place of each board in the mirror: the folder beside which `history` lies.
    for board in rows:
        (folder / f"{board}.json").write_text("{}")
    return folder


def layered(world: SmallWorld, folder: Path) -> None:
    """Moves the history below a folder of the mirror, as mirrors keep a board a folder."""
    for board, entry in world.entries.items():
        for version in sorted((folder / "history").glob(f"*/{board}.json")):
            target = folder / board / "history" / version.parent.name / version.name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(version, target)
        entry["path"] = f"{board}/{board}.json"
    shutil.rmtree(folder / "history")
    world.write_sources()


def backfill(world: SmallWorld, *arguments: str | Path) -> Ran:
    return call("backfill", "--home", world.home, "--catalog", world.catalog, "--json", *arguments)


def hashes(world: SmallWorld, day: date) -> dict[str, str]:
    """Table hashes of a day, by table."""
    tables = sorted(path.parent.name for path in (world.home / "tables").glob(f"*/{day}.parquet"))
    # out__release says when it was made.
    return {table: world.tables.stamp(table, day).table_hash for table in tables if table != "out__release"}


def lighten(world: SmallWorld) -> None:
    """Leaves the gates that compare a day with the one before: many days of all of them would take a minute."""
    path = world.catalog / "gates.yaml"
    gates = yaml.safe_load(path.read_text(encoding="utf-8"))["gates"]
    path.write_text(yaml.safe_dump({"gates": [gate for gate in gates if gate["id"] in COMPARING]}), encoding="utf-8")


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> tuple[SmallWorld, Path, Ran]:
    """Seeded mutations, backfilled."""
    from small_homes import build_world

    world = build_world(tmp_path_factory.mktemp("filled") / "world")
    lighten(world)
    folder = mirror_of(world, MUTATIONS + 1, seed=3)
    layered(world, folder)
    with pytest.MonkeyPatch.context() as patch:
        quiet_process(patch)
        ran = backfill(world, "--from", folder)
    return world, folder, ran


def test_seeded_mutations_give_a_release_a_day(filled: tuple[SmallWorld, Path, Ran]) -> None:
    world, _, ran = filled
    assert ran.code == 0, ran.said[-3000:]
    days = ran.json["days"]
    assert [day["day"] for day in days] == [str(FIRST + timedelta(days=n)) for n in range(MUTATIONS + 1)]
    releases = world.releases.ledger().releases
    assert [r.release_id for r in releases] == [day["release_id"] for day in days]
    assert [r.baseline_release_id for r in releases] == [None, *(r.release_id for r in releases[:-1])]
    assert len({r.release_id for r in releases}) == MUTATIONS + 1


def test_each_day_knows_only_what_was_known_by_its_end(filled: tuple[SmallWorld, Path, Ran]) -> None:
    world, _, _ = filled
    for n in (0, 2, MUTATIONS):
        day = FIRST + timedelta(days=n)
        frame = world.tables.read("raw__snapshot", day)
        assert all(moment.date() <= day for moment in frame["synced_at"])
        assert set(frame["status"]) <= {"asserted", "stale"}
        assert all(str(url).startswith("history:") for url in frame["source_url"])


@pytest.mark.parametrize("n", [0, MUTATIONS])
def test_a_day_made_again_from_its_own_snapshots_has_the_same_hashes(
    filled: tuple[SmallWorld, Path, Ran], n: int
) -> None:
    world, _, ran = filled
    report = call("verify", ran.json["days"][n]["release_id"], "--home", world.home)
    assert report.code == 0, report.said


def test_a_backfill_done_again_changes_nothing(filled: tuple[SmallWorld, Path, Ran]) -> None:
    world, folder, ran = filled
    day = FIRST + timedelta(days=3)
    before, index = hashes(world, day), (world.home / "snapshots" / "index.jsonl").read_bytes()
    again = backfill(world, "--from", folder, "--since", str(day), "--until", str(day))
    assert again.code == 0, again.said
    assert again.json["days"] == [ran.json["days"][3]]
    assert {version["status"] for version in again.json["versions"]} == {"asserted"}
    assert hashes(world, day) == before
    assert (world.home / "snapshots" / "index.jsonl").read_bytes() == index
    assert len(world.releases.ledger().releases) == MUTATIONS + 1


def test_another_home_ends_in_the_same_releases(filled: tuple[SmallWorld, Path, Ran], tmp_path: Path) -> None:
    world, folder, ran = filled
    other = SmallWorld(tmp_path, world.entries)
    shutil.copytree(world.catalog, other.catalog)
    made = backfill(other, "--from", folder, "--until", str(FIRST + timedelta(days=1)))
    assert made.json["days"] == ran.json["days"][:2]
    for n in range(2):
        day = FIRST + timedelta(days=n)
        ours, theirs = hashes(other, day), hashes(world, day)
        assert ours == theirs


def test_a_version_that_cannot_be_kept_is_named_and_the_others_stand(fresh: SmallWorld) -> None:
    folder = mirror_of(fresh, 2, seed=5)
    layered(fresh, folder)
    broken = folder / "delta" / "history" / f"{FIRST + timedelta(days=1)}_bad" / "delta.json"
    broken.parent.mkdir()
    broken.write_text("<!doctype html>")
    (folder / "delta" / "history" / "2026-01-05_names").mkdir()
    (folder / "delta" / "history" / "2026-01-05_names" / "list.txt").write_text("delta")
    (folder / "delta" / "history" / "notes").mkdir()
    (folder / "delta" / "history" / "2026-13-45_no").mkdir()
    ran = backfill(fresh, "--from", folder)
    assert ran.code == 3, ran.said
    failed = [version for version in ran.json["versions"] if version["status"] == "failed"]
    assert [(version["leaderboard"], version["day"]) for version in failed] == [("delta", "2026-01-11")]
    assert "a web page came" in failed[0]["message"]
    skipped = [version for version in ran.json["versions"] if version["status"] == "skipped"]
    assert [(version["leaderboard"], version["day"]) for version in skipped] == [("delta", "2026-01-05")]
    assert "delta/history/2026-01-05_names: holds none" in skipped[0]["message"]
    assert all(day["release_id"] for day in ran.json["days"])


def test_a_board_that_was_replaced_has_its_release_and_the_verdict_says_why(fresh: SmallWorld) -> None:
    """Without a word about it the second day is blocked; with both editions named it stands, and says what went."""
    lighten(fresh)
    folder = mirror_of(fresh, 1, seed=7)
    rows = [row | {"model": f"next-{row['model']}", "developer": None} for row in board_rows("alpha")]
    put(folder, fresh, "alpha", FIRST + timedelta(days=1), rows)
    layered(fresh, folder)
    blocked = backfill(fresh, "--from", folder)
    assert blocked.code == 1, blocked.said
    assert [bool(day["release_id"]) for day in blocked.json["days"]] == [True, False]
    assert "board-models-gone" in blocked.json["days"][1]["failing_gates"]
    fresh.entries["alpha"] |= {"edition": "second", "former": [{"until": FIRST, "edition": "first"}]}
    fresh.write_sources()
    again = backfill(fresh, "--from", folder)
    assert again.code == 0, again.said
    assert all(day["release_id"] for day in again.json["days"])
    gates = fresh.tables.read("out__gate", FIRST + timedelta(days=1)).filter(pl.col("gate") == "board-models-gone")
    assert "alpha first -> second" in gates["detail"].item()
    assert fresh.ask("verify", again.json["days"][1]["release_id"]).code == 0


def test_nothing_to_replay_and_wrong_origins_are_said(fresh: SmallWorld, tmp_path: Path) -> None:
    assert backfill(fresh, "--from", tmp_path / "nowhere").code == 2
    empty = backfill(fresh, "--from", tmp_path)
    assert empty.code == 2
    assert "no older version" in empty.said
    assert "no leaderboard 'zeta'" in backfill(fresh, "--from", tmp_path, "--source", "zeta").said


def test_a_repository_is_replayed_commit_by_commit(fresh: SmallWorld) -> None:
    """`--from git`: a day for every day on which the source's file changed, read at the commit current at its end."""
    bare, work = fresh.catalog / "up.git", fresh.root / "work"

    def git(*arguments: str, at: str = "2026-02-01T10:00:00+00:00") -> None:
        env = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "GIT_CONFIG_GLOBAL": "/dev/null"}
        env |= {f"GIT_{role}_DATE": at for role in ("AUTHOR", "COMMITTER")}
        env |= {f"GIT_{role}_NAME": "up" for role in ("AUTHOR", "COMMITTER")}
        env |= {f"GIT_{role}_EMAIL": "up@example.org" for role in ("AUTHOR", "COMMITTER")}
        subprocess.run(["git", *arguments], cwd=fresh.root, env=env, check=True, capture_output=True)

    git("init", "-q", "--bare", "-b", "main", str(bare))
    git("init", "-q", "-b", "main", str(work))
    for at, shift in (
        ("2026-02-01T10:00:00+00:00", 0.0),
        ("2026-02-01T20:00:00+00:00", 0.1),
        ("2026-02-03T09:00:00+00:00", 0.2),
    ):
        for board in fresh.entries:
            body = {"schema": "scoretrail.leaderboard/1", "leaderboard": board, "results": board_rows(board, shift)}
            (work / f"{board}.json").write_text(json.dumps(body))
        git("-C", str(work), "add", "-A", at=at)
        git("-C", str(work), "commit", "-q", "-m", "x", at=at)
    git("-C", str(work), "push", "-q", str(bare), "main")
    for board, entry in fresh.entries.items():
        entry |= {"url": f"git+{bare.as_uri()}", "git": {"path": f"{board}.json"}}
    fresh.write_sources()
    ran = backfill(fresh, "--from", "git")
    assert ran.code == 0, ran.said
    assert [day["day"] for day in ran.json["days"]] == ["2026-02-01", "2026-02-03"]
    first = fresh.tables.read("core__result", date(2026, 2, 1))
    assert first.filter(first["leaderboard"] == "alpha")["value"].max() == pytest.approx(
        max(float(str(row["value"])) for row in board_rows("alpha", 0.1))
    )
    assert fresh.ask("verify", ran.json["days"][0]["release_id"]).code == 0
    assert len(MODELS) == 8
