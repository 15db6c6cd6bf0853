"""A name without what surrounds it: routes before it, remarks after it, in any order of words. For proposals only.

Belongs here: the forms under which two spellings may be of one model, each with what was taken off. Nothing here
identifies a model: that is `methods.names.registry` alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from methods.names.hidden_marks import hidden_marks
from methods.names.name_states import states_of
from methods.names.spelling import normalize

_ROUTE: Final = re.compile(r"^(?:https?://)?[^\s/]+(?:/|--)(?=\S)")
_REMARK: Final = re.compile(r"\s*(?:\([^()]*\)|\[[^\[\]]*\]|@[\w.-]+|:[a-z]+)$")
_WORD: Final = re.compile(r"[^\W\d_]+|\d+(?:\.\d+)*")
_SIZE: Final = re.compile(r"(?<![a-z0-9.])\d+(?:\.\d+)?[bm](?![a-z])")
_FORM: Final = re.compile(r"fp8|fp16|bf16|awq|gptq|gguf|int4|int8|q4_|nvfp4")
_APART: Final = re.compile(
    r"(?<![a-z])(thinking|think|reasoning|reasoner|nothinking|low|medium|high|xhigh|max|minimal|mini|nano|pro|flash|"
    r"lite|turbo|plus|latest|preview|beta|alpha|exp|instruct|chat|base|it|pt|coder|code|codex|vision|vl|fp8|awq|gguf)"
    r"(?![a-z])"
)
_MONTH: Final = re.compile(
    r"(?<![a-z])(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)(?:[a-z]{3,6})?(?![a-z])"
)
_IDENTITY: Final = ("effort", "thinking", "thinking_budget", "steps")
_MARKED: Final = re.compile(r" w/ | with |\s\+\s|\||&")


def without_routes(name: str, prefixes: Sequence[str]) -> list[tuple[str, str]]:
    """The name without one, two and more routes or organization prefixes before it, with what was taken off."""
    found: list[tuple[str, str]] = []
    rest = name
    while True:
        route = _ROUTE.match(rest)
        taken = next((text for text in prefixes if rest.casefold().startswith(text.casefold())), None)
        cut = len(taken) if taken else route.end() if route else 0
        left = rest[cut:].lstrip(" /-:")
        if not cut or not normalize(left):
            return found
        rest = left
        found.append((rest, name[: len(name) - len(rest)].strip()))


def without_remark(name: str) -> tuple[str, str] | None:
    """The name without a last remark, (…), […], @… or :…, where the remark says nothing that tells models apart."""
    match = _REMARK.search(name)
    if match is None or not match.start():
        return None
    left, remark = name[: match.start()], match.group().strip()
    says = remark.casefold()
    if (
        any(sign.isdigit() for sign in says)
        or _MONTH.search(says)
        or _APART.search(says)
        or _identity(name) != _identity(left)
    ):
        return None
    return left, remark


def word_key(name: str) -> tuple[str, ...]:
    """The words and numbers of a name in alphabetical order: equal where only their order differs."""
    return tuple(sorted(_WORD.findall(name.casefold())))


def told_apart(name: str, spelling: str) -> list[str]:
    """What a name states that a spelling of the model does not, or the reverse; empty where nothing speaks against it.

    Looked at: pipelines of several models, sizes, number formats, what `states_of` reads, the words of products.
    """
    a, b = name.casefold(), spelling.casefold()
    found = []
    if is_pipeline(a) != is_pipeline(b):
        found.append("one is an agent or a pipeline")
    for what, pattern in (("size", _SIZE), ("number format", _FORM), ("product or mode", _APART)):
        one, other = sorted(set(pattern.findall(a))), sorted(set(pattern.findall(b)))
        if one != other:
            found.append(f"{what}: {', '.join(one) or 'none'} / {', '.join(other) or 'none'}")
    mine, theirs = _identity(name), _identity(spelling)
    found += [
        f"{field}: {mine.get(field, 'not stated')} / {theirs.get(field, 'not stated')}"
        for field in _IDENTITY
        if mine.get(field) != theirs.get(field)
    ]
    if sorted(hidden_marks(name)[0]) != sorted(hidden_marks(spelling)[0]):
        found.append(f"numbers: {'.'.join(hidden_marks(name)[0])} / {'.'.join(hidden_marks(spelling)[0])}")
    return found


def is_pipeline(name: str) -> bool:
    """Whether a name joins several things: `A w/ B`, `A + B`, `A | B`. An agent or a pipeline is no model."""
    return _MARKED.search(name.casefold()) is not None


def _identity(name: str) -> dict[str, str | int]:
    """What a name states that makes it another model: effort, thinking and its budget, steps."""
    stated = states_of(name)
    return {field: stated[field] for field in _IDENTITY if field in stated}
