"""Small worlds with a study: a freeze of the demonstration's results, and decisions taken by test reviewers.

The board of such a world is the small one, so that a run takes a second or two; the study reads only the freeze. The
reviewers "R1" and "R2" exist in these tests alone.
"""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Iterable, Mapping
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl
import yaml
from small_homes import CATALOG, CHECKOUT, LIGHT_SUITES, SmallWorld, build_world, call

from methods.catalog.received import receive
from methods.catalog.results import build_results
from methods.pairing.fast import candidate_pairs
from methods.pairing.walk import PairWalk, PairWalker
from resources.catalog_files import load_catalog
from resources.connectors import SnapshotFile, parse
from resources.freeze import freeze
from warehouse.received import ReceivedRow
from warehouse.tables import RAW_SNAPSHOT

DEMO = CHECKOUT / "warehouse" / "demo"
BEFORE = date(2026, 3, 1)
"""The day the freezes of these worlds speak of: the small boards' day knows it."""
STUDY = {"id": "sources-test", "kind": "source_difference", "evidence": "frozen-1", "publish": True}
STUDY_SUITES = {"suite-raw__evidence", "suite-core__study_pair", "suite-out__source_difference"}
PAIR_SUITES = {"suite-core__candidate_pair", "suite-core__pair_decision", "suite-out__source_divergence"}


@cache
def demo_results() -> tuple[pl.DataFrame, pl.DataFrame]:
    """core__result and raw__snapshot of the bundled snapshot, without a run."""
    catalog = load_catalog(CATALOG, DEMO / "sources.yaml").catalog
    received, snapshots = [], []
    for source in catalog.sources:
        data = (DEMO / source.url).read_bytes()
        sha256 = hashlib.sha256(data).hexdigest()
        rows = parse(source, [SnapshotFile(source.url, data)]).rows
        received.append(receive(source.id, sha256, rows))
        snapshots.append(_snapshot(source.id, sha256, len(data), len(rows)))
    results = build_results(pl.concat(received), catalog)
    return results, RAW_SNAPSHOT.conform(pl.DataFrame(snapshots, schema=RAW_SNAPSHOT.polars_schema()))


def rows_results(boards: Mapping[str, tuple[str, list[dict[str, Any]]]], world: SmallWorld) -> tuple[pl.DataFrame, Any]:
    """core__result and raw__snapshot of a few rows: (source type, native results) by leaderboard."""
    catalog = load_catalog(world.catalog).catalog
    received, snapshots = [], []
    for board, (kind, rows) in boards.items():
        sha256 = hashlib.sha256(repr(rows).encode()).hexdigest()
        given = [
            ReceivedRow(f"results[{n}]", {**row, "source_type": kind}, raw=str(row["value"]))
            for n, row in enumerate(rows)
        ]
        received.append(receive(board, sha256, given))
        snapshots.append(_snapshot(board, sha256, 1, len(rows)))
    results = build_results(pl.concat(received), catalog)
    return results, RAW_SNAPSHOT.conform(pl.DataFrame(snapshots, schema=RAW_SNAPSHOT.polars_schema()))


def _snapshot(board: str, sha256: str, size: int, rows: int) -> dict[str, Any]:
    nothing = dict.fromkeys(("source_url", "fetched_at", "synced_at", "etag"))
    return {"leaderboard": board, "sha256": sha256, "path": f"snapshots/{board}/{sha256}.json", "bytes": size,
            "rows": rows, "connector": "native", "status": "asserted", **nothing}  # fmt: skip


def study_world(root: Path, *, suites: Iterable[str] = STUDY_SUITES) -> SmallWorld:
    """A small world whose catalog reads names and protocols as the published one does, with the gates of a study."""
    world = build_world(root, full_gates=True)
    gates = yaml.safe_load((world.catalog / "gates.yaml").read_text(encoding="utf-8"))["gates"]
    wanted = {*suites, *LIGHT_SUITES}
    kept = [gate for gate in gates if not gate["id"].startswith("suite-") or gate["id"] in wanted]
    _write(world, "gates.yaml", {"gates": kept})
    for name, key in (("metrics.yaml", "benchmarks"), ("models.yaml", "organization_prefixes")):
        ours = yaml.safe_load((world.catalog / name).read_text(encoding="utf-8"))
        _write(world, name, {**ours, key: _published(name)[key]})
    return world


@cache
def _published(name: str) -> dict[str, Any]:
    """A file of the published catalog, which is long."""
    return dict(yaml.load((CATALOG / name).read_text(encoding="utf-8"), Loader=yaml.CSafeLoader))


def _write(world: SmallWorld, name: str, body: object) -> None:
    (world.catalog / name).write_text(yaml.safe_dump(body, sort_keys=False), encoding="utf-8")


def name_study(world: SmallWorld, **changes: Any) -> None:
    """Writes studies.yaml with the one study."""
    _write(world, "studies.yaml", {"studies": [{**STUDY, **changes}]})


def register(world: SmallWorld, results: pl.DataFrame, snapshots: pl.DataFrame, name: str = "frozen-1") -> None:
    """Freezes results and registers the freeze through the command."""
    folder = world.root / f"{name}-folder"
    freeze(results, snapshots, folder, as_of=BEFORE)
    ran = call("register", "freeze", name, folder, "--home", world.home)
    assert ran.code == 0, ran.said


def walks_of(world: SmallWorld, results: pl.DataFrame) -> list[PairWalk]:
    """Every candidate pair of some results by the world's catalog."""
    catalog = load_catalog(world.catalog).catalog
    walker = PairWalker(candidate_pairs(results, catalog).frame, results, catalog)
    return [walker.walk(pair) for pair in walker.pair_ids]


def decide(world: SmallWorld, rows: Iterable[tuple[str, str, str]], reviewer: str = "R1") -> None:
    """Writes decisions.csv: (pair id, decision, reason)."""
    with (world.catalog / "decisions.csv").open("w", encoding="utf-8", newline="") as stream:
        write = csv.writer(stream, lineterminator="\n")
        write.writerow(("entry_id_a", "entry_id_b", "decision", "reason", "reviewer", "reviewed_at"))
        for pair, decision, reason in rows:
            write.writerow((*pair.split("~"), decision, reason, reviewer, "2026-03-02"))


def decide_as_suggested(world: SmallWorld, results: pl.DataFrame) -> list[PairWalk]:
    """Decides every pair as the rows' surface suggests; returns the pairs."""
    walks = walks_of(world, results)
    decide(world, [(walk.pair_id, walk.suggestion.decision, walk.suggestion.reason) for walk in walks])
    return walks
