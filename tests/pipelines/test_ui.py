"""`scoretrail ui`: the graph as a person meets it, over HTTP and in a browser, on a home of its own."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from small_homes import CHECKOUT, DAY, SmallWorld

from warehouse.tables import RELEASED

WAIT_S = 120.0
TOOLS = {".pytest_cache", ".ruff_cache", ".mypy_cache", ".hypothesis", ".import_linter_cache", ".git", "data"}
CHROMIUM = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None
)
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--window-size=1600,1000",
)  # fmt: skip
NODES = """{ assetNodes { assetKey { path } groupName description kinds isPartitioned
  owners { ... on TeamAssetOwner { team } }
  metadataEntries { label __typename ... on MarkdownMetadataEntry { mdStr }
    ... on TableSchemaMetadataEntry { schema { columns { name type description } } } }
  assetChecksOrError { ... on AssetChecks { checks { name blocking description } } }
  assetMaterializations(limit: 1) { metadataEntries { label ... on IntMetadataEntry { intValue }
    ... on TextMetadataEntry { text } } } } }"""


@dataclass
class Ui:
    """A running UI."""

    port: int
    world: SmallWorld

    def get(self, path: str) -> bytes:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=30) as answer:
            return bytes(answer.read())

    def ask(self, query: str, **variables: object) -> Any:
        """The data of a GraphQL answer; strict JSON, since NaN would break the page (B11)."""
        body = json.dumps({"query": query, "variables": variables}).encode()
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/graphql", body, {"content-type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            text = answer.read().decode()
        found = json.loads(text, parse_constant=lambda token: pytest.fail(f"{token} in {text[:200]}"))
        assert "errors" not in found, found
        return found["data"]


def listing() -> set[str]:
    """What stands in the checkout's root; caches of tools and `data/` do not count."""
    return {path.name for path in CHECKOUT.iterdir()} - TOOLS


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="module")
def ui(template: SmallWorld, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ui]:
    """The UI on a copy of the published small world; nothing may be written beside the home."""
    folder = tmp_path_factory.mktemp("ui")
    world, before = template.copy(folder / "world"), listing()
    running = Ui(free_port(), world)
    log = (folder / "ui.log").open("w+")
    arguments = ("--port", str(running.port), "--home", str(world.home), "--catalog", str(world.catalog))
    started = time.monotonic()
    process = subprocess.Popen(
        # As `scoretrail ui &` in a script, where Ctrl-C is ignored: TERM ends it all the same.
        ["sh", "-c", 'trap "" INT; exec "$@"', "sh", sys.executable, "-m", "pipelines.command", "ui", *arguments],
        stdout=log, stderr=subprocess.STDOUT, cwd=folder, start_new_session=True,
    )  # fmt: skip
    try:
        while True:
            try:
                running.get("/server_info")
                break
            except OSError:
                log.seek(0)
                assert process.poll() is None, log.read()[-3000:]
                assert time.monotonic() - started < WAIT_S, log.read()[-3000:]
                time.sleep(0.2)
        yield running
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        log.close()
    assert listing() == before, "the UI wrote into the checkout"
    rest = {path.name for path in folder.iterdir()} - {"world", "ui.log", "profile", "shot.png"}
    assert not rest, "the UI wrote where it was called"


@pytest.fixture(scope="module")
def nodes(ui: Ui) -> dict[str, Any]:
    return {"/".join(node["assetKey"]["path"]): node for node in ui.ask(NODES)["assetNodes"]}


def test_every_table_is_described(nodes: dict[str, Any]) -> None:
    """Grain, owners, kinds, schema with meanings, column lineage as a table, and the checks with what they ask."""
    assert set(RELEASED) | {"out__release"} <= set(nodes)
    assert {f"source/{board}" for board in ("alpha", "beta", "gamma", "delta")} <= set(nodes)
    for table in RELEASED:
        node = nodes[table]
        entries = {entry["label"]: entry for entry in node["metadataEntries"]}
        assert node["description"]
        assert "Key: " in node["description"]
        assert node["owners"]
        assert set(node["kinds"]) == {"parquet", "polars"}
        assert node["isPartitioned"]
        assert node["groupName"] in {"2_raw", "3_core", "4_out"}
        columns = entries["dagster/column_schema"]["schema"]["columns"]
        assert all(column["description"].rstrip(".").count("Computed by") == 1 for column in columns)
        assert "| column | made of | computed by |" in entries["column lineage"]["mdStr"]
    checks = {check["name"]: check for check in nodes["core__exclusion"]["assetChecksOrError"]["checks"]}
    assert checks["conservation"]["blocking"]
    assert "Required for publication" in checks["conservation"]["description"]


