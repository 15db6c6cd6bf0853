"""The fast generator gives the pairs and rules of the naive one, interpreted and compiled, whatever the row order."""

from __future__ import annotations

from fractions import Fraction

import polars as pl
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pairing_rows import catalog, frame, methodology, result, results
from simulated_names import simulated_results

from methods.pairing.fast import candidate_pairs
from methods.pairing.rules import candidate_pairs_naive
from warehouse.pairing_words import PAIR_RULES

SLOW = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
INTERPRETED, COMPILED = 10**9, 0


@SLOW
@given(results(), st.data())
def test_same_pairs_and_rules_as_naive(rows: pl.DataFrame, data: st.DataObject) -> None:
    ids = rows["entry_id"].to_list()
    aliases = data.draw(st.lists(st.tuples(st.sampled_from(ids), st.sampled_from([*ids, "gone"])), max_size=3))
    book = catalog(aliases=aliases)
    naive = candidate_pairs_naive(rows, book)
    fast = candidate_pairs(rows, book, compile_above=INTERPRETED)
    assert fast.pairs() == naive
    assert fast.copies == rows["copied_from"].fill_null("").str.len_chars().gt(0).sum()


@settings(SLOW, max_examples=30)
@given(results(), st.randoms())
def test_compiled_and_shuffled_give_the_same(rows: pl.DataFrame, chance: object) -> None:
    book = catalog()
    shuffled = rows.sample(fraction=1.0, shuffle=True, seed=7)
    assert candidate_pairs(shuffled, book, compile_above=COMPILED).frame.equals(
        candidate_pairs(rows, book, compile_above=INTERPRETED).frame
    )


@settings(SLOW, max_examples=30)
@given(results(greatest=16), st.sampled_from((0.51, 0.6, 2 / 3, 0.75, 1.0)), st.sampled_from((0.55, 0.9)))
def test_other_bounds_hold_too(rows: pl.DataFrame, low: float, high: float) -> None:
    """An edited methodology runs as written: every bound is its own."""
    rules = methodology(token_jaccard=high, wrapper_head_jaccard=low, containment_jaccard=low, sequence_jaccard=low,
                        shared_backend_jaccard=high, sequence_similarity=0.5, containment_length=3)  # fmt: skip
    book = catalog(rules=rules)
    assert candidate_pairs(rows, book).pairs() == candidate_pairs_naive(rows, book)


def test_equal_at_many_rows() -> None:
    rows = simulated_results(900, seed=3)
    book = catalog()
    naive = candidate_pairs_naive(rows, book)
    for compile_above in (INTERPRETED, COMPILED):
        assert candidate_pairs(rows, book, compile_above=compile_above).pairs() == naive
    hit = {rule for pair in naive for rule in pair.rules}
    assert hit == set(PAIR_RULES) - {"manual_alias"}


def test_names_of_many_words() -> None:
    """Sets too long for signatures are compared all the same."""
    words = [f"w{k}" for k in range(150)]
    rows = frame(
        [
            result(" ".join(words), "official"),
            result(" ".join(words[:91]), "paper"),
            result(" ".join(words[:89]), "paper"),
            result(" ".join([*words[:140], "x"]), "self_reported"),
        ]
    )
    book = catalog()
    fast = candidate_pairs(rows, book)
    assert fast.pairs() == candidate_pairs_naive(rows, book)
    assert len(fast.mask) == 4


def test_an_empty_frame_and_one_source_give_no_pair() -> None:
    book = catalog()
    alone = frame([result("gpt-4o"), result("GPT-4o")])
    for rows in (alone, alone.head(0)):
        assert candidate_pairs(rows, book).frame.height == 0
        assert candidate_pairs_naive(rows, book) == []


def test_a_bound_is_the_decimal_as_written() -> None:
    """3 of 5 tokens reach 0.60, though 0.6 is no binary fraction."""
    rows = frame([result("a1 b2 c3 d4", "official"), result("a1 b2 c3 e5", "paper")])
    (pair,) = candidate_pairs(rows, catalog()).pairs()
    assert pair.rules == ("token_similarity",)
    assert Fraction("0.60") == Fraction(3, 5)
