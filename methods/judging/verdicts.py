"""The verdicts on a cascade's row: does q order errors, does the loss keep the tolerance, does it save (METHODS 10).

Belongs here: three-valued verdicts and the sentences that say them, for gates and commands alike. A closed cascade
loses nothing and saves nothing: it passes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from warehouse.judge_words import CascadeVerdict, OpenState
from warehouse.methodology import Judging
from warehouse.plain_text import counted, one_line

Row = Mapping[str, Any]

WHY_CLOSED: dict[OpenState, str] = {
    "open": "open",
    "no_items": "no selection item has both a gold label and a decision of the fallback",
    "auroc_undefined": "the judge was never wrong, or never right, on the selection items",
    "auroc_below_limit": "q does not order the judge's errors",
    "none_qualifies": "no threshold keeps the tolerance",
}


def order_verdict(row: Row, least: float) -> CascadeVerdict:
    """Whether q orders errors on the held-out items of an open cascade.

    Args:
        row: of out__judge_cascade.
        least: the limit of AUROC.
    """
    if row["tau"] is None:
        return "pass"
    if row["held_out_auroc"] is None:
        return "inconclusive"
    return "pass" if row["held_out_auroc"] >= least else "fail"


def named(row: Row) -> str:
    """Which cascade a row is of."""
    return f"{one_line(row['judge'])}, else {one_line(row['fallback'])}, on {one_line(row['task_type'])}"


def opened(row: Row) -> str:
    """Whether it is open, and at which threshold."""
    if row["tau"] is None:
        return f"closed, everything escalates: {WHY_CLOSED[row['open_state']]}"
    said = f"open at tau = {row['tau']:.2f} (rule {row['rule']})"
    return f"{said}, the lowest: no escalation by confidence" if row["is_no_escalation"] else said


def cost_sentence(row: Row) -> str:
    """What it costs beside the fallback alone; says where it saves nothing or nobody knows."""
    used, conservative = row["cost_ratio"], row["conservative_cost_ratio"]
    if row["tau"] is None:
        return "what the fallback alone costs: the judge need not be asked"
    if used is None and conservative is None:
        return "cost not known: usage of judge or fallback is not tracked"
    parts = []
    if used is not None:
        parts.append(f"{used:.1%} of the fallback's cost as used")
    if conservative is None:
        parts.append("conservatively not known, since missing usage states no reserve")
    else:
        parts.append(f"{conservative:.1%} with missing usage at its reserve")
    dear = max(one for one in (used, conservative) if one is not None)
    return f"{', '.join(parts)}{': more than the fallback alone' if dear > 1 else ''}"


def held_against(row: Row, limit_pp: float, judging: Judging) -> tuple[CascadeVerdict, str]:
    """The verdict on a cascade's held-out loss against a limit, and what would decide an inconclusive one.

    Args:
        row: of out__judge_cascade.
        limit_pp: percentage points.
        judging: level of the bound; tolerance that `items_to_decide` was counted for.
    """
    if not row["held_out_items"]:
        return "inconclusive", "no held-out item; gold labels and decisions of the fallback on other items would decide"
    items = counted(row["held_out_items"], "held-out item")
    if row["tau"] is None:
        return "pass", f"closed, loses nothing on {items}"
    said = f"loses {row['loss_pp']:.2f} points on {items}"
    if row["loss_pp"] > limit_pp:
        return "fail", f"{said}, against {limit_pp:g}"
    bound = f"{said}, at most {row['loss_bound_pp']:.2f} at {judging.bound_level:.0%}, against {limit_pp:g}"
    if row["loss_bound_pp"] <= limit_pp:
        return "pass", bound
    needed = row["items_to_decide"]
    return "inconclusive", f"{bound}; {f'about {needed:,}' if needed else 'more, and other,'} items would decide"
