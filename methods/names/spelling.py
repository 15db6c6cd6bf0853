"""Two forms of a name that are compared and never shown: the normalized name and the token set (METHODS 2).

Belongs here: those two forms. Does not belong here: stripping of suffixes or prefixes (`methods.pairing`), or any
rewriting of a name that is displayed: a shown name is the received one, byte for byte.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_ALPHANUMERIC_RUN: Final = re.compile(r"[^\W_]+")


def normalize(name: str) -> str:
    """The normalized name: NFKC, case-fold, every character that is not alphanumeric deleted, nothing else.

    Version numbers, sizes, "thinking", "Instruct" and the like stay. An empty result equals nothing (METHODS 2).
    """
    folded = name.casefold() if name.isascii() else unicodedata.normalize("NFKC", name).casefold()
    return folded if folded.isalnum() else "".join(_ALPHANUMERIC_RUN.findall(folded))


def tokens(name: str) -> frozenset[str]:
    """The set of maximal runs of alphanumeric characters of the NFKC, case-folded name; an underscore separates."""
    folded = name.casefold() if name.isascii() else unicodedata.normalize("NFKC", name).casefold()
    return frozenset(_ALPHANUMERIC_RUN.findall(folded))
