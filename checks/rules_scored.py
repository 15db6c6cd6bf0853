"""Hand-made rules of core__evidence and core__exclusion: the identities of METHODS 3, 4 and 7, row by row."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from checks.clauses import Clause, rule
from warehouse.catalog_model import Catalog
from warehouse.reasons import STAGE_OF

TOLERANCE = 1e-9
"""How far two ways of computing one number may stand apart, relative to its size."""


def close(left: pl.Expr, right: pl.Expr) -> pl.Expr:
    """Whether two numbers are one up to the order of arithmetic."""
    return (left - right).abs() <= TOLERANCE * pl.max_horizontal(right.abs(), pl.lit(1.0))


def evidence_rules(catalog: Catalog) -> Iterator[Clause]:
    """z, q, variance and precision keep the identities they are defined by."""
    rules = catalog.methodology.standardization
    n_models, n_developers = pl.col("n_models"), pl.col("n_developers")
    yield rule(
        "evidence-id-form",
        "evidence_id is entry_id:metric_id",
        pl.col("evidence_id") == pl.col("entry_id") + ":" + pl.col("metric_id"),
    )
    yield rule(
        "one-per-model",
        "a model has one row per metric after deduplication",
        pl.len().over("metric_id", "model_id") == 1,
        columns=("metric_id", "model_id"),
    )
    logit = sorted(metric.id for metric in catalog.metrics if metric.transform == "logit")
    yield rule(
        "fraction-range",
        "the value of a percentage metric lies within 0 to 1",
        pl.when(pl.col("metric_id").is_in(logit)).then(pl.col("value").is_between(0, 1)),
        columns=("metric_id", "value"),
    )
    yield rule("z-clamped", f"z lies within ±{rules.z_limit:g}", pl.col("z").abs() <= rules.z_limit)
    yield rule(
        "z-centred",
        "the median of z is 0 on every metric",
        pl.col("z").median().over("metric_id").abs() <= TOLERANCE,
        columns=("metric_id", "z"),
    )
    yield rule(
        "n-models-counted",
        "n_models is the number of rows of the metric",
        n_models == pl.len().over("metric_id"),
        columns=("metric_id", "n_models"),
    )
    yield rule("enough-models", f"n_models is at least {rules.minimum_models}", n_models >= rules.minimum_models)
    yield rule("developers-of-models", "n_developers does not exceed n_models", n_developers <= n_models)
    yield rule(
        "q-formula",
        f"q = min(1, n/{rules.quality_models}) · min(1, developers/{rules.quality_developers})",
        close(
            pl.col("q"),
            (n_models / rules.quality_models).clip(upper_bound=1)
            * (n_developers / rules.quality_developers).clip(upper_bound=1),
        ),
    )
    floor = pl.col("tier").replace_strict(dict(rules.source_floors), default=None, return_dtype=pl.Float64)
    yield rule(
        "variance-formula",
        "variance = max(stderr_norm², source floor²)/q",
        close(pl.col("variance"), pl.max_horizontal(pl.col("stderr_norm") ** 2, floor**2) / pl.col("q")),
    )
    cap = rules.family_precision_cap
    yield rule(
        "precision-positive",
        f"precision lies above 0 and within the family cap {cap:g}",
        (pl.col("precision") > 0) & (pl.col("precision") <= cap * (1 + TOLERANCE)),
    )
    family = ("model_id", "category", "dimension", "family")
    uncapped = (1 / pl.col("variance")).sum().over(family)
    yield rule(
        "family-cap",
        f"a family's precisions sum to min({cap:g}, Σ 1/variance) per model and dimension",
        close(pl.col("precision").sum().over(family), pl.min_horizontal(uncapped, pl.lit(float(cap)))),
        columns=(*family, "precision"),
    )
    yield from _registered(catalog)


def _registered(catalog: Catalog) -> Iterator[Clause]:
    metric = pl.col("metric_id")
    scored = sorted(spec.id for spec in catalog.metrics if spec.status == "scored")
    yield rule("scored-metric", "metric_id is a scored metric of the catalog", metric.is_in(scored))
    for name in ("category", "dimension", "family", "protocol"):
        stated = {spec.id: str(getattr(spec, name)) for spec in catalog.metrics}
        yield rule(
            f"{name}-of-metric",
            f"{name} is the one the catalog gives the metric",
            pl.col(name) == metric.replace_strict(stated, default=None, return_dtype=pl.String),
        )
    models = sorted(spec.id for spec in catalog.models)
    yield rule("known-model", "model_id is in models.yaml", pl.col("model_id").is_in(models))


def exclusion_rules(_catalog: Catalog) -> Iterator[Clause]:
    """Every excluded row carries a reason of its stage, and a losing duplicate names the winner."""
    reason = pl.col("reason_code")
    yield rule(
        "stage-of-reason",
        "stage is the one that gives the reason",
        pl.col("stage") == reason.replace_strict(STAGE_OF, default=None, return_dtype=pl.String),
    )
    yield rule(
        "identity-unless-unread",
        "entry_id is null exactly where the row could not be read",
        pl.col("entry_id").is_null() == (reason == "row_unparseable"),
    )
    yield rule(
        "winner-named",
        "a losing duplicate names another entry that won",
        pl.when(reason == "lower_priority_duplicate").then(
            pl.col("kept_entry_id").is_not_null() & (pl.col("kept_entry_id") != pl.col("entry_id"))
        ),
    )
    yield rule(
        "metric-after-eligibility",
        "a row excluded by deduplication or standardization names its metric",
        pl.when(pl.col("stage").is_in(["dedup", "standardize"])).then(pl.col("metric_id").is_not_null()),
    )
    yield rule("detail-stated", "detail says something", pl.col("detail").str.len_bytes() > 0)
