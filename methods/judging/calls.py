"""From the columns of one order to how its call ended and what it said (METHODS 10).

Belongs here: states, probabilities, labels, costs of calls. Does not belong here: what two calls say together
(`orders`). A label outside the closed set is a parse failure and is counted: it is no tie, and it stops nothing.
"""

from __future__ import annotations

from typing import Final

import polars as pl

from methods.judging.columns import JudgmentsError, refuse
from methods.statistics.fixed_point import SCALE, FixedPointError, fixed_point
from warehouse.judge_words import CALL_STATES, PLACES, SIDES

_SIDES: Final = tuple(side.casefold() for side in SIDES)
_FIRST: Final = {"ab": ("a", PLACES[0]), "ba": ("b", PLACES[0])}
_SECOND: Final = {"ab": ("b", PLACES[1]), "ba": ("a", PLACES[1])}
_TIE: Final = "tie"
_MOST_COST: Final = 1e6
"""A single call cannot cost more, in any currency: a total of a million of them still fits."""


def read_calls(raw: pl.DataFrame, order: str) -> pl.DataFrame:
    """The calls of one order: `state`, `first` (billionths; null unless ok), `cost`, `reserve` (billionths; null).

    Args:
        raw: texts, with file and row; columns of the order that are absent count as empty.
        order: ab or ba.

    Raises:
        JudgmentsError: for a probability that is none, a status outside the closed set, a verdict that contradicts
            its probability, a cost that is none.
    """
    probability = fixed_column(raw, f"first_prob_{order}", 1, "is no number from 0 to 1")
    cost = fixed_column(raw, f"cost_{order}", _MOST_COST, "is no cost: a number from 0 up, empty where not tracked")
    reserve = fixed_column(raw, f"cost_reserve_{order}", _MOST_COST, "is no cost: a number from 0 up")
    status = _folded(raw, f"status_{order}")
    refuse(
        raw.filter(status.is_not_null() & ~status.is_in(CALL_STATES)),
        f"status_{order}",
        f"is no status; statuses are {', '.join(CALL_STATES)}",
    )
    verdict = _folded(raw, f"verdict_{order}")
    frame = pl.DataFrame({"p": probability, "cost": cost, "reserve": reserve, "verdict": verdict, "status": status})
    known = pl.col("verdict").is_in([*_SIDES, *PLACES])
    named = (
        pl.when(pl.col("verdict").is_in(_FIRST[order])).then(SCALE)
        .when(pl.col("verdict").is_in(_SECOND[order])).then(0)
        .when(pl.col("verdict") == _TIE).then(SCALE // 2)
    )  # fmt: skip
    frame = frame.with_columns(named=named.cast(pl.Int64), known=known)
    _no_contradiction(raw, frame, order)
    answered = (
        pl.when(pl.col("p").is_not_null() | pl.col("known")).then(pl.lit("ok"))
        .when(pl.col("verdict").is_in(CALL_STATES) & (pl.col("verdict") != "ok")).then(pl.col("verdict"))
        .when(pl.col("verdict").is_not_null()).then(pl.lit("parse_failure"))
        .otherwise(pl.lit("missing"))
    )  # fmt: skip
    failed = pl.col("status").is_not_null() & (pl.col("status") != "ok")
    frame = frame.with_columns(state=pl.when(failed).then(pl.col("status")).otherwise(answered))
    first = pl.when(pl.col("state") == "ok").then(pl.coalesce("p", "named"))
    return frame.select("state", "cost", "reserve", first=first)


def unknown_labels(raw: pl.DataFrame) -> pl.DataFrame:
    """The labels outside the closed set, with how often each stands there: (judge, label, n)."""
    found = [pl.DataFrame(schema={"judge": pl.String, "label": pl.String})]
    for order in _FIRST:
        name = f"verdict_{order}"
        if name in raw.columns:
            folded = _folded(raw, name)
            strange = folded.is_not_null() & ~folded.is_in([*_SIDES, *PLACES, *CALL_STATES])
            found.append(raw.filter(strange).select("judge", label=pl.col(name)))
    return pl.concat(found).group_by("judge", "label").len("n").sort("judge", "label")


def fixed_column(raw: pl.DataFrame, name: str, largest: float, said: str) -> pl.Series:
    """A column of numbers from 0 to `largest` as billionths, null where empty.

    Raises:
        JudgmentsError: for anything else, NaN and infinity included.
    """
    if name not in raw.columns:
        return pl.Series(name, [None] * raw.height, dtype=pl.Int64)
    texts = raw[name]
    numbers = texts.cast(pl.Float64, strict=False)
    good = numbers.is_between(0, largest) & numbers.is_not_nan()
    refuse(raw.filter(texts.is_not_null() & ~good.fill_null(value=False)), name, said)
    try:
        whole = fixed_point(numbers.fill_null(0).to_numpy())
    except FixedPointError as error:
        raise JudgmentsError(f"{name}: {error}") from error
    return pl.Series(name, whole).zip_with(numbers.is_not_null(), pl.Series([None], dtype=pl.Int64))


def _no_contradiction(raw: pl.DataFrame, frame: pl.DataFrame, order: str) -> None:
    """A verdict stated beside its probability must not name the other side."""
    half = SCALE // 2
    against = (frame["named"] - half) * (frame["p"] - half).sign() < 0
    refuse(raw.filter(against.fill_null(value=False)), f"verdict_{order}",
           f"names the side that first_prob_{order} holds for the worse; one of the two columns is wrong")  # fmt: skip


def _folded(raw: pl.DataFrame, name: str) -> pl.Series:
    """A column of words in lower case; null where empty or absent."""
    if name not in raw.columns:
        return pl.Series(name, [None] * raw.height, dtype=pl.String)
    return raw[name].str.to_lowercase()
