"""`scoretrail sync --dry-run ID`: what a leaderboard's entry would bring in, with nothing kept.

The source is read as a real sync reads it, into a folder that is gone afterwards. Belongs here: carrying that out and
showing it. What the rows come to is `methods.catalog.first_look`.
"""

from __future__ import annotations

import json
import tempfile
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import polars as pl

from methods.catalog.copies import propose_copies
from methods.catalog.first_look import FirstLook, first_look
from methods.catalog.received import receive
from methods.catalog.results import build_results
from pipelines import console, options
from pipelines.run_commands import Request, check_leaderboards, check_mirror
from resources.catalog_files import load_catalog
from resources.connectors import parse
from resources.settings import Settings
from resources.snapshots import SnapshotStore
from resources.sync import SyncOutcome, sync_source
from resources.tables import TableStore
from warehouse.catalog_model import Catalog, SourceSpec
from warehouse.exit_codes import ExitCode, strongest
from warehouse.plain_text import counted

SHOWN = 12


def dry_run_request(asked: Request) -> ExitCode:
    """Carries out `scoretrail sync --dry-run`.

    Raises:
        UsageError: without any leaderboard, or with one that the catalog does not hold.
    """
    if not asked.leaderboards:
        raise options.UsageError("--dry-run looks at single leaderboards: name one or more")
    settings = options.open_settings(asked.home, asked.catalog, asked.sources)
    mirror = check_mirror(asked.mirror)
    catalog = load_catalog(settings.catalog_dir, settings.sources_file).catalog
    check_leaderboards(catalog.source_by_id, asked.leaderboards)
    documents = [_look(catalog.source_by_id[name], settings, catalog, mirror, asked) for name in asked.leaderboards]
    code = strongest([ExitCode.SOURCE if document["rows"] is None else ExitCode.OK for document in documents])
    if asked.as_json:
        console.print_json({"sources": documents, "exit_code": int(code)})
    return code


def _look(
    spec: SourceSpec, settings: Settings, catalog: Catalog, mirror: Path | None, asked: Request
) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="scoretrail-dry-run-") as folder:
        aside = replace(settings, home=Path(folder), allow_roots=(*settings.allow_roots, settings.home))
        store = SnapshotStore(aside.home)
        # A source too small for its own min_rows is just what a dry run is there to show.
        outcome = sync_source(
            spec.model_copy(update={"min_rows": 1}), aside, store, datetime.now(UTC), mirror=mirror,
            offline=asked.offline,
        )  # fmt: skip
        kept = outcome.snapshot
        found = None if kept is None else parse(spec.at(kept.synced_at.date()), store.files(kept)).rows
    document: dict[str, Any] = {"leaderboard": spec.id, "status": outcome.status, "message": outcome.message}
    if found is None:
        if not asked.as_json:
            console.stdout().print(f"{spec.id}: {outcome.status}: {outcome.message}", markup=False)
        return document | {"rows": None}
    raw_rows = receive(spec.id, "0" * 64, found)
    look = first_look(raw_rows, catalog)
    copies = _copies(raw_rows, settings, catalog)
    if not asked.as_json:
        _show(spec, outcome, look, copies)
    return document | asdict(look) | {"proposed_copies": copies.rows(named=True), "min_rows": spec.min_rows}


def _copies(raw_rows: pl.DataFrame, settings: Settings, catalog: Catalog) -> pl.DataFrame:
    """Proposed copies between these rows and the results of the home's last day, if it holds any."""
    mine = build_results(raw_rows, catalog)
    tables = TableStore(settings.home)
    days = tables.days("core__result") if settings.home.is_dir() else []
    if days:
        board = mine["leaderboard"].first()
        mine = pl.concat([mine, tables.read("core__result", max(days)).filter(pl.col("leaderboard") != board)])
    return propose_copies(mine)


