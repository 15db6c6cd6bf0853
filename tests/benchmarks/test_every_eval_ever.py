"""The benchmark of reading logs still runs, and loses no result. It asserts no time."""

from __future__ import annotations

import runpy
from pathlib import Path

BENCHMARK = runpy.run_path(str(Path(__file__).with_name("bench_every_eval_ever.py")))


def test_benchmark_runs_and_every_result_is_whole() -> None:
    assert BENCHMARK["measure"](1_000)["rows"] == 1_000
