"""How wide a step of the ability ought to be on a metric's own scale, by what all metrics together say (METHODS 7b).

A cohort's robust scale is the unit of z. Of few models, or of models that are alike, it is small by chance or by
choice, and a model from elsewhere then lies twenty units away. So slopes and noise are not drawn to one mean of all
metrics in units of z, but to one in a steadier unit: the scale drawn to that of all metrics on the logit,

  steady^2 = (n s^2 + k S^2) / (n + k),   S^2 = median of s^2 over the metrics,  k = `scale_observations`

and a metric's unit is steady / s, in units of z. Belongs here: this ratio. Ratings have no scale in common, and unit 1.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from methods.linked.cells import Cells, Floats


def units(cells: Cells, evidence: pl.DataFrame, observations: float) -> Floats:
    """(metrics,) unit of each metric; 1 for a rating, and where no scale can be told.

    Args:
        cells: the arranged evidence. evidence: `core__evidence`, with x and value. observations: k.
    """
    rows = cells.rows.tolist()
    x, value = evidence["x"].to_numpy()[rows], evidence["value"].to_numpy()[rows]
    scale = np.zeros(cells.metrics)
    # a z that was clamped tells no scale; none lies farther out than those
    inside = np.abs(cells.z) < np.max(np.abs(cells.z), initial=0.0)
    for number in range(cells.metrics):
        here = (cells.metric == number) & inside
        if not np.any(here) or np.all(np.abs(x[here]) == np.abs(value[here])):
            continue  # x of a rating is the rating itself
        z, own = cells.z[here], x[here]
        least, most = int(np.argmin(z)), int(np.argmax(z))
        if z[most] > z[least]:
            scale[number] = (own[most] - own[least]) / (z[most] - z[least])
    is_told = scale > 0.0
    if not np.any(is_told):
        return np.ones(cells.metrics)
    squares = scale[is_told] * scale[is_told]
    ordered = np.sort(squares)
    middle = 0.5 * (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2])
    models = np.bincount(cells.metric, minlength=cells.metrics)[is_told]
    found = np.ones(cells.metrics)
    found[is_told] = np.sqrt((models * squares + observations * middle) / ((models + observations) * squares))
    return found
