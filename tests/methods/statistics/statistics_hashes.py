"""Prints, as JSON, hashes of source statistics over simulated rows: run by `test_same_bits` in other processes.

Usage: statistics_hashes.py (numpy | compiled) SHUFFLE_SEED
"""

from __future__ import annotations

import hashlib
import json
import sys
from decimal import Decimal

import numpy as np
from study_rows import METHODOLOGY, catalog, metric, registry, results

from methods.statistics import resampling
from methods.statistics.aligned import AlignedDifference
from methods.statistics.bootstrap import BootstrapRules, in_total_order, resampled_means, resampled_medians
from methods.statistics.divergence import source_divergence
from methods.statistics.fixed_point import fixed_point
from methods.statistics.source_difference import Scope, source_differences
from warehouse.hashing import table_hash
from warehouse.pairing_words import SOURCE_DIRECTIONS
from warehouse.tables_statistics import OUT_SOURCE_DIFFERENCE, OUT_SOURCE_DIVERGENCE


def statistics_hashes(shuffle: int) -> dict[str, str]:
    made, order = np.random.default_rng(20261020), np.random.default_rng(shuffle)
    points, models = made.normal(2, 6, 900).round(3), made.integers(0, 400, 900)
    mixed = order.permutation(900)
    points, models = points[mixed], models[mixed]
    pairs = [
        AlignedDifference(str(n), SOURCE_DIRECTIONS[int(name) % 5], str(name), Decimal(repr(float(value))))
        for n, (name, value) in enumerate(zip(models, points, strict=True))
    ]
    rules = BootstrapRules(METHODOLOGY.seed, 2000, 0.95)
    alone = in_total_order(fixed_point(points))
    together = in_total_order(fixed_point(points), [str(name) for name in models])
    known = catalog(metric("quiz"))
    rows = [
        {
            "entry_id": f"{n:016x}", "leaderboard": f"board {n % 3}", "value": float(value), "n_samples": 1 + 7 * n,
            "model": f"Model {n % 10}", "source_type": ("official", "paper")[n % 2],
        }
        for n, value in enumerate(made.uniform(0, 100, 60).round(2))
    ]  # fmt: skip
    frame = results(*rows).sample(fraction=1.0, shuffle=True, seed=shuffle)
    differences = source_differences(pairs, [], METHODOLOGY, Scope("2026-10-20", 3, 900))
    divergence = source_divergence(frame, registry(known), known).table
    return {
        "means": _digest(resampled_means(alone, rules)),
        "medians": _digest(resampled_medians(alone, rules)),
        "clustered means": _digest(resampled_means(together, rules)),
        "clustered medians": _digest(resampled_medians(together, rules)),
        "out__source_difference": table_hash(differences, OUT_SOURCE_DIFFERENCE),
        "out__source_divergence": table_hash(divergence, OUT_SOURCE_DIVERGENCE),
    }


def _digest(values: np.ndarray) -> str:
    return hashlib.sha256(values.astype("<f8").tobytes()).hexdigest()


if __name__ == "__main__":
    resampling.COMPILE_ABOVE = -1 if sys.argv[1] == "compiled" else 2**62  # type: ignore[misc]
    print(json.dumps(statistics_hashes(int(sys.argv[2]))))
