"""The benchmark of PSS still runs, and both sides find the same figures. It asserts no time."""

from __future__ import annotations

import runpy
from pathlib import Path

BENCHMARK = runpy.run_path(str(Path(__file__).with_name("bench_protocols.py")))


def test_benchmark_runs_and_both_sides_agree() -> None:
    one = BENCHMARK["compare"](40, 7, 9, 70, turns=1)
    assert one.largest_gap < 1e-12
    assert "times as fast as a loop of scipy.stats.kendalltau" in BENCHMARK["line"](one)
