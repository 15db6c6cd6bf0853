"""What a row counts for: eligibility, infrastructure failures, unparsed answers, red lines, budgets (METHODS 12).

Belongs here: row by row, as expressions over the samples. Does not belong here: sums over tasks (`reduction`).

A row's value is its outcome on the contract's range, 0 worst to 1 best, in billionths. A success that broke a red line
or the budget of a single sample counts 0. Unparsed answers count 0 in one view and are left out in the other. Failures
of the infrastructure are left out or count 0, as the contract says. Nothing missing is read as false: a row with
neither a value nor a failed status is refused.
"""

from __future__ import annotations

import polars as pl

from methods.decision.samples import FAILED, INELIGIBLE, SampleError
from methods.statistics.fixed_point import SCALE
from warehouse.release_contract import Outcome, ReleaseContract


def counted_rows(contract: ReleaseContract, rows: pl.LazyFrame, names: frozenset[str]) -> pl.LazyFrame:
    """The rows of the two systems with what each counts for.

    Args:
        contract: the contract.
        rows: samples.
        names: their columns.

    Returns:
        The rows with `_candidate` (boolean), `_eligible`, `_infrastructure`, `_parse`, `_broke`, `_counts` (boolean),
        `_value` (billionths; null where there is no outcome, and for corpus metrics).
    """
    systems = contract.systems
    tagged = rows.filter(pl.col("system").is_in([systems.baseline, systems.candidate])).with_columns(
        _candidate=pl.col("system") == systems.candidate,
        _eligible=(pl.col("eligibility") != INELIGIBLE).fill_null(value=True)
        if "eligibility" in names
        else pl.lit(True),
        _infrastructure=_failed("infrastructure_status", names),
        _parse=_failed("parse_status", names),
        _broke=_broke(contract, names),
    )
    is_in = pl.col("_eligible")
    if contract.failures.infrastructure == "exclude":
        is_in = is_in & ~pl.col("_infrastructure")
    outcome = pl.lit(None, dtype=pl.Int64) if contract.outcome.is_corpus else _scaled(contract.outcome)
    value = pl.when(pl.col("_infrastructure") | pl.col("_parse") | pl.col("_broke")).then(pl.lit(0)).otherwise(outcome)
    return tagged.with_columns(_counts=is_in, _outcome=outcome, _value=value)


def counted_successes(contract: ReleaseContract, rows: pl.DataFrame) -> pl.Series:
    """(rows) 1 for a trial that counts as a success, 0 for one that does not, null where a row counts for nothing.

    A success that broke a red line or its budget is none here either, an unparsed answer is a failure.

    Args:
        contract: with a binary outcome.
        rows: samples in their types, in any order; what it gives is in theirs.
    """
    numbered = rows.with_row_index("_row")
    counted = counted_rows(contract, numbered.lazy(), frozenset(rows.columns)).filter(pl.col("_counts"))
    found = numbered.select("_row").join(
        counted.select("_row", "_value").collect(), on="_row", how="left", maintain_order="left"
    )
    return found["_value"] / SCALE


def _failed(column: str, names: frozenset[str]) -> pl.Expr:
    return (pl.col(column) == FAILED).fill_null(value=False) if column in names else pl.lit(False)


def _broke(contract: ReleaseContract, names: frozenset[str]) -> pl.Expr:
    """Whether a row is known to have broken a red line or the budget of a single sample."""
    found = pl.lit(False)
    for line in contract.red_lines:
        if line.column in names:
            found = found | (pl.col(line.column) == True).fill_null(value=False)  # noqa: E712
    for budget in contract.sample_budgets:
        if budget.column in names:
            found = found | (pl.col(budget.column) > budget.at_most).fill_null(value=False)
    return found


def _scaled(outcome: Outcome) -> pl.Expr:
    assert outcome.column is not None
    return scaled(outcome.column, outcome.lowest, outcome.highest, higher_is_better=outcome.higher_is_better)


def scaled(column: str, lowest: float, highest: float, *, higher_is_better: bool) -> pl.Expr:
    """A column on its range as billionths, 0 worst to 1e9 best; null stays null, what lies outside lies outside."""
    value = pl.col(column).cast(pl.Float64)
    share = (value - lowest) / (highest - lowest) if higher_is_better else (highest - value) / (highest - lowest)
    # however far outside: a whole number of 64 bits must hold it
    return (share.clip(-1.0, 2.0) * SCALE).round(0).cast(pl.Int64)


def check_values(contract: ReleaseContract, rows: pl.LazyFrame) -> None:
    """Refuses rows whose outcome is missing without a reason, or outside its range.

    Args:
        rows: as `counted_rows` gives them.

    Raises:
        SampleError: naming the first row at fault.
    """
    outcome = contract.outcome
    if outcome.is_corpus:
        excused = pl.col("_infrastructure") | pl.col("_parse") | ~pl.col("_counts")
        bad = rows.filter(
            (pl.col(str(outcome.hypothesis)).is_null() & ~excused) | pl.col(str(outcome.reference)).is_null()
        )
        message = "has no hypothesis or no reference"
    else:
        excused = pl.col("_infrastructure") | pl.col("_parse") | ~pl.col("_counts")
        outside = (pl.col("_outcome") < 0) | (pl.col("_outcome") > SCALE)
        bad = rows.filter((pl.col("_outcome").is_null() & ~excused) | outside)
        message = (
            f"has no {outcome.column} and no failed status, or one outside {outcome.lowest:g} to {outcome.highest:g}"
        )
        if outcome.kind == "binary":
            # the value itself: a billionth of a success is none, and no failure either
            bad = rows.filter(
                (pl.col("_outcome").is_null() & ~excused)
                | ~pl.col(str(outcome.column)).cast(pl.Float64).is_in([0.0, 1.0])
            )
            message = f"has no {outcome.column} and no failed status, or one that is neither 0 nor 1"
    shown = [name for name in ("system", "task", "trial") if name in rows.collect_schema().names()]
    first = bad.select(shown).head(1).collect()
    if first.height:
        where = ", ".join(f"{name} {value}" for name, value in zip(shown, first.row(0), strict=True))
        raise SampleError(f"{where}: {message}; the contract says how failures count, so state the row's status")
