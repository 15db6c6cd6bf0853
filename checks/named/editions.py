"""Boards that their publisher replaced by another edition since the last release: what is gone with it is no loss.

Belongs here: which boards these are, and how a verdict says it. sources.yaml states it, in a reviewed commit, for the
days around one boundary: `edition` of the entry, and `edition` of the `former` layout that ended on the day before. A
board that merely lost rows or models states no such thing, and fails its gates.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from checks.gate_inputs import Finding, GateInputs
from checks.named.shares import TOLD
from checks.plain_json import short


def replaced_boards(inputs: GateInputs) -> dict[str, str]:
    """Leaderboards of another edition than the last release's: leaderboard → both editions, in words.

    Reads `raw__snapshot`: an edition is the one that the entry states for the day its snapshot is known from.
    """
    known = inputs.baseline_figures().known
    found = {}
    for board, synced_at in inputs.frame("raw__snapshot").select("leaderboard", "synced_at").sort("leaderboard").rows():
        source = inputs.catalog.source_by_id.get(board)
        if source is None or synced_at is None or board not in known:
            continue
        before, now = source.at(known[board]).edition, source.at(synced_at.date()).edition
        if before is not None and now is not None and before != now:
            found[board] = f"{board} {before} -> {now}"
    return found


def beside_replaced(finding: Finding, replaced: Mapping[str, str]) -> Finding:
    """A finding that says which boards it did not compare. With no other board to look at, these were looked at."""
    if not replaced:
        return finding
    told = ", ".join(short(text, 80) for _, text in sorted(replaced.items())[:TOLD])
    more = f" and {len(replaced) - TOLD} more" if len(replaced) > TOLD else ""
    said = f"replaced by another edition, as sources.yaml states, and so not compared: {told}{more}; {finding.detail}"
    return replace(finding, detail=said, evaluated=finding.evaluated or len(replaced))
