"""Distinct names as whole numbers: every form the rules compare, given a code.

Belongs here: that table. Most names of a large board have nothing to take apart: no wrapper, suffix or organization
prefix, plain ASCII. Their forms are all the normalized name, and are made for all of them at once; every other name
goes through the reader (`methods.pairing.facts`) one by one. Does not belong here: rows (`methods.pairing.coded`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from methods.pairing.compiled import Ints, as_ints
from methods.pairing.facts import RowReader

NOTHING: Final = 0
"""The code of the empty text: it equals nothing, itself included."""

_WORD_OR_END: Final = re.compile(r"[a-z0-9]+|\n")
_LETTERS_AND_ENDS: Final = {code: None for code in range(128) if not chr(code).isalnum() and chr(code) != "\n"}


class TextCodes(dict[str, int]):
    """Codes of texts in order of first appearance, `codes[text]`; the empty text is `NOTHING`."""

    def __init__(self) -> None:
        """Begin with the empty text."""
        super().__init__({"": NOTHING})

    def __missing__(self, text: str) -> int:
        """The code of a text not seen before."""
        code = self[text] = len(self)
        return code


@dataclass(frozen=True)
class CodedNames:
    """Distinct names taken apart (`methods.pairing.facts.NameFacts`), by number of the name.

    Attributes:
        normal, stripped_normal, head, backend, plain_head: codes of normalized forms.
        is_wrapped, had_prefix: flags.
        stripped: the suffix-stripped texts that rule 5 compares.
        token_starts, tokens: name k holds the distinct token codes tokens[token_starts[k]:token_starts[k + 1]].
    """

    normal: Ints
    stripped_normal: Ints
    head: Ints
    backend: Ints
    plain_head: Ints
    is_wrapped: NDArray[np.bool_]
    had_prefix: NDArray[np.bool_]
    stripped: list[str]
    token_starts: Ints
    tokens: Ints


def code_names(names: Sequence[str], reader: RowReader, code: TextCodes) -> CodedNames:
    """Distinct names as codes; new normalized forms are added to `code`."""
    plain = [reader.is_plain(name) for name in names]
    folded = "\n".join([name for name, is_plain in zip(names, plain, strict=True) if is_plain]).casefold()
    spelled = iter(folded.split("\n"))
    stripped = [next(spelled) if is_plain else "" for is_plain in plain]
    plain_numbers = np.flatnonzero(plain)
    taken_apart = [number for number, is_plain in enumerate(plain) if not is_plain]

    normal = np.zeros(len(names), np.int64)
    if len(plain_numbers):
        numbered, texts = code.setdefault, folded.translate(_LETTERS_AND_ENDS).split("\n")
        normal[plain_numbers] = [numbered(text, len(code)) for text in texts]
    stripped_normal, head, plain_head = normal.copy(), normal.copy(), normal.copy()
    backend = np.zeros(len(names), np.int64)
    is_wrapped, had_prefix = np.zeros(len(names), bool), np.zeros(len(names), bool)

    token = TextCodes()
    owners, tokens = _plain_tokens(folded, token, plain_numbers)
    other_owners: list[int] = []
    other_tokens: list[int] = []
    for number in taken_apart:
        facts = reader.name(names[number])
        normal[number] = code[facts.normal]
        stripped[number] = facts.stripped
        stripped_normal[number] = code[facts.stripped_normal]
        head[number] = code[facts.head]
        backend[number] = code[facts.backend]
        plain_head[number] = code[facts.plain_head]
        is_wrapped[number] = facts.is_wrapped
        had_prefix[number] = facts.had_prefix
        other_tokens += [token[text] for text in facts.tokens]
        other_owners += [number] * len(facts.tokens)
    owner, which = _each_once(
        np.concatenate([owners, as_ints(other_owners)]), np.concatenate([tokens, as_ints(other_tokens)]), len(token)
    )
    starts = as_ints(np.searchsorted(owner, np.arange(len(names) + 1)))
    return CodedNames(
        normal, stripped_normal, head, backend, plain_head, is_wrapped, had_prefix, stripped, starts, which
    )


def _plain_tokens(folded: str, token: TextCodes, numbers: Ints) -> tuple[Ints, Ints]:
    """Owner and code of every token of the plain names, whose folded text holds one a line."""
    codes = as_ints([token[text] for text in _WORD_OR_END.findall(folded)])
    is_end = codes == token["\n"]
    line = np.cumsum(is_end)
    return (numbers[line[~is_end]], codes[~is_end]) if len(numbers) else (as_ints([]), as_ints([]))


def _each_once(owners: Ints, tokens: Ints, count: int) -> tuple[Ints, Ints]:
    packed = np.sort(owners * count + tokens)
    packed = packed[np.append(True, packed[1:] != packed[:-1])] if len(packed) else packed
    return as_ints(packed // count), as_ints(packed % count)
