"""The native result object (DESIGN "The native format") as a typed value: what a readable row must look like.

A row that breaks this shape is `row_unparseable`, with the field named. The value itself is free here: text, null and
NaN tokens are kept as received and judged later (METHODS 3).
"""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Annotated, Any, Final

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from warehouse.vocabulary import Kind, SourceType, Tier


def moment(value: object) -> datetime | None:
    """A date or time as UTC; a date is its midnight, a time without zone is taken as UTC."""
    if value is None or isinstance(value, datetime):
        stated = value
    elif isinstance(value, date):
        stated = datetime(value.year, value.month, value.day, tzinfo=UTC)
    elif isinstance(value, str):
        stated = datetime.fromisoformat(value.strip().replace("/", "-"))
    else:
        raise ValueError("must be a date such as 2026-10-20 or a time such as 2026-10-20T00:00:00Z")
    if stated is None:
        return None
    return stated.replace(tzinfo=UTC) if stated.tzinfo is None else stated.astimezone(UTC)


def _measured_unless_stated(value: object) -> object:
    """Null is absent, here as in every other field: a result is measured unless its source says otherwise."""
    return "measured" if value is None else value


Text = Annotated[str, Field(min_length=1)]
Moment = Annotated[datetime | None, BeforeValidator(moment)]
LARGEST_NUMBER: Final = 1e150
"""No standard error and no rating that counts lies beyond ± this: its square would be infinite."""
FiniteNumber = Annotated[float, Field(allow_inf_nan=False)]


class Protocol(BaseModel):
    """The protocol object: steps, samples, seed and runs are integers, the other fields text, `extra` anything."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    model_version: str | None = None
    post_training: str | None = None
    protocol_id: str | None = None
    steps: int | None = None
    samples: int | None = None
    effort: str | None = None
    prompt_enhancement: str | None = None
    harness: str | None = None
    observation: str | None = None
    action_interface: str | None = None
    commit: str | None = None
    seed: int | None = None
    runs: int | None = None
    api_snapshot: str | None = None
    extra: dict[str, Any] | None = None


class NativeResult(BaseModel):
    """One element of `results` in the native format. Only benchmark, metric, unit, value and model must be present."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    benchmark: Text
    benchmark_version: str | None = None
    subset: str | None = None
    metric: Text
    unit: Text
    value: Any
    stderr: Annotated[FiniteNumber, Field(ge=0, le=LARGEST_NUMBER)] | None = None
    n_samples: Annotated[int, Field(ge=0)] | None = None
    kind: Annotated[Kind, BeforeValidator(_measured_unless_stated)] = "measured"
    model: Text
    model_id: str | None = None
    model_url: str | None = None
    developer: str | None = None
    source_type: SourceType | None = None
    tier: Tier | None = None
    copied_from: str | None = None
    source_url: str | None = None
    confidence: FiniteNumber | None = None
    updated_at: Moment = None
    setting: str | None = None
    notes: str | None = None
    protocol: Protocol | None = None


def record_problem(error: ValidationError) -> str:
    """The first fault of a record in words: the field and what it must be."""
    first = error.errors(include_url=False, include_input=True)[0]
    field = ".".join(str(part) for part in first["loc"]) or "row"
    received = repr(first.get("input"))
    return f"{field}: {first['msg']} (received {received[:80]})"
