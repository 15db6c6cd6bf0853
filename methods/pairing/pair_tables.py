"""The two tables of pairing, from results and catalog: candidates and reviewed decisions (METHODS 5).

Belongs here: chaining generator, alignment and decisions into frames that keep their contracts. Does not belong here:
any rule of these.
"""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from methods.pairing.alignment import Aligner, Alignment
from methods.pairing.decisions import DecisionReview, review_decisions
from methods.pairing.fast import candidate_pairs
from warehouse.catalog_model import Catalog
from warehouse.tables_pairing import CORE_CANDIDATE_PAIR, CORE_PAIR_DECISION


@dataclass(frozen=True)
class PairTables:
    """What pairing makes of a set of results.

    Attributes:
        candidates: `core__candidate_pair`.
        decisions: `core__pair_decision`.
        review: the decision table against the generated set.
        alignments: by pair id.
        copies: rows that took no part because they only repeat another's number.
    """

    candidates: pl.DataFrame
    decisions: pl.DataFrame
    review: DecisionReview
    alignments: dict[str, Alignment]
    copies: int


def build_pair_tables(results: pl.DataFrame, catalog: Catalog) -> PairTables:
    """Candidates with their fields and the decision that holds, and the decision table with its states.

    Args:
        results: `core__result`.
        catalog: rules, fields, hand-registered pairs and decisions.
    """
    index = candidate_pairs(results, catalog)
    pairs = index.frame
    alignments = align_pairs(pairs, results, catalog)
    review = review_decisions(catalog.decisions, alignments)
    candidates = pairs.with_columns(
        decision=pl.Series([review.holds[pair] for pair in pairs["pair_id"]], dtype=pl.String),
        blocking_fields=pl.Series(
            [list(alignments[pair].blocking) for pair in pairs["pair_id"]], dtype=pl.List(pl.String)
        ),
    )
    decisions = pl.DataFrame(
        [
            {
                "position": row.position,
                "pair_id": row.pair_id,
                **row.decision.model_dump(),
                "state": row.state,
            }
            for row in review.rows
        ],
        schema=CORE_PAIR_DECISION.polars_schema(),
    )
    return PairTables(
        CORE_CANDIDATE_PAIR.conform(candidates), CORE_PAIR_DECISION.conform(decisions), review, alignments, index.copies
    )


def align_pairs(pairs: pl.DataFrame, results: pl.DataFrame, catalog: Catalog) -> dict[str, Alignment]:
    """The alignment of each pair of a frame with pair_id, entry_id_a, entry_id_b, by pair id."""
    aligner = Aligner(catalog)
    entries = pl.concat([pairs["entry_id_a"], pairs["entry_id_b"]]).unique()
    needed = results.filter(pl.col("entry_id").is_in(entries.implode()))
    rows = {row["entry_id"]: row for row in needed.iter_rows(named=True)}
    return {
        pair: aligner.align(rows[a], rows[b])
        for pair, a, b in pairs.select("pair_id", "entry_id_a", "entry_id_b").rows()
    }
