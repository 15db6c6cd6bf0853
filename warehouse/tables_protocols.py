"""The contracts of protocol sensitivity: comparisons, sites, coordinates, growing sets, candidates (METHODS 8)."""

from __future__ import annotations

from typing import Final

from warehouse import protocol_words
from warehouse.contracts import TableContract

_COMPARISON: Final = ("study", "comparison", "protocol_a", "protocol_b", "convention")
_KINDS: Final = ("comparison", protocol_words.COMPARISON_KINDS)
_PSS: Final = (("pss", 0, 2), ("swap_share", 0, 1))

OUT_PROTOCOL_PANEL: Final = TableContract(
    name="out__protocol_panel",
    grain="One row per comparison of a study: two protocols, a protocol and a convention of it, or its A/A control.",
    key=_COMPARISON,
    columns=(
        *_COMPARISON, "sites", "undefined_sites", "candidates", "coordinates", "mean_pss", "pss_low", "pss_high",
        "swapped_sites", "swap_share", "swap_low", "swap_high", "resolution", "is_resolution_exact",
        "dropped_coordinates", "tied_wins", "left_out_units", "candidate_set_sha256", "reason_code",
    ),
    nullable=frozenset({
        "convention", "mean_pss", "pss_low", "pss_high", "swapped_sites", "swap_share", "swap_low", "swap_high",
        "resolution", "reason_code",
    }),
    allowed=(_KINDS, ("reason_code", protocol_words.PANEL_REASONS)),
    bounds=(
        ("sites", 0, None), ("undefined_sites", 0, None), ("candidates", 0, None), ("coordinates", 0, None),
        ("mean_pss", 0, 2), ("pss_low", 0, 2), ("pss_high", 0, 2), ("swapped_sites", 0, None), ("swap_share", 0, 1),
        ("swap_low", 0, 1), ("swap_high", 0, 1), ("resolution", 0, 2), ("dropped_coordinates", 0, None),
        ("tied_wins", 0, None), ("left_out_units", 0, None),
    ),
    may_be_empty=True,
)  # fmt: skip

OUT_PROTOCOL_SITE: Final = TableContract(
    name="out__protocol_site",
    grain="One row per comparison and site: how far the site's ranking moves, and whether its winner does.",
    key=(*_COMPARISON, "site"),
    columns=(
        *_COMPARISON, "site", "pss", "swap_share", "is_swapped", "candidates", "coordinates", "dropped_coordinates",
        "tied_wins", "resolution", "is_resolution_exact", "reason_code",
    ),
    nullable=frozenset({
        "convention", "pss", "swap_share", "is_swapped", "candidates", "coordinates", "dropped_coordinates",
        "tied_wins", "resolution", "is_resolution_exact", "reason_code",
    }),
    allowed=(_KINDS, ("reason_code", protocol_words.SITE_REASONS)),
    bounds=(
        *_PSS, ("candidates", 0, None), ("coordinates", 0, None), ("dropped_coordinates", 0, None),
        ("tied_wins", 0, None), ("resolution", 0, 2),
    ),
    may_be_empty=True,
)  # fmt: skip

OUT_PROTOCOL_COORDINATE: Final = TableContract(
    name="out__protocol_coordinate",
    grain="One row per comparison of two sides, site and coordinate: tau, both winners, or why it is dropped.",
    key=(*_COMPARISON, "site", "coordinate"),
    columns=(
        *_COMPARISON, "site", "coordinate", "weight", "candidates", "tau", "is_winner_changed", "winners_a",
        "winners_b", "reason_code",
    ),
    nullable=frozenset({"convention", "tau", "is_winner_changed", "reason_code"}),
    allowed=(_KINDS, ("reason_code", protocol_words.DROP_REASONS)),
    bounds=(("weight", 0, None), ("candidates", 0, None), ("tau", -1, 1)),
    may_be_empty=True,
)  # fmt: skip

OUT_PROTOCOL_GROWTH: Final = TableContract(
    name="out__protocol_growth",
    grain="One row per two protocols, order of joining and size of the candidate set: both figures, since they part.",
    key=("study", "protocol_a", "protocol_b", "growth_order", "candidates"),
    columns=(
        "study", "protocol_a", "protocol_b", "growth_order", "candidates", "joined", "mean_pss", "swap_share",
        "resolution",
    ),
    nullable=frozenset({"mean_pss", "swap_share", "resolution"}),
    allowed=(("growth_order", protocol_words.GROWTH_ORDERS),),
    bounds=(("candidates", 2, None), ("mean_pss", 0, 2), ("swap_share", 0, 1), ("resolution", 0, 2)),
    may_be_empty=True,
)  # fmt: skip

OUT_PROTOCOL_CANDIDATE: Final = TableContract(
    name="out__protocol_candidate",
    grain="One row per protocol, convention and candidate: where it stands there, and how often it wins.",
    key=("study", "protocol", "convention", "candidate"),
    columns=("study", "protocol", "convention", "candidate", "mean_rank", "place", "wins", "coordinates"),
    nullable=frozenset({"convention", "mean_rank", "place"}),
    bounds=(("mean_rank", 1, None), ("place", 1, None), ("wins", 0, None), ("coordinates", 0, None)),
    may_be_empty=True,
)

PROTOCOL_TABLES: Final = (
    OUT_PROTOCOL_PANEL, OUT_PROTOCOL_SITE, OUT_PROTOCOL_COORDINATE, OUT_PROTOCOL_GROWTH, OUT_PROTOCOL_CANDIDATE,
)  # fmt: skip
"""The tables of a study of protocol sensitivity."""
