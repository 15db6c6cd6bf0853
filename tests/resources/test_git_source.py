"""A git repository as a source: read at the commit current at a day, from a copy of our own, with git shut in."""

from __future__ import annotations

import subprocess
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from inbound import native, settings_of, source_of
from pacing import network_of

from resources.git_commands import GitError, run_git
from resources.git_source import GitSource
from resources.http import FetchError
from resources.settings import Settings
from resources.snapshots import SnapshotStore
from resources.sync import SyncOutcome, sync_source
from warehouse.catalog_model import SourceSpec

NOW = datetime(2026, 10, 20, 3, tzinfo=UTC)
FIRST, SECOND, THIRD = (datetime(2026, month, 5, 12, tzinfo=UTC) for month in (1, 3, 6))


class Upstream:
    """A bare repository, and a work tree to commit from."""

    def __init__(self, folder: Path) -> None:
        self.bare, self.work = folder / "up.git", folder / "work"
        self._git("init", "-q", "--bare", "-b", "main", str(self.bare), cwd=folder)
        self._git("init", "-q", "-b", "main", str(self.work), cwd=folder)

    def _git(self, *arguments: str, cwd: Path | None = None, at: datetime = FIRST) -> None:
        moment = at.isoformat()
        who = {"NAME": "upstream", "EMAIL": "upstream@example.org", "DATE": moment}
        env = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in who.items()}
        env |= {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "GIT_CONFIG_GLOBAL": "/dev/null"}
        subprocess.run(["git", *arguments], cwd=cwd or self.work, env=env, check=True, capture_output=True)

    def commit(self, at: datetime, files: dict[str, bytes | None]) -> None:
        for name, data in files.items():
            path = self.work / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if data is None:
                path.unlink()
            else:
                path.write_bytes(data)
        self._git("add", "-A")
        self._git("commit", "-q", "-m", "change", at=at)
        self._git("push", "-q", "--force", str(self.bare), "main", at=at)

    def link(self, at: datetime, name: str, target: str) -> None:
        (self.work / name).symlink_to(target)
        self.commit(at, {})


class World:
    def __init__(self, folder: Path) -> None:
        self.settings: Settings = settings_of(folder)
        self.upstream = Upstream(self.settings.catalog_dir)
        self.store = SnapshotStore(self.settings.home)

    def source(self, path: str = "data/board.json", ref: str = "HEAD", **changes: Any) -> SourceSpec:
        url = f"git+{self.upstream.bare.as_uri()}"
        return source_of(url, **({"git": {"path": path, "ref": ref}} | changes))

    def sync(self, source: SourceSpec, as_of: date | None = None, **options: Any) -> SyncOutcome:
        with network_of() as network:
            return sync_source(source, self.settings, self.store, NOW, as_of=as_of, network=network, **options)


@pytest.fixture
def world(tmp_path: Path) -> World:
    made = World(tmp_path)
    made.upstream.commit(FIRST, {"data/board.json": native(1), "README": b"x"})
    made.upstream.commit(SECOND, {"data/board.json": native(2)})
    made.upstream.commit(THIRD, {"README": b"nothing of the board"})
    return made


def test_the_newest_commit_that_changed_the_file_is_read_with_its_own_time(world: World) -> None:
    outcome = world.sync(world.source())
    assert (outcome.status, outcome.message) == ("asserted", "2 rows")
    assert outcome.snapshot is not None
    assert outcome.snapshot.synced_at == SECOND
    assert outcome.snapshot.fetched_at == NOW
    assert outcome.snapshot.etag is not None
    assert outcome.snapshot.source_url.endswith(f"@{outcome.snapshot.etag[:12]}:data/board.json")
    assert [file.name for file in world.store.files(outcome.snapshot)] == ["board.json"]


