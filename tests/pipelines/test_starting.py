"""The front door opens at once: nothing heavy is imported before a subcommand needs it."""

from __future__ import annotations

import subprocess
import sys

from assets.studies import ANALYSES, analysis
from warehouse.study_words import STUDY_TABLES

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


def test_a_night_without_studies_loads_no_analysis_and_no_engine() -> None:
    """What is asked for is loaded then: a start is paid every night."""
    seldom = ("scipy", "numba", "matplotlib", "pandas", "great_expectations", *ANALYSES.values())
    asked = f"import sys, pipelines.day_runner; print([name for name in {seldom!r} if name in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


def test_what_begins_a_night_loads_no_graph() -> None:
    """Hosts are asked before Dagster is loaded: a night waits for them anyway."""
    late = ("dagster", "sqlalchemy", "pipelines.graph")
    asked = f"import sys, pipelines.beginning; print([name for name in {late!r} if name in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


def test_every_kind_of_study_with_tables_has_its_analysis() -> None:
    asked_for = {kind for kind, tables in STUDY_TABLES.items() if tables}
    assert {kind for kind in asked_for if callable(analysis(kind))} == asked_for == set(ANALYSES)
