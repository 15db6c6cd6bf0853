"""Strict JSON: UTF-8, numbers exact, tokens that are no numbers kept as text, duplicate keys and depth refused.

Whole numbers become int, others `Decimal` with the digits as written; NaN, Infinity and -Infinity (which some writers
emit) become the text of their token, so that they neither break the file nor pass as numbers.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final

from resources.text_documents import DocumentError, Encoding, decode

MAX_BYTES: Final = 256_000_000
MAX_DEPTH: Final = 64
_LONGEST_NUMBER: Final = 400


def load_json(
    source: bytes | str,
    name: str,
    *,
    encoding: Encoding = "utf-8",
    max_bytes: int = MAX_BYTES,
    max_depth: int = MAX_DEPTH,
) -> Any:
    """Reads one JSON document.

    Args:
        source: the bytes or text.
        name: file name for messages.

    Raises:
        DocumentError: with the line, for broken syntax, a repeated key, too much nesting or size, a lone surrogate.
    """
    if len(source) > max_bytes:
        raise DocumentError(name, f"{len(source)} bytes; at most {max_bytes} are read")
    text = decode(source, name, encoding) if isinstance(source, bytes) else source
    if not text.strip():
        raise DocumentError(name, "empty")
    try:
        data = json.loads(text, parse_float=_number, parse_int=_integer, parse_constant=str, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        raise DocumentError(name, _syntax(error, text), error.lineno) from error
    except RecursionError as error:
        raise DocumentError(name, f"nested more than {max_depth} deep") from error
    except _RepeatedKeyError as error:
        raise DocumentError(name, str(error)) from error
    _check_depth(data, name, max_depth)
    if "\\ud" in text or "\\uD" in text:
        _check_surrogates(data, name)
    return data


def as_floats(value: Any) -> Any:
    """The data with each Decimal as the nearest double, or as its token where it is beyond any double."""
    if isinstance(value, Decimal):
        number = float(value)
        return number if abs(number) != float("inf") else str(value)
    if isinstance(value, dict):
        return {key: as_floats(item) for key, item in value.items()}
    if isinstance(value, list):
        return [as_floats(item) for item in value]
    return value


class _RepeatedKeyError(ValueError):
    pass


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _RepeatedKeyError(f"key {key!r} repeats in one object")
            seen.add(key)
    return data


def _number(token: str) -> Decimal | str:
    return Decimal(token) if len(token) <= _LONGEST_NUMBER else token


def _integer(token: str) -> int | str:
    return int(token) if len(token) <= _LONGEST_NUMBER else token


def _syntax(error: json.JSONDecodeError, text: str) -> str:
    whole = text.rstrip()
    # At its end, behind something sound; a comma or a sign there is where the parser stops, though it is no fault.
    is_at_end = error.pos >= len(whole) or (error.pos == len(whole) - 1 and whole[-1] in ",-")
    is_cut = error.pos > 0 and (is_at_end or "Unterminated" in error.msg)
    cut = " (the file ends in the middle: truncated?)" if is_cut else ""
    return f"not JSON: {error.msg} at column {error.colno}{cut}"


def _check_depth(data: Any, name: str, limit: int) -> None:
    level = [data]
    for _ in range(limit + 1):
        level = [
            child
            for node in level
            for child in (node.values() if isinstance(node, Mapping) else node if isinstance(node, list) else ())
            if isinstance(child, dict | list)
        ]
        if not level:
            return
    raise DocumentError(name, f"nested more than {limit} deep")


def _check_surrogates(data: Any, name: str) -> None:
    stack = [data]
    while stack:
        node = stack.pop()
        if isinstance(node, dict):
            stack.extend(node)
            stack.extend(node.values())
        elif isinstance(node, list):
            stack.extend(node)
        elif isinstance(node, str) and any("\ud800" <= character <= "\udfff" for character in node):
            raise DocumentError(name, f"half a surrogate pair in {node[:40]!r}: no Unicode text")
