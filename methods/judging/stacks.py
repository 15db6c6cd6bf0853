"""A judge's key: its whole stack. Results under different keys are never put together (METHODS 10).

Belongs here: what a stack is, when two are one, and what to say where they are not. What is not stated is not equal to
anything, itself included: two files that both leave the rubric unstated may have used two.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

import polars as pl

from methods.judging.columns import FILE, JudgmentsError
from warehouse.canonical import canonical_sha256
from warehouse.judge_words import STACK_FIELDS
from warehouse.plain_text import one_line

_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Stack:
    """A judge and what it ran on.

    Attributes:
        judge: the name it goes by in the files.
        fields: every field of the key; None where not stated.
    """

    judge: str
    fields: Mapping[str, str | None]

    @property
    def unstated(self) -> tuple[str, ...]:
        """Fields of the key that nobody stated."""
        return tuple(name for name in STACK_FIELDS if self.fields.get(name) is None)

    @property
    def sha256(self) -> str | None:
        """Hash of the key, under whatever name; None where a field is not stated, since no two are one then."""
        return None if self.unstated else canonical_sha256({name: self.fields[name] for name in STACK_FIELDS})


def stack_of(judge: str, stated: Mapping[str, object]) -> Stack:
    """A stack from stated values: texts trimmed, numbers in one spelling (0.0 is 0), empty as not stated.

    Raises:
        JudgmentsError: for a field that is none of the key's.
    """
    strangers = [name for name in stated if name not in STACK_FIELDS]
    if strangers:
        raise JudgmentsError(f"judge {one_line(judge)}: {', '.join(strangers)}: fields are {', '.join(STACK_FIELDS)}")
    return Stack(judge, {name: plain_value(stated.get(name)) for name in STACK_FIELDS})


def plain_value(value: object) -> str | None:
    """A value of the key as compared; None where it says nothing."""
    text = "" if value is None else str(value).strip()
    try:
        number = Decimal(text)
    except InvalidOperation:
        return text or None
    return f"{number.normalize():f}" if number.is_finite() else text


def differences(first: Stack, second: Stack) -> tuple[str, ...]:
    """What keeps two keys apart, a sentence a field; none where they are wholly stated and equal."""
    found = []
    for name in STACK_FIELDS:
        one, other = first.fields.get(name), second.fields.get(name)
        if one is None or other is None or one != other:
            found.append(f"{name}: {_said(one)} against {_said(other)}")
    return tuple(found)


def gather_stacks(raw: pl.DataFrame, stated: Mapping[str, Stack]) -> dict[str, Stack]:
    """The stack of every judge of the rows, by name.

    Args:
        raw: texts, one row a judgment, with file and row.
        stated: stacks that stand beside the files; they and the columns must not contradict each other.

    Raises:
        JudgmentsError: where the rows of one judge state two keys, or come from two files that leave a field unstated.
    """
    present = [name for name in STACK_FIELDS if name in raw.columns]
    found: dict[str, Stack] = {}
    keys = raw.select("judge", FILE, *present).unique(maintain_order=True)
    for (judge,), rows in keys.group_by(["judge"], maintain_order=True):
        name = str(judge)
        beside = stated.get(name)
        fields = {field: _one_value(name, field, rows, beside) for field in STACK_FIELDS}
        stack = Stack(name, fields)
        files = rows[FILE].unique().sort().to_list()
        if len(files) > 1 and stack.unstated:
            raise JudgmentsError(
                f"judge {one_line(name)} stands in {' and '.join(map(one_line, files))}, and "
                f"{', '.join(stack.unstated)} stated in neither: whether they are one judge cannot be known. State the "
                "whole stack, or give the judges two names"
            )
        found[name] = stack
    return found


def _one_value(judge: str, field: str, rows: pl.DataFrame, beside: Stack | None) -> str | None:
    values: dict[str | None, None] = {}
    if field in rows.columns:
        values = dict.fromkeys(plain_value(value) for value in rows[field].to_list())
    if beside is not None and beside.fields.get(field) is not None:
        values = {beside.fields[field]: None, **{value: None for value in values if value is not None}}
    if len(values) > 1:
        raise JudgmentsError(
            f"judge {one_line(judge)} has two keys, which are never put together: {field} is "
            f"{' and '.join(map(_said, list(values)[:2]))}. Give each its own name in the column judge"
        )
    return next(iter(values), None)


def refuse_other_key(what: str, kept: Stack, given: Stack) -> None:
    """Refuses a stack that is not the one something was made for.

    Raises:
        JudgmentsError: naming every field that differs or is not stated.
    """
    found = differences(kept, given)
    if found:
        raise JudgmentsError(f"{what}: {one_line(given.judge)} runs on another key; {'; '.join(found)}")


def _said(value: str | None) -> str:
    if value is None:
        return "not stated"
    text = one_line(value)
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…")
