"""A gate's asset check: reads what the gate names, lets it judge, keeps the verdict bound to what was judged.

Belongs here: reading, persisting, and Dagster's view of a verdict. Does not belong here: any figure or limit
(`checks`).
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date

import dagster as dg
import polars as pl

from checks.asset_checks import asset_check_result, check_description, check_name, further_tables
from checks.gates import GateInputs, crashed, evaluate, tables_of
from checks.suites import SUITE_PREFIX
from methods.release.publication import expected_verdict_key
from resources.former_day import JUDGED_BY
from resources.workspace import Workspace
from warehouse.catalog_model import GateSpec
from warehouse.verdicts import GateResult, StoredVerdict
from warehouse.vocabulary import BOARD_PRODUCT


class DayTables(Mapping[str, pl.DataFrame]):
    """The tables of a day that a gate may read, loaded when asked for."""

    def __init__(self, workspace: Workspace, day: date, names: tuple[str, ...]) -> None:
        self._workspace, self._day, self._names = workspace, day, names

    def __getitem__(self, name: str) -> pl.DataFrame:
        if name not in self._names:
            raise KeyError(f"the gate does not declare that it reads {name}")
        return self._workspace.frame(name, self._day)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def gate_checks(gates: tuple[GateSpec, ...]) -> list[dg.AssetChecksDefinition]:
    """The asset checks of every gate of the board, one step a table; gates of studies belong to their studies."""
    by_table: dict[str, list[GateSpec]] = {}
    for gate in gates:
        if gate.product == BOARD_PRODUCT:
            by_table.setdefault(gate.table, []).append(gate)
    return [_table_checks(table, found) for table, found in by_table.items()]


def judge(workspace: Workspace, day: date, gate: GateSpec, crash: Exception | None = None) -> GateResult:
    """Evaluates a gate on the tables of a day and keeps its verdict.

    Args:
        workspace, day, gate: what is judged.
        crash: what the step ended with that should have made the table: then the verdict is `error`.
    """
    tables = tables_of(gate)
    inputs = GateInputs(
        frames=DayTables(workspace, day, tables),
        catalog=workspace.catalog,
        baseline=workspace.baseline(day),
        decided_at=workspace.decided_at,
        as_of=day,
    )
    if crash is not None:
        result = crashed(gate, crash)
    else:
        result = _taken_over(workspace, day, gate) or _signed(workspace, evaluate(gate, inputs))
    hashes = {name: workspace.tables.stamp(name, day).table_hash for name in tables}
    baseline = workspace.baseline_release_id(day)
    workspace.verdicts.put(
        day,
        StoredVerdict(
            gate=gate.id,
            product=gate.product,
            table=gate.table,
            severity=gate.severity,
            result=result,
            verdict_key=expected_verdict_key(gate, hashes, workspace.catalog.sha256, baseline),
            decided_at=workspace.decided_at,
            catalog_sha256=workspace.catalog.sha256,
            baseline_release_id=baseline,
            inputs=hashes,
        ),
    )
    return result


def _taken_over(workspace: Workspace, day: date, gate: GateSpec) -> GateResult | None:
    """The former verdict of a suite that passed on the very rows of today; None where it has to be judged.

    A suite looks at one table and nothing else. The other gates look at baseline and clock as well, and cost little.
    """
    former = workspace.former_day(day)
    if former is None or gate.study is not None or not gate.judged_as.startswith(SUITE_PREFIX):
        return None
    result = former.passed(gate)
    if result is None:
        return None
    if former.holds_same_values(gate.table, workspace.tables.stamp(gate.table, day).table_hash):
        return result
    frame, release_id = workspace.frame(gate.table, day), workspace.release_id(day)
    return result if former.holds_same_rows(gate.table, frame, release_id, day) else None


def _signed(workspace: Workspace, result: GateResult) -> GateResult:
    """The result with the code that judged in its record, so that no other code takes it over."""
    if result.validation is None:
        return result
    return replace(result, validation={**result.validation, JUDGED_BY: workspace.code_version})


def _table_checks(table: str, gates: list[GateSpec]) -> dg.AssetChecksDefinition:
    """Every check is blocking in Dagster, which fixes the order; a warning gate's result is WARN and stops nothing.

    All gates of the table are judged before a blocking one stops what comes after, and each can be run by itself.
    """
    asset = dg.AssetKey(table)

    @dg.multi_asset_check(
        name=f"gates_of_{table}",
        specs=[
            dg.AssetCheckSpec(
                check_name(gate.id),
                asset=asset,
                blocking=True,
                description=check_description(gate),
                additional_deps=further_tables(gate),
            )
            for gate in gates
        ],
        can_subset=True,
    )
    def check(
        context: dg.AssetCheckExecutionContext, workspace: dg.ResourceParam[Workspace]
    ) -> Iterator[dg.AssetCheckResult]:
        day = _day(context, workspace, table)
        chosen = {key.name for key in context.selected_asset_check_keys}
        for gate in gates:
            if check_name(gate.id) in chosen:
                with workspace.step(f"gate {gate.id}"):
                    result = judge(workspace, day, gate)
                workspace.progress(f"gate {gate.id}: {result.verdict}")
                yield asset_check_result(gate, result, day)

    return check


def _day(context: dg.AssetCheckExecutionContext, workspace: Workspace, table: str) -> date:
    """The run's partition; a check run by itself, without one, judges the newest day there is."""
    partition = context.run.tags.get("dagster/partition")
    if partition:
        return date.fromisoformat(partition)
    days = workspace.tables.days(table)
    if not days:
        raise dg.Failure(f"{table} has never been materialized: there is nothing to judge", allow_retries=False)
    return max(days)
