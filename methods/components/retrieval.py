"""Retrieval: hit and recall where there is something to find, refusals where there is not, and leaks (METHODS 13).

Belongs here: one sample's figures from its ranked list and gold set, and their summary. Does not belong here: whether
the answer was right, which stays a gate of its own. The unit (chunk, passage, document, parent) is declared and never
mixed: the first five chunks are not the first five documents.

An object that the asker may not see is a risk failure wherever it stands in the list, and never recall: it is taken out
of the relevant set, above and below the line. A question whose every relevant object is such a one is to be refused, as
one without any.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import polars as pl

from methods.components.declared import check_unit, share
from warehouse.component_words import RetrievalUnit

RETRIEVAL_COLUMNS = ("retrieved", "relevant", "unauthorized", "refused")
"""What a sample may state: ids as ranked; ids of the gold set; ids the asker may not see; whether it was refused."""


@dataclass(frozen=True, slots=True)
class RetrievalSummary:
    """Retrieval over samples.

    Attributes:
        unit, k: as declared.
        questions: samples that say what was relevant.
        answerable: of these, with something relevant that the asker may see, and a ranked list.
        hit, recall: means over them; None where there are none.
        no_answer: questions to be refused.
        correct_refusal: share of these that were refused, over `refusals_stated`; None where none states it.
        false_retrieval: share of these for which something was retrieved, over `retrievals_stated`; None likewise.
        leaks: samples that retrieved an object the asker may not see, over `leaks_checked`.
        not_tracked: samples that do not say what was relevant.
    """

    unit: RetrievalUnit
    k: int
    questions: int
    answerable: int
    hit: float | None
    recall: float | None
    no_answer: int
    refusals_stated: int
    correct_refusal: float | None
    retrievals_stated: int
    false_retrieval: float | None
    leaks_checked: int
    leaks: int
    not_tracked: int


def retrieval_columns(samples: pl.DataFrame, k: int) -> pl.DataFrame:
    """The samples with their retrieval figures beside them.

    Args:
        samples: with the list columns `retrieved`, `relevant`, `unauthorized` (text) and `refused` (boolean); an absent
            column, like a null, is not tracked, and is never an empty list.
        k: how many of the list are looked at, from 1.

    Returns:
        The samples and: `relevant_count`, `found_count`, `retrieval_hit`, `retrieval_recall` (null where nothing
        relevant may be seen, or not tracked), `is_no_answer`, `is_refusal_correct`, `is_false_retrieval` (null
        where the question has an answer), `unauthorized_retrieved` (how many; null where not tracked),
        `retrieval_reason`.

    Raises:
        ValueError: for k below 1.
    """
    if k < 1:
        raise ValueError(f"k {k}: at least one object is looked at")
    kinds = {name: pl.List(pl.String) for name in RETRIEVAL_COLUMNS[:3]} | {"refused": pl.Boolean()}
    absent = [pl.lit(None, dtype=kind).alias(name) for name, kind in kinds.items() if name not in samples.columns]
    nothing = pl.lit([], dtype=pl.List(pl.String))
    barred = pl.col("unauthorized").fill_null(nothing)
    visible = pl.col("relevant").list.set_difference(barred)
    listed = pl.col("retrieved").list.len()
    found = pl.col("retrieved").list.head(k).list.set_intersection(visible).list.len()
    is_no_answer = pl.col("relevant_count") == 0
    # What the samples state is kept as it came; only what was not stated is filled in, and taken away again.
    return (
        samples.with_columns(absent)
        .with_columns(
            visible.list.len().cast(pl.Int64).alias("relevant_count"),
            found.cast(pl.Int64).alias("found_count"),
            pl.col("retrieved").list.set_intersection(pl.col("unauthorized")).list.len().cast(pl.Int64)
            .alias("unauthorized_retrieved"),
        )
        .with_columns(
            pl.when(~is_no_answer).then(pl.col("found_count") > 0).alias("retrieval_hit"),
            pl.when(~is_no_answer).then(pl.col("found_count") / pl.col("relevant_count")).alias("retrieval_recall"),
            is_no_answer.alias("is_no_answer"),
            pl.when(is_no_answer).then(pl.col("refused")).alias("is_refusal_correct"),
            pl.when(is_no_answer).then(listed > 0).alias("is_false_retrieval"),
            pl.when(pl.col("relevant").is_null() | (~is_no_answer & pl.col("retrieved").is_null()))
            .then(pl.lit("not_tracked"))
            .when(pl.col("relevant").list.len() == 0)
            .then(pl.lit("no_relevant"))
            .when(is_no_answer)
            .then(pl.lit("no_authorized_relevant"))
            .alias("retrieval_reason"),
        )
        .drop([name for name in RETRIEVAL_COLUMNS if name not in samples.columns])
    )  # fmt: skip


def retrieval_summary(samples: pl.DataFrame, unit: RetrievalUnit, k: int) -> RetrievalSummary:
    """Retrieval over all samples.

    Args:
        samples: as `retrieval_columns` takes them; a column `retrieval_unit` must say the declared unit throughout.
        unit: the declared unit.
        k: how many of the list are looked at.

    Raises:
        ComponentError: where a sample states another unit.
        ValueError: for k below 1.
    """
    check_unit(samples, "retrieval_unit", unit)
    told = retrieval_columns(samples, k)
    counted = told.filter(pl.col("retrieval_hit").is_not_null())
    refusals = told["is_refusal_correct"].drop_nulls()
    false = told["is_false_retrieval"].drop_nulls()
    leaks = told["unauthorized_retrieved"].drop_nulls()
    # Shares of one denominator add up as whole numbers; only then is anything divided.
    by_size = counted.group_by("relevant_count").agg(pl.col("found_count").sum()).rows()
    recall = sum((Fraction(found, size) for size, found in by_size), Fraction(0))
    return RetrievalSummary(
        unit=unit,
        k=k,
        questions=told["is_no_answer"].count(),
        answerable=counted.height,
        hit=share(int(counted["retrieval_hit"].sum()), counted.height),
        recall=float(recall / counted.height) if counted.height else None,
        no_answer=int(told["is_no_answer"].sum()),
        refusals_stated=refusals.len(),
        correct_refusal=share(int(refusals.sum()), refusals.len()),
        retrievals_stated=false.len(),
        false_retrieval=share(int(false.sum()), false.len()),
        leaks_checked=leaks.len(),
        leaks=int((leaks > 0).sum()),
        not_tracked=told["is_no_answer"].null_count(),
    )
