"""Canonical JSON (RFC 8785): the one byte form of a value that is hashed or compared."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from decimal import Decimal
from typing import Final

import rfc8785

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]

LARGEST_EXACT_INTEGER = 2**53 - 1


def plain(value: object) -> Json:
    """A value as canonical JSON can hold it.

    Decimals become the nearest double. Integers beyond ±(2^53 − 1), which RFC 8785 cannot hold, become their
    digits as text, so that no digit is lost.

    Raises:
        TypeError: for a type that is no JSON value.
        ValueError: for NaN or an infinity.
    """
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int):
        return value if abs(value) <= LARGEST_EXACT_INTEGER else str(value)
    if isinstance(value, float | Decimal):
        number = float(value)
        if not math.isfinite(number):
            raise ValueError(f"{value} has no canonical JSON form")
        return number
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    raise TypeError(f"{type(value).__name__} has no canonical JSON form")


def canonical_json(value: object) -> bytes:
    """RFC 8785 bytes of a value: sorted keys, no spaces, shortest numbers, UTF-8.

    Raises:
        TypeError, ValueError: as `plain`.
    """
    try:
        return _ENCODER.encode(_swift(value)).encode()
    except _OddNumberOrKeyError:
        return rfc8785.dumps(plain(value))


_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True, allow_nan=False)


class _OddNumberOrKeyError(Exception):
    """A value whose canonical form the json module does not write."""


def _swift(value: object) -> Json:
    """A plain value that the json module writes exactly as RFC 8785 does, many times faster.

    That is so for texts, for ASCII keys (whose order by UTF-16 units is that of the code points), for whole numbers up
    to 2^53 and for numbers that neither writes with an exponent: both give the shortest digits that round-trip.

    Raises:
        _OddNumberOrKeyError: for any other number or key.
        TypeError, ValueError: as `plain`.
    """
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, float):
        whole = int(value) if value.is_integer() else None
        if whole is not None and abs(whole) <= LARGEST_EXACT_INTEGER:
            return whole
        if whole is None and 1e-4 <= abs(value) < 1e15:
            return value
        raise _OddNumberOrKeyError
    if isinstance(value, Mapping):
        if not all(isinstance(key, str) and key.isascii() for key in value):
            raise _OddNumberOrKeyError
        return {key: _swift(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_swift(item) for item in value]
    return plain(value) if isinstance(value, int) else _decimal_or_refused(value)


def _decimal_or_refused(value: object) -> Json:
    found = plain(value)
    return _swift(found) if isinstance(found, float) else found


def sha256_hex(data: bytes) -> str:
    """SHA-256 of bytes, 64 hex digits."""
    return hashlib.sha256(data).hexdigest()


def canonical_sha256(value: object) -> str:
    """SHA-256 of a value's canonical JSON, 64 hex digits."""
    return sha256_hex(canonical_json(value))
