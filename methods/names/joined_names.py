"""An agent and its models joined in one name: "Agent + Model A + Model B" is a harness and a set of models.

Belongs here: taking such a name apart, without guessing: a part is a model only where it is one by name. The whole name
stays the row's identity; what is read here never credits a row to one of several models (METHODS 2; field report A60).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

_JOIN: Final = re.compile(r"\s\+\s(?![^()\[\]]*[)\]])")
"""A plus between spaces, outside brackets."""
_SET: Final = re.compile(r"\s&\s|\s/\s|,\s(?![^()\[\]]*[)\]])")
"""How several models stand in one part."""


@dataclass(frozen=True, slots=True)
class JoinedName:
    """A name taken apart, every part as written.

    Attributes:
        agent: what comes first and is no model: the harness; None where the first part is a model.
        models: the parts that are models, in order.
        others: parts that are neither: a tool, a method, a model that nobody knows.
    """

    agent: str | None
    models: tuple[str, ...]
    others: tuple[str, ...]


def joined_name(name: str, is_model: Callable[[str], bool]) -> JoinedName | None:
    """A name of parts joined by " + " taken apart; None where it is one whole, or where no part or only the first is a
    model.

    Args:
        name: as received.
        is_model: whether a part is a model's name.
    """
    parts = [part.strip() for part in _JOIN.split(name)]
    if len(parts) < 2 or not all(parts):
        return None
    agent = None if is_model(parts[0]) else parts[0]
    single = [one for part in parts[agent is not None :] for one in _models_of(part, is_model)]
    models = tuple(part for part in single if is_model(part))
    if not models or (agent is None and len(models) < 2):
        return None  # nothing known, or one model and what was done to it: that is no join of several
    return JoinedName(agent, models, tuple(part for part in single if part not in models))


def _models_of(part: str, is_model: Callable[[str], bool]) -> list[str]:
    """A part, or the several models it names; whole unless one of them is a model."""
    if is_model(part):
        return [part]
    several = [one.strip() for one in _SET.split(part) if one.strip()]
    return several if any(is_model(one) for one in several) else [part]
