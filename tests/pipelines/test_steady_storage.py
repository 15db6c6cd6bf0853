"""A command keeps one connection a file of Dagster's storage, and what it wrote is there for the UI afterwards."""

from __future__ import annotations

import os
from pathlib import Path

import dagster as dg
import pytest
import sqlalchemy.event
from sqlalchemy.engine import Engine

from pipelines.instance import dagster_environment, dagster_instance
from pipelines.steady_storage import steady_storage
from resources.settings import CHECKOUT, Settings


@dg.asset
def first() -> dg.MaterializeResult[None]:
    return dg.MaterializeResult(metadata={"rows": 3})


@dg.asset(deps=[first])
def second() -> None: ...


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    found = Settings.from_env(home=tmp_path)
    (tmp_path / "dagster").mkdir()
    for name, value in dagster_environment(found).items():
        monkeypatch.setenv(name, value)
    return found


def connections_of_a_run(*, steady: bool) -> int:
    opened: list[object] = []

    def note(connection: object, _record: object) -> None:
        opened.append(connection)

    with dg.DagsterInstance.from_config(str(CHECKOUT)) as instance:
        sqlalchemy.event.listen(Engine, "connect", note)
        try:
            if steady:
                with steady_storage(instance):
                    assert dg.materialize([first, second], instance=instance).success
            else:
                assert dg.materialize([first, second], instance=instance).success
        finally:
            sqlalchemy.event.remove(Engine, "connect", note)
    return len(opened)


def test_few_connections_and_everything_is_recorded(settings: Settings) -> None:
    steady = connections_of_a_run(steady=True)
    ordinary = connections_of_a_run(steady=False)
    assert steady < 15 < ordinary
    with dg.DagsterInstance.from_config(str(CHECKOUT)) as instance:
        runs = instance.get_runs()
        assert [run.status for run in runs] == [dg.DagsterRunStatus.SUCCESS] * 2
        counts = [len(instance.all_logs(run.run_id)) for run in runs]
        assert counts[0] == counts[1] > 10
        event = instance.get_latest_materialization_event(dg.AssetKey("first"))
        assert event is not None


def test_the_ordinary_way_is_back_afterwards_and_nested_use_works(settings: Settings) -> None:
    with dg.DagsterInstance.from_config(str(CHECKOUT)) as instance:
        storage = instance.run_storage
        with steady_storage(instance), storage.connect() as outer, storage.connect() as inner:
            assert inner is not outer
            assert inner.exec_driver_sql("SELECT count(*) FROM runs").scalar() == 0
        assert "connect" not in vars(storage)
        assert "_connect" not in vars(instance.event_log_storage)


def test_the_environment_is_as_before_afterwards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A command in this process leaves no home, catalog or sources behind for the next."""
    monkeypatch.setenv("SCORETRAIL_HOME", "kept")
    monkeypatch.delenv("SCORETRAIL_CATALOG", raising=False)
    with dagster_instance(Settings.from_env(home=tmp_path)):
        assert os.environ["SCORETRAIL_HOME"] == str(tmp_path)
    assert os.environ["SCORETRAIL_HOME"] == "kept"
    assert "SCORETRAIL_CATALOG" not in os.environ
