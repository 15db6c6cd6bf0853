"""The policy of a cascade as a file: what was frozen, on what, for which judge, fallback and task type (METHODS 10).

Belongs here: the shape of the file, and its seal. Does not belong here: reading and writing it
(`resources.judge_policy_file`), holding it against judgments (`methods.judging.policy`).
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, Self

from pydantic import Field, model_validator

from warehouse.canonical import canonical_sha256
from warehouse.judge_words import STACK_FIELDS, OpenState, Rule
from warehouse.source_model import Entry, Stated

POLICY_SCHEMA: Final = "scoretrail.judge_policy/1"
Share = Annotated[float, Field(ge=0, le=1)]


class PolicyStack(Entry):
    """A judge and its whole key: every field is stated."""

    name: Stated
    model: Stated
    model_version: Stated
    system_prompt: Stated
    rubric: Stated
    reference: Stated
    temperature: Stated
    max_length: Stated
    parser: Stated
    retries: Stated

    @property
    def fields(self) -> dict[str, str]:
        """The key, by field."""
        return {name: getattr(self, name) for name in STACK_FIELDS}


class Threshold(Entry):
    """What was chosen for one task type. `tau` is null where nothing is accepted, and `state` says why."""

    task_type: Stated | None = None
    state: OpenState
    tau: Annotated[float, Field(ge=0.5, le=1)] | None = None
    items: Annotated[int, Field(ge=0)]
    accepted: Annotated[int, Field(ge=0)]
    difference: Annotated[float, Field(ge=-1, le=1)] | None = None
    bound: Annotated[float, Field(ge=-2, le=2)] | None = None
    auroc: Share | None = None

    @model_validator(mode="after")
    def _open_with_tau(self) -> Self:
        if (self.tau is None) == (self.state == "open"):
            raise ValueError("`tau` stands where `state` is open, and nowhere else")
        return self


class PolicyFile(Entry):
    """The whole file.

    `orders`: which orders the judge is asked in. `thresholds`: one a task type. `selection`: a hash of each item and
    cluster that the thresholds were chosen on, so that no later evaluation shares one. `seal`: hash of all the rest.
    """

    schema_: Literal["scoretrail.judge_policy/1"] = Field(alias="schema")
    judge: PolicyStack
    fallback: PolicyStack
    orders: tuple[Literal["ab", "ba"], ...]
    rule: Rule
    tolerance: Annotated[float, Field(gt=0, lt=1)]
    methodology_version: Stated
    thresholds: Annotated[tuple[Threshold, ...], Field(min_length=1)]
    selection: tuple[Annotated[str, Field(pattern="^[0-9a-f]{16}$")], ...]
    seal: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]

    @model_validator(mode="after")
    def _sealed(self) -> Self:
        tasks = [one.task_type for one in self.thresholds]
        if len(set(tasks)) != len(tasks):
            raise ValueError("thresholds: a task type has two")
        if self.seal != seal_of(self.model_dump(mode="json", by_alias=True)):
            raise ValueError("seal: the policy was changed after it was frozen; fit it again")
        return self


def seal_of(values: dict[str, Any]) -> str:
    """The seal of a policy: the hash of everything else that it states."""
    return canonical_sha256({name: value for name, value in values.items() if name != "seal"})
