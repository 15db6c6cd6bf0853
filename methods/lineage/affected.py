"""Which published releases rest on a row that a correction has superseded since, or on a fixed version of the program.

Releases already published keep their numbers; they are listed as affected (METHODS, general rules). Belongs here: what
of a release's tables an entry reached. Which releases there are, and their tables, is the caller's to read.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

import polars as pl

from warehouse.catalog_model import Correction


@dataclass(frozen=True, slots=True)
class HeldRow:
    """An entry that a release counts, where, and what it adds to its own model's score.

    Attributes:
        entry_id, evidence_id, metric_id, model_id, category, dimension: what counts where.
        value: as it counted: a fraction for percentages, the rating itself otherwise.
        points: its contribution to the model's category score, in score points; its influence on others goes through
            the metric's median, scale and offset.
        others: other models of the dimension, whose scores it can reach that way.
    """

    entry_id: str
    evidence_id: str
    metric_id: str
    model_id: str
    category: str
    dimension: str
    value: float
    points: float
    others: int


@dataclass(frozen=True, slots=True)
class AffectedRelease:
    """A release that holds such rows, and the corrections it does not have.

    Attributes:
        release_id, as_of, status, code_version: the release.
        corrections: ids of the corrections that its own catalog lacks; empty where an entry was asked for by its id.
        rows: the rows it counts.
    """

    release_id: str
    as_of: date
    status: str
    code_version: str
    corrections: tuple[str, ...]
    rows: tuple[HeldRow, ...]


def held_rows(entry_ids: Iterable[str], evidence: pl.DataFrame, weights: pl.DataFrame) -> tuple[HeldRow, ...]:
    """The evidence of a release that rests on these entries, in order of evidence id.

    Args:
        entry_ids: the entries.
        evidence: `core__evidence`. weights: `out__score_weight`.
    """
    mine = evidence.filter(pl.col("entry_id").is_in(sorted(set(entry_ids))))
    if mine.is_empty():
        return ()
    models = evidence.group_by("category", "dimension").agg(models=pl.col("model_id").n_unique())
    own = weights.filter(pl.col("role") == "own").select("evidence_id", "contribution")
    rows = mine.join(own, on="evidence_id", how="left").join(models, on=["category", "dimension"], how="left")
    names = ("entry_id", "evidence_id", "metric_id", "model_id", "category", "dimension", "value")
    return tuple(
        HeldRow(**{name: row[name] for name in names}, points=row["contribution"], others=row["models"] - 1)
        for row in rows.sort("evidence_id").rows(named=True)
    )


def not_corrected(wanted: Iterable[Correction], own: Iterable[Correction]) -> tuple[Correction, ...]:
    """The corrections that a release's own catalog does not have: what they supersede still counts there."""
    known = {correction.id for correction in own}
    return tuple(correction for correction in wanted if correction.id not in known)
