"""The one call behind `core__evidence` and `core__exclusion`: admit, deduplicate, standardize (METHODS 3, 4, 7).

Belongs here: the chain and the gathering of every stage's exclusions. Does not belong here: any rule of a stage.
"""

from __future__ import annotations

from typing import NamedTuple

import polars as pl

from methods.catalog.eligibility import admit
from methods.catalog.results import received_exclusions
from methods.dedup.priority import deduplicate
from methods.scoring.standardize import standardize
from warehouse.catalog_model import Catalog
from warehouse.tables import CORE_EXCLUSION


class EvidenceTables(NamedTuple):
    """`core__evidence` and `core__exclusion`."""

    evidence: pl.DataFrame
    exclusions: pl.DataFrame


def build_evidence(raw_rows: pl.DataFrame, results: pl.DataFrame, catalog: Catalog) -> EvidenceTables:
    """Evidence, and every row that went no further, from parsing to standardization.

    Args:
        raw_rows: `raw__row` of every leaderboard.
        results: `core__result`, built from them.
        catalog: the whole catalog.

    Raises:
        CatalogConflict: if two metrics claim one result in one (category, dimension) place.
    """
    admitted = admit(raw_rows, results, catalog)
    deduplicated = deduplicate(admitted.candidates)
    standardized = standardize(deduplicated.kept, catalog)
    exclusions = [
        received_exclusions(raw_rows), admitted.exclusions, deduplicated.exclusions, standardized.exclusions,
    ]  # fmt: skip
    return EvidenceTables(standardized.evidence, CORE_EXCLUSION.conform(pl.concat(exclusions)))
