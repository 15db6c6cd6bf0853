"""Near-duplicates across splits: every pair of texts whose similarity reaches a bound, exactly (METHODS 12).

Belongs here: finding the pairs. Does not belong here: what follows from one (`methods.regression.rules`). Similarity is
that of RapidFuzz's Indel, 1 - d / (l1 + l2), of texts in NFKC, case-folded, with single spaces. It is compared as a
whole number of edits, so that a border case is no accident. Two texts can only reach the bound if their lengths are
close, which leaves few to compare.
"""

from __future__ import annotations

import bisect
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import numpy as np

_BLOCK: Final = 512
"""Texts compared at a time: bounds the memory, and moves no result."""


@dataclass(frozen=True, slots=True)
class NearPair:
    """Two texts by their place, the earlier first, and their similarity."""

    first: int
    second: int
    similarity: float


def comparable(text: str) -> str:
    """A text as it is compared: NFKC, case-folded, single spaces."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def near_pairs(texts: Sequence[str], groups: Sequence[str], least: float) -> list[NearPair]:
    """Every pair of texts of different groups whose similarity is at least a bound, in order of their places.

    Args:
        texts: as `comparable` gives them.
        groups: the group of each; pairs within one are not looked for.
        least: the bound, above 0.5, read as its shortest decimal.
    """
    from rapidfuzz.distance import Indel
    from rapidfuzz.process import cdist

    apart = 1 - Fraction(repr(least))
    order = sorted(range(len(texts)), key=lambda place: (len(texts[place]), place))
    by_group: dict[str, list[int]] = {}
    for place in order:
        by_group.setdefault(groups[place], []).append(place)
    names, found = sorted(by_group), []
    for number, name in enumerate(names):
        for other in names[number + 1 :]:
            mine, theirs = by_group[name], by_group[other]
            lengths = [len(texts[place]) for place in theirs]
            for start in range(0, len(mine), _BLOCK):
                block = mine[start : start + _BLOCK]
                low, high = _window(len(texts[block[0]]), len(texts[block[-1]]), apart)
                near = theirs[bisect.bisect_left(lengths, low) : bisect.bisect_right(lengths, high)]
                if not near:
                    continue
                most = int(apart * (len(texts[block[-1]]) + len(texts[near[-1]])))
                edits = cdist(
                    [texts[place] for place in block], [texts[place] for place in near], scorer=Indel.distance,
                    score_cutoff=most, dtype=np.int32,
                )  # fmt: skip
                for a, b in zip(*np.nonzero(edits <= most), strict=True):
                    one, two, distance = block[int(a)], near[int(b)], int(edits[a, b])
                    whole = len(texts[one]) + len(texts[two])
                    if distance <= apart * whole:
                        similarity = 1.0 if whole == 0 else 1 - distance / whole
                        found.append(NearPair(min(one, two), max(one, two), similarity))
    return sorted(found, key=lambda pair: (pair.first, pair.second))


def _window(shortest: int, longest: int, apart: Fraction) -> tuple[int, int]:
    """Lengths that a text may have to be near one of `shortest` to `longest` signs: |l1 - l2| <= apart (l1 + l2)."""
    ratio = (1 - apart) / (1 + apart)
    low, high = shortest * ratio, longest / ratio
    return -(-low.numerator // low.denominator), high.numerator // high.denominator
