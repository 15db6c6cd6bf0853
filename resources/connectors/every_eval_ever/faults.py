"""What schema 0.3 finds wrong with a document: the judgment of the publisher's own JSON schema, by our description.

`shape` and `sample_shape` say what is demanded; here it is asked. A test holds the two judgments against each other,
both ways, where the publisher's file is at hand. Does not belong here: what becomes of a faulty document.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from resources.connectors.every_eval_ever.sample_shape import Sample
from resources.connectors.every_eval_ever.shape import Log, Result

_WORDS: Final[Mapping[str, str]] = {
    "missing": "must be given",
    "string_type": "must be text",
    "bool_type": "must be true or false",
    "int_type": "must be a number",
    "float_type": "must be a number",
    "finite_number": "must be a number",
    "list_type": "must be a list",
    "dict_type": "must be an object",
    "union_tag_not_found": "source_type must be given",
    "union_tag_invalid": "source_type must be one of url, hf_dataset, other",
    "too_short": "must not be empty",
    "string_pattern_mismatch": "must lead from data/ over three folders to <a UUID of version 4>_samples.jsonl",
}
_TYPES: Final = frozenset({"str", "int", "float", "bool", "none"})
"""What the place of a fault ends in beside the field, where that may be of several types."""


@cache
def _judge(of: Any) -> TypeAdapter[Any]:
    return TypeAdapter(of)


def log_fault(log: Any) -> str | None:
    """The first thing wrong with a log, its results aside; None where nothing is."""
    return _first(Log, log)


def result_fault(result: Any) -> str | None:
    """The first thing wrong with one result of a log; None where nothing is."""
    return _first(Result, result)


def sample_fault(sample: Any) -> str | None:
    """The first thing wrong with a sample; None where nothing is."""
    return _first(Sample, sample)


def _first(of: Any, document: Any) -> str | None:
    try:
        _judge(of).validate_python(document, strict=True)
    except ValidationError as error:
        fault = error.errors(include_url=False, include_input=False)[0]
        return _told(fault["loc"], fault["type"], fault["msg"])
    return None


def _told(loc: tuple[int | str, ...], kind: str, message: str) -> str:
    place = ""
    for n, part in enumerate(loc):
        if isinstance(part, int):
            place += f"[{part}]"
        elif not _is_alternative(loc, n):
            place += f".{part}" if place else part
    said = message.removeprefix("Value error, ").replace("Input should be", "must be")
    return f"{place}: {_WORDS.get(kind, said)}" if place else _WORDS.get(kind, said)


def _is_alternative(loc: tuple[int | str, ...], n: int) -> bool:
    """Whether a part of a place names no field: the tag after source_data, a type at the end."""
    part = str(loc[n])
    if n and loc[n - 1] == "source_data":
        return True
    return n > 0 and n == len(loc) - 1 and (part in _TYPES or part.startswith("literal["))
