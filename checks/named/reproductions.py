"""Gates on reproductions: what is claimed, whether it is stated, the fields that come first, divergence (METHODS 9).

Belongs here: which figures of a study are held against which limit. A run without a manifest may be published, and is
marked; a claimed reproduction needs the whole manifest, and equal.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import polars as pl

from checks.gate_inputs import Finding, GateInputs, threshold_of
from checks.plain_json import short
from methods.protocols.verdicts import share_held_against
from warehouse.canonical import Json
from warehouse.catalog_model import GateSpec
from warehouse.plain_text import counted

Row = dict[str, Any]
_SHOWN = 3


def manifest_claims(_gate: GateSpec, inputs: GateInputs) -> Finding:
    """Every claimed reproduction rests on two whole manifests that match in everything they state."""
    claims = inputs.frame("out__manifest_pair").filter("is_claim").rows(named=True)
    if not claims:
        runs = inputs.frame("out__manifest_run").height
        return Finding("pass", 0.0, runs, 0, f"{counted(runs, 'run')}, and none claims to reproduce another")
    fields = _fields(inputs)
    differs = [row for row in claims if row["pair_standing"] == "differs"]
    unknown = [row for row in claims if row["pair_standing"] in ("unknown", "no_manifest")]
    figure = float(len(differs) + len(unknown))
    if differs:
        told = _joined(f"{_pair(row)}: {_different(fields, row)}" for row in differs)
        return Finding("fail", figure, len(claims), len(differs), f"no reproduction: {told}", _examples(differs))
    if unknown:
        told = _joined(f"{_pair(row)}: {_unstated(fields, row)}" for row in unknown)
        said = f"nothing stated differs, and {told}; stating these on both sides would decide"
        return Finding("inconclusive", figure, len(claims), len(unknown), said, _examples(unknown))
    return Finding("pass", 0.0, len(claims), 0, f"{counted(len(claims), 'claim')}: the whole manifests match")


def manifest_stated(_gate: GateSpec, inputs: GateInputs) -> Finding:
    """Runs whose manifest is not whole: publishable, and marked."""
    runs = inputs.frame("out__manifest_run").rows(named=True)
    marked = [row for row in runs if row["is_marked"]]
    if not marked:
        return Finding("pass", 0.0, len(runs), 0, f"{counted(len(runs), 'run')}, each with a whole manifest")
    told = _joined(f"{short(row['run'], 60)} does not state {_few(row['unstated'])}" for row in marked)
    examples: tuple[dict[str, Json], ...] = tuple({"run": str(row["run"])} for row in marked)
    return Finding("fail", float(len(marked)), len(runs), len(marked), f"published and marked: {told}", examples)


def manifest_first(_gate: GateSpec, inputs: GateInputs) -> Finding:
    """The fields that come first are stated and equal in every two runs: what costs least to compare."""
    pairs, fields = inputs.frame("out__manifest_pair").rows(named=True), _fields(inputs)
    if not pairs:
        return Finding("inconclusive", None, 0, 0, "one run alone; a second, with its manifest, would decide")
    first = fields.filter(pl.col("field_part") == "first")
    differs = [row for row in pairs if _of(first, row, "different")]
    unknown = [row for row in pairs if row["first_equal"] < row["first_fields"] and row not in differs]
    if differs:
        told = _joined(f"{_pair(row)}: {_different(first, row)}" for row in differs)
        return Finding("fail", float(len(differs)), len(pairs), len(differs), told, _examples(differs))
    if unknown:
        told = _joined(f"{_pair(row)}: {_unstated(first, row)}" for row in unknown)
        said = f"{told}; stating these would decide"
        return Finding("inconclusive", float(len(unknown)), len(pairs), len(unknown), said, _examples(unknown))
    return Finding("pass", 0.0, len(pairs), 0, f"{counted(len(pairs), 'pair')}: equal in what comes first")


def manifest_divergence(gate: GateSpec, inputs: GateInputs) -> Finding:
    """Outputs of two runs of one stack, or of a claimed reproduction: the share that diverges, by its interval.

    Runs whose manifests differ are expected to diverge and are not held against the limit.
    """
    limit, z = threshold_of(gate), inputs.catalog.methodology.source_statistics.level_z
    pairs = inputs.frame("out__manifest_pair").rows(named=True)
    held = [row for row in pairs if (row["is_claim"] or row["pair_standing"] == "matches") and row["prompts"]]
    if not held:
        said = "no two runs of one stack brought outputs; outputs of the same prompts from both would decide"
        return Finding("inconclusive", None, 0, 0, said)
    judged = [(row, share_held_against(row["diverging"], row["prompts"], limit, z)) for row in held]
    worst = max(row["divergence_share"] for row in held)
    beyond = [row for row, one in judged if one.standing == "beyond"]
    open_ = [(row, one) for row, one in judged if one.standing == "undecided"]
    if beyond:
        told = _joined(_diverging(row, limit) for row in beyond)
        return Finding("fail", worst, len(held), len(beyond), told, _examples(beyond))
    if open_:
        needed = [one.sites_to_decide for _, one in open_]
        told = _joined(_diverging(row, limit) for row, _ in open_)
        most = None if None in needed else max(one for one in needed if one is not None)
        would = (
            "too near the limit for any number of prompts" if most is None else f"about {most:,} prompts would decide"
        )
        return Finding("inconclusive", worst, len(held), len(open_), f"{told}; {would}", _examples(r for r, _ in open_))
    return Finding("pass", worst, len(held), 0, _joined(_diverging(row, limit) for row in held))


def _fields(inputs: GateInputs) -> pl.DataFrame:
    return inputs.frame("out__manifest_field").sort("run_a", "run_b", "place")


def _of(fields: pl.DataFrame, row: Row, *states: str) -> list[Row]:
    mine = (pl.col("run_a") == row["run_a"]) & (pl.col("run_b") == row["run_b"])
    return fields.filter(mine & pl.col("field_state").is_in(states)).rows(named=True)


def _different(fields: pl.DataFrame, row: Row) -> str:
    found = _of(fields, row, "different")
    told = [f"{one['field']} {short(one['value_a'], 40)} and {short(one['value_b'], 40)}" for one in found[:_SHOWN]]
    return ", ".join(told) + (f" and {len(found) - _SHOWN} more fields" if len(found) > _SHOWN else "")


def _unstated(fields: pl.DataFrame, row: Row) -> str:
    found = _of(fields, row, "missing_a", "missing_b", "missing_both")
    return f"{_few([one['field'] for one in found])} not stated on both sides"


def _few(names: list[str]) -> str:
    return ", ".join(names[:6]) + (f" and {len(names) - 6} more" if len(names) > 6 else "")


def _diverging(row: Row, limit: float) -> str:
    low, high = row["divergence_low"], row["divergence_high"]
    share = f"{row['diverging']} of {row['prompts']} prompts diverge"
    return f"{_pair(row)}: {share} ({low:.3f} to {high:.3f} against {limit!r})"


def _pair(row: Row) -> str:
    return f"{short(row['run_a'], 60)} and {short(row['run_b'], 60)}"


def _joined(told: Iterable[str]) -> str:
    said = list(told)
    return "; ".join(said[:_SHOWN]) + (f"; and {len(said) - _SHOWN} more" if len(said) > _SHOWN else "")


def _examples(rows: Iterable[Row]) -> tuple[dict[str, Json], ...]:
    return tuple({"run_a": str(row["run_a"]), "run_b": str(row["run_b"])} for row in rows)
