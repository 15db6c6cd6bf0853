"""The benchmark of pairing still runs, and compares like with like. It asserts no time."""

from __future__ import annotations

import runpy
from pathlib import Path

BENCHMARK = runpy.run_path(str(Path(__file__).with_name("bench_pairing.py")))


def test_benchmark_runs_and_all_sides_agree() -> None:
    one = BENCHMARK["compare"](proved=300, large=600, turns=1)
    assert one.agree
    assert one.pairs > 0
    assert "naive generator" in BENCHMARK["line"](one)
