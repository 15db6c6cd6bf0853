"""Candidate and baseline side by side, by cohort (METHODS 12).

Belongs here: who is in each group, and what came out in each. Only where eligible units were assigned at random is the
difference of the two an effect, and stated with a bound that holds at every look. Else the groups differ in who is in
them; the table shows by how much, and no difference of outcomes is given: an operational reading, no more.
"""

from __future__ import annotations

from typing import Any, Final

import polars as pl

from methods.rollout.always_valid import always_valid
from methods.rollout.units import on_own_scale, unit_sums
from warehouse.release_contract import ReleaseContract
from warehouse.rollout_rules import RolloutRules

EVERYBODY: Final = "all"
_POINTS: Final = 100
COHORT_SCHEMA: Final[dict[str, Any]] = {
    "cohort_column": pl.String,
    "cohort": pl.String,
    "candidate_units": pl.Int64,
    "baseline_units": pl.Int64,
    "candidate_frac": pl.Float64,
    "baseline_frac": pl.Float64,
    "composition_difference_pp": pl.Float64,
    "candidate_mean": pl.Float64,
    "baseline_mean": pl.Float64,
    "effect_pp": pl.Float64,
    "effect_low_pp": pl.Float64,
    "effect_high_pp": pl.Float64,
    "reading": pl.String,
}


def cohort_table(rows: pl.DataFrame, contract: ReleaseContract, rules: RolloutRules, batches: int) -> pl.DataFrame:
    """One row for everybody, and one for each value of each cohort column.

    Args:
        rows: as `units.together` gives them; a unit's cohort is the first in order of text that its first batch states.
        contract: cohort columns, outcome, alpha of the objective, whether assignment is random.
        rules: constants of the bound.
        batches: how many there were.

    Returns:
        Units of each group in the cohort; which share of its group that is, and the difference of both shares; the
        mean outcome of each, on the scale of its column (null for a corpus metric, or where nobody states it); the
        effect, higher being better, in points of the outcome's range with bounds at the objective's one-sided alpha
        each, valid at every look (null where `reading` is operational).
    """
    first = rows.filter(pl.col("_is_first"))
    found = [_row(EVERYBODY, EVERYBODY, first, first, contract, rules, batches)]
    for column in contract.stages.canary.cohorts:
        told = first if column in first.columns else first.with_columns(pl.lit(None, dtype=pl.String).alias(column))
        own = pl.col(column).cast(pl.String).min().over("system", "_unit").fill_null("not stated")
        told = told.with_columns(own.alias("_cohort"))
        for cohort in told["_cohort"].unique().sort().to_list():
            part = told.filter(pl.col("_cohort") == cohort)
            found.append(_row(column, cohort, part, first, contract, rules, batches))
    return pl.DataFrame(found, schema=COHORT_SCHEMA, orient="row")


def _row(
    column: str,
    cohort: str,
    part: pl.DataFrame,
    whole: pl.DataFrame,
    contract: ReleaseContract,
    rules: RolloutRules,
    batches: int,
) -> dict[str, Any]:
    systems, outcome = contract.systems, contract.outcome
    units = {system: _units(part, system) for system in (systems.candidate, systems.baseline)}
    shares = {system: _share(count, _units(whole, system)) for system, count in units.items()}
    mine, other = shares[systems.candidate], shares[systems.baseline]
    sums = {}
    if outcome.column is not None and part.height:
        for system in units:
            last = unit_sums(part, system, outcome.column, outcome.lowest, outcome.highest, batches).row(-1, named=True)
            sums[system] = (int(last["units"]), int(last["total"]))
    row: dict[str, Any] = {
        "cohort_column": column,
        "cohort": cohort,
        "candidate_units": units[systems.candidate],
        "baseline_units": units[systems.baseline],
        "candidate_frac": mine,
        "baseline_frac": other,
        "composition_difference_pp": None if mine is None or other is None else (mine - other) * _POINTS,
        "candidate_mean": _mean(sums.get(systems.candidate), contract),
        "baseline_mean": _mean(sums.get(systems.baseline), contract),
        "effect_pp": None,
        "effect_low_pp": None,
        "effect_high_pp": None,
        "reading": "randomized" if contract.stages.canary.is_randomized else "operational",
    }
    if contract.stages.canary.is_randomized and sums and all(count for count, _ in sums.values()):
        row |= _effect(sums[systems.candidate], sums[systems.baseline], contract, rules)
    return row


def _effect(
    candidate: tuple[int, int], baseline: tuple[int, int], contract: ReleaseContract, rules: RolloutRules
) -> dict[str, float]:
    """The difference, with half of alpha on each group's bound: both hold at every look, so their difference does."""
    half = contract.objective.alpha / 2
    mine, other = (always_valid(count, total, half, rules.prior) for count, total in (candidate, baseline))
    assert mine.mean is not None and other.mean is not None
    middle, low, high = mine.mean - other.mean, mine.low - other.high, mine.high - other.low
    if not contract.outcome.higher_is_better:
        middle, low, high = -middle, -high, -low
    return {"effect_pp": middle * _POINTS, "effect_low_pp": low * _POINTS, "effect_high_pp": high * _POINTS}


def _units(rows: pl.DataFrame, system: str) -> int:
    return rows.filter(pl.col("system") == system)["_unit"].n_unique()


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _mean(sums: tuple[int, int] | None, contract: ReleaseContract) -> float | None:
    return None if sums is None else on_own_scale(*sums, contract.outcome.lowest, contract.outcome.highest)
