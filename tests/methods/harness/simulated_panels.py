"""Panels simulated with known effects: tasks drawn from a normal population, outcomes by a logistic model.

The truth of a cell is its success rate over the whole population of tasks, by quadrature.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray
from panels import MAPS, panel

from methods.harness.blame import squares_of
from methods.harness.crossed import Crossed
from methods.harness.grid import BlockGrid, HarnessEvidence
from methods.harness.plan import plan_of
from methods.harness.study import Work
from methods.statistics.fixed_point import SCALE
from warehouse.harness_words import Part
from warehouse.methodology import HarnessRules

Array = NDArray[np.float64]
SPREAD = 1.2
RULES = HarnessRules(resamples=250, level=0.95, lower_quartile=0.25, search_limit=100)


@dataclass(frozen=True)
class World:
    """Effects on the logit: of models, harnesses, and their interaction."""

    models: Array
    harnesses: Array
    interaction: Array

    @property
    def logits(self) -> Array:
        return self.models[:, None] + self.harnesses[None] + self.interaction

    @property
    def rates(self) -> Array:
        """(M, H) success rates over all tasks there could be."""
        points, weights = np.polynomial.hermite_e.hermegauss(60)
        each = 1 / (1 + np.exp(-(self.logits[:, :, None] - SPREAD * points)))
        return (each * (weights / weights.sum())).sum(axis=-1)

    @property
    def shares(self) -> dict[Part, float]:
        squares = squares_of([[Fraction(float(value)) for value in row] for row in self.rates])
        whole = float(sum(squares.values()))
        return {part: float(value) / whole for part, value in squares.items()}

    @property
    def fit(self) -> Array:
        return np.exp(np.log(self.rates / self.rates.max(axis=1, keepdims=True)).mean(axis=0))

    def work(self, seed: int, tasks: int = 60, repetitions: int = 2) -> tuple[Work, Crossed]:
        """One panel drawn from the world."""
        rng = np.random.default_rng(seed)
        chance = 1 / (1 + np.exp(-(self.logits[:, :, None] - rng.normal(0, SPREAD, tasks))))
        solved = rng.random((*chance.shape, repetitions)) < chance[..., None]
        models, harnesses = chance.shape[:2]
        spec = panel(
            [f"m{n}" for n in range(models)],
            [f"h{n}" for n in range(harnesses)],
            [{"id": "b", "map": "stated", "tasks": [f"t{t:04d}" for t in range(tasks)], "repetitions": repetitions}],
        )
        plan = plan_of(spec, MAPS, {})
        grid = BlockGrid.empty(plan.blocks[0])
        grid.score[:] = (solved.reshape(grid.score.shape) * SCALE).astype(np.int32)
        grid.recorded[:] = True
        grid.clean[:] = True
        work = Work(HarnessEvidence(plan, [grid], solved.size), RULES, seed)
        return work, work.figures(work.balance.declared)


PATTERN = np.array([[0.5, -0.5, 0], [-0.5, 0.5, 0], [0, 0.5, -0.5], [0, -0.5, 0.5]])
ALL_THREE = World(np.array([0.7, 0.2, -0.2, -0.7]), np.array([0.4, 0, -0.4]), PATTERN)
MODEL_ONLY = World(np.array([1, 0.3, -0.3, -1.0]), np.zeros(3), np.zeros((4, 3)))
INTERACTION_ONLY = World(np.zeros(4), np.zeros(3), 1.5 * PATTERN)
NOTHING = World(np.zeros(4), np.zeros(3), np.zeros((4, 3)))
