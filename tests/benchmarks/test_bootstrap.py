"""The bootstrap's benchmark still runs, and compares like with like. It asserts no time."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

BENCHMARK = runpy.run_path(str(Path(__file__).with_name("bench_bootstrap.py")))


@pytest.mark.parametrize("statistic", ["mean", "median"])
def test_benchmark_runs_and_both_sides_agree(statistic: str) -> None:
    one = BENCHMARK["compare"](statistic, 60, 4000, 1)
    assert one.ours.low == pytest.approx(one.scipy_ends.low, abs=0.25 * one.standard_error)
    assert one.ours.high == pytest.approx(one.scipy_ends.high, abs=0.25 * one.standard_error)
    assert "times as fast as scipy.stats.bootstrap" in BENCHMARK["line"](one)
