"""What assets and checks tell Dagster: small, strict, literal, and enough for an auditor."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import dagster as dg
import polars as pl
import pytest
from small_homes import DAY, SmallWorld, build_world

from assets.descriptions import column_schema, lineage_table, spec_fields
from assets.recording import EXAMPLES, counts
from assets.sources import _result, source_assets, source_key
from checks.asset_checks import asset_check_result
from methods.catalog.released_tables import released_tables, tables_not_asked_for
from pipelines.graph import build_defs
from pipelines.jobs import NIGHTLY
from pipelines.running import QUIET
from resources.catalog_files import load_catalog
from resources.settings import Settings
from resources.sync import SyncOutcome
from resources.workspace import SyncOptions, Workspace
from warehouse.catalog_model import GateSpec
from warehouse.tables import TABLES
from warehouse.verdicts import GateResult


@pytest.fixture(scope="module")
def day(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[SmallWorld, dg.ExecuteInProcessResult, Workspace]]:
    """One night of the small world, with its events."""
    world = build_world(tmp_path_factory.mktemp("assets") / "world")
    settings = Settings.from_env(home=world.home, catalog_dir=world.catalog)
    workspace = Workspace.open(settings, sync=SyncOptions(as_of=DAY))
    job = build_defs(workspace.catalog, workspace).resolve_job_def(NIGHTLY)
    with dg.DagsterInstance.ephemeral() as instance:
        result = job.execute_in_process(instance=instance, partition_key=DAY.isoformat(), run_config=QUIET)
        yield world, result, workspace


def materializations(result: dg.ExecuteInProcessResult) -> dict[str, dg.AssetMaterialization]:
    found = {}
    for event in result.get_asset_materialization_events():
        assert event.asset_key is not None
        found[event.asset_key.to_user_string()] = event.materialization
    return found


def numbers(value: object) -> Iterator[float]:
    if isinstance(value, float):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from numbers(inner)
    elif type(value) in {list, tuple}:
        for inner in value:  # type: ignore[attr-defined]
            yield from numbers(inner)


def test_every_table_reports_rows_hash_and_inputs(
    day: tuple[SmallWorld, dg.ExecuteInProcessResult, Workspace],
) -> None:
    world, result, workspace = day
    found = materializations(result)
    made = released_tables(workspace.catalog)
    assert {*made, "out__release"} <= set(found)
    assert set(found).isdisjoint(tables_not_asked_for(workspace.catalog))
    for table in made:
        metadata = found[table].metadata
        stamp = workspace.tables.stamp(table, DAY)
        assert metadata["dagster/row_count"].value == stamp.rows == workspace.frame(table, DAY).height
        assert metadata["table hash"].value == stamp.table_hash
        assert metadata["input hashes"].value == dict(stamp.inputs)
        assert (world.home / str(metadata["file"].value)).is_file()
        assert not Path(str(metadata["file"].value)).is_absolute()
        assert found[table].partition == DAY.isoformat()


def test_metadata_is_small_and_holds_no_nan(day: tuple[SmallWorld, dg.ExecuteInProcessResult, Workspace]) -> None:
    """B11, B13: strict JSON, and no asset or check brings more than a page."""
    _, result, _ = day
    for name, found in materializations(result).items():
        values = [getattr(value, "value", None) for value in found.metadata.values()]
        assert all(math.isfinite(number) for number in numbers(values)), name
        assert sum(len(str(value)) for value in values) < 30_000, name
    for check in result.get_asset_check_evaluations():
        values = {label: value.value for label, value in check.metadata.items()}
        json.dumps(values, allow_nan=False)
        assert len(check.description or "") < 4000
        assert values.get("as_of", DAY.isoformat()) == DAY.isoformat()


@pytest.mark.parametrize("figure", [math.nan, math.inf, None, 0.5])
def test_a_check_never_shows_nan(figure: float | None) -> None:
    """B11: a figure that is no number is shown as none."""
    gate = GateSpec.model_validate({"id": "x", "product": "scores", "table": "core__result"})
    result = GateResult("pass", figure if figure is None or math.isfinite(figure) else None, None, 1, 0, "fine")
    shown = asset_check_result(gate, result, DAY).metadata
    json.dumps({label: value.value for label, value in shown.items()}, allow_nan=False)


def test_counts_are_short_whatever_the_table_holds() -> None:
    frame = pl.DataFrame({"word": [f"w{n % 500}" for n in range(5000)] + [None]})
    text = counts(frame, "word").value
    assert text is not None
    assert len(text.splitlines()) == EXAMPLES + 2
    assert counts(frame.clear(), "word").value == "| word | rows |\n|---|---:|"


@pytest.mark.parametrize("table", sorted(TABLES))
def test_every_contract_can_be_shown(table: str) -> None:
    """Any table that becomes an asset brings description, schema and lineage without a line of its own."""
    if TABLES[table].layer not in {"raw", "core", "out"}:
        pytest.fail(f"{table} belongs to no layer")
    fields = spec_fields(table)
    assert TABLES[table].grain in fields["description"]
    assert [column.name for column in column_schema(table).columns] == list(TABLES[table].columns)
    lines = str(lineage_table(table).value).splitlines()
    assert len(lines) == len(TABLES[table].columns) + 2
    assert all(line.count(" | ") == 2 for line in lines[2:])


def test_two_leaderboards_may_not_share_an_asset_key(tmp_path: Path) -> None:
    world = build_world(tmp_path / "world")
    assert source_key("a-b.c") == source_key("a.b-c") == dg.AssetKey(["source", "a_b_c"])
    for name in ("a-b.c", "a.b-c"):
        world.entries[name] = world.entries["alpha"] | {"id": name}
    world.write_sources()
    ran = world.run()
    assert ran.code == 2, ran.said
    assert "would share one asset key" in ran.json["error"]


def test_what_the_ui_shows_as_text_is_no_markdown(tmp_path: Path) -> None:
    """Text entries are shown sign by sign, escapes too; a description is Markdown."""
    source = load_catalog(build_world(tmp_path / "world").catalog).catalog.sources[0]
    source = source.model_copy(update={"license": "CC-BY-4.0 (site)", "title": "A *board*"})
    (definition,) = source_assets((source,))
    (spec,) = definition.specs
    assert spec.metadata["licence"] == "CC-BY-4.0 (site)"
    assert str(spec.description).startswith("A \\*board\\*: ")
    result = _result(source, SyncOutcome(source.id, "unchanged", "not modified (304)\x1b[2J", None))
    assert result.metadata is not None and result.metadata["message"] == "not modified (304)\\x1b[2J"
    (check,) = result.check_results or ()
    assert check.metadata["message"].value == "not modified (304)\\x1b[2J"


def test_a_rewritten_day_touches_no_other_day(day: tuple[SmallWorld, dg.ExecuteInProcessResult, Workspace]) -> None:
    """B21: a day written again with a wrong type is an error, and every other day stays byte for byte."""
    _, _, workspace = day
    frame = workspace.frame("core__result", DAY)
    others = [DAY + timedelta(days=n) for n in range(1, 4)]
    for other in others:
        workspace.tables.write("core__result", other, frame, inputs={}, catalog_sha256="0" * 64,
                               methodology_version="3.0", code_version="0" * 64)  # fmt: skip
    before = {other: workspace.tables.path("core__result", other).read_bytes() for other in (DAY, *others)}
    with pytest.raises(ValueError, match="value"):
        workspace.save("core__result", DAY, frame.with_columns(value=pl.lit("77.47%")))
    assert {other: workspace.tables.path("core__result", other).read_bytes() for other in before} == before
