"""Steps beside the board: tables whose gates never stop it, written and judged in one step.

Belongs here: the shape of such a step. The checks stand in the assets themselves and do not block; where a step of
ours crashes, its tables are written empty, their gates say `error`, and the run ends as a bug all the same.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import dagster as dg
import polars as pl

from assets.descriptions import table_keys, table_spec
from assets.gates import judge
from assets.recording import as_of, counts, record
from checks.asset_checks import asset_check_result, check_description, check_name, further_tables
from resources.former_day import DayTable
from resources.workspace import StepProblem, Workspace
from warehouse.catalog_model import GateSpec
from warehouse.hashing import table_hash
from warehouse.tables import TABLES
from warehouse.vocabulary import BOARD_PRODUCT

Frames = dict[str, pl.DataFrame]


@dataclass(frozen=True)
class Built:
    """What a step made.

    Attributes:
        frames: the tables by name; one left out is written empty.
        crashes: the exception of each study that crashed by itself, by its id: its gates say `error`, no other's.
        taken: the tables by name where they were all taken over from the release before; none where they were made.
    """

    frames: Frames = field(default_factory=dict)
    crashes: Mapping[str, Exception] = field(default_factory=dict)
    taken: Mapping[str, DayTable] = field(default_factory=dict)


Build = Callable[[dg.AssetExecutionContext, Workspace], Frames | Built]


def beside_the_board(
    name: str,
    tables: tuple[str, ...],
    build: Build,
    gates: tuple[GateSpec, ...],
    days: dg.PartitionsDefinition,
    counted: Mapping[str, str] | None = None,
) -> dg.AssetsDefinition:
    """A step that writes some tables and then judges their gates, whatever comes of it.

    Args:
        name: the step's name.
        tables: what it writes.
        build: makes them.
        gates: the catalog's; those that stand at one of the tables are judged here.
        days: the daily partitions.
        counted: by table, the column whose words the Dagster UI counts.
    """
    own = [gate for gate in gates if gate.product != BOARD_PRODUCT and gate.table in tables]
    shown_columns = counted or {}

    @dg.multi_asset(
        name=name,
        specs=[table_spec(table, _upstream(table), days) for table in tables],
        check_specs=[_check(gate) for gate in own],
        can_subset=True,
    )
    def step(
        context: dg.AssetExecutionContext, workspace: dg.ResourceParam[Workspace]
    ) -> Iterator[dg.MaterializeResult[Any] | dg.AssetCheckResult]:
        with workspace.step(name):
            chosen, asked = context.selected_asset_keys, context.selected_asset_check_keys
            built, crash = _built(name, tables, build, context, workspace) if chosen else (Built(), None)
            for table in tables:
                made = None
                if dg.AssetKey(table) in chosen:
                    day_table = built.taken.get(table) or DayTable(built.frames.get(table, TABLES[table].empty()))
                    more = (
                        {f"by {shown_columns[table]}": counts(day_table.frame, shown_columns[table])}
                        if table in shown_columns
                        else None
                    )
                    made = record(context, workspace, table, day_table, more=more)
                elif not any(check.asset_key == dg.AssetKey(table) for check in asked):
                    continue
                judged = [
                    _judged(context, workspace, gate, crash or built.crashes.get(gate.study or ""))
                    for gate in own
                    if gate.table == table
                ]
                shown = [result for result in judged if _key(result) in asked]
                if made is None:
                    yield from shown
                else:
                    yield made._replace(check_results=shown)

    return step


def _key(result: dg.AssetCheckResult) -> dg.AssetCheckKey:
    assert result.asset_key is not None and result.check_name is not None
    return dg.AssetCheckKey(result.asset_key, result.check_name)


def _upstream(table: str) -> list[dg.AssetKey]:
    """What a table waits for: its inputs, and the day's snapshots, which the release id in its stamp rests on."""
    return table_keys(table) or [dg.AssetKey("raw__snapshot")]


def _built(
    name: str, tables: tuple[str, ...], build: Build, context: dg.AssetExecutionContext, workspace: Workspace
) -> tuple[Built, Exception | None]:
    """The step's tables; none, and the exception, where it crashed: shown and counted as a bug, the board goes on."""
    try:
        made = _taken_over(tables, workspace, as_of(context)) or build(context, workspace)
    except Exception as error:  # noqa: BLE001 - kept in the workspace's problems
        workspace.problems.append(StepProblem(name, error))
        return Built(), error
    return made if isinstance(made, Built) else Built(made), None


def _taken_over(tables: tuple[str, ...], workspace: Workspace, day: date) -> Built | None:
    """All tables of the step from the release before, where nothing they rest on differs and the step did not crash."""
    former = workspace.former_day(day)
    if former is None or not former.judged_soundly(tables):
        return None
    taken: dict[str, DayTable] = {}
    for table in tables:
        unsaved = {name: one.table_hash or table_hash(one.frame, TABLES[name]) for name, one in taken.items()}
        made = workspace.taken_over(table, day, unsaved)
        if made is None:
            return None
        taken[table] = made
    return Built(taken=taken)


def _check(gate: GateSpec) -> dg.AssetCheckSpec:
    return dg.AssetCheckSpec(
        check_name(gate.id),
        asset=dg.AssetKey(gate.table),
        description=check_description(gate),
        additional_deps=further_tables(gate),
        blocking=False,
    )


def _judged(
    context: dg.AssetExecutionContext, workspace: Workspace, gate: GateSpec, crash: Exception | None
) -> dg.AssetCheckResult:
    result = judge(workspace, as_of(context), gate, crash)
    workspace.progress(f"gate {gate.id}: {result.verdict}")
    return asset_check_result(gate, result, as_of(context))
