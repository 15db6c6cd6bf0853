"""What to record so that more pairs become usable, over all pairs (METHODS 5).

Belongs here: counting the smallest sets of fields. Does not belong here: the fields of one pair
(`methods.pairing.alignment`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from methods.pairing.alignment import Alignment


@dataclass(frozen=True, slots=True)
class FieldUnlock:
    """One field over all pairs.

    Attributes:
        field: its name.
        alone: pairs that recording this field alone would make alignable.
        unstated: pairs in which it is not stated on both sides.
        differs: pairs in which the two sides contradict each other in it.
    """

    field: str
    alone: int
    unstated: int
    differs: int


@dataclass(frozen=True, slots=True)
class SetUnlock:
    """One smallest set over all pairs.

    Attributes:
        fields: what to record.
        exactly: pairs whose smallest set is this one.
        usable: pairs that recording these fields would make alignable, smaller needs included.
    """

    fields: tuple[str, ...]
    exactly: int
    usable: int

    @property
    def sentence(self) -> str:
        """The finding in words."""
        pairs = "1 pair becomes" if self.usable == 1 else f"{self.usable} pairs become"
        return f"record {_spoken(self.fields)} on both sides, and {pairs} usable if the records agree"


@dataclass(frozen=True, slots=True)
class Unlocking:
    """What recording would bring, over all pairs.

    Attributes:
        pairs: how many were looked at.
        alignable: how many can be aligned as they are.
        contradicted: how many state something different, which no recording mends.
        fields: by field, those that unlock most first, then those unstated most often, then by name.
        sets: smallest sets, those that make most pairs usable with fewest fields first.
    """

    pairs: int
    alignable: int
    contradicted: int
    fields: tuple[FieldUnlock, ...]
    sets: tuple[SetUnlock, ...]


def unlock_counts(alignments: Iterable[Alignment]) -> Unlocking:
    """Which field, and which smallest set of fields, would make how many pairs alignable."""
    looked_at = list(alignments)
    needs: Counter[tuple[str, ...]] = Counter()
    contradicted = 0
    for alignment in looked_at:
        if alignment.to_record is None:
            contradicted += 1
        else:
            needs[alignment.to_record] += 1
    alignable = needs.pop((), 0)
    unstated = Counter(name for alignment in looked_at for name in alignment.having("unstated"))
    differs = Counter(name for alignment in looked_at for name in alignment.having("differs"))
    fields = [
        FieldUnlock(name, needs[(name,)], unstated[name], differs[name]) for name in sorted({*unstated, *differs})
    ]
    sets = [
        SetUnlock(need, count, sum(other for smaller, other in needs.items() if set(smaller) <= set(need)))
        for need, count in needs.items()
    ]
    return Unlocking(
        pairs=len(looked_at),
        alignable=alignable,
        contradicted=contradicted,
        fields=tuple(sorted(fields, key=lambda found: (-found.alone, -found.unstated, found.field))),
        sets=tuple(sorted(sets, key=lambda found: (-found.usable, len(found.fields), found.fields))),
    )


def _spoken(fields: tuple[str, ...]) -> str:
    words = [name.replace("_", " ") for name in fields]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
