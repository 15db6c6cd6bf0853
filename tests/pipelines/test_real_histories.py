"""The histories of the real boards: a release for every date that they hold, out of the catalog as it is shipped.

Skips where the files are not at ../shared. Every version is read; some dates are judged by the gates that compare with
the date before, on tables made by the rules themselves; the command makes a few of them whole, and one of them again.
With SCORETRAIL_HISTORIES=all every date is judged, and made whole with every gate, which takes a quarter of an hour.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from datetime import UTC, date, datetime
from pathlib import Path

import polars as pl
import pytest
import yaml
from small_homes import call, quiet_process

from checks.gates import GateInputs, evaluate, tables_of
from methods.catalog.received import receive
from methods.catalog.results import build_results
from methods.lineage.baseline import BaselineFigures, baseline_figures
from methods.scoring.board import build_board
from methods.scoring.evidence import build_evidence
from resources.catalog_files import load_catalog
from resources.connectors import parse
from resources.histories import folder_versions
from resources.settings import Settings
from warehouse.catalog_model import Catalog
from warehouse.tables import RAW_ROW, TABLES
from warehouse.verdicts import GateResult

WHOLE = os.environ.get("SCORETRAIL_HISTORIES") == "all"
NOW = datetime(2026, 10, 20, tzinfo=UTC)
REPLACED = date(2025, 8, 28)
"""When the fourth edition of BFCL is first seen."""
CHOSEN = {date(2025, 2, 28), date(2025, 3, 24), date(2025, 8, 20), REPLACED, date(2025, 12, 24)}
"""Dates that are compared where not all are: further apart, they differ more."""


Tables = dict[str, pl.DataFrame]
Boards = dict[date, dict[str, pl.DataFrame]]


def tables_of_day(boards: Boards, day: date, catalog: Catalog) -> Tables:
    """The tables of a date that gates compare: each board as it was known by then."""
    known: dict[str, tuple[date, pl.DataFrame]] = {}
    for at in sorted(at for at in boards if at <= day):
        known |= {board: (at, rows) for board, rows in boards[at].items()}
    schema = TABLES["raw__snapshot"].polars_schema()
    snapshots = [
        {
            "leaderboard": board,
            "sha256": rows["snapshot_sha256"][0],
            "synced_at": datetime(at.year, at.month, at.day, 23, tzinfo=UTC),
        }
        for board, (at, rows) in sorted(known.items())
    ]
    raw = RAW_ROW.conform(pl.concat([rows for _, rows in known.values()]))
    results = build_results(raw, catalog)
    evidence, exclusions = build_evidence(raw, results, catalog)
    board = build_board(evidence, catalog, release_id=f"{day}-0123456789ab", as_of=day)
    return {
        "raw__snapshot": pl.DataFrame(snapshots, schema={n: t for n, t in schema.items() if n in snapshots[0]}),
        "core__result": results,
        "core__evidence": evidence,
        "core__exclusion": exclusions,
        "out__category_score": board.category_scores,
    }


def judged(days: Mapping[date, Tables], catalog: Catalog) -> dict[date, dict[str, GateResult]]:
    """The verdicts of the blocking gates that compare a date with the one before, at every date but the first."""
    found: dict[date, dict[str, GateResult]] = {}
    former: BaselineFigures | None = None
    for day, tables in sorted(days.items()):
        inputs = GateInputs(tables, catalog, former, NOW, day)
        if former is not None:
            found[day] = {
                gate.id: evaluate(gate, inputs)
                for gate in catalog.gates
                if gate.baseline and gate.severity == "blocking" and set(tables_of(gate)) <= tables.keys()
            }
        results, evidence, scores = (tables[n] for n in ("core__result", "core__evidence", "out__category_score"))
        former = baseline_figures(results, evidence, scores, f"{day}-0123456789ab", tables["raw__snapshot"])
    return found


@pytest.fixture(scope="module")
def catalog(repository: Path) -> Catalog:
    return load_catalog(repository / "warehouse" / "catalog", None).catalog


@pytest.fixture(scope="module")
def days(catalog: Catalog, upstream_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[date, Tables]:
    settings = Settings.from_env(home=tmp_path_factory.mktemp("home"))
    boards: Boards = {}
    for source in catalog.sources:
        for version in folder_versions(source, upstream_dir.resolve()):
            read = version.read(settings, 512_000_000)
            assert read is not None
            received = parse(source.at(version.day), read.files)
            digest = f"{version.day:%Y%m%d}".ljust(64, "0")
            boards.setdefault(version.day, {})[source.id] = receive(source.id, digest, received.rows)
    assert len(boards) == 17
    chosen = set(boards) if WHOLE else CHOSEN
    return {day: tables_of_day(boards, day, catalog) for day in chosen}


def said_no(verdicts: dict[date, dict[str, GateResult]]) -> set[tuple[date, str]]:
    return {(day, gate) for day, of in verdicts.items() for gate, verdict in of.items() if verdict.verdict != "pass"}


def test_no_date_of_the_histories_is_blocked(days: dict[date, Tables], catalog: Catalog) -> None:
    verdicts = judged(days, catalog)
    assert len(verdicts) == len(days) - 1
    assert all({"rows-lost", "models-disappeared", "value-jump"} <= of.keys() for of in verdicts.values())
    assert said_no(verdicts) == set()
    assert "bfcl V3 -> V4" in verdicts[REPLACED]["models-disappeared"].detail


def test_without_its_edition_the_date_of_a_replaced_board_is_blocked(
    days: dict[date, Tables], catalog: Catalog
) -> None:
    fields = {name: getattr(catalog, name) for name in Catalog.model_fields}
    sources = tuple(s.model_copy(update={"edition": "V3" if s.id == "bfcl" else s.edition}) for s in catalog.sources)
    blocked = said_no(judged(days, Catalog(**(fields | {"sources": sources}))))
    assert (REPLACED, "models-disappeared") in blocked
    assert {day for day, _ in blocked} == {REPLACED}


def test_the_command_makes_dates_whole_and_one_of_them_again(
    repository: Path, upstream_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quiet_process(monkeypatch)
    catalog = tmp_path / "catalog"
    shutil.copytree(repository / "warehouse" / "catalog", catalog)
    if not WHOLE:
        # One board, and the gates that compare: its edition ends between the second date and the third.
        for name, keep in (("sources", {"bfcl"}), ("gates", {"rows-lost", "board-models-gone", "models-disappeared"})):
            entries = yaml.safe_load((catalog / f"{name}.yaml").read_text(encoding="utf-8"))[name]
            text = yaml.safe_dump({name: [entry for entry in entries if entry["id"] in keep]}, sort_keys=False)
            (catalog / f"{name}.yaml").write_text(text, encoding="utf-8")
    at = ("--home", tmp_path / "home", "--catalog", catalog, "--json")
    ran = call("backfill", "--from", upstream_dir, *at)
    assert ran.code == 0, ran.said[-3000:]
    days = ran.json["days"]
    assert len(days) == (17 if WHOLE else 3)
    assert all(day["release_id"] for day in days)
    assert days[-1 if not WHOLE else 13]["day"] == str(REPLACED)
    assert call("verify", days[-1]["release_id"], "--home", tmp_path / "home").code == 0
    assert call("backfill", "--from", upstream_dir, "--since", str(REPLACED), *at).json["days"] == [
        day for day in days if day["day"] >= str(REPLACED)
    ]
