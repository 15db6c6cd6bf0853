"""Judgments as everything here reads them: calls, items, and the key of each judge.

Belongs here: from rows of text to typed, consistent judgments. Does not belong here: files (`resources.judgments`),
what is computed from them. Every row is kept: nothing here is dropped or guessed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import polars as pl

from methods.judging.calls import read_calls, unknown_labels
from methods.judging.columns import FILE, ORDERS, ROW, JudgmentsError, place, refuse
from methods.judging.item_facts import read_items
from methods.judging.stacks import Stack, gather_stacks
from warehouse.plain_text import one_line

_SHOWN_LABELS = 5


@dataclass(frozen=True)
class Judgments:
    """Judgments of any number of judges over items.

    Attributes:
        calls: one row a judgment (item, judge, repeat): `state_`, `first_` (billionths), `cost_`, `reserve_` of both
            orders; sorted by judge, item, repeat.
        items: one row an item (`item_facts.read_items`), those that only a label speaks of included.
        stacks: the key of each judge, by name.
        declared: keys stated for judges of which there are no judgments: a fallback that is still to be asked.
        strange_labels: verdicts outside the closed set, counted: judge, label, n.
        notes: what was said about the files and met none of them, in sentences.
    """

    calls: pl.DataFrame
    items: pl.DataFrame
    stacks: Mapping[str, Stack]
    declared: Mapping[str, Stack]
    strange_labels: pl.DataFrame
    notes: tuple[str, ...] = ()

    @property
    def height(self) -> int:
        """Judgments."""
        return self.calls.height

    @cached_property
    def judges(self) -> tuple[str, ...]:
        """The judges, by name."""
        return tuple(sorted(self.stacks))

    def stack(self, judge: str) -> Stack:
        """The key of a judge.

        Raises:
            JudgmentsError: for one that the judgments do not hold, naming those they do.
        """
        try:
            return self.stacks[judge]
        except KeyError:
            raise JudgmentsError(
                f"no judgments of {one_line(judge)}; there are those of {', '.join(map(one_line, self.judges))}"
            ) from None

    @cached_property
    def task_types(self) -> tuple[str | None, ...]:
        """The task types of judged items; None for items that state none."""
        judged = self.items.join(self.calls.select("item").unique(), on="item", how="semi")
        return tuple(sorted(judged["task_type"].unique().to_list(), key=lambda name: (name is None, name or "")))


def gather(raw: pl.DataFrame, stated: Mapping[str, Stack]) -> Judgments:
    """Typed judgments from rows of text.

    Args:
        raw: texts under the names of `columns.COLUMNS` and slices, with `file` and `row`. A row without a judge states
            facts of its item alone.
        stated: keys of judges that stand beside the files, by name.

    Raises:
        JudgmentsError: for whatever cannot be what it says; names file, row and field.
    """
    absent = [pl.lit(None, dtype=pl.String).alias(name) for name in ("judge", "repeat") if name not in raw.columns]
    texts = pl.col(pl.String).str.strip_chars()
    raw = raw.with_columns(absent).with_columns(pl.when(texts != "").then(texts).name.keep())
    refuse(raw.filter(pl.col("item").is_null()), "item", "names no item; every row needs one")
    items = read_items(raw)
    judged = raw.filter(pl.col("judge").is_not_null())
    if not judged.height:
        raise JudgmentsError("no row names a judge in the column judge: these are labels alone")
    calls = judged.select("item", "judge", FILE, ROW, repeat=_repeats(judged))
    for order in ORDERS:
        found = read_calls(judged, order)
        calls = calls.hstack(found.rename({name: f"{name}_{order}" for name in found.columns}))
    _once(calls)
    calls = _not_asked(calls).sort("judge", "item", "repeat")
    strange = unknown_labels(judged)
    _some_known(calls, strange)
    stacks = gather_stacks(judged, stated)
    declared = {name: stack for name, stack in stated.items() if name not in stacks}
    return Judgments(calls.drop(FILE, ROW), items, stacks, declared, strange)


def _repeats(rows: pl.DataFrame) -> pl.Series:
    """The number of each repeat, 1 where none is stated."""
    texts = rows["repeat"]
    numbers = texts.cast(pl.Int64, strict=False)
    refuse(rows.filter(texts.is_not_null() & ~(numbers >= 0).fill_null(value=False)), "repeat",
           "is no number of a repeat: 1, 2, 3, ...")  # fmt: skip
    return numbers.fill_null(1)


def _once(calls: pl.DataFrame) -> None:
    key = ["item", "judge", "repeat"]
    again = calls.filter(calls.select(key).is_duplicated()).sort(*key, FILE, ROW)
    if again.height:
        first, second = again.row(0, named=True), again.row(1, named=True)
        raise JudgmentsError(
            f"{place(second)}: judge {one_line(second['judge'])} judges item {one_line(second['item'])} again, as in "
            f"{place(first)}; number the repeats in the column repeat, or take one of them out"
        )


def _not_asked(calls: pl.DataFrame) -> pl.DataFrame:
    """Where a judge has nothing at all in one order, that order was not asked: `not_run`, not `missing`."""
    for order in ORDERS:
        state = pl.col(f"state_{order}")
        never = (state == "missing").all().over("judge")
        calls = calls.with_columns(pl.when(never).then(pl.lit("not_run")).otherwise(state).alias(f"state_{order}"))
    return calls


def _some_known(calls: pl.DataFrame, strange: pl.DataFrame) -> None:
    """Labels that are all strange are a wrong mapping, not a judge that always fails."""
    fine = (pl.col("state_ab") == "ok") | (pl.col("state_ba") == "ok")
    answered = set(calls.filter(fine)["judge"].to_list())
    for judge in strange["judge"].unique().sort().to_list():
        if judge not in answered:
            said = strange.filter(pl.col("judge") == judge)["label"].to_list()[:_SHOWN_LABELS]
            raise JudgmentsError(
                f"judge {one_line(judge)}: none of its verdicts is known; they say {', '.join(map(repr, said))}. Say "
                "under `labels` what each means: A, B, tie, first, second, or how the call failed"
            )
