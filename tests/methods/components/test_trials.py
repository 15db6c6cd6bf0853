"""pass@k and pass^k: worked by hand and published, recovered from simulation, and held against plain fractions."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from methods.components.trials import TrialShare, pass_at_k, pass_hat_k, task_share, task_shares


def test_by_hand() -> None:
    # Four trials, two successes: of the 6 pairs of trials 1 holds no success, and 1 holds two.
    assert task_share(4, 2, 2, "pass_at_k") == 5 / 6
    assert task_share(4, 2, 2, "pass_hat_k") == 1 / 6
    assert pass_at_k([4, 4], [2, 0], 2) == TrialShare(2, 5 / 12, 2, 0, None)
    assert pass_hat_k([4, 4], [2, 4], 2) == TrialShare(2, 7 / 12, 2, 0, None)


def test_one_success_of_two_hundred_is_no_certainty() -> None:
    assert pass_at_k([200], [1], 1).value == 0.005  # E23


def test_more_trials_asked_for_than_run_is_undefined() -> None:
    assert pass_at_k([1] * 164, [1] * 50 + [0] * 114, 10) == TrialShare(10, None, 0, 164, "too_few_trials")  # E24
    assert pass_at_k([5, 1], [2, 1], 5) == TrialShare(5, 1.0, 1, 1, None)  # E25
    assert pass_hat_k([], [], 1) == TrialShare(1, None, 0, 0, "no_tasks")
    assert np.isnan(task_shares([5, 1], [2, 1], 5, "pass_at_k")).tolist() == [False, True]


def test_thousands_of_trials_neither_overflow_nor_cancel() -> None:
    assert task_share(2000, 3, 1000, "pass_at_k") == pytest.approx(0.8752, abs=5e-5)  # E26
    assert task_share(5000, 1, 2500, "pass_hat_k") == 0.0
    assert task_share(5000, 4999, 2500, "pass_hat_k") == 0.5
    # What 1 - x would cancel to nothing: one success in a million trials.
    assert task_share(1_000_000, 1, 1, "pass_at_k") == 1e-6


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one trial"):
        pass_at_k([3], [1], 0)
    with pytest.raises(ValueError, match="task 1: 4 of 3 trials"):
        pass_hat_k([3, 3], [1, 4], 1)
    with pytest.raises(ValueError, match="whole numbers"):
        pass_at_k([3.5], [1], 1)
    with pytest.raises(ValueError, match="have successes"):
        pass_at_k([3], [1, 1], 1)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=12), st.integers(1, 12))
def test_as_plain_fractions(pairs: list[tuple[int, int]], k: int) -> None:
    tasks = [(n, min(c, n)) for n, c in pairs]
    enough = [(n, c) for n, c in tasks if n >= k]
    for share, naive in (
        (pass_at_k, lambda n, c: 1 - Fraction(comb(n - c, k), comb(n, k))),
        (pass_hat_k, lambda n, c: Fraction(comb(c, k), comb(n, k))),
    ):
        found = share([n for n, _ in tasks], [c for _, c in tasks], k)
        assert (found.tasks, found.left_out) == (len(enough), len(tasks) - len(enough))
        if enough:
            exact = sum((naive(n, c) for n, c in enough), Fraction(0)) / len(enough)
            assert found.value == float(exact)
        else:
            assert found.value is None


def test_unbiased_for_known_chances() -> None:
    """Tasks succeed with known chances: the mean estimate is within four standard errors of 1 - (1-p)^k and p^k."""
    draw = np.random.default_rng(7)
    chances = draw.uniform(0.05, 0.95, 4000)
    wins = draw.binomial(12, chances)
    at, hat = pass_at_k(np.full(4000, 12), wins, 4), pass_hat_k(np.full(4000, 12), wins, 4)
    assert at.value == pytest.approx(np.mean(1 - (1 - chances) ** 4), abs=4 * 0.5 / np.sqrt(4000))
    assert hat.value == pytest.approx(np.mean(chances**4), abs=4 * 0.5 / np.sqrt(4000))


def test_row_order_moves_no_bit() -> None:
    draw = np.random.default_rng(3)
    trials = draw.integers(1, 40, 500)
    wins = draw.binomial(trials, 0.4)
    order = draw.permutation(500)
    assert pass_at_k(trials, wins, 3) == pass_at_k(trials[order], wins[order], 3)
