"""The benchmark of the board's variants still runs. It asserts no time."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

BENCHMARK = runpy.run_path(str(Path(__file__).with_name("bench_sensitivity.py")))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "methods" / "sensitivity"))


def test_benchmark_runs() -> None:
    from day_tables import day

    a_day = day(1)
    one = BENCHMARK["compare"](a_day.evidence, a_day.exclusions, a_day.results, a_day.catalog)
    assert one.variants > 11
    assert "times as fast as the chain" in BENCHMARK["line"](one)
