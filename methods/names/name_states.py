"""What a model's name states about how it was run: steps, effort, thinking and its budget, interface, prompt, split.

A leaderboard often has one column for the model and writes the protocol into it: "o3 (high)", "-thinking-64k", "(FC)",
"(100 steps)", "@reasoning=high". The name stays whole wherever it is shown; what it states is read here, and only what
cannot be anything else: "Mistral Medium" and "Qwen3-Max" state no effort, "phi-3-mini-128k" no budget.
Belongs here: reading names. Comparing two rows by effort has a narrower rule of its own (`state_budget`, METHODS 5).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from methods.names.state_budget import steps_of

_LEVELS: Final = {
    "minimal": "minimal",
    "low": "low",
    "med": "medium",
    "medium": "medium",
    "high": "high",
    "xhigh": "xhigh",
    "max": "max",
}
_LEVEL: Final = "(minimal|low|medium|med|xhigh|high|max)"
_EFFORT: Final = (
    # (high), [xhigh], (medium reasoning), (high effort), (thinking, high)
    re.compile(rf"[(\[](?:[^()\[\]]*[ ,])?{_LEVEL}(?:[ -](?:reasoning|effort|thinking|think))?(?:, [^()\[\]]*)?[)\]]"),
    # -high-effort, _high_effort, highthinking, @reasoning=high, reasoning high, effort: low
    re.compile(rf"(?<![a-z0-9]){_LEVEL}[ _-]?effort(?![a-z0-9])"),
    re.compile(r"(?<![a-z0-9])(low|medium|high|xhigh)[ _-]?(?:reasoning|thinking|think)(?![a-z0-9])"),
    re.compile(rf"(?:reasoning(?:[ _-]effort)?|effort)\s*[=: ]\s*{_LEVEL}(?![a-z0-9])"),
    # an underscore or # before the last word sets a setting apart; a hyphen does so before words that name no product
    re.compile(rf"[_#]{_LEVEL}(?:$|(?=[ (_#]))"),
    re.compile(r"(?<=[a-z0-9])-(minimal|low|xhigh|high)(?:$|(?=[ (_#]))"),
    re.compile(r"(?:\d{4}-\d{2}-\d{2}|\d\.\d|-mini|-nano|-codex)-(medium)(?:$|(?=[ (_#]))"),
)
_NO_THINKING: Final = re.compile(
    r"(?<![a-z])(?:no|non|without|w/o)[ _-]?(?:thinking|think|reasoning)(?![a-z])|(?<![a-z])nothinking(?![a-z])"
)
_THINKING: Final = re.compile(
    r"(?<![a-z])(?:high|low|medium)?(?:thinking|think|reasoning|reasoner)(?![a-z])(?! machines)"
)
_BUDGET: Final = (
    re.compile(r"(?:thinking|think|reasoning)[ _,-]*(\d{1,3}k)(?![a-z0-9])"),
    re.compile(r"(?<![a-z0-9])(\d{1,3}k)[ _-]*(?:thinking|think|reasoning)"),
    re.compile(r"_(\d{1,3}k)$"),
)
_INTERFACE: Final = re.compile(r"[(]\s*(fc|prompt)(?![a-z])[^()]*[)]")
_ENHANCEMENT: Final = re.compile(r"\[\s*(official|no)\s+pe\s*\]")
_TEMPERATURE: Final = re.compile(r"[(]\s*t\s*=\s*(\d+(?:\.\d+)?)\s*[)]")
_SHOTS: Final = re.compile(r"(?<![a-z0-9])(zero|few|\d{1,3})-shot(?![a-z])")
_SPLIT: Final = re.compile(r"[(,]\s*(val|test)\s*[),]")
_SPOKEN: Final = {"fc": "FC", "prompt": "Prompt", "no": "none", "zero": "0"}


@lru_cache(maxsize=65536)
def states_of(name: str) -> Mapping[str, str | int]:
    """What a name states, by field; empty where it states nothing.

    Keys: `steps` (int), `effort` (a level), `thinking` ("on" or "off"), `thinking_budget` (as written, in lower case:
    "64k"), `action_interface` ("FC", "Prompt"), `prompt_enhancement` ("official", "none"), `temperature`, `shots`,
    `split` (text). A name that states two different efforts or budgets states none (METHODS 2, 3).
    """
    text = unicodedata.normalize("NFKC", name).casefold()
    found: dict[str, str | int] = {}
    steps = steps_of(None, None, name)
    if steps is not None:
        found["steps"] = steps
    effort = _only({_LEVELS[level] for pattern in _EFFORT for level in pattern.findall(text)})
    if effort is not None:
        found["effort"] = effort
    if _NO_THINKING.search(text):
        found["thinking"] = "off"
    elif _THINKING.search(text):
        found["thinking"] = "on"
    budget = _only({size for pattern in _BUDGET for size in pattern.findall(text)})
    if budget is not None:
        found["thinking_budget"] = budget
    for field, pattern in (
        ("action_interface", _INTERFACE),
        ("prompt_enhancement", _ENHANCEMENT),
        ("temperature", _TEMPERATURE),
        ("shots", _SHOTS),
        ("split", _SPLIT),
    ):
        stated = _only(set(pattern.findall(text)))
        if stated is not None:
            found[field] = _SPOKEN.get(stated, stated)
    return MappingProxyType(found)


def _only(found: set[str]) -> str | None:
    return found.pop() if len(found) == 1 else None
