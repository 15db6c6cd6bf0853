"""Data for other programs: downloads of the published tables, and the dictionary of every column."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime
from typing import Any

import polars as pl

from resources.atomic_files import line_bytes
from resources.guarded_csv import contract_types, csv_bytes
from resources.site.facts import Facts
from resources.site.inputs import in_order
from resources.site.page import Page, Plain
from resources.site.rendering import inline_json
from resources.tables import contract_of
from warehouse.canonical import sha256_hex
from warehouse.contracts import TableContract
from warehouse.tables import TABLES

FOLDER = "data"


def downloads(facts: Facts) -> Iterator[Page | Plain]:
    """Every published table as Parquet, CSV and JSON, and the page that lists them with their hashes."""
    listed = []
    for name in in_order(facts.inputs.tables):
        frame = facts.inputs.tables[name]
        if not name.startswith("out__"):
            continue
        contract = contract_of(name)
        bodies = {
            "csv": csv_bytes(frame, contract_types(contract)),
            "json": table_json(contract, frame, facts.manifest.release_id),
        }
        path = facts.inputs.parquet.get(name)
        if path is not None:
            bodies = {"parquet": path.read_bytes(), **bodies}
        entry = facts.manifest.tables.get(name)
        listed.append(
            {
                "contract": contract,
                "rows": frame.height,
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


def table_json(contract: TableContract, frame: pl.DataFrame, release_id: str) -> bytes:
    """A table as one JSON object: its name, its release, its columns, and its rows as arrays in their order."""
    rows = [[_json_value(value) for value in row] for row in frame.select(contract.columns).iter_rows()]
    head: dict[str, Any] = {"table": contract.name, "release_id": release_id, "columns": list(contract.columns)}
    lines = ",\n".join(line_bytes(row).decode().removesuffix("\n") for row in rows)
    return (line_bytes(head).decode().removesuffix("}\n") + f',"rows":[\n{lines}\n]}}\n').encode()


def _json_value(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    return value.isoformat() if isinstance(value, date) else value


def search_index(pages: list[tuple[str, str, str]]) -> Plain:
    """The script that the search reads: (kind, name, page) of everything that can be found."""
    listed = [list(item) for item in pages]
    return Plain("assets/search-index.js", f"window.scoretrailIndex={inline_json(listed)};\n".encode())
