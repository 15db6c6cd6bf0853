"""Column dictionary, protocol sensitivity: how far rankings move between lawful protocols (METHODS 8)."""

from __future__ import annotations

from typing import Final

from warehouse.columns import Column

_STUDY = "methods.protocols.study:protocol_tables"
_SITES = "methods.protocols.shifts:site_shifts"
_PANEL = "methods.protocols.shifts:panel_shift"
_TAU = "methods.protocols.rank_agreement:agreement"
_RESOLUTION = "methods.protocols.shifts:resolution"
_GROWTH = "methods.protocols.growth:growth"
_RANKS = "methods.protocols.growth:mean_ranks"
_BUILT = "methods.protocols.panel:build_panel"
_SHIFT = "PSS, 0 to 2"
_SHARE = "0 to 1"

PROTOCOLS: Final[dict[str, Column]] = {
    "comparison": Column("text", "across two protocols, within one, or its A/A control.", _STUDY),
    "protocol_a": Column("text", "The protocol compared.", _STUDY),
    "protocol_b": Column("text", "The other protocol; the same one within a protocol and in its control.", _STUDY),
    "convention": Column("text", "The declared convention held against the protocol as it stands.", _STUDY),
    "out__protocol_candidate.protocol": Column("text", "The protocol.", _BUILT),
    "out__protocol_candidate.convention": Column("text", "Its convention; null for the protocol as it stands.", _BUILT),
    "site": Column("text", "The population that one winner is chosen for.", _BUILT),
    "coordinate": Column("text", "What is measured at the site: a horizon, a task, a metric.", _BUILT),
    "candidate": Column("text", "What is ranked.", _BUILT),
    "sites": Column("integer", "Sites with a PSS.", _PANEL, "sites"),
    "undefined_sites": Column("integer", "Sites whose coordinates were all dropped; in no mean.", _PANEL, "sites"),
    "candidates": Column("integer", "M: candidates that a coordinate compares, at most.", _SITES, "candidates"),
    "coordinates": Column("integer", "H: coordinates that a site uses, at most.", _SITES, "coordinates"),
    "out__protocol_candidate.coordinates": Column(
        "integer", "Coordinates of all sites with a loss of the candidate.", _RANKS, "coordinates"
    ),
    "out__protocol_growth.candidates": Column("integer", "Candidates that have joined.", _GROWTH, "candidates"),
    "mean_pss": Column("number", "Mean over sites of the PSS; of a control, also over its pairs.", _PANEL, _SHIFT),
    "pss_low": Column(
        "number", "Lower end of its 95% interval over sites drawn anew; of a control, over its pairs.", _PANEL, _SHIFT
    ),
    "pss_high": Column("number", "Upper end of that interval.", _PANEL, _SHIFT),
    "swapped_sites": Column("integer", "Sites whose winner is swapped; null for a control.", _PANEL, "sites"),
    "out__protocol_panel.swap_share": Column("number", "Share of sites whose winner is swapped.", _PANEL, _SHARE),
    "out__protocol_growth.swap_share": Column("number", "Share of sites whose winner is swapped.", _GROWTH, _SHARE),
    "out__protocol_site.swap_share": Column(
        "number", "Weighted share of coordinates with another best candidate; of a control, share of pairs that swap "
        "the site.", _SITES, _SHARE,
    ),
    "swap_low": Column("number", "Lower end of its 95% Wilson interval; of a control, over its pairs.", _PANEL, _SHARE),
    "swap_high": Column("number", "Upper end of that interval.", _PANEL, _SHARE),
    "resolution": Column(
        "number", "4/(M(M−1)H): the smallest step of a site's PSS where nothing is missing or tied.", _RESOLUTION,
        _SHIFT,
    ),
    "is_resolution_exact": Column(
        "boolean", "Whether that holds: complete, untied, equal weights, M and H everywhere the same.", _SITES
    ),
    "dropped_coordinates": Column(
        "integer", "Coordinates whose tau is undefined: out of both figures, their weight to the others.", _SITES,
        "coordinates",
    ),
    "tied_wins": Column(
        "integer", "Used coordinates where either side has several best candidates.", _SITES, "coordinates"
    ),
    "left_out_units": Column(
        "integer", "Losses of units that not every candidate of the coordinate has.", _BUILT, "losses"
    ),
    "candidate_set_sha256": Column(
        "text", "SHA-256 of the compared candidates' names: another set, and no verdict carries over.", _STUDY
    ),
    "out__protocol_panel.reason_code": Column("text", "Why a figure is missing; null where none is.", _PANEL),
    "out__protocol_site.reason_code": Column("text", "Why the site has no PSS; null where it has.", _STUDY),
    "out__protocol_coordinate.reason_code": Column(
        "text", "Why the coordinate is dropped; null where it counts.", "methods.protocols.shifts:drop_reason"
    ),
    "pss": Column("number", "Σ w (1 − tau) / Σ w over the site's coordinates; of a control, mean over pairs.", _SITES,
                  _SHIFT),
    "is_swapped": Column("boolean", "Whether coordinates with another winner weigh more than half.", _SITES),
    "out__protocol_coordinate.weight": Column("number", "Weight of the coordinate within its site.", _BUILT),
    "tau": Column("number", "Kendall's tau-b of the two rankings; null where it is undefined.", _TAU, "−1 to 1"),
    "is_winner_changed": Column(
        "boolean", "Whether the sets of best candidates share no member; null where dropped.", _TAU
    ),
    "winners_a": Column("text_list", "Best candidates on the first side, among the compared.", _TAU),
    "winners_b": Column("text_list", "Best candidates on the second side, among the compared.", _TAU),
    "growth_order": Column("text", "How candidates join: declared, best first, or over keyed random orders.", _GROWTH),
    "joined": Column("text_list", "Candidates that joined at this size; none for random orders.", _GROWTH),
    "mean_rank": Column(
        "number", "Mean over coordinates of the rank among measured candidates, ties shared.", _RANKS, "rank"
    ),
    "out__protocol_candidate.place": Column("integer", "Place by mean rank; ties share the better place.", _STUDY),
    "wins": Column("integer", "Coordinates where the candidate is best, alone or tied.", _STUDY, "coordinates"),
}  # fmt: skip
