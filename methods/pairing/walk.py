"""The walk for a pair: both rows down to their bytes, the rules, the fields, the decisions, and what it supports.

Belongs here: gathering what pairing knows of one pair, for people and machines. Does not belong here: any rule, or how
it is printed (`pipelines`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

import polars as pl

from methods.pairing.alignment import Aligner, Alignment
from methods.pairing.decisions import effective_decision, review_decisions
from methods.pairing.scope import PairScope, pair_scope
from methods.pairing.suggestions import Suggester, Suggestion
from warehouse.catalog_model import Catalog
from warehouse.vocabulary import PROTOCOL_FIELDS

SIDE_COLUMNS: Final = (
    "entry_id", "leaderboard", "snapshot_sha256", "row_locator", "benchmark", "benchmark_version", "subset", "metric",
    "unit", "value", "stderr", "n_samples", "kind", "model", "model_id", "model_url", "developer", "source_type",
    "tier", "source_url", "setting", "notes", *(f"protocol_{name}" for name in PROTOCOL_FIELDS),
)  # fmt: skip
"""What is shown of each row."""


class UnknownPairError(LookupError):
    """A pair id that is no candidate pair."""


@dataclass(frozen=True, slots=True)
class PairWalk:
    """Everything about one pair.

    Attributes:
        pair: its row of `core__candidate_pair`, without decision.
        a, b: its two rows of `core__result`, `SIDE_COLUMNS` of each.
        alignment: field by field.
        scope: direction, surface difference, what it supports and what it does not.
        suggestion: what the rows' surface suggests; nobody's decision.
        decision: the decision that holds; None where none does.
        history: the rows of the decision table about it, oldest first, each with its state.
    """

    pair: Mapping[str, Any]
    a: Mapping[str, Any]
    b: Mapping[str, Any]
    alignment: Alignment
    scope: PairScope
    suggestion: Suggestion
    decision: str | None
    history: tuple[Mapping[str, Any], ...]

    @property
    def pair_id(self) -> str:
        """The pair's id."""
        return str(self.pair["pair_id"])

    @property
    def is_awaiting(self) -> bool:
        """Whether the pair waits for a person: nobody's word holds, or words differ."""
        return self.decision is None or any(row["state"] in {"disputed", "unconfirmed"} for row in self.history)

    def as_json(self) -> dict[str, Any]:
        """The walk as JSON values."""
        return {
            **self.pair,
            "a": dict(self.a),
            "b": dict(self.b),
            "fields": [asdict(state) for state in self.alignment.fields],
            "blocking_fields": list(self.alignment.blocking),
            "to_record": None if self.alignment.to_record is None else list(self.alignment.to_record),
            "surface_difference_pp": None if self.scope.difference_pp is None else float(self.scope.difference_pp),
            "supports": self.scope.supports,
            "does_not_support": self.scope.does_not_support,
            "suggestion": asdict(self.suggestion),
            "decision": self.decision,
            "history": [dict(row) for row in self.history],
            "is_awaiting": self.is_awaiting,
        }


class PairWalker:
    """Walks the pairs of one set of results by one catalog."""

    def __init__(self, pairs: pl.DataFrame, results: pl.DataFrame, catalog: Catalog) -> None:
        """Index pairs and their rows.

        Args:
            pairs: `core__candidate_pair`, or the generator's frame.
            results: `core__result`; holds both rows of every pair.
            catalog: fields, decisions, and what suggestions read.
        """
        kept = [name for name in pairs.columns if name not in {"decision", "blocking_fields"}]
        self._pairs = {row["pair_id"]: row for row in pairs.select(kept).rows(named=True)}
        entries = pl.concat([pairs["entry_id_a"], pairs["entry_id_b"]]).unique()
        needed = results.filter(pl.col("entry_id").is_in(entries.implode()))
        self._rows = {row["entry_id"]: row for row in needed.rows(named=True)}
        self._aligner = Aligner(catalog)
        self._suggester = Suggester(catalog)
        self.alignments = {
            pair: self._aligner.align(self._rows[row["entry_id_a"]], self._rows[row["entry_id_b"]])
            for pair, row in self._pairs.items()
        }
        self.decide(catalog.decisions)

    @property
    def pair_ids(self) -> Sequence[str]:
        """The ids of all pairs, in order."""
        return tuple(self._pairs)

    def decide(self, decisions: Sequence[Any]) -> None:
        """Hold another decision table against the same pairs."""
        self.review = review_decisions(decisions, self.alignments)
        self._history: dict[str, list[Any]] = {}
        for row in self.review.rows:
            self._history.setdefault(row.pair_id, []).append(row)

    def walk(self, pair_id: str) -> PairWalk:
        """One pair (UnknownPairError for an id that is none)."""
        pair = self._pairs.get(pair_id)
        if pair is None:
            raise UnknownPairError(f"{pair_id} is no candidate pair")
        a, b = self._rows[pair["entry_id_a"]], self._rows[pair["entry_id_b"]]
        alignment = self.alignments[pair_id]
        history = self._history.get(pair_id, [])
        return PairWalk(
            pair=pair,
            a={name: a[name] for name in SIDE_COLUMNS},
            b={name: b[name] for name in SIDE_COLUMNS},
            alignment=alignment,
            scope=pair_scope(a, b, alignment),
            suggestion=self._suggester.suggest(a, b),
            decision=effective_decision(history),
            history=tuple(
                {"position": row.position, "state": row.state, **row.decision.model_dump(mode="json")}
                for row in history
            ),
        )
