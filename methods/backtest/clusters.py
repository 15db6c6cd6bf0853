"""How sure a share of covered results is where results hang together: those of one benchmark family (METHODS 7b).

A hundred results of one family say little more than one if all miss together. With k_i of n_i results of family i
within their intervals and p = sum k / sum n, the families themselves say how far p varies,

  V = G / (G - 1) * sum (k_i - p n_i)^2 / n^2,   worth = p (1 - p) / V,  at most n,  times (z / t_(G-1))^2

and the interval is Wilson's for so many independent results (Korn and Graubard 1998; t because G families tell V no
better). A family withheld in several repetitions is one family. Belongs here: this interval. The shares themselves
stand in `report`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import polars as pl

from methods.backtest.report import Answer
from methods.linked.cells import Floats
from methods.statistics.wilson import Proportion, wilson_of_share
from warehouse.linked_rules import BacktestRules
from warehouse.linked_words import ALL
from warehouse.vocabulary import CATEGORIES

SCHEMA: Final = {
    "method": pl.String, "split": pl.String, "category": pl.String, "families": pl.Int64, "cover80": pl.Float64,
    "low": pl.Float64, "high": pl.Float64,
}  # fmt: skip


def coverage_frame(answers: Sequence[Answer], rules: BacktestRules, level_z: float) -> pl.DataFrame:
    """One row a method with intervals, split and category, and one for all: families, share within 80%, its interval.

    Args:
        answers: of all methods and splits. rules: for the quantile of an 80% interval.
        level_z: normal quantile of the level of the share's own interval.

    Returns:
        `SCHEMA`; low and high are null where one family alone was asked.
    """
    rows: list[dict[str, object]] = []
    for method, split in dict.fromkeys((one.method, one.split) for one in answers):
        own = [one for one in answers if (one.method, one.split) == (method, split) and len(one.question.place)]
        parts = [_inside(one, rules.levels["cover80"]) for one in own if one.forecast.sd is not None]
        if not parts or len(parts) < len(own):
            continue
        told = pl.concat(parts)
        for category in (ALL, *CATEGORIES):
            here = told if category == ALL else told.filter(pl.col("category") == category)
            if here.height:
                by_family = here.group_by("family").agg(n=pl.len(), k=pl.col("is_inside").sum()).sort("family")
                n, k = (by_family[name].to_numpy().astype(np.float64) for name in ("n", "k"))
                found = clustered(k, n, level_z)
                rows.append({
                    "method": method, "split": split, "category": category, "families": by_family.height,
                    "cover80": float(np.sum(k) / np.sum(n)), "low": found.low if found else None,
                    "high": found.high if found else None,
                })  # fmt: skip
    return pl.DataFrame(rows, schema=SCHEMA)


def clustered(successes: Floats, trials: Floats, level_z: float) -> Proportion | None:
    """The pooled share and its interval with whole clusters as the unit; None for fewer than two clusters.

    Args:
        successes: (clusters,) k. trials: (clusters,) n, all positive. level_z: normal quantile of the level.
    """
    clusters, total = len(trials), float(np.sum(trials))
    if clusters < 2:
        return None
    share = float(np.sum(successes)) / total
    off = successes - share * trials
    variance = clusters / (clusters - 1) * float(np.sum(off * off)) / total**2
    # where every cluster has the same share, V is 0 and tells nothing: n results are at most n
    worth = total if variance == 0.0 else min(share * (1.0 - share) / variance, total)
    if share in (0.0, 1.0):
        worth = float(clusters)  # all alike within each cluster: it counts once
    from scipy import special  # loaded by a night that measures anew, and by no other

    t = float(special.stdtrit(clusters - 1, special.ndtr(level_z)))
    return wilson_of_share(share, worth * (level_z / t) ** 2, level_z)


def _inside(one: Answer, z: float) -> pl.DataFrame:
    sd = one.forecast.sd
    assert sd is not None
    is_inside = np.abs(one.question.place - one.forecast.mean) <= z * sd
    return one.question.asked.frame.select("category", "family").with_columns(is_inside=pl.Series(is_inside))
