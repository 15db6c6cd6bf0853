"""A small world of leaderboards for whole-pipeline tests: native files, a catalog of its own, the front door.

Four boards, six metrics of one category in three dimensions, eight models, so that every model is rated and a run
takes about a second. A `SmallWorld` may be edited file by file before a run; `run` goes through the real command, in
this process, with Dagster's storage in memory.
"""

from __future__ import annotations

import io
import json
import os
import random
import shutil
from collections.abc import Mapping
from contextlib import nullcontext, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import dagster as dg
import duckdb
import polars as pl
import pytest
import yaml

from methods.catalog.released_tables import released_tables
from pipelines import command
from pipelines.instance import passing_instance
from resources.catalog_files import load_catalog
from resources.releases import ReleaseStore
from resources.tables import TableStore
from resources.verdicts import VerdictStore

LIGHT_SUITES = {"suite-raw__snapshot"}
"""Suites cost two thirds of a small run; a world keeps these alone unless `full_gates` is asked for."""
CHECKOUT = Path(__file__).resolve().parent.parent.parent
CATALOG = CHECKOUT / "warehouse" / "catalog"
DAY = date(2026, 3, 28)
"""A Saturday; the night after it is the spring change of the clocks in Europe (B17)."""
NEXT = DAY + timedelta(days=1)
SYNCED = "2026-03-28T06:00:00Z"

METRICS = {
    "gen-a": "generation", "gen-b": "generation", "repo-a": "repository",
    "repo-b": "repository", "debug-a": "debugging", "debug-b": "debugging",
}  # fmt: skip
BOARDS = {
    "alpha": ("gen-a", "repo-a", "debug-a"),
    "beta": ("gen-b", "repo-b", "debug-b"),
    "gamma": ("gen-a", "gen-b", "repo-a"),
    "delta": ("repo-b", "debug-a", "debug-b"),
}
SOURCE_TYPES = {"alpha": "official", "beta": "official", "gamma": "self_reported", "delta": "paper"}
MODELS = {f"model-{letter}": f"Maker {'XYZ'[n % 3]}" for n, letter in enumerate("abcdefgh")}
TABLES_IN_ORDER = (
    "raw__snapshot", "raw__row", "core__result", "core__evidence", "core__exclusion", "out__dimension_score",
    "out__category_score", "out__score_weight", "out__gate", "out__product",
)  # fmt: skip


@dataclass
class Ran:
    """What a command did: exit code, and what it printed."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """Its `--json` object; any NaN or infinity in it is an error."""

        def refuse(token: str) -> object:
            raise AssertionError(f"{token} in JSON output")

        value = json.loads(self.out, parse_constant=refuse)
        assert isinstance(value, dict)
        return value

    @property
    def said(self) -> str:
        """Everything it printed."""
        return self.out + self.err


def call(*arguments: str | Path) -> Ran:
    """The `scoretrail` command in this process."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = command.run([str(argument) for argument in arguments])
    return Ran(int(code), out.getvalue(), err.getvalue())


def row(benchmark: str, model: str, value: object, **more: object) -> dict[str, object]:
    """One result of the native format, in percent."""
    return {"benchmark": benchmark, "metric": "accuracy", "unit": "score", "value": value, "model": model, **more}


def board_rows(board: str, shift: float = 0.0) -> list[dict[str, object]]:
    """The rows of a board: every model on its metrics, with values that differ a little from board to board."""
    draw = random.Random(f"values of {board}")
    return [
        row(metric, model, round(35 + 5 * n + 3 * draw.random() + shift, 2), developer=maker, n_samples=500)
        for metric in BOARDS[board]
        for n, (model, maker) in enumerate(MODELS.items())
    ]


