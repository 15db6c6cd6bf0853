"""One rule applied to one row: finds the value at its origin and takes it through the rule's steps.

Belongs here: origins and steps (`rules.FieldRule`). Does not belong here: what becomes of a row with a fault.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import PurePosixPath
from statistics import NormalDist
from typing import Any, Final

from resources.connectors.table.rows import SourceRow
from resources.connectors.table.rules import FieldRule
from resources.connectors.table.scalars import ScalarError, Type, convert, half_span, quotient, token


class _Absent:
    """Stands for a key that is not there, which is not the same as null."""

    def __repr__(self) -> str:
        return "absent"


ABSENT: Final = _Absent()
compiled = cache(re.compile)

Joined = Mapping[str, Mapping[str, "Cell"]]
"""For each join: its rows by their key."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A row seen at one of its columns (`each`: our name for it, upstream's), or as a whole."""

    row: SourceRow
    file: str
    column: str | None = None
    name: str | None = None
    joins: Joined = field(default_factory=dict)


def found(rule: FieldRule, cell: Cell) -> tuple[Any, FieldRule]:
    """The value at the origin of a rule or, where that states nothing, of its alternatives; and whose it is.

    The value is as received; ABSENT where there is none.

    Raises:
        ScalarError: where two fields that are to be reckoned with are no numbers.
    """
    value, used = _at_origin(rule, cell), rule
    for other in rule.alternatives:
        if not _states_nothing(value, used):
            break
        value, used = _at_origin(other, cell), other
    return value, used


def _states_nothing(value: Any, rule: FieldRule) -> bool:
    if value is ABSENT or value is None or value == "":
        return True
    if rule.null_if and not isinstance(value, dict | list) and token(value) in rule.null_if:
        return True
    if rule.on_error == "null" and rule.pattern is not None:
        return isinstance(value, dict | list) or compiled(rule.pattern).fullmatch(token(value)) is None
    return False


def _at_origin(rule: FieldRule, cell: Cell) -> Any:
    match rule.origin:
        case "const":
            return rule.const
        case "field":
            return _named(rule, cell.row.value)
        case "parent":
            return look_up(cell.row.parents[rule.level - 1], str(rule.parent))
        case "key":
            return cell.row.keys[int(rule.key or 0)]
        case "file":
            return _part_of(cell.file, str(rule.file))
        case "each":
            return cell.name if rule.each == "name" else look_up(cell.row.value, str(cell.column))
        case "at":
            return at_path(cell.row, str(rule.at))
        case "join":
            return _joined(rule, cell)
        case "span":
            return _reckoned(rule.span, cell, half_span)
        case _:
            return _reckoned(rule.ratio, cell, quotient)


def _named(rule: FieldRule, node: Any) -> Any:
    for name in (str(rule.field), *rule.aliases):
        value = look_up(node, name)
        if value is not ABSENT:
            return value
    return ABSENT


def _part_of(file: str, part: str) -> str:
    path = PurePosixPath(file)
    return {"name": path.name, "stem": path.stem, "folder": path.parent.name, "path": file}[part]


def at_path(row: SourceRow, path: str) -> Any:
    """What stands at a path from the row's document, in which {0} stands for the row's key 0; ABSENT for nothing."""
    for number, key in enumerate(row.keys):
        path = path.replace(f"{{{number}}}", key)
    return look_up(row.parents[-1] if row.parents else row.value, path)


def _joined(rule: FieldRule, cell: Cell) -> Any:
    assert rule.by is not None
    value, used = found(rule.by, cell)
    if value is ABSENT or value is None:
        return ABSENT
    wanted = applied(used, value, "text")
    other = cell.joins[str(rule.join)].get(str(wanted))
    return ABSENT if other is None else look_up(other.row.value, rule.get)


def _reckoned(names: tuple[str, str] | None, cell: Cell, reckon: Any) -> Any:
    assert names is not None
    values = [look_up(cell.row.value, name) for name in names]
    if any(value is ABSENT for value in values):
        return ABSENT
    return None if any(value is None or value == "" for value in values) else reckon(*values)


def look_up(node: Any, name: str) -> Any:
    """A key of a mapping, first as it is written, then step by step at its dots; `.` is the node itself."""
    if name == ".":
        return node
    if isinstance(node, dict):
        if name in node:
            return node[name]
        # A key may itself hold dots (`pass@1.humaneval`, `Llama 3.1.score`): the longest that is there is taken.
        place = name.rfind(".")
        while place > 0:
            if name[:place] in node:
                return look_up(node[name[:place]], name[place + 1 :])
            place = name.rfind(".", 0, place)
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
    if rule.pattern is not None and value is not None:
        match = compiled(rule.pattern).fullmatch(token(value))
        if match is None:
            raise ScalarError(f"{token(value)[:60]!r} does not match {rule.pattern!r}")
        value = match[1] if match.re.groups else match[0]
    if rule.map is not None:
        value = _mapped(rule, value)
    if value is None:
        return None
    result = convert(value, kind, rule.format)
    if isinstance(result, str):
        result = result.lower() if rule.lower else result
        return rule.template.replace("{}", result) if rule.template else result
    if isinstance(result, bool) or not isinstance(result, int | float):
        return result
    if rule.zero_means is not None and result == 0:
        return rule.zero_means
    return result if rule.interval is None else result / _quantile(rule.interval)


@cache
def _quantile(level: float) -> float:
    """Standard deviations in half the width of a normal interval, to six places: 1.959964 at 0.95."""
    return round(NormalDist().inv_cdf((1 + level) / 2), 6)


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
