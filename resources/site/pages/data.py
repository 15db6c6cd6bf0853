"""Data for other programs: downloads of the published tables, and the dictionary of every column."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import date, datetime
from typing import Any, Final

import polars as pl

from resources.atomic_files import line_bytes
from resources.former_day import RUN_COLUMNS
from resources.guarded_csv import contract_types, csv_bytes
from resources.site.facts import Facts
from resources.site.inputs import in_order
from resources.site.page import Page, Plain
from resources.site.rendering import inline_json
from resources.table_files import contract_of
from warehouse.canonical import sha256_hex
from warehouse.contracts import TableContract
from warehouse.manifest import Manifest
from warehouse.tables import TABLES

FOLDER = "data"
JSON_LINE: Final = json.JSONEncoder(allow_nan=False, separators=(",", ":"), ensure_ascii=False).encode


def downloads(facts: Facts) -> Iterator[Page | Plain]:
    """Every published table as Parquet, CSV and JSON, and the page that lists them with their hashes."""
    listed = []
    for name in in_order(facts.inputs.tables):
        if not name.startswith("out__"):
            continue
        contract = contract_of(name)
        bodies = {"csv": _csv(facts, contract), "json": _json(facts, contract)}
        path = facts.inputs.parquet.get(name)
        if path is not None:
            bodies = {"parquet": path.read_bytes(), **bodies}
        entry = facts.manifest.tables.get(name)
        listed.append(
            {
                "contract": contract,
                "rows": entry.rows if entry else facts.inputs.tables[name].height,
                "hash": entry.hash if entry else None,
                "files": [
                    {"path": f"{FOLDER}/{name}.{kind}", "kind": kind, "bytes": len(body), "sha256": sha256_hex(body)}
                    for kind, body in bodies.items()
                ],
            }
        )
        for kind, body in bodies.items():
            yield Plain(f"{FOLDER}/{name}.{kind}", body)
    held = facts.manifest.tables
    inner = [(name, held[name]) for name in in_order(held) if not name.startswith("out__")]
    values = {"tables": listed, "inner": inner}
    yield Page("downloads.html", "downloads.html", "Data", values, section="downloads.html")
    contracts = [TABLES[name] for name in TABLES if name in facts.inputs.tables or name == "out__release"]
    yield Page(
        "dictionary.html",
        "dictionary.html",
        "Data dictionary",
        {"contracts": contracts, "held": set(facts.inputs.tables)},
        section="downloads.html",
        found_as="page",
    )


def _former_body(facts: Facts, contract: TableContract, kind: str) -> bytes | None:
    """The table's file as the release before holds it, under the names of this run; None where it has to be made."""
    if facts.former is None or contract.unhashed:
        return None
    former = facts.former.file(f"{FOLDER}/{contract.name}.{kind}", (contract.name,))
    entry = facts.manifest.tables.get(contract.name)
    if former is None or entry is None or not any(name in contract.columns for name in RUN_COLUMNS):
        return former
    if contract.columns[: len(RUN_COLUMNS)] != RUN_COLUMNS:
        return None
    before, now = (NAMED_BY[kind](manifest) for manifest in (facts.former.manifest, facts.manifest))
    # Every row begins with the names; where they stand anywhere else too, nothing is replaced.
    return former.replace(before, now) if former.count(before) == entry.rows else None


def _begins_csv(manifest: Manifest) -> bytes:
    return f'"{manifest.release_id}",{manifest.as_of},'.encode()


def _begins_json(manifest: Manifest) -> bytes:
    return f'["{manifest.release_id}","{manifest.as_of}",'.encode()


NAMED_BY: Final[dict[str, Callable[[Manifest], bytes]]] = {"csv": _begins_csv, "json": _begins_json}
"""How a row begins whose first columns are the names of the run."""


def _csv(facts: Facts, contract: TableContract) -> bytes:
    former = _former_body(facts, contract, "csv")
    return csv_bytes(facts.inputs.tables[contract.name], contract_types(contract)) if former is None else former


def _json(facts: Facts, contract: TableContract) -> bytes:
    """A table as one JSON object: its name, its release, its columns, and its rows as arrays in their order.

    Its first line names the release, the others hold nothing but the rows.
    """
    head = _json_head(contract, facts.manifest.release_id)
    former = _former_body(facts, contract, "json")
    if former is None:
        return head + _json_rows(contract, facts.inputs.tables[contract.name])
    return head + former[former.index(b"\n") + 1 :]


def _json_head(contract: TableContract, release_id: str) -> bytes:
    head: dict[str, Any] = {"table": contract.name, "release_id": release_id, "columns": list(contract.columns)}
    return line_bytes(head).removesuffix(b"}\n") + b',"rows":[\n'


def _json_rows(contract: TableContract, frame: pl.DataFrame) -> bytes:
    dated = [name for name, entry in contract.entries.items() if entry.type in {"date", "timestamp"}]
    ready = frame.select(contract.columns)
    for name in dated:
        ready = ready.with_columns(pl.Series(name, [_json_value(value) for value in ready[name]], pl.String()))
    lines = [JSON_LINE(row) for row in ready.iter_rows()]
    return (",\n".join(lines) + "\n]}\n").encode()


def _json_value(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    return value.isoformat() if isinstance(value, date) else value


def search_index(pages: list[tuple[str, str, str]]) -> Plain:
    """The script that the search reads: (kind, name, page) of everything that can be found."""
    listed = [list(item) for item in pages]
    return Plain("assets/search-index.js", f"window.scoretrailIndex={inline_json(listed)};\n".encode())