def test_the_schedule_and_the_sensor_run_by_default(ui: Ui) -> None:
    found = ui.ask("""{ repositoriesOrError { ... on RepositoryConnection { nodes {
        schedules { name cronSchedule executionTimezone scheduleState { status } pipelineName }
        sensors { name sensorState { status } }
        jobs { name } } } } }""")["repositoriesOrError"]["nodes"][0]
    assert found["schedules"] == [
        {
            "name": "nightly_schedule", "cronSchedule": "0 2 * * *", "executionTimezone": "UTC",
            "scheduleState": {"status": "RUNNING"}, "pipelineName": "nightly",
        }
    ]  # fmt: skip
    assert all(sensor["sensorState"]["status"] == "RUNNING" for sensor in found["sensors"])
    assert {"nightly", "sync", "day", "verdicts"} <= {job["name"] for job in found["jobs"]}


LAUNCH = """mutation ($params: ExecutionParams!) { launchRun(executionParams: $params) { __typename
  ... on LaunchRunSuccess { run { runId } } ... on PythonError { message } } }"""


def test_a_day_launched_from_the_ui_is_published_in_the_same_home(ui: Ui) -> None:
    """The same graph, the same lock and gates: the run ends well, and the table's row count and checks are shown."""
    day = DAY.replace(day=DAY.day + 1).isoformat()
    repository = ui.ask("{ repositoriesOrError { ... on RepositoryConnection { nodes { name location { name } } } } }")
    where = repository["repositoriesOrError"]["nodes"][0]
    selector = {"repositoryName": where["name"], "repositoryLocationName": where["location"]["name"], "jobName": "day"}
    tags = [{"key": "dagster/partition", "value": day}]
    launched = ui.ask(LAUNCH, params={"selector": selector, "mode": "default", "executionMetadata": {"tags": tags}})
    run_id = launched["launchRun"]["run"]["runId"]
    query = "query ($id: ID!) { runOrError(runId: $id) { ... on Run { status } } }"
    started = time.monotonic()
    while (status := ui.ask(query, id=run_id)["runOrError"]["status"]) not in {"SUCCESS", "FAILURE", "CANCELED"}:
        assert time.monotonic() - started < WAIT_S, status
        time.sleep(0.3)
    assert status == "SUCCESS"
    assert str(ui.world.published()).startswith(day)
    shown = {"/".join(node["assetKey"]["path"]): node for node in ui.ask(NODES)["assetNodes"]}
    entries = {e["label"]: e for e in shown["core__evidence"]["assetMaterializations"][0]["metadataEntries"]}
    assert entries["dagster/row_count"]["intValue"] == 48
    assert (
        entries["table hash"]["text"]
        == ui.world.tables.stamp("core__evidence", DAY.replace(day=DAY.day + 1)).table_hash
    )


def test_the_graph_is_drawn_in_a_browser(ui: Ui) -> None:
    if CHROMIUM is None:
        pytest.skip("no chromium is installed: the UI was not looked at in a browser")
    folder = ui.world.root.parent
    picture = folder / "shot.png"
    ran = subprocess.run(
        [CHROMIUM, *FLAGS, f"--user-data-dir={folder / 'profile'}", "--virtual-time-budget=20000",
         f"--screenshot={picture}", f"http://127.0.0.1:{ui.port}/asset-groups"],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr[-2000:]
    data = picture.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", data[16:24]) == (1600, 1000)
    assert len(data) > 40_000, "the page is nearly blank"
    if kept := os.environ.get("SCORETRAIL_KEEP_SCREENSHOT"):
        shutil.copyfile(picture, Path(kept))
