"""The lawful variants of our board, and what each makes of its evidence (METHODS 8).

Belongs here: which variants there are, declared by the methodology, and the z, precision and presence of every cell
under each. Does not belong here: abilities (`abilities`), figures (`board_shifts`). METHODS 7 says what each constant
does; every formula is the board's own.

Halving the source floors is no variant: the family cap binds, and nothing moves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, cast

import numpy as np
import polars as pl
from numpy.typing import NDArray

from methods.scoring.logit import transform_values
from methods.scoring.precision import capped_precision
from methods.scoring.standardize import metric_scale, normalized_stderr, observation_variance, quantile, robust_scale
from methods.sensitivity.cells import Cells, Floats
from warehouse.board_words import VariantKind
from warehouse.methodology import Methodology, Standardization
from warehouse.vocabulary import TIERS, Direction, Tier, Transform

Flags = NDArray[np.bool_]
ScaleOf = Callable[[Floats, Standardization], float]

OFFICIAL: Final = ("verified", "official")
"""Tiers of a benchmark's or leaderboard's own team."""
_DIRECTIONS: Final[tuple[Direction, ...]] = ("higher", "lower")


@dataclass(frozen=True)
class Restated:
    """What a variant makes of the evidence.

    Attributes:
        z, precision: (cells) where `is_in`; 0 elsewhere.
        is_in: (cells) whether the cell counts.
        cohort_variance: prior variance of a cohort's offset.
    """

    z: Floats
    precision: Floats
    is_in: Flags
    cohort_variance: float


@dataclass(frozen=True)
class Variant:
    """One lawful variant: its id, kind, meaning in words, and what it does."""

    id: str
    kind: VariantKind
    meaning: str
    restate: Callable[[], Restated]


def own(cells: Cells, methodology: Methodology) -> Restated:
    """The evidence as the board has it."""
    every = np.ones(cells.count, dtype=np.bool_)
    return Restated(cells.column("z"), cells.column("precision"), every, methodology.latent.cohort_variance)


def declared_variants(cells: Cells, methodology: Methodology) -> Iterator[Variant]:
    """Every variant but the families: constants and formulas, then choices of evidence."""
    rules, wanted, now = methodology.standardization, methodology.sensitivity, own(cells, methodology)
    again = partial(restated, cells, rules, now)
    for epsilon in wanted.epsilons:
        meaning = f"fractions clipped to {epsilon:g} and {1 - epsilon:g} before the logit"
        changed = rules.model_copy(update={"epsilon": epsilon})
        clipped = partial(restated, cells, changed, now, edge=max(epsilon, rules.epsilon))
        yield Variant(f"epsilon-{epsilon:g}", "constant", meaning, clipped)
    meaning = "fractions as they are in place of their logit"
    yield Variant("identity", "constant", meaning, partial(again, transform="identity"))
    meaning = "interquartile range in place of the median absolute deviation"
    yield Variant("scale-iqr", "constant", meaning, partial(again, scale_of=scale_by_quartiles))
    for cap in wanted.family_precision_caps:
        meaning = f"a family brings at most precision {cap:g}"
        yield Variant(f"family-cap-{cap:g}", "constant", meaning, partial(_capped, cells, cap, now))
    for variance in wanted.cohort_variances:
        wider = partial(replace, now, cohort_variance=variance)
        meaning = f"cohort offsets with prior variance {variance:g}"
        yield Variant(f"cohort-variance-{variance:g}", "constant", meaning, wider)
    least = wanted.minimum_models
    meaning = f"metrics of at least {least} models"
    thick = (cells.rows["n_models"] >= least).to_numpy()
    yield Variant(f"minimum-models-{least}", "evidence", meaning, partial(again, is_in=thick))
    meaning = "results of benchmarks' and leaderboards' own teams only"
    yield Variant("official-only", "evidence", meaning, partial(_official, cells, rules, now))
    meaning = "of several results the newest, whoever states it; an original still before a copy"
    yield Variant("newest-first", "evidence", meaning, partial(_newest, cells, rules, now))


def family_variant(cells: Cells, family: str, now: Restated) -> Variant:
    """The board without one benchmark family: its rows are gone, no other metric's z or precision changes."""
    is_in = (cells.rows["family"] != family).to_numpy()
    meaning = f"without benchmarks of family {family}"
    return Variant(f"without:{family}", "family", meaning, partial(_kept, now, is_in))


