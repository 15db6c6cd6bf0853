"""A sealed contract on disk and batches of simulated traffic, for tests of the command and of Dagster."""

from __future__ import annotations

import copy
import sys
from pathlib import Path
from typing import Any

import yaml

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "methods" / "rollout"))

from traffic import CONTRACT, batch

from pipelines import command


def sealed_contract(folder: Path, **stages: Any) -> Path:
    """A contract file, sealed; parts of its stages replaced."""
    whole = copy.deepcopy(CONTRACT)
    for name, value in stages.items():
        whole["stages"][name] = whole["stages"][name] | value if isinstance(value, dict) else value
    path = folder / "contract.yaml"
    path.write_text(yaml.safe_dump(whole, sort_keys=False), encoding="utf-8")
    assert command.run(["contract", "seal", str(path), "--json"]) == 0
    return path


def csv(folder: Path, number: int, units: int = 2000, **rates: float) -> Path:
    """A batch as CSV, with its ruler."""
    return written(folder / f"batch-{number}.csv", number, units, **rates)


def written(path: Path, number: int, units: int = 2000, **rates: float) -> Path:
    """A batch at a place, by the ending of its name."""
    import polars as pl

    frame = batch(number, units, **rates).with_columns(scorer_type=pl.lit("rule"), scorer_version=pl.lit("1"))
    {".csv": frame.write_csv, ".parquet": frame.write_parquet, ".jsonl": frame.write_ndjson}[path.suffix](path)
    return path
