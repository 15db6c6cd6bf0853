"""Whether two names are one person's: what two signatures are held against each other by.

Belongs here: spellings of one name by case, spaces, marks, order of words, and letters of other scripts that look the
same. Who a person is no rule can tell: a nickname, or a name beside a mail address, is taken for somebody else.
"""

from __future__ import annotations

import unicodedata
from typing import Final

_LOOKS: Final = str.maketrans(
    "АВЕЅІЈКМНОРСТУХаеѕіјорсухһԁԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧαικνορυχıøłđðØŁĐ",
    "ABESIJKMHOPCTYXaesijopcyxhdqwABEZHIKMNOPTYXaikvopuxiolddOLD",
)
"""Letters of Cyrillic and Greek, and some of Latin with strokes, as the plain letter they are taken for."""
_UNSEEN: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")
"""Signs that are no format signs to Unicode and are drawn as nothing."""


def is_name(text: str) -> bool:
    """Whether a text holds a letter or digit that a reader sees."""
    return bool(_words(text))


def same_person(one: str, other: str) -> bool:
    """Whether two names read as one: equal letter by letter, or equal words in any order.

    >>> same_person("Anna Berg", " berg,  ANNA")
    True
    >>> same_person("Anna Berg", "Anne Berg")
    False
    """
    return bool(_spellings(one) & _spellings(other))


def _spellings(name: str) -> set[str]:
    """A name in forms of which one is shared by every spelling of it; empty for no name."""
    found = set()
    for text in (name, unicodedata.normalize("NFKC", name).translate(_LOOKS)):
        words = _words(text)
        found |= {"".join(words), " ".join(sorted(words))}
    return found - {""}


def _words(text: str) -> list[str]:
    """The words of a name without case, accents, and signs that nobody sees."""
    kept = []
    for sign in unicodedata.normalize("NFKD", text.casefold()):
        if "\u0300" <= sign <= "\u036f" or unicodedata.category(sign) == "Cf" or sign in _UNSEEN:
            continue
        kept.append(sign if unicodedata.category(sign)[0] in "LMN" else " ")
    return "".join(kept).casefold().split()
