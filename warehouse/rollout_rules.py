"""The group `rollout` of methodology.yaml: constants and Choices of shadow and canary (METHODS 12).

Belongs here: their shape. Does not belong here: what a contract states (`warehouse.release_contract`).
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from warehouse.source_model import Entry, Share


class RolloutRules(Entry):
    """METHODS 12: the weights of the always-valid bound, the test of exposure, rows that another model answered."""

    prior: Annotated[float, Field(gt=0)]
    exposure_alpha: Annotated[float, Field(gt=0, lt=0.5)]
    exposure_concentration: Annotated[float, Field(gt=0)]
    max_other_model_frac: Share


class RegressionRules(Entry):
    """METHODS 12: from which similarity on two failures are one, where they would stand in different splits."""

    near_duplicate: Annotated[float, Field(gt=0.5, le=1)]
