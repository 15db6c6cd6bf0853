"""The group `decision` of methodology.yaml: constants and Choices of release decisions (METHODS 12).

Belongs here: their shape. Does not belong here: what a contract may choose (`warehouse.release_contract`).
"""

from __future__ import annotations

from statistics import NormalDist
from typing import Annotated, Final, Self

from pydantic import Field, model_validator

from warehouse.decision_words import RISKS, Risk
from warehouse.source_model import Entry

Count = Annotated[int, Field(ge=1)]
Positive = Annotated[float, Field(gt=0)]
Probability = Annotated[float, Field(gt=0, lt=1)]
_NORMAL: Final = NormalDist()


class RiskDefaults(Entry):
    """What a new contract proposes for a risk: level, margin, minimum numbers, shares of lost rows."""

    alpha: Annotated[float, Field(gt=0, lt=0.5)]
    delta_pp: Positive
    minimum_tasks: Annotated[int, Field(ge=2)]
    slice_minimum_tasks: Annotated[int, Field(ge=2)]
    minimum_clusters: Annotated[int, Field(ge=2)]
    max_infrastructure_frac: Probability
    max_parse_frac: Probability


class DecisionRules(Entry):
    """METHODS 12: resampling, exact methods, limits of each, planning and instability."""

    resamples: Count
    level: Probability
    level_z: Positive
    power: Annotated[float, Field(gt=0.5, lt=1)]
    power_z: Positive
    exact_pairs_limit: Count
    nuisance_points: Annotated[int, Field(ge=10)]
    nuisance_risk: Probability
    nuisance_share: Probability
    bounded_units_limit: Count
    bootstrap_units_limit: Count
    minimum_units: Count
    two_stage_draws_limit: Count
    redraws: Count
    redraw_resamples: Count
    planned_tasks_limit: Count
    curve_points: Annotated[int, Field(ge=3)]
    risks: dict[Risk, RiskDefaults]

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        for name, z, below in (("level_z", self.level_z, (1 + self.level) / 2), ("power_z", self.power_z, self.power)):
            if abs(_NORMAL.cdf(z) - below) > 1e-9:
                raise ValueError(f"{name} {z} is not the normal quantile of {below}: that is {_NORMAL.inv_cdf(below)}")
        if set(self.risks) != set(RISKS):
            raise ValueError(f"risks needs exactly {', '.join(RISKS)}")
        return self


def normal_quantile(probability: float) -> float:
    """The standard normal quantile to twelve digits, which every machine agrees on."""
    return float(f"{_NORMAL.inv_cdf(probability):.12g}")
