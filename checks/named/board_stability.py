"""Gates on the board's own sensitivity: how far lawful variants move it, beside evidence drawn anew (METHODS 8).

Belongs here: which figures are held against which limit. A variant that moves a ranking no further than drawing the
evidence anew does says little about the variant: there the verdict is that more evidence would decide.
"""

from __future__ import annotations

from typing import Any

import polars as pl

from checks.gate_inputs import Finding, GateInputs, threshold_of
from warehouse.catalog_model import GateSpec

Row = dict[str, Any]

_TABLE = "out__board_sensitivity"
_TOLD = 4


def board_pss(gate: GateSpec, inputs: GateInputs) -> Finding:
    """The largest PSS of any variant in any category, against the limit and against evidence drawn anew.

    Fails where a variant moves a category beyond the limit and beyond all but the most of the reference's draws;
    inconclusive where beyond the limit only; passes where none is beyond it.
    """
    limit = threshold_of(gate)
    rows, reference = _split(inputs)
    beyond = [row for row in rows if row["pss"] > limit]
    worse = [row for row in beyond if not _within(row, reference)]
    worst = max((row["pss"] for row in rows), default=None)
    if worse:
        return _finding(
            "fail", worst, rows, worse, "; ".join(_told_pss(row, reference, limit) for row in worse[:_TOLD])
        )
    if beyond:
        told = "; ".join(_told_pss(row, reference, limit) for row in beyond[:_TOLD])
        said = f"{told}: drawing the evidence anew moves these rankings as far; more families a model would decide"
        return _finding("inconclusive", worst, rows, beyond, said)
    if not rows:
        return _nothing(reference)
    return _finding("pass", worst, rows, [], f"no variant beyond {limit!r}: {_told_pss(rows[0], reference, limit)}")


def board_winner_swap(gate: GateSpec, inputs: GateInputs) -> Finding:
    """Share of variants that swap a category's winners, the worst category against the limit.

    Fails where the share exceeds the limit and that of the reference's draws; inconclusive where the limit only.
    """
    limit = threshold_of(gate)
    rows, reference = _split(inputs)
    shares = []
    for category in sorted({row["category"] for row in rows}):
        own = [row for row in rows if row["category"] == category]
        swapped = [row["variant"] for row in own if row["is_swapped"]]
        drawn = reference.get(category, {}).get("swap_share")
        shares.append((len(swapped) / len(own), category, swapped, len(own), drawn))
    shares.sort(key=lambda one: (-one[0], one[1]))
    if not shares:
        return _nothing(reference)
    beyond = [one for one in shares if one[0] > limit]
    worse = [one for one in beyond if one[4] is None or one[0] > one[4]]
    told = "; ".join(
        f"{category}: {len(swapped)}/{of} variants {'>' if share > limit else '<='} {limit!r}"
        f"{' (' + ', '.join(swapped[:3]) + ')' if swapped else ''}, "
        f"{'no reference' if drawn is None else f'{drawn:.2f} of draws of evidence'}"
        for share, category, swapped, of, drawn in (worse or beyond or shares)[:_TOLD]
    )
    examples = tuple({"category": one[1], "share": one[0]} for one in beyond)
    if worse:
        return Finding("fail", shares[0][0], len(shares), len(worse), told, examples)
    if beyond:
        said = f"{told}: drawing the evidence anew swaps winners as often; more families a model would decide"
        return Finding("inconclusive", shares[0][0], len(shares), len(beyond), said, examples)
    return Finding("pass", shares[0][0], len(shares), 0, told)


def _nothing(reference: dict[str, Row]) -> Finding:
    """Categories of which nothing can be compared decide nothing; without any row nothing was looked at."""
    if not reference:
        return Finding("pass", None, 0, 0, "the table has no row")
    said = "no category leaves anything to compare; more models on a dimension would decide"
    return Finding("inconclusive", None, len(reference), 0, said)


def _split(inputs: GateInputs) -> tuple[list[Row], dict[str, Row]]:
    """Variants with a PSS, the largest first, and the reference by category."""
    table = inputs.frame(_TABLE)
    is_reference = pl.col("variant_kind") == "reference"
    rows = table.filter(~is_reference & pl.col("pss").is_not_null())
    ordered = rows.sort("pss", "variant", "category", descending=[True, False, False]).rows(named=True)
    return ordered, {row["category"]: row for row in table.filter(is_reference).rows(named=True)}


def _within(row: Row, reference: dict[str, Row]) -> bool:
    high = reference.get(row["category"], {}).get("pss_high")
    return high is not None and row["pss"] <= high


def _told_pss(row: Row, reference: dict[str, Row], limit: float) -> str:
    drawn = reference.get(row["category"])
    beside = (
        "no reference"
        if drawn is None or drawn["pss"] is None
        else f"evidence drawn anew {drawn['pss']:.3f} ({drawn['pss_low']:.3f} to {drawn['pss_high']:.3f})"
    )
    size = f"M = {row['candidates']}, H = {row['coordinates']}"
    swap = f"{row['swap_share']:.2f} of dimensions with another winner"
    relation = ">" if row["pss"] > limit else "<="
    return (
        f"{row['variant']} in {row['category']}: PSS {row['pss']:.3f} {relation} {limit!r}, {swap} ({size}; {beside})"
    )


def _finding(outcome: Any, figure: float | None, rows: list[Row], failing: list[Row], detail: str) -> Finding:
    examples = tuple({name: row[name] for name in ("variant", "category", "pss")} for row in failing[:20])
    return Finding(outcome, figure, len(rows), len(failing), detail, examples)
