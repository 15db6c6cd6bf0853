"""What a proposal for the alias registry is: names, the model they may be, evidence, and what speaks against it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Judged:
    """A pair of names that somebody has judged: the same model, or not."""

    name_a: str
    name_b: str
    is_same: bool


@dataclass(frozen=True, slots=True)
class Evidence:
    """One reason to take a name for a model: its kind and the facts in words."""

    kind: str
    detail: str


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A proposed alias, or a proposed new model.

    Attributes:
        names: the received names that it would identify.
        results: how many results those carry.
        leaderboards: where they stand.
        model_id: the model proposed; None where a new one is.
        evidence: why.
        against: what tells the name and the model apart; a person reads this first.
        stanza: the entry of models.yaml, whole, with the aliases added.
    """

    names: tuple[str, ...]
    results: int
    leaderboards: tuple[str, ...]
    model_id: str | None
    evidence: tuple[Evidence, ...]
    against: tuple[str, ...]
    stanza: str
