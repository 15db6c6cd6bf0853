"""PSS and winner swap a second time, slowly, in fractions, sharing no code with `methods.protocols`."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations

Side = Mapping[tuple[str, str], Mapping[str, float | None]]
"""Loss by (site, coordinate) and candidate."""


def tau_b(a: Sequence[float], b: Sequence[float]) -> float | None:
    """Kendall's tau-b by its definition; None where it is undefined."""
    balance = untied_a = untied_b = 0
    for i, j in combinations(range(len(a)), 2):
        first = (a[i] > a[j]) - (a[i] < a[j])
        second = (b[i] > b[j]) - (b[i] < b[j])
        balance += first * second
        untied_a += abs(first)
        untied_b += abs(second)
    return balance / math.sqrt(untied_a * untied_b) if untied_a and untied_b else None


def naive_sites(a: Side, b: Side, weights: Mapping[tuple[str, str], float]) -> dict[str, dict[str, object]]:
    """Of every site: pss, swap share as a fraction, swapped, coordinates used and dropped."""
    of_site: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for place in sorted(set(a) | set(b)):
        of_site[place[0]].append(place)
    found = {}
    for site, places in of_site.items():
        weight = moved = 0.0
        exact = swapped = Fraction(0)
        used = 0
        for place in places:
            one, other = a.get(place, {}), b.get(place, {})
            common = [name for name in sorted(one) if one[name] is not None and other.get(name) is not None]
            x, y = [one[name] for name in common], [other[name] for name in common]
            tau = tau_b(x, y) if len(common) > 1 else None
            if tau is None:
                continue
            used += 1
            weight += weights[place]
            moved += weights[place] * (1 - tau)
            exact += Fraction(weights[place])
            best_x = {name for name, value in zip(common, x, strict=True) if value == min(x)}
            best_y = {name for name, value in zip(common, y, strict=True) if value == min(y)}
            swapped += 0 if best_x & best_y else Fraction(weights[place])
        found[site] = {
            "pss": moved / weight if used else None,
            "share": swapped / exact if used else None,
            "is_swapped": used > 0 and swapped / exact > Fraction(1, 2),
            "used": used,
            "dropped": len(places) - used,
        }
    return found
