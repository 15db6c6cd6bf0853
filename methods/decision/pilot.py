"""A pilot's samples as planning needs them: paired tasks and their trials, whatever the sample size (METHODS 12).

Belongs here: the way from samples to estimates. Does not belong here: the estimates (`planning`).
"""

from __future__ import annotations

import polars as pl

from methods.decision.outcomes import check_values, counted_rows
from methods.decision.planning import Pilot, PlanError, pilot_estimates
from methods.decision.reduction import paired_tasks, task_totals
from methods.decision.trials import trial_values
from methods.decision.typed_columns import check_rows, typed
from warehouse.release_contract import ReleaseContract


def pilot_of(contract: ReleaseContract, rows: pl.DataFrame) -> Pilot:
    """What a pilot says about rates and correlations; unparsed answers count as failures.

    Args:
        contract: says how samples are read; need not be sealed, and a pilot may be older than the seal.
        rows: samples.

    Raises:
        SampleError: for samples that the contract cannot be applied to.
        PlanError: for a corpus metric, or fewer than two paired tasks.
    """
    if contract.outcome.is_corpus:
        raise PlanError("a corpus metric has no rate that could be planned with")
    frame = typed(contract, rows)
    check_rows(contract.model_copy(update={"seal": None}), frame)
    counted = counted_rows(contract, frame.lazy(), frozenset(frame.columns))
    check_values(contract, counted)
    pairs = paired_tasks(task_totals(contract, counted), "as_failures")
    return pilot_estimates(pairs, trial_values(counted, pairs, "as_failures"))
