"""The methods once more, in plain Python integers and fractions, straight from the texts: slow, and easy to check."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction
from math import comb

MASK = 2**64 - 1


def mix(z: int) -> int:
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def resample(seed: int, number: int, count: int) -> list[int]:
    """The draws of one resample, as the docstring of keyed_random writes them out."""
    key = mix((mix(seed) + number * 0xD1342543DE82EF95 + 1) & MASK)
    drawn = []
    for position in range(count):
        word = mix((key + (position // 2 + 1) * 0x9E3779B97F4A7C15) & MASK)
        half = word >> 32 if position % 2 else word & 0xFFFFFFFF
        drawn.append((half * count) >> 32)
    return drawn


def type_7(values: Sequence[Fraction], probability: Fraction) -> Fraction:
    ordered = sorted(values)
    position = (len(ordered) - 1) * probability
    below = int(position)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (position - below) * (ordered[above] - ordered[below])


def median(values: Sequence[int]) -> Fraction:
    return type_7([Fraction(value) for value in values], Fraction(1, 2))


def bootstrap(
    differences: Sequence[int], clusters: Sequence[Hashable], seed: int, resamples: int, level: Fraction
) -> tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]]:
    """Percentile intervals of mean and median, exact, in the unit of the differences."""
    members: dict[Hashable, list[int]] = {}
    for difference, cluster in zip(differences, clusters, strict=True):
        members.setdefault(cluster, []).append(difference)
    ordered = sorted(sorted(values) for values in members.values())
    means, medians = [], []
    for number in range(resamples):
        drawn = [value for place in resample(seed, number, len(ordered)) for value in ordered[place]]
        means.append(Fraction(sum(drawn), len(drawn)))
        medians.append(median(drawn))
    ends = (1 - level) / 2, (1 + level) / 2
    return (
        (type_7(means, ends[0]), type_7(means, ends[1])),
        (type_7(medians, ends[0]), type_7(medians, ends[1])),
    )


def sign_p(positive: int, negative: int) -> Fraction:
    """Sum of the probabilities of all splits no likelier than the observed one (the other definition of two-sided)."""
    n = positive + negative
    ways = [comb(n, k) for k in range(n + 1)]
    return Fraction(sum(way for way in ways if way <= ways[positive]), 2**n)
