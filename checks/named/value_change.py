"""Gates on values that moved between two releases: many at once, or all by one factor (A09).

Belongs here: comparison of evidence with the baseline's. Both are robust: one corrected value does not fire, a shifted
column does. A range check cannot do this: 0.007 is a legal fraction.
"""

from __future__ import annotations

import math
from statistics import median
from typing import Final

from checks.gate_inputs import Finding, GateInputs, threshold_of
from checks.named.shares import Share, judge_shares
from warehouse.canonical import Json
from warehouse.catalog_model import GateSpec

MINIMUM_COMMON: Final = 3
"""Common rows below which a share of them says nothing."""
MINIMUM_PAIRS: Final = 2
"""Common models below which a common factor says nothing."""

Values = dict[str, dict[str, tuple[str, float]]]


def _values(inputs: GateInputs) -> Values:
    cells: Values = {}
    columns = inputs.frame("core__evidence").select("metric_id", "model_id", "entry_id", "value")
    for metric, model, entry, value in columns.iter_rows():
        cells.setdefault(metric, {})[model] = (entry, value)
    return cells


def value_jump(gate: GateSpec, inputs: GateInputs) -> Finding:
    """Per metric, the share of evidence in common that moved by more than one robust SD of the metric before.

    Evidence is in common where the entry is: a source that gave way to another is no jump.
    """
    limit, now = threshold_of(gate), _values(inputs)
    factor = inputs.catalog.methodology.standardization.mad_factor
    shares = []
    for metric, before in sorted(inputs.baseline_figures().values.items()):
        common = [
            (value, now[metric][model][1])
            for model, (entry, value) in sorted(before.items())
            if metric in now and model in now[metric] and now[metric][model][0] == entry
        ]
        if len(common) < MINIMUM_COMMON:
            continue
        spread = factor * _mad([value for _, value in before.values()])
        moved = sum(abs(new - old) > spread for old, new in common)
        shares.append(Share(metric, moved, len(common), limit, f"moved by more than {spread:.6g}"))
    return judge_shares(shares, f"values that jumped, metrics with {MINIMUM_COMMON} rows in common with the baseline")


def _mad(values: list[float]) -> float:
    centre = median(values)
    return median([abs(value - centre) for value in values])


def scale_change(gate: GateSpec, inputs: GateInputs) -> Finding:
    """Per metric, the median factor between a model's value now and before; the limit is in powers of ten.

    Models are matched, whatever entry their value stands in, so that a re-keyed import is seen too. Zeros have no
    factor and take no part.
    """
    limit, now = threshold_of(gate), _values(inputs)
    found: list[tuple[float, str, float, int]] = []
    for metric, before in sorted(inputs.baseline_figures().values.items()):
        factors = [
            now[metric][model][1] / value
            for model, (_, value) in sorted(before.items())
            if metric in now and model in now[metric] and value * now[metric][model][1] > 0
        ]
        if len(factors) >= MINIMUM_PAIRS:
            factor = median(factors)
            found.append((abs(math.log10(factor)), metric, factor, len(factors)))
    if not found:
        return Finding("pass", None, 0, 0, f"no metric has {MINIMUM_PAIRS} models in common with the baseline")
    failing = sorted((item for item in found if item[0] > limit), reverse=True)
    size, metric, factor, _ = max(found)
    if failing:
        told = "; ".join(f"{name} x{by:.4g} over {models} models" for _, name, by, models in failing[:5])
        detail = f"values changed scale by more than 10^{limit!r}: {told} ({len(failing)} of {len(found)} metrics)"
    else:
        detail = f"no metric of {len(found)} changed scale by more than 10^{limit!r}; most {metric} x{factor:.4g}"
    examples: tuple[dict[str, Json], ...] = tuple(
        {"metric": name, "factor": by, "models": models} for _, name, by, models in failing[:20]
    )
    return Finding("fail" if failing else "pass", size, len(found), len(failing), detail, examples)
