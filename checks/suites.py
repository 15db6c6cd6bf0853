"""Great Expectations suites, derived from the table contracts and completed by hand (DESIGN "Gates").

Belongs here: what follows from a contract alone. What only a person can say about a table stands in `checks.handmade`;
how a suite is run in `checks.validation`.
"""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from checks.clauses import Clause, Suite, rule
from checks.handmade import handmade_clauses
from warehouse.catalog_model import Catalog
from warehouse.contracts import TableContract
from warehouse.tables import TABLES

SUITE_PREFIX = "suite-"


def suite_for(contract: TableContract, catalog: Catalog) -> Suite:
    """The suite of one table: row floor, columns, types; then nulls, numbers, words, bounds, key; then hand-made rules.

    No clause tolerates a share of exceptions: one bad row fails, however large the table grows (C07).

    Raises:
        SuiteError: if a clause does not fit the contract.
    """
    return Suite(contract, (*derived_clauses(contract), *handmade_clauses(contract.name, catalog)))


def suite_of_gate(gate_id: str, catalog: Catalog) -> Suite | None:
    """The suite that a gate called `suite-<table>` runs; None for any other gate.

    Raises:
        SuiteError: as `suite_for`.
        KeyError: if no table has that name.
    """
    if not gate_id.startswith(SUITE_PREFIX):
        return None
    return suite_for(TABLES[gate_id.removeprefix(SUITE_PREFIX)], catalog)


def derived_clauses(contract: TableContract) -> Iterator[Clause]:
    """The clauses that follow from a contract, in the order they are judged."""
    if not contract.may_be_empty:
        yield Clause("rows", "row_count", "the table has at least one row", low=1)
    yield Clause("columns", "columns", "the columns are the contract's, in order", columns=contract.columns)
    yield Clause("types", "types", "the column types are the contract's", columns=contract.columns)
    for name in contract.required:
        yield Clause(f"{name}-not-null", "not_null", f"{name} is never null", columns=(name,))
    numbers = [name for name, entry in contract.entries.items() if entry.type == "number"]
    if numbers:
        yield rule(
            "numbers-finite",
            "no number is NaN or infinite",
            pl.all_horizontal(pl.col(name).is_finite().fill_null(value=True) for name in numbers),
            columns=tuple(numbers),
        )
    for name, words in contract.allowed:
        yield Clause(
            f"{name}-words",
            "in_set",
            f"{name} is one of {', '.join(words)}",
            columns=(name,),
            words=words,
            may_be_vacuous=name in contract.nullable,
        )
    for name, low, high in contract.bounds:
        yield Clause(
            f"{name}-bounds",
            "between",
            f"{name} lies within {_interval(low, high)}",
            columns=(name,),
            low=low,
            high=high,
            may_be_vacuous=name in contract.nullable,
        )
    yield Clause("key", "unique", f"({', '.join(contract.key)}) names one row", columns=contract.key)


def _interval(low: float | None, high: float | None) -> str:
    if high is None:
        return f"{low:g} and above" if low is not None else "any number"
    return f"{low:g} to {high:g}" if low is not None else f"{high:g} and below"
