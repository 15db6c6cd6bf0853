"""From a page's values to its bytes: the Jinja2 environment, how numbers and names are shown, and inlined JSON.

Belongs here: form alone. Every value is escaped by the environment; what templates may mark as markup comes from this
package and never from a table.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import date, datetime
from functools import cache
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from resources.site import links

TEMPLATES: Final = Path(__file__).resolve().parent / "templates"
NOTHING: Final = "—"
_HIDDEN: Final = re.compile(
    "[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u00ad\\u061c\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff"
    "\\ufff9-\\ufffb\\ufffe\\uffff\\ud800-\\udfff\\U000e0000-\\U000e007f]"
)
"""Signs that show nothing or turn the text around them: controls, direction marks, tags. A joiner (U+200D) holds emoji
and scripts together and stays."""
_NOT_PLAIN: Final = re.compile(f"[&<>\"'{_HIDDEN.pattern[1:]}")


def shown(text: str) -> str:
    """A text with every sign visible: one that would hide or reorder others is written out, as `visible` does."""
    return _HIDDEN.sub(_written_out, text)


def is_plain(text: str) -> bool:
    """Whether a text may stand on a page as it is: it holds no sign that hides and none that markup is made of."""
    return _NOT_PLAIN.search(text) is None


def _written_out(match: re.Match[str]) -> str:
    number = ord(match.group())
    return f"\\x{number:02x}" if number < 256 else f"\\u{number:04x}" if number < 65536 else f"\\U{number:08x}"


def _finalize(value: Any) -> Any:
    if type(value) is str:
        return shown(value) if _HIDDEN.search(value) else value
    return NOTHING if value is None else value


def number(value: float | None, digits: int = 1) -> str:
    """A number for people, rounded; — for what is not there, which is never 0."""
    if value is None:
        return NOTHING
    text = f"{value:.{digits}f}"
    return text[1:] if text.startswith("-") and not text.strip("-0.") else text


def signed(value: float | None, digits: int = 2) -> str:
    """A number with its sign."""
    text = number(value, digits)
    return text if value is None or text.startswith("-") or not text.strip("0.") else f"+{text}"


def exact(value: float | None) -> str:
    """A number that reads back to the same bits."""
    return NOTHING if value is None else repr(value)


def count(value: int | None) -> str:
    """A whole number with its thousands apart."""
    return NOTHING if value is None else f"{value:,}"


def share(value: float | None, digits: int = 1) -> str:
    """A fraction as percent."""
    return NOTHING if value is None else f"{value:.{digits}%}"


def moment(value: datetime | date | None) -> str:
    """A time in UTC to the minute, or a day."""
    if value is None:
        return NOTHING
    return value.strftime("%Y-%m-%d %H:%M UTC") if isinstance(value, datetime) else value.isoformat()


def short(value: str | None) -> str:
    """The beginning of a hash."""
    return NOTHING if value is None else value[:12]


def words(value: str) -> str:
    """A code as words: `too_few_models` as "too few models"."""
    return value.replace("_", " ").replace("-", " ")


def title(value: str) -> str:
    """A slug as a heading: `instruction-following` as "Instruction following"."""
    return words(value).capitalize()


def size(value: int) -> str:
    """A number of bytes for people."""
    return f"{value:,} B" if value < 1000 else f"{value / 1000:,.1f} kB" if value < 1e6 else f"{value / 1e6:,.1f} MB"


FILTERS: Final[dict[str, Callable[..., Any]]] = {
    "num": number, "signed": signed, "exact": exact, "count": count, "share": share, "moment": moment,
    "short": short, "words": words, "heading": title, "size": size,
}  # fmt: skip
PLACES: Final[dict[str, Callable[..., Any]]] = {
    "board_page": links.board_page, "linked_page": links.linked_page, "model_page": links.model_page,
    "metric_page": links.metric_page, "file_name": links.file_name,
}  # fmt: skip


@cache
def environment() -> Environment:
    """The templates, with everything escaped and an unknown name an error."""
    from resources.site.fragments import PIECES

    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=_finalize,
    )
    made.filters.update(FILTERS)
    made.globals.update(PLACES)
    made.globals.update(PIECES)
    return made


def inline_json(value: Any) -> Markup:
    """A value as JSON that may stand in a script of a page or a file: no sign in it can end the script or a line."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return Markup(text)  # noqa: S704 - escaped above


def render(template: str, values: dict[str, Any]) -> bytes:
    """A page's bytes."""
    return environment().get_template(template).render(values).encode()
