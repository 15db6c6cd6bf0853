"""Gates on how many rows of a leaderboard went no further for one reason: unread, repeated, unidentified, unregistered.

Belongs here: shares of exclusions by leaderboard. What the former release had is `checks.named.rows`.
"""

from __future__ import annotations

import polars as pl

from checks.gate_inputs import Finding, GateInputs, Limit, limit_of, threshold_of
from checks.named.shares import Share, judge_shares
from methods.lineage.baseline import count_by
from warehouse.catalog_model import GateSpec
from warehouse.received import LEFT_OUT


def unreadable_rows(gate: GateSpec, inputs: GateInputs) -> Finding:
    """Share of a leaderboard's received rows that could not be read; what its mapping leaves out was read all right."""
    read = pl.col("detail").str.starts_with(LEFT_OUT).fill_null(value=False)
    return _of_rows(gate, inputs, "row_unparseable", "max_unreadable", "rows that could not be read", ~read)


def duplicate_share(gate: GateSpec, inputs: GateInputs) -> Finding:
    """Share of a leaderboard's received rows that repeat another in everything (A01, A41)."""
    return _of_rows(gate, inputs, "exact_duplicate", "max_duplicates", "rows that repeat another")


def unidentified_models(gate: GateSpec, inputs: GateInputs) -> Finding:
    """Share of a leaderboard's results on scored metrics whose model the registry does not know."""
    exclusions = inputs.frame("core__exclusion")
    lost = exclusions.filter(pl.col("reason_code") == "model_unidentified").select("leaderboard", "entry_id").unique()
    served = inputs.frame("core__evidence").select("entry_id")
    later = exclusions.filter(pl.col("stage").is_in(["dedup", "standardize"])).select("entry_id")
    reached = pl.concat([served, later, lost.select("entry_id")]).unique()
    eligible = inputs.frame("core__result").join(reached, on="entry_id", how="semi")
    return _shares(gate, count_by(lost, "leaderboard"), count_by(eligible, "leaderboard"), "models not identified")


def catalog_coverage(gate: GateSpec, inputs: GateInputs) -> Finding:
    """Share of a leaderboard's results that no registered metric matches; the limit is what may go unmatched."""
    missed = inputs.frame("core__exclusion").filter(pl.col("reason_code") == "unregistered_metric")
    counted = missed.select("leaderboard", "entry_id").unique()
    results = inputs.frame("core__result")
    return _shares(
        gate, count_by(counted, "leaderboard"), count_by(results, "leaderboard"), "results no metric matches"
    )


def _of_rows(
    gate: GateSpec, inputs: GateInputs, reason: str, own: Limit, what: str, which: pl.Expr | None = None
) -> Finding:
    is_one = pl.col("reason_code") == reason
    excluded = inputs.frame("core__exclusion").filter(is_one if which is None else is_one & which)
    rows, parts = count_by(inputs.frame("raw__row"), "leaderboard"), count_by(excluded, "leaderboard")
    limits = {board: limit_of(gate, inputs.catalog, board, own) for board in rows}
    return judge_shares(
        [Share(board, parts.get(board, 0), whole, limits[board]) for board, whole in rows.items()], what
    )


def _shares(gate: GateSpec, parts: dict[str, int], wholes: dict[str, int], what: str) -> Finding:
    limit = threshold_of(gate)
    return judge_shares([Share(board, parts.get(board, 0), whole, limit) for board, whole in wholes.items()], what)
