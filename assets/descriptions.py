"""What the Dagster UI shows about a table: description, owners, kinds, schema, and column lineage as a table too.

Belongs here: presentation of contracts. Does not belong here: any figure of a run (`assets.recording`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import dagster as dg

from warehouse.column_lineage import column_lineage
from warehouse.columns import Column
from warehouse.tables import INPUTS, TABLES

OWNERS = ["team:scores"]
GROUPS = {"raw": "2_raw", "core": "3_core", "out": "4_out"}
SYNC_GROUP = "1_sync"
KINDS = {"raw": {"polars", "parquet"}, "core": {"polars", "parquet"}, "out": {"polars", "parquet"}}


def table_asset(
    table: str, days: dg.PartitionsDefinition, deps: list[dg.AssetKey] | None = None
) -> Callable[[Callable[..., Any]], dg.AssetsDefinition]:
    """The decorator that makes a table's asset: its key, partitions, upstream tables and what the UI shows.

    Args:
        table: name of the table.
        days: the daily partitions.
        deps: upstream assets, where they are not just the tables it is computed from.
    """
    upstream = table_keys(table) if deps is None else deps
    decorator: Callable[[Callable[..., Any]], dg.AssetsDefinition] = dg.asset(
        key=dg.AssetKey(table), deps=upstream, partitions_def=days, **spec_fields(table)
    )
    return decorator


def table_spec(table: str, deps: list[dg.AssetKey], days: dg.PartitionsDefinition) -> dg.AssetSpec:
    """The asset specification of a table, derived from its contract."""
    return dg.AssetSpec(table, deps=deps, partitions_def=days, **spec_fields(table))


def spec_fields(table: str) -> dict[str, Any]:
    """Description, owners, kinds, group, tags and static metadata of a table's asset."""
    contract = TABLES[table]
    return {
        "description": f"{contract.grain}\n\nKey: {', '.join(contract.key)}.",
        "owners": OWNERS,
        "kinds": {"duckdb", "parquet"} if table == "out__release" else KINDS[contract.layer],
        "group_name": GROUPS[contract.layer],
        "metadata": {"dagster/column_schema": column_schema(table), "column lineage": lineage_table(table)},
    }


def table_keys(table: str) -> list[dg.AssetKey]:
    """The asset keys of the tables a table is computed from."""
    return [dg.AssetKey(name) for name in INPUTS[table]]


def column_schema(table: str) -> dg.TableSchema:
    """The table's columns with types, meanings and units, for the UI."""
    contract = TABLES[table]
    return dg.TableSchema(
        columns=[
            dg.TableColumn(
                name=name,
                type=entry.type,
                description=_column_description(entry),
                constraints=dg.TableColumnConstraints(nullable=name in contract.nullable),
            )
            for name, entry in contract.entries.items()
        ]
    )


def _column_description(entry: Column) -> str:
    unit = f" Unit: {entry.unit}." if entry.unit else ""
    return f"{entry.meaning}{unit} Computed by {entry.computed_by}."


def dagster_lineage(table: str) -> dg.TableColumnLineage:
    """Column lineage in Dagster's own form, for tools that draw it."""
    return dg.TableColumnLineage(
        deps_by_column={
            name: [
                dg.TableColumnDep(asset_key=dg.AssetKey(upstream), column_name=column) for upstream, column in sources
            ]
            for name, sources in column_lineage(table).items()
        }
    )


def lineage_table(table: str) -> dg.MarkdownMetadataValue:
    """Column lineage as a Markdown table: the open-source UI does not draw the other form."""
    lines = ["| column | made of | computed by |", "|---|---|---|"]
    contract = TABLES[table]
    for name, sources in column_lineage(table).items():
        made_of = ", ".join(f"`{upstream}.{column}`" for upstream, column in sources) or "the run"
        lines.append(f"| `{name}` | {made_of} | `{contract.entries[name].computed_by}` |")
    return dg.MetadataValue.md("\n".join(lines))
