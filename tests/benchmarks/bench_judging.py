"""AUROC and every threshold of a cascade against scikit-learn, in one run: prints ratios, asserts nothing.

    python tests/benchmarks/bench_judging.py

Both sides start from the same million confidences and outcomes: AUROC from floats on both; the thresholds from floats
at scikit-learn and from the whole numbers that judgments are kept as at ours, reading floats into them counted beside.
They run in turns; each one's figure is its least processor time of five. Compilation is done before the first turn.
Ratios travel between machines, times do not. scikit-learn is used where it is installed; nothing else needs it.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from methods.judging.auroc import auroc
from methods.judging.thresholds import sweep
from methods.statistics.fixed_point import fixed_point

SIZE = 1_000_000
TURNS = 5


@dataclass(frozen=True)
class Comparison:
    """One kind of confidences: least seconds of both sides for both kernels, and whether they say the same."""

    name: str
    n: int
    their_auroc: float
    our_auroc: float
    their_thresholds: float
    our_thresholds: float
    our_thresholds_from_floats: float
    agree: bool


def simulated(n: int, digits: int | None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Confidences from one half to one, whether the judge is right, whether the fallback is."""
    rng = np.random.default_rng(n)
    right = rng.random(n) < 0.65
    confidence = 0.5 + 0.5 / (1 + np.exp(-(rng.normal(size=n) + 1.2 * right - 0.6)))
    fallback = rng.random(n) < 0.9
    return confidence if digits is None else confidence.round(digits), right, fallback


def compare(name: str, n: int, digits: int | None, turns: int = TURNS) -> Comparison:
    """Both sides in turns on the same items."""
    from sklearn.metrics import roc_auc_score, roc_curve

    floats, right, fallback = simulated(n, digits)
    whole = 2 * fixed_point(floats)
    difference = (2 * (right.astype(np.int8) - fallback.astype(np.int8))).astype(np.int8)
    runs: dict[str, Callable[[], Any]] = {
        "their_auroc": lambda: roc_auc_score(right, floats),
        "our_auroc": lambda: auroc(floats, right),
        "their_thresholds": lambda: roc_curve(right, floats, drop_intermediate=False),
        "our_thresholds": lambda: sweep(whole, difference),
        "our_thresholds_from_floats": lambda: sweep(2 * fixed_point(floats), difference),
    }
    found = {key: run() for key, run in runs.items()}
    seconds = dict.fromkeys(runs, float("inf"))
    for _ in range(turns):
        for key, run in runs.items():
            seconds[key] = min(seconds[key], _seconds(run))
    close = abs(found["their_auroc"] - found["our_auroc"]) < 1e-9
    _, _, thresholds = found["their_thresholds"]
    return Comparison(
        name, n, **seconds, agree=close and _same(found["our_thresholds"].q / 2e9, thresholds[1:], digits)
    )


def _same(ours: np.ndarray, theirs: np.ndarray, digits: int | None) -> bool:
    """Whether the thresholds are the same; without digits ours are rounded to billionths, and a few may meet."""
    return (
        np.allclose(ours, theirs, atol=1e-9)
        if digits is not None
        else 0 <= theirs.size - ours.size <= theirs.size / 100
    )


def line(one: Comparison) -> str:
    """A comparison in words."""
    return (
        f"{one.n:,} items, {one.name}: AUROC {one.their_auroc / one.our_auroc:.1f} times as fast as scikit-learn; "
        f"every threshold {one.their_thresholds / one.our_thresholds:.1f} times "
        f"({one.their_thresholds / one.our_thresholds_from_floats:.1f} with reading the floats)"
    )


def _seconds(run: Callable[[], object]) -> float:
    gc.collect()
    began = time.process_time()
    run()
    return time.process_time() - began


if __name__ == "__main__":
    for kind, places in (("four digits", 4), ("all different", None)):
        sys.stdout.write(line(compare(kind, SIZE, places)) + "\n")
        sys.stdout.flush()
