"""Comparisons of protocols in words, the same on a terminal and on a page (METHODS 8).

Belongs here: sentences over rows of `out__protocol_panel`. Does not belong here: any figure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from warehouse.plain_text import one_line

Row = Mapping[str, Any]


def measured_against(row: Row, panel: Sequence[Row]) -> str:
    """How a comparison of two protocols stands beside conventions within them and their controls, in a sentence.

    Args:
        row: of two protocols. panel: every row of its study.
    """
    names = (row["protocol_a"], row["protocol_b"])
    if row["mean_pss"] is None:
        return f"{names[0]} and {names[1]}: nothing is left to compare"
    parts = []
    for kind, what in (("within", "conventions within them"), ("control", "units drawn anew")):
        found = [
            one["mean_pss"]
            for one in panel
            if one["comparison"] == kind and one["protocol_a"] in names and one["mean_pss"] is not None
        ]
        if not found:
            parts.append(f"{what}: not known")
        elif max(found) > 0:
            parts.append(f"{what}: {max(found):.3f} at most, {row['mean_pss'] / max(found):.1f} times less")
        else:
            parts.append(f"{what}: 0 at most")
    said = f"{names[0]} and {names[1]}: mean PSS {row['mean_pss']:.3f}, {row['swap_share']:.1%} of sites change winner"
    return one_line(f"{said} ({'; '.join(parts)})")


def compared(row: Row) -> str:
    """What a comparison compares."""
    if row["comparison"] == "across":
        return f"{row['protocol_a']} ~ {row['protocol_b']}"
    if row["comparison"] == "control":
        return f"{row['protocol_a']}, units drawn anew"
    return f"{row['protocol_a']}, {row['convention'] or 'no convention declared'}"
