"""What the normalized name hides although it tells models apart: where digits are parted, and a plus at a word's end.

`deepseek-coder-1.3b` and `deepseek-coder-13b`, `qwen3.5-plus` and `qwen35-plus`, `Command R` and `Command R+` have
equal normalized names (METHODS 2) and are different models. Belongs here: that comparison, which only ever keeps names
apart. Does not belong here: anything that brings two together.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

# A date and a month-day pair are one number however they are written: 2024-11-20 and 20241120, 05/28 and 0528.
_DATE: Final = re.compile(r"(?<!\d)((?:19|20)\d\d)[-_./ ]([01]\d)[-_./ ]([0-3]\d)(?!\d)")
_PAIR: Final = re.compile(r"(?<!\d)(\d\d)[-_./ ](\d\d)(?!\d)")
_DIGITS: Final = re.compile(r"\d+")
_PLUS: Final = re.compile(r"(?<=[^\W_])\+(?![^\W_])")


@lru_cache(maxsize=65536)
def hidden_marks(name: str) -> tuple[tuple[str, ...], int]:
    """The runs of digits of a name in order, and how many plus signs end a word; equal for spellings of one model."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    joined = _PAIR.sub(r"\1\2", _DATE.sub(r"\1\2\3", folded))
    return tuple(_DIGITS.findall(joined)), len(_PLUS.findall(folded))