def _show(spec: SourceSpec, outcome: SyncOutcome, look: FirstLook, copies: pl.DataFrame) -> None:
    out = console.stdout()
    short = "" if look.results >= spec.min_rows else f" (fewer than min_rows {spec.min_rows}: a real sync would refuse)"
    out.print(f"{spec.id}: {look.rows} rows, {look.results} results{short}; nothing was kept", markup=False)
    out.print(console.table("First results", _RESULT_COLUMNS, [_result(record) for record in look.first]))
    rows = [(f"{one.rows:,}", one.reason, one.example) for one in look.quarantined[:SHOWN]]
    total = sum(one.rows for one in look.quarantined)
    title = _title(f"Quarantined: {counted(total, 'row')}, reasons", look.quarantined)
    out.print(console.table(title, _columns("rows|why|first of them"), rows))
    rows = [(f"{count:,}", metric, "") for metric, count in look.metrics.items()]
    out.print(
        console.table("Metrics of the catalog that these rows serve", _columns("rows|metric"), [r[:2] for r in rows])
    )
    out.print(console.table(
        _title("Metrics that the catalog does not know", look.unknown_metrics),
        _columns("rows|benchmark|version|subset|metric|unit|from|to"),
        [
            (f"{one.rows:,}", one.benchmark, one.benchmark_version or "—", one.subset or "—", one.metric, one.unit,
             console.number(one.lowest, 3), console.number(one.highest, 3))
            for one in look.unknown_metrics[:SHOWN]
        ],
    ))  # fmt: skip
    if look.other_protocols:
        others = [
            (f"{one.rows:,}", one.benchmark, one.metric, ", ".join(one.metric_ids)) for one in look.other_protocols
        ]
        title = _title("Known metrics under a protocol that no entry asks for: they count for none", others)
        out.print(console.table(title, _columns("rows|benchmark|metric|known as"), others[:SHOWN]))
    if look.unknown_metrics:
        out.print("To edit into metrics.yaml (read what the publisher states first):\n", markup=False)
        for one in look.unknown_metrics[:SHOWN]:
            out.print(one.stanza, markup=False, soft_wrap=True)
    rows = [(f"{one.rows:,}", one.name, one.why) for one in look.unknown_models[:SHOWN]]
    title = f"Names that the registry does not know: {len(look.unknown_models)} of {look.models}"
    out.print(console.table(title, _columns("rows|name|why"), rows))
    if copies.height:
        shown = ("leaderboard", "other_leaderboard", "model", "benchmark", "value", "link")
        pairs = [tuple(map(str, row)) for row in copies.head(SHOWN).select(shown).rows()]
        title = _title("Same value, same link: is one a copy? Then say so in copied_from", copies.rows())
        out.print(console.table(title, _columns("board|other board|model|benchmark|value|link"), pairs))
    out.print(f"{outcome.status}: {outcome.message}", markup=False)


_RESULT_COLUMNS = [(name, "left") for name in ("row", "benchmark", "version", "subset", "metric", "unit")] + [
    ("value", "right"), ("model", "left"), ("protocol", "left"),
]  # fmt: skip


def _result(record: dict[str, Any]) -> tuple[str, ...]:
    texts = [
        str(record.get(name) or "—") for name in ("row", "benchmark", "benchmark_version", "subset", "metric", "unit")
    ]
    protocol = record.get("protocol")
    said = json.dumps(protocol, ensure_ascii=False)[:160] if protocol else "—"
    value, model = record.get("value"), record.get("model")
    return (*texts, "—" if value is None else str(value), "—" if model is None else str(model), said)


def _title(title: str, items: Any) -> str:
    return f"{title}: {len(items)}" + (f", the first {SHOWN}" if len(items) > SHOWN else "")


def _columns(names: str) -> list[tuple[str, str]]:
    numbers = {"rows", "from", "to", "value"}
    return [(name, "right" if name in numbers else "left") for name in names.split("|")]
