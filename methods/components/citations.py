"""Citations: how many of those judged support their claim, and how many claims that need one have it (METHODS 13).

Belongs here: correctness, completeness, coverage and N/A rate of samples and over them. Does not belong here: whether
the claims are true. Correctness is null where no citation was judged: that is not 0, and the N/A rate says how often.
Completeness is null where no claim needs a citation, and 0 where claims need one and none has it. Citations that
conflict, do not open, or merely speak of the same thing are counted apart; none of them supports anything.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import polars as pl

from methods.components.declared import ComponentError, check_unit, share
from warehouse.component_words import CITATION_VERDICTS, UNJUDGED, CitationUnit


@dataclass(frozen=True, slots=True)
class CitationSummary:
    """Citations over samples.

    Attributes:
        unit: as declared: link, span or pair of claim and citation.
        samples: those that say which citations they gave; `not_tracked` do not.
        given, judged, invalid: citations given; judged by a known word; judged by an unknown one.
        supported, conflicting, broken, merely_related: of those judged.
        correctness: supported / judged, all citations together; None where none was judged.
        mean_correctness: mean over samples that have one.
        coverage: judged / given; None where none was given.
        na_rate: share of samples in which no citation was judged.
        needed, met: claims that need a citation; of these, with one that supports them.
        completeness: met / needed, all claims together; None where none needs one.
        mean_completeness: mean over samples that have one.
        completeness_na_rate: share of samples stating their claims in which none needs a citation.
    """

    unit: CitationUnit
    samples: int
    not_tracked: int
    given: int
    judged: int
    invalid: int
    supported: int
    conflicting: int
    broken: int
    merely_related: int
    correctness: float | None
    mean_correctness: float | None
    coverage: float | None
    na_rate: float | None
    needed: int
    met: int
    completeness: float | None
    mean_completeness: float | None
    completeness_na_rate: float | None


def citation_columns(samples: pl.DataFrame) -> pl.DataFrame:
    """The samples with their citation figures beside them.

    Args:
        samples: `citations`, a list with one verdict for each citation given; `claims_needing_citation` and
            `claims_with_citation`, how many claims need one and how many of these have one that supports them. An
            absent column, like a null, is not tracked.

    Returns:
        The samples and: `citations_given`, `citations_judged`, `citations_invalid`, one count for each other verdict
        (`citations_supported`, ...), `citation_correctness`, `citation_completeness`, `citation_reason`,
        `completeness_reason`.

    Raises:
        ComponentError: where more claims have a citation than need one, or a count is negative.
    """
    absent = [
        pl.lit(None, dtype=kind).alias(name)
        for name, kind in (("citations", pl.List(pl.String)), ("claims_needing_citation", pl.Int64()),
                           ("claims_with_citation", pl.Int64()))
        if name not in samples.columns
    ]  # fmt: skip
    told = samples.with_columns(absent)
    _check_claims(told)
    told = verdict_counts(told, "citations", CITATION_VERDICTS)
    needed, met = pl.col("claims_needing_citation"), pl.col("claims_with_citation")
    return told.with_columns(
        ratio(pl.col("citations_supported"), pl.col("citations_judged")).alias("citation_correctness"),
        ratio(met, needed).alias("citation_completeness"),
        pl.when(pl.col("citations").is_null())
        .then(pl.lit("not_tracked"))
        .when(pl.col("citations_judged") == 0)
        .then(pl.lit("none_judged"))
        .alias("citation_reason"),
        pl.when(needed == 0)
        .then(pl.lit("none_needed"))
        .when(needed.is_null() | met.is_null())
        .then(pl.lit("not_tracked"))
        .alias("completeness_reason"),
    ).drop([name for name in ("citations", "claims_needing_citation", "claims_with_citation")
            if name not in samples.columns])  # fmt: skip


def citation_summary(samples: pl.DataFrame, unit: CitationUnit) -> CitationSummary:
    """Citations over all samples.

    Args:
        samples: as `citation_columns` takes them; a column `citation_unit` must say the declared unit throughout.
        unit: the declared unit.

    Raises:
        ComponentError: where a sample states another unit, or counts that cannot be.
    """
    check_unit(samples, "citation_unit", unit)
    told = citation_columns(samples)
    counted = ("given", "judged", "invalid", "supported", "conflicting", "broken", "merely_related")
    total = {name: int(told[f"citations_{name}"].sum()) for name in counted}
    stated = told["citation_reason"].fill_null("").ne("not_tracked").sum()
    none_judged = told["citation_reason"].eq("none_judged").sum()
    complete = told.filter(pl.col("citation_completeness").is_not_null())
    has_claims = "claims_needing_citation" in complete.columns
    needed = int(complete["claims_needing_citation"].sum()) if has_claims else 0
    met = int(complete["claims_with_citation"].sum()) if has_claims else 0
    none_needed = told["completeness_reason"].eq("none_needed").sum()
    return CitationSummary(
        unit=unit,
        samples=int(stated),
        not_tracked=told.height - int(stated),
        **total,
        correctness=share(total["supported"], total["judged"]),
        mean_correctness=mean_ratio(told, "citations_supported", "citations_judged"),
        coverage=share(total["judged"], total["given"]),
        na_rate=share(int(none_judged), int(stated)),
        needed=needed,
        met=met,
        completeness=share(met, needed),
        mean_completeness=mean_ratio(complete, "claims_with_citation", "claims_needing_citation")
        if has_claims
        else None,
        completeness_na_rate=share(int(none_needed), int(none_needed) + complete.height),
    )


def verdict_counts(samples: pl.DataFrame, column: str, words: tuple[str, ...]) -> pl.DataFrame:
    """The samples with how often each verdict stands in a list of them.

    Returns:
        The samples and `<column>_given` (all), `<column>_judged` (a known word but `unjudged`), `<column>_invalid`
        (no known word: neither judged nor lost), and `<column>_<word>` for each other word; null where not tracked.
    """
    listed = pl.col(column).list
    judged = [word for word in words if word != UNJUDGED]
    counts = [listed.count_matches(word).cast(pl.Int64).alias(f"{column}_{word}") for word in judged]
    told = samples.with_columns(
        listed.len().cast(pl.Int64).alias(f"{column}_given"),
        listed.count_matches(UNJUDGED).cast(pl.Int64).alias("_unjudged"),
        *counts,
    )
    known = pl.sum_horizontal(*(f"{column}_{word}" for word in judged), ignore_nulls=False)
    return told.with_columns(
        known.alias(f"{column}_judged"),
        (pl.col(f"{column}_given") - known - pl.col("_unjudged")).alias(f"{column}_invalid"),
    ).drop("_unjudged")


def ratio(part: pl.Expr, whole: pl.Expr) -> pl.Expr:
    """A share of each row; null of nothing."""
    return pl.when(whole > 0).then(part / whole)


def mean_ratio(samples: pl.DataFrame, part: str, whole: str) -> float | None:
    """The mean over rows of part / whole, where whole is above 0: exact, divided once; None where no row has one."""
    counted = samples.filter(pl.col(whole) > 0)
    if not counted.height:
        return None
    by_size = counted.group_by(whole).agg(pl.col(part).sum()).rows()
    return float(sum((Fraction(top, size) for size, top in by_size), Fraction(0)) / counted.height)


def _check_claims(samples: pl.DataFrame) -> None:
    needed, met = pl.col("claims_needing_citation"), pl.col("claims_with_citation")
    wrong = samples.with_row_index("row", offset=1).filter((met > needed) | (met < 0) | (needed < 0))
    if wrong.height:
        row, top, whole = wrong.select("row", "claims_with_citation", "claims_needing_citation").row(0)
        raise ComponentError(
            f"row {row}, claims_with_citation: {top} of {whole} claims that need a citation cannot have one"
        )
