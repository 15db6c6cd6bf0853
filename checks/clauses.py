"""What a suite is made of: clauses about one table, in our own words, before any engine reads them.

Belongs here: the shape of a clause, of a suite, and the proof that a suite fits its table's contract (C14). Does not
belong here: which clauses a table has (`checks.suites`, `checks.handmade`) or how they are run (`checks.engine`).
Clauses know no engine, so that the engine can be swapped and a naive reading can be held against it (C10).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import polars as pl

from warehouse.contracts import TableContract

ClauseKind = Literal[
    "row_count", "columns", "types", "not_null", "some_value", "in_set", "between", "unique", "rule"
]  # fmt: skip
RULE_PREFIX = "rule: "


class SuiteError(ValueError):
    """A suite that does not fit its table: a fault of ours, and never a verdict about the data."""


@dataclass(frozen=True, slots=True, eq=False)
class Clause:
    """One promise about a table.

    Attributes:
        name: unique in the suite.
        kind: what is asked. `row_count`: at least `low` rows; `columns`: exactly `columns`, in order; `types`: the
            contract's types; `not_null`, `some_value` (not null throughout), `in_set` (one of `words`, or null),
            `between` (`low` to `high`, inclusive, or null) of one column; `unique`: `columns` together;
            `rule`: `holds` is true or null (null: the rule does not apply to the row).
        sentence: the promise in words, as the verdict prints it.
        may_be_vacuous: whether it is sound that no row is looked at, as with a column that may be null throughout.
    """

    name: str
    kind: ClauseKind
    sentence: str
    columns: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    holds: pl.Expr | None = None
    may_be_vacuous: bool = False

    @property
    def is_structural(self) -> bool:
        """Whether the other clauses can be read only if this one holds."""
        return self.kind in {"row_count", "columns", "types"}


@dataclass(frozen=True, slots=True, eq=False)
class Suite:
    """The clauses of one table, the structural ones first."""

    contract: TableContract
    clauses: tuple[Clause, ...]

    def __post_init__(self) -> None:
        """Holds the suite against the contract.

        Raises:
            SuiteError: for a column the contract has not, a column that is no text, bounds on a column that holds no
                numbers, words for a column that holds no text, a clause that needs one column and has another number,
                a name used twice.
        """
        names = [clause.name for clause in self.clauses]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise SuiteError(f"suite of {self.contract.name}: clause names repeat: {twice}")
        for clause in self.clauses:
            self._check(clause)

    def _check(self, clause: Clause) -> None:
        where = f"suite of {self.contract.name}, clause {clause.name!r}"
        strangers = [name for name in _columns_of(clause, where) if name not in self.contract.columns]
        if strangers:
            raise SuiteError(f"{where}: the contract has no column {strangers}")
        if clause.kind in {"not_null", "some_value", "in_set", "between"} and len(clause.columns) != 1:
            raise SuiteError(f"{where}: needs exactly one column, has {list(clause.columns)}")
        if clause.kind == "between" and self._type(clause) not in {"number", "integer"}:
            raise SuiteError(f"{where}: bounds on a column that holds no numbers")
        if clause.kind == "in_set" and (self._type(clause) != "text" or not clause.words):
            raise SuiteError(f"{where}: a closed set needs a text column and at least one word")
        if (clause.kind == "rule") != (clause.holds is not None):
            raise SuiteError(f"{where}: a rule, and only a rule, needs `holds`")

    def _type(self, clause: Clause) -> str:
        return self.contract.entries[clause.columns[0]].type


def _columns_of(clause: Clause, where: str) -> list[str]:
    named: object = clause.columns
    if not isinstance(named, tuple) or not all(isinstance(name, str) for name in named):
        raise SuiteError(f"{where}: columns must be a tuple of names, not {named!r}")
    return [*clause.columns, *(clause.holds.meta.root_names() if clause.holds is not None else ())]


def rule(
    name: str,
    sentence: str,
    holds: pl.Expr,
    *,
    columns: tuple[str, ...] = (),
    may_be_vacuous: bool = True,
) -> Clause:
    """A hand-made clause: `holds` is true where a row keeps it, false where it breaks it, null where it is silent.

    Args:
        name: short slug.
        sentence: the promise in words.
        holds: boolean expression over the table.
        columns: columns shown with an example that breaks it; those of the expression where left out.
        may_be_vacuous: whether a sound table can hold no row the rule speaks of.
    """
    shown = columns or tuple(dict.fromkeys(holds.meta.root_names()))
    return Clause(name, "rule", sentence, columns=shown, holds=holds, may_be_vacuous=may_be_vacuous)
