"""What a gate is given, and what a named gate hands back before it becomes a verdict.

Belongs here: the two shapes. Does not belong here: any gate, or the rule that turns findings into verdicts
(`checks.gates`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Literal

import polars as pl

from methods.lineage.baseline import BaselineFigures
from warehouse.canonical import Json
from warehouse.catalog_model import Catalog, GateSpec


@dataclass(frozen=True)
class GateInputs:
    """Everything a gate may look at. It looks at nothing else: no file, no clock, no network.

    Attributes:
        frames: tables by name; those that `checks.gates.tables_of` names must be among them.
        catalog: the catalog of the run.
        baseline: figures of the former release; None where there is none.
        decided_at: the moment of decision: a waiver is valid or over at it.
        as_of: the day the release speaks of.
        study: the study whose rows alone are seen, in tables that say which study a row is of; None for all rows.
    """

    frames: Mapping[str, pl.DataFrame]
    catalog: Catalog
    baseline: BaselineFigures | None
    decided_at: datetime
    as_of: date
    study: str | None = None

    def of_study(self, study: str) -> GateInputs:
        """The same inputs, where only the rows of one study are seen."""
        return replace(self, study=study)

    def frame(self, table: str) -> pl.DataFrame:
        """A table by name; of one study's rows where a study is judged.

        Raises:
            MissingTableError: if it was not handed in.
        """
        try:
            found = self.frames[table]
        except KeyError:
            raise MissingTableError(f"the gate needs {table}, which it was not given") from None
        of_study = self.study is not None and "study" in found.columns
        return found.filter(pl.col("study") == self.study) if of_study else found

    def baseline_figures(self) -> BaselineFigures:
        """The baseline of a gate that compares; `checks.gates.evaluate` calls such a gate only where there is one.

        Raises:
            ValueError: if there is none.
        """
        if self.baseline is None:
            raise ValueError("the gate compares with a former release, and there is none")
        return self.baseline


class MissingTableError(LookupError):
    """A gate was evaluated without a table it needs."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a named gate found.

    Attributes:
        outcome: pass or fail; `inconclusive` where the evidence cannot say, and the detail says what would decide;
            `not_applicable` where there is nothing it could be about.
        figure: the figure that decided, unrounded; None where nothing could be measured.
        evaluated: how many things were looked at. With 0 of them a gate does not pass, whatever the outcome.
        failed: how many of them failed.
        detail: one sentence with exact fractions and the rule used.
        examples: the first things at fault, as JSON values.
        threshold: the limit that decided, where it is not the gate's own (a source's `max_drop`).
    """

    outcome: Literal["pass", "fail", "inconclusive", "not_applicable"]
    figure: float | None
    evaluated: int
    failed: int
    detail: str
    examples: tuple[Mapping[str, Json], ...] = ()
    threshold: float | None = None


GateFunction = Callable[[GateSpec, GateInputs], Finding]


@dataclass(frozen=True, slots=True)
class NamedGate:
    """A named gate.

    Attributes:
        tables: the tables it reads; it is judged once the last of them stands.
        judge: the function that judges them.
        compares: whether it compares with a former release.
        needs_threshold: whether gates.yaml must state a limit.
    """

    tables: tuple[str, ...]
    judge: GateFunction
    compares: bool = False
    needs_threshold: bool = True


Limit = Literal[
    "max_drop", "max_gone", "max_jump", "max_scale", "max_same", "max_duplicates", "max_unreadable", "max_drift"
]
"""The limits that an entry of sources.yaml may state for itself."""


def limit_of(gate: GateSpec, catalog: Catalog, leaderboard: str, field: Limit) -> float:
    """The limit for one leaderboard: its own where sources.yaml states one, else the gate's."""
    source = catalog.source_by_id.get(leaderboard)
    own = getattr(source, field) if source is not None and field in source.model_fields_set else None
    return threshold_of(gate) if own is None else float(own)


def threshold_of(gate: GateSpec) -> float:
    """The limit that gates.yaml states for a gate that needs one.

    Raises:
        ValueError: if it states none.
    """
    if gate.threshold is None:
        raise ValueError(f"gates.yaml states no threshold for {gate.id}, which needs one")
    return gate.threshold
