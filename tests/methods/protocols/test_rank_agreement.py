"""tau-b in whole numbers: by hand, against SciPy, the naive way, and both ways of counting alike."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st
from naive_shifts import tau_b

from methods.protocols import rank_agreement
from methods.protocols.rank_agreement import agreement, winners

NAN = math.nan


def column(*losses: float) -> np.ndarray:
    return np.array(losses, dtype=np.float64)[:, None]


def test_by_hand() -> None:
    # One adjacent swap of four: 5 pairs agree, 1 does not.
    assert agreement(column(1, 2, 3, 4), column(1, 3, 2, 4)).tau[0] == 4 / 6
    # A tie of the first two on one side: 2 untied pairs of 3 there, all concordant; tau-b = 2 / sqrt(2 * 3).
    assert agreement(column(1, 1, 2), column(1, 2, 3)).tau[0] == 2 / math.sqrt(6)
    assert agreement(column(1, 2, 3), column(3, 2, 1)).tau[0] == -1


def test_undefined_where_one_side_ties_all_or_one_candidate_is_left() -> None:
    assert not agreement(column(1, 1, 1), column(1, 2, 3)).is_defined[0]
    alone = agreement(column(1, NAN, 2), column(NAN, 1, 2))
    assert not alone.is_defined[0]
    assert alone.candidates[0] == 1
    assert math.isnan(alone.tau[0])


def test_winners_and_ties_at_the_top() -> None:
    tied = agreement(column(1, 1, 2), column(2, 1, 3))
    assert not tied.is_swapped[0]  # b is best on both sides
    assert tied.is_tied_win[0]
    assert agreement(column(1, 1, 2), column(2, 2, 1)).is_swapped[0]
    assert winners(column(2, NAN, 2))[:, 0].tolist() == [True, False, True]


def test_a_candidate_missing_on_one_side_wins_nothing_there() -> None:
    found = agreement(column(1, 2, 3), column(NAN, 2, 3))
    assert not found.is_swapped[0]
    assert found.candidates[0] == 2


@pytest.mark.parametrize("missing", [0.0, 0.15])
def test_equals_scipy(missing: float) -> None:
    rng = np.random.default_rng(7)
    a = rng.normal(size=(9, 150)).round(1)
    b = (a + rng.normal(size=a.shape)).round(1)
    a[rng.random(a.shape) < missing] = NAN
    found = agreement(a, b).tau
    for place in range(a.shape[1]):
        known = ~np.isnan(a[:, place])
        theirs = scipy.stats.kendalltau(a[known, place], b[known, place]).statistic
        assert found[place] == pytest.approx(theirs, abs=1e-12, nan_ok=True)


LOSS = st.sampled_from([NAN, -1.0, 0.0, 0.5, 1.0, 2.0])


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_both_ways_equal_the_naive_one(data: st.DataObject) -> None:
    size, width = data.draw(st.integers(1, 7)), data.draw(st.integers(1, 6))
    drawn = [data.draw(st.lists(LOSS, min_size=size * width, max_size=size * width)) for _ in range(2)]
    a, b = (np.array(values).reshape(size, width) for values in drawn)
    found = agreement(a, b)
    first, second, _ = rank_agreement.in_common(a, b)
    for counted in (rank_agreement._by_candidates(first, second), rank_agreement._by_columns(first, second)):
        for one, other in zip(counted, (found.balance, found.untied_a, found.untied_b), strict=True):
            assert one.tolist() == other.tolist()
    for place in range(width):
        known = ~np.isnan(first[:, place])
        expected = tau_b(first[known, place].tolist(), second[known, place].tolist())
        assert found.is_defined[place] == (expected is not None)
        assert expected is None or found.tau[place] == pytest.approx(expected, abs=1e-15)


def test_many_candidates_cross_every_block() -> None:
    rng = np.random.default_rng(3)
    a = rng.integers(0, 40, size=(150, 2)).astype(float)
    b = a + rng.integers(-9, 10, size=a.shape)
    for one, other in zip(rank_agreement._by_candidates(a, b), rank_agreement._by_columns(a, b), strict=True):
        assert one.tolist() == other.tolist()


def test_another_number_of_candidates_is_refused() -> None:
    with pytest.raises(ValueError, match="no two rankings"):
        agreement(np.zeros((2, 1)), np.zeros((3, 1)))