def restated(
    cells: Cells,
    rules: Standardization,
    now: Restated,
    *,
    rows: pl.DataFrame | None = None,
    is_in: Flags | None = None,
    edge: float = 0.0,
    transform: Transform | None = None,
    scale_of: ScaleOf | None = None,
) -> Restated:
    """Evidence standardized again (METHODS 7), where something of it is otherwise.

    Args:
        cells: the board's. rules: constants. now: the board's own.
        rows: the row of every cell, where another one counts; x of a replaced row is null.
        is_in: (cells) which count.
        edge: fractions nearer to 0 or 1 than this are transformed again, since another clip reaches them.
        transform: in place of the logit.
        scale_of: in place of the robust scale.
    """
    rows = cells.rows if rows is None else rows
    is_in = now.is_in if is_in is None else is_in
    x, stderr_x = _transformed(cells, rows, rules, transform, edge)
    count = cells.count
    z, norm, quality = np.zeros(count), np.zeros(count), np.ones(count)
    is_in = is_in.copy()
    developers = rows["developer"].to_list()
    order = np.argsort(cells.metric, kind="stable")
    ends = np.searchsorted(cells.metric[order], np.arange(1, len(cells.metric_names) + 1))
    for members in np.split(order, ends[:-1]):
        here = members[is_in[members]]
        if not len(here):
            continue
        scale = metric_scale(x[here], [developers[place] for place in here.tolist()], rules)
        if scale.reason is not None:
            is_in[here] = False
            continue
        width = scale.scale if scale_of is None else scale_of(np.sort(x[here]), rules)
        z[here] = np.clip((x[here] - scale.center) / width, -rules.z_limit, rules.z_limit)
        norm[here] = normalized_stderr(stderr_x[here], width)
        quality[here] = scale.quality
    variance = observation_variance(norm, cast("list[Tier]", rows["tier"].to_list()), quality, rules)
    precision = _precision(cells, variance, is_in, rules.family_precision_cap)
    return Restated(np.where(is_in, z, 0.0), precision, is_in, now.cohort_variance)


def scale_by_quartiles(ordered: Floats, rules: Standardization) -> float:
    """IQR / iqr_divisor of sorted values; where 0, the board's own scale."""
    scale = (quantile(ordered, 0.75) - quantile(ordered, 0.25)) / rules.iqr_divisor
    return scale if scale > 0.0 else robust_scale(ordered, rules)


def _kept(now: Restated, is_in: Flags) -> Restated:
    return replace(now, z=np.where(is_in, now.z, 0.0), precision=np.where(is_in, now.precision, 0.0), is_in=is_in)


def _capped(cells: Cells, cap: float, now: Restated) -> Restated:
    return replace(now, precision=_precision(cells, cells.variance, now.is_in, cap))


def _precision(cells: Cells, variance: Floats, is_in: Flags, cap: float) -> Floats:
    """Capped precisions of the cells that count; 0 elsewhere."""
    here = np.flatnonzero(is_in)
    precision = np.zeros(cells.count)
    precision[here] = capped_precision([cells.groups[place] for place in here.tolist()], variance[here], cap)
    return precision


