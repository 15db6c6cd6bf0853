"""Red lines: what must never happen, counted over every row of the candidate (METHODS 12).

Belongs here: these gates. A row that broke one blocks, however good the rest is; a row of which it is not known is no
row that kept it. Does not belong here: that a success beyond a red line is none (`outcomes`).
"""

from __future__ import annotations

import polars as pl

from methods.decision.verdict import Gate
from warehouse.release_contract import RedLine, ReleaseContract


def red_line_gates(contract: ReleaseContract, rows: pl.LazyFrame, names: frozenset[str]) -> list[Gate]:
    """One gate a red line.

    Args:
        rows: as `outcomes.counted_rows` gives them.
        names: columns of the samples.
    """
    present = [line for line in contract.red_lines if line.column in names]
    # a row that the infrastructure failed and that says nothing did not run: nothing can have happened in it
    ran = pl.col("_candidate") & pl.col("_eligible")
    counts: dict[str, pl.Expr] = {}
    for line in present:
        value = pl.col(line.column)
        counts[f"{line.id} rows"] = (ran & ~(pl.col("_infrastructure") & value.is_null())).sum()
        counts[f"{line.id} broken"] = (ran & (value == True).fill_null(value=False)).sum()  # noqa: E712
        counts[f"{line.id} unknown"] = (ran & value.is_null() & ~pl.col("_infrastructure")).sum()
    found = rows.select(**counts).collect(engine="streaming").row(0, named=True) if counts else {}
    return [
        _gate(line, found, contract.objective.alpha) if line in present else _absent(line)
        for line in contract.red_lines
    ]


def _absent(line: RedLine) -> Gate:
    detail = f"the samples have no column {line.column}: whether it happened is not known"
    return Gate(f"red-line.{line.id}", "red_line", "inconclusive", detail, threshold=0.0, unit="rows", method="count")


def _gate(line: RedLine, found: dict[str, int], alpha: float) -> Gate:
    rows, broken, unknown = (found[f"{line.id} {name}"] for name in ("rows", "broken", "unknown"))
    if broken:
        outcome, detail = "fail", f"{broken:,} of {rows:,} rows broke it: {line.harm}"
    elif unknown or not rows:
        outcome, detail = "inconclusive", f"{unknown:,} of {rows:,} rows do not say whether it happened"
        detail = detail if rows else "no row of the candidate"
    else:
        # of n rows without an event, the rate that would show none with chance alpha (rows taken as independent)
        detail = f"none of {rows:,} rows; rates above {100 * (1 - alpha ** (1 / rows)):.2g}% would have shown one"
        outcome = "pass"
    return Gate(
        f"red-line.{line.id}", "red_line", outcome, detail,  # type: ignore[arg-type]
        estimate=float(broken), threshold=0.0, unit="rows", rows=rows, method="count",
        detectable=100 * (1 - alpha ** (1 / rows)) if rows else None,
    )  # fmt: skip
