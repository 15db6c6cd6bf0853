"""The samples of a decision: the columns that have a meaning of their own, and their types (METHODS 12).

Belongs here: the schema that every reader delivers. Does not belong here: files (`resources.sample_reader`), what
counts as a success (`methods.decision.outcomes`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import polars as pl

from warehouse.decision_words import EvidenceStage

KNOWN_COLUMNS: Final[dict[str, pl.DataType]] = {
    "system": pl.String(), "task": pl.String(), "trial": pl.Int64(), "score": pl.Float64(), "success": pl.Boolean(),
    "raw_verdict": pl.String(), "scorer_type": pl.String(), "scorer_version": pl.String(),
    "parse_status": pl.String(), "infrastructure_status": pl.String(), "tokens": pl.Float64(), "steps": pl.Float64(),
    "cost": pl.Float64(), "latency_s": pl.Float64(), "is_escalated": pl.Boolean(), "source": pl.String(),
    "eligibility": pl.String(), "label_basis": pl.String(), "licence": pl.String(), "purpose": pl.String(),
    "sensitivity": pl.String(), "lifecycle": pl.String(), "fixture_version": pl.String(),
    "environment_version": pl.String(), "image_version": pl.String(), "trajectory": pl.String(),
    "requested_model": pl.String(), "returned_model": pl.String(), "recorded_at": pl.String(),
}  # fmt: skip
"""Columns that mean the same in every contract. `system` and `task` are never null; `trial` counts repeats of a task
by a system; the statuses are `ok` or `failed`, null where nothing failed is recorded, which is `ok`."""
REQUIRED: Final = ("system", "task")
OK: Final = "ok"
FAILED: Final = "failed"
STATUSES: Final = (OK, FAILED)
INELIGIBLE: Final = "ineligible"
"""The word in `eligibility` that takes a row out of the denominator."""
ELIGIBILITIES: Final = ("eligible", INELIGIBLE)


class SampleError(ValueError):
    """Samples that a contract cannot be applied to: says which column, row or value, and what is expected."""


@dataclass(frozen=True, slots=True)
class Samples:
    """The evidence of a decision.

    Attributes:
        rows: one row a (system, task, trial); columns `KNOWN_COLUMNS` as far as stated, and the user's own.
        contract_sha256: the hash of the contract that the evidence names.
        stage: where it comes from.
        notes: what was said about the samples and met nothing, in sentences.
    """

    rows: pl.DataFrame
    contract_sha256: str
    stage: EvidenceStage
    notes: tuple[str, ...] = ()

    @property
    def height(self) -> int:
        """How many rows."""
        return self.rows.height
