"""The contracts and the column dictionary agree both ways, and a contract refuses what breaks it."""

from __future__ import annotations

import importlib

import duckdb
import polars as pl
import pytest

from warehouse.columns import column, dictionary
from warehouse.contracts import ContractError, TableContract
from warehouse.data_dictionary import data_dictionary
from warehouse.tables import INPUTS, OUT_PRODUCT, RELEASED, TABLES


def resolve(reference: str) -> object:
    module, _, name = reference.partition(":")
    return getattr(importlib.import_module(module), name)


def test_no_table_that_others_are_made_from_is_keyed_by_a_float() -> None:
    """D19: engines do not agree on whether NaN meets NaN; only tables that end a journey count by a number."""
    used = {name for inputs in INPUTS.values() for name in inputs}
    keys = [
        (name, key) for name in sorted(used) for key in TABLES[name].key if TABLES[name].polars_schema()[key].is_float()
    ]
    assert used and keys == []


def test_every_column_has_an_entry_and_every_entry_a_column() -> None:
    used = {
        f"{contract.name}.{name}" if f"{contract.name}.{name}" in dictionary() else name
        for contract in TABLES.values()
        for name in contract.columns
    }
    assert used == set(dictionary())


@pytest.mark.parametrize("reference", sorted({entry.computed_by for entry in dictionary().values()}))
def test_computed_by_leads_to_a_documented_function(reference: str) -> None:
    found = resolve(reference)
    assert callable(found)
    assert found.__doc__


@pytest.mark.parametrize("contract", TABLES.values(), ids=lambda contract: contract.name)
def test_contract_is_coherent(contract: TableContract) -> None:
    assert set(contract.key) <= set(contract.columns)
    assert contract.nullable <= set(contract.columns)
    assert contract.unhashed <= set(contract.columns)
    assert {name for name, _ in contract.allowed} | {name for name, *_ in contract.bounds} <= set(contract.columns)
    assert len(set(contract.columns)) == len(contract.columns)
    assert contract.grain.endswith(".")
    assert all(column(contract.name, name).meaning.endswith(".") for name in contract.columns)


@pytest.mark.parametrize("contract", TABLES.values(), ids=lambda contract: contract.name)
def test_ddl_runs_and_arrow_and_polars_agree(contract: TableContract) -> None:
    connection = duckdb.connect()
    connection.execute(contract.ddl())
    described = connection.execute(f'DESCRIBE "{contract.name}"').fetchall()
    assert [row[0] for row in described] == list(contract.columns)
    assert [row[2] == "YES" for row in described] == [name in contract.nullable for name in contract.columns]
    assert contract.empty().to_arrow().schema.names == contract.arrow_schema().names


def test_inputs_and_released_tables_are_tables() -> None:
    assert set(RELEASED) <= set(TABLES)
    order = list(INPUTS)
    for table, inputs in INPUTS.items():
        assert all(order.index(name) < order.index(table) for name in inputs)


def test_data_dictionary_shows_every_table_and_column() -> None:
    text = data_dictionary()
    for contract in TABLES.values():
        assert f"## {contract.name}" in text
        assert all(f"| `{name}` |" in text for name in contract.columns)


SOUND = pl.DataFrame({"product": ["b", "a"], "status": ["published", "blocked"], "blocked_by": [None, "x"]})


def test_conform_sorts_by_key_and_keeps_types() -> None:
    assert OUT_PRODUCT.conform(SOUND)["product"].to_list() == ["a", "b"]


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (SOUND.drop("status"), "missing columns"),
        (SOUND.with_columns(extra=pl.lit(1)), "unknown columns"),
        (SOUND.with_columns(status=pl.lit("well")), "not among"),
        (SOUND.with_columns(product=pl.lit("a")), "repeats"),
        (SOUND.with_columns(product=pl.lit(None, pl.String)), "nulls"),
    ],
)
def test_conform_refuses_what_breaks_the_contract(frame: pl.DataFrame, message: str) -> None:
    with pytest.raises(ContractError, match=message):
        OUT_PRODUCT.conform(frame)


def test_conform_refuses_nan_and_lossy_casts() -> None:
    contract = TABLES["out__dimension_score"]
    row = {
        "category": ["math"],
        "dimension": ["basic"],
        "model_id": ["m"],
        "mu": [float("nan")],
        "sigma": [0.5],
        "families": [1],
        "observations": [1],
        "is_overlap_calibrated": [False],
    }
    with pytest.raises(ContractError, match="NaN"):
        contract.conform(pl.DataFrame(row))
    with pytest.raises(ContractError):
        contract.conform(pl.DataFrame({**row, "mu": ["high"]}))
