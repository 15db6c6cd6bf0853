"""The samples' columns in the types that a contract needs, whatever a file said (METHODS 12).

Belongs here: text to number, number to yes or no, with the first value at fault named. Does not belong here: files.
A flag is true, false, yes, no, 1 or 0; everything else, and every missing value, is null or refused, never false.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import polars as pl

from methods.decision.samples import ELIGIBILITIES, KNOWN_COLUMNS, REQUIRED, STATUSES, SampleError
from warehouse.release_contract import ReleaseContract

_FLAGS: Final = {
    "true": True,
    "false": False,
    "yes": True,
    "no": False,
    "1": True,
    "0": False,
    "1.0": True,
    "0.0": False,
}
_STATUS_COLUMNS: Final = ("parse_status", "infrastructure_status")


def wanted_types(contract: ReleaseContract) -> dict[str, pl.DataType]:
    """The type of every column that the contract names or that means the same everywhere."""
    wanted = dict(KNOWN_COLUMNS)
    wanted |= {line.column: pl.Boolean() for line in contract.red_lines}
    numbers = [one.column for one in contract.sample_budgets] + [one.column for one in contract.budgets]
    for metric in contract.metrics:
        numbers += [metric.column] + ([metric.divide_by] if metric.divide_by else [])
    numbers += [name for name in (contract.outcome.column, contract.task.weight) if name]
    wanted |= dict.fromkeys(numbers, pl.Float64())
    wanted |= dict.fromkeys((one.column for one in contract.slices), pl.String())
    canary = contract.stages.canary
    wanted |= {rule.column: pl.Float64() for rule in contract.stages.stop}
    wanted |= dict.fromkeys((*canary.cohorts, canary.unit), pl.String()) | {"batch": pl.Int64()}
    texts = (contract.sampling.cluster, contract.outcome.hypothesis, contract.outcome.reference)
    wanted |= dict.fromkeys((name for name in texts if name), pl.String())
    return dict.fromkeys(contract.must_state, pl.String()) | wanted


def typed(contract: ReleaseContract, rows: pl.DataFrame) -> pl.DataFrame:
    """The columns of the samples that have a meaning for the contract, each in its type.

    Raises:
        SampleError: for a missing column that must be there, or a value that is not of its column's type.
    """
    needed = [*REQUIRED, *_needed(contract)]
    missing = [name for name in dict.fromkeys(needed) if name not in rows.columns]
    if missing:
        raise SampleError(
            f"the samples lack the column{'s' if len(missing) > 1 else ''} {', '.join(missing)}; they have "
            f"{', '.join(rows.columns[:40])}"
        )
    wanted = wanted_types(contract)
    frame = rows.select(as_type(rows[name], wanted[name]) for name in rows.columns if name in wanted)
    for name in REQUIRED:
        if frame[name].null_count():
            raise SampleError(f"row {_first(frame[name].is_null())}: {name} must be stated")
    check_words(frame)
    return frame


def check_words(frame: pl.DataFrame) -> None:
    """Refuses statuses and eligibility in other words than those that mean something: none is read as its opposite.

    Raises:
        SampleError: naming the first row at fault.
    """
    for name in _STATUS_COLUMNS:
        if name in frame.columns:
            _refuse_others(frame[name], STATUSES, "ok, failed, or nothing")
    if "eligibility" in frame.columns:
        _refuse_others(frame["eligibility"], ELIGIBILITIES, "eligible, ineligible, or nothing, which is eligible")


def _refuse_others(values: pl.Series, words: Sequence[str], said: str) -> None:
    bad = ~values.is_in(words) & values.is_not_null()
    if bad.any():
        place = _first(bad)
        raise SampleError(f"row {place}: {values.name} {values[place - 1]!r}: {said}")


def _needed(contract: ReleaseContract) -> list[str]:
    """Columns without which nothing is compared; red lines, budgets and metrics may lack, and decide nothing then."""
    outcome = contract.outcome
    names = (outcome.column, outcome.hypothesis, outcome.reference, contract.task.weight, contract.sampling.cluster)
    return [name for name in names if name] + [one.column for one in contract.slices]


def as_type(values: pl.Series, kind: pl.DataType) -> pl.Series:
    """A column in the type wanted; null stays null (SampleError names the first value that is not of it)."""
    if kind.is_numeric() and values.dtype.is_temporal():
        raise SampleError(f"{values.name} holds times ({values.dtype}), where a number is wanted, such as of seconds")
    if values.dtype == kind or (values.dtype == pl.Categorical() and kind == pl.String()):
        found = values  # the same texts, each kept once
    elif kind == pl.Boolean():
        found = _flags(values)
    elif kind == pl.String():
        found = values.cast(pl.String, strict=False)
    elif values.dtype == pl.String() and kind == pl.Float64():
        flags = values.str.to_lowercase().replace_strict(
            {"true": "1", "false": "0"}, default=values, return_dtype=pl.String
        )
        found = flags.cast(kind, strict=False)
    else:
        found = values.cast(kind, strict=False)
        if kind == pl.Int64() and values.dtype.is_float():
            found = found.set(found.cast(pl.Float64) != values, None)  # 1.5 is no whole number, and not 1
    lost = found.is_null() & values.is_not_null()
    if kind == pl.Float64():
        lost = lost | (~found.is_finite()).fill_null(value=False)
    if lost.any():
        place = _first(lost)
        said = {"Float64": "a finite number", "Int64": "a whole number", "Boolean": "true or false"}.get(
            str(kind), "text"
        )
        raise SampleError(f"row {place}: {values.name} {values[place - 1]!r} is not {said}")
    return found.alias(values.name)


def _flags(values: pl.Series) -> pl.Series:
    text = values.cast(pl.String, strict=False).str.to_lowercase()
    return text.replace_strict(_FLAGS, default=None, return_dtype=pl.Boolean)


def _first(mask: pl.Series) -> int:
    """The first row under a mask, counted from 1."""
    return int(mask.arg_true()[0]) + 1


def check_rows(contract: ReleaseContract, frame: pl.DataFrame) -> None:
    """Refuses rows that repeat, and rows from before the contract was sealed; without a `trial` a task has one trial.

    Raises:
        SampleError: naming the first row at fault.
    """
    key = ["system", "task"] + (["trial"] if "trial" in frame.columns else [])
    if "trial" in frame.columns and frame["trial"].null_count():
        raise SampleError(f"row {_first(frame['trial'].is_null())}: trial must be stated in every row, or in none")
    # rows whose hashes differ differ: only where two hashes meet are the rows themselves looked at
    repeats = frame.select(key).hash_rows().n_unique() != frame.height and frame.select(key).is_duplicated().any()
    if repeats:
        first = frame.select(key).filter(frame.select(key).is_duplicated()).row(0)
        said = ", ".join(f"{name} {value}" for name, value in zip(key, first, strict=True))
        raise SampleError(f"{said}: stands in more than one row; number repeats in a column `trial`")
    if "recorded_at" in frame.columns and contract.seal is not None:
        at = frame["recorded_at"].str.to_datetime(time_zone="UTC", strict=False)
        lost = at.is_null() & frame["recorded_at"].is_not_null()
        if lost.any():
            place = _first(lost)
            raise SampleError(f"row {place}: recorded_at {frame['recorded_at'][place - 1]!r} is no moment")
        early = (at < contract.seal.sealed_at).fill_null(value=False)
        if early.any():
            place = _first(early)
            raise SampleError(
                f"row {place}: recorded at {frame['recorded_at'][place - 1]}, before the contract was sealed "
                f"({contract.seal.sealed_at.isoformat()}): a contract stands before its evidence"
            )
