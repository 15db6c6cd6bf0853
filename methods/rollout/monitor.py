"""What the batches of a shadow or canary say at every look: stop rules, red lines, exposure (METHODS 12).

Belongs here: one look after each batch, over all batches up to it. Does not belong here: the bounds themselves
(`always_valid`, `exposure`), cohorts and returned models (`cohorts`, `returned_models`), what follows (`action`).

A rule that was crossed stays crossed, and an exposure that was found off plan stays off: later batches take nothing
back. All rules of a contract together stop a candidate that keeps every limit with a chance of at most the sum of their
alphas, over all looks.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from methods.rollout.always_valid import always_valid, rounded, stop_evidence
from methods.rollout.exposure import Exposure, exposure
from methods.rollout.units import RolloutError, on_own_scale, together, unit_sums
from methods.statistics.fixed_point import SCALE
from warehouse.release_contract import ReleaseContract, StopRule
from warehouse.rollout_rules import RolloutRules
from warehouse.rollout_words import RolloutStage, StopState


@dataclass(frozen=True, slots=True)
class StopLook:
    """A stop rule at one look, on the scale of its column.

    Attributes:
        batch: the look: after so many batches.
        rule: of the contract.
        units, unstated: units of the candidate that state a value, and that do not.
        mean, low, high: of the candidate; each bound is valid over all looks at the rule's one-sided alpha.
        baseline_mean, baseline_units: beside it, for orientation.
        log_evidence: largest so far for a mean above the limit from some batch on; the rule is crossed where it reaches
            log(1/alpha). None where it is beyond all measure (a limit of `lowest` was crossed).
        since: the batch from which on the values said so most strongly, at the look that `log_evidence` is of.
        since_mean: of the units from that batch to that look; None of none.
        state: how the rule stands.
    """

    batch: int
    rule: StopRule
    units: int
    unstated: int
    mean: float | None
    low: float
    high: float
    baseline_mean: float | None
    baseline_units: int
    log_evidence: float | None
    since: int
    since_mean: float | None
    state: StopState


@dataclass(frozen=True, slots=True)
class RedLineLook:
    """A red line over all batches: rows of the candidate that broke it, that say nothing of it, and that are there."""

    id: str
    column: str
    harm: str
    broken: int
    unstated: int
    rows: int
    first_batch: int | None


@dataclass(frozen=True, slots=True)
class ExposureLook:
    """The exposure after one batch; `crossed` units were in both groups by then."""

    batch: int
    exposure: Exposure
    crossed: int


@dataclass(frozen=True)
class Monitoring:
    """Everything that the batches say.

    Attributes:
        stage: shadow or canary.
        batches: how many.
        rows: all rows, as `units.together` gives them.
        stops: a look for each batch and rule, in that order.
        red_lines: over all batches.
        exposures: a look for each batch; none in shadow.
        repeated_units: units of the candidate that came again in a later batch, where they no longer count.
    """

    stage: RolloutStage
    batches: int
    rows: pl.DataFrame
    stops: tuple[StopLook, ...]
    red_lines: tuple[RedLineLook, ...]
    exposures: tuple[ExposureLook, ...]
    repeated_units: int

    @property
    def last_stops(self) -> tuple[StopLook, ...]:
        """How every rule stands after the last batch."""
        return tuple(look for look in self.stops if look.batch == self.batches)


def monitor(
    contract: ReleaseContract, stage: RolloutStage, batches: Sequence[pl.DataFrame], rules: RolloutRules
) -> Monitoring:
    """Every look at the batches, in order of their arrival.

    Args:
        contract: the sealed contract, which states limits, alphas, exposure and units.
        stage: shadow or canary.
        batches: samples, one frame each.
        rules: constants.

    Raises:
        RolloutError: for batches that the contract cannot be applied to.
    """
    rows = together(batches, contract, stage)
    count, candidate = len(batches), contract.systems.candidate
    by_rule = [_stops(rows, contract, rule, count, rules.prior) for rule in contract.stages.stop]
    later = rows.filter((pl.col("system") == candidate) & ~pl.col("_is_first"))
    return Monitoring(
        stage=stage,
        batches=count,
        rows=rows,
        stops=tuple(look for looks in zip(*by_rule, strict=True) for look in looks),
        red_lines=_red_lines(rows, contract),
        exposures=_exposures(rows, contract, count, rules) if stage == "canary" else (),
        repeated_units=later["_unit"].n_unique(),
    )


def _stops(rows: pl.DataFrame, contract: ReleaseContract, rule: StopRule, count: int, prior: float) -> list[StopLook]:
    systems = contract.systems
    sums = unit_sums(rows, systems.candidate, rule.column, rule.lowest, rule.highest, count)
    beside = unit_sums(rows, systems.baseline, rule.column, rule.lowest, rule.highest, count)
    width = rule.highest - rule.lowest
    limit = (rule.at_most - rule.lowest) / width
    mine_by_look, other_by_look = sums.rows(named=True), beside.rows(named=True)
    stated = _by_batch([(row["units"], row["total"]) for row in mine_by_look])
    worst = _by_batch(
        [(row["units"] + row["unstated"], row["total"] + row["unstated"] * SCALE) for row in mine_by_look]
    )
    looks: list[StopLook] = []
    largest, since, since_mean = 0.0, 1, None
    for mine, other in zip(mine_by_look, other_by_look, strict=True):
        batch, units, unstated, total = mine["batch"], mine["units"], mine["unstated"], mine["total"]
        bound = always_valid(units, total, rule.alpha, prior)
        now = stop_evidence(stated[:batch], limit, prior)
        if now.log > largest:
            largest, since = now.log, now.since
            stretch = stated[since - 1 : batch]
            since_mean = on_own_scale(sum(n for n, _ in stretch), sum(t for _, t in stretch), rule.lowest, rule.highest)
        if_worst = stop_evidence(worst[:batch], limit, prior).log
        looks.append(
            StopLook(
                batch=batch,
                rule=rule,
                units=units,
                unstated=unstated,
                mean=on_own_scale(units, total, rule.lowest, rule.highest),
                low=rounded(rule.lowest + width * bound.low),
                high=rounded(rule.lowest + width * bound.high),
                baseline_mean=on_own_scale(other["units"], other["total"], rule.lowest, rule.highest),
                baseline_units=other["units"],
                log_evidence=round(largest, 6) if math.isfinite(largest) else None,
                since=since,
                since_mean=since_mean,
                state=_state(units, unstated, largest, if_worst, -math.log(rule.alpha), is_within=bound.high <= limit),
            )
        )
    return looks


def _by_batch(running: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Counts and sums of each batch, from those up to and with it."""
    before = [(0, 0), *running[:-1]]
    return [(n - m, total - sum_) for (n, total), (m, sum_) in zip(running, before, strict=False)]


