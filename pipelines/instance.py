"""Dagster instances: of a home, by `dagster.yaml` of the checkout its storage under the home; and a passing one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import dagster as dg

from pipelines.steady_storage import steady_storage
from resources.settings import CATALOG, CHECKOUT, HOME, SOURCES, Settings

STORAGE = "SCORETRAIL_DAGSTER_DIR"


def dagster_environment(settings: Settings) -> dict[str, str]:
    """The environment under which Dagster works on this home: nothing is written into the checkout outside of it."""
    return {
        "DAGSTER_HOME": str(CHECKOUT),
        "DAGSTER_DISABLE_TELEMETRY": "yes",
        STORAGE: str(settings.home / "dagster"),
        HOME: str(settings.home),
        CATALOG: str(settings.catalog_dir),
        SOURCES: str(settings.sources_file),
    }


@contextmanager
def dagster_instance(settings: Settings) -> Iterator[dg.DagsterInstance]:
    """The persistent instance of a home, in which runs of the command and of the UI stand side by side.

    The environment that `dagster.yaml` reads is set for the length of the block, and put back afterwards.
    """
    Path(settings.home, "dagster").mkdir(parents=True, exist_ok=True)
    wanted = dagster_environment(settings)
    before = {name: os.environ.get(name) for name in wanted}
    os.environ.update(wanted)
    try:
        with dg.DagsterInstance.from_config(str(CHECKOUT)) as instance, steady_storage(instance):
            yield instance
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def passing_instance() -> dg.DagsterInstance:
    """An instance without memory: a run in this process hands its events back itself; keeping them is a third of it."""
    instance = dg.DagsterInstance.ephemeral()
    events = instance.event_log_storage
    nothing = dg.EventRecordsResult([], cursor="", has_more=False)
    events.store_event = lambda *_: None  # type: ignore[method-assign]
    events.fetch_materializations = lambda *_, **__: nothing  # type: ignore[method-assign]
    events.fetch_observations = lambda *_, **__: nothing  # type: ignore[method-assign]
    events.get_asset_records = lambda *_, **__: []  # type: ignore[method-assign]
    return instance
