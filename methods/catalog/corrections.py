"""Corrections of the catalog: a value withdrawn or replaced, only where the expected old value is found (METHODS).

Belongs here: applying corrections to results, and naming those that did not fit. Does not belong here: the received
value, which `core__result` keeps as it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import polars as pl

from warehouse.catalog_model import Catalog, Correction


@dataclass(frozen=True, slots=True)
class UnmetCorrection:
    """A correction that was not applied, and why."""

    correction_id: str
    entry_id: str
    message: str


class Corrected(NamedTuple):
    """Entries whose value is another, entries withdrawn (with the reason in words), corrections not applied."""

    values: dict[str, float]
    withdrawn: dict[str, str]
    unmet: list[UnmetCorrection]


def apply_corrections(results: pl.DataFrame, catalog: Catalog) -> Corrected:
    """What the catalog's corrections make of the results.

    Corrections are append-only and apply in the catalog's order: the second on an entry expects what the first left.
    A withdrawn entry takes no more corrections.
    """
    wanted = {correction.entry_id for correction in catalog.corrections}
    found = results.filter(pl.col("entry_id").is_in(sorted(wanted))).select("entry_id", "value").rows()
    current: dict[str, float | None] = dict(found)
    values: dict[str, float] = {}
    withdrawn: dict[str, str] = {}
    unmet: list[UnmetCorrection] = []
    for correction in catalog.corrections:
        message = _misfit(correction, current, withdrawn)
        if message is not None:
            unmet.append(UnmetCorrection(correction.id, correction.entry_id, message))
        elif correction.value is None:
            withdrawn[correction.entry_id] = f"correction {correction.id}: {correction.reason}"
        else:
            current[correction.entry_id] = values[correction.entry_id] = correction.value
    return Corrected(values, withdrawn, unmet)


def unmet_corrections(results: pl.DataFrame, catalog: Catalog) -> list[UnmetCorrection]:
    """Corrections that find no such entry or another old value, in the catalog's order: none of them is applied."""
    return apply_corrections(results, catalog).unmet


def _misfit(correction: Correction, current: dict[str, float | None], withdrawn: dict[str, str]) -> str | None:
    entry = correction.entry_id
    if entry not in current:
        return f"no result has the entry id {entry}"
    if entry in withdrawn:
        return f"the entry was withdrawn before by {withdrawn[entry]}"
    if current[entry] != correction.expected:
        return f"expects the old value {correction.expected!r}, found {current[entry]!r}"
    return None
