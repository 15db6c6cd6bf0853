"""Whether the samples can be judged at all: pairs, trials, failures, the ruler, the environment (METHODS 12).

Belongs here: gates that never say that the candidate is bad, only that this evidence cannot tell. Does not belong
here: anything about outcomes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import polars as pl

from methods.decision.reduction import PairedTasks, TaskTotals
from methods.decision.verdict import Gate
from warehouse.decision_words import GateOutcome
from warehouse.release_contract import ReleaseContract

ENVIRONMENT: Final = ("fixture_version", "environment_version", "image_version")
"""What an agent's evidence states, the same for both systems (METHODS 12)."""
_SHOWN: Final = 3


def evidence_gates(
    contract: ReleaseContract, rows: pl.LazyFrame, names: frozenset[str], totals: TaskTotals, pairs: PairedTasks
) -> list[Gate]:
    """The gates on the evidence itself, in a fixed order.

    Args:
        rows: as `outcomes.counted_rows` gives them.
        names: columns of the samples.
        totals, pairs: of the same rows; pairs with parse failures as failures.
    """
    gates = [_pairs(contract, pairs, totals), _trials(contract, pairs), *failure_shares(contract, totals)]
    gates.append(scorer_gate(contract, rows, names))
    if contract.must_state:
        gates.append(stated_gate(contract, rows, names))
    if contract.modality == "agent":
        gates.append(environment_gate(rows, names))
    return gates


def _pairs(contract: ReleaseContract, pairs: PairedTasks, totals: TaskTotals) -> Gate:
    tasks = totals.tasks
    share = pairs.unpaired / tasks if tasks else 1.0
    limit = contract.sampling.max_unpaired_frac
    ineligible = int(totals.frame["ineligible"].sum())
    said = f"{pairs.unpaired:,} of {tasks:,} tasks lack a counted row of one system and are in no difference"
    said += f"; {ineligible:,} rows were not eligible" if ineligible else ""
    return Gate(
        "evidence.pairs", "evidence", "pass" if share <= limit and pairs.size else "inconclusive", said,
        estimate=100 * share, threshold=100 * limit, unit="%", tasks=tasks, method="count",
    )  # fmt: skip


def _trials(contract: ReleaseContract, pairs: PairedTasks) -> Gate:
    asked = contract.sampling.minimum_trials
    counts = (pairs.baseline_trials, pairs.candidate_trials)
    least = min((int(one.min()) for one in counts), default=0) if pairs.size else 0
    greatest = max(int(one.max()) for one in counts) if pairs.size else 0
    said = f"{least:,} to {greatest:,} trials a task and system; a task's value is the mean over its own"
    return Gate(
        "evidence.trials", "evidence", "pass" if pairs.size and least >= asked else "inconclusive", said,
        estimate=float(least), threshold=float(asked), unit="trials", tasks=pairs.size, rows=pairs.rows, method="count",
    )  # fmt: skip


def failure_shares(contract: ReleaseContract, totals: TaskTotals) -> list[Gate]:
    """The share of rows that the infrastructure failed, and of unparsed answers, in either system."""
    frame, gates = totals.frame, []
    systems = {False: contract.systems.baseline, True: contract.systems.candidate}
    failures = contract.failures
    for column, limit, rule in (
        ("infrastructure", failures.max_infrastructure_frac, "left out" if failures.infrastructure == "exclude" else
         "counted as failures"),
        ("parse", failures.max_parse_frac, "counted both ways"),
    ):  # fmt: skip
        shares, parts = [], []
        for side, name in systems.items():
            own = frame.filter(pl.col("_candidate") == side)
            found, of = int(own[column].sum()), int(own["rows"].sum())
            shares.append(found / of if of else 1.0)
            parts.append(f"{name} {found:,} of {of:,}")
        said = f"{', '.join(parts)} rows, {rule}"
        gate = Gate(
            f"evidence.{column}", "evidence", "pass" if max(shares) <= limit else "inconclusive", said,
            estimate=100 * max(shares), threshold=100 * limit, unit="%", baseline=100 * shares[0],
            candidate=100 * shares[1], rows=int(frame["rows"].sum()), method="count",
        )  # fmt: skip
        gates.append(gate)
    return gates


