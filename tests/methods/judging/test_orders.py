"""Two orders of one comparison: p, verdict, confidence, discordance, credit (METHODS 10)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import judging_written_out as written_out
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from methods.judging.orders import HALF, NO_CONFIDENCE, WHOLE, Decided, credit, one_order, two_orders
from methods.statistics.fixed_point import SCALE, fixed_point

YES = np.array([True])


def decided(p_ab: float, p_ba: float) -> Decided:
    return two_orders(fixed_point([p_ab]), fixed_point([p_ba]), YES, YES)


def test_worked_example() -> None:
    """0.9 for A shown first, 0.2 for B shown first: p = (0.9 + 0.8)/2."""
    found = decided(0.9, 0.2)
    assert found.p[0] / WHOLE == 0.85
    assert (found.q[0] / WHOLE, found.sides[0], found.discordant[0]) == (0.85, 1, False)


def test_a_confidence_of_nine_tenths_is_nine_tenths() -> None:
    """In floating point (0.9 + 1 - 0.1)/2 lies below 0.9, and the item would miss its bin and its threshold."""
    assert 0.5 * (0.9 + 1 - 0.1) < 0.9
    assert decided(0.9, 0.1).q[0] == 0.9 * WHOLE


@pytest.mark.parametrize(
    ("p_ab", "p_ba", "side", "discordant", "weak"),
    [
        (0.7, 0.6, 1, True, False),  # both orders like what they see first
        (0.3, 0.4, -1, True, False),
        (0.7, 0.7, 0, True, False),  # a tie, and discordant all the same
        (0.5, 0.5, 0, False, False),
        (0.5, 0.2, 1, False, True),  # E36: a tie in one order, a side in the other: the mean decides, and it is counted
        (1.0, 0.0, 1, False, False),
        (0.0, 1.0, -1, False, False),
    ],
)
def test_discordance(p_ab: float, p_ba: float, side: int, discordant: bool, weak: bool) -> None:
    found = decided(p_ab, p_ba)
    assert (found.sides[0], found.discordant[0], found.weak[0]) == (side, discordant, weak)
    assert found.acceptable[0] == (NO_CONFIDENCE if discordant else found.q[0])


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), min_size=1, max_size=30))
@settings(max_examples=40, deadline=None)
def test_equals_the_formula_as_written(pairs: list[tuple[int, int]]) -> None:
    ab, ba = (fixed_point([pair[side] / 20 for pair in pairs]) for side in (0, 1))
    valid = np.ones(len(pairs), dtype=np.bool_)
    found = two_orders(ab, ba, valid, valid)
    for place, (x, y) in enumerate(pairs):
        p, verdict, q, discordant = written_out.two_orders(Fraction(x, 20), Fraction(y, 20))
        assert Fraction(int(found.p[place]), WHOLE) == p
        assert Fraction(int(found.q[place]), WHOLE) == q
        assert {1: "A", -1: "B", 0: "tie"}[int(found.sides[place])] == verdict
        assert found.discordant[place] == discordant


def test_swapping_the_answers_swaps_the_verdict_and_nothing_else() -> None:
    """The names A and B are arbitrary."""
    ab, ba = fixed_point([0.9, 0.55, 0.5]), fixed_point([0.3, 0.6, 0.5])
    valid = np.ones(3, dtype=np.bool_)
    one, other = two_orders(ab, ba, valid, valid), two_orders(ba, ab, valid, valid)
    assert np.array_equal(one.sides, -other.sides)
    assert np.array_equal(one.q, other.q)
    assert np.array_equal(one.discordant, other.discordant)


@pytest.mark.parametrize(("ab", "ba"), [(False, True), (True, False), (False, False)])
def test_an_invalid_order_is_no_tie(ab: bool, ba: bool) -> None:
    """E30: an outage in either order decides nothing, and always escalates."""
    found = two_orders(fixed_point([0.9]), fixed_point([0.1]), np.array([ab]), np.array([ba]))
    assert not found.valid[0]
    assert (found.q[0], found.acceptable[0]) == (NO_CONFIDENCE, NO_CONFIDENCE)
    assert credit(found.sides, found.valid, np.array([0], dtype=np.int8), YES)[0] == 0


def test_one_order_takes_the_first_alone() -> None:
    found = one_order(fixed_point([0.8, 0.5, 0.1]), np.array([True, True, False]))
    assert found.sides.tolist() == [1, 0, 0]
    assert (found.q / WHOLE).tolist()[:2] == [0.8, 0.5]
    assert found.q[2] == NO_CONFIDENCE
    assert not found.discordant.any()
    assert HALF == SCALE


@pytest.mark.parametrize(
    ("side", "gold", "doubled"), [(1, 1, 2), (1, -1, 0), (0, 1, 1), (1, 0, 1), (0, 0, 2), (-1, -1, 2)]
)
def test_a_tie_counts_half(side: int, gold: int, doubled: int) -> None:
    """E35: ties are half, whoever ties."""
    sides: Any = np.array([side], dtype=np.int8)
    golds: Any = np.array([gold], dtype=np.int8)
    assert credit(sides, YES, golds, YES)[0] == doubled
    assert credit(sides, YES, golds, ~YES)[0] == -1
