"""Holm's adjustment of several p (Holm, Scandinavian Journal of Statistics 6 (1979) 65-70; METHODS 12).

Belongs here: the adjustment. That every critical slice must pass needs none; only claims about single slices do.
"""

from __future__ import annotations

from collections.abc import Mapping


def holm(p_values: Mapping[str, float]) -> dict[str, float]:
    """Adjusted p by name: the i-th smallest of m times (m - i + 1), never below the one before, at most 1."""
    ordered = sorted(p_values.items(), key=lambda item: (item[1], item[0]))
    adjusted: dict[str, float] = {}
    highest = 0.0
    for place, (name, p) in enumerate(ordered):
        highest = max(highest, min(1.0, p * (len(ordered) - place)))
        adjusted[name] = highest
    return adjusted
