"""Rows as whole numbers: everything the rules compare, each distinct text read once and given a code.

Belongs here: turning a `core__result` frame into codes by the very reader the naive generator uses. Does not belong
here: finding pairs (`methods.pairing.fast`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import polars as pl

from methods.names import normalize
from methods.names.state_budget import effort_of, steps_of
from methods.pairing.coded_names import CodedNames, TextCodes, code_names
from methods.pairing.compiled import Ints, as_ints
from methods.pairing.facts import RESULT_COLUMNS, RowReader
from methods.pairing.links import normalize_url
from warehouse.vocabulary import SOURCE_TYPES

Value = TypeVar("Value", bound=Hashable)


@dataclass(frozen=True)
class CodedRows:
    """The rows that take part in pairing, by number of the row; copies are left out.

    Attributes:
        entry_ids: of the rows.
        benchmark: code of the benchmark; source: index in `SOURCE_TYPES`.
        steps, effort: -1 where not stated.
        name: number of the name in `names`.
        model_id, model_id_normal, model_id_plain, url: codes.
        planners: number of the set of planner slugs in `planner_sets`, which hold codes.
        texts: the text of each code of a normalized form.
        copies: how many rows were left out because they only repeat another's number.
    """

    entry_ids: pl.Series
    benchmark: Ints
    benchmarks: list[str]
    source: Ints
    steps: Ints
    effort: Ints
    name: Ints
    model_id: Ints
    model_id_normal: Ints
    model_id_plain: Ints
    url: Ints
    planners: Ints
    planner_sets: list[tuple[int, ...]]
    names: CodedNames
    texts: list[str]
    copies: int


def code_rows(results: pl.DataFrame, reader: RowReader, effort_levels: tuple[str, ...]) -> CodedRows:
    """The rows of a `core__result` frame as codes."""
    results = results.select(RESULT_COLUMNS)
    copied = results["copied_from"].fill_null("").str.strip_chars() != ""
    kept = results.filter(~copied)
    code = TextCodes()
    raw = TextCodes()
    links = TextCodes()
    planner_sets: dict[tuple[int, ...], int] = {}

    names, name = _distinct(kept["model"])
    settings, setting = _distinct(kept["setting"])
    model_ids, model_id = _distinct(kept["model_id"])
    efforts, effort = _distinct(kept["protocol_effort"])
    stated = [(text or "").strip() for text in model_ids]

    field_steps = kept["protocol_steps"].fill_null(-1).to_numpy()
    setting_steps = _each(settings, lambda text: _or_none(steps_of(None, text, None)))[setting]
    name_steps = _each(names, lambda text: _or_none(steps_of(None, None, text)))[name]
    steps = np.where(field_steps >= 0, field_steps, np.where(setting_steps >= 0, setting_steps, name_steps))

    def level(text: str | None, where: str | None) -> int:
        found = effort_of(text, where, None, effort_levels)
        return -1 if found is None else effort_levels.index(found)

    has_field = np.array([bool((text or "").strip()) for text in efforts], dtype=bool)[effort]
    field_effort = _each(efforts, lambda text: level(text, None))[effort]
    setting_effort = _each(settings, lambda text: level(None, text))[setting]

    def planner_set(notes: str | None) -> int:
        slugs = tuple(sorted(code[slug] for slug in reader.planners(notes)))
        return planner_sets.setdefault(slugs, len(planner_sets))

    benchmarks, benchmark = _distinct(kept["benchmark"])
    return CodedRows(
        entry_ids=kept["entry_id"],
        benchmark=benchmark,
        benchmarks=benchmarks,
        source=as_ints(kept["source_type"].cast(pl.Enum(SOURCE_TYPES)).to_physical().to_numpy()),
        steps=as_ints(steps),
        effort=as_ints(np.where(has_field, field_effort, setting_effort)),
        name=name,
        model_id=_each(stated, raw.__getitem__)[model_id],
        model_id_normal=_each(stated, lambda text: code[normalize(text)])[model_id],
        model_id_plain=_each(stated, lambda text: code[normalize(reader.without_prefix(text)[0])])[model_id],
        url=_each_row(kept["model_url"], lambda link: links[normalize_url(link)]),
        planners=_each_row(kept["notes"], planner_set),
        planner_sets=list(planner_sets),
        names=code_names(names, reader, code),
        texts=list(code),
        copies=int(copied.sum()),
    )


def _distinct(column: pl.Series) -> tuple[list[Any], Ints]:
    """The distinct values of a column in order of first appearance, null last, and the number of each row's value."""
    numbers: dict[Any, int] = {}
    codes = np.full(len(column), -1, np.int64)
    stated = column.is_not_null()
    codes[stated.to_numpy()] = [numbers.setdefault(value, len(numbers)) for value in column.filter(stated).to_list()]
    if column.null_count():
        codes[codes < 0] = numbers.setdefault(None, len(numbers))
    return list(numbers), codes


def _each(values: Iterable[Value], read: Callable[[Value], int]) -> Ints:
    return as_ints([read(value) for value in values])


def _each_row(column: pl.Series, read: Callable[[Any], int]) -> Ints:
    values, numbers = _distinct(column)
    return _each(values, read)[numbers]


def _or_none(steps: int | None) -> int:
    return -1 if steps is None else steps
