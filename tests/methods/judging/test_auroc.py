"""AUROC: worked by hand, naive, independent of order and of the side it runs on; thresholds all at once."""

from __future__ import annotations

from fractions import Fraction

import judging_written_out as written_out
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judging_cases import comparison

from methods.judging.auroc import auroc
from methods.judging.orders import WHOLE
from methods.judging.thresholds import sweep

outcomes = st.lists(st.tuples(st.integers(0, 6), st.booleans()), max_size=40)


def test_worked_example() -> None:
    """Right at .9, .8, .7; wrong at .8, .6: of six pairs .9 wins two, .8 one and a half, .7 one."""
    found = auroc(np.array([0.9, 0.8, 0.7, 0.8, 0.6]), np.array([True, True, True, False, False]))
    assert found == 4.5 / 6


@pytest.mark.parametrize("outcome", [True, False])
def test_one_class_orders_nothing(outcome: bool) -> None:
    assert auroc(np.array([0.9, 0.8]), np.array([outcome] * 2)) is None
    assert auroc(np.array([]), np.array([], dtype=np.bool_)) is None


@given(outcomes, st.booleans())
@settings(max_examples=60, deadline=None)
def test_equals_every_pair_compared(rows: list[tuple[int, bool]], integers: bool) -> None:
    values = np.array([value for value, _ in rows], dtype=np.int64 if integers else np.float64)
    right = np.array([is_right for _, is_right in rows], dtype=np.bool_)
    naive = written_out.auroc([v for v, r in rows if r], [v for v, r in rows if not r])
    for is_compiled in (False, True)[: 1 + integers]:  # one type is compiled: it takes longer than all the rest
        found = auroc(values, right, is_compiled=is_compiled)
        assert found == (None if naive is None else float(naive))


@given(outcomes, st.randoms())
@settings(max_examples=20, deadline=None)
def test_rows_in_any_order_give_the_same_bits(rows: list[tuple[int, bool]], shuffle: object) -> None:
    def of(given_rows: list[tuple[int, bool]]) -> float | None:
        values = np.array([value / 7 for value, _ in given_rows])
        return auroc(values, np.array([is_right for _, is_right in given_rows], dtype=np.bool_))

    first = of(rows)
    shuffle.shuffle(rows)  # type: ignore[attr-defined]
    assert of(rows) == first


def test_nonsense_is_refused() -> None:
    with pytest.raises(ValueError, match="NaN"):
        auroc(np.array([0.5, float("nan")]), np.array([True, False]))
    with pytest.raises(ValueError, match="belong together"):
        auroc(np.array([0.5]), np.array([True, False]))


def test_ties_of_correctness_take_no_part() -> None:
    """A verdict that ties, or a gold label that does, is neither right nor wrong."""
    assert comparison([0.9, 0.7, 0.6], [1, 0.5, 0], [1, 1, 1]).auroc() == 1.0
    assert comparison([0.9, 0.7, 0.6], [1, 0.5, 0.5], [1, 1, 1]).auroc() is None


credit_of = st.sampled_from([0.0, 0.5, 1.0])
items_of = st.lists(
    st.tuples(st.one_of(st.none(), st.integers(50, 100)), credit_of, credit_of),
    max_size=30,
)


@given(items_of)
@settings(max_examples=50, deadline=None)
def test_every_threshold_equals_counting(rows: list[tuple[int | None, float, float]]) -> None:
    made = comparison(
        [-1 if q is None else q / 100 for q, _, _ in rows], [j for _, j, _ in rows], [f for _, _, f in rows]
    )
    swept = made.sweep()
    assert swept.n == len(rows)
    assert sorted(set(swept.q.tolist()), reverse=True) == swept.q.tolist()
    thresholds = np.array([round(tau / 100 * WHOLE) for tau in range(50, 102)], dtype=np.int64)
    counts = swept.at(thresholds)
    for place, tau in enumerate(range(50, 102)):
        taken = [(j, f) for q, j, f in rows if q is not None and q >= tau]
        gains = [Fraction(j) - Fraction(f) for j, f in taken]
        assert counts.accepted[place] == len(taken)
        assert Fraction(int(counts.gain[place]), 2) == sum(gains, Fraction(0))
        assert Fraction(int(counts.squares[place]), 4) == sum((one * one for one in gains), Fraction(0))
        assert counts.differ[place] == sum(one != 0 for one in gains)
        assert counts.worse[place] == sum(one < 0 for one in gains)
    for q, accepted, gain in zip(swept.q, swept.accepted, swept.gain, strict=True):
        at = swept.at(np.array([q]))
        assert (at.accepted[0], at.gain[0]) == (accepted, gain)


def test_a_sweep_refuses_what_is_no_confidence() -> None:
    with pytest.raises(ValueError, match="above one"):
        sweep(np.array([WHOLE + 1]), np.array([0], dtype=np.int8))
    with pytest.raises(ValueError, match="belong together"):
        sweep(np.array([WHOLE]), np.array([0, 1], dtype=np.int8))
