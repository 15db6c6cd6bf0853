"""What a published comparison of two results supports, and what it does not (METHODS 5).

Belongs here: the surface difference of a pair and the sentence that must stand beside it. Does not belong here:
differences of aligned pairs and their statistics (`methods.statistics`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from methods.pairing.alignment import Alignment
from methods.statistics.percentage_points import percentage
from warehouse.pairing_words import direction_of
from warehouse.vocabulary import SOURCE_TYPES

_WORDS = {
    "steps": "step budget",
    "benchmark_version": "question-set version",
    "samples": "number of samples",
    "runs": "number of runs",
    "observation": "observation input",
}


@dataclass(frozen=True, slots=True)
class PairScope:
    """A comparison's scope.

    Attributes:
        direction: which source type is subtracted from which.
        difference_pp: exact difference in percentage points, as published; None where the values have none.
        supports: what the comparison says.
        does_not_support: what it does not say, and must not be read as.
    """

    direction: str
    difference_pp: Decimal | None
    supports: str
    does_not_support: str

    @property
    def sentence(self) -> str:
        """Both, as one sentence to print beside the figure."""
        return f"{self.supports}: {self.does_not_support}."


def surface_difference_pp(a: Mapping[str, Any], b: Mapping[str, Any]) -> Decimal | None:
    """The published values' difference in percentage points, in the pair's direction, neither flipped nor aligned.

    Exact in the decimals as stated; None where a value is missing or has no percentage unit.
    """
    later, earlier = sorted((a, b), key=lambda row: SOURCE_TYPES.index(row["source_type"]), reverse=True)
    values = [percentage(row["value"], row["unit"]).points for row in (later, earlier)]
    return None if values[0] is None or values[1] is None else values[0] - values[1]


def pair_scope(a: Mapping[str, Any], b: Mapping[str, Any], alignment: Alignment) -> PairScope:
    """What a comparison of two rows of `core__result` supports, given their alignment."""
    direction = direction_of(a["source_type"], b["source_type"])
    difference = surface_difference_pp(a, b)
    figure = "" if difference is None else f" of {difference:+f} percentage points ({direction.replace('_', ' ')})"
    if alignment.is_alignable:
        return PairScope(
            direction,
            difference,
            f"a difference{figure} between sources; every asked-for field stated and equal",
            "one pair, no claim about a source type in general",
        )
    facts = [
        f"{_listed(fields)} {verb}"
        for verb, fields in (
            ("equal", [name for name in alignment.having("equal") if name not in ("benchmark", "metric")]),
            ("different", alignment.having("differs")),
            ("not stated on both sides", alignment.having("unstated")),
        )
        if fields
    ]
    return PairScope(
        direction, difference, f"a surface difference{figure}; {', '.join(facts)}", "no claim about the source"
    )


def _listed(fields: list[str] | tuple[str, ...]) -> str:
    words = [_WORDS.get(name, name.replace("_", " ")) for name in fields]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
