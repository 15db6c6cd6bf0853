"""The candidate pairs that people review: of a night of a home, or of a registered freeze; and since when they wait.

Belongs here: which results the pairs come from. What the pairs are is `methods.pairing`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path

import polars as pl

from methods.pairing.fast import candidate_pairs
from methods.pairing.source_study import with_study_decisions
from methods.pairing.walk import PairWalker
from resources.evidence_store import EvidenceStore
from resources.table_files import TableError
from resources.tables import TableStore
from warehouse.catalog_model import Catalog, Decision

CANDIDATES = "core__candidate_pair"


@dataclass(frozen=True)
class ReviewedSet:
    """A set of candidate pairs and where it comes from.

    Attributes:
        label: the day or the freeze, in words.
        as_of: the night; None for a freeze.
        walker: the pairs, with the catalog's decisions held against them.
        decisions: those decisions: of a freeze, the ones its study takes.
    """

    label: str
    as_of: date | None
    walker: PairWalker
    decisions: tuple[Decision, ...]


def newest_pairs(home: Path, catalog: Catalog, as_of: date | None = None) -> ReviewedSet:
    """The pairs of a day, the newest where none is named, generated anew by the catalog at hand.

    Raises:
        TableError: where the home holds no results of the day, or they are damaged.
    """
    tables = TableStore(home)
    days = tables.days("core__result")
    day = as_of or max(days, default=None)
    if day is None:
        raise TableError(f"{home} holds no results yet; make some with: scoretrail run --home {home}")
    tables.verify("core__result", day)
    return _reviewed(f"results as of {day}", day, tables.read("core__result", day), catalog)


def frozen_pairs(home: Path, catalog: Catalog, name: str) -> ReviewedSet:
    """The pairs of a registered freeze (EvidenceError where there is none, or it was changed)."""
    _, frozen = EvidenceStore(home).read_freeze(name)
    return _reviewed(f"freeze {name}", None, frozen.results, with_study_decisions(catalog))


def _reviewed(label: str, as_of: date | None, results: pl.DataFrame, catalog: Catalog) -> ReviewedSet:
    pairs = candidate_pairs(results, catalog).frame
    return ReviewedSet(label, as_of, PairWalker(pairs, results, catalog), catalog.decisions)


def first_seen(home: Path) -> dict[str, date]:
    """By pair id, the first day whose stored table of candidates holds the pair: recomputed from the tables alone."""
    tables = TableStore(home)
    found: dict[str, date] = {}
    for day in tables.days(CANDIDATES):
        for pair in pl.read_parquet(tables.path(CANDIDATES, day), columns=["pair_id"])["pair_id"]:
            found.setdefault(pair, day)
    return found
