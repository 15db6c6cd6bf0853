"""A frozen threshold on other items: the source's example, every figure by hand, costs and their reserves, verdicts."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judging_cases import JUDGING, comparison

from methods.judging.evaluation import evaluate, gain_captured
from methods.judging.fitting import tau_of


def test_the_sources_example() -> None:
    """Escalating 34%: 91.3 against 91.7 of the fallback, 88.1 at random, 94.4 by label: .51 captured, 99.6% kept."""
    captured = gain_captured(91.3, 88.1, 94.4)
    assert captured is not None
    assert round(captured, 2) == 0.51
    assert round(91.3 / 91.7, 3) == 0.996
    assert gain_captured(90.0, 90.0, 90.0) is None


def test_every_figure_by_hand() -> None:
    """Ten items; the judge decides the six at 0.9, of which it gets one wrong that the fallback gets right."""
    judge = [1, 1, 1, 1, 1, 0, 0, 1, 0, 0.5]
    fallback = [1, 1, 1, 1, 0, 1, 1, 1, 1, 1]
    found = evaluate(comparison([0.9] * 6 + [0.6] * 4, judge, fallback), tau_of(0.9), JUDGING)
    assert (found.n, found.accepted, found.acceptance) == (10, 6, 0.6)
    assert (found.judge, found.fallback, found.cascade) == (0.65, 0.9, 0.9)
    assert (found.loss, found.retained) == (0.0, 1.0)
    assert found.random == pytest.approx(0.6 * 0.65 + 0.4 * 0.9)
    assert found.optimal == pytest.approx((6.5 + 1 + 1 + 1 + 0.5) / 10)
    assert found.gain_captured == pytest.approx((0.9 - 0.75) / (1.0 - 0.75))
    assert found.costs.ratio is None
    assert found.costs.conservative is None


def test_a_closed_cascade_is_the_fallback() -> None:
    found = evaluate(comparison([0.9, 0.8], [0, 1], [1, 0], costs=([1, 1], [4, 4])), None, JUDGING)
    assert (found.acceptance, found.loss, found.bound, found.verdict) == (0.0, 0.0, 0.0, "pass")
    assert (found.cascade, found.fallback) == (0.5, 0.5)
    assert (found.costs.ratio, found.costs.conservative) == (1.0, 1.0)


def test_without_items_nothing_is_known() -> None:
    found = evaluate(comparison([], [], []), tau_of(0.9), JUDGING)
    assert (found.n, found.loss, found.verdict, found.acceptance) == (0, None, "inconclusive", None)


@pytest.mark.parametrize(("accepted", "lost", "verdict"), [(400, 0, "pass"), (400, 5, "inconclusive"), (400, 9, "fail"),
                                                         (400, 8, "inconclusive")])  # fmt: skip
def test_three_verdicts(accepted: int, lost: int, verdict: str) -> None:
    """0, 1.25, 2.25 and exactly 2 points of 400 items: sure, not sure, too much, at the limit and not sure."""
    found = evaluate(
        comparison([0.9] * accepted, [0] * lost + [1] * (accepted - lost), [1] * accepted), tau_of(0.9), JUDGING
    )
    assert found.verdict == verdict
    assert (found.items_to_decide is not None) == (verdict == "inconclusive" and lost < 8)


def test_costs_as_used_and_conservative() -> None:
    """Judge 1 each, fallback 10 each, half sent on: 4 + 20 of 40. One usage is missing, reserved at 30."""
    known = evaluate(
        comparison([0.9, 0.9, 0.6, 0.6], [1] * 4, [1] * 4, costs=([1] * 4, [10] * 4)), tau_of(0.9), JUDGING
    ).costs
    assert (known.n, known.ratio, known.conservative) == (4, 0.6, 0.6)
    assert (known.cascade, known.fallback) == (6000.0, 10000.0)
    missing = comparison(
        [0.9, 0.9, 0.6, 0.6], [1] * 4, [1] * 4, costs=([1] * 4, [10, 10, None, 10]), reserves=(None, 30.0)
    )
    found = evaluate(missing, tau_of(0.9), JUDGING).costs
    assert (found.n, found.ratio) == (3, pytest.approx(13 / 30))
    assert found.conservative == pytest.approx((4 + 30 + 10) / 40)
    unreserved = comparison([0.9, 0.9, 0.6, 0.6], [1] * 4, [1] * 4, costs=([1] * 4, [10, 10, None, 10]))
    assert evaluate(unreserved, tau_of(0.9), JUDGING).costs.conservative is None


def test_missing_usage_can_make_a_cascade_dearer_than_its_fallback() -> None:
    """As in the source, whose ratio of one fallback was 1.096: unrecorded usage is charged at its reserve."""
    dear = comparison(
        [0.9] * 5 + [0.6] * 5, [1] * 10, [1] * 10, costs=([1] * 5 + [None] * 5, [2] * 10), reserves=(2.0, None)
    )
    found = evaluate(dear, tau_of(0.9), JUDGING).costs
    assert found.conservative == pytest.approx((5 + 10 + 10) / 20)
    assert found.conservative > 1
    assert found.ratio is not None
    assert found.ratio < 1


@given(
    st.lists(
        st.tuples(st.sampled_from([0.6, 0.9]), st.sampled_from([0, 0.5, 1]), st.sampled_from([0, 1])),
        min_size=1,
        max_size=8,
    )
)
@settings(max_examples=40, deadline=None)
def test_random_and_optimal_are_over_every_choice(rows: list[tuple[float, float, float]]) -> None:
    """All ways to send on as many items: their mean is `random`, their best `optimal`."""
    q, judge, fallback = ([row[side] for row in rows] for side in range(3))
    found = evaluate(comparison(q, judge, fallback), tau_of(0.9), JUDGING)
    n = len(rows)
    accuracies = [
        sum(fallback[i] if i in sent else judge[i] for i in range(n)) / n
        for sent in map(set, combinations(range(n), n - found.accepted))
    ]
    assert found.random == pytest.approx(float(np.mean(accuracies)))
    assert found.optimal == pytest.approx(max(accuracies))
    assert found.optimal is not None
    assert found.cascade is not None
    assert found.cascade <= found.optimal + 1e-12
