"""Profiles: rows of one benchmark that agree in everything rules 1 to 12 read; and the joins of equalities over them.

Belongs here: building profiles, and rules 1, 2, 7, 9, 10, 11, 12 as joins of codes. Does not belong here: similarity of
token sets (`methods.pairing.token_sets`), pre-filters (they are between rows: `methods.pairing.fast`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from methods.pairing.coded import CodedRows
from methods.pairing.coded_names import NOTHING
from methods.pairing.compiled import Ints, Runner, as_ints
from methods.pairing.loops import (
    EXTRA_BITS,
    EXTRA_MASK,
    FIRST_SHIFT,
    MEMBER_MASK,
    contained_texts,
    equal_pairs,
    expanded_pairs,
)
from warehouse.pairing_words import PAIR_RULES, PairRule


@dataclass(frozen=True)
class Profiles:
    """The profiles of one benchmark.

    Attributes:
        coded: all rows, for the names and texts behind the codes.
        row_starts, rows: profile p holds rows[row_starts[p]:row_starts[p + 1]]: places among the benchmark's rows,
            sorted by source type.
        sources: bit mask of the source types among a profile's rows.
        name, model_id, model_id_normal, model_id_plain, url, planners: as in `CodedRows`, by profile.
    """

    coded: CodedRows
    row_starts: Ints
    rows: Ints
    sources: Ints
    name: Ints
    model_id: Ints
    model_id_normal: Ints
    model_id_plain: Ints
    url: Ints
    planners: Ints

    @classmethod
    def of(cls, rows: CodedRows, members: Ints) -> Self:
        """The profiles of the rows `members`."""
        columns = (rows.name, rows.model_id, rows.url, rows.planners)
        key = np.zeros(len(members), np.int64)
        for column in columns:
            _, key = np.unique(key * (int(column.max()) + 1) + column[members], return_inverse=True)
        order = np.lexsort((rows.source[members], key))
        starts = group_starts(key[order], int(key.max()) + 1)
        one = members[order[starts[:-1]]]
        return cls(
            coded=rows,
            row_starts=starts,
            rows=as_ints(order),
            sources=np.bitwise_or.reduceat(np.int64(1) << rows.source[members][order], starts[:-1]),
            name=rows.name[one],
            model_id=rows.model_id[one],
            model_id_normal=rows.model_id_normal[one],
            model_id_plain=rows.model_id_plain[one],
            url=rows.url[one],
            planners=rows.planners[one],
        )

    def code_rules(self, run: Runner) -> Iterator[Ints]:
        """Packed pairs of profiles with the bit of each rule that compares codes: 1, 2, 7, 9, 10, 11, 12."""
        names = self.coded.names
        yield self._equal(run, names.normal[self.name], "exact_normalized")
        yield self._equal(run, names.stripped_normal[self.name], "protocol_suffix_stripped")
        yield self._equal(run, self.model_id, "same_model_id")
        yield self._equal(run, self.url, "same_model_url")
        everyone = np.arange(len(self.name))
        plain_head = names.plain_head[self.name]
        prefixed = np.flatnonzero(names.had_prefix[self.name])
        yield self._meeting(
            run, (plain_head[prefixed], prefixed), (plain_head, everyone), "organization_prefix_identity_head"
        )
        yield self._backends(run)
        yield self._planners(run)

    def _equal(self, run: Runner, codes: Ints, rule: PairRule) -> Ints:
        stated = np.flatnonzero(codes != NOTHING)
        order = stated[np.lexsort((self.sources[stated], codes[stated]))]
        return run(equal_pairs, as_ints(order), codes[order], self.sources[order]) | rule_bit(rule)

    def _backends(self, run: Runner) -> Ints:
        """Rule 7: backends of wrapped names that stand in the plain name or model id of bare ones."""
        names = self.coded.names
        is_wrapped = names.is_wrapped[self.name]
        wrapped, bare = np.flatnonzero(is_wrapped), np.flatnonzero(~is_wrapped)
        backend = names.backend[self.name[wrapped]]
        plain = np.concatenate([names.plain_head[self.name[bare]], self.model_id_plain[bare]])
        needles, hays = _texts(self.coded, backend), _texts(self.coded, plain)
        if not needles or not hays:
            return as_ints([])
        needles = dict(sorted(needles.items()))
        left, right = as_ints(list(needles.values())), as_ints(list(hays.values()))
        found = run(contained_texts, *_joined(needles), *_joined(hays))
        pairs = np.column_stack([left[found >> FIRST_SHIFT], right[found >> EXTRA_BITS & MEMBER_MASK]])
        sides = (backend, wrapped), (plain, np.tile(bare, 2))
        return self._between(run, pairs, *sides, "wrapper_backend_to_bare_model")

    def _planners(self, run: Runner) -> Ints:
        """Rule 9: planner slugs that equal a bare name or a model id."""
        sets = self.coded.planner_sets
        naming = [(slug, p) for p, number in enumerate(self.planners.tolist()) for slug in sets[number]]
        if not naming:
            return as_ints([])
        slugs, notes = (as_ints(side) for side in zip(*naming, strict=True))
        bare = np.flatnonzero(~self.coded.names.is_wrapped[self.name])
        models = np.concatenate([self.coded.names.normal[self.name[bare]], self.model_id_normal])
        holders = np.concatenate([bare, np.arange(len(self.name))])
        return self._meeting(run, (slugs, notes), (models, holders), "planner_model_in_notes")

    def _meeting(self, run: Runner, left: tuple[Ints, Ints], right: tuple[Ints, Ints], rule: PairRule) -> Ints:
        """Pairs of members, one of (codes, members) on either side, with equal codes."""
        shared = np.flatnonzero(self._among(left[0]) & self._among(right[0]))
        shared = shared[shared != NOTHING]
        return self._between(run, np.column_stack([shared, shared]), left, right, rule)

    def _between(
        self, run: Runner, pairs: Ints, left: tuple[Ints, Ints], right: tuple[Ints, Ints], rule: PairRule
    ) -> Ints:
        """Pairs of members of the two sides whose codes are among the given pairs of codes."""
        if not len(pairs):
            return as_ints([])
        left_codes, left_starts, left_members = _grouped(left, self._among(pairs[:, 0]))
        right_codes, right_starts, right_members = _grouped(right, self._among(pairs[:, 1]))
        first = np.searchsorted(left_codes, pairs[:, 0])
        second = np.searchsorted(right_codes, pairs[:, 1])
        packed = first << FIRST_SHIFT | second << EXTRA_BITS
        found = run(expanded_pairs, packed, left_starts, left_members, right_starts, right_members, self.sources)
        return found | rule_bit(rule)

    def _among(self, codes: Ints) -> NDArray[np.bool_]:
        """By code, whether it is one of these."""
        among = np.zeros(len(self.coded.texts), dtype=bool)
        among[codes] = True
        return among


def rule_bit(rule: PairRule) -> int:
    """The bit of a rule in a mask."""
    return 1 << PAIR_RULES.index(rule)


def merged_pairs(parts: Sequence[Ints]) -> Ints:
    """Packed pairs, each once, in order, with the bits of all its occurrences."""
    packed = np.concatenate([*parts, as_ints([])])
    packed.sort()
    if not len(packed):
        return packed
    key = packed >> EXTRA_BITS
    starts = np.flatnonzero(np.append(True, key[1:] != key[:-1]))
    bits = np.bitwise_or.reduceat(packed & EXTRA_MASK, starts)
    return key[starts] << EXTRA_BITS | bits


def group_starts(sorted_groups: Ints, count: int) -> Ints:
    """Where each of `count` groups begins in a sorted list of group numbers, and the end."""
    return as_ints(np.searchsorted(sorted_groups, np.arange(count + 1)))


def _grouped(side: tuple[Ints, Ints], wanted: NDArray[np.bool_]) -> tuple[Ints, Ints, Ints]:
    """The wanted codes of a side, where each one's members begin, and the members."""
    codes, members = (part[wanted[side[0]]] for part in side)
    order = np.argsort(codes, kind="stable")
    distinct, starts = np.unique(codes[order], return_index=True)
    return distinct, as_ints(np.append(starts, len(order))), as_ints(members[order])


def _texts(rows: CodedRows, codes: Ints) -> dict[bytes, int]:
    """The distinct, not empty texts of some codes as bytes, with the codes."""
    distinct = np.unique(codes)
    return {rows.texts[code].encode(): code for code in distinct[distinct != NOTHING].tolist()}


def _joined(texts: Collection[bytes]) -> tuple[bytes, Ints]:
    """Texts one after the other, and where each begins and the last ends."""
    return b"".join(texts), as_ints(np.append(0, np.cumsum([len(text) for text in texts])))
