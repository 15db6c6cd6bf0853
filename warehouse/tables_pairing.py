"""The contracts of pairing: candidate pairs across sources and the reviewed decisions about them (METHODS 5)."""

from __future__ import annotations

from typing import Final

from warehouse import pairing_words
from warehouse.contracts import TableContract

CORE_CANDIDATE_PAIR: Final = TableContract(
    name="core__candidate_pair",
    grain="One row per unordered pair of results of one benchmark and two source types that a pairing rule brings up.",
    key=("pair_id",),
    columns=("pair_id", "entry_id_a", "entry_id_b", "benchmark", "direction", "rules", "decision", "blocking_fields"),
    nullable=frozenset({"decision"}),
    allowed=(("direction", pairing_words.SOURCE_DIRECTIONS), ("decision", pairing_words.PAIR_DECISIONS)),
    may_be_empty=True,
)

CORE_PAIR_DECISION: Final = TableContract(
    name="core__pair_decision",
    grain="One row per row of the append-only decision table, with what it is worth now.",
    key=("position",),
    columns=(
        "position", "pair_id", "entry_id_a", "entry_id_b", "decision", "reason", "reviewer", "reviewed_at", "state",
    ),
    allowed=(("decision", pairing_words.PAIR_DECISIONS), ("state", pairing_words.DECISION_STATES)),
    bounds=(("position", 1, None),),
    may_be_empty=True,
)  # fmt: skip
