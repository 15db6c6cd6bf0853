"""Gates on values that moved between two releases: many at once, or all by one factor (A09).

Belongs here: comparison of evidence with the baseline's. Both are robust: one corrected value does not fire, a shifted
column does. A range check cannot do this: 0.007 is a legal fraction. Values are looked at by metric, by leaderboard,
and by metric at leaderboard: a small board that feeds a large metric, and a board whose rows are spread thinly over
many metrics, must not hide.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median
from typing import Final

from checks.gate_inputs import Finding, GateInputs, limit_of
from checks.named.shares import Share, judge_shares
from warehouse.canonical import Json
from warehouse.catalog_model import GateSpec

MINIMUM_COMMON: Final = 5
"""Common rows from which a share of them says something: one corrected value of four would be a quarter."""
MINIMUM_PAIRS: Final = 2
"""Common models from which a common factor says something."""


@dataclass(frozen=True, slots=True)
class _Cell:
    """One model's value on one metric, before and now."""

    metric: str
    model: str
    leaderboard: str
    same_entry: bool
    before: float
    now: float

    def told(self) -> str:
        """What changed, for people."""
        return f"{self.model} {self.before:.4g} -> {self.now:.4g}"

    def groups(self) -> tuple[str, str]:
        """The groups by metric that the cell belongs to."""
        return self.metric, f"{self.metric} at {self.leaderboard}"


def _cells(inputs: GateInputs) -> Iterator[_Cell]:
    """The models and metrics that both releases have, in a fixed order; the leaderboard is today's."""
    values = inputs.baseline_figures().values
    evidence = inputs.frame("core__evidence").select("metric_id", "model_id", "entry_id", "value")
    boards = inputs.frame("core__result").select("entry_id", "leaderboard")
    placed = evidence.join(boards, on="entry_id", how="left").sort("metric_id", "model_id", "entry_id")
    for metric, model, entry, value, board in placed.iter_rows():
        former = values.get(metric, {}).get(model)
        if former is not None:
            yield _Cell(metric, model, board or "no leaderboard", former[0] == entry, former[1], value)


def value_jump(gate: GateSpec, inputs: GateInputs) -> Finding:
    """Share of evidence in common that moved by more than one robust SD of its metric before, by group.

    Evidence is in common where the entry is: a source that gave way to another is no jump.
    """
    if sum(map(len, inputs.baseline_figures().values.values())) < MINIMUM_COMMON:
        return _too_few(inputs)
    factor = inputs.catalog.methodology.standardization.mad_factor
    spread = {
        metric: factor * _mad([value for _, value in cells.values()])
        for metric, cells in inputs.baseline_figures().values.items()
    }
    moved: dict[str, list[bool]] = {}
    limits: dict[str, float] = {}
    told: dict[str, list[tuple[float, str]]] = {}
    for cell in _cells(inputs):
        if cell.same_entry:
            jumped = abs(cell.now - cell.before) > spread[cell.metric]
            own = limit_of(gate, inputs.catalog, cell.leaderboard, "max_jump")
            for group in (*cell.groups(), f"all of {cell.leaderboard}"):
                moved.setdefault(group, []).append(jumped)
                # A metric fed by several leaderboards bears what the most tolerant of them may.
                limits[group] = max(own, limits.get(group, 0.0))
                if jumped:
                    told.setdefault(group, []).append((-abs(cell.now - cell.before), cell.told()))
    shares = [
        Share(
            group, sum(jumps), len(jumps), limits[group], "; ".join(text for _, text in sorted(told.get(group, []))[:2])
        )
        for group, jumps in sorted(moved.items())
        if len(jumps) >= MINIMUM_COMMON
    ]
    return judge_shares(shares, "values that moved by more than one robust SD, by metric and leaderboard")


def _too_few(inputs: GateInputs) -> Finding:
    """The finding against a former release that counted next to nothing: today's evidence was looked at."""
    rows = inputs.frame("core__evidence").height
    return Finding("pass", None, rows, 0, "the former release has too little evidence to compare with")


def _mad(values: list[float]) -> float:
    centre = median(values)
    return median([abs(value - centre) for value in values])


def scale_change(gate: GateSpec, inputs: GateInputs) -> Finding:
    """Median factor between a model's value now and before, by group; the limit is in powers of ten.

    Models are matched, whatever entry their value stands in, so that a re-keyed import is seen too. Zeros have no
    factor and take no part.
    """
    if max(map(len, inputs.baseline_figures().values.values()), default=0) < MINIMUM_PAIRS:
        return _too_few(inputs)
    factors: dict[str, list[float]] = {}
    limits: dict[str, float] = {}
    for cell in _cells(inputs):
        if cell.before * cell.now > 0:
            own = limit_of(gate, inputs.catalog, cell.leaderboard, "max_scale")
            for group in cell.groups():
                factors.setdefault(group, []).append(cell.now / cell.before)
                limits[group] = max(own, limits.get(group, 0.0))
    found = [
        (abs(math.log10(median(by))), group, median(by), len(by))
        for group, by in sorted(factors.items())
        if len(by) >= MINIMUM_PAIRS
    ]
    if not found:
        return Finding("pass", None, 0, 0, f"no metric has {MINIMUM_PAIRS} models in common with the baseline")
    failing = sorted((item for item in found if item[0] > limits[item[1]]), reverse=True)
    size, group, factor, _ = max(failing or found)
    limit = limits[group]
    if failing:
        told = "; ".join(f"{name} x{by:.4g} over {models} models" for _, name, by, models in failing[:5])
        detail = f"{len(failing)} of {len(found)} groups changed scale by more than 10^{limit!r}: {told}"
    else:
        detail = f"none of {len(found)} groups changed scale by more than 10^{limit!r}; most {group} x{factor:.4g}"
    examples: tuple[dict[str, Json], ...] = tuple(
        {"group": name, "factor": by, "models": models} for _, name, by, models in failing[:20]
    )
    return Finding("fail" if failing else "pass", size, len(found), len(failing), detail, examples, limit)
