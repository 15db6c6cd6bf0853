"""One judge over all items, as arrays: what it decided, how its calls ended, what they cost.

Belongs here: from judgments to arrays in the order of the items, and a judge beside its fallback. Does not belong here:
figures made of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from methods.judging.columns import SLICE_PREFIX, JudgmentsError
from methods.judging.comparison import UNKNOWN, Comparison, Costs, Credits
from methods.judging.judgments import Judgments
from methods.judging.orders import WHOLE, Decided, Flags, Signs, credit, one_order, two_orders
from methods.statistics.fixed_point import Integers
from warehouse.judge_words import ALL_SLICE, CALL_STATES, TASK_SLICE, UNSTATED

_SIGN_OF = {"A": 1, "B": -1, "tie": 0}
_CODE_OF = {state: code for code, state in enumerate(CALL_STATES)}
_OK = _CODE_OF["ok"]
_NOT_RUN = _CODE_OF["not_run"]


@dataclass(frozen=True, slots=True)
class Gold:
    """The gold labels of all items: `sides` 1 for A, -1 for B, 0 for a tie; read only where `known`."""

    sides: Signs
    known: Flags


@dataclass(frozen=True, slots=True)
class JudgeRecord:
    """One judge over all n items.

    Attributes:
        judge: its name.
        orders: the orders that its mode asks for: ab and ba, or one of them.
        asked: (n) whether the item was put to it.
        decided: what its calls say.
        states: by order, (n) place in `CALL_STATES`; read only where asked.
        firsts: by order, (n) billionths, that the first shown is better; read only where ok.
        credit: (n) twice the credit; -1 without a gold label.
        costs: what each item cost.
    """

    judge: str
    orders: tuple[str, ...]
    asked: Flags
    decided: Decided
    states: dict[str, Integers]
    firsts: dict[str, Integers]
    credit: Credits
    costs: Costs

    @property
    def is_one_order(self) -> bool:
        """Whether one order stands for both."""
        return len(self.orders) == 1


def gold_of(items: pl.DataFrame) -> Gold:
    """The gold labels, in the order of the items."""
    known = items["gold"].is_not_null().to_numpy()
    sides = items["gold"].replace_strict(_SIGN_OF, default=0, return_dtype=pl.Int8)
    return Gold(sides.to_numpy(), known)


def record_of(judgments: Judgments, judge: str, gold: Gold, *, single: bool = False) -> JudgeRecord:
    """One judge's first judgment of every item.

    Args:
        judgments: of any judges.
        judge: which.
        gold: of the same judgments.
        single: take one order although there are two, to see what the cheaper mode is worth.

    Raises:
        JudgmentsError: for a judge that is not there.
    """
    judgments.stack(judge)
    calls = judgments.calls.filter(pl.col("judge") == judge).unique("item", keep="first", maintain_order=True)
    rows = judgments.items.select("item").join(calls, on="item", how="left", maintain_order="left")
    run = [order for order in ("ab", "ba") if (calls[f"state_{order}"] != "not_run").any()]
    orders = tuple(run[:1] if single else run) or ("ab",)
    asked = rows["judge"].is_not_null().to_numpy()
    decided, states, firsts = _decided(rows, orders)
    earned = credit(decided.sides, decided.valid, gold.sides, gold.known)
    return JudgeRecord(judge, orders, asked, decided, states, firsts, earned, _costs(rows, orders, states))


def repeat_records(judgments: Judgments, judge: str, orders: tuple[str, ...]) -> tuple[Integers, Signs]:
    """Every valid verdict of a judge, repeats included: (place of the item among the items, side)."""
    places = judgments.items.select("item").with_row_index("place")
    rows = judgments.calls.filter(pl.col("judge") == judge).join(places, on="item", how="left")
    decided, _, _ = _decided(rows, orders)
    return rows["place"].cast(pl.Int64).to_numpy()[decided.valid], decided.sides[decided.valid]


def _decided(rows: pl.DataFrame, orders: tuple[str, ...]) -> tuple[Decided, dict[str, Integers], dict[str, Integers]]:
    states = {
        order: rows[f"state_{order}"].replace_strict(_CODE_OF, default=_NOT_RUN, return_dtype=pl.Int64).to_numpy()
        for order in orders
    }
    firsts = {order: rows[f"first_{order}"].fill_null(0).to_numpy() for order in orders}
    valid = {order: states[order] == _OK for order in orders}
    if orders == ("ab", "ba"):
        return two_orders(firsts["ab"], firsts["ba"], valid["ab"], valid["ba"]), states, firsts
    order = orders[0]
    towards = firsts[order] if order == "ab" else WHOLE // 2 - firsts[order]
    return one_order(towards, valid[order]), states, firsts


def _costs(rows: pl.DataFrame, orders: tuple[str, ...], states: dict[str, Integers]) -> Costs:
    """Usage of the orders asked. A judge all of whose costs are 0 does not track them: that is no price of 0."""
    stated = [rows[f"cost_{order}"] for order in orders]
    if not any(bool((costs > 0).any()) for costs in stated):
        stated = [pl.Series([None] * rows.height, dtype=pl.Int64) for _ in orders]
    recorded = np.zeros(rows.height, dtype=np.int64)
    reserved = np.zeros(rows.height, dtype=np.int64)
    unknown = np.zeros(rows.height, dtype=np.bool_)
    uncharged = np.zeros(rows.height, dtype=np.bool_)
    for order, costs in zip(orders, stated, strict=True):
        idle = states[order] == _NOT_RUN
        charged = costs.fill_null(rows[f"reserve_{order}"])
        unknown |= costs.is_null().to_numpy() & ~idle
        uncharged |= charged.is_null().to_numpy() & ~idle
        recorded += costs.fill_null(0).to_numpy()
        reserved += charged.fill_null(0).to_numpy()
    return Costs(np.where(unknown, UNKNOWN, recorded), np.where(uncharged, UNKNOWN, reserved))


def compare(judge: JudgeRecord, fallback: JudgeRecord, gold: Gold, mask: Flags) -> Comparison:
    """A judge beside its fallback on the items of a mask.

    An item without a gold label or without a decision of the fallback is left out, and counted: leaving it out favours
    neither. A judge's own failure stays in: that item escalates.

    Raises:
        JudgmentsError: where judge and fallback are one.
    """
    if judge.judge == fallback.judge:
        raise JudgmentsError(f"{judge.judge} cannot be its own fallback")
    put = mask & judge.asked
    within = put & gold.known & fallback.decided.valid
    ordered = put & gold.known & judge.decided.valid & (judge.credit != 1)
    return Comparison(
        q=judge.decided.acceptable[within],
        judge=judge.credit[within],
        fallback=fallback.credit[within],
        judge_costs=judge.costs.of(within),
        fallback_costs=fallback.costs.of(within),
        left_out=int(put.sum()) - int(within.sum()),
        ordered_q=judge.decided.q[ordered],
        ordered_right=judge.credit[ordered] == 2,
    )


def slices(items: pl.DataFrame) -> Iterator[tuple[str, str, Flags]]:
    """(slice, value, mask) of everything, of each task type where any is stated, and of each value of other slices."""
    yield ALL_SLICE, ALL_SLICE, np.ones(items.height, dtype=np.bool_)
    for name in items.columns:
        if name != TASK_SLICE and not name.startswith(SLICE_PREFIX):
            continue
        if items[name].null_count() == items.height:
            continue
        shown = name.removeprefix(SLICE_PREFIX)
        for value in items[name].unique().sort(nulls_last=True).to_list():
            yield shown, UNSTATED if value is None else value, of_value(items[name], value)


def of_value(column: pl.Series, value: str | None) -> Flags:
    """Which items hold a value; None for those that state none."""
    found = column.is_null() if value is None else (column == value).fill_null(value=False)
    mask: NDArray[np.bool_] = found.to_numpy()
    return mask
