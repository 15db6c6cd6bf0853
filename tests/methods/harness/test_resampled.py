"""Resamples of tasks: written out in plain Python beside both engines, bit for bit."""

from __future__ import annotations

import hashlib
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from panels import SEED, crossing_rows, evidence, panel

from methods.harness.resampled import difference_ends, drawn_sums, ends, resample, stratum_seed
from methods.statistics.bootstrap import BootstrapRules
from methods.statistics.keyed_random import draws, resample_keys
from methods.statistics.quantiles import quantile, tails

VALUES = st.sampled_from([0.0, 0.125, 0.3, 0.30000000000000004, 1.0]) | st.floats(0, 1)
RULES = BootstrapRules(SEED, 50, 0.95)


@settings(max_examples=15, deadline=None)
@given(arrays(np.int64, st.tuples(st.integers(1, 9), st.integers(1, 6)), elements=st.integers(-(10**12), 10**12)))
def test_both_engines_give_the_sums_of_the_drawn_rows(rows: np.ndarray) -> None:
    keys = resample_keys(7, 0, 20)
    columns = range(rows.shape[1])
    naive = [[sum(int(rows[place, c]) for place in drawn) for c in columns] for drawn in draws(keys, rows.shape[0])]
    for is_compiled in (False, True):
        assert drawn_sums(rows, keys, is_compiled=is_compiled).tolist() == naive


def test_sums_beyond_exact_floats_stay_exact() -> None:
    rows = np.array([[2**58], [2**58 + 1], [3]], dtype=np.int64)
    keys = resample_keys(7, 0, 20)
    naive = [[sum(int(rows[place, 0]) for place in drawn)] for drawn in draws(keys, 3)]
    assert drawn_sums(rows, keys, is_compiled=False).tolist() == naive


@settings(max_examples=15, deadline=None)
@given(arrays(np.float64, (4, 83), elements=VALUES))
def test_both_engines_give_type_7_quantiles_of_differences(samples: np.ndarray) -> None:
    first, second = np.triu_indices(4, 1)
    sides = [difference_ends(samples, first, second, 0.95, is_compiled=side) for side in (False, True)]
    assert sides[0].tolist() == sides[1].tolist()
    for pair, (low, high) in zip(zip(first, second, strict=True), sides[0].tolist(), strict=True):
        ordered = np.sort(samples[pair[0]] - samples[pair[1]])
        assert (low, high) == tuple(quantile(ordered, probability) for probability in tails(0.95))
    assert ends(samples, 0.95).tolist() == [
        [quantile(np.sort(row), probability) for probability in tails(0.95)] for row in samples
    ]


def test_a_resample_draws_tasks_within_environments_the_same_for_all() -> None:
    rng = np.random.default_rng(1)
    scores = rng.choice([0.0, 0.5, 1.0], (1, 2, 2, 5, 2))
    rows = crossing_rows(scores, np.ones(scores.shape, dtype=bool), (["b"], ["m0", "m1"], ["h0", "h1"]))
    for row in rows:
        row["environment"] = "e1" if row["task"] in {"t000", "t001"} else "e2"
    spec = panel(
        ["m0", "m1"], ["h0", "h1"],
        [{"id": "b", "map": "stated", "repetitions": 2, "environments": [
            {"id": "e1", "tasks": ["t000", "t001"]}, {"id": "e2", "tasks": ["t002", "t003", "t004"]}]}],
    )  # fmt: skip
    grid = evidence(spec, rows).grids[0]
    found = resample(grid, RULES).means["score"]
    for place, (model, harness) in enumerate(grid.block.configurations):
        own = scores[0, int(model[1]), int(harness[1])].sum(axis=1)
        for number in range(RULES.resamples):
            parts = []
            for environment, tasks in (("e1", own[:2]), ("e2", own[2:])):
                seed = SEED ^ int.from_bytes(hashlib.sha256(f"b/{environment}".encode()).digest()[:8], "big")
                assert seed == stratum_seed(SEED, "b", environment)
                drawn = draws(resample_keys(seed, number, number + 1), tasks.size)[0]
                parts.append(Fraction(float(tasks[drawn].sum())) / (2 * tasks.size))
            assert found[place, number] == pytest.approx(float(sum(parts) / 2), abs=1e-15)


def test_one_task_gives_no_interval() -> None:
    spec = panel(["m0"], ["h0"], [{"id": "b", "map": "stated", "tasks": 1, "repetitions": 2}])
    scores = np.ones((1, 1, 1, 1, 2))
    rows = crossing_rows(scores, scores > 0, (["b"], ["m0"], ["h0"]))
    assert not resample(evidence(spec, rows).grids[0], RULES).has_spread
