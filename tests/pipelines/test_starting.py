"""The front door opens at once: nothing heavy is imported before a subcommand needs it."""

from __future__ import annotations

import subprocess
import sys

HEAVY = (
    "polars",
    "numpy",
    "pyarrow",
    "duckdb",
    "dagster",
    "pandas",
    "great_expectations",
    "scipy",
    "numba",
    "matplotlib",
)


def test_the_command_imports_nothing_heavy() -> None:
    asked = f"import sys, pipelines.command; print([name for name in {HEAVY!r} if name in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
