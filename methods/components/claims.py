"""Claims of an answer held against the context it was given: supported, contradicted, not in it (METHODS 13).

Belongs here: the three shares of a sample and over samples. Does not belong here: whether a claim is true in the world,
or the task done: an answer may faithfully repeat a wrong or outdated text. Correctness and task completeness stay
columns of their own, are summed up apart, and are never mixed into these shares.
"""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from methods.components.citations import mean_ratio, ratio, verdict_counts
from methods.components.declared import share
from warehouse.component_words import CLAIM_VERDICTS, UNJUDGED

_JUDGED = tuple(word for word in CLAIM_VERDICTS if word != UNJUDGED)


@dataclass(frozen=True, slots=True)
class ClaimSummary:
    """Claims over samples.

    Attributes:
        samples: those that state their claims; `not_tracked` do not.
        claims, judged, invalid: all of them; judged by a known word; by an unknown one.
        supported, contradicted, not_in_context: of those judged.
        supported_share, contradicted_share, not_in_context_share: of judged claims together; None where none is.
        mean_supported: mean over samples of their supported share.
        na_rate: share of samples without a judged claim.
    """

    samples: int
    not_tracked: int
    claims: int
    judged: int
    invalid: int
    supported: int
    contradicted: int
    not_in_context: int
    supported_share: float | None
    contradicted_share: float | None
    not_in_context_share: float | None
    mean_supported: float | None
    na_rate: float | None


def claim_columns(samples: pl.DataFrame) -> pl.DataFrame:
    """The samples with the shares of their claims beside them.

    Args:
        samples: `claims`, a list with one verdict for each claim of the answer; null, or no column, is not tracked.

    Returns:
        The samples and: `claims_given` (how many), `claims_judged`, `claims_invalid`, a count and a `_frac` for each
        verdict (`claims_supported`, `claims_supported_frac`, ...; null where none is judged), `claims_reason`.
    """
    absent = [] if "claims" in samples.columns else [pl.lit(None, dtype=pl.List(pl.String)).alias("claims")]
    told = verdict_counts(samples.with_columns(absent), "claims", CLAIM_VERDICTS)
    return told.with_columns(
        *(ratio(pl.col(f"claims_{word}"), pl.col("claims_judged")).alias(f"claims_{word}_frac") for word in _JUDGED),
        pl.when(pl.col("claims").is_null())
        .then(pl.lit("not_tracked"))
        .when(pl.col("claims_judged") == 0)
        .then(pl.lit("no_claims"))
        .alias("claims_reason"),
    ).drop(["claims"] if absent else [])


def claim_summary(samples: pl.DataFrame) -> ClaimSummary:
    """Claims over all samples (`claim_columns` says what they hold)."""
    told = claim_columns(samples)
    stated = int(told["claims_given"].count())
    total = {word: int(told[f"claims_{word}"].sum()) for word in _JUDGED}
    judged = int(told["claims_judged"].sum())
    return ClaimSummary(
        samples=stated,
        not_tracked=told.height - stated,
        claims=int(told["claims_given"].sum()),
        judged=judged,
        invalid=int(told["claims_invalid"].sum()),
        **total,
        supported_share=share(total["supported"], judged),
        contradicted_share=share(total["contradicted"], judged),
        not_in_context_share=share(total["not_in_context"], judged),
        mean_supported=mean_ratio(told, "claims_supported", "claims_judged"),
        na_rate=share(int(told["claims_reason"].eq("no_claims").sum()), stated),
    )
