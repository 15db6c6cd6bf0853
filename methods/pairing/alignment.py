"""Which two rows may be subtracted: structural alignment, field by field (METHODS 5).

Belongs here: whether each asked-for field is stated on both sides and equal, and what to record where it is not. Does
not belong here: reading statements (`methods.statistics.stated_fields`), what people decided
(`methods.pairing.decisions`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from methods.statistics.stated_fields import FieldReader, folded
from warehouse.catalog_model import Catalog
from warehouse.metric_model import BenchmarkSpec
from warehouse.vocabulary import PERCENT_UNITS

FieldStatus = Literal["equal", "not_applicable", "differs", "unstated"]

UNIT: Final = "unit"
"""Blocks beside the methodology's fields where two values have no common unit."""


class UnconfirmedAlignmentError(ValueError):
    """An `aligned` decision that the program cannot confirm; `fields` names what stands against it."""

    def __init__(self, pair_id: str, fields: tuple[str, ...]) -> None:
        """Say which fields are not stated on both sides and equal."""
        self.pair_id = pair_id
        self.fields = fields
        super().__init__(f"{pair_id} cannot be aligned: not stated on both sides and equal: {', '.join(fields)}")


@dataclass(frozen=True, slots=True)
class FieldState:
    """One field of a pair.

    Attributes:
        field: its name.
        status: equal; not_applicable (the benchmark has none, so it counts as stated); differs (stated on both sides,
            differently); unstated (on at least one side).
        a, b: what the sides state, as comparable text; None where nothing.
    """

    field: str
    status: FieldStatus
    a: str | None
    b: str | None


@dataclass(frozen=True, slots=True)
class Alignment:
    """A pair's fields, in the methodology's order."""

    fields: tuple[FieldState, ...]

    def having(self, *statuses: FieldStatus) -> tuple[str, ...]:
        """The fields in one of some states."""
        return tuple(state.field for state in self.fields if state.status in statuses)

    @property
    def blocking(self) -> tuple[str, ...]:
        """The fields that stand against alignment: not stated on both sides, or different."""
        return self.having("differs", "unstated")

    @property
    def is_alignable(self) -> bool:
        """Whether nothing stands against alignment."""
        return not self.blocking

    @property
    def to_record(self) -> tuple[str, ...] | None:
        """The smallest set of fields whose recording would make the pair alignable, if what is recorded is equal.

        Every unstated field is needed, so the smallest set is all of them; empty where the pair is alignable already;
        None where two statements contradict each other, since no recording mends that.
        """
        return None if self.having("differs") else self.having("unstated")


class Aligner:
    """Aligns pairs by one catalog."""

    def __init__(self, catalog: Catalog) -> None:
        """Index the catalog's benchmarks and fields."""
        self._asked = catalog.methodology.pairing.alignment_fields
        self._reader = FieldReader(catalog)
        self._benchmarks = {spec.benchmark: spec for spec in catalog.benchmarks}

    def align(self, a: Mapping[str, Any], b: Mapping[str, Any]) -> Alignment:
        """Every asked-for field of two rows of `core__result`.

        A benchmark that the catalog does not list is taken to have every field.
        """
        benchmark = self._benchmarks.get(a["benchmark"])
        stated_a, stated_b = self._stated(a), self._stated(b)
        states = [
            FieldState(
                name,
                _status(name, stated_a.get(name), stated_b.get(name), benchmark),
                stated_a.get(name),
                stated_b.get(name),
            )
            for name in self._asked
        ]
        if a["unit"] != b["unit"] and not {a["unit"], b["unit"]} <= set(PERCENT_UNITS):
            states.append(FieldState(UNIT, "differs", a["unit"], b["unit"]))
        return Alignment(tuple(states))

    def _stated(self, row: Mapping[str, Any]) -> Mapping[str, str]:
        return {**self._reader.stated(row), "benchmark": folded(row["benchmark"]), "metric": folded(row["metric"])}


def can_align(a: Mapping[str, Any], b: Mapping[str, Any], catalog: Catalog) -> list[str]:
    """The fields that keep two rows of `core__result` from alignment; empty where they can be aligned (METHODS 5)."""
    return list(Aligner(catalog).align(a, b).blocking)


def confirm_aligned(pair_id: str, alignment: Alignment) -> None:
    """Accept an `aligned` decision.

    Raises:
        UnconfirmedAlignmentError: where it cannot be confirmed, with the fields named.
    """
    if not alignment.is_alignable:
        raise UnconfirmedAlignmentError(pair_id, alignment.blocking)


def _status(name: str, a: str | None, b: str | None, benchmark: BenchmarkSpec | None) -> FieldStatus:
    if a is not None and b is not None:
        return "equal" if a == b else "differs"
    return "unstated" if benchmark is None or benchmark.has(name) else "not_applicable"
