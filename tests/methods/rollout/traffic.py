"""A contract with stages, and simulated traffic in batches: rates of harm, exposure, who answered."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import polars as pl

from warehouse.release_contract import ReleaseContract

CONTRACT: dict[str, Any] = {
    "contract": "scoretrail.contract/1", "id": "assistant-2", "title": "Helper 2", "modality": "text", "risk": "medium",
    "population": dict.fromkeys(
        ["language", "region", "tenant", "permission", "entrance", "window", "fallback_routes"], "any"
    ),
    "task": {"unit": "a question"}, "acceptable_behaviours": [], "required_evidence": [], "allowed_refusals": [],
    "end_state": "the question is answered", "forbidden_side_effects": [], "harms": ["a wrong refund"],
    "systems": {"baseline": "assistant-1", "candidate": "assistant-2"},
    "scorer": {"type": "rule", "version": "1"},
    "outcome": {"column": "success"},
    "objective": {"kind": "non_inferiority", "delta_regress_pp": 3, "alpha": 0.05, "expected_pp": 0},
    "sampling": {"minimum_tasks": 200},
    "failures": {"infrastructure": "exclude", "max_infrastructure_frac": 0.02, "max_parse_frac": 0.02},
    "red_lines": [{"id": "money", "column": "wrong_refund", "harm": "money sent to the wrong account"}],
    "sample_budgets": [], "budgets": [], "slices": [], "metrics": [],
    "stages": {
        "is_shadow_needed": True,
        "shadow": {
            "purpose": "compare answers", "recipient": "the evaluation team", "retention": "30 days",
            "is_data_minimized": True, "are_write_tools_off": True, "is_provider_checked": True,
            "is_residency_checked": True, "is_baseline_independent": True,
        },
        "canary": {"is_randomized": True, "unit": "user", "exposure_frac": 0.1, "cohorts": ["region"]},
        "stop": [
            {"id": "errors", "column": "error", "at_most": 0.02, "alpha": 0.01, "action": "rollback"},
            {"id": "slow", "column": "latency_s", "at_most": 4, "highest": 30, "alpha": 0.01, "is_proxy": True,
             "action": "stop"},
        ],
        "rollback": {"to": "assistant-1", "how": "set the flag", "owner": "on call", "within_minutes": 10},
    },
}  # fmt: skip


def contract(**stages: Any) -> ReleaseContract:
    """The contract, with parts of its stages replaced."""
    whole = copy.deepcopy(CONTRACT)
    for name, value in stages.items():
        if isinstance(value, dict):
            whole["stages"][name] |= value
        else:
            whole["stages"][name] = value
    return ReleaseContract.model_validate(whole)


def batch(number: int, units: int = 500, *, seed: int = 0, **rates: float) -> pl.DataFrame:
    """Requests of new users, one each: `exposure`, `error`, `harm`, `other_model` and `success` are chances."""
    at = {"exposure": 0.1, "error": 0.01, "harm": 0.0, "other_model": 0.0, "success": 0.8, **rates}
    draw = np.random.default_rng((seed, number))
    mine = draw.random(units) < at["exposure"]
    system = np.where(mine, "assistant-2", "assistant-1")
    names = [f"b{number}-{n}" for n in range(units)]
    return pl.DataFrame(
        {
            "system": system,
            "task": names,
            "user": [f"user-{name}" for name in names],
            "region": np.where(draw.random(units) < 0.5, "north", "south"),
            "success": draw.random(units) < at["success"],
            "error": np.where(mine, draw.random(units) < at["error"], draw.random(units) < 0.01),
            "latency_s": draw.gamma(2.0, 1.0, units).clip(0, 30),
            "wrong_refund": mine & (draw.random(units) < at["harm"]),
            "requested_model": system,
            "returned_model": np.where(draw.random(units) < at["other_model"], "fallback", system),
        }
    )
