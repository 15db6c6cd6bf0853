"""What is true of an item whoever judges it: task type, cluster, side of the split, labels, slices (METHODS 10).

Belongs here: one row an item, from rows that each may state a part. A fact stated twice must be the same.
"""

from __future__ import annotations

import polars as pl

from methods.judging.columns import FILE, ITEM_FACTS, ROW, SLICE_PREFIX, JudgmentsError, place, refuse
from warehouse.judge_words import SIDES, SPLITS
from warehouse.plain_text import one_line

_SIDE_OF = {side.casefold(): side for side in SIDES}
_LABELS = ("gold", "label_1", "label_2")


def read_items(raw: pl.DataFrame) -> pl.DataFrame:
    """One row an item, in the order of item: every fact, and every slice; null where nobody states it.

    Args:
        raw: texts, with item, file and row.

    Raises:
        JudgmentsError: for a label or a side outside its closed set, or two rows that contradict each other.
    """
    slices = sorted(name for name in raw.columns if name.startswith(SLICE_PREFIX))
    facts = raw.select("item", FILE, ROW, *(_fact(raw, name) for name in (*ITEM_FACTS, *slices)))
    for name in _LABELS:
        folded = facts[name].str.to_lowercase()
        refuse(facts.filter(folded.is_not_null() & ~folded.is_in(list(_SIDE_OF))), name,
               f"is no label; labels are {', '.join(SIDES)}, empty where there is none")  # fmt: skip
        facts = facts.with_columns(folded.replace_strict(_SIDE_OF, default=None, return_dtype=pl.String).alias(name))
    refuse(facts.filter(facts["split"].is_not_null() & ~facts["split"].is_in(SPLITS)), "split",
           f"is no side; sides are {', '.join(SPLITS)}, empty for neither")  # fmt: skip
    names = (*ITEM_FACTS, *slices)
    grouped = facts.group_by("item").agg(
        *(pl.col(name).drop_nulls().first() for name in names),
        *(pl.col(name).drop_nulls().n_unique().alias(f"#{name}") for name in names),
    )
    for name in names:
        _one_fact(facts, grouped.filter(pl.col(f"#{name}") > 1), name)
    return grouped.select("item", *names).sort("item")


def _fact(raw: pl.DataFrame, name: str) -> pl.Expr:
    if name not in raw.columns:
        return pl.lit(None, dtype=pl.String).alias(name)
    return pl.col(name)


def _one_fact(facts: pl.DataFrame, broken: pl.DataFrame, name: str) -> None:
    if not broken.height:
        return
    item = broken["item"].sort()[0]
    rows = facts.filter((pl.col("item") == item) & pl.col(name).is_not_null())
    first, other = (rows.unique(name, keep="first", maintain_order=True).row(n, named=True) for n in (0, 1))
    raise JudgmentsError(
        f"{place(other)}, {name}: item {one_line(item)} is {one_line(other[name])!r} here and "
        f"{one_line(first[name])!r} in {place(first)}; a fact of an item is one"
    )
