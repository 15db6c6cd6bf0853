"""The thirteen pairing rules and the two pre-filters, each to be held against METHODS 5; and the naive generator.

Belongs here: what makes two rows a candidate pair, one function a rule, and the generator that tries every rule on
every pair: the meaning that the fast generator (`methods.pairing.fast`) is proved against. Does not belong here: what
a candidate is worth (`methods.pairing.alignment`, `methods.pairing.decisions`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Final

import polars as pl
from rapidfuzz.distance import Indel

from methods.pairing.facts import RowFacts, RowReader
from warehouse.catalog_model import Catalog
from warehouse.identity import pair_id
from warehouse.methodology import PairingRules, exactly
from warehouse.pairing_words import PAIR_RULES, PairRule, direction_of


@dataclass(frozen=True, slots=True, order=True)
class CandidatePair:
    """An unordered pair of rows of one benchmark with different source types, and every rule that hits.

    Attributes:
        pair_id, entry_id_a, entry_id_b: the smaller entry id first.
        benchmark: as received.
        direction: which source type is subtracted from which.
        rules: in the order of METHODS 5, at least one.
    """

    pair_id: str
    entry_id_a: str
    entry_id_b: str
    benchmark: str
    direction: str
    rules: tuple[PairRule, ...]


Rule = Callable[[RowFacts, RowFacts, PairingRules], bool]


def is_comparable(a: RowFacts, b: RowFacts) -> bool:
    """Whether the pre-filters let a pair through: no copies; budgets and efforts stated on both sides do not differ."""
    if a.is_copy or b.is_copy:
        return False
    if a.steps is not None and b.steps is not None and a.steps != b.steps:
        return False
    return a.effort is None or b.effort is None or a.effort == b.effort


def exact_normalized(a: RowFacts, b: RowFacts, rules: PairingRules) -> bool:  # noqa: ARG001
    """1: equal normalized names."""
    return _equal(a.name.normal, b.name.normal)


def protocol_suffix_stripped(a: RowFacts, b: RowFacts, rules: PairingRules) -> bool:  # noqa: ARG001
    """2: equal after removing suffix patterns, also where there was nothing to remove."""
    return _equal(a.name.stripped_normal, b.name.stripped_normal)


def wrapper_head_and_token_similarity(a: RowFacts, b: RowFacts, rules: PairingRules) -> bool:
    """3: both wrapped, equal normalized heads, J at least its bound."""
    both = a.name.is_wrapped and b.name.is_wrapped
    return both and _equal(a.name.head, b.name.head) and _jaccard(a, b, rules.wrapper_head_jaccard)


def name_containment(a: RowFacts, b: RowFacts, rules: PairingRules) -> bool:
    """4: neither wrapped, the shorter normalized name long enough, one contains the other, J at least its bound."""
    if a.name.is_wrapped or b.name.is_wrapped:
        return False
    shorter, longer = sorted((a.name.normal, b.name.normal), key=len)
    return len(shorter) >= rules.containment_length and shorter in longer and _jaccard(a, b, rules.containment_jaccard)


def token_and_sequence_similarity(a: RowFacts, b: RowFacts, rules: PairingRules) -> bool:
    """5: J at least its bound, Indel similarity of the suffix-stripped, NFKC, case-folded names at least its own."""
    return _jaccard(a, b, rules.sequence_jaccard) and is_similar_sequence(
        a.name.stripped, b.name.stripped, rules.sequence_similarity
    )


def token_similarity(a: RowFacts, b: RowFacts, rules: PairingRules) -> bool:
    """6: J at least its bound."""
    return _jaccard(a, b, rules.token_jaccard)


def wrapper_backend_to_bare_model(a: RowFacts, b: RowFacts, rules: PairingRules) -> bool:  # noqa: ARG001
    """7: one wrapped, one bare; the bare name or its model id, without prefix, equals or contains the backend."""
    if a.name.is_wrapped == b.name.is_wrapped:
        return False
    wrapped, bare = (a, b) if a.name.is_wrapped else (b, a)
    backend = wrapped.name.backend
    return backend != "" and (backend in bare.name.plain_head or backend in bare.model_id_plain)


def wrapper_shared_backend_different_head(a: RowFacts, b: RowFacts, rules: PairingRules) -> bool:
    """8: both wrapped, equal normalized backends, different heads, J at least its bound."""
    return (
        _equal(a.name.backend, b.name.backend)
        and not _equal(a.name.head, b.name.head)
        and _jaccard(a, b, rules.shared_backend_jaccard)
    )


def planner_model_in_notes(a: RowFacts, b: RowFacts, rules: PairingRules) -> bool:  # noqa: ARG001
    """9: a note of either names a planner whose slug equals the other's bare name or model id, normalized."""
    return _is_model(a.planners, b) or _is_model(b.planners, a)


