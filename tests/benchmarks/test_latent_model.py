"""The latent model's benchmark still runs, and compares like with like. It asserts no time."""

from __future__ import annotations

import runpy
from pathlib import Path

BENCHMARK = runpy.run_path(str(Path(__file__).with_name("bench_latent_model.py")))


def test_benchmark_runs_and_both_sides_agree() -> None:
    one = BENCHMARK["compare"](30, 8, 0.7, 1)
    assert one.mean_gap < 1e-9
    assert one.variance_gap < 1e-9
    assert "times less processor time" in BENCHMARK["line"](one)
