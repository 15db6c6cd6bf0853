"""The benchmark of decisions still runs. It asserts no time."""

from __future__ import annotations

import runpy
from pathlib import Path


def test_benchmark_runs() -> None:
    benchmark = runpy.run_path(str(Path(__file__).with_name("bench_decision.py")))
    ours, peer = benchmark["compare"](40, 1)
    assert "times the CPU of eleven intervals" in benchmark["line"](ours, peer)
    assert "4,000 rows: " in benchmark["large"](4000)
