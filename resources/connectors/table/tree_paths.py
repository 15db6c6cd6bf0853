"""Paths to the rows of a tree: `leaderboards[*].results[*]` finds every result of every leaderboard.

`name` steps into a mapping, `[*]` takes every item of a list, `{*}` every value of a mapping, `[0]` one item; a name
with dots or brackets is quoted: `"odd.name"[*]`. An empty path is the document itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

_STEP: Final = re.compile(
    r'(?P<dot>\.)?(?:"(?P<quoted>[^"]+)"|(?P<name>[^.\[\]{}"]+))|\[(?P<index>\*|[0-9]+)\]|(?P<every>\{\*\})'
)
_EVERY: Final = frozenset({"items", "values"})
_PLAIN: Final = re.compile(r"[A-Za-z_][\w -]*")


@dataclass(frozen=True, slots=True)
class TreePath:
    """A parsed path: steps of kind `key`, `item`, `items` or `values`."""

    text: str
    steps: tuple[tuple[str, Any], ...]

    @property
    def wildcards(self) -> int:
        """How many of its steps take every item or value: how many keys a row has."""
        return sum(kind in _EVERY for kind, _ in self.steps)

    @property
    def depth(self) -> int:
        """How many parents a row has, the document included."""
        return self.wildcards + bool(self.steps and self.steps[-1][0] not in _EVERY)


@dataclass(frozen=True, slots=True)
class TreeRow:
    """One place that a path leads to.

    Attributes:
        locator: the path with the real indices and keys.
        value: what stands there; meaningless where `problem` is set.
        parents: the enclosing elements, nearest first: those that earlier wildcards took, the document last.
        keys: under which index or key each of these was taken, nearest first; the row's own first.
        problem: why the path leads nowhere from the last wildcard on.
    """

    locator: str
    value: Any
    parents: tuple[Any, ...] = ()
    keys: tuple[str, ...] = ()
    problem: str | None = None


class TreePathError(ValueError):
    """A path that cannot be read, or that leads nowhere from the document itself."""


def parse_path(text: str) -> TreePath:
    """Reads a path.

    Raises:
        TreePathError: with the place where it stops making sense.
    """
    steps: list[tuple[str, Any]] = []
    position = 0
    while position < len(text):
        match = _STEP.match(text, position)
        named = match is not None and (match["name"] is not None or match["quoted"] is not None)
        if match is None or (named and bool(steps) != bool(match["dot"])):
            raise TreePathError(f"path {text!r}: not understood at character {position + 1}")
        if named:
            steps.append(("key", match["quoted"] or match["name"]))
        elif match["every"]:
            steps.append(("values", None))
        else:
            steps.append(("items", None) if match["index"] == "*" else ("item", int(match["index"])))
        position = match.end()
    return TreePath(text, tuple(steps))


def find_rows(document: Any, path: TreePath) -> Iterator[TreeRow]:
    """Every place the path leads to, in document order.

    Raises:
        TreePathError: where it leads nowhere before its first wildcard: the document has another shape.
    """
    yield from _follow(TreeRow("", document), path, 0)


def _follow(at: TreeRow, path: TreePath, position: int) -> Iterator[TreeRow]:
    """Follows the path from an element that a wildcard took, or from the document."""
    node, locator = at.value, at.locator
    for number in range(position, len(path.steps)):
        kind, name = path.steps[number]
        problem = _mismatch(node, kind, name)
        if problem is not None:
            where = f"{locator.removeprefix('.') or 'document'}: {problem}"
            if not at.keys:
                raise TreePathError(f"rows {path.text!r}: {where}")
            yield TreeRow(locator.removeprefix("."), None, at.parents, at.keys, where)
            return
        if kind not in _EVERY:
            node = node[name]
            locator += _written(name)
            continue
        above = (at.value, *at.parents)
        for key, child in node.items() if kind == "values" else enumerate(node):
            yield from _follow(TreeRow(locator + _written(key), child, above, (str(key), *at.keys)), path, number + 1)
        return
    is_inside = position < len(path.steps)
    yield TreeRow(locator.removeprefix("."), node, (at.value, *at.parents) if is_inside else at.parents, at.keys)


def _mismatch(node: Any, kind: str, name: Any) -> str | None:
    """Why a step cannot be taken; None where it can."""
    if kind == "key":
        if not isinstance(node, dict):
            return f"a mapping with the key {name!r} is expected, found {_kind(node)}"
        return None if name in node else f"no key {name!r}; found {', '.join(map(repr, list(node)[:8])) or 'none'}"
    if kind == "values":
        return None if isinstance(node, dict) else f"a mapping is expected, found {_kind(node)}"
    if not isinstance(node, list):
        return f"a list is expected, found {_kind(node)}"
    return None if kind == "items" or name < len(node) else f"no item {name}; the list has {len(node)}"


def _kind(node: Any) -> str:
    return {dict: "a mapping", list: "a list", type(None): "null"}.get(type(node), f"{str(node)[:40]!r}")


def _written(step: str | int) -> str:
    if isinstance(step, int):
        return f"[{step}]"
    return f".{step}" if _PLAIN.fullmatch(step) else f"[{json.dumps(step, ensure_ascii=False)}]"
