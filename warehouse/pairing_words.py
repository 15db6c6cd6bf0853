"""The closed sets of words of pairing and source comparison (METHODS 5 and 6).

Belongs here: rule ids, decisions, states, directions, alignment fields, and their order. Does not belong here: what a
rule asks for (`methods.pairing.rules`) or its bounds (`warehouse.methodology.PairingRules`).
"""

from __future__ import annotations

from typing import Final, Literal, get_args

from warehouse.vocabulary import PROTOCOL_FIELDS, SOURCE_TYPES

PairRule = Literal[
    "exact_normalized",
    "protocol_suffix_stripped",
    "wrapper_head_and_token_similarity",
    "name_containment",
    "token_and_sequence_similarity",
    "token_similarity",
    "wrapper_backend_to_bare_model",
    "wrapper_shared_backend_different_head",
    "planner_model_in_notes",
    "organization_prefix_identity_head",
    "same_model_id",
    "same_model_url",
    "manual_alias",
]
PairDecision = Literal["aligned", "protocol_mismatch", "version_mismatch", "subset_mismatch", "unit_mismatch", "unsure"]
DecisionState = Literal["standing", "superseded", "duplicated", "disputed", "unconfirmed", "orphaned"]

PAIR_RULES: Final[tuple[PairRule, ...]] = get_args(PairRule)
"""The thirteen rules in the order of METHODS 5: rule k is the k-th."""
PAIR_DECISIONS: Final[tuple[PairDecision, ...]] = get_args(PairDecision)
DECISION_STATES: Final[tuple[DecisionState, ...]] = get_args(DecisionState)
"""What a row of the decision table is worth now:

standing: its reviewer's latest word on the pair, and no other reviewer's latest word differs;
superseded: a later row of the same reviewer on the same pair replaced it;
duplicated: it only repeats its reviewer's latest word;
disputed: it is its reviewer's latest word, and another reviewer's latest word differs;
unconfirmed: it says `aligned`, which the program cannot confirm;
orphaned: no candidate pair answers to it.
"""

SOURCE_DIRECTIONS: Final[tuple[str, ...]] = (
    "paper_minus_official",
    "self_reported_minus_official",
    "reproduced_minus_official",
    "self_reported_minus_paper",
    "reproduced_minus_paper",
    "reproduced_minus_self_reported",
)
"""The six directions of a source difference: in the order of `SOURCE_TYPES`, the later minus the earlier."""

QUESTION_SET_FIELDS: Final[tuple[str, ...]] = ("benchmark_version", "subset")
"""Statements about the question set that a benchmark may lack altogether."""
ALIGNMENT_FIELDS: Final[tuple[str, ...]] = ("benchmark", *QUESTION_SET_FIELDS, "metric", *PROTOCOL_FIELDS)
"""Fields that alignment may be asked to find stated on both sides and equal."""


def direction_of(source_type_a: str, source_type_b: str) -> str:
    """The direction of a pair of rows with these source types, in either order.

    Raises:
        ValueError: for equal or unknown source types.
    """
    first, second = sorted((source_type_a, source_type_b), key=SOURCE_TYPES.index)
    if first == second:
        raise ValueError(f"two rows of source type {first} have no direction")
    return f"{second}_minus_{first}"
