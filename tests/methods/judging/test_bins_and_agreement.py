"""Bins of q as the source prints them, their edges, calibration error; agreement and kappa against scipy's peers."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judging_cases import JUDGING

from methods.judging.agreement import agreement
from methods.judging.bins import Bin, bins, calibration_error, labels
from methods.judging.orders import WHOLE
from methods.statistics.wilson import wilson_interval

Z = 1.959963984540054
PRINTED = {
    "<0.6": (0.55, 31, 65, "47.7%"), "[0.7,0.8)": (0.7, 65, 85, "76.5%"), "[0.95,0.99)": (0.97, 138, 147, "93.9%"),
    "1": (1.0, 319, 322, "99.1%"),
}  # fmt: skip
"""The source's bins: a confidence in each, right, items, accuracy as printed."""


def made(rows: list[tuple[float, float]], fallback: list[float] | None = None) -> list[Bin]:
    """Bins of (q, credit) pairs."""
    q = np.array([round(q * WHOLE) for q, _ in rows], dtype=np.int64)
    credit = np.array([round(2 * c) for _, c in rows], dtype=np.int8)
    theirs = np.array([round(2 * c) for c in fallback or [0] * len(rows)], dtype=np.int8)
    return bins(q, credit, theirs, np.full(len(rows), fallback is not None), JUDGING.bins, Z)


def test_the_sources_bins() -> None:
    rows = [(q, float(i < right)) for q, right, n, _ in PRINTED.values() for i in range(n)]
    found = {one.label: one for one in made(rows)}
    for label, (q, _, n, accuracy) in PRINTED.items():
        assert (found[label].n, f"{found[label].accuracy:.1%}") == (n, accuracy)
        assert found[label].mean_q == pytest.approx(q)
    assert [one.n for one in found.values()] == [65, 0, 85, 0, 0, 147, 0, 322]


def test_edges_belong_above_and_one_stands_alone() -> None:
    """E27, E28: one half falls in the first bin, one in the last, 0.9 in [0.9, 0.95)."""
    assert labels(JUDGING.bins) == [
        "<0.6",
        "[0.6,0.7)",
        "[0.7,0.8)",
        "[0.8,0.9)",
        "[0.9,0.95)",
        "[0.95,0.99)",
        "[0.99,1)",
        "1",
    ]
    found = made([(q, 1.0) for q in (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0)])
    assert [one.n for one in found] == [1] * 8
    assert [one.n for one in made([(1 - 1e-9, 1.0)])] == [0] * 6 + [1, 0]


def test_an_empty_bin_says_nothing() -> None:
    empty = made([(0.9, 1.0)])[0]
    assert (empty.n, empty.accuracy, empty.accuracy_low, empty.mean_q, empty.fallback) == (0, None, None, None, None)


def test_intervals_are_wilsons_and_half_credits_weigh_half() -> None:
    one = made([(0.9, 1.0)] * 7 + [(0.9, 0.0)] * 3)[4]
    share = wilson_interval(7, 10, Z)
    assert share is not None
    assert (one.accuracy, one.accuracy_low, one.accuracy_high) == pytest.approx((share.share, share.low, share.high))
    assert made([(0.9, 0.5)] * 4)[4].accuracy == 0.5


def test_the_fallback_stands_on_the_same_items() -> None:
    found = made([(0.55, 0.0), (0.55, 1.0), (1.0, 1.0)], [1.0, 1.0, 0.0])
    assert (found[0].fallback_n, found[0].fallback, found[-1].fallback) == (2, 1.0, 0.0)


def test_calibration_error_by_hand() -> None:
    """Half right at 0.9 is 0.4 off, all right at 1 is not: 0.4 x 2/4."""
    assert calibration_error(made([(0.9, 1.0), (0.9, 0.0), (1.0, 1.0), (1.0, 1.0)])) == pytest.approx(0.2)
    assert calibration_error(made([])) is None


@given(st.lists(st.tuples(st.integers(500, 1000), st.sampled_from([0.0, 0.5, 1.0])), max_size=60))
@settings(max_examples=25, deadline=None)
def test_bins_equal_counting(rows: list[tuple[int, float]]) -> None:
    found = made([(q / 1000, credit) for q, credit in rows])
    lower = [round(1000 * edge) for edge in JUDGING.bins]
    for place, one in enumerate(found):
        upper = lower[place + 1] if place + 1 < len(lower) else 1001
        inside = [(q, c) for q, c in rows if lower[place] <= q < upper]
        assert one.n == len(inside)
        if inside:
            assert one.accuracy == pytest.approx(math.fsum(c for _, c in inside) / len(inside))
            assert one.mean_q == pytest.approx(sum(q for q, _ in inside) / 1000 / len(inside))


def test_published_kappa() -> None:
    """Cohen, Educational and Psychological Measurement 20 (1960) 37-46: 20/5/10/15 gives 0.40 at 0.70 agreement."""
    first = np.array(["yes"] * 25 + ["no"] * 25)
    second = np.array(["yes"] * 20 + ["no"] * 5 + ["yes"] * 10 + ["no"] * 15)
    found = agreement(first, second)
    assert (found.n, found.raw) == (50, 0.7)
    assert found.kappa == pytest.approx(0.4)


def test_kappa_is_undefined_where_chance_always_agrees() -> None:
    """Not 0, not 1: with one label everywhere there is nothing to agree beyond."""
    assert agreement(np.array(["A", "A"]), np.array(["A", "A"])).kappa is None
    assert agreement(np.array([]), np.array([])) == agreement(np.array([]), np.array([]))
    assert agreement(np.array([]), np.array([])).raw is None
    with pytest.raises(ValueError, match="not of the same"):
        agreement(np.array(["A"]), np.array(["A", "B"]))