@dataclass
class SmallWorld:
    """A folder with `catalog/`, `home/` and the boards' files beside the sources file."""

    root: Path
    entries: dict[str, dict[str, Any]] = field(default_factory=dict)

    @property
    def home(self) -> Path:
        return self.root / "home"

    @property
    def catalog(self) -> Path:
        return self.root / "catalog"

    @property
    def database(self) -> Path:
        return self.home / "scoretrail.duckdb"

    @property
    def released(self) -> tuple[str, ...]:
        """The tables that a release of this catalog holds."""
        return released_tables(load_catalog(self.catalog).catalog)

    def board_file(self, board: str) -> Path:
        return self.catalog / f"{board}.json"

    def write_board(
        self, board: str, rows: list[dict[str, object]] | None = None, synced_at: str | None = SYNCED, **more: object
    ) -> None:
        """Writes a board's native file; `synced_at` None leaves its time to the file system."""
        body: dict[str, object] = {"schema": "scoretrail.leaderboard/1", "leaderboard": board, "title": board.title()}
        if synced_at is not None:
            body["synced_at"] = synced_at
        body |= {"results": board_rows(board) if rows is None else rows, **more}
        self.board_file(board).write_text(json.dumps(body), encoding="utf-8")

    def write_sources(self, *broken: dict[str, Any]) -> None:
        """Writes sources.yaml from `entries`, and further entries that need not be sound."""
        text = yaml.safe_dump({"sources": [*self.entries.values(), *broken]}, sort_keys=False)
        (self.catalog / "sources.yaml").write_text(text, encoding="utf-8")

    def edit_gate(self, gate: str, **changes: object) -> None:
        """Changes one line of gates.yaml."""
        path = self.catalog / "gates.yaml"
        value = yaml.safe_load(path.read_text(encoding="utf-8"))
        found = next(entry for entry in value["gates"] if entry["id"] == gate)
        found |= changes
        path.write_text(yaml.safe_dump(value, sort_keys=False), encoding="utf-8")

    def waive(self, gate: str, until: str) -> None:
        """Writes one waiver."""
        waiver = {"gate": gate, "reason": "known", "who": "one", "approved_by": "another", "until": until}
        (self.catalog / "waivers.yaml").write_text(yaml.safe_dump({"waivers": [waiver]}), encoding="utf-8")

    def run(self, *arguments: str, day: date | None = DAY) -> Ran:
        """`scoretrail run --json` on this home and catalog."""
        when = () if day is None else ("--as-of", day.isoformat())
        return call("run", "--home", self.home, "--catalog", self.catalog, "--json", *when, *arguments)

    def ask(self, *arguments: str) -> Ran:
        """Another subcommand on this home."""
        return call(*arguments, "--home", self.home)

    @property
    def tables(self) -> TableStore:
        return TableStore(self.home)

    @property
    def verdicts(self) -> VerdictStore:
        return VerdictStore(self.home)

    @property
    def releases(self) -> ReleaseStore:
        return ReleaseStore(self.home)

    def current(self) -> str | None:
        """The id of the release that readers of the ledger see."""
        record = self.releases.ledger().current
        return None if record is None else record.release_id

    def published(self) -> str | None:
        """The id of the release that readers of DuckDB see."""
        if not self.database.is_file():
            return None
        with duckdb.connect(str(self.database), read_only=True) as connection:
            found = connection.execute("SELECT DISTINCT release_id FROM out__category_score").fetchall()
        assert len(found) == 1, "the DuckDB copy mixes releases"
        return str(found[0][0])

    def copy(self, root: Path) -> SmallWorld:
        """The same world in another folder."""
        shutil.copytree(self.root, root)
        return SmallWorld(root, {name: dict(entry) for name, entry in self.entries.items()})


def build_world(root: Path, *, full_gates: bool = False) -> SmallWorld:
    """A sound small world that has not run yet; with every suite of the published catalog where asked."""
    world = small_world(root)
    world.catalog.mkdir(parents=True)
    for name, text in catalog_texts(full_gates).items():
        (world.catalog / name).write_text(text, encoding="utf-8")
    for board in world.entries:
        world.write_board(board)
    return world


