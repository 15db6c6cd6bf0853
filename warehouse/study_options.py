"""What studies of brought evidence may state under `options` in studies.yaml, by kind.

Belongs here: the shape of the options. Does not belong here: what is done with them (`methods`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, Self

from pydantic import Field, model_validator

from warehouse.judge_words import Rule
from warehouse.source_model import Entry, Stated


class ProtocolOptions(Entry):
    """Options of a study of protocol sensitivity (METHODS 8).

    `candidates`: the candidate set declared beforehand; over another set no verdict is given. `reference`: the protocol
    that all others are compared with; without it every two are. `growth`: candidates in the order in which they joined.
    """

    candidates: tuple[Stated, ...] = ()
    reference: Stated | None = None
    growth: tuple[Stated, ...] = ()

    @model_validator(mode="after")
    def _each_once(self) -> Self:
        for name in ("candidates", "growth"):
            names: tuple[str, ...] = getattr(self, name)
            twice = sorted({one for one in names if names.count(one) > 1})
            if twice:
                raise ValueError(f"{name} names {twice[0]} twice")
        return self


class JudgeOptions(Entry):
    """Options of a study of judges (METHODS 10).

    `judges`: those studied, all but the fallbacks where none is named. `fallbacks`: who decides what a judge does not;
    without one there is no cascade. `rule`: how a threshold is chosen. `split`: share of clusters that it is chosen on,
    where the evidence states no split itself. `one_order`: take one order where there are two.
    """

    judges: tuple[Stated, ...] = ()
    fallbacks: tuple[Stated, ...] = ()
    rule: Rule = "bound"
    split: Annotated[float, Field(gt=0, lt=1)] | None = None
    one_order: bool = False


class ReproductionOptions(Entry):
    """Options of a study of reproductions (METHODS 9).

    `reference`: the run that all others are compared with; without it every two are. `claims`: runs whose results are
    said to reproduce the reference's.
    """

    reference: Stated | None = None
    claims: tuple[Stated, ...] = ()

    @model_validator(mode="after")
    def _of_something(self) -> Self:
        if self.claims and self.reference is None:
            raise ValueError("claims: name the `reference` that these runs are said to reproduce")
        if self.reference in self.claims:
            raise ValueError("claims: the reference does not reproduce itself")
        return self


class DecisionOptions(Entry):
    """Options of a release decision (METHODS 12). `contract_sha256`: the sealed contract that evidence must name."""

    contract_sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")] | None = None


STUDY_OPTIONS: Final[Mapping[str, type[Entry]]] = {
    "protocol_sensitivity": ProtocolOptions,
    "reproduction": ReproductionOptions,
    "judge": JudgeOptions,
    "release_decision": DecisionOptions,
}
"""The options of each kind of study that has any."""
