"""From kept results to evidence: z, quality and variance of every observation on its metric (METHODS 7).

Belongs here: per-metric statistics over the deduplicated rows, and the three exclusions that need them. Does not
belong here: the logit (`logit`), the family cap (`precision`), anything across metrics.

Published numbers must not depend on the order of rows, threads or processor: rows are sorted first, order statistics
come from sorted arrays, sums are rounded once, and the rest is elementwise.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Final, NamedTuple, cast

import numpy as np
import polars as pl
from numpy.typing import NDArray

from methods.names.spelling import normalize
from methods.scoring.kept import KEPT_SCHEMA
from methods.scoring.logit import read_values, transform_values
from methods.scoring.precision import capped_precision
from warehouse.catalog_model import Catalog
from warehouse.methodology import Methodology, Standardization
from warehouse.reasons import STAGE_OF
from warehouse.tables import CORE_EVIDENCE, CORE_EXCLUSION
from warehouse.vocabulary import Direction, Tier, Transform

Floats = NDArray[np.float64]

TOO_FEW_MODELS: Final = "too_few_models"
NO_KNOWN_DEVELOPER: Final = "no_known_developer"
NO_SPREAD: Final = "no_spread"

LARGEST_STDERR: Final = 1e70
"""Normalized standard errors end here, so that variance and precision fit numbers: one of 1e-140 moves nothing."""
_SQUARABLE: Final = 1e-140
"""Deviations from here on keep their digits when squared."""


class Standardized(NamedTuple):
    """`core__evidence`, and the rows of `core__exclusion` whose metric could not be standardized."""

    evidence: pl.DataFrame
    exclusions: pl.DataFrame


@dataclass(frozen=True)
class MetricScale:
    """What one metric's rows say together.

    Attributes:
        reason: why the metric cannot be scored, with the figures in `detail`; None where it can.
        detail: the reason in words.
        center: median of x.
        scale: robust scale of x, positive where `reason` is None.
        models: number of models n.
        developers: number of distinct known developers.
        quality: q in (0, 1].
    """

    reason: str | None
    detail: str
    center: float
    scale: float
    models: int
    developers: int
    quality: float


def standardize(kept: pl.DataFrame, catalog: Catalog) -> Standardized:
    """Evidence with x, z, q, variance and capped precision, and the rows of metrics that cannot be scored.

    Args:
        kept: rows as `methods.scoring.kept` describes them, in any order.
        catalog: for its methodology.

    Raises:
        ValueError: if a model stands twice on one metric, or a value, direction or standard error is not admissible.
    """
    return standardize_rows(kept, catalog.methodology)


def standardize_rows(kept: pl.DataFrame, methodology: Methodology) -> Standardized:
    """`standardize` with the methodology alone."""
    rules = methodology.standardization
    rows = kept.select(KEPT_SCHEMA.names()).cast(KEPT_SCHEMA).sort("metric_id", "model_id")
    if rows.select("metric_id", "model_id").is_duplicated().any():
        raise ValueError("a model stands twice on one metric: rows are not deduplicated")
    stderr = rows["stderr"].fill_null(0.0).to_numpy()
    if not np.all(np.isfinite(stderr) & (stderr >= 0.0)):
        raise ValueError("a standard error is negative or not finite")
    value, x, stderr_x = transformed(rows, stderr, rules)

    count = rows.height
    z, stderr_norm, quality = np.zeros(count), np.zeros(count), np.ones(count)
    n_models, n_developers = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
    reasons: list[str | None] = [None] * count
    details = [""] * count
    developers = rows["developer"].to_list()
    for start, end in _runs(rows["metric_id"]):
        here = slice(start, end)
        scale = metric_scale(x[here], developers[here], rules)
        n_models[here], n_developers[here] = scale.models, scale.developers
        if scale.reason is not None:
            reasons[here] = [scale.reason] * (end - start)
            details[here] = [scale.detail] * (end - start)
            continue
        with np.errstate(over="ignore"):  # what is too large for a number lies beyond the limit all the same
            z[here] = np.clip((x[here] - scale.center) / scale.scale, -rules.z_limit, rules.z_limit)
        stderr_norm[here] = normalized_stderr(stderr_x[here], scale.scale)
        quality[here] = scale.quality

    variance = observation_variance(stderr_norm, cast("list[Tier]", rows["tier"].to_list()), quality, rules)
    computed = rows.with_columns(
        value=pl.Series(value),
        x=pl.Series(x),
        z=pl.Series(z),
        n_models=pl.Series(n_models),
        n_developers=pl.Series(n_developers),
        q=pl.Series(quality),
        stderr_norm=pl.Series(stderr_norm),
        variance=pl.Series(variance),
        reason_code=pl.Series(reasons, dtype=pl.String),
        detail=pl.Series(details, dtype=pl.String),
    )
    scored = computed.filter(pl.col("reason_code").is_null())
    groups = scored.select("model_id", "category", "dimension", "family").rows()
    precision = capped_precision(groups, scored["variance"].to_numpy(), rules.family_precision_cap)
    evidence = scored.with_columns(precision=pl.Series(precision, dtype=pl.Float64)).select(CORE_EVIDENCE.columns)
    return Standardized(CORE_EVIDENCE.conform(evidence), _exclusions(computed))


def metric_scale(x: Floats, developers: list[str | None], rules: Standardization) -> MetricScale:
    """Median, robust scale and quality of one metric, or why there is none (METHODS 7, codes of METHODS 3).

    Args:
        x: (n,) transformed values, one a model.
        developers: (n) the registry's developer of each model, None where it knows none.
        rules: constants.
    """
    models = len(x)
    # one developer however its name is spelled, as the registry itself compares them; an empty name is no developer
    known = len({normalize(developer) for developer in set(developers) if developer is not None} - {""})
    ordered = np.sort(x)
    quality = min(1.0, models / rules.quality_models) * min(1.0, known / rules.quality_developers)
    reason, detail = None, ""
    if models < rules.minimum_models:
        reason, detail = TOO_FEW_MODELS, f"{models} models on the metric, {rules.minimum_models} needed"
    elif known == 0:
        reason, detail = NO_KNOWN_DEVELOPER, f"none of the {models} models has a developer in the registry"
    elif ordered[0] == ordered[-1]:
        reason, detail = NO_SPREAD, f"all {models} models have the same transformed value {float(ordered[0])!r}"
    center = quantile(ordered, 0.5)
    scale = robust_scale(ordered, rules) if reason is None else 0.0
    return MetricScale(reason, detail, center, scale, models, known, quality)


def robust_scale(ordered: Floats, rules: Standardization) -> float:
    """Scale of sorted values that are not all equal: from the MAD; where 0, the IQR; where 0, the SD (ddof 1)."""
    center = quantile(ordered, 0.5)
    scale = rules.mad_factor * quantile(np.sort(np.abs(ordered - center)), 0.5)
    if scale == 0.0:
        scale = (quantile(ordered, 0.75) - quantile(ordered, 0.25)) / rules.iqr_divisor
    if scale == 0.0:
        mean = math.fsum(ordered.tolist()) / len(ordered)
        apart = [value - mean for value in ordered.tolist()]
        largest = max(map(abs, apart))
        unit = 1.0 if largest >= _SQUARABLE else largest
        squares = math.fsum((one / unit) * (one / unit) for one in apart)
        scale = unit * math.sqrt(squares / (len(ordered) - 1))
    return scale


def quantile(ordered: Floats, share: float) -> float:
    """Type-7 quantile of sorted values: linear between the two nearest ranks."""
    position = (len(ordered) - 1) * share
    below = math.floor(position)
    above = min(below + 1, len(ordered) - 1)
    low, high = float(ordered[below]), float(ordered[above])
    return low + (position - below) * (high - low)


def normalized_stderr(stderr_x: Floats, scale: Floats | float) -> Floats:
    """Standard errors in robust SD, at most `LARGEST_STDERR`.

    Args:
        stderr_x: (n,) on the transformed scale. scale: the robust scale of each one's metric, or of all.
    """
    with np.errstate(over="ignore"):
        return np.minimum(stderr_x / scale, LARGEST_STDERR)


def observation_variance(stderr_norm: Floats, tiers: list[Tier], quality: Floats, rules: Standardization) -> Floats:
    """variance = max(normalizedStderr^2, sourceFloor^2) / q, in squared robust SD.

    Args:
        stderr_norm: (n,) as `normalized_stderr` gives it. tiers, quality: (n) of each. rules: constants.
    """
    floor = np.array([rules.source_floors[tier] for tier in tiers], dtype=np.float64)
    return np.maximum(stderr_norm * stderr_norm, floor * floor) / quality


def transformed(rows: pl.DataFrame, stderr: Floats, rules: Standardization) -> tuple[Floats, Floats, Floats]:
    """The value read in its unit, x, and the standard error of x by the delta method, row by row.

    Args:
        rows: as `methods.scoring.kept` describes them. stderr: (n,) as stated, 0 where not. rules: constants.

    Raises:
        ValueError: if a value is missing or not finite.
    """
    stated = rows["value"].to_numpy()
    if not np.all(np.isfinite(stated)):
        raise ValueError("a value is missing or not finite")
    value, x, stderr_x = np.empty(len(stated)), np.empty(len(stated)), np.empty(len(stated))
    kinds = rows.select("unit", "direction", "transform")
    for unit, direction, transform in kinds.unique().rows():
        here = kinds.select(
            (pl.col("unit") == unit) & (pl.col("direction") == direction) & (pl.col("transform") == transform)
        )
        mask = here.to_series().to_numpy()
        value[mask] = read_values(stated[mask], unit)
        x[mask], slope = transform_values(
            value[mask],
            direction=cast("Direction", direction),
            transform=cast("Transform", transform),
            epsilon=rules.epsilon,
        )
        stderr_x[mask] = read_values(stderr[mask], unit) * slope
    return value, x, stderr_x


def _runs(column: pl.Series) -> list[tuple[int, int]]:
    """Start and end of each run of equal values in a sorted column."""
    ends = list(accumulate(column.rle().struct.field("len").to_list()))
    return list(pairwise([0, *ends]))


def _exclusions(computed: pl.DataFrame) -> pl.DataFrame:
    dropped = computed.filter(pl.col("reason_code").is_not_null()).with_columns(
        stage=pl.col("reason_code").replace_strict(STAGE_OF, return_dtype=pl.String),
        kept_entry_id=pl.lit(None, dtype=pl.String),
    )
    return CORE_EXCLUSION.conform(dropped.select(CORE_EXCLUSION.columns))
