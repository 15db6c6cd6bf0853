"""The contracts of the board's own sensitivity: variants by category, and ranks that the evidence separates."""

from __future__ import annotations

from typing import Final

from warehouse import board_words, vocabulary
from warehouse.contracts import TableContract

_CATEGORIES: Final = ("category", tuple(vocabulary.CATEGORIES))

OUT_BOARD_SENSITIVITY: Final = TableContract(
    name="out__board_sensitivity",
    grain="One row per lawful variant and category: how far the ranking moves, who wins, who changes status.",
    key=("variant", "category"),
    columns=(
        "variant", "variant_kind", "meaning", "category", "candidates", "coordinates", "pss", "pss_low", "pss_high",
        "swap_share", "is_swapped", "resolution", "is_resolution_exact", "dropped_coordinates", "tied_wins",
        "models_lost", "status_changes", "is_leader_changed", "largest_rank_move", "reason_code",
    ),
    nullable=frozenset({
        "pss", "pss_low", "pss_high", "swap_share", "is_swapped", "resolution", "models_lost", "status_changes",
        "is_leader_changed", "largest_rank_move", "reason_code",
    }),
    allowed=(
        ("variant_kind", board_words.VARIANT_KINDS), _CATEGORIES, ("reason_code", board_words.SENSITIVITY_REASONS),
    ),
    bounds=(
        ("candidates", 0, None), ("coordinates", 0, 4), ("pss", 0, 2), ("pss_low", 0, 2), ("pss_high", 0, 2),
        ("swap_share", 0, 1), ("resolution", 0, 2), ("dropped_coordinates", 0, 4), ("tied_wins", 0, 4),
        ("models_lost", 0, None), ("status_changes", 0, None), ("largest_rank_move", 0, None),
    ),
    may_be_empty=True,
)  # fmt: skip

OUT_BOARD_SEPARATION: Final = TableContract(
    name="out__board_separation",
    grain="One row per category: how many neighbours in rank the evidence separates.",
    key=("category",),
    columns=(
        "category", "rated", "adjacent_pairs", "separated_pairs", "separated_share", "longest_unseparated",
    ),
    nullable=frozenset({"separated_share"}),
    allowed=(_CATEGORIES,),
    bounds=(
        ("rated", 0, None), ("adjacent_pairs", 0, None), ("separated_pairs", 0, None), ("separated_share", 0, 1),
        ("longest_unseparated", 0, None),
    ),
    may_be_empty=True,
)  # fmt: skip

SENSITIVITY_TABLES: Final = (OUT_BOARD_SENSITIVITY, OUT_BOARD_SEPARATION)
"""The tables of the board's own sensitivity."""
