"""Maximum marginal likelihood: it is a maximum, it finds what boards were made with, its intervals hold."""

from __future__ import annotations

import numpy as np
import pytest
from dense_linked import Dense
from simulated_linked import RULES, Truth, evidence_of, known_board, linked_cohorts

from methods.linked.abilities import abilities
from methods.linked.cells import arrange
from methods.linked.centre import centre, centred
from methods.linked.likelihood import maximize
from methods.linked.model import fit_linked
from methods.linked.prediction import predict
from warehouse.vocabulary import CATEGORIES, TIERS

LETTER = RULES.variants["letter"]


def test_the_letter_is_a_maximum() -> None:
    """Variances of the plain model: moving any of them lowers the dense marginal likelihood."""
    truth = known_board(3, models=25, metrics=14)
    cells = arrange(truth.evidence)
    thorough = RULES.model_copy(update={"cycles": 200, "tolerance": 1e-6, "resolution": 1e-3})
    found = maximize(cells, thorough, LETTER)
    assert found.has_settled

    def likelihood(model: float, dimension: float, noise: float) -> float:
        flat = {("model", ""): model}
        flat |= {(level, name): 0.0 for level in ("category", "family") for name in CATEGORIES}
        flat |= {("dimension", name): dimension for name in CATEGORIES}
        metrics = cells.metric_ids
        return Dense(truth.rows, flat, dict.fromkeys(metrics, 1.0), dict.fromkeys(metrics, noise),
                     dict.fromkeys(TIERS, 1.0), RULES.cohort_variance).log_likelihood()  # fmt: skip

    best = (float(found.effect[0, 0]), float(found.effect[2, 0]), float(found.noise[0]))
    top = likelihood(*best)
    for number in range(3):
        for factor in (0.95, 1.05):
            moved = list(best)
            moved[number] *= factor
            assert likelihood(*moved) < top


@pytest.fixture(scope="module")
def boards() -> list[Truth]:
    return [known_board(seed) for seed in range(6)]


def test_recovery_and_coverage(boards: list[Truth]) -> None:
    """Slopes, noise and abilities come back; 80% intervals of abilities and of unseen results cover about 80%.

    Strong models stand on hard boards, places are relative to each board's cohort, and cells are missing accordingly.
    """
    inside, total, seen, asked_for = 0, 0, 0, 0
    for number, truth in enumerate(boards):
        rng = np.random.default_rng(number)
        out = rng.random(len(truth.rows)) < 0.1
        kept = [row for row, is_out in zip(truth.rows, out, strict=True) if not is_out]
        known = {row["model_id"] for row in kept}
        metrics = {row["metric_id"] for row in kept}
        asked = [
            r
            for r, o in zip(truth.rows, out, strict=True)
            if o and r["model_id"] in known and r["metric_id"] in metrics
        ]
        fit = fit_linked(evidence_of(kept), RULES)
        found = predict(fit, evidence_of(asked))
        gap = np.abs(np.array([row["z"] for row in asked]) - found.mean)
        seen += int(np.sum(gap <= 1.281552 * np.sqrt(found.variance)))
        asked_for += len(asked)
        raw = abilities(fit.cells, fit.posterior, fit.hyperparameters)
        rows = centred(fit.cells, fit.posterior, raw, centre(fit.cells, fit.posterior, fit.hyperparameters))
        model = np.array([int(fit.cells.model_ids[one][1:]) for one in rows.model])
        real = truth.ability.reshape(len(truth.ability), len(CATEGORIES), 4).mean(axis=2)[model, rows.category]
        # the zero and the scale of abilities are the run's own: compare after the best straight line
        mean, scale = real.mean(), real.std() / rows.mean.std()
        told = mean + (rows.mean - rows.mean.mean()) * scale
        inside += int(np.sum(np.abs(real - told) <= 1.281552 * scale * np.sqrt(rows.variance)))
        total += len(real)
        slope = np.array([truth.slope[int(one[1:])] for one in fit.cells.metric_ids])
        counts = np.bincount(fit.cells.metric)
        large = counts >= 15
        assert np.corrcoef(slope[large], fit.hyperparameters.slope[large])[0, 1] > 0.6
        assert np.median(fit.hyperparameters.noise) == pytest.approx(0.35**2, rel=0.35)
        assert np.corrcoef(real, rows.mean)[0, 1] > 0.9
    assert 0.75 <= seen / asked_for <= 0.86
    assert 0.70 <= inside / total <= 0.88


def test_cohorts_of_unlike_strength_are_told_apart() -> None:
    """The best of a weak cohort is not put above the middle of a strong one, which mean z alone would do."""
    truth = known_board(11)
    fit = fit_linked(truth.evidence, RULES)
    general = fit.posterior.mean[0]
    models = np.array([int(one[1:]) for one in fit.cells.model_ids])
    plain = np.bincount(fit.cells.model, fit.cells.z) / np.bincount(fit.cells.model)
    real = truth.ability.mean(axis=1)[models]
    missed = [1.0 - np.corrcoef(real, told)[0, 1] ** 2 for told in (general, plain)]
    assert missed[0] < 0.5 * missed[1]


def test_a_wide_prior_keeps_boards_that_few_models_link_apart() -> None:
    """Two cohorts, four standard deviations of a cohort apart, two models in both: a narrow prior closes the gap."""
    kept: dict[str, list[float]] = {"full": [], "narrow": []}
    for seed in range(6):
        rows, is_second = linked_cohorts(seed)
        for variant, shares in kept.items():
            fit = fit_linked(evidence_of(rows), RULES, RULES.variants[variant])
            general = fit.posterior.mean[0]
            second = np.array([is_second[name] for name in fit.cells.model_ids])
            within = np.sqrt(0.5 * (general[second].var() + general[~second].var()))
            shares.append(float((general[second].mean() - general[~second].mean()) / within) / 4.0)
    assert np.mean(kept["full"]) == pytest.approx(1.0, abs=0.15)
    assert all(narrow < wide for narrow, wide in zip(kept["narrow"], kept["full"], strict=True))
    assert np.mean(kept["narrow"]) < 0.9


def test_same_hyperparameters_in_any_row_order() -> None:
    truth = known_board(2, models=20, metrics=16)
    order = np.random.default_rng(4).permutation(len(truth.rows)).tolist()
    quick = RULES.model_copy(update={"cycles": 3})
    one, other = (maximize(arrange(frame), quick, RULES.chosen) for frame in (truth.evidence, truth.evidence[order]))
    assert one.vector().tobytes() == other.vector().tobytes()


def test_a_limit_reached_is_said() -> None:
    found = maximize(
        arrange(known_board(2, models=20, metrics=16).evidence), RULES.model_copy(update={"cycles": 1}), LETTER
    )
    assert not found.has_settled
    assert found.updates == 2
    assert found.change > RULES.tolerance
