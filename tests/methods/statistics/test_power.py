"""The smallest detectable difference: worked, against simulation, and null where no spread can be estimated."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
import pytest

from methods.statistics.bootstrap import in_total_order
from methods.statistics.fixed_point import fixed_point
from methods.statistics.power import Detectable, detectable_difference

LEVEL_Z, POWER_Z = 1.959963984540054, 0.8416212335729143


def detectable(values: object, clusters: list[int] | None = None, wanted: float = 1.0) -> Detectable | None:
    data = in_total_order(fixed_point(values), clusters)  # type: ignore[arg-type]
    return detectable_difference(data, level_z=LEVEL_Z, power_z=POWER_Z, wanted=wanted)


def test_worked_by_hand() -> None:
    """Differences -3, -1, 1, 3: s^2 = 20/3, SE = sqrt(5/3); Bloom's 2.80 standard errors; n = 7.849 x 20/3 = 52.3."""
    found = detectable([-3.0, -1.0, 1.0, 3.0])
    assert found is not None
    assert found.standard_error == math.sqrt(5 / 3)
    assert found.smallest == pytest.approx(2.8016 * math.sqrt(5 / 3), abs=1e-4)
    assert found.pairs == 53


def test_clusters_that_move_together_count_as_one() -> None:
    """Each difference twice, in one cluster: no more is known than from half of them, and n doubles."""
    once = detectable([-3.0, -1.0, 1.0, 3.0])
    twice = detectable([-3.0, -1.0, 1.0, 3.0] * 2, [0, 1, 2, 3] * 2)
    assert once is not None
    assert twice is not None
    assert twice.standard_error == once.standard_error
    assert twice.pairs == 105


def test_the_error_is_that_of_the_mean_it_stands_beside() -> None:
    """E08: an unweighted mean over pairs carries the error of that mean: s/sqrt(n), by numpy."""
    values = np.random.default_rng(3).normal(0, 7, 60).round(4)
    found = detectable(values)
    assert found is not None
    assert found.standard_error == pytest.approx(values.std(ddof=1) / math.sqrt(60), rel=1e-12)


def test_a_study_of_that_size_finds_the_difference_four_times_in_five() -> None:
    """200 pairs of spread 6: with the detectable difference as truth, about 80% of 2,000 studies reject 0."""
    rng = np.random.default_rng(20261020)
    smallest = (LEVEL_Z + POWER_Z) * 6 / math.sqrt(200)
    studies = rng.normal(smallest, 6, (2000, 200))
    found = np.abs(studies.mean(1)) / (studies.std(1, ddof=1) / math.sqrt(200)) > LEVEL_Z
    assert found.mean() == pytest.approx(0.80, abs=0.03)
    one = detectable(studies[0].round(6))
    assert one is not None
    assert one.smallest == pytest.approx(smallest, rel=0.2)
    expected = ((LEVEL_Z + POWER_Z) * studies[0].std(ddof=1)) ** 2
    assert one.pairs == math.ceil(expected)


def test_no_spread_detects_nothing_rather_than_everything() -> None:
    assert detectable([2.0, 2.0, 2.0]) is None
    assert detectable([2.0, 5.0], [1, 1]) is None
    assert detectable([2.0]) is None
    assert detectable([]) is None


def test_the_wanted_difference_must_be_positive() -> None:
    with pytest.raises(ValueError, match="not positive"):
        detectable([1.0, 2.0], wanted=0.0)


def test_normal_quantiles_are_those_of_the_levels() -> None:
    assert NormalDist().cdf(LEVEL_Z) == pytest.approx(0.975, abs=1e-15)
    assert NormalDist().cdf(POWER_Z) == pytest.approx(0.80, abs=1e-15)
