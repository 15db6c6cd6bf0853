"""The linked model in one call: arrange, choose the hyperparameters, take the exact posterior (METHODS 7b)."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from methods.linked.cells import Cells, Floats, arrange
from methods.linked.likelihood import Hyperparameters, maximize, settings_of
from methods.linked.posterior import Posterior, fit
from methods.linked.units import units
from warehouse.linked_rules import LinkedModel, LinkedVariant


@dataclass(frozen=True)
class LinkedFit:
    """Observations, what the likelihood chose, the posterior under it.

    Attributes:
        unit: (metrics,) the units that slopes and noise were drawn in (`units`); None where they were not.
    """

    cells: Cells
    hyperparameters: Hyperparameters
    posterior: Posterior
    unit: Floats | None = None


def fit_linked(evidence: pl.DataFrame, rules: LinkedModel, variant: LinkedVariant | None = None) -> LinkedFit:
    """The linked fit of all evidence.

    Args:
        evidence: `core__evidence`, rows in any order. An empty one has no fit.
        rules: constants.
        variant: which parts the model has; by default the published one.

    Raises:
        ValueError: for evidence that is empty, repeats a (model, metric) or holds numbers that are not finite.
    """
    if evidence.height == 0:
        raise ValueError("there is no evidence to link")
    cells, chosen = arrange(evidence), variant or rules.chosen
    unit = None
    if chosen.units and {"x", "value"} <= set(evidence.columns):
        unit = units(cells, evidence, rules.scale_observations)
    found = maximize(cells, rules, chosen, unit)
    return LinkedFit(cells, found, fit(cells, settings_of(cells, found, rules)), unit)