def _state(units: int, unstated: int, largest: float, worst: float, bar: float, *, is_within: bool) -> StopState:
    if largest >= bar:
        return "crossed"
    if unstated and not units:
        return "not_tracked"
    if worst >= bar:
        return "unclear"
    return "within" if is_within and not unstated else "open"


def _red_lines(rows: pl.DataFrame, contract: ReleaseContract) -> tuple[RedLineLook, ...]:
    mine = rows.filter(pl.col("system") == contract.systems.candidate)
    found = []
    for line in contract.red_lines:
        there = line.column in mine.columns
        broken = mine.filter(_true(mine, line.column)) if there else mine.clear()
        unstated = mine[line.column].null_count() if there else mine.height
        first = None if broken.is_empty() else int(str(broken["_batch"].min()))
        found.append(RedLineLook(line.id, line.column, line.harm, broken.height, unstated, mine.height, first))
    return tuple(found)


def _true(rows: pl.DataFrame, column: str) -> pl.Series:
    if rows[column].dtype == pl.Boolean or rows[column].dtype.is_numeric() or rows[column].dtype == pl.Null:
        return rows[column].cast(pl.Boolean)
    raise RolloutError(f"column {column}: holds {rows[column].dtype}, true and false are expected of a red line")


def _exposures(
    rows: pl.DataFrame, contract: ReleaseContract, count: int, rules: RolloutRules
) -> tuple[ExposureLook, ...]:
    first = rows.filter(pl.col("_is_first")).select("_batch", "system", "_unit").unique()
    both = (
        first.group_by("_unit")
        .agg(pl.col("_batch").max(), pl.col("system").n_unique().alias("systems"))
        .filter(pl.col("systems") > 1)
    )
    looks, largest = [], 0.0
    for batch in range(1, count + 1):
        until = first.filter(pl.col("_batch") <= batch)["system"]
        now = exposure(
            int((until == contract.systems.candidate).sum()),
            int((until == contract.systems.baseline).sum()),
            contract.stages.canary.exposure_frac,
            largest=largest,
            alpha=rules.exposure_alpha,
            concentration=rules.exposure_concentration,
        )
        largest = max(largest, now.log_evidence)
        looks.append(ExposureLook(batch, now, both.filter(pl.col("_batch") <= batch).height))
    return tuple(looks)
