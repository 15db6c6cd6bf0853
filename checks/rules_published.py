"""Hand-made rules of out__dimension_score, out__category_score and out__score_weight: METHODS 7 and DESIGN, in rows."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Literal

import polars as pl

from checks.clauses import Clause, rule
from checks.rules_received import matches
from checks.rules_scored import TOLERANCE, close
from warehouse.catalog_model import Catalog
from warehouse.identity import RELEASE_ID
from warehouse.methodology import CategoryScale
from warehouse.reasons import TOO_FEW_DIMENSIONS, TOO_FEW_FAMILIES
from warehouse.vocabulary import CATEGORIES

_IS_SCORED = pl.col("score").is_not_null()


def dimension_rules(catalog: Catalog) -> Iterator[Clause]:
    """A dimension belongs to its category; evidence narrows the prior and never widens it."""
    yield _dimension_of_category()
    prior = math.sqrt(catalog.methodology.latent.ability_variance)
    yield rule(
        "sigma-narrowed",
        f"sigma lies above 0 and within the prior's {prior:g}",
        (pl.col("sigma") > 0) & (pl.col("sigma") <= prior * (1 + TOLERANCE)),
    )
    yield rule("families-observed", "families do not exceed observations", pl.col("families") <= pl.col("observations"))
    yield rule(
        "overlap-not-alone",
        "a model that sees two families is overlap-calibrated",
        pl.when(pl.col("families") >= 2).then(pl.col("is_overlap_calibrated")),
    )


def _dimension_of_category() -> Clause:
    pairs = sorted(f"{category}/{dimension}" for category, four in CATEGORIES.items() for dimension in four)
    return rule(
        "dimension-of-category",
        "dimension is one of the category's four",
        (pl.col("category") + "/" + pl.col("dimension")).is_in(pairs),
    )


def category_rules(catalog: Catalog) -> Iterator[Clause]:
    """Score, interval, status, reason and ranks follow from mu, sigma and the counts."""
    scale = catalog.methodology.category
    yield from _version_rules(catalog)
    yield from _score_rules(scale)
    yield from _status_rules(scale)
    yield from _rank_rules()


def _version_rules(catalog: Catalog) -> Iterator[Clause]:
    yield rule(
        "release-id-form", "release_id is a day and 12 hex digits", matches("release_id", f"^{RELEASE_ID.pattern}$")
    )
    for name in ("release_id", "as_of"):
        yield rule(f"one-{name}", f"all rows have one {name}", pl.col(name).n_unique() == 1)
    yield rule(
        "release-of-day",
        "release_id begins with as_of",
        pl.col("release_id").str.starts_with(pl.col("as_of").dt.strftime("%Y-%m-%d")),
    )
    yield rule("catalog-version", "the catalog of the run is named", pl.col("catalog_version") == catalog.version)
    yield rule(
        "methodology-version",
        "the methodology of the run is named",
        pl.col("methodology_version") == catalog.methodology.version,
    )
    names = {model.id: model.name for model in catalog.models}
    yield rule(
        "model-name",
        "model_name is the registry's",
        pl.col("model_name") == pl.col("model_id").replace_strict(names, default=None, return_dtype=pl.String),
    )


def _score_rules(scale: CategoryScale) -> Iterator[Clause]:
    def on_scale(shift: float) -> pl.Expr:
        raw = scale.center + scale.slope * (pl.col("mu") + shift * pl.col("sigma"))
        return raw.clip(scale.lowest, scale.highest)

    wide = scale.interval_z
    for name, shift, formula in (
        ("score", 0.0, "mu"),
        ("low80", -wide, f"(mu − {wide:g} sigma)"),
        ("high80", wide, f"(mu + {wide:g} sigma)"),
    ):
        yield rule(
            f"{name}-formula",
            f"{name} = clamp({scale.center:g} + {scale.slope:g} {formula})",
            pl.when(pl.col(name).is_not_null()).then(close(pl.col(name), on_scale(shift))),
        )
    yield rule(
        "interval-around-score",
        "low80 ≤ score ≤ high80",
        (pl.col("low80") <= pl.col("score")) & (pl.col("score") <= pl.col("high80")),
    )
    yield rule(
        "score-with-interval",
        "score, low80 and high80 are null together",
        pl.all_horizontal(pl.col(name).is_null() == pl.col("score").is_null() for name in ("low80", "high80")),
        columns=("score", "low80", "high80"),
    )
    yield rule("sigma-positive", "sigma lies above 0", pl.col("sigma") > 0)
    coverage = pl.col("observed_dimensions") / scale.dimensions
    yield rule(
        "coverage-of-observed",
        f"effective_coverage lies within observed_dimensions/{scale.dimensions}",
        pl.col("effective_coverage") <= coverage * (1 + TOLERANCE),
    )
    yield rule(
        "overlap-of-observed",
        "overlap_dimensions do not exceed observed_dimensions",
        pl.col("overlap_dimensions") <= pl.col("observed_dimensions"),
    )


def _status_rules(scale: CategoryScale) -> Iterator[Clause]:
    def enough(status: str) -> pl.Expr:
        asked = scale.rated if status == "rated" else scale.estimated
        return (
            (pl.col("observed_dimensions") >= asked.dimensions)
            & (pl.col("families") >= asked.families)
            & (pl.col("overlap_dimensions") >= asked.overlap_dimensions)
        )

    earned = pl.when(enough("rated")).then(pl.lit("rated"))
    yield rule(
        "status-earned",
        "status follows from dimensions, families and overlap",
        pl.col("status") == earned.when(enough("estimated")).then(pl.lit("estimated")).otherwise(pl.lit("unrated")),
    )
    unrated = pl.col("status") == "unrated"
    yield rule("unrated-without-score", "score is null exactly where unrated", unrated == ~_IS_SCORED)
    few_dimensions = pl.col("observed_dimensions") < scale.estimated.dimensions
    reason = pl.when(few_dimensions).then(pl.lit(TOO_FEW_DIMENSIONS)).otherwise(pl.lit(TOO_FEW_FAMILIES))
    yield rule(
        "reason-where-unrated",
        "reason_code names the first shortage exactly where unrated",
        pl.when(unrated).then(pl.col("reason_code").eq_missing(reason)).otherwise(pl.col("reason_code").is_null()),
    )


def _rank_rules() -> Iterator[Clause]:
    rated = pl.col("status") == "rated"
    ranks = ("rank", "rank_low", "rank_high")
    yield rule(
        "ranks-where-rated",
        "rank, rank_low and rank_high are known exactly where rated",
        pl.all_horizontal(pl.col(name).is_not_null() == rated for name in ranks),
        columns=("status", *ranks),
    )
    count = rated.sum().over("category")
    yield rule(
        "ranks-without-gap",
        "the ranks of a category are 1 to n, each once",
        pl.when(rated).then(
            (pl.col("rank").n_unique().over("category", "status") == count) & (pl.col("rank") <= count)
        ),
        columns=("category", "rank"),
    )
    yield rule(
        "rank-in-range",
        "rank_low ≤ rank ≤ rank_high ≤ number rated",
        (pl.col("rank_low") <= pl.col("rank"))
        & (pl.col("rank") <= pl.col("rank_high"))
        & (pl.col("rank_high") <= count),
        columns=("category", *ranks),
    )
    yield rule(
        "rank-by-mu",
        "no rated model stands behind one with a smaller mu",
        pl.when(rated).then(pl.col("rank").is_between(_place_by_mu("min"), _place_by_mu("max"))),
        columns=("category", "rank", "mu"),
    )


def _place_by_mu(ties: Literal["min", "max"]) -> pl.Expr:
    return pl.col("mu").rank(ties, descending=True).over("category", "status").cast(pl.Int64)


def weight_rules(catalog: Catalog) -> Iterator[Clause]:
    """An own row names its observation and its contribution is weight times z; a cohort row names none."""
    own = pl.col("role") == "own"
    yield _dimension_of_category()
    yield rule(
        "own-names-evidence",
        "evidence_id and z are known exactly for own rows",
        (pl.col("evidence_id").is_not_null() == own) & (pl.col("z").is_not_null() == own),
    )
    yield rule(
        "evidence-of-metric",
        "evidence_id ends with the metric",
        pl.col("evidence_id").str.ends_with(pl.lit(":") + pl.col("metric_id")),
    )
    limit = catalog.methodology.standardization.z_limit
    yield rule("z-clamped", f"z lies within ±{limit:g}", pl.col("z").abs() <= limit)
    slope = catalog.methodology.category.slope
    yield rule(
        "own-contribution",
        f"an own contribution is {slope:g} · weight · z",
        close(pl.col("contribution"), slope * pl.col("weight") * pl.col("z")),
    )
