"""The benchmark of a million results still runs, and both sides agree. It asserts no time."""

from __future__ import annotations

import runpy
from pathlib import Path

BENCHMARK = runpy.run_path(str(Path(__file__).with_name("bench_evidence.py")))


def test_benchmark_runs_and_both_sides_agree() -> None:
    one = BENCHMARK["compare"](metrics=40, models=50)
    assert (one.rows, one.kept) == (4_000, 2_000)
    assert one.z_off < 1e-10
    assert one.precision_off < 1e-10
    assert "4,000 results, 2,000 kept" in BENCHMARK["line"](one)
