"""Choosing a threshold: both rules, the exact branch, the gate of AUROC, judges of known calibration (METHODS 10)."""

from __future__ import annotations

from fractions import Fraction

import judging_written_out as written_out
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judging_cases import JUDGING, METHODOLOGY, comparison
from simulated_judgments import Judge, judged, uniforms

from methods.judging.comparison import UNKNOWN, Comparison, Costs
from methods.judging.fitting import fit, no_escalation, tau_number, tau_of
from methods.judging.orders import WHOLE
from methods.judging.risk import rule_risk, simulated_judges
from methods.judging.rules import grid, items_to_decide, lower_bound
from methods.judging.thresholds import Counts


def counts(accepted: int, gain: float, squares: float, differ: int, worse: int) -> Counts:
    """The counts of one threshold, in whole credits."""
    return Counts(*(np.array([round(one)]) for one in (accepted, 2 * gain, 4 * squares, differ, worse)))


def with_wrong(n: int, *, wrong_at: list[float], sure: float = 1.0) -> Comparison:
    """n items on which the fallback is right: the judge is sure and right, and wrong at some confidences."""
    q = [*wrong_at, *([sure] * (n - len(wrong_at)))]
    return comparison(q, [0.0] * len(wrong_at) + [1.0] * (n - len(wrong_at)), [1.0] * n)


def test_the_grid_is_one_half_to_one_by_hundredths() -> None:
    found = grid(JUDGING)
    assert [tau_number(int(tau)) for tau in found] == [tau / 100 for tau in range(50, 101)]
    assert [tau_of(tau / 100) for tau in range(50, 101)] == found.tolist()
    assert no_escalation(int(found[0]), found)
    assert not no_escalation(int(found[1]), found)
    assert not no_escalation(None, found)


def test_nothing_opens_below_149_items_where_nothing_differs() -> None:
    """Rule bound: the judge is right wherever the fallback is, but for one doubtful item; 148 items do not show it."""
    assert fit(with_wrong(149, wrong_at=[0.5]), "bound", JUDGING).tau == tau_of(0.51)
    closed = fit(with_wrong(148, wrong_at=[0.5]), "bound", JUDGING)
    assert (closed.state, closed.tau, closed.accepted) == ("none_qualifies", None, 0)
    assert fit(with_wrong(30, wrong_at=[0.5]), "point", JUDGING).tau == tau_of(0.51)


def test_bound_by_hand() -> None:
    """1,000 items, 30 lost and 20 won: mean -0.01, variance (1000 x 50 - 100)/(1000 x 999)."""
    found = lower_bound(counts(1000, -10, 50, 50, 30), 1000, JUDGING)[0]
    assert found == pytest.approx(-0.01 - 1.645 * ((1000 * 50 - 100) / (1000 * 999)) ** 0.5 / 1000**0.5, rel=1e-12)
    assert found == pytest.approx(-0.02162, abs=1e-5)


def test_fewer_than_five_that_differ_take_the_exact_limit() -> None:
    """Four wins in 1,000 items say nothing against a loss of 0.3 points; the fifth lets the mean speak."""
    few = lower_bound(counts(900, 4, 4, 4, 0), 1000, JUDGING)[0]
    many = lower_bound(counts(900, 5, 5, 5, 0), 1000, JUDGING)[0]
    assert few == pytest.approx(-(1 - 0.05 ** (1 / 1000)), rel=1e-12)
    assert many > 0
    assert lower_bound(counts(0, 0, 0, 0, 0), 1000, JUDGING)[0] == 0.0


def test_what_would_decide() -> None:
    """One lost of 100: 236 items at the same count. 30 lost, 20 won of 1,000: more, and such a number is enough."""
    assert items_to_decide(counts(100, -1, 1, 1, 1), 100, JUDGING) == 236
    needed = items_to_decide(counts(1000, -10, 50, 50, 30), 1000, JUDGING)
    assert needed is not None
    assert needed > 1000
    scale = needed / 1000
    enough = Counts(*(np.array([round(of * scale)]) for of in (1000, -20, 200, 50, 30)))
    assert lower_bound(enough, needed, JUDGING)[0] == pytest.approx(-0.02, abs=5e-5)
    assert items_to_decide(counts(1000, -30, 50, 50, 40), 1000, JUDGING) is None


def test_the_tolerance_is_met_exactly_at_its_limit() -> None:
    """One lost of 50 is two points: within; one of 49 is more."""
    at_limit = comparison([0.9] * 50 + [0.6], [0.0, *[1.0] * 49, 0.0], [1.0] * 51)
    assert fit(at_limit, "point", JUDGING).tau is not None
    exact = comparison([0.6, *[0.9] * 49], [0.0] + [1.0] * 49, [1.0] * 50)
    assert fit(exact, "point", JUDGING).tau == tau_of(0.5)
    beyond = comparison([0.6, *[0.9] * 48], [0.0] + [1.0] * 48, [1.0] * 49)
    assert fit(beyond, "point", JUDGING).tau == tau_of(0.61)


items_of = st.lists(
    st.tuples(
        st.one_of(st.none(), st.integers(50, 100)), st.sampled_from([0.0, 0.5, 1.0]), st.sampled_from([0.0, 1.0])
    ),
    min_size=1,
    max_size=40,
)


