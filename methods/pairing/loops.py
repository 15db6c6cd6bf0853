"""The loops of the fast generator: plain integers in, packed pairs out; interpreted and compiled alike.

Belongs here: joins over codes, token sets and bytes. Does not belong here: names, rules or thresholds as words. A pair
is packed as (first << 24 | second) << 15 | extra. `sources` is a bit mask of the source types present at a member: two
members whose masks are one and the same single bit can give no pair across sources and are passed over.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from methods.pairing.compiled import Ints

MEMBER_BITS: Final = 24
EXTRA_BITS: Final = 15
FIRST_SHIFT: Final = MEMBER_BITS + EXTRA_BITS
MEMBER_MASK: Final = (1 << MEMBER_BITS) - 1
EXTRA_MASK: Final = (1 << EXTRA_BITS) - 1
SOURCE_BITS: Final = 4
SOURCE_MASK: Final = (1 << SOURCE_BITS) - 1
SIZE_BITS: Final = 7
SIZE_MASK: Final = (1 << SIZE_BITS) - 1
TOKEN_BITS: Final = 52
# masks of the usual count of set bits by halves
ODD_BITS: Final = 0x5555555555555555
BIT_PAIRS: Final = 0x3333333333333333
HALF_BYTES: Final = 0x0F0F0F0F0F0F0F0F


def equal_pairs(members: Sequence[int], codes: Sequence[int], sources: Sequence[int]) -> Ints:
    """Pairs of members with equal codes, a member with itself included where it has several source types.

    Args:
        members, codes, sources: parallel, sorted by code, then by sources.
    """
    found = np.empty(1024, np.int64)
    count = 0
    start = 0
    while start < len(members):
        end = start + 1
        while end < len(members) and codes[end] == codes[start]:
            end += 1
        block = start
        while block < end:
            stop = block + 1
            while stop < end and sources[stop] == sources[block]:
                stop += 1
            is_single = sources[block] & (sources[block] - 1) == 0
            for u in range(block, stop):
                for v in range(stop if is_single else u, end):
                    if count == len(found):
                        larger = np.empty(2 * count, np.int64)
                        larger[:count] = found
                        found = larger
                    first, second = min(members[u], members[v]), max(members[u], members[v])
                    found[count] = first << FIRST_SHIFT | second << EXTRA_BITS
                    count += 1
            block = stop
        start = end
    return found[:count]


def similar_sets(  # noqa: PLR0915  (one loop: a compiled one is not taken apart without cost)
    index: Sequence[int],
    probe: Sequence[int],
    record_bits: int,
    token_bits: int,
    starts: Sequence[int],
    tokens: Sequence[int],
    digests: Sequence[int],
    index_digests: Sequence[int],
    shortest: Sequence[int],
    numerator: int,
    denominator: int,
) -> Ints:
    """Pairs of different token sets whose Jaccard index is at least numerator / denominator, which exceeds one half.

    Sets are numbered by size; each holds its tokens rarest first. Two sets that reach the bound share two tokens among
    the first few of each, so only sets that meet in such a two-token signature are compared; the signature made of
    the first two shared tokens reports the pair, every other is passed over, so that a pair is found once.

    Args:
        index, probe: sorted (token << token_bits | token) << record_bits | set, for the shorter and the longer set.
        starts, tokens: set s holds tokens[starts[s]:starts[s + 1]], ascending in rarity.
        digests: by set, (token bits << SIZE_BITS | size) << SOURCE_BITS | sources. The token bits have a bit set for
            each token; a bit that only one of two sets has stands for a token that the other lacks.
        index_digests: the digest of each entry of the index, so that they are read in one sweep.
        shortest: by size, the first set that is long enough for a set of that size.

    Returns:
        Packed pairs of set numbers, with the number of shared tokens.
    """
    found = np.empty(1024, np.int64)
    count = 0
    record_mask = (1 << record_bits) - 1
    token_mask = (1 << token_bits) - 1
    both = numerator + denominator
    first = 0
    last = 0
    current = -1
    for entry in probe:
        signature = entry >> record_bits
        if signature != current:
            current = signature
            first = last
            while first < len(index) and index[first] >> record_bits < signature:
                first += 1
            last = first
            while last < len(index) and index[last] >> record_bits == signature:
                last += 1
        x = entry & record_mask
        x_digest = digests[x]
        x_sources = x_digest & SOURCE_MASK
        x_size = x_digest >> SOURCE_BITS & SIZE_MASK
        lowest = shortest[x_size]
        token_one, token_two = signature >> token_bits, signature & token_mask
        is_single = x_sources & (x_sources - 1) == 0
        for k in range(first, last):
            y = index[k] & record_mask
            if y >= x:
                break
            if y < lowest:
                continue
            y_digest = index_digests[k]
            if is_single and y_digest & SOURCE_MASK == x_sources:
                continue
            joint = x_size + (y_digest >> SOURCE_BITS & SIZE_MASK)
            lacking = (x_digest ^ y_digest) >> SOURCE_BITS + SIZE_BITS
            lacking -= lacking >> 1 & ODD_BITS
            lacking = (lacking & BIT_PAIRS) + (lacking >> 2 & BIT_PAIRS)
            lacking = lacking + (lacking >> 4) & HALF_BYTES
            lacking += lacking >> 8
            lacking += lacking >> 16
            lacking = lacking + (lacking >> 32) & 127
            if (joint - lacking) * both < 2 * numerator * joint:
                continue
            shared = 0
            i, j = starts[x], starts[y]
            while i < starts[x + 1] and j < starts[y + 1]:
                left, right = tokens[i], tokens[j]
                if left < right:
                    i += 1
                elif right < left:
                    j += 1
                elif (shared == 0 and left != token_one) or (shared == 1 and left != token_two):
                    break
                else:
                    shared += 1
                    i += 1
                    j += 1
            if shared * both < numerator * joint:
                continue
            if count == len(found):
                larger = np.empty(2 * count, np.int64)
                larger[:count] = found
                found = larger
            found[count] = y << FIRST_SHIFT | x << EXTRA_BITS | shared
            count += 1
    return found[:count]


def contained_texts(
    needles: Sequence[int], needle_starts: Sequence[int], hays: Sequence[int], hay_starts: Sequence[int]
) -> Ints:
    """Pairs (needle, hay) where the needle's bytes stand in the hay's.

    Needles are distinct, not empty and sorted by their bytes, so that those beginning with the bytes read so far are a
    range, narrowed byte by byte; the first of a range is the only one that can be read to its end.

    Args:
        needles, hays: bytes of all texts, one after the other; text t is [starts[t]:starts[t + 1]].
    """
    found = np.empty(1024, np.int64)
    count = 0
    last_hay = np.full(len(needle_starts), -1, np.int64)
    lows = np.zeros(257, np.int64)
    for needle in range(len(needle_starts) - 1):
        lows[needles[needle_starts[needle]] + 1] += 1
    for byte in range(256):
        lows[byte + 1] += lows[byte]
    for hay in range(len(hay_starts) - 1):
        end = hay_starts[hay + 1]
        for begin in range(hay_starts[hay], end):
            low, high = lows[hays[begin]], lows[hays[begin] + 1]
            depth = 1
            while low < high:
                if needle_starts[low + 1] - needle_starts[low] == depth:
                    if last_hay[low] != hay:
                        last_hay[low] = hay
                        if count == len(found):
                            larger = np.empty(2 * count, np.int64)
                            larger[:count] = found
                            found = larger
                        found[count] = low << FIRST_SHIFT | hay << EXTRA_BITS
                        count += 1
                    low += 1
                if begin + depth == end:
                    break
                byte = hays[begin + depth]
                # the needles of the range with a smaller byte here, then those with a greater one, fall away
                left, right = low, high
                while left < right:
                    middle = (left + right) // 2
                    if needles[needle_starts[middle] + depth] < byte:
                        left = middle + 1
                    else:
                        right = middle
                low = left
                right = high
                while left < right:
                    middle = (left + right) // 2
                    if needles[needle_starts[middle] + depth] <= byte:
                        left = middle + 1
                    else:
                        right = middle
                high = left
                depth += 1
    return found[:count]


def expanded_pairs(
    pairs: Sequence[int],
    left_starts: Sequence[int],
    left_members: Sequence[int],
    right_starts: Sequence[int],
    right_members: Sequence[int],
    sources: Sequence[int],
) -> Ints:
    """Pairs of members of the groups in each packed pair of groups, the extra carried over.

    A pair may come out twice, and a member with itself where it has several source types.

    Args:
        left_starts, left_members: group g of the left holds left_members[left_starts[g]:left_starts[g + 1]].
        sources: by member.
    """
    found = np.empty(1024, np.int64)
    count = 0
    for pair in pairs:
        left, right, extra = pair >> FIRST_SHIFT, pair >> EXTRA_BITS & MEMBER_MASK, pair & EXTRA_MASK
        for i in range(left_starts[left], left_starts[left + 1]):
            u = left_members[i]
            is_single = sources[u] & (sources[u] - 1) == 0
            for j in range(right_starts[right], right_starts[right + 1]):
                v = right_members[j]
                if is_single and sources[u] == sources[v]:
                    continue
                if count == len(found):
                    larger = np.empty(2 * count, np.int64)
                    larger[:count] = found
                    found = larger
                found[count] = min(u, v) << FIRST_SHIFT | max(u, v) << EXTRA_BITS | extra
                count += 1
    return found[:count]


def row_pairs(
    pairs: Sequence[int],
    starts: Sequence[int],
    rows: Sequence[int],
    source_types: Sequence[int],
    steps: Sequence[int],
    efforts: Sequence[int],
) -> Ints:
    """Pairs of rows of the members in each packed pair that differ in source type and pass the pre-filters.

    Args:
        starts, rows: member m holds rows[starts[m]:starts[m + 1]], sorted by source type.
        source_types, steps, efforts: by row; steps and efforts -1 where not stated.
    """
    found = np.empty(1024, np.int64)
    count = 0
    for pair in pairs:
        left, right, extra = pair >> FIRST_SHIFT, pair >> EXTRA_BITS & MEMBER_MASK, pair & EXTRA_MASK
        begin = starts[right]
        for i in range(starts[left], starts[left + 1]):
            u = rows[i]
            if left == right:  # each unordered pair once: only rows of a later source type
                while begin < starts[left + 1] and source_types[rows[begin]] == source_types[u]:
                    begin += 1
            for j in range(begin, starts[right + 1]):
                v = rows[j]
                if source_types[u] == source_types[v]:
                    continue
                if steps[u] >= 0 and steps[v] >= 0 and steps[u] != steps[v]:
                    continue
                if efforts[u] >= 0 and efforts[v] >= 0 and efforts[u] != efforts[v]:
                    continue
                if count == len(found):
                    larger = np.empty(2 * count, np.int64)
                    larger[:count] = found
                    found = larger
                found[count] = min(u, v) << FIRST_SHIFT | max(u, v) << EXTRA_BITS | extra
                count += 1
    return found[:count]
