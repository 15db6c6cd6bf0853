"""The constants of inference-stack manifests and precision audits (METHODS 9)."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from warehouse.inference_manifest import RUN_FIELDS

Names = Annotated[tuple[str, ...], Field(min_length=1)]


class ManifestRules(BaseModel):
    """Which fields come first, which make a manifest whole, and how an audit is swept."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    first: Names
    whole: Names
    batch_limit: Annotated[int, Field(ge=1)]
    sweep_points: Annotated[int, Field(ge=2)]

    @model_validator(mode="after")
    def _known_once(self) -> Self:
        names = (*self.first, *self.whole)
        for name in names:
            if name not in RUN_FIELDS:
                raise ValueError(f"{name} is no field of a manifest; they are {', '.join(RUN_FIELDS)}")
            if names.count(name) > 1:
                raise ValueError(f"{name} is named twice")
        return self
