"""From what a record says to whether its attempt terminated normally and handed over validly (METHODS 11).

Belongs here: the conditions of a status map, in three values: a field that is not stated leaves a condition undecided,
and what is undecided is not clean. Correctness is no part of either. Does not belong here: the maps themselves
(`warehouse/status_maps`), the attempts (`grid`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Final

import numpy as np
from numpy.typing import NDArray

from methods.harness.records import SCORE_MISSING, SCORE_OK, Batch, Column
from warehouse.harness_panel import Alternatives, Condition, StatusMap, Within

Truth = NDArray[np.int8]

YES: Final = 1
NO: Final = 0
UNDECIDED: Final = -1
_WHOLE: Final = re.compile(r"[-+]?[0-9]+\.0+")
_SEPARATOR: Final = re.compile(r"[;\n]")


def conditions_of(alternatives: Alternatives | None, batch: Batch) -> Truth:
    """(n) 1 where one alternative holds, 0 where none does, -1 where a field that would decide is not stated.

    Args:
        alternatives: of a status map; None leaves every row undecided.
        batch: the records.
    """
    if alternatives is None:
        return np.full(batch.size, UNDECIDED, dtype=np.int8)
    found = np.full(batch.size, NO, dtype=np.int8)
    for alternative in alternatives:
        together = np.full(batch.size, YES, dtype=np.int8)
        for name, condition in alternative.items():
            together = both(together, _holds(name, condition, batch))
        found = either(found, together)
    return found


def both(a: Truth, b: Truth) -> Truth:
    """Kleene's and: no wins, then undecided."""
    found: Truth = np.where((a == NO) | (b == NO), NO, np.where((a == YES) & (b == YES), YES, UNDECIDED)).astype(
        np.int8
    )
    return found


def either(a: Truth, b: Truth) -> Truth:
    """Kleene's or: yes wins, then undecided."""
    found: Truth = np.where((a == YES) | (b == YES), YES, np.where((a == NO) & (b == NO), NO, UNDECIDED)).astype(
        np.int8
    )
    return found


def token(text: str) -> str:
    """A text as conditions compare it: true and false in lower case, a whole number without its decimals."""
    stripped = text.strip()
    lowered = stripped.lower()
    if lowered in {"true", "false"}:
        return lowered
    return stripped.partition(".")[0].removeprefix("+") if _WHOLE.fullmatch(stripped) else stripped


def unnamed_texts(field: str, status_map: StatusMap, batch: Batch) -> NDArray[np.bool_]:
    """(n) rows whose text in a field is none that the map knows; none where the map lists nothing for the field."""
    known = status_map.known.get(field)
    if known is None:
        return np.zeros(batch.size, dtype=np.bool_)
    return batch.column(field).table(lambda text: int(token(text) not in known), 0).astype(np.bool_)


def _holds(name: str, condition: Condition, batch: Batch) -> Truth:
    if name == "score":
        return _score_holds(condition, batch)
    column = batch.column(name)
    if isinstance(condition, Within):
        return _within(column, batch.column(condition.within))
    if condition == "stated":
        return _by_text(column, lambda text: bool(text.strip()), NO)
    if condition == "absent":
        return _by_text(column, lambda text: token(text) in {"", "false", "none", "null"}, YES)
    if condition == "finite":
        return _by_text(column, _is_finite, NO)  # no result is no finite result
    return _by_text(column, lambda text: token(text) in condition, UNDECIDED)


def _score_holds(condition: Condition, batch: Batch) -> Truth:
    """The score column holds numbers: a missing or unreadable one is no finite result of an evaluator."""
    found: Truth = np.full(batch.size, UNDECIDED, dtype=np.int8)
    if condition in ("finite", "stated"):
        found = (batch.score_state == SCORE_OK).astype(np.int8)
    elif condition == "absent":
        found = (batch.score_state == SCORE_MISSING).astype(np.int8)
    return found


def _by_text(column: Column, holds: Callable[[str], bool], missing: int) -> Truth:
    return column.table(lambda text: int(holds(text)), missing).astype(np.int8)


def _is_finite(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def _within(inner: Column, outer: Column) -> Truth:
    """Whether one of a record's paths equals, or lies below, one that its other field lists; asked once a pair."""
    width = len(outer.values) + 1
    pairs, places = np.unique(
        (inner.codes.astype(np.int64) + 1) * width + outer.codes.astype(np.int64) + 1, return_inverse=True
    )
    answers = np.empty(pairs.size, dtype=np.int8)
    for place, pair in enumerate(pairs.tolist()):
        left, right = divmod(pair, width)
        if right == 0:
            answers[place] = UNDECIDED
        elif left == 0:
            answers[place] = NO
        else:
            answers[place] = _one_below(inner.values[left - 1], outer.values[right - 1])
    return answers[places]


def _one_below(inner: str, outer: str) -> bool:
    roots = [PurePosixPath(text) for text in _paths(outer)]
    return any(path == root or root in path.parents for path in map(PurePosixPath, _paths(inner)) for root in roots)


def _paths(text: str) -> list[str]:
    return [part.strip() for part in _SEPARATOR.split(text) if part.strip() and ".." not in part.split("/")]
