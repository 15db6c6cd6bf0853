"""Similar token sets, and the rules that ask for them: 3, 4, 5, 6 and 8 (METHODS 5).

Belongs here: the join over distinct token sets of one benchmark and the exact checks that tell these rules apart.
Does not belong here: rules that compare codes (`methods.pairing.profiles`).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import process
from rapidfuzz.distance import Indel

from methods.pairing.coded_names import NOTHING
from methods.pairing.compiled import Ints, Runner, as_ints
from methods.pairing.loops import (
    EXTRA_BITS,
    EXTRA_MASK,
    FIRST_SHIFT,
    MEMBER_MASK,
    SIZE_BITS,
    SOURCE_BITS,
    TOKEN_BITS,
    equal_pairs,
    expanded_pairs,
    similar_sets,
)
from methods.pairing.profiles import Profiles, group_starts, rule_bit
from warehouse.methodology import PairingRules, exactly

LONGEST_JOINED: Final = 100
"""Tokens of a set up to which signatures are made. Their number grows with the square of the size, so the rare longer
set is compared with every set that is long enough."""
CHECKED_AT_ONCE: Final = 1 << 18
"""Pairs whose texts are compared in one go: bounds memory."""

Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class TokenSets:
    """The distinct, not empty token sets of one benchmark's profiles, numbered by size.

    Attributes:
        starts, tokens: set s holds tokens[starts[s]:starts[s + 1]], rarest first; token numbers ascend in frequency.
        sources: bit mask of the source types among a set's profiles.
        member_starts, members: set s belongs to profiles members[member_starts[s]:member_starts[s + 1]].
    """

    starts: Ints
    tokens: Ints
    sources: Ints
    member_starts: Ints
    members: Ints

    @classmethod
    def of(cls, profiles: Profiles) -> Self:
        """The token sets of the profiles."""
        names = profiles.coded.names
        used, place = np.unique(profiles.name, return_inverse=True)
        sizes = names.token_starts[used + 1] - names.token_starts[used]
        owner = np.repeat(np.arange(len(used)), sizes)
        first = names.token_starts[used] - (np.cumsum(sizes) - sizes)
        flat = _by_rarity(names.tokens[np.repeat(first, sizes) + np.arange(len(owner))])
        width = int(flat.max(initial=0)) + 1
        ordered = np.sort(owner * width + flat) % width

        # names without a letter or digit have no set and are similar to nothing
        filled = np.flatnonzero(sizes)
        number, first_holder = _distinct_sets(ordered, sizes[filled])
        by_size = np.argsort(sizes[filled][first_holder], kind="stable")
        rank = np.empty(len(by_size), np.int64)
        rank[by_size] = np.arange(len(by_size))
        of_name = np.full(len(used), -1, np.int64)
        of_name[filled] = rank[number]
        holders = filled[first_holder[by_size]]
        starts = as_ints(np.append(0, np.cumsum(sizes[holders])))
        begin = (np.cumsum(sizes) - sizes)[holders]

        of_profile = of_name[place]
        order = np.lexsort((profiles.sources, of_profile))
        order = order[of_profile[order] >= 0]
        member_starts = group_starts(of_profile[order], len(holders))
        return cls(
            starts=starts,
            tokens=as_ints(ordered[np.repeat(begin - starts[:-1], sizes[holders]) + np.arange(starts[-1])]),
            sources=as_ints(np.bitwise_or.reduceat(profiles.sources[order], member_starts[:-1]) if len(order) else []),
            member_starts=member_starts,
            members=as_ints(order),
        )

    @property
    def sizes(self) -> Ints:
        """Tokens in each set."""
        return as_ints(np.diff(self.starts))

    def similar(self, bound: Fraction, run: Runner) -> Ints:
        """Packed pairs of different sets whose Jaccard index reaches a bound above one half, with the shared tokens."""
        token_bits = int(self.tokens.max(initial=0)).bit_length()
        set_bits = len(self.sizes).bit_length()
        if 2 * token_bits + set_bits > 63:
            raise OverflowError(f"{len(self.sizes)} distinct names of one benchmark are more than can be compared")
        top, bottom = bound.numerator, bound.denominator
        size = np.where(self.sizes <= LONGEST_JOINED, self.sizes, 0)
        # a set of size a shares at least ceil(2 top a / (top + bottom)) tokens with one as long or longer that reaches
        # the bound, and ceil(top a / bottom) with a shorter one; two of them stand among all but so many less two
        as_shorter = size + 2 + -2 * top * size // (top + bottom)
        as_longer = size + 2 + -top * size // bottom
        index = self._signatures(np.minimum(as_shorter, size), token_bits, set_bits)
        probe = self._signatures(np.minimum(as_longer, size), token_bits, set_bits)
        shortest = np.searchsorted(self.sizes, -(-top * np.arange(LONGEST_JOINED + 1) // bottom))
        digests = self._digests()
        at_index = digests[index & ((1 << set_bits) - 1)]
        sets = self.starts, self.tokens, digests, at_index, as_ints(shortest)
        joined = run(similar_sets, index, probe, set_bits, token_bits, *sets, top, bottom)
        return np.concatenate([joined, as_ints(list(self._long_pairs(bound)))])

    def _signatures(self, lengths: Ints, token_bits: int, set_bits: int) -> Ints:
        """Every two of the first `lengths` tokens of each set, packed with the set's number, sorted."""
        parts = [as_ints([])]
        for length in np.unique(lengths[lengths >= 2]).tolist():
            sets = np.flatnonzero(lengths == length)
            tokens = self.tokens[self.starts[sets][:, None] + np.arange(length)]
            i, j = np.triu_indices(length, 1)
            parts.append(((tokens[:, i] << token_bits | tokens[:, j]) << set_bits | sets[:, None]).ravel())
        packed = np.concatenate(parts)
        packed.sort()
        return packed

    def _digests(self) -> Ints:
        """What `similar_sets` reads of each set at one glance; of a set too long for it, the sources alone."""
        size = np.where(self.sizes <= LONGEST_JOINED, self.sizes, 0)
        scattered = self.tokens * 0x9E3779B1 % (1 << 32)  # the golden ratio of 2^32 spreads neighbours
        bits = np.int64(1) << (scattered * TOKEN_BITS >> 32)
        token_bits = np.bitwise_or.reduceat(bits, self.starts[:-1]) if len(self.sizes) else as_ints([])
        return as_ints((token_bits << SIZE_BITS | size) << SOURCE_BITS | self.sources)

    def _long_pairs(self, bound: Fraction) -> Iterator[int]:
        """Pairs of a set too long for signatures with each shorter or equally long set that reaches the bound."""
        first_long = int(np.searchsorted(self.sizes, LONGEST_JOINED, side="right"))
        for x in range(first_long, len(self.sizes)):
            long = self.tokens_of(x)
            for y in range(int(np.searchsorted(self.sizes, float(bound * len(long)) - 1)), x):
                other = self.tokens_of(y)
                shared = len(long & other)
                if shared >= bound * (len(long) + len(other) - shared):
                    yield y << FIRST_SHIFT | x << EXTRA_BITS | min(shared, EXTRA_MASK)

    def tokens_of(self, number: int) -> set[int]:
        """The tokens of a set."""
        return set(self.tokens[self.starts[number] : self.starts[number + 1]].tolist())


