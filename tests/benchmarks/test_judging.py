"""The benchmark of judging still runs, and compares like with like, where scikit-learn is. It asserts no time."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

BENCHMARK = runpy.run_path(str(Path(__file__).with_name("bench_judging.py")))


@pytest.mark.parametrize(("name", "digits"), [("two digits", 2), ("all different", None)])
def test_benchmark_runs_and_both_sides_agree(name: str, digits: int | None) -> None:
    pytest.importorskip("sklearn", reason="scikit-learn, the peer, is not installed")
    one = BENCHMARK["compare"](name, 2000, digits, turns=1)
    assert one.agree
    assert "times as fast as scikit-learn" in BENCHMARK["line"](one)