@pytest.mark.parametrize(
    ("day", "rows"),
    [
        (date(2026, 1, 4), None),
        (date(2026, 1, 5), 1),
        (date(2026, 3, 4), 1),
        (date(2026, 3, 5), 2),
        (date(2026, 9, 1), 2),
    ],
)
def test_a_past_day_reads_the_commit_current_at_its_end(world: World, day: date, rows: int | None) -> None:
    outcome = world.sync(world.source(), day)
    assert (outcome.snapshot.rows if outcome.snapshot else None) == rows, outcome.message
    if rows is None:
        assert outcome.status == "skipped"


def test_days_in_any_order_end_in_the_same_index(world: World, tmp_path: Path) -> None:
    days = [date(2026, 3, 5), date(2026, 1, 5), date(2026, 7, 1), date(2026, 2, 1)]
    used = {day: world.sync(world.source(), day).snapshot for day in days}
    other = SnapshotStore(tmp_path / "other")
    for day in sorted(days):
        with network_of() as network:
            found = sync_source(world.source(), world.settings, other, NOW, as_of=day, network=network).snapshot
        mine = used[day]
        assert found is not None
        assert mine is not None
        assert (found.sha256, found.synced_at) == (mine.sha256, mine.synced_at)


def test_a_folder_and_a_glob_are_many_files(world: World) -> None:
    world.upstream.commit(
        THIRD,
        {
            "tree/b/r.csv": b"model,score\nB,2\n",
            "tree/a/r.csv": b"model,score\nA,1\n",
            "tree/.hidden/r.csv": b"no",
            "tree/a/x.txt": b"no",
        },
    )
    options = {
        "format": "csv",
        "fields": {"benchmark": {"const": "B"}, "metric": {"const": "m"}, "unit": {"const": "score"},
                   "value": {"field": "score", "type": "number"}, "model": "model"},
    }  # fmt: skip
    globbed = world.sync(world.source("tree/[ab]/*.csv", connector="table", options=options))
    assert globbed.snapshot is not None, globbed.message
    assert globbed.snapshot.files == ("a/r.csv", "b/r.csv")
    source = GitSource(world.source("tree/"), world.settings)
    commit = source.commit_before(NOW)
    assert commit is not None
    files, is_many = source.files(commit, 10_000)
    assert ([file.name for file in files], is_many) == (["a/r.csv", "a/x.txt", "b/r.csv"], True)
    with pytest.raises(FetchError, match="more than"):
        source.files(commit, 10)


def test_links_and_missing_places_are_no_files(world: World) -> None:
    world.upstream.link(THIRD, "data/link.json", "/etc/passwd")
    outcome = world.sync(world.source("data/link.json"))
    assert (outcome.status, outcome.snapshot) == ("failed", None)
    assert "no file at data/link.json" in outcome.message
    missing = world.sync(world.source("nowhere.json"))
    assert missing.status == "skipped"
    assert "no commit of that place" in missing.message


def test_a_removed_file_fails_and_keeps_the_last_good(world: World) -> None:
    good = world.sync(world.source())
    world.upstream.commit(THIRD + timedelta(days=1), {"data/board.json": None})
    bad = world.sync(world.source())
    assert (bad.status, bad.snapshot) == ("failed", good.snapshot)


def test_rewritten_history_is_followed(world: World) -> None:
    world.sync(world.source())
    world.upstream._git("checkout", "-q", "--orphan", "again")
    world.upstream._git("branch", "-M", "main")
    world.upstream.commit(THIRD + timedelta(days=3), {"data/board.json": native(7)})
    assert world.sync(world.source()).message == "7 rows"


def test_a_commit_dated_to_come_is_not_read_yet(world: World) -> None:
    world.upstream.commit(NOW + timedelta(days=400), {"data/board.json": native(9)})
    assert world.sync(world.source()).message == "2 rows"


def test_an_unknown_branch_fails_in_words(world: World) -> None:
    outcome = world.sync(world.source(ref="no-such-branch"))
    assert outcome.status == "failed"
    assert "couldn't find remote ref" in outcome.message