def scorer_gate(contract: ReleaseContract, rows: pl.LazyFrame, names: frozenset[str]) -> Gate:
    """Whether every row was measured by the contract's ruler."""
    asked = (contract.scorer.type, contract.scorer.version)
    columns = [name for name in ("scorer_type", "scorer_version") if name in names]
    if len(columns) < 2:
        said = "the samples do not state scorer_type and scorer_version: nobody can tell that one ruler measured both"
        return Gate("evidence.scorer", "evidence", "inconclusive", said, method="count")
    found = rows.group_by(columns).agg(pl.len()).collect(engine="streaming").sort(columns, nulls_last=True)
    others = found.filter(
        ~((pl.col("scorer_type") == asked[0]) & (pl.col("scorer_version") == asked[1])).fill_null(value=False)
    )
    total = int(found["len"].sum())
    if not others.height:
        said = f"all {total:,} rows by {asked[0]} {asked[1]}"
        return Gate("evidence.scorer", "evidence", "pass", said, rows=total, method="count")
    shown = ", ".join(f"{kind} {version} ({n:,})" for kind, version, n in others.head(_SHOWN).rows())
    said = f"rows by another ruler than {asked[0]} {asked[1]}: {shown}; scores of two rulers are not compared"
    return Gate("evidence.scorer", "evidence", "inconclusive", said, rows=total, method="count")


def environment_gate(rows: pl.LazyFrame, names: frozenset[str]) -> Gate:
    """Whether both systems began every task alike."""
    missing = [name for name in ENVIRONMENT if name not in names]
    if missing:
        said = f"the samples do not state {', '.join(missing)}: whether both systems began alike is not known"
        return Gate("evidence.environment", "evidence", "inconclusive", said, method="count")
    kinds = [pl.col(name).n_unique().alias(f"{name} kinds") for name in ENVIRONMENT]
    nulls = [pl.col(name).null_count().alias(f"{name} nulls") for name in ENVIRONMENT]
    by_task = rows.group_by("task").agg(*kinds, *nulls).collect(engine="streaming")
    faults: list[str] = []
    for name in ENVIRONMENT:
        unstated = int(by_task[f"{name} nulls"].sum())
        mixed = by_task.filter(pl.col(f"{name} kinds") > 1).height
        if unstated:
            faults.append(f"{unstated:,} rows state no {name}")
        elif mixed:
            faults.append(f"{mixed:,} tasks have more than one {name}")
    said = "; ".join(faults) or "fixture, environment and image are stated and the same within every task"
    outcome = "inconclusive" if faults else "pass"
    return Gate("evidence.environment", "evidence", outcome, said, tasks=by_task.height, method="count")  # type: ignore[arg-type]


def stated_gate(contract: ReleaseContract, rows: pl.LazyFrame, names: frozenset[str]) -> Gate:
    """Whether every row states the columns that the contract asks for: source, licence, purpose and the like."""
    asked = contract.must_state
    absent = [name for name in asked if name not in names]
    present = [name for name in asked if name in names]
    nulls = rows.select(pl.col(name).null_count() for name in present).collect().row(0, named=True) if present else {}
    faults = [f"no column {name}" for name in absent]
    faults += [f"{count:,} rows state no {name}" for name, count in nulls.items() if count]
    said = "; ".join(faults) or f"every row states {', '.join(asked)}"
    outcome: GateOutcome = "inconclusive" if faults else "pass"
    return Gate("evidence.stated", "evidence", outcome, said, method="count")


def parse_agreement(as_failures: Sequence[Gate], left_out: Sequence[Gate], failures: int) -> Gate:
    """Whether every comparison comes out the same with unparsed answers as failures and left out."""
    if not failures:
        said = "no unparsed answer: both ways of counting are one"
        return Gate("evidence.parse-agreement", "evidence", "pass", said, estimate=0.0, method="count")
    differing = [
        f"{one.id}: {one.outcome} as failures, {other.outcome} left out"
        for one, other in zip(as_failures, left_out, strict=True)
        if one.outcome != other.outcome
    ]
    said = "; ".join(differing) or f"{len(as_failures)} comparisons come out alike with and without unparsed answers"
    return Gate(
        "evidence.parse-agreement", "evidence", "inconclusive" if differing else "pass", said,
        estimate=float(len(differing)), threshold=0.0, unit="comparisons", rows=failures, method="count",
    )  # fmt: skip
