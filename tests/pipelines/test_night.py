"""How a night ends: the signal, the alert with reason and next step, and a status that says when no night ran."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import dagster as dg
import pytest
import yaml
from small_homes import Ran, SmallWorld, build_world, quiet_process

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "resources"))
from local_server import LocalServer, local_server, plain

import pipelines.day_runner
import pipelines.night
from assets.sources import freshness, source_key
from pipelines.graph import build_defs
from pipelines.health import health
from pipelines.jobs import jobs
from pipelines.sensors import sensors
from resources.catalog_files import folder_sha256, load_catalog
from resources.home_lock import HomeLock
from resources.night_signals import keep_night, last_run, last_success
from resources.settings import Settings

TODAY = datetime.now(UTC).date()


@pytest.fixture
def hook(monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalServer]:
    """A receiver of alerts that the environment names."""
    with local_server() as server:
        server.answers["/hook"] = plain(b"ok")
        monkeypatch.setenv("SCORETRAIL_ALERT_WEBHOOK", server.url("/hook"))
        yield server


@pytest.fixture
def today(fresh: SmallWorld) -> SmallWorld:
    """A small world whose boards are of today."""
    for board in fresh.entries:
        fresh.write_board(board, synced_at=f"{TODAY}T00:00:00Z")
    return fresh


@pytest.fixture(scope="module")
def good_night(tmp_path_factory: pytest.TempPathFactory) -> tuple[SmallWorld, Ran, list[bytes]]:
    """A night that went well, what the run said, and the alerts that were sent; read the world, or copy it."""
    world = build_world(tmp_path_factory.mktemp("good") / "world")
    for board in world.entries:
        world.write_board(board, synced_at=f"{TODAY}T00:00:00Z")
    with local_server() as server, pytest.MonkeyPatch.context() as patch:
        quiet_process(patch)
        server.answers["/hook"] = plain(b"ok")
        patch.setenv("SCORETRAIL_ALERT_WEBHOOK", server.url("/hook"))
        ran = world.run(day=None)
    assert ran.code == 0, ran.said
    return world, ran, list(server.posted)


def alert(hook: LocalServer) -> dict[str, object]:
    value = json.loads(hook.posted[-1])
    assert isinstance(value, dict)
    return value


def test_a_good_night_leaves_its_signal_and_tells_nobody(good_night: tuple[SmallWorld, Ran, list[bytes]]) -> None:
    world, ran, posted = good_night
    success = last_success(world.home)
    assert success is not None
    assert (success["as_of"], success["release_id"]) == (TODAY.isoformat(), ran.json["published"])
    assert posted == []
    status = world.ask("status", "--json", "--catalog", str(world.catalog))
    assert status.code == 0, status.said
    assert status.json["nightly"]["did_run"] is True


def test_a_night_with_a_failed_source_publishes_and_tells_what_to_do(
    good_night: tuple[SmallWorld, Ran, list[bytes]], hook: LocalServer, tmp_path: Path
) -> None:
    today = good_night[0].copy(tmp_path / "world")
    today.board_file("delta").write_bytes(b"")
    ran = today.run(day=None)
    assert ran.code == 3, ran.said
    told = alert(hook)
    assert told["exit_code"] == 3
    assert told["published"] == ran.json["published"]
    (trouble,) = told["troubles"]  # type: ignore[misc]
    assert trouble["what"] == "source delta (failed)"
    assert "empty (0 bytes)" in trouble["reason"]
    assert "scoretrail sync delta" in trouble["next_step"]
    assert last_success(today.home) is not None


def test_a_blocked_night_is_tried_and_no_success(today: SmallWorld, hook: LocalServer) -> None:
    today.edit_gate("rows-minimum", severity="blocking")
    for board in today.entries:
        today.entries[board]["min_rows"] = 8
    today.edit_gate("degenerate-column", threshold=2)
    today.write_board("alpha", [
        {"benchmark": metric, "metric": "accuracy", "unit": "score", "value": 0, "model": f"model-{letter}"}
        for metric in ("gen-a", "repo-a", "debug-a") for letter in "abcdefgh"
    ], synced_at=f"{TODAY}T00:00:00Z")  # fmt: skip
    ran = today.run(day=None)
    assert ran.code == 1, ran.said
    night = last_run(today.home)
    assert night is not None
    assert (night["exit_code"], night["release_id"]) == (1, None)
    assert last_success(today.home) is None
    told = alert(hook)
    assert "NOT published" in str(told["subject"])
    assert any(trouble["what"] == "gate degenerate-column" for trouble in told["troubles"])  # type: ignore[attr-defined]
    status = today.ask("status", "--json", "--catalog", str(today.catalog)).json
    assert status["nightly"]["did_run"] is True
    assert status["healthy"] is False and status["nightly"]["message"] in status["reasons"]
    assert "published nothing" in status["nightly"]["message"]


@pytest.mark.parametrize("name", ["methodology.yaml", "gates.yaml"])
def test_a_night_that_cannot_begin_is_told_too(today: SmallWorld, hook: LocalServer, name: str) -> None:
    """A catalog that cannot be read, and one that reads well and names a gate which nobody judges."""
    path = today.catalog / name
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("rows-lost", "rows-list") if name == "gates.yaml" else "seed: [", encoding="utf-8")
    ran = today.run(day=None)
    assert ran.code == 2, ran.said
    told = alert(hook)
    assert (told["exit_code"], told["published"]) == (2, None)
    assert ("rows-list" if name == "gates.yaml" else name) in str(told["text"])
    signals = today.home / "nightly"
    assert json.loads((signals / "last_run.json").read_text())["exit_code"] == 2
    assert not (signals / "last_success.json").exists()


@pytest.mark.parametrize(
    ("error", "code"), [(OSError(28, "No space left on device"), 2), (RuntimeError("a step of ours"), 70)], ids=str
)
def test_a_night_that_breaks_off_is_told_too(
    today: SmallWorld, hook: LocalServer, monkeypatch: pytest.MonkeyPatch, error: Exception, code: int
) -> None:
    """Nothing came back from the run: neither reports nor gates."""

    def breaks(*_ignored: object) -> None:
        raise error

    monkeypatch.setattr(pipelines.day_runner, "run_day", breaks)
    ran = today.run(day=None)
    assert ran.code == code, ran.said
    told = alert(hook)
    assert (told["exit_code"], told["published"]) == (code, None)
    assert str(error) in str(told["text"])
    night = last_run(today.home)
    assert night is not None and night["exit_code"] == code


def test_a_home_without_room_for_the_signal_is_told(
    good_night: tuple[SmallWorld, Ran, list[bytes]], hook: LocalServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_ignored: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pipelines.night, "keep_night", full)
    ran = good_night[0].copy(tmp_path / "world").run(day=None)
    assert (ran.code, ran.json["published"] is not None) == (0, True), ran.said
    assert "No space left" in str(alert(hook)["text"]) and "No space left" in ran.json["alerts_undelivered"][0]


def test_a_night_that_finds_the_home_locked_is_told_and_leaves_the_signal_to_its_holder(
    today: SmallWorld, hook: LocalServer
) -> None:
    with HomeLock(today.home):
        ran = today.run(day=None)
    assert ran.code == 2, ran.said
    assert "in use by process" in str(alert(hook)["text"])
    assert last_run(today.home) is None


def test_a_receiver_that_is_down_is_said_and_changes_no_code(today: SmallWorld, hook: LocalServer) -> None:
    hook.answers["/hook"] = plain(b"", 500)
    today.write_sources({"id": "omega", "url": "x"})
    ran = today.run(day=None)
    assert ran.code == 2, ran.said
    assert ran.json["alerts_undelivered"] == ["the alert by webhook was not delivered: status 500"]
    assert "omega" in json.loads(hook.posted[0])["text"] or "sources" in json.loads(hook.posted[0])["text"]
    assert ran.json["published"] is not None, "a broken entry is reported, not fatal"


def test_a_past_day_and_a_part_are_no_nights(published: SmallWorld, hook: LocalServer) -> None:
    published.board_file("delta").unlink()
    published.run()
    published.run("--source", "delta", day=None)
    published.run("--offline", day=None)
    assert last_run(published.home) is None
    assert hook.posted == []


def test_a_frozen_board_is_news_once(today: SmallWorld, hook: LocalServer) -> None:
    today.entries["delta"] |= {"max_age": 3}
    today.write_board("delta", synced_at=f"{TODAY - timedelta(days=30)}T00:00:00Z")
    today.write_sources()
    for _ in range(2):
        assert today.run(day=None).code == 0
    assert len(hook.posted) == 1
    assert "is the source frozen?" in str(alert(hook)["text"])


def test_status_says_when_the_nightly_itself_did_not_run(published: SmallWorld) -> None:
    """The release may be young (a person ran one); the night is missing all the same."""
    keep_night(published.home, "2026-03-28", datetime.now(UTC) - timedelta(hours=30), 0, "r")
    status = published.ask("status", "--json", "--max-age-hours", "26", "--catalog", str(published.catalog))
    assert status.code == 1
    assert status.json["nightly"]["did_run"] is False
    assert any("the nightly itself did not run" in reason for reason in status.json["reasons"])
    (published.home / "nightly" / "last_run.json").write_text("{")
    damaged = published.ask("status", "--json", "--max-age-hours", "1e9", "--catalog", str(published.catalog))
    assert damaged.json["nightly"]["did_run"] is None


def test_a_clock_that_was_ahead_hides_no_missing_night(published: SmallWorld) -> None:
    """A signal of the year 2099 would else be young until then."""
    ahead = datetime.now(UTC) + timedelta(days=300)
    keep_night(published.home, ahead.date().isoformat(), ahead, 0, "r")
    status = published.ask("status", "--json", "--max-age-hours", "1e9", "--catalog", str(published.catalog))
    assert status.code == 1 and status.json["nightly"]["did_run"] is False
    assert any("was the clock wrong then" in reason for reason in status.json["reasons"])
    settings = Settings.from_env(home=published.home, catalog_dir=published.catalog)
    (reason, *_) = health(settings, datetime.now(UTC) - timedelta(days=3), 26).reasons
    assert reason.startswith("the newest release is of 7") and "hours from now" in reason
    keep_night(published.home, TODAY.isoformat(), datetime.now(UTC) + timedelta(minutes=20), 0, "r")
    assert published.ask("status", "--json", "--catalog", str(published.catalog)).json["nightly"]["did_run"] is True


# ---- in Dagster


def catalog_sensor(world: SmallWorld) -> tuple[dg.SensorDefinition, dg.RepositoryDefinition]:
    settings = Settings.from_env(home=world.home, catalog_dir=world.catalog)
    catalog = load_catalog(world.catalog).catalog
    workspace = dg.ResourceDefinition.hardcoded_resource(None)
    repository = build_defs(catalog, workspace, lambda: settings).get_repository_def()
    found = repository.get_sensor_def("day_after_a_changed_catalog")
    return found, repository


def tick(made: tuple[dg.SensorDefinition, dg.RepositoryDefinition], cursor: str | None) -> dg.SensorResult:
    """What the sensor says at one look."""
    sensor, repository = made
    with dg.DagsterInstance.ephemeral() as instance:
        context = dg.build_sensor_context(instance=instance, cursor=cursor, repository_def=repository)
        result = sensor._raw_fn(context)
    assert isinstance(result, dg.SensorResult)
    return result


def test_a_changed_catalog_runs_today_without_a_sync(fresh: SmallWorld) -> None:
    made = sensor, repository = catalog_sensor(fresh)
    assert sensor.default_status is dg.DefaultSensorStatus.RUNNING
    first = tick(made, None)
    assert not first.run_requests
    assert first.cursor is not None
    assert not tick(made, first.cursor).run_requests
    fresh.edit_gate("value-jump", threshold=0.3)
    changed = tick(made, first.cursor)
    assert changed.run_requests is not None
    (request,) = changed.run_requests
    assert request.partition_key == TODAY.isoformat()
    assert request.run_key == f"{TODAY}:{changed.cursor}"
    job = repository.get_job(sensor.job_name)
    assert job.name == "day"
    assert source_key("alpha") not in job.asset_layer.executable_asset_keys


def test_a_broken_catalog_waits_and_a_new_source_asks_for_a_reload(fresh: SmallWorld) -> None:
    made = catalog_sensor(fresh)
    cursor = tick(made, None).cursor
    good = (fresh.catalog / "gates.yaml").read_text()
    (fresh.catalog / "gates.yaml").write_text("gates: [")
    broken = tick(made, cursor)
    assert not broken.run_requests
    assert broken.cursor is None, "it is looked at again"
    (fresh.catalog / "gates.yaml").write_text(good)
    entry = fresh.entries.pop("delta")
    fresh.write_sources()
    assert "reload" in str(tick(made, cursor).skip_reason)
    fresh.entries["delta"] = entry


def test_the_hash_of_the_folder_sees_every_file_and_no_other(fresh: SmallWorld, tmp_path: Path) -> None:
    seen = {folder_sha256(fresh.catalog)}
    (fresh.catalog / "notes.txt").write_text("x")
    (fresh.catalog / ".gates.yaml.swp").write_text("x")
    assert folder_sha256(fresh.catalog) in seen
    for name in ("decisions.csv", "waivers.yaml"):
        (fresh.catalog / name).write_text("x")
        seen.add(folder_sha256(fresh.catalog))
    other = tmp_path / "sources.yaml"
    other.write_text("sources: []")
    seen.add(folder_sha256(fresh.catalog, other))
    other.write_text("sources: [] # new")
    seen.add(folder_sha256(fresh.catalog, other))
    assert len(seen) == 5


@pytest.mark.parametrize("job_succeeds", [True, False])
def test_the_schedule_leaves_signal_and_alert_too(today: SmallWorld, hook: LocalServer, job_succeeds: bool) -> None:
    """The night of the Dagster daemon ends like the command's: same signal, same alert."""
    settings = Settings.from_env(home=today.home, catalog_dir=today.catalog)
    catalog = load_catalog(today.catalog).catalog
    made = {
        sensor.name: sensor for sensor in sensors({job.name: job for job in jobs(catalog)}, catalog, lambda: settings)
    }

    @dg.job(name="nightly")
    def nightly() -> None:
        @dg.op
        def step() -> None:
            if not job_succeeds:
                raise dg.Failure("the disk is full")

        step()

    tags = {"scoretrail/trigger": "schedule", "dagster/partition": TODAY.isoformat()}
    with dg.DagsterInstance.ephemeral() as instance:
        result = nightly.execute_in_process(instance=instance, tags=tags, raise_on_error=False)
        kind = dg.DagsterEventType.PIPELINE_SUCCESS if job_succeeds else dg.DagsterEventType.PIPELINE_FAILURE
        event = next(event for event in result.all_events if event.event_type is kind)
        name = "night_succeeded" if job_succeeds else "night_failed"
        context = dg.build_run_status_sensor_context(name, event, instance, result.dagster_run)
        made[name](context)  # type: ignore[operator]
    night = last_run(today.home)
    assert night is not None
    assert night["exit_code"] == (0 if job_succeeds else 70)
    assert len(hook.posted) == (0 if job_succeeds else 1)


def test_every_source_has_a_freshness_policy_from_its_age_limit(fresh: SmallWorld) -> None:
    fresh.entries["delta"] |= {"max_age": 90}
    fresh.write_sources()
    sources = load_catalog(fresh.catalog).catalog.source_by_id
    limits = {name: freshness(source).fail_window.to_timedelta() for name, source in sources.items()}  # type: ignore[attr-defined]
    assert limits == {
        "alpha": timedelta(days=7),
        "beta": timedelta(days=7),
        "gamma": timedelta(days=7),
        "delta": timedelta(days=90),
    }
    graph = build_defs(load_catalog(fresh.catalog).catalog, dg.ResourceDefinition.hardcoded_resource(None))
    spec = graph.resolve_asset_graph().get(source_key("delta"))
    assert spec.freshness_policy is not None
    assert yaml.safe_load((fresh.catalog / "sources.yaml").read_text())["sources"][3]["max_age"] == 90
