"""Batches laid down are taken in by a run of Dagster, which writes the action; what is no batch is set aside."""

from __future__ import annotations

import json
from pathlib import Path

import dagster as dg
import pytest
from rollout_worlds import csv, sealed_contract
from small_homes import CATALOG, call

from pipelines.rollout_sensor import rollout_job, rollout_sensor
from resources.rollouts import Rollout, RolloutStore
from resources.settings import Settings


@pytest.fixture
def here(tmp_path: Path) -> Settings:
    home = tmp_path / "home"
    assert call("canary", "start", "one", sealed_contract(tmp_path), "--home", home).code == 0
    return Settings.from_env(home=home, catalog_dir=CATALOG, environ={})


def opened(here: Settings) -> Rollout:
    return RolloutStore(here.home).open("canary", "one")


def tick(here: Settings, instance: dg.DagsterInstance) -> list[dg.RunRequest]:
    job = rollout_job(lambda: here)
    with dg.build_sensor_context(instance=instance) as context:
        return list(rollout_sensor(job, lambda: here).evaluate_tick(context).run_requests or ())


def carried_out(here: Settings, instance: dg.DagsterInstance, request: dg.RunRequest) -> None:
    assert rollout_job(lambda: here).execute_in_process(run_config=request.run_config, instance=instance).success


def test_a_batch_is_taken_in_and_decided_on(here: Settings, tmp_path: Path) -> None:
    with dg.DagsterInstance.ephemeral() as instance:
        assert tick(here, instance) == [], "nothing is waiting"
        laid = csv(opened(here).folder / "incoming", 1)
        csv(opened(here).folder / "incoming", 2).rename(opened(here).folder / "incoming" / "batch-2.csv.part")
        [request] = tick(here, instance)
        assert tick(here, instance)[0].run_key == request.run_key, "the same batch asks once"
        carried_out(here, instance, request)
        rollout = opened(here)
        assert [batch.path.name for batch in rollout.batches] == ["batch-1.csv"]
        assert not laid.exists()
        assert rollout.action is not None
        assert (rollout.action["action"], rollout.is_decided) == ("continue", True)
        assert tick(here, instance) == [], "what is still being written is passed over"
        csv(rollout.folder / "incoming", 3, error=0.3)
        [request] = tick(here, instance)
        carried_out(here, instance, request)
        assert opened(here).action["action"] == "rollback"  # type: ignore[index]


def test_what_is_no_batch_is_set_aside_and_holds(here: Settings) -> None:
    folder = opened(here).folder
    csv(folder / "incoming", 1, 400)
    (folder / "incoming" / "zz.csv").write_text("system,task\nassistant-2,t1\n")
    with dg.DagsterInstance.ephemeral() as instance:
        [request] = tick(here, instance)
        carried_out(here, instance, request)
        rollout = opened(here)
        assert len(rollout.batches) == 1
        assert rollout.action is not None
        assert rollout.action["action"] == "hold"
        assert "zz.csv could not be taken in" in json.dumps(rollout.action["reasons"])
        assert "no column 'user'" in (folder / "refused" / "zz.csv.why.txt").read_text()
        assert tick(here, instance) == []
        csv(folder / "incoming", 2, 400)
        [request] = tick(here, instance)
        carried_out(here, instance, request)
        assert opened(here).action["action"] == "hold", "nobody has looked at the file yet"  # type: ignore[index]
        for path in (folder / "refused").iterdir():
            path.unlink()
        [request] = tick(here, instance)
        carried_out(here, instance, request)
        assert opened(here).action["action"] == "continue"  # type: ignore[index]
        assert tick(here, instance) == []


def test_a_batch_added_by_a_stopped_command_is_decided_on(here: Settings, tmp_path: Path) -> None:
    call("canary", "add", "one", csv(tmp_path, 1, 400), "--home", here.home)
    (opened(here).folder / "action.json").unlink()
    with dg.DagsterInstance.ephemeral() as instance:
        [request] = tick(here, instance)
        carried_out(here, instance, request)
        assert opened(here).is_decided


def test_a_damaged_one_hides_no_other(here: Settings, tmp_path: Path) -> None:
    call("canary", "start", "two", sealed_contract(tmp_path), "--home", here.home)
    (opened(here).folder / "contract.yaml").write_text("changed: true\n")
    csv(here.home / "evidence" / "canary" / "two" / "incoming", 1, 400)
    with dg.DagsterInstance.ephemeral() as instance:
        [request] = tick(here, instance)
        assert request.tags["scoretrail/rollout"] == "canary/two"