def _transformed(
    cells: Cells, rows: pl.DataFrame, rules: Standardization, transform: Transform | None, edge: float
) -> tuple[Floats, Floats]:
    """x and its standard error; as they stand where neither clip nor transform changes them."""
    value, stderr = rows["value"].to_numpy(), rows["stderr"].fill_null(0.0).to_numpy()
    x = rows["x"].fill_null(np.nan).to_numpy().copy()
    stderr_x = cells.stderr_x.copy()
    is_logit = (rows["transform"] == "logit").to_numpy()
    again = np.isnan(x) | (is_logit & ((value < edge) | (value > 1.0 - edge)))
    again |= is_logit & (transform is not None)
    for direction in _DIRECTIONS:
        towards = (rows["direction"] == direction).to_numpy()
        for kind in (True, False):
            here = again & towards & (is_logit == kind)
            if here.any():
                chosen: Transform = transform or "logit" if kind else "identity"
                x[here], slope = transform_values(
                    value[here], direction=direction, transform=chosen, epsilon=rules.epsilon
                )
                stderr_x[here] = stderr[here] * slope
    return x, stderr_x


def _official(cells: Cells, rules: Standardization, now: Restated) -> Restated:
    """Rows of official tiers; where the one that won is not official, the first of its duplicates that is."""
    losers = cells.losers.filter(pl.col("tier").is_in(OFFICIAL))
    better = _first_of(losers, ("is_copy", "tier_rank", "confidence", "updated_at", "entry_id"))
    won = cells.rows["tier"].is_in(OFFICIAL).to_numpy()
    rows, replaced = _replaced(cells, better, ~won)
    return restated(cells, rules, now, rows=rows, is_in=won | replaced)


def _newest(cells: Cells, rules: Standardization, now: Restated) -> Restated:
    """Of each cell the newest row: an original before a copy, then date, then the board's own order."""
    standing = cells.rows.with_row_index("cell").join(cells.losers.select("cell"), on="cell", how="semi")
    shared = [name for name in cells.losers.columns if name in standing.columns]
    everyone = pl.concat([standing.select(shared), cells.losers.select(shared)])
    newest = _first_of(everyone, ("is_copy", "updated_at", "tier_rank", "confidence", "entry_id"))
    is_other = newest.join(standing.select("cell", "entry_id"), on=["cell", "entry_id"], how="anti")
    rows, _ = _replaced(cells, is_other, np.ones(cells.count, dtype=np.bool_))
    return restated(cells, rules, now, rows=rows)


def _first_of(candidates: pl.DataFrame, order: tuple[str, ...]) -> pl.DataFrame:
    """The first row of each cell; tier as METHODS 4 ranks it, confidence and date descending, null last."""
    rank = {tier: place for place, tier in enumerate(TIERS)}
    descending = {"confidence", "updated_at"}
    ordered = candidates.with_columns(
        is_copy=pl.col("copied_from").str.strip_chars().fill_null("") != "",
        tier_rank=pl.col("tier").replace_strict(rank, return_dtype=pl.Int8),
    ).sort("cell", *order, descending=[False, *(name in descending for name in order)], nulls_last=True)
    return ordered.filter(pl.col("cell").is_first_distinct())


def _replaced(cells: Cells, other: pl.DataFrame, where: Flags) -> tuple[pl.DataFrame, Flags]:
    """The rows of all cells with those of `other` in their place, where allowed; and which were replaced."""
    chosen = other.filter(pl.Series(where)[other["cell"]])
    replaced = np.zeros(cells.count, dtype=np.bool_)
    replaced[chosen["cell"].to_numpy()] = True
    columns = ("value", "stderr", "tier")
    rows = cells.rows.with_row_index("cell").join(
        chosen.select("cell", *(pl.col(name).alias(f"new_{name}") for name in columns), is_new=pl.lit(True)),
        on="cell", how="left", maintain_order="left",
    )  # fmt: skip
    is_new = pl.col("is_new").fill_null(value=False)
    return rows.with_columns(
        *(pl.when(is_new).then(pl.col(f"new_{name}")).otherwise(pl.col(name)).alias(name) for name in columns),
        x=pl.when(is_new).then(None).otherwise(pl.col("x")),
    ), replaced