@cache
def catalog_texts(full_gates: bool) -> Mapping[str, str]:
    """The files of a small world's catalog by name; PyYAML takes its time for them."""
    gates = yaml.safe_load((CATALOG / "gates.yaml").read_text(encoding="utf-8"))["gates"]
    kept = [g for g in gates if full_gates or not g["id"].startswith("suite-") or g["id"] in LIGHT_SUITES]
    metrics = [
        {
            "id": metric, "category": "coding", "dimension": dimension, "family": metric, "protocol": "as-stated",
            "direction": "higher", "transform": "logit", "status": "scored",
            "from": [{"benchmark": metric, "metric": "accuracy"}],
        }
        for metric, dimension in METRICS.items()
    ]  # fmt: skip
    models = [{"id": model, "name": model, "developer": maker} for model, maker in MODELS.items()]
    bodies: dict[str, Any] = {
        "gates.yaml": {"gates": kept},
        "metrics.yaml": {"version": "small.1", "metrics": metrics},
        "models.yaml": {"models": models},
        "sources.yaml": {"sources": list(source_entries().values())},
    }
    texts = {name: yaml.safe_dump(body, sort_keys=False) for name, body in bodies.items()}
    return MappingProxyType({"methodology.yaml": (CATALOG / "methodology.yaml").read_text(encoding="utf-8"), **texts})


def source_entries() -> dict[str, dict[str, Any]]:
    """The entries of a small world's sources.yaml, by board."""
    return {
        board: {
            "id": board, "title": board.title(), "connector": "native", "url": f"{board}.json",
            "path": f"{board}.json", "source_type": source_type, "min_rows": 8, "license": "CC0-1.0",
        }
        for board, source_type in SOURCE_TYPES.items()
    }  # fmt: skip


def small_world(root: Path) -> SmallWorld:
    """A folder that is, or will be, a small world as it is built."""
    return SmallWorld(root, source_entries())


@cache
def process_instance() -> dg.DagsterInstance:
    """One passing instance for all runs of this process, which keeps no picture of the graph for each of them."""
    instance = passing_instance()

    def bare_run(
        job_def: dg.JobDefinition,
        execution_plan: Any,
        run_config: Mapping[str, object] | None = None,
        tags: Mapping[str, str] | None = None,
        run_id: str | None = None,
        asset_selection: frozenset[dg.AssetKey] | None = None,
    ) -> dg.DagsterRun:
        run = dg.DagsterRun(
            job_name=job_def.name, run_id=run_id, run_config=run_config, tags=tags, asset_selection=asset_selection,
            step_keys_to_execute=execution_plan.step_keys_to_execute,
        )  # fmt: skip
        return instance.run_storage.add_run(run)

    instance.create_run_for_job = bare_run  # type: ignore[method-assign,assignment]
    return instance


def quiet_process(monkeypatch: pytest.MonkeyPatch, *, with_site: bool = False) -> None:
    """No storage of Dagster's for runs of the command in this process, and no site, which costs half of a run."""
    import pipelines.day_runner
    import pipelines.verification
    import resources.site.build

    monkeypatch.setattr(pipelines.day_runner, "dagster_instance", lambda _settings: nullcontext(process_instance()))
    monkeypatch.setattr(pipelines.verification, "passing_instance", lambda: nullcontext(process_instance()))
    # What a killed process wrote stays written; only a machine that stops needs the disk to be waited for.
    monkeypatch.setattr(os, "fsync", lambda _descriptor: None)
    if not with_site:
        page = b'<!doctype html><main id="main" tabindex="-1"></main>'
        monkeypatch.setattr(resources.site.build, "site_of_folder", lambda *_: iter([("index.html", page)]))


def day_frame(world: SmallWorld, table: str, day: date = DAY) -> pl.DataFrame:
    """A stored table of a day."""
    return world.tables.read(table, day)


def gate_row(world: SmallWorld, gate: str, day: date = DAY) -> dict[str, Any]:
    """A gate's row of out__gate."""
    return day_frame(world, "out__gate", day).filter(pl.col("gate") == gate).row(0, named=True)


def board_status(world: SmallWorld, day: date = DAY) -> str:
    """The board's status in out__product."""
    found = day_frame(world, "out__product", day).filter(pl.col("product") == "scores")
    return str(found["status"].item())


def failing_gates(world: SmallWorld, day: date = DAY) -> list[str]:
    """The gates of a day whose verdict is `fail`, in order."""
    gates = day_frame(world, "out__gate", day).filter(pl.col("verdict") == "fail")
    return sorted(gates["gate"].to_list())
