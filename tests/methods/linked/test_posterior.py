"""The exact posterior: by hand, against a dense version, in any row order; predictions and explanation with it."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest
from dense_linked import Dense
from hypothesis import given, settings
from hypothesis import strategies as st
from simulated_linked import RULES, SCALE, evidence_of, random_rows

from methods.linked import posterior as exact
from methods.linked.abilities import abilities, derivative
from methods.linked.cells import arrange
from methods.linked.centre import centre, centred
from methods.linked.elimination import invert
from methods.linked.explanation import linked_parts, weights
from methods.linked.likelihood import Hyperparameters, settings_of
from methods.linked.model import LinkedFit
from methods.linked.prediction import predict
from warehouse.vocabulary import CATEGORIES, TIERS

LEVELS = ("model", "category", "dimension", "family")


def both(seed: int) -> tuple[LinkedFit, Dense]:
    """A random board under random hyperparameters, fitted here and densely."""
    rows = random_rows(seed)
    rng = np.random.default_rng(seed + 1)
    cells = arrange(evidence_of(rows))
    effect = rng.uniform(0.05, 1.0, (4, len(CATEGORIES)))
    effect[0] = effect[0, 0]
    if seed % 3 == 0:
        effect[3] = 0.0
    width = 1.0 if seed % 2 else 25.0
    found = Hyperparameters(
        effect,
        rng.uniform(0.3, 1.5, cells.metrics),
        rng.uniform(0.1, 0.6, cells.metrics),
        rng.uniform(0.5, 2, 4),
        width,
    )
    dense = Dense(
        rows,
        {("model", ""): width * float(effect[0, 0])}
        | {(LEVELS[d], name): float(effect[d, n]) for d in (1, 2, 3) for n, name in enumerate(CATEGORIES)},
        dict(zip(cells.metric_ids, found.slope.tolist(), strict=True)),
        dict(zip(cells.metric_ids, found.noise.tolist(), strict=True)),
        dict(zip(TIERS, found.tier.tolist(), strict=True)),
        RULES.cohort_variance,
    )
    return LinkedFit(cells, found, exact.fit(cells, settings_of(cells, found, RULES))), dense


def test_one_result_by_hand() -> None:
    """z = 2, ability variance .5 + .2 + .1 + .1, noise .5, offset variance 10: everything is a ratio of these."""
    row = {"model_id": "m", "metric_id": "b", "category": "math", "dimension": "basic", "family": "f",
           "tier": "official", "q": 1.0, "z": 2.0}  # fmt: skip
    cells = arrange(evidence_of([row]))
    effect = np.repeat(np.array([0.5, 0.2, 0.1, 0.1])[:, None], len(CATEGORIES), axis=1)
    found = Hyperparameters(effect, np.ones(1), np.full(1, 0.5), np.ones(4))
    posterior = exact.fit(cells, settings_of(cells, found, RULES))
    total = 0.9 + 0.5 + 10.0
    assert posterior.cohort_mean[0] == pytest.approx(10.0 / total * 2.0, abs=1e-12)
    assert posterior.mean[0][0] == pytest.approx(0.5 / total * 2.0, abs=1e-12)
    assert posterior.variance(0)[0] == pytest.approx(0.5 - 0.25 / total, abs=1e-12)
    rows = abilities(cells, posterior, found)
    # mean over four dimensions: all share model and category, one in four the observed dimension's own effect
    cross = 0.5 + 0.2 + 0.1 / 4
    assert rows.mean[0] == pytest.approx(cross / total * 2.0, abs=1e-12)
    assert rows.variance[0] == pytest.approx(0.5 + 0.2 + 0.1 / 4 - cross * cross / total, abs=1e-12)


def test_a_centred_score_by_hand() -> None:
    """The same result under a prior four times as wide: the model is the centre, its other effects are left."""
    row = {"model_id": "m", "metric_id": "b", "category": "math", "dimension": "basic", "family": "f",
           "tier": "official", "q": 1.0, "z": 2.0}  # fmt: skip
    cells = arrange(evidence_of([row]))
    effect = np.repeat(np.array([0.5, 0.2, 0.1, 0.1])[:, None], len(CATEGORIES), axis=1)
    found = Hyperparameters(effect, np.ones(1), np.full(1, 0.5), np.ones(4), 4.0)
    posterior = exact.fit(cells, settings_of(cells, found, RULES))
    total = 4 * 0.5 + 0.4 + 0.5 + 10.0
    middle = centre(cells, posterior, found)
    assert middle.mean == pytest.approx(2.0 / total * 2.0, abs=1e-12)
    assert middle.variance == pytest.approx(2.0 - 4.0 / total, abs=1e-12)
    assert middle.weights[0] == pytest.approx(2.0 / total, abs=1e-12)
    rows = centred(cells, posterior, abilities(cells, posterior, found), middle)
    cross = 0.2 + 0.1 / 4
    assert rows.mean[0] == pytest.approx(cross / total * 2.0, abs=1e-12)
    assert rows.variance[0] == pytest.approx(cross - cross * cross / total, abs=1e-12)


@given(seed=st.integers(0, 10_000))
@settings(max_examples=12, deadline=None)
def test_agrees_with_the_dense_version(seed: int) -> None:
    fit, dense = both(seed)
    cells, posterior = fit.cells, fit.posterior
    rows = abilities(cells, posterior, fit.hyperparameters)
    shown = centred(cells, posterior, rows, centre(cells, posterior, fit.hyperparameters))
    names = list(CATEGORIES)
    chosen = np.arange(len(rows.model))
    entries = derivative(cells, posterior, rows, chosen)
    for row in range(len(rows.model)):
        category = names[rows.category[row]]
        mean, variance, _ = dense.category(cells.model_ids[rows.model[row]], category, CATEGORIES[category])
        assert rows.mean[row] == pytest.approx(mean, abs=1e-9)
        assert rows.variance[row] == pytest.approx(variance, abs=1e-9)
        if fit.hyperparameters.width != 1.0:
            mean, variance, _ = dense.centred(cells.model_ids[rows.model[row]], category, CATEGORIES[category])
            assert shown.mean[row] == pytest.approx(mean, abs=1e-9)
            assert shown.variance[row] == pytest.approx(variance, abs=1e-9)
    one, other = 0, len(rows.model) - 1
    if rows.model[one] != rows.model[other] and rows.category[one] == rows.category[other]:
        a, b = (np.bincount(cells.metric[entries.cell[entries.target == row]], entries.value[entries.target == row],
                            cells.metrics) for row in (one, other))  # fmt: skip
        category = names[rows.category[one]]
        expected = dense.difference(
            (cells.model_ids[rows.model[one]], category), (cells.model_ids[rows.model[other]], category),
            CATEGORIES[category],
        )  # fmt: skip
        assert a @ posterior.cohort_covariance @ b == pytest.approx(expected, abs=1e-9)


@given(seed=st.integers(0, 10_000))
@settings(max_examples=10, deadline=None)
def test_predictions_agree_with_the_dense_version(seed: int) -> None:
    """Of a model that is known, one known in another place only, and one that is not known at all."""
    fit, dense = both(seed)
    known = dense.rows[0]
    asked = [
        {**known, "model_id": "m3", "tier": "reported", "q": 0.5},
        {**known, "model_id": "m3", "family": "new"},
        {**known, "model_id": "nobody"},
    ]
    asked = [
        one for one in asked if not any(all(one[k] == r[k] for k in ("model_id", "metric_id")) for r in dense.rows)
    ]
    if not asked:
        return
    found = predict(fit, evidence_of(asked))
    for number, one in enumerate(asked):
        mean, variance = dense.result(one)
        assert found.mean[number] == pytest.approx(mean, abs=1e-9)
        assert found.variance[number] == pytest.approx(variance, abs=1e-9)


@given(seed=st.integers(0, 10_000))
@settings(max_examples=8, deadline=None)
def test_explanation_is_exact(seed: int) -> None:
    """Weights equal the dense ones; parts sum to the unclamped score, own and others' apart."""
    fit, dense = both(seed)
    raw = abilities(fit.cells, fit.posterior, fit.hyperparameters)
    rows = centred(fit.cells, fit.posterior, raw, centre(fit.cells, fit.posterior, fit.hyperparameters))
    model, category = fit.cells.model_ids[rows.model[0]], list(CATEGORIES)[rows.category[0]]
    whole = dense.category if fit.hyperparameters.width == 1.0 else dense.centred
    _, _, expected = whole(model, category, CATEGORIES[category])
    found = weights(fit, model, category)
    order = {(row["model_id"], row["metric_id"]): number for number, row in enumerate(dense.rows)}
    for cell in range(fit.cells.count):
        key = (fit.cells.model_ids[fit.cells.model[cell]], fit.cells.metric_ids[fit.cells.metric[cell]])
        assert found[cell] == pytest.approx(expected[order[key]], abs=1e-9)
    parts = linked_parts(fit, SCALE)
    sums = parts.group_by("category", "model_id").agg(pl.col("contribution").sum())
    mean = {(list(CATEGORIES)[c], fit.cells.model_ids[m]): mu
            for m, c, mu in zip(rows.model, rows.category, rows.mean, strict=True)}  # fmt: skip
    for where, who, total in sums.rows():
        assert SCALE.center + total == pytest.approx(SCALE.center + SCALE.slope * mean[where, who], abs=1e-9)
    own = parts.filter((pl.col("category") == category) & (pl.col("model_id") == model) & (pl.col("role") == "own"))
    mine = [row["model_id"] == model for row in dense.rows]
    assert own["contribution"].sum() == pytest.approx(SCALE.slope * float((expected * dense.z)[mine].sum()), abs=1e-9)


