"""Canonical JSON (RFC 8785): the one byte form of a value that is hashed or compared."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from decimal import Decimal

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
    return rfc8785.dumps(plain(value))


def sha256_hex(data: bytes) -> str:
    """SHA-256 of bytes, 64 hex digits."""
    return hashlib.sha256(data).hexdigest()


def canonical_sha256(value: object) -> str:
    """SHA-256 of a value's canonical JSON, 64 hex digits."""
    return sha256_hex(canonical_json(value))
