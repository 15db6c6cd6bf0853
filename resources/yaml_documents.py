"""Safe YAML: plain data with line numbers, built from parser events without recursion.

No anchors, aliases, merge keys, tags or second documents; duplicate keys are errors; size and depth are limited. Two
readings of an unquoted scalar: `core` (YAML 1.2 core without octal, hexadecimal, infinities: only null, true, false,
decimal numbers are special, so a date, `no` and `on` stay text) and `text` (everything but null stays the text as
written, so that 1.10 is not 1.1; the mapping of a source says what is a number).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import yaml

from resources.text_documents import DocumentError, Encoding, decode

Scalars = Literal["core", "text"]
Path = tuple[str | int, ...]

MAX_BYTES: Final = 64_000_000
MAX_DEPTH: Final = 64

_LOADER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_NULLS: Final = frozenset({"", "~", "null", "Null", "NULL"})
_BOOLEANS: Final = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_ODD_BREAK: Final = re.compile("[\\x85\\u2028\\u2029]")
_INTEGER: Final = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,17})")
_NUMBER: Final = re.compile(r"[-+]?(?:\.[0-9]+|(?:0|[1-9][0-9]*)(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]{1,3})?")


@dataclass(frozen=True, slots=True)
class YamlDocument:
    """A document's data and where each part of it stands."""

    name: str
    data: Any
    lines: Mapping[Path, int]

    def line_of(self, path: Path) -> int:
        """The line of a path such as ("sources", 0, "url"); of its nearest known parent where it has none itself."""
        for length in range(len(path), -1, -1):
            line = self.lines.get(path[:length])
            if line is not None:
                return line
        return 1


def load_yaml(
    source: bytes | str,
    name: str,
    *,
    scalars: Scalars = "core",
    encoding: Encoding = "utf-8",
    max_bytes: int = MAX_BYTES,
    max_depth: int = MAX_DEPTH,
) -> YamlDocument:
    """Reads one YAML document.

    Args:
        source: the bytes or text.
        name: file name for messages.
        scalars: how unquoted scalars are read (module docstring). Quoted ones are always text; keys are always text.

    Raises:
        DocumentError: with the line, for anything this module's docstring forbids, and for broken syntax.
    """
    if len(source) > max_bytes:
        raise DocumentError(name, f"{len(source)} bytes; at most {max_bytes} are read")
    text = decode(source, name, encoding) if isinstance(source, bytes) else source
    odd = _ODD_BREAK.search(text)
    if odd is not None:
        # YAML 1.1 (libyaml) folds these as line breaks, YAML 1.2 keeps them: no reading of such a text is safe.
        line = text.count("\n", 0, odd.start()) + 1
        raise DocumentError(name, f"character U+{ord(odd[0]):04X}: write it as an escape in double quotes", line)
    builder = _Builder(name, scalars, max_depth)
    try:
        for event in yaml.parse(text, Loader=_LOADER):
            builder.feed(event)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        message = ", ".join(part for part in (error.context, error.problem) if part)
        raise DocumentError(name, f"not YAML: {message}", mark.line + 1 if mark else None) from error
    except yaml.YAMLError as error:
        raise DocumentError(name, f"not YAML: {str(error).splitlines()[0]}") from error
    return YamlDocument(name, builder.root, builder.lines)


@dataclass(slots=True)
class _Open:
    """A mapping or sequence under construction."""

    value: dict[str, Any] | list[Any]
    path: Path
    key: str | None = None


@dataclass(slots=True)
class _Builder:
    name: str
    scalars: Scalars
    max_depth: int
    root: Any = None
    documents: int = 0
    open: list[_Open] = field(default_factory=list)
    lines: dict[Path, int] = field(default_factory=dict)

    def feed(self, event: yaml.Event) -> None:
        line = event.start_mark.line + 1 if event.start_mark else 1
        if isinstance(event, yaml.DocumentStartEvent):
            self.documents += 1
            if self.documents > 1:
                raise DocumentError(self.name, "a second YAML document; one is expected", line)
        elif isinstance(event, yaml.AliasEvent):
            raise DocumentError(self.name, f"alias *{event.anchor}: aliases are not read; write the value out", line)
        elif isinstance(event, yaml.ScalarEvent):
            self._refuse_decoration(event, line)
            self._scalar(event, line)
        elif isinstance(event, yaml.MappingStartEvent):
            self._refuse_decoration(event, line)
            self._begin({}, line)
        elif isinstance(event, yaml.SequenceStartEvent):
            self._refuse_decoration(event, line)
            self._begin([], line)
        elif isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
            self.open.pop()

    def _refuse_decoration(self, event: Any, line: int) -> None:
        if event.anchor is not None:
            raise DocumentError(self.name, f"anchor &{event.anchor}: anchors are not read", line)
        if event.tag is not None:
            raise DocumentError(self.name, f"tag {event.tag}: tags are not read", line)

    def _begin(self, value: dict[str, Any] | list[Any], line: int) -> None:
        if len(self.open) >= self.max_depth:
            raise DocumentError(self.name, f"nested more than {self.max_depth} deep", line)
        path = self._place(value, line)
        self.open.append(_Open(value, path))

    def _scalar(self, event: yaml.ScalarEvent, line: int) -> None:
        top = self.open[-1] if self.open else None
        if top is not None and isinstance(top.value, dict) and top.key is None:
            if event.value == "<<" and not event.style:
                raise DocumentError(self.name, "merge key <<: write the values out", line)
            if event.value in top.value:
                first = self.lines.get((*top.path, event.value))
                raise DocumentError(self.name, f"key {event.value!r} repeats (first on line {first})", line)
            top.key = event.value
            self.lines[*top.path, event.value] = line
            return
        self._place(event.value if event.style else self._plain(event.value), line)

    def _plain(self, text: str) -> Any:
        if text in _NULLS:
            return None
        if self.scalars == "text":
            return text
        if text in _BOOLEANS:
            return _BOOLEANS[text]
        if _INTEGER.fullmatch(text):
            return int(text)
        return float(text) if _NUMBER.fullmatch(text) else text

    def _place(self, value: Any, line: int) -> Path:
        if not self.open:
            self.root = value
            self.lines[()] = line
            return ()
        top = self.open[-1]
        if isinstance(top.value, list):
            path: Path = (*top.path, len(top.value))
            top.value.append(value)
            self.lines[path] = line
            return path
        if top.key is None:
            raise DocumentError(self.name, "a key must be a plain text, not a list or mapping", line)
        path = (*top.path, top.key)
        top.value[top.key] = value
        top.key = None
        return path
