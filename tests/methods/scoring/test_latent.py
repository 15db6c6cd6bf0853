"""The latent model: worked by hand, against a dense inverse, compiled against interpreted (METHODS 7)."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from methods.scoring.latent import LatentFit, Observations, fit
from methods.scoring.loops import Loops
from warehouse.methodology import LatentModel

MODEL = LatentModel(ability_variance=1.0, cohort_variance=10.0, exact_metrics_limit=500)
FIELDS = ("mean", "variance", "gain", "own_variance", "cohort_mean", "cohort_covariance")


def _random(seed: int, models: int, metrics: int, fill: float) -> Observations:
    rng = np.random.default_rng(seed)
    row, column = np.nonzero(rng.random((models, metrics)) < fill)
    start = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=models))]).astype(np.int64)
    z = np.clip(rng.normal(size=len(row)) * 1.5, -3, 3)
    return Observations(start, column.astype(np.int64), rng.uniform(0.02, 1.0, len(row)), z, metrics)


def _dense(data: Observations, model: LatentModel = MODEL) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Posterior mean and covariance of (theta, beta) from the whole precision matrix."""
    models, metrics = data.models, data.metrics
    row = np.repeat(np.arange(models), np.diff(data.start))
    table = np.zeros((models, metrics))
    table[row, data.metric] = data.precision
    values = np.zeros((models, metrics))
    values[row, data.metric] = data.z
    whole = np.block(
        [
            [np.diag(1 / model.ability_variance + table.sum(1)), table],
            [table.T, np.diag(1 / model.cohort_variance + table.sum(0))],
        ]
    )
    sigma = np.linalg.inv(whole)
    right = np.concatenate([(table * values).sum(1), (table * values).sum(0)])
    return (sigma @ right)[:models], sigma[:models, :models], sigma[models:, models:]


def _assert_dense(data: Observations, found: LatentFit, model: LatentModel = MODEL) -> None:
    mean, theta, beta = _dense(data, model)
    assert found.mean == pytest.approx(mean, abs=1e-9)
    assert found.variance == pytest.approx(np.diag(theta), abs=1e-9)
    assert found.cohort_covariance == pytest.approx(beta, abs=1e-9)
    gains = np.zeros((data.models, data.metrics))
    gains[np.repeat(np.arange(data.models), np.diff(data.start)), data.metric] = found.gain
    together = np.diag(found.own_variance) + gains @ found.cohort_covariance @ gains.T
    assert together == pytest.approx(theta, abs=1e-9)


def test_two_models_on_one_metric_by_hand() -> None:
    # p = 1, 1 and z = 1, 0. Abilities eliminated: S = 1/10 + 2 - (1/2 + 1/2) = 1.1 ; r = (1 + 0) - (1/2)(1) = 1/2
    # beta = .5/1.1 = 5/11 ; theta_1 = (1 - 5/11)/2 = 3/11 ; theta_2 = -(5/11)/2 = -5/22
    # variance = 1/2 + (1/2)^2 / 1.1 = 8/11 ; covariance of the two = (1/2)^2 / 1.1 = 5/22
    data = Observations(np.array([0, 1, 2]), np.array([0, 0]), np.array([1.0, 1.0]), np.array([1.0, 0.0]), 1)
    found = fit(data, MODEL)
    assert found.cohort_mean == pytest.approx([5 / 11], abs=1e-15)
    assert found.mean == pytest.approx([3 / 11, -5 / 22], abs=1e-15)
    assert found.variance == pytest.approx([8 / 11, 8 / 11], abs=1e-15)
    assert found.gain[0] * found.cohort_covariance[0, 0] * found.gain[1] == pytest.approx(5 / 22, abs=1e-15)


def test_a_model_without_observations_keeps_its_prior() -> None:
    data = Observations(np.array([0, 0, 1]), np.array([0]), np.array([1.0]), np.array([2.0]), 1)
    found = fit(data, MODEL)
    assert (found.mean[0], found.variance[0]) == (0.0, 1.0)
    assert found.mean[1] > 0


def test_nothing_at_all() -> None:
    empty = Observations(np.array([0]), np.array([], dtype=np.int64), np.array([]), np.array([]), 0)
    assert fit(empty, MODEL).mean.shape == (0,)


@pytest.mark.parametrize(("models", "metrics", "fill"), [(300, 60, 0.9), (300, 60, 0.1), (40, 97, 0.5)])
def test_equals_dense_inverse(models: int, metrics: int, fill: float) -> None:
    data = _random(7, models, metrics, fill)
    _assert_dense(data, fit(data, MODEL))


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    models=st.integers(1, 14),
    metrics=st.integers(1, 14),
    fill=st.sampled_from([0.1, 0.5, 1.0]),
    prior=st.sampled_from([0.3, 1.0, 4.0]),
    cohort=st.sampled_from([1.0, 10.0, 100.0]),
)
def test_small_boards_equal_dense_inverse(
    seed: int, models: int, metrics: int, fill: float, prior: float, cohort: float
) -> None:
    model = LatentModel(ability_variance=prior, cohort_variance=cohort, exact_metrics_limit=500)
    data = _random(seed, models, metrics, fill)
    _assert_dense(data, fit(data, model, Loops(is_compiled=False)), model)


@pytest.mark.parametrize(("models", "metrics", "fill"), [(90, 61, 0.8), (200, 53, 0.15), (6, 101, 0.5), (5, 3, 1.0)])
def test_compiled_and_interpreted_give_the_same_bits(models: int, metrics: int, fill: float) -> None:
    data = _random(11, models, metrics, fill)
    compiled, interpreted = (fit(data, MODEL, Loops(is_compiled=side)) for side in (True, False))
    for name in FIELDS:
        assert getattr(compiled, name).tobytes() == getattr(interpreted, name).tobytes(), name


def test_above_the_limit_lapack_takes_over_and_says_so() -> None:
    data = _random(13, 120, 40, 0.4)
    exact = fit(data, MODEL)
    other = fit(data, LatentModel(ability_variance=1.0, cohort_variance=10.0, exact_metrics_limit=39))
    assert (exact.exactness, other.exactness) == ("hash", "tolerance")
    for name in FIELDS:
        np.testing.assert_allclose(getattr(other, name), getattr(exact, name), rtol=1e-9, atol=1e-12)


def test_small_work_stays_interpreted() -> None:
    assert not Loops.for_work(_random(1, 80, 30, 1.0).steps).is_compiled
    assert Loops.for_work(_random(1, 2000, 300, 0.5).steps).is_compiled


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"metric": np.array([1, 0, 0])}, "ascend"),
        ({"metric": np.array([0, 2, 0])}, "no column"),
        ({"precision": np.array([1.0, 0.0, 1.0])}, "precision"),
        ({"precision": np.array([1.0, 1.0])}, "same length"),
        ({"z": np.array([0.0, np.nan, 0.0])}, "finite"),
        ({"start": np.array([0, 2, 4])}, "start"),
    ],
)
def test_unsound_observations_are_refused(change: dict[str, np.ndarray], message: str) -> None:
    sound = {
        "start": np.array([0, 2, 3]),
        "metric": np.array([0, 1, 0]),
        "precision": np.ones(3),
        "z": np.zeros(3),
    }
    fit(Observations(**sound, metrics=2), MODEL)
    with pytest.raises(ValueError, match=message):
        fit(Observations(**{**sound, **change}, metrics=2), MODEL)
