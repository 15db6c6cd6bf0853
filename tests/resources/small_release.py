"""A small home for the outbound tests: one day's tables, made without any method, and a release draft over them.

The values are awkward on purpose: models named like dates, numbers and formulas, zero, tiny and negative numbers,
all-null columns, every type a contract knows.
"""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from pathlib import Path

import polars as pl

from methods.lineage.baseline import BaselineFigures
from resources.release_folder import ReleaseDraft
from resources.tables import TableStore
from warehouse.canonical import sha256_hex
from warehouse.contracts import TableContract
from warehouse.identity import release_id
from warehouse.manifest import ReleaseHeader, SnapshotEntry
from warehouse.stamps import TableStamp
from warehouse.tables import INPUTS, TABLES

HELD = (
    "raw__snapshot", "raw__row", "core__result", "core__evidence", "core__exclusion", "out__dimension_score",
    "out__category_score", "out__score_weight", "core__candidate_pair", "core__pair_decision", "raw__evidence",
    "out__gate", "out__product",
)  # fmt: skip
"""The tables of these releases: every column type, and a chain of hashes. Others differ in words only."""
DAY = date(2026, 10, 20)
LATER = date(2026, 10, 21)
NOON = datetime(2026, 10, 20, 12, 30, 15, 123456, tzinfo=UTC)
CATALOG = sha256_hex(b"catalog")
CODE = sha256_hex(b"code")
METHODOLOGY = "3.0"
TEXTS = ("2024-11-20", "1.10", "=1+1", "GPT‑4o “mini” 模型 🙂", "41_10_1", "14000000000000000001", "NaN")
NUMBERS = (0.0, 0.1, -1e-300, 1 / 3, 1e16, 27.0, -0.5)
SNAPSHOT = sha256_hex(b"bytes")


def frame_of(contract: TableContract, rows: int = 5, shift: int = 0) -> pl.DataFrame:
    """A frame that keeps the contract; nullable columns alternate with nulls, `stderr` is null throughout."""
    columns: dict[str, list[object]] = {}
    allowed = dict(contract.allowed)
    if len(contract.key) == 1 and contract.key[0] in allowed:
        rows = min(rows, len(allowed[contract.key[0]]))
    bounded = {name: (low, high) for name, low, high in contract.bounds}
    for name, entry in contract.entries.items():
        values: list[object] = []
        for row in range(rows):
            turn = row + shift
            if name == "stderr" or (name in contract.nullable and row % 2):
                values.append(None)
            elif name in allowed:
                values.append(allowed[name][turn % len(allowed[name])])
            elif entry.type == "text":
                text = TEXTS[turn % len(TEXTS)]
                text = json.dumps({text: text}, ensure_ascii=False) if name == "protocol_extra" else text
                values.append(f"{text}#{row:03d}" if name in contract.key else text)
            elif entry.type == "number":
                values.append(abs(NUMBERS[turn % 4]) if name in bounded else NUMBERS[turn % len(NUMBERS)])
            elif entry.type == "integer":
                values.append(1 + turn if name in contract.key else 1 + turn % 4)
            elif entry.type == "boolean":
                values.append(bool(turn % 2))
            elif entry.type == "timestamp":
                values.append(NOON)
            elif entry.type == "date":
                values.append(DAY)
            else:
                values.append([TEXTS[turn % len(TEXTS)], ""])
        columns[name] = values
    return contract.conform(pl.DataFrame(columns, schema=contract.polars_schema()))


def small_release_id(as_of: date = DAY, baseline: str | None = None, catalog: str = CATALOG) -> str:
    """The release id that the draft below has."""
    return release_id(
        as_of=as_of, snapshots=[("osworld", SNAPSHOT)], evidence=[], baseline=baseline, catalog_sha256=catalog,
        methodology_version=METHODOLOGY, code_version=CODE,
    )  # fmt: skip


def fill_tables(
    home: Path, as_of: date = DAY, *, shift: int = 0, rows: int = 5, names: tuple[str, ...] = HELD
) -> dict[str, TableStamp]:
    """Write a day's tables with a sound chain of hashes."""
    store = TableStore(home)
    stamps: dict[str, TableStamp] = {}
    for name in names:
        stamps[name] = store.write(
            name, as_of, frame_of(TABLES[name], rows=rows, shift=shift),
            inputs={given: stamps[given].table_hash for given in INPUTS.get(name, ())},
            catalog_sha256=CATALOG, methodology_version=METHODOLOGY, code_version=CODE,
        )  # fmt: skip
    return stamps


def draft_of(as_of: date = DAY, *, baseline: str | None = None, catalog: str = CATALOG) -> ReleaseDraft:
    """A release draft over those tables."""
    header = ReleaseHeader(
        release_id=small_release_id(as_of, baseline, catalog), as_of=as_of, created_at=NOON, decided_at=NOON,
        baseline_release_id=baseline, catalog_version="2026.10", catalog_sha256=catalog,
        methodology_version=METHODOLOGY, code_version=CODE,
        snapshots=(SnapshotEntry(leaderboard="osworld", sha256=SNAPSHOT, status="asserted", synced_at=NOON),),
        counts={"rows": 5}, packages={"polars": "2.1.0"},
    )  # fmt: skip
    return ReleaseDraft(
        header,
        catalog_files={"metrics.yaml": b"version: 1\n", "decisions.csv": b"entry_id_a,entry_id_b\n"},
        validations={"shape": {"success": True}},
        baseline=BaselineFigures(baseline, {}, {}, {}, {}, {}) if baseline else None,
        tables=HELD,
    )
