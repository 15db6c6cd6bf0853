"""The benchmark of the crossing still runs, and compares like with like. It asserts no time."""

from __future__ import annotations

import runpy
from pathlib import Path

BENCHMARK = runpy.run_path(str(Path(__file__).with_name("bench_harness.py")))


def test_benchmark_runs_and_both_sides_agree() -> None:
    one = BENCHMARK["compare"](BENCHMARK["spec_of"](2, 2, 2, 30, 2), 2000, 1)
    assert one.differences == 2 * 6 + 6
    assert one.apart < 0.4
    assert "as fast as scipy.stats.bootstrap on task means" in BENCHMARK["line"](one)


def test_attempts_are_written_read_and_reduced(tmp_path: Path) -> None:
    _, attempts = BENCHMARK["write_attempts"](tmp_path, 4000)
    *_, recorded = BENCHMARK["aggregate"](tmp_path)
    assert recorded == attempts == 4000
