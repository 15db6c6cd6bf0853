"""Gates on protocol sensitivity: the candidate set declared beforehand, mean PSS, and winner swap (METHODS 8).

Belongs here: which figures of a study are held against which limit. Neither figure stands alone: as candidates join,
one can fall while the other rises. Where the compared candidates are not the declared ones no verdict is given.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import polars as pl

from checks.gate_inputs import Finding, GateFunction, GateInputs, threshold_of
from checks.plain_json import short
from methods.protocols.verdicts import Held, held_against, share_held_against
from methods.statistics.bootstrap import Interval
from warehouse.canonical import canonical_sha256
from warehouse.catalog_model import GateSpec
from warehouse.study_options import ProtocolOptions

Row = dict[str, Any]

_WORDS: Mapping[str, str] = {"mean_pss": "mean PSS", "swap_share": "share of swapped sites"}


def protocol_candidates(gate: GateSpec, inputs: GateInputs) -> Finding:
    """The compared candidates are those that the study declared beforehand."""
    declared = _options(gate, inputs).candidates
    table = inputs.frame("out__protocol_candidate").filter(pl.col("coordinates") > 0)
    found = table["candidate"].unique().sort().to_list()
    rows = _across(inputs)
    if not declared:
        said = f"no candidate set was declared beforehand; options.candidates: [{', '.join(found[:8])}"
        more = ", …]" if len(found) > 8 else "]"
        return Finding("inconclusive", None, len(found), 0, f"{said}{more} in studies.yaml would decide")
    strange = sorted(set(found) ^ set(declared))
    moved = [row for row in rows if _is_void(row, declared)]
    if not strange and not moved:
        return Finding("pass", 0.0, len(found), 0, f"the {len(found)} declared candidates, in every comparison")
    gone, new = sorted(set(declared) - set(found)), sorted(set(found) - set(declared))
    told = [f"not measured: {', '.join(gone)}"] * bool(gone) + [f"not declared: {', '.join(new)}"] * bool(new)
    told += [f"{_between(row)}: compares {row['candidates']} of {len(declared)}" for row in moved[:3]] * (not strange)
    detail = f"the candidate set is not the declared one, so no verdict carries over; {short('; '.join(told), 400)}"
    return Finding(
        "inconclusive", float(len(strange)), len(found), max(len(strange), len(moved)),
        f"{detail}. Declare the set anew, or measure what is missing, and judge again",
        tuple({"candidate": name} for name in strange),
    )  # fmt: skip


def protocol_pss(gate: GateSpec, inputs: GateInputs) -> Finding:
    """Mean PSS of every two protocols against the limit, by its interval over sites."""
    limit = threshold_of(gate)

    def held(row: Row) -> Held | None:
        if row["mean_pss"] is None or row["pss_low"] is None:
            return None
        return held_against(row["mean_pss"], Interval(row["pss_low"], row["pss_high"]), limit, row["sites"])

    return _judged(gate, inputs, "mean_pss", held)


def protocol_winner_swap(gate: GateSpec, inputs: GateInputs) -> Finding:
    """Share of sites whose winner is swapped, of every two protocols, against the limit, by its Wilson interval."""
    limit, z = threshold_of(gate), inputs.catalog.methodology.source_statistics.level_z

    def held(row: Row) -> Held | None:
        if row["sites"] < 2:
            return None
        return share_held_against(row["swapped_sites"], row["sites"], limit, z)

    return _judged(gate, inputs, "swap_share", held)


def _judged(gate: GateSpec, inputs: GateInputs, figure: str, judge: Callable[[Row], Held | None]) -> Finding:
    """Fails where any two protocols lie beyond the limit; inconclusive where any is not decided; else passes."""
    rows, declared, limit = _across(inputs), _options(gate, inputs).candidates, threshold_of(gate)
    if not rows:
        said = "the evidence holds one protocol; losses under a second lawful one would decide"
        return Finding("inconclusive", None, 0, 0, said)
    void = [row for row in rows if declared and _is_void(row, declared)]
    if void:
        said = f"void: {_between(void[0])} compares another candidate set than the declared one"
        return Finding("inconclusive", None, len(rows), len(void), f"{said}; the declared set, measured, would decide")
    held = [(row, judge(row)) for row in rows]
    beyond = [row for row, one in held if one is not None and one.standing == "beyond"]
    undecided = [(row, one) for row, one in held if one is None or one.standing == "undecided"]
    worst = max((row[figure] for row in rows if row[figure] is not None), default=None)
    if beyond:
        told = "; ".join(_told(row, figure, limit) for row in beyond[:3])
        return Finding("fail", worst, len(rows), len(beyond), told, tuple(_example(row, figure) for row in beyond))
    if undecided:
        told = "; ".join(f"{_told(row, figure, limit)}: {_needed(one)}" for row, one in undecided[:3])
        examples = tuple(_example(row, figure) for row, _ in undecided)
        return Finding("inconclusive", worst, len(rows), len(undecided), told, examples)
    return Finding("pass", worst, len(rows), 0, "; ".join(_told(row, figure, limit) for row in rows[:3]))


def _needed(held: Held | None) -> str:
    if held is None:
        return "a second site would give an interval"
    if held.sites_to_decide is None:
        return "too near the limit for any number of sites; another limit, or a larger difference, would decide"
    return f"about {held.sites_to_decide:,} sites would decide"


def _told(row: Row, figure: str, limit: float) -> str:
    """Both figures, since neither is reported alone, with M, H and the resolution."""
    ends = ("pss_low", "pss_high") if figure == "mean_pss" else ("swap_low", "swap_high")
    value, low, high = row[figure], row[ends[0]], row[ends[1]]
    other = "swap_share" if figure == "mean_pss" else "mean_pss"
    interval = "" if low is None else f" ({low:.3f} to {high:.3f})"
    shown = "not defined" if value is None else f"{value:.3f}{interval} against {limit!r}"
    beside = "not defined" if row[other] is None else f"{row[other]:.3f}"
    step = "no resolution" if row["resolution"] is None else f"resolution {row['resolution']:.4f}"
    size = f"M = {row['candidates']}, H = {row['coordinates']}, {step}, {row['sites']} sites"
    return f"{_between(row)}: {_WORDS[figure]} {shown}, {_WORDS[other]} {beside} ({size})"


def _between(row: Row) -> str:
    return f"{short(row['protocol_a'], 60)} and {short(row['protocol_b'], 60)}"


def _example(row: Row, figure: str) -> Row:
    return {"protocol_a": row["protocol_a"], "protocol_b": row["protocol_b"], figure: row[figure]}


def _across(inputs: GateInputs) -> list[Row]:
    table = inputs.frame("out__protocol_panel").filter(pl.col("comparison") == "across")
    return table.sort("protocol_a", "protocol_b").rows(named=True)


def _is_void(row: Row, declared: tuple[str, ...]) -> bool:
    return bool(row["candidate_set_sha256"] != canonical_sha256(sorted(declared)))


def _options(gate: GateSpec, inputs: GateInputs) -> ProtocolOptions:
    study = next(study for study in inputs.catalog.studies if study.id == gate.study)
    return ProtocolOptions.model_validate(study.options)


PROTOCOL_GATES: Mapping[str, GateFunction] = MappingProxyType(
    {
        "protocol-candidates": protocol_candidates,
        "protocol-pss": protocol_pss,
        "protocol-winner-swap": protocol_winner_swap,
    }
)
"""The gates of protocol sensitivity by id, for the command that judges without a release."""
