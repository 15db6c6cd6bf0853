"""A share held against a limit, group by group, and printed as it was compared (C15, C16).

Belongs here: the comparison on raw numbers and its wording. What is counted is each gate's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from checks.gate_inputs import Finding
from checks.plain_json import short

TOLD: Final = 5
"""Groups at fault that a sentence names; the record beside the verdict holds up to twenty."""


@dataclass(frozen=True, slots=True)
class Share:
    """`part` of `whole` of one group, which may not exceed `limit`."""

    name: str
    part: int
    whole: int
    limit: float
    note: str = ""

    @property
    def value(self) -> float:
        """The share, unrounded; 0 of 0 is 0."""
        return self.part / self.whole if self.whole else 0.0

    @property
    def fails(self) -> bool:
        """Whether the unrounded share exceeds the limit."""
        return self.value > self.limit

    def text(self) -> str:
        """The comparison as it was made, with exact numerator and denominator."""
        told = f"{short(self.name, 80)} {compared(self.part, self.whole, self.limit)}"
        return f"{told} ({short(self.note, 80)})" if self.note else told


def compared(part: int, whole: int, limit: float) -> str:
    """The exact fraction, the relation it has to the limit, and the limit: `8/13 < 0.64`."""
    value = part / whole if whole else 0.0
    relation = ">" if value > limit else "<" if value < limit else "="
    return f"{part}/{whole} {relation} {limit!r}"


def judge_shares(shares: Sequence[Share], what: str) -> Finding:
    """The finding over all groups: fails if any share exceeds its limit; the figure is the one that exceeds most.

    Args:
        shares: one a group, in a fixed order.
        what: what the share is of, as a sentence begins.
    """
    if not shares:
        return Finding("pass", None, 0, 0, f"{what}: nothing to count")
    failing = sorted(
        (share for share in shares if share.fails), key=lambda share: (share.limit - share.value, share.name)
    )
    worst = failing[0] if failing else max(shares, key=lambda share: share.value - share.limit)
    if failing:
        told = "; ".join(share.text() for share in failing[:TOLD])
        more = f"; and {len(failing) - TOLD} more" if len(failing) > TOLD else ""
        detail = f"{what}: {len(failing)} of {len(shares)} over the limit: {told}{more}"
    else:
        detail = f"{what}: none of {len(shares)} over the limit, nearest {worst.text()}"
    return Finding(
        outcome="fail" if failing else "pass",
        figure=worst.value,
        evaluated=len(shares),
        failed=len(failing),
        detail=detail,
        examples=tuple(
            {"name": share.name, "part": share.part, "whole": share.whole, "limit": share.limit, "note": share.note}
            for share in failing[:20]
        ),
        threshold=worst.limit,
    )
