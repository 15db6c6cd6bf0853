"""Contracts and samples for the tests of release decisions: a whole contract with parts replaced, rows in few words."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from methods.decision.samples import Samples
from resources.catalog_files import load_catalog
from warehouse.decision_words import EvidenceStage
from warehouse.methodology import Methodology
from warehouse.release_contract import ReleaseContract, Seal

CATALOG = Path(__file__).resolve().parents[3] / "warehouse" / "catalog"
SEALED_AT = datetime(2026, 10, 1, tzinfo=UTC)


@cache
def methodology() -> Methodology:
    """The methodology of the bundled catalog."""
    return load_catalog(CATALOG).catalog.methodology


def quick(resamples: int = 2000) -> Methodology:
    """The methodology with fewer resamples and redraws, where a test looks at many decisions."""
    rules = methodology().decision.model_copy(update={"resamples": resamples, "redraws": 40, "redraw_resamples": 400})
    return methodology().model_copy(update={"decision": rules})


BASE: dict[str, Any] = {
    "contract": "scoretrail.contract/1", "id": "assistant", "title": "Support assistant", "modality": "text",
    "risk": "low",
    "population": dict.fromkeys(
        ("language", "region", "tenant", "permission", "entrance", "window", "fallback_routes"), "any"
    ),
    "task": {"unit": "one question"}, "acceptable_behaviours": ["answers"], "required_evidence": [],
    "allowed_refusals": [], "end_state": "the user has an answer", "forbidden_side_effects": [],
    "harms": ["wrong advice"],
    "systems": {"baseline": "old", "candidate": "new"}, "scorer": {"type": "rule", "version": "1"},
    "outcome": {"column": "success", "kind": "binary"},
    "objective": {"kind": "non_inferiority", "delta_regress_pp": 5, "alpha": 0.05, "expected_pp": 0},
    "sampling": {"minimum_tasks": 20},
    "failures": {"infrastructure": "exclude", "max_infrastructure_frac": 0.1, "max_parse_frac": 0.1},
    "red_lines": [], "sample_budgets": [], "budgets": [], "slices": [], "metrics": [],
    "stages": {
        "is_shadow_needed": False,
        "canary": {"is_randomized": True, "unit": "user", "exposure_frac": 0.05},
        "stop": [{"id": "stop-errors", "column": "is_escalated", "at_most": 0.1, "alpha": 0.05, "action": "rollback"}],
        "rollback": {"to": "old", "how": "route all traffic", "owner": "on call", "within_minutes": 10},
    },
}  # fmt: skip


def contract(**parts: Any) -> ReleaseContract:
    """A sealed contract: the base with whole parts replaced."""
    made = ReleaseContract.model_validate({**BASE, **parts})
    return made.model_copy(update={"seal": Seal(sha256=made.sha256, sealed_at=SEALED_AT)})


def samples(of: ReleaseContract, rows: pl.DataFrame, stage: EvidenceStage = "offline") -> Samples:
    """Rows as evidence of a contract, by its scorer where they state none."""
    if "scorer_type" not in rows.columns:
        rows = rows.with_columns(scorer_type=pl.lit(of.scorer.type), scorer_version=pl.lit(of.scorer.version))
    return Samples(rows, of.sha256, stage)


def rows(old: Any, new: Any, **columns: Any) -> pl.DataFrame:
    """Rows of two systems: (tasks,) or (tasks, trials) arrays of values of `success`; further columns by task."""
    frames = []
    for system, values in (("old", old), ("new", new)):
        table = np.asarray(values)
        table = table[:, None] if table.ndim == 1 else table
        tasks, trials = table.shape
        frame = pl.DataFrame(
            {
                "system": [system] * (tasks * trials),
                "task": np.repeat([f"t{i:05d}" for i in range(tasks)], trials),
                "trial": np.tile(np.arange(trials), tasks),
                "success": table.ravel(),
                **{name: np.repeat(np.asarray(given), trials) for name, given in columns.items()},
            }
        )
        frames.append(frame)
    return pl.concat(frames)
