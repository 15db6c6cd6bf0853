"""One rule applied to one row: finds the value at its origin and takes it through the rule's steps.

Belongs here: origins and steps (`options.FieldRule`). Does not belong here: what becomes of a row with a fault.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import PurePosixPath
from typing import Any, Final

from resources.connectors.table.options import FieldRule
from resources.connectors.table.scalars import ScalarError, Type, convert, token
from resources.connectors.table.source_rows import SourceRow


class _Absent:
    """Stands for a key that is not there, which is not the same as null."""

    def __repr__(self) -> str:
        return "absent"


ABSENT: Final = _Absent()
compiled = cache(re.compile)


@dataclass(frozen=True, slots=True)
class Cell:
    """A row seen at one of its columns (`each`), or as a whole."""

    row: SourceRow
    file: str
    column: str | None = None


def found(rule: FieldRule, cell: Cell) -> Any:
    """The value at the rule's origin, as received; ABSENT where there is none."""
    origin = rule.origin
    if origin == "const":
        return rule.const
    if origin == "field":
        for name in (str(rule.field), *rule.aliases):
            value = look_up(cell.row.value, name)
            if value is not ABSENT:
                return value
        return ABSENT
    if origin == "parent":
        return look_up(cell.row.parents[rule.level - 1], str(rule.parent))
    if origin == "key":
        return cell.row.keys[int(rule.key or 0)]
    if origin == "file":
        path = PurePosixPath(cell.file)
        return {"name": path.name, "stem": path.stem, "folder": path.parent.name}[str(rule.file)]
    return cell.column if rule.each == "name" else look_up(cell.row.value, str(cell.column))


def look_up(node: Any, name: str) -> Any:
    """A key of a mapping, first as it is written, then step by step at its dots; `.` is the node itself."""
    if name == ".":
        return node
    if isinstance(node, dict):
        if name in node:
            return node[name]
        head, dot, rest = name.partition(".")
        if dot and head in node:
            return look_up(node[head], rest)
    elif isinstance(node, list) and name.partition(".")[0].isdigit():
        head, dot, rest = name.partition(".")
        if int(head) < len(node):
            return look_up(node[int(head)], rest) if dot else node[int(head)]
    return ABSENT


def applied(rule: FieldRule, value: Any, kind: Type) -> Any:
    """The value after the rule's steps, of its declared type.

    Raises:
        ScalarError: where a step does not fit the value.
    """
    if rule.first and isinstance(value, list):
        value = value[0] if value else None
    if rule.pick is not None:
        value = _picked(rule.pick, value)
    if value is None or (rule.null_if and token(value) in rule.null_if):
        value = None
    if rule.map is not None:
        value = _mapped(rule, value)
    if value is None:
        return None
    if rule.pattern is not None:
        match = compiled(rule.pattern).fullmatch(token(value))
        if match is None:
            raise ScalarError(f"{token(value)[:60]!r} does not match {rule.pattern!r}")
        value = match[1] if match.re.groups else match[0]
    result = convert(value, kind, rule.format)
    if rule.zero_means is not None and not isinstance(result, bool | str) and result == 0:
        return rule.zero_means
    if isinstance(result, str):
        result = result.lower() if rule.lower else result
        result = rule.template.replace("{}", result) if rule.template else result
    return result


def _picked(pattern: str, value: Any) -> str | None:
    """Group 1 of the only text of a list that matches; None where none, or several different ones, do."""
    if not isinstance(value, list):
        raise ScalarError(f"a list is expected, found {token(value)[:40]!r}")
    matches = [compiled(pattern).fullmatch(item) for item in value if isinstance(item, str)]
    texts = {match[1] if match.re.groups else match[0] for match in matches if match is not None}
    return texts.pop() if len(texts) == 1 else None


def _mapped(rule: FieldRule, value: Any) -> Any:
    assert rule.map is not None
    key = token(value)
    if key in rule.map:
        return rule.map[key]
    if "otherwise" in rule.model_fields_set:
        return rule.otherwise
    raise ScalarError(f"{key[:40]!r} is none of {', '.join(map(repr, rule.map))}")