def organization_prefix_identity_head(a: RowFacts, b: RowFacts, rules: PairingRules) -> bool:  # noqa: ARG001
    """10: at least one name had an organization prefix; after removal the normalized heads are equal."""
    return (a.name.had_prefix or b.name.had_prefix) and _equal(a.name.plain_head, b.name.plain_head)


def same_model_id(a: RowFacts, b: RowFacts, rules: PairingRules) -> bool:  # noqa: ARG001
    """11: non-empty and equal."""
    return _equal(a.model_id, b.model_id)


def same_model_url(a: RowFacts, b: RowFacts, rules: PairingRules) -> bool:  # noqa: ARG001
    """12: links that are equal in their comparable form; empty links take no part."""
    return _equal(a.url, b.url)


def manual_alias(aliases: frozenset[str], a: RowFacts, b: RowFacts, rules: PairingRules) -> bool:  # noqa: ARG001
    """13: a pair of entry ids registered by hand."""
    return pair_id(a.entry_id, b.entry_id) in aliases


NAME_RULES: Final[tuple[Rule, ...]] = (
    exact_normalized,
    protocol_suffix_stripped,
    wrapper_head_and_token_similarity,
    name_containment,
    token_and_sequence_similarity,
    token_similarity,
    wrapper_backend_to_bare_model,
    wrapper_shared_backend_different_head,
    planner_model_in_notes,
    organization_prefix_identity_head,
    same_model_id,
    same_model_url,
)
"""Rules 1 to 12; rule 13 needs the catalog's list beside the two rows."""


def alias_ids(catalog: Catalog) -> frozenset[str]:
    """The pair ids of the hand-registered pairs."""
    return frozenset(pair_id(alias.entry_id_a, alias.entry_id_b) for alias in catalog.pair_aliases)


def candidate_pairs_naive(results: pl.DataFrame, catalog: Catalog) -> list[CandidatePair]:
    """Every candidate pair of a `core__result` frame, by trying every rule on every pair (METHODS 5).

    The cost is quadratic: for tests, small frames, and to say what the fast generator must give.

    Returns:
        Pairs in order of pair id.
    """
    rules = catalog.methodology.pairing
    every: tuple[Rule, ...] = (*NAME_RULES, partial(manual_alias, alias_ids(catalog)))
    pairs = []
    for a, b in _comparable_pairs(RowReader.of(catalog).rows(results)):
        hits = tuple(name for name, rule in zip(PAIR_RULES, every, strict=True) if rule(a, b, rules))
        if hits:
            first, second = sorted((a.entry_id, b.entry_id))
            direction = direction_of(a.source_type, b.source_type)
            pairs.append(CandidatePair(pair_id(first, second), first, second, a.benchmark, direction, hits))
    return sorted(pairs)


def _comparable_pairs(rows: Iterator[RowFacts]) -> Iterator[tuple[RowFacts, RowFacts]]:
    benchmarks: dict[str, list[RowFacts]] = defaultdict(list)
    for row in rows:
        benchmarks[row.benchmark].append(row)
    for members in benchmarks.values():
        for a, b in combinations(members, 2):
            if a.source_type != b.source_type and is_comparable(a, b):
                yield a, b


def is_similar_sequence(a: str, b: str, bound: float) -> bool:
    """Whether RapidFuzz's Indel normalized similarity of two strings reaches a bound, decided in whole numbers."""
    slack = 1 - exactly(bound)
    return Indel.distance(a, b) * slack.denominator <= (len(a) + len(b)) * slack.numerator


def _equal(a: str, b: str) -> bool:
    """Equality of two normalized forms: an empty one equals nothing."""
    return a == b != ""


def _jaccard(a: RowFacts, b: RowFacts, bound: float) -> bool:
    """Whether the Jaccard index of the two token sets reaches a bound; of two empty sets there is none."""
    shared = len(a.name.tokens & b.name.tokens)
    if shared == 0:
        return False
    least = exactly(bound)
    return shared * least.denominator >= least.numerator * (len(a.name.tokens) + len(b.name.tokens) - shared)


def _is_model(slugs: frozenset[str], row: RowFacts) -> bool:
    """Whether one of some normalized slugs is a row's bare name or its model id."""
    return row.model_id_normal in slugs or (not row.name.is_wrapped and row.name.normal in slugs)
