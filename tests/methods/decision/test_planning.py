"""Planning agrees with simulation, a pilot recovers what it was drawn from, Holm by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from decision_cases import contract, methodology, rows
from hypothesis import given, settings
from hypothesis import strategies as st

from methods.decision.effects import Spread, detectable_effect, needed_tasks, power_at
from methods.decision.exact_pairs import exact_p
from methods.decision.holm import holm
from methods.decision.mean_bounds import Ends, mean_bounds
from methods.decision.pilot import pilot_of
from methods.decision.planning import Assumptions, PlanError, plan, task_variance
from methods.decision.tango import scores
from methods.decision.units import make_units
from methods.statistics.fixed_point import SCALE

RULES = methodology().decision
QUICK = RULES.model_copy(update={"resamples": 400})


def test_the_plan_for_pairs_is_the_simulated_power() -> None:
    """Right or wrong, one trial: at the planned n, Tango and the exact test pass as often as the plan says."""
    given_ = Assumptions(baseline_rate=0.7, expected_pp=0, pairing=0.6)
    found = plan(given_, -6.0, 0.05, RULES)
    assert found.needed is not None
    n, rng = found.needed, np.random.default_rng(1)
    discordant = 2 * 0.7 * 0.3 * (1 - 0.6)
    drawn = rng.multinomial(n, [discordant / 2, discordant / 2, 1 - discordant], size=3000)
    tables, times = np.unique(drawn[:, :2], axis=0, return_counts=True)
    tango = scores(tables[:, 0].astype(float), tables[:, 1].astype(float), n, -0.06) > 1.6448536269514722
    near = tango & (np.abs(tables[:, 0] - tables[:, 1]) < n)
    passed = sum(
        int(count)
        for (wins, losses), count in zip(tables[near].tolist(), times[near], strict=True)
        if exact_p(wins, losses, n, -0.06, points=20, risk=0.001) <= 0.05
    )
    assert passed / 3000 == pytest.approx(0.80, abs=0.05)


@pytest.mark.parametrize(("trials", "size", "within"), [(4, 1, 0.0), (2, 5, 0.3)])
def test_the_plan_for_trials_and_clusters_is_the_simulated_power(trials: int, size: int, within: float) -> None:
    """Tasks with trials, alone or in clusters: both bounds pass as often as the plan says, a little more often."""
    repeats, pairing = 0.5, 0.4
    assumed = Assumptions(0.6, 8.0, pairing, trials, repeats, float(size), within)
    tasks = 200
    found = plan(assumed, -4.0, 0.05, RULES, tasks=tasks)
    assert found.at is not None
    variance = task_variance(Assumptions(0.6, 8.0, pairing, trials, repeats))
    rng, passed, simulated = np.random.default_rng(2), 0, 200
    for number in range(simulated):
        own = rng.normal(size=tasks) * math.sqrt(variance * (1 - within))
        shared = np.repeat(rng.normal(size=tasks // size), size) * math.sqrt(variance * within)
        values = np.rint(np.clip(0.08 + own + shared, -1, 1) * SCALE).astype(np.int64)
        codes = None if size == 1 else np.repeat(np.arange(tasks // size), size).astype(np.int64)
        low = mean_bounds(make_units(values, codes, None), Ends(-1, 1), 0.05, -0.04, seed=number, rules=QUICK).low
        passed += low is not None and low > -0.04
    assert passed / simulated == pytest.approx(found.at.power, abs=0.09)


def test_a_pilot_recovers_what_it_was_drawn_from() -> None:
    """Task rates from a beta law, shared by both systems: repeats and pairing are its intraclass correlation."""
    rng = np.random.default_rng(3)
    a, b, tasks = 1.2, 0.8, 6000
    rate = rng.beta(a, b, tasks)[:, None]
    drawn = [(rng.random((tasks, 3)) < rate).astype(int) for _ in range(2)]
    found = pilot_of(contract(), rows(*drawn))
    true = 1 / (a + b + 1)
    assert found.baseline_rate == pytest.approx(a / (a + b), abs=0.02) and found.trials == 3
    assert found.pairing == pytest.approx(true, abs=0.03) and found.repeats == pytest.approx(true, abs=0.03)
    assert found.cluster is None and found.cluster_size == 1


def test_a_pilot_recovers_clusters() -> None:
    rng = np.random.default_rng(4)
    repo = np.repeat(np.arange(400), 5)
    shift = rng.choice([-0.25, 0.25], 400)[repo]
    old, new = rng.random(2000) < 0.5, rng.random(2000) < 0.5 + shift
    asked = {"minimum_tasks": 20, "cluster": "repo", "minimum_clusters": 5}
    found = pilot_of(contract(sampling=asked), rows(old.astype(int), new.astype(int), repo=[f"r{r}" for r in repo]))
    assert found.cluster == pytest.approx(0.0625 / 0.5, abs=0.05) and found.cluster_size == 5


@given(st.floats(0.01, 1), st.integers(2, 3000), st.floats(0, 1), st.sampled_from([0.05, 0.025]), st.floats(0.01, 0.4))
@settings(max_examples=40, deadline=None)
def test_detectable_needed_and_power_are_one_formula(
    spread: float, units: int, reach: float, alpha: float, gap: float
) -> None:
    here = Spread(spread, units, 1.0, reach)
    least = detectable_effect(here, alpha, RULES)
    assert power_at(here, units, least, alpha) == pytest.approx(RULES.power, abs=1e-6)
    needed = needed_tasks(here, gap, alpha, RULES)
    assert needed is not None
    assert power_at(here, needed, gap, alpha) >= RULES.power - 1e-9
    assert needed == 2 or power_at(here, needed - 1, gap, alpha) < RULES.power


def test_more_trials_are_not_more_tasks() -> None:
    """Ten times the trials shrink only what lies within a task; clusters multiply what is left."""
    one = task_variance(Assumptions(0.5, 0, 0.3, 1))
    ten = task_variance(Assumptions(0.5, 0, 0.3, 10, 0.6))
    assert one == pytest.approx(0.5 * (1 - 0.3)) and ten == pytest.approx(0.5 * (0.6 + 0.04) - 0.15)
    assert task_variance(Assumptions(0.5, 0, 0.3, 10, 0.6, 5, 0.25)) == pytest.approx(2 * ten)


def test_what_cannot_be_is_refused() -> None:
    for wrong, said in (
        (Assumptions(0.9, 20, 0.3), "between 0 and 1"),
        (Assumptions(0.5, 0, 1.5), "correlations"),
        (Assumptions(0.5, 0, 0.3, 4), "correlation of repeats must be known"),
        (Assumptions(0.5, 0, 0.6, 4, 0.2), "agree at least as much"),
    ):
        with pytest.raises(PlanError, match=said):
            task_variance(wrong)
    with pytest.raises(PlanError, match="does not lie above"):
        plan(Assumptions(0.5, 0, 0.3), 1.0, 0.05, RULES)
    for margin, alpha, tasks, said in (
        (math.nan, 0.05, None, "does not lie above"), (-math.inf, 0.05, None, "does not lie above"),
        (-5.0, 0.0, None, "alpha 0:"), (-5.0, 1e-300, None, "alpha 1e-300"), (-5.0, math.nan, None, "alpha nan"),
        (-5.0, 0.5, None, "alpha 0.5"), (-5.0, 0.05, 0, "give at least one"), (-5.0, 0.05, -3, "give at least one"),
    ):  # fmt: skip
        with pytest.raises(PlanError, match=said):
            plan(Assumptions(0.5, 0, 0.3), margin, alpha, RULES, tasks=tasks)
    for size in (math.nan, math.inf, 0.5):
        with pytest.raises(PlanError, match="a cluster at least one task"):
            task_variance(Assumptions(0.5, 0, 0.3, cluster_size=size))


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
@settings(max_examples=40, deadline=None)
def test_holm_is_the_naive_one(given_: list[float]) -> None:
    """Step by step: the i-th smallest times how many are left, no step down."""
    found = holm({f"s{place}": p for place, p in enumerate(given_)})
    for place, p in enumerate(given_):
        smaller = [one for one in sorted(given_) if one <= p]
        steps = [min(1.0, one * (len(given_) - i)) for i, one in enumerate(sorted(given_)) if one <= smaller[-1]]
        assert max(steps[: sorted(given_).index(p) + 1]) <= found[f"s{place}"] <= max(steps)


def test_holm_by_hand() -> None:
    assert holm({"a": 0.01, "b": 0.04, "c": 0.03}) == pytest.approx({"a": 0.03, "c": 0.06, "b": 0.06})
