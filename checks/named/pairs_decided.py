"""Gate pairs-decided: the reviewed decision table equals the generated set pair by pair (METHODS 5).

One missing or one too many fails; so do two reviewers who disagree, a row that only repeats another, and an `aligned`
that the program cannot confirm.
"""

from __future__ import annotations

from collections import Counter

import polars as pl

from checks.gate_inputs import Finding, GateInputs
from warehouse.catalog_model import GateSpec
from warehouse.study_words import STUDY_PAIR_STATES

_SHOWN = 3


def pairs_decided(_gate: GateSpec, inputs: GateInputs) -> Finding:
    """Every pair of core__study_pair agrees."""
    pairs = inputs.frame("core__study_pair")
    tally = Counter(pairs["state"])
    failed = pairs.filter(pl.col("state") != "agreed")
    if not failed.height:
        said = f"{pairs.height} generated pairs, each decided"
    else:
        counts = ", ".join(f"{tally[state]} {state}" for state in STUDY_PAIR_STATES if tally[state])
        first = ", ".join(f"{row['pair_id']} ({row['state']})" for row in failed.head(_SHOWN).rows(named=True))
        said = f"of {pairs.height} pairs {counts}; first {first}. Decide them: scoretrail review export --freeze NAME"
    return Finding(
        "fail" if failed.height else "pass", float(failed.height), pairs.height, failed.height, said,
        tuple({"pair_id": row["pair_id"], "state": row["state"]} for row in failed.head(20).rows(named=True)),
    )  # fmt: skip