def test_same_bits_in_any_row_order() -> None:
    rows = random_rows(5, models=9, metrics=11)
    found = Hyperparameters(np.full((4, 8), 0.2), np.ones(11), np.full(11, 0.3), np.ones(4))
    shuffled = [rows[number] for number in np.random.default_rng(0).permutation(len(rows))]
    one, other = (arrange(evidence_of(some)) for some in (rows, shuffled))
    a, b = (exact.fit(cells, settings_of(cells, found, RULES)) for cells in (one, other))
    assert a.cohort_mean.tobytes() == b.cohort_mean.tobytes()
    assert all(x.tobytes() == y.tobytes() for x, y in zip(a.mean, b.mean, strict=True))


def test_inverse() -> None:
    square = np.random.default_rng(1).normal(size=(12, 12))
    matrix = square @ square.T + np.eye(12)
    assert np.allclose(invert(matrix) @ matrix, np.eye(12), atol=1e-10)
    with pytest.raises(ValueError, match="positive definite"):
        invert(np.array([[1.0, 2.0], [2.0, 1.0]]))


def test_refuses_what_it_cannot_use() -> None:
    row = random_rows(1)[0]
    with pytest.raises(ValueError, match="twice"):
        arrange(evidence_of([row, row]))
    with pytest.raises(ValueError, match="finite"):
        arrange(evidence_of([{**row, "z": math.nan}]))
    with pytest.raises(ValueError, match="positive"):
        arrange(evidence_of([{**row, "q": 0.0}]))