def test_a_repository_outside_the_allowed_folders_is_not_opened(world: World, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    other = Upstream(tmp_path / "elsewhere")
    other.commit(FIRST, {"data/board.json": native(1)})
    source = world.source().model_copy(update={"url": f"git+{other.bare.as_uri()}"})
    outcome = world.sync(source)
    assert outcome.status == "failed"
    assert "SCORETRAIL_ALLOW_ROOTS" in outcome.message


def test_a_network_repository_is_not_asked_offline_or_for_a_past_day(world: World) -> None:
    source = source_of("git+https://example.invalid/r.git", git={"path": "a.json"})
    for options in ({"offline": True}, {"as_of": date(2026, 1, 1)}):
        outcome = world.sync(source, **options)
        assert outcome.status == "skipped"
        assert "never fetched" in outcome.message


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "169.254.169.254"])
def test_a_private_host_is_not_asked(world: World, host: str) -> None:
    outcome = world.sync(source_of(f"git+https://{host}/r.git", git={"path": "a.json"}))
    assert outcome.status == "failed"
    assert "no public address" in outcome.message


@pytest.mark.parametrize("address", ["ext::sh -c id", "http://127.0.0.1:9/r.git", "ssh://h/r.git", "--upload-pack=id"])
def test_git_speaks_no_other_protocol(world: World, address: str, tmp_path: Path) -> None:
    """Whatever reached it, git itself refuses: only the transport that was meant is spoken."""
    source = GitSource(world.source(), world.settings)
    source.update()
    with pytest.raises(GitError):
        run_git(["fetch", "--", address, "HEAD"], source.copy, transport="file")


def test_no_configuration_but_ours_is_heard(world: World, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    marker = tmp_path / "ran"
    config = tmp_path / "config"
    config.write_text(f'[core]\n\tfsmonitor = "touch {marker}"\n[uploadpack]\n\tpackObjectsHook = "touch {marker}"\n')
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))
    monkeypatch.setenv("GIT_DIR", str(tmp_path))
    monkeypatch.setenv("GIT_SSH_COMMAND", f"touch {marker}")
    (world.upstream.bare / "config").open("a").write(f'[uploadpack]\n\tpackObjectsHook = "touch {marker}"\n')
    hook = world.upstream.bare / "hooks" / "post-upload-pack"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch {marker}\n")
    hook.chmod(0o755)
    assert world.sync(world.source()).status == "asserted"
    assert not marker.exists()


def test_the_secret_is_in_no_argument(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[list[str], dict[str, str]]] = []

    def fetched(arguments: list[str], folder: Path, **options: Any) -> bytes:
        seen.append((list(arguments), dict(options.get("config") or {})))
        return b""

    monkeypatch.setattr("resources.git_source.run_git", fetched)
    monkeypatch.setattr("resources.git_source.public_addresses", lambda host, port: ["93.184.216.34", "2606:2800::1"])
    spec = source_of("git+https://example.org/r.git", git={"path": "a.json"}, secret_env="SCORETRAIL_SECRET_GIT")
    GitSource(spec, world.settings).update("hush")
    arguments, config = seen[-1]
    assert "hush" not in " ".join(arguments)
    assert config["http.curloptResolve"] == "example.org:443:93.184.216.34,[2606:2800::1]"
    assert [key for key in config if key.endswith("extraHeader")] == ["http.https://example.org/.extraHeader"]


def test_a_repository_too_large_or_slow_is_given_up(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    source = GitSource(world.source(), world.settings)
    source.update()
    monkeypatch.setattr("resources.git_commands._POLL_SECONDS", 0.0)
    blobs = ["cat-file", "--batch"]
    with pytest.raises(GitError, match="in time"):
        run_git(blobs, source.copy, stdin=b"HEAD\n" * 9, seconds=-1)
    with pytest.raises(GitError, match="more than 1 bytes"):
        run_git(blobs, source.copy, stdin=b"HEAD\n" * 9, max_bytes=1)
    monkeypatch.setattr("resources.git_commands._POLL_SECONDS", 0.02)
    assert run_git(blobs, source.copy, stdin=b"no-such-thing\n" * 9).count(b"missing") == 9