@given(items_of)
@settings(max_examples=60, deadline=None)
def test_point_equals_the_search_written_out(rows: list[tuple[int | None, float, float]]) -> None:
    made = comparison(
        [-1 if q is None else q / 100 for q, _, _ in rows], [j for _, j, _ in rows], [f for _, _, f in rows]
    )
    found = fit(made, "point", JUDGING)
    ordered = [(q, j) for q, j, _ in rows if q is not None and j != 0.5]
    order = written_out.auroc([q for q, j in ordered if j == 1], [q for q, j in ordered if j == 0])
    assert found.auroc == (None if order is None else float(order))
    if order is None or float(order) < 0.7:
        assert found.tau is None
        return
    listed = [(None if q is None else Fraction(q, 100), Fraction(j), Fraction(f)) for q, j, f in rows]
    taus = [Fraction(tau, 100) for tau in range(50, 101)]
    naive = written_out.point_tau(listed, taus, Fraction(1, 50))
    assert (None if found.tau is None else Fraction(found.tau, WHOLE)) == naive


def test_one_class_opens_nothing() -> None:
    """A judge that is never wrong on the selection items has shown no order: undefined, no cascade."""
    never = fit(comparison([0.9] * 500, [1.0] * 500, [1.0] * 500), "point", JUDGING)
    assert (never.state, never.tau, never.auroc) == ("auroc_undefined", None, None)
    assert fit(comparison([], [], []), "bound", JUDGING).state == "no_items"


def test_a_cascade_that_accepts_nothing_is_closed() -> None:
    """Accepting none loses nothing, and is no threshold."""
    made = comparison([-1, -1, 0.6, 0.9], [0, 0, 0, 1], [1, 1, 1, 1])
    assert fit(made, "point", JUDGING).tau == tau_of(0.61)
    always = comparison([-1] * 200, [0.0] * 200, [1.0] * 200)
    assert fit(always, "bound", JUDGING).state == "auroc_undefined"


def simulated(judge: Judge, n: int, seed: int, fallback_right: float = 0.95) -> Comparison:
    """n items of a judge of known calibration, beside a fallback right as often as said, independently."""
    gold = uniforms(seed, 900, n) < 0.5
    ab, ba, _ = judged(judge, gold, seed, 901)
    p = np.round((ab + 1 - ba) / 2, 3)
    right = (p > 0.5) == gold
    q = np.round(np.maximum(p, 1 - p) * WHOLE).astype(np.int64)
    beside = (uniforms(seed, 950, n) < fallback_right).astype(np.int8) * 2
    nothing = np.full(n, UNKNOWN, dtype=np.int64)
    unknown = Costs(nothing, nothing)
    return Comparison(q, right.astype(np.int8) * 2, beside.astype(np.int8), unknown, unknown, 0, q, right)


def test_recovers_the_threshold_of_a_calibrated_judge() -> None:
    """Uniform confidence, right as often as sure, a fallback of 95%: the loss of tau is the integral from it to 1 of
    2 (0.95 - q), that is (0.95 - tau)^2 - 0.05^2, which is two points at tau = 0.80."""
    judge = Judge("calibrated", lambda u: 0.5 + 0.5 * u, lambda q: q)
    made = simulated(judge, 200_000, 7)
    point, bound = fit(made, "point", JUDGING), fit(made, "bound", JUDGING)
    lost = [(tau / 100, (0.95 - tau / 100) ** 2 - 0.05**2) for tau in range(50, 101)]
    truth = min(tau for tau, loss in lost if loss <= 0.02)
    assert point.tau == pytest.approx(truth * WHOLE, abs=0.011 * WHOLE)
    assert bound.tau is not None
    assert point.tau is not None
    assert 0 <= bound.tau - point.tau <= 0.02 * WHOLE
    assert point.auroc == pytest.approx(made.auroc(), rel=1e-15)


@pytest.mark.parametrize("rule", ["bound", "point"])
def test_a_judge_whose_confidence_says_nothing_never_opens(rule: str) -> None:
    """AUROC one half, as good as its fallback: no threshold opens, in 200 worlds of 400 items."""
    judge = Judge("blind", lambda u: 0.5 + 0.5 * u, lambda q: np.full(q.size, 0.85))
    for seed in range(200):
        found = fit(simulated(judge, 400, seed, 0.85), rule, JUDGING)  # type: ignore[arg-type]
        assert (found.state, found.tau) == ("auroc_below_limit", None)


def test_how_often_each_rule_breaks_its_tolerance() -> None:
    """At 100 items `point` opens in most draws a cascade that loses too much, `bound` in about one of twenty."""
    calibrated, overconfident, blind = simulated_judges(JUDGING)
    point, bound = (rule_risk(calibrated, rule, 100, 400, METHODOLOGY) for rule in ("point", "bound"))
    assert point.broke > 0.4
    assert bound.broke < 0.10
    assert rule_risk(overconfident, "bound", 300, 400, METHODOLOGY).broke < 0.08
    assert rule_risk(blind, "point", 300, 400, METHODOLOGY).opened <= 0.01
    assert rule_risk(calibrated, "bound", 1000, 200, METHODOLOGY).coverage > bound.coverage
    assert bound == rule_risk(calibrated, "bound", 100, 400, METHODOLOGY)


def test_the_true_loss_of_a_simulated_judge_is_what_large_sets_show() -> None:
    calibrated = simulated_judges(JUDGING)[0]
    found = calibrated.true_difference()
    assert found[0] == pytest.approx(float((calibrated.weights * (calibrated.right - calibrated.fallback)).sum()))
    assert float(calibrated.weights.sum()) == pytest.approx(1)
    assert found[-1] == pytest.approx(calibrated.weights[-1] * (1 - 0.991))
