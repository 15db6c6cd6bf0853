"""Column dictionary, the board's own sensitivity: lawful variants and separated ranks (METHODS 8)."""

from __future__ import annotations

from typing import Final

from warehouse.columns import Column

_BOARD = "methods.sensitivity.board_shifts:board_sensitivity"
_VARIANTS = "methods.sensitivity.variants:declared_variants"
_SITES = "methods.protocols.shifts:site_shifts"
_STATUS = "methods.sensitivity.standing:statuses"
_SEPARATION = "methods.sensitivity.separation:separation"
_TABLE = "out__board_sensitivity"

SENSITIVITY: Final[dict[str, Column]] = {
    "variant": Column("text", "Id of the lawful variant.", _VARIANTS),
    "variant_kind": Column("text", "constant, evidence, family (left out), or the resampled reference.", _VARIANTS),
    "meaning": Column("text", "What the variant does, in words.", _VARIANTS),
    f"{_TABLE}.candidates": Column("integer", "Models that a dimension compares, at most.", _SITES, "models"),
    f"{_TABLE}.coordinates": Column("integer", "Dimensions that count.", _SITES, "dimensions"),
    f"{_TABLE}.pss": Column(
        "number", "PSS of the category's dimension rankings, board against variant; of the reference, mean over draws.",
        _SITES, "PSS, 0 to 2",
    ),
    f"{_TABLE}.pss_low": Column(
        "number", "Lower end of the central 95% of the reference's draws; null for a variant.", _BOARD, "PSS, 0 to 2"
    ),
    f"{_TABLE}.pss_high": Column("number", "Upper end of it.", _BOARD, "PSS, 0 to 2"),
    f"{_TABLE}.swap_share": Column(
        "number", "Share of dimensions with another best model; of the reference, share of draws that swap it.",
        _SITES, "0 to 1",
    ),
    f"{_TABLE}.is_swapped": Column(
        "boolean", "Whether more than half of the dimensions have another best model.", _SITES
    ),
    f"{_TABLE}.dropped_coordinates": Column(
        "integer", "Dimensions that leave nothing to compare.", _SITES, "dimensions"
    ),
    f"{_TABLE}.tied_wins": Column(
        "integer", "Dimensions where either side has several best models.", _SITES, "dimensions"
    ),
    f"{_TABLE}.reason_code": Column("text", "Why there is no PSS; null where there is one.", _BOARD),
    "models_lost": Column(
        "integer", "Models of the category without any evidence under the variant.", _STATUS, "models"
    ),
    "status_changes": Column(
        "integer", "Models that are rated, estimated or unrated otherwise than on the board, or have no evidence left.",
        _STATUS, "models",
    ),
    "is_leader_changed": Column(
        "boolean", "Whether another model stands first among the rated; null where either side rates none.", _BOARD
    ),
    "largest_rank_move": Column(
        "integer", "Most places that a model moves among those rated on both sides.",
        "methods.sensitivity.standing:largest_move", "places",
    ),
    "rated": Column("integer", "Rated models.", _SEPARATION, "models"),
    "adjacent_pairs": Column("integer", "Neighbours in rank.", _SEPARATION, "pairs"),
    "separated_pairs": Column(
        "integer", "Neighbours whose 80% interval of the posterior difference excludes 0.", _SEPARATION, "pairs"
    ),
    "separated_share": Column("number", "Share of neighbours so separated; null without any.", _SEPARATION, "0 to 1"),
    "longest_unseparated": Column(
        "integer", "Most ranks in a row of which no neighbours are separated.", _SEPARATION, "ranks"
    ),
}  # fmt: skip
