"""What a row states about its step budget and reasoning effort: in the field, else the setting, else the name.

Belongs here: reading these two out of text (METHODS 3 and 5). Does not belong here: comparing them between rows, or
demanding them (`methods.catalog.matching`, `methods.pairing`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

_STEPS: Final = re.compile(r"(?<![a-z0-9.,])(\d{1,3}(?:,\d{3})+|[1-9]\d{0,8})\s*-?\s*(?:steps?(?![a-z0-9])|步(?!骤))")
_REASONING: Final = "(?:推理|reasoning)"


def steps_of(protocol_steps: int | None, setting: str | None, name: str | None) -> int | None:
    """The step budget that a row states, or None.

    A text states one as a number followed by "step", "steps" or 「步」: "15 steps", "(100步)", "50-step". A text that
    states two different budgets states none. The first place that states one decides (METHODS 3 and 5).

    Args:
        protocol_steps: the protocol field; a negative one is no budget.
        setting: the setting in the source's words.
        name: the model name as received; None where the name shall not be read.
    """
    if protocol_steps is not None and protocol_steps >= 0:
        return protocol_steps
    for text in (setting, name):
        found = _steps_in(text) if text else None
        if found is not None:
            return found
    return None


def effort_of(protocol_effort: str | None, setting: str | None, name: str | None, levels: Sequence[str]) -> str | None:
    """The reasoning effort that a row states, as one of the methodology's levels, or None.

    A field that is stated decides, also where it is none of the levels (then None); an empty one states nothing. A
    text states one as 「推理」 or "reasoning" followed by the level, with or without a space and whatever follows; a
    text that states two different levels states none (METHODS 3 and 5).

    Args:
        protocol_effort: the protocol field.
        setting: the setting in the source's words.
        name: the model name as received; None where the name shall not be read.
        levels: `methodology.names.effort_levels`.
    """
    stated = _folded(protocol_effort or "").strip()
    if stated:
        return stated if stated in levels else None
    for text in (setting, name):
        found = _effort_in(text, tuple(levels)) if text else None
        if found is not None:
            return found
    return None


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


@lru_cache(maxsize=65536)
def _steps_in(text: str) -> int | None:
    folded = _folded(text)
    if "step" not in folded and "步" not in folded:  # most names: spares them the search
        return None
    found = {int(digits.replace(",", "")) for digits in _STEPS.findall(folded)}
    return found.pop() if len(found) == 1 else None


@lru_cache(maxsize=65536)
def _effort_in(text: str, levels: tuple[str, ...]) -> str | None:
    found = set(_effort_pattern(levels).findall(_folded(text)))
    return found.pop() if len(found) == 1 else None


@lru_cache(maxsize=16)
def _effort_pattern(levels: tuple[str, ...]) -> re.Pattern[str]:
    words = "|".join(re.escape(level) for level in sorted(levels, key=lambda level: (-len(level), level)))
    return re.compile(rf"{_REASONING}\s*({words})")