def similar_profiles(profiles: Profiles, rules: PairingRules, run: Runner) -> Ints:
    """Packed pairs of profiles with the bits of rules 3, 4, 5, 6 and 8."""
    sets = TokenSets.of(profiles)
    bounds = (
        rules.wrapper_head_jaccard,
        rules.containment_jaccard,
        rules.sequence_jaccard,
        rules.token_jaccard,
        rules.shared_backend_jaccard,
    )
    numbers = np.repeat(np.arange(len(sets.sizes)), np.diff(sets.member_starts))
    same = run(equal_pairs, sets.members, numbers, profiles.sources[sets.members])
    set_of = np.empty(len(profiles.name), np.int64)
    set_of[sets.members] = numbers
    same |= np.minimum(sets.sizes[set_of[same >> FIRST_SHIFT]], EXTRA_MASK)
    groups = sets.similar(min(map(exactly, bounds)), run)
    sides = (sets.member_starts, sets.members)
    pairs = np.concatenate([same, run(expanded_pairs, groups, *sides, *sides, profiles.sources)])

    a, b, shared = pairs >> FIRST_SHIFT, pairs >> EXTRA_BITS & MEMBER_MASK, pairs & EXTRA_MASK
    for k in np.flatnonzero(shared == EXTRA_MASK).tolist():  # more tokens than the packed form can say
        shared[k] = len(sets.tokens_of(int(set_of[a[k]])) & sets.tokens_of(int(set_of[b[k]])))
    joint = sets.sizes[set_of[a]] + sets.sizes[set_of[b]] - shared

    def reaches(bound: float) -> Flags:
        least = exactly(bound)
        return np.asarray(shared * least.denominator >= least.numerator * joint)

    names, u, v = profiles.coded.names, profiles.name[a], profiles.name[b]
    both_wrapped = names.is_wrapped[u] & names.is_wrapped[v]
    none_wrapped = ~(names.is_wrapped[u] | names.is_wrapped[v])
    same_head = (names.head[u] == names.head[v]) & (names.head[u] != NOTHING)
    same_backend = (names.backend[u] == names.backend[v]) & (names.backend[u] != NOTHING)
    sequence = _only_where(reaches(rules.sequence_jaccard), lambda k: _similar_sequences(profiles, u[k], v[k], rules))
    contained = _only_where(
        none_wrapped & reaches(rules.containment_jaccard), lambda k: _contained(profiles, u[k], v[k], rules)
    )
    mask = (
        (both_wrapped & same_head & reaches(rules.wrapper_head_jaccard)) * rule_bit("wrapper_head_and_token_similarity")
        | contained * rule_bit("name_containment")
        | sequence * rule_bit("token_and_sequence_similarity")
        | reaches(rules.token_jaccard) * rule_bit("token_similarity")
        | (same_backend & ~same_head & reaches(rules.shared_backend_jaccard))
        * rule_bit("wrapper_shared_backend_different_head")
    )
    hit = mask > 0
    return as_ints(pairs[hit] & ~EXTRA_MASK | mask[hit])


