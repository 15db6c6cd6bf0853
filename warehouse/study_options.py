"""What studies of brought evidence may state under `options` in studies.yaml, by kind.

Belongs here: the shape of the options. Does not belong here: what is done with them (`methods`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Self

from pydantic import model_validator

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


STUDY_OPTIONS: Final[Mapping[str, type[Entry]]] = {"protocol_sensitivity": ProtocolOptions}
"""The options of each kind of study that has any."""
