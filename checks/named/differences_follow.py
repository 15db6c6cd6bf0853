"""Gate differences-follow: the published differences count exactly the aligned pairs of the study, by direction."""

from __future__ import annotations

import polars as pl

from checks.gate_inputs import Finding, GateInputs
from warehouse.catalog_model import GateSpec
from warehouse.pairing_words import SOURCE_DIRECTIONS


def differences_follow(_gate: GateSpec, inputs: GateInputs) -> Finding:
    """n + left_out of each of the six directions is the number of its pairs that agree on `aligned`."""
    aligned = inputs.frame("core__study_pair").filter((pl.col("state") == "agreed") & (pl.col("decision") == "aligned"))
    wanted = dict(aligned.group_by("direction").len().iter_rows())
    found = {
        direction: n + left_out
        for direction, n, left_out in inputs.frame("out__source_difference")
        .select("direction", "n", "left_out")
        .iter_rows()
    }
    wrong = [name for name in SOURCE_DIRECTIONS if found.get(name) != wanted.get(name, 0)]
    said = "; ".join(
        f"{name}: {wanted.get(name, 0)} aligned pairs, the table counts {found.get(name)}" for name in wrong
    )
    return Finding(
        "fail" if wrong else "pass", float(len(wrong)), len(SOURCE_DIRECTIONS), len(wrong),
        said or f"{aligned.height} aligned pairs, each counted once",
        tuple({"direction": name} for name in wrong),
    )  # fmt: skip
