"""One batch of a shadow or canary, from a file to rows in the types of its contract.

Belongs here: which columns are read. Does not belong here: one file of samples (`resources.sample_files`), what a batch
says (`methods.rollout`).
"""

from __future__ import annotations

from pathlib import Path

import polars as pl

from methods.components.columns import LIST_COLUMNS, made_of
from methods.decision.decide import with_contract_components
from methods.decision.samples import SampleError
from methods.decision.typed_columns import wanted_types
from methods.rollout.batch_columns import typed_batch
from resources.evidence_store import EvidenceError
from resources.list_cells import ListCellError, with_lists
from resources.sample_files import read_rows
from warehouse.release_contract import ReleaseContract

NAMED_CONTRACT = "contract_sha256"


def read_batch(path: Path, contract: ReleaseContract) -> pl.DataFrame:
    """The rows of a batch: CSV, JSON lines or Parquet, one row a request and system.

    Raises:
        EvidenceError: naming file, row and column; also where a row names another contract.
    """
    outcome = contract.outcome.column if contract.outcome.kind == "binary" else None
    stages = contract.stages
    wanted = [*wanted_types(contract), *made_of(contract.columns, outcome), stages.canary.unit, *stages.canary.cohorts]
    wanted += [rule.column for rule in stages.stop]
    frame = read_rows(path, list(dict.fromkeys([*wanted, NAMED_CONTRACT])), {}, LIST_COLUMNS)
    try:
        frame = with_contract_components(contract, with_lists(frame, LIST_COLUMNS))
        _check_contract(frame, contract)
        return typed_batch(contract, frame.drop(NAMED_CONTRACT, strict=False))
    except (SampleError, ListCellError) as error:
        raise EvidenceError(f"{path.name}: {error}") from error


def _check_contract(frame: pl.DataFrame, contract: ReleaseContract) -> None:
    if NAMED_CONTRACT not in frame.columns:
        return
    other = frame.with_row_index("row", offset=1).filter(pl.col(NAMED_CONTRACT).ne_missing(contract.sha256))
    if other.height:
        row, named = other.select("row", NAMED_CONTRACT).row(0)
        raise SampleError(f"row {row}: names contract {str(named)[:12]}, this one has {contract.sha256[:12]}")
