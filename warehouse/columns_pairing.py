"""Column dictionary, pairing: candidate pairs and the decisions about them (METHODS 5)."""

from __future__ import annotations

from typing import Final

from warehouse.columns import Column

_PAIR = "methods.pairing.fast:candidate_pairs"
_TABLE = "methods.pairing.pair_tables:build_pair_tables"
_HISTORY = "methods.pairing.decisions:read_history"

PAIRING: Final[dict[str, Column]] = {
    "pair_id": Column("text", "The two entry ids of the pair, the smaller first.", "warehouse.identity:pair_id"),
    "entry_id_a": Column("text", "The smaller of the pair's two entry ids.", _PAIR),
    "entry_id_b": Column("text", "The greater of the pair's two entry ids.", _PAIR),
    "direction": Column(
        "text",
        "Which source type is subtracted from which, for example self_reported_minus_official.",
        "warehouse.pairing_words:direction_of",
    ),
    "rules": Column("text_list", "Every pairing rule that hits, in the order of METHODS 5.", _PAIR),
    "core__candidate_pair.decision": Column(
        "text",
        "The decision that holds; `unsure` while reviewers disagree; null where none holds yet.",
        "methods.pairing.decisions:effective_decision",
    ),
    "blocking_fields": Column(
        "text_list",
        "Fields that are not stated on both sides and equal; empty where the pair can be aligned.",
        "methods.pairing.alignment:can_align",
    ),
    "position": Column("integer", "Place of the row in the append-only decision table, from 1.", _HISTORY),
    "core__pair_decision.entry_id_a": Column("text", "First entry id, as the reviewer's row states it.", _HISTORY),
    "core__pair_decision.entry_id_b": Column("text", "Second entry id, as the reviewer's row states it.", _HISTORY),
    "core__pair_decision.decision": Column("text", "What the reviewer decided.", _HISTORY),
    "reason": Column("text", "Why, in the reviewer's words.", _HISTORY),
    "reviewer": Column("text", "Who decided.", _HISTORY),
    "reviewed_at": Column("date", "Day of the decision.", _HISTORY),
    "state": Column("text", "standing, superseded, duplicated, disputed, unconfirmed or orphaned.", _TABLE),
}
