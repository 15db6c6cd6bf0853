"""How much a score changes with its source: the six directions over aligned pairs (METHODS 6).

Belongs here: differences by direction, their statistics, and what each row may be read as. Does not belong here:
which pairs are aligned (`methods.pairing`), the statistics themselves (the other modules of this folder).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

import polars as pl

from methods.statistics.aligned import AlignedDifference, LeftOut
from methods.statistics.bootstrap import BootstrapRules, PairedBootstrap, in_total_order, paired_bootstrap
from methods.statistics.fixed_point import fixed_decimals
from methods.statistics.power import detectable_difference
from methods.statistics.sign_test import SignTest, sign_test
from methods.statistics.wilson import wilson_interval
from warehouse.methodology import Methodology, SourceStatistics
from warehouse.pairing_words import SOURCE_DIRECTIONS
from warehouse.statistics_words import DifferenceReason
from warehouse.tables_statistics import OUT_SOURCE_DIFFERENCE

ONE_POINT: Final = 1.0
"""The difference whose n is stated: the column is named for it."""


@dataclass(frozen=True, slots=True)
class Scope:
    """What the study rests on: a named freeze, and how many boards and results it holds."""

    freeze: str
    boards: int
    results: int

    def sentence(self, n: int, n_models: int) -> str:
        """The sentence that is printed with every number of the study."""
        return (
            f"Freeze {self.freeze}: {_count(self.boards, 'board')}, {_count(self.results, 'result')}; "
            f"{_count(n, 'aligned pair')} of {_count(n_models, 'model')} in this direction. "
            "It says nothing about boards, models or protocols outside these pairs."
        )


def source_differences(
    differences: Sequence[AlignedDifference], left_out: Iterable[LeftOut], methodology: Methodology, scope: Scope
) -> pl.DataFrame:
    """The `out__source_difference` table: all six directions, in percentage points (METHODS 6).

    Args:
        differences: one per aligned pair (`aligned.aligned_differences`), in any order.
        left_out: aligned pairs that enter no number, counted by direction.
        methodology: seed, resamples, levels, least number of models.
        scope: what the study rests on.

    Raises:
        FixedPointError: never for differences of percentages (within 100 points), up to 9e7 pairs.
        KeyError: for a direction that is none of the six.
    """
    uncounted = Counter(pair.direction for pair in left_out)
    groups: dict[str, list[AlignedDifference]] = {direction: [] for direction in SOURCE_DIRECTIONS}
    for difference in differences:
        groups[difference.direction].append(difference)
    rows = [
        {
            "direction": direction,
            "left_out": uncounted[direction],
            **difference_statistics(
                [pair.points for pair in pairs], [pair.model for pair in pairs], methodology.source_statistics,
                methodology.seed,
            ),
        }
        for direction, pairs in groups.items()
    ]  # fmt: skip
    for row in rows:
        row["scope"] = scope.sentence(row["n"], row["n_models"])
    schema = OUT_SOURCE_DIFFERENCE.polars_schema()
    return OUT_SOURCE_DIFFERENCE.conform(pl.DataFrame(rows, schema=schema, orient="row"))


def difference_statistics(
    points: Sequence[Decimal], models: Sequence[str], rules: SourceStatistics, seed: int
) -> dict[str, Any]:
    """One direction's numbers, by column name (METHODS 6). Models are resampled, with all their pairs.

    Args:
        points: first minus second of each aligned pair, percentage points, higher being better.
        models: the model of each pair.
        rules: resamples, levels, least number of models.
        seed: the methodology's.
    """
    resampling = BootstrapRules(seed, rules.resamples, rules.level)
    fixed = fixed_decimals(points)
    bootstrap = paired_bootstrap(fixed, resampling, models)
    signs = sign_test(points)
    share = wilson_interval(signs.positive, signs.positive + signs.negative, rules.level_z)
    clustered = in_total_order(fixed, models)
    detectable = detectable_difference(clustered, level_z=rules.level_z, power_z=rules.power_z, wanted=ONE_POINT)
    reason = _reason(bootstrap, signs, rules)
    return {
        "n": bootstrap.n,
        "mean_pp": bootstrap.mean,
        "median_pp": bootstrap.median,
        **_ends(bootstrap),
        "positive_share": share.share if share else None,
        "wilson_low": share.low if share else None,
        "wilson_high": share.high if share else None,
        "zeros": signs.zeros if bootstrap.n else None,
        "sign_p": signs.p,
        "mde_pp": detectable.smallest if detectable else None,
        "n_for_one_pp": detectable.pairs if detectable else None,
        "reason_code": reason,
        "n_models": bootstrap.clusters,
        "interval_method": bootstrap.method,
        "is_bias_readable": reason is None,
    }


def _ends(bootstrap: PairedBootstrap) -> Mapping[str, float | None]:
    mean, median = bootstrap.mean_interval, bootstrap.median_interval
    return {
        "mean_low_pp": mean.low if mean else None,
        "mean_high_pp": mean.high if mean else None,
        "median_low_pp": median.low if median else None,
        "median_high_pp": median.high if median else None,
    }


def _reason(bootstrap: PairedBootstrap, signs: SignTest, rules: SourceStatistics) -> DifferenceReason | None:
    if bootstrap.n == 0:
        return "no_aligned_pairs"
    if bootstrap.n == 1:
        return "too_few_pairs"
    if bootstrap.clusters == 1:
        return "one_model"
    if signs.zeros == bootstrap.n:
        return "all_zero"
    if bootstrap.method == "degenerate":
        return "no_spread"
    return "too_few_models" if bootstrap.clusters < rules.minimum_models else None


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