def _distinct_sets(tokens: Ints, sizes: Ints) -> tuple[Ints, Ints]:
    """The number of each set among the distinct ones, and a holder of each distinct one.

    Sets are told apart by a sum over their tokens and then compared in full; in the unheard-of case that two different
    ones share a sum, another sum is tried.

    Args:
        tokens: of all sets, one after the other, each set in the same order.
        sizes: of the sets, none empty.
    """
    starts = np.cumsum(sizes) - sizes
    place = np.arange(len(tokens)) - np.repeat(starts, sizes)
    for attempt in itertools.count():
        weights = np.random.default_rng(attempt).integers(0, 1 << 63, int(tokens.max(initial=0)) + 1)
        sums = np.add.reduceat(weights[tokens], starts) if len(starts) else as_ints([])
        _, holder, number = np.unique(sums, return_index=True, return_inverse=True)
        is_alike = np.array_equal(sizes[holder][number], sizes)
        if is_alike and np.array_equal(tokens[np.repeat(starts[holder][number], sizes) + place], tokens):
            return as_ints(number), as_ints(holder)
    raise AssertionError("unreachable")


def _by_rarity(tokens: Ints) -> Ints:
    """The tokens renumbered so that a rarer one has a smaller number."""
    counts = np.bincount(tokens)
    codes = np.flatnonzero(counts)
    rank = np.empty(len(counts), np.int64)
    rank[codes[np.argsort(counts[codes], kind="stable")]] = np.arange(len(codes))
    return as_ints(rank[tokens])


def _only_where(wanted: Flags, check: Callable[[Ints], Flags]) -> Flags:
    """A check made only where wanted, in bounded portions; elsewhere false."""
    places = np.flatnonzero(wanted)
    flags = np.zeros(len(wanted), dtype=bool)
    for begin in range(0, len(places), CHECKED_AT_ONCE):
        portion = places[begin : begin + CHECKED_AT_ONCE]
        flags[portion] = check(portion)
    return flags


def _similar_sequences(profiles: Profiles, u: Ints, v: Ints, rules: PairingRules) -> Flags:
    """Rule 5's second half: Indel similarity of the suffix-stripped names."""
    stripped = profiles.coded.names.stripped
    left, right = [stripped[k] for k in u.tolist()], [stripped[k] for k in v.tolist()]
    lengths = [len(a) + len(b) for a, b in zip(left, right, strict=True)]
    distances = process.cpdist(left, right, scorer=Indel.distance, dtype=np.int64)
    slack = 1 - exactly(rules.sequence_similarity)
    return np.asarray(distances * slack.denominator <= as_ints(lengths) * slack.numerator)


def _contained(profiles: Profiles, u: Ints, v: Ints, rules: PairingRules) -> Flags:
    """Rule 4's first half: the shorter normalized name is long enough and stands in the longer."""
    texts, normal, least = profiles.coded.texts, profiles.coded.names.normal, rules.containment_length
    left, right = [texts[code] for code in normal[u].tolist()], [texts[code] for code in normal[v].tolist()]
    sides = zip(left, right, strict=True)
    return np.array([(a in b and len(a) >= least) or (b in a and len(b) >= least) for a, b in sides], dtype=bool)
