"""What a source of this format may state in `options`: units, since the format leaves them free."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from warehouse.catalog_model import SourceSpec


class EveryEvalEverOptions(BaseModel):
    """Options of the connector.

    `units`: what the publisher's words for a unit are in ours, beside `percent` (score) and `proportion`
    (score_fraction). `unit`: the unit of results that state none. A unit never follows from a number or from claimed
    bounds; without one, a result is shown and never scored.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    units: dict[str, str] = Field(default_factory=dict)
    unit: str | None = None


def check_every_eval_ever(source: SourceSpec) -> list[tuple[tuple[str | int, ...], str]]:
    """Faults of a source's options, as (path within the entry, message)."""
    try:
        EveryEvalEverOptions.model_validate(source.options)
    except ValidationError as error:
        return [(("options", *fault["loc"]), fault["msg"]) for fault in error.errors(include_url=False)]
    return []
