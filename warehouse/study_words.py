"""The words of studies: their kinds, the evidence and tables of each, and the products beside the board.

Belongs here: names that catalog, checks and publication share. Does not belong here: what a study computes
(`methods.pairing.source_study`), pair states of the decision table (`warehouse.pairing_words`).
"""

from __future__ import annotations

from typing import Final, Literal, get_args

from warehouse.linked_words import LINKED_PRODUCT

SOURCE_STUDY_KIND: Final = "source_difference"
"""The `kind` in studies.yaml of the study of how much a score changes with its source (METHODS 5 and 6)."""
FREEZE_EVIDENCE: Final = "freeze"
"""The kind of registered evidence that such a study reads."""

REGRESSION_EVIDENCE: Final = "regression"
"""The kind of registered evidence that is a regression set: kept and proved, and read by no study."""

SOURCE_PAIRS_PRODUCT: Final = "source_pairs"
"""Nightly pairs: the queue of candidates, the decisions about them, and divergence by uncertainty."""
SOURCE_STUDY_PRODUCT: Final = "source_study"
"""The study of a named freeze."""

BOARD_SENSITIVITY_PRODUCT: Final = "board_sensitivity"
"""How far lawful variants move the board (METHODS 8)."""

STUDY_EVIDENCE: Final[dict[str, str]] = {
    "protocol_sensitivity": "losses",
    "reproduction": "manifests",
    "judge": "judgments",
    "harness": "attempts",
    "release_decision": "samples",
}
"""Kind of registered evidence by kind of study, for studies of what a user brings (METHODS 8 to 12)."""

STUDY_TABLES: Final[dict[str, tuple[str, ...]]] = {
    "protocol_sensitivity": (
        "out__protocol_panel", "out__protocol_site", "out__protocol_coordinate", "out__protocol_growth",
        "out__protocol_candidate",
    ),
    "reproduction": ("out__manifest_run", "out__manifest_pair", "out__manifest_field", "out__manifest_margin"),
    "judge": (
        "out__judge_stack", "out__judge_summary", "out__judge_bin", "out__judge_cascade", "out__judge_curve",
        "out__judge_transfer", "out__judge_label", "out__judge_queue",
    ),
    "harness": (
        "out__harness_panel", "out__harness_fault", "out__harness_cell", "out__harness_block", "out__harness_pair",
        "out__harness_summary", "out__harness_win", "out__harness_blame", "out__harness_verdict", "out__harness_stage",
        "out__harness_selection", "out__harness_reference", "out__harness_difference", "out__harness_unique",
    ),
    "release_decision": (
        "out__release_decision", "out__release_decision_gate", "out__release_decision_level", "out__canary_look",
        "out__canary_exposure", "out__canary_cohort", "out__canary_model", "out__canary_action",
    ),
}  # fmt: skip
"""The tables of each of these kinds. Their first column is `study`; rows of a study that does not stand stay out."""

EVERY_STUDY: Final = "every_study"
"""As the `product` of a gate: the gate is that of every study of what a user brings."""

PRODUCT_TABLES: Final[dict[str, tuple[str, ...]]] = {
    SOURCE_PAIRS_PRODUCT: ("core__candidate_pair", "core__pair_decision", "out__source_divergence"),
    SOURCE_STUDY_PRODUCT: ("core__study_pair", "out__source_difference"),
    BOARD_SENSITIVITY_PRODUCT: ("out__board_sensitivity", "out__board_separation"),
    LINKED_PRODUCT: (
        "out__linked_score",
        "out__linked_part",
        "out__linked_metric",
        "out__linked_parameter",
        "out__backtest",
        "out__backtest_slice",
        "out__backtest_versus",
        "out__backtest_split",
        "out__calibrated_interval",
    ),
}
"""Tables that go out empty where their product does not: beside the board, which they never block."""

StudyPairState = Literal["agreed", "missing", "orphaned", "duplicated", "disputed", "unconfirmed"]
STUDY_PAIR_STATES: Final[tuple[StudyPairState, ...]] = get_args(StudyPairState)
"""How the generated set and the decision table stand to each other in one pair:

agreed: generated, and one decision holds;
missing: generated, and no row of the table speaks of it;
orphaned: the table speaks of it, and the freeze generates no such pair;
duplicated: a row of the table only repeats another;
disputed: two reviewers' latest words differ;
unconfirmed: called `aligned`, which the program cannot confirm.
"""
