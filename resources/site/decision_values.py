"""What a page of a release decision shows, from the rows of its tables.

Belongs here: rows into short texts. Does not belong here: any figure that a table does not hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from methods.decision.verdict import Instability
from methods.decision.words import VERDICT_WORDS, bounds_words, detects_words, figure, instability_words
from resources.site.decision_figures import comparisons
from resources.site.rendering import words

Row = dict[str, Any]


def decision_values(row: Row, gates: Sequence[Row], levels: Sequence[Row]) -> dict[str, Any]:
    """The values of one decision.

    Args:
        row: of out__release_decision.
        gates: of out__release_decision_gate, in their order.
        levels: of out__release_decision_level.
    """
    compared = [gate for gate in gates if gate["kind"] in {"objective", "slice"} and gate["estimate"] is not None]
    has_unparsed = any(level["parse_failures"] for level in levels)
    measured = Instability(row["redraws"], row["flips"], row["flip_rate"], row["flip_reason"])
    return {
        "row": row,
        "words": VERDICT_WORDS[row["verdict"]].partition(": ")[2],
        "margin": f"{row['margin_pp']:+g}",
        "alpha": f"{row['alpha']:g}",
        "needed": figure(row["needed_tasks"]),
        "figure": comparisons(row["study"], compared) if compared else None,
        "open": [gate for gate in gates if gate["outcome"] != "pass"],
        "gates": [_gate(gate) for gate in gates],
        "levels": [_level(one) for one in levels if has_unparsed or one["parse_view"] == "as_failures"],
        "instability": instability_words(measured),
    }


def _gate(gate: Row) -> Row:
    unit = gate["unit"]
    return {
        "gate": gate["gate"],
        "outcome": gate["outcome"],
        "estimate": figure(gate["estimate"], unit),
        "bounds": bounds_words(gate["low"], gate["high"], unit),
        "limit": figure(gate["threshold"], unit),
        "tasks": figure(gate["tasks"] or None),
        "detectable": detects_words(gate["kind"], gate["detectable"], unit),
        "needed": figure(gate["needed_tasks"]),
        "method": words(gate["method"]) if gate["method"] else "—",
        "detail": gate["detail"],
    }


def _level(level: Row) -> Row:
    shown = "—" if level["share"] is None else f"{100 * level['share']:.1f}%"
    if level["share_low"] is not None:
        shown += f" [{100 * level['share_low']:.1f}, {100 * level['share_high']:.1f}]"
    counts = ("tasks", "rows", "parse_failures", "infrastructure_failures", "voided")
    return {**level, "level": shown, **{name: f"{level[name]:,}" for name in counts}}
