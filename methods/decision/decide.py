"""From a sealed contract and its samples to a decision (METHODS 12): one pure function.

Belongs here: which gates there are, in which order. Does not belong here: how one is judged.
"""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from methods.components.columns import is_repeated, with_components
from methods.components.declared import ComponentError
from methods.decision.budget_gates import budget_gates
from methods.decision.corpus import compare_corpus, task_statistics
from methods.decision.evidence_gates import evidence_gates, parse_agreement
from methods.decision.holm import holm
from methods.decision.instability import flip_rate
from methods.decision.metric_gates import metric_gates
from methods.decision.objective_gates import Comparer, Question, comparison_gate, questions
from methods.decision.outcomes import check_values, counted_rows, counted_successes
from methods.decision.paired_bounds import Compared, compare
from methods.decision.red_line_gates import red_line_gates
from methods.decision.reduction import VIEWS, PairedTasks, paired_tasks, task_totals
from methods.decision.samples import SampleError, Samples
from methods.decision.system_levels import system_levels
from methods.decision.trials import trial_values, two_stage_trials
from methods.decision.typed_columns import check_rows, typed
from methods.decision.verdict import Decision, Gate, Instability, verdict_of
from warehouse.decision_rules import DecisionRules
from warehouse.methodology import Methodology
from warehouse.release_contract import ReleaseContract

Mask = NDArray[np.bool_]


def check_seal(contract: ReleaseContract, named: str) -> None:
    """Refuses evidence of another contract, and a contract that is not sealed or was changed since.

    Raises:
        SampleError: saying which.
    """
    if contract.seal is None:
        raise SampleError(f"contract {contract.id} is not sealed; seal it before there is evidence: contract seal")
    if contract.seal.sha256 != contract.sha256:
        raise SampleError(
            f"contract {contract.id} was changed after it was sealed: it is {contract.sha256[:12]}, sealed was "
            f"{contract.seal.sha256[:12]}; a changed contract is a new one, with new evidence"
        )
    if named != contract.sha256:
        raise SampleError(
            f"the evidence names contract {named[:12] or '(none)'}, this one is {contract.sha256[:12]} ({contract.id})"
        )


def decide(contract: ReleaseContract, samples: Samples, methodology: Methodology) -> Decision:
    """Every gate of the contract judged on the samples, and the verdict.

    Args:
        contract: sealed, unchanged since.
        samples: its evidence; names the contract's hash.
        methodology: constants and the seed of resampling.

    Raises:
        SampleError: for samples that the contract cannot be applied to, or that name another contract.
    """
    check_seal(contract, samples.contract_sha256)
    rules, seed = methodology.decision, methodology.seed
    frame = typed(contract, with_contract_components(contract, samples.rows))
    check_rows(contract, frame)
    names = frozenset(frame.columns)
    for system in (contract.systems.baseline, contract.systems.candidate):
        if not (frame["system"] == system).any():
            found = ", ".join(frame["system"].unique().sort().to_list()[:10])
            raise SampleError(f"no row of system {system!r}; the samples have {found}")
    rows = counted_rows(contract, frame.lazy(), names)
    check_values(contract, rows)
    totals = task_totals(contract, rows)
    failures = int(totals.frame["parse"].sum())
    by_view = {view: paired_tasks(totals, view) for view in (VIEWS if failures else VIEWS[:1])}
    gates = evidence_gates(contract, rows, names, totals, by_view["as_failures"])
    gates += red_line_gates(contract, rows, names)
    compared = {
        view: _comparisons(contract, rows, by_view[view], view, seed, rules)
        for view in (VIEWS if failures else VIEWS[:1])
    }
    counted = compared["as_failures"]
    left_out = compared.get("left_out", counted)
    gates += counted
    if failures:
        gates += [_renamed(gate) for gate in left_out]
    gates.append(parse_agreement(counted, left_out, failures))
    gates += budget_gates(contract, rows, names, seed=seed, rules=rules)
    gates += metric_gates(contract, rows, names, seed=seed, rules=rules)
    return Decision(
        contract_id=contract.id,
        contract_sha256=contract.sha256,
        stage=samples.stage,
        verdict=verdict_of(gates, samples.stage, is_shadow_needed=contract.stages.is_shadow_needed),
        gates=tuple(gates),
        levels=tuple(system_levels(contract, totals, rules)),
        instability=_instability(contract, rows, by_view["as_failures"], seed, rules),
        holm=holm({gate.id: gate.p for gate in counted if gate.kind == "slice" and gate.p is not None}),
    )


def with_contract_components(contract: ReleaseContract, rows: pl.DataFrame) -> pl.DataFrame:
    """The samples with the component metrics that the contract names and the samples do not hold (METHODS 13).

    Raises:
        SampleError: where what a component is made of is missing, or is not what it must be.
    """
    outcome = contract.outcome.column if contract.outcome.kind == "binary" else None
    try:
        made = with_components(rows, [name for name in contract.columns if not is_repeated(name)])
        repeated = [name for name in contract.columns if is_repeated(name) and name not in rows.columns]
        if outcome is None or not repeated:
            return with_components(made, repeated, outcome)
        # a trial counts there as it counts in the objective
        successes = counted_successes(contract, typed(contract, made)).alias(outcome)
        told = with_components(made.with_columns(successes), repeated, outcome)
        return made.with_columns(told[name] for name in repeated)
    except ComponentError as error:
        raise SampleError(str(error)) from error


def _renamed(gate: Gate) -> Gate:
    from dataclasses import replace

    return replace(gate, id=f"{gate.id}.parsed-only", detail=f"unparsed answers left out: {gate.detail}")


def _masks(contract: ReleaseContract, pairs: PairedTasks) -> list[tuple[Question, Mask]]:
    """Each question with the tasks it is about."""
    everything = np.ones(pairs.size, dtype=np.bool_)
    return [
        (
            question,
            everything if part is None else (pairs.slices[part[0]] == part[1]).fill_null(value=False).to_numpy(),
        )
        for question, part in questions(contract)
    ]


def _comparisons(
    contract: ReleaseContract, rows: pl.LazyFrame, pairs: PairedTasks, view: str, seed: int, rules: DecisionRules
) -> list[Gate]:
    """The gates of objective and slices under one view of parse failures."""
    gates = []
    for question, mask in _masks(contract, pairs):
        chosen = pairs if mask.all() else pairs.chosen(mask)
        comparer = _comparer(contract, rows, view, seed, rules)
        gates.append(comparison_gate(question, chosen, contract, comparer, rules))
    return gates


def _comparer(contract: ReleaseContract, rows: pl.LazyFrame, view: str, seed: int, rules: DecisionRules) -> Comparer:
    """How pairs are compared under this contract."""
    alpha, outcome = contract.objective.alpha, contract.outcome

    def of_means(pairs: PairedTasks, threshold: float) -> Compared:
        trials = None
        if contract.sampling.resampling == "two_stage":
            if pairs.rows * rules.resamples > rules.two_stage_draws_limit:
                raise SampleError(f"{pairs.rows:,} rows are too many for two-stage resampling: declare `task`")
            trials = two_stage_trials(rows, pairs, view)
        return compare(
            pairs, threshold, alpha, is_binary=outcome.kind == "binary", trials=trials, seed=seed, rules=rules
        )

    def of_corpora(pairs: PairedTasks, threshold: float) -> Compared:
        kept = pl.col("_counts") if view == "as_failures" else pl.col("_counts") & ~pl.col("_parse")
        failed = pl.col("_infrastructure") | pl.col("_parse") | pl.col("_broke")
        answers = (
            rows.filter(kept)
            .join(pairs.tasks.to_frame("task").lazy(), on="task", how="semi")
            .select(
                "task", "_candidate",
                pl.when(failed).then(None).otherwise(pl.col(str(outcome.hypothesis))).alias("hypothesis"),
                pl.col(str(outcome.reference)).alias("reference"),
            )
            .collect()
        )  # fmt: skip
        baseline, candidate = task_statistics(outcome.kind, answers)
        units = np.arange(pairs.size, dtype=np.int64)
        if pairs.clusters is not None:
            units = np.unique(pairs.clusters, return_inverse=True)[1].astype(np.int64)
        return compare_corpus(outcome.kind, baseline, candidate, units, threshold, alpha, seed=seed, rules=rules)

    return of_corpora if outcome.is_corpus else of_means


def _instability(
    contract: ReleaseContract, rows: pl.LazyFrame, pairs: PairedTasks, seed: int, rules: DecisionRules
) -> Instability:
    if contract.outcome.is_corpus:
        return Instability(0, 0, None, "not_a_mean")
    if not pairs.size:
        return Instability(0, 0, None, "no_pairs")
    if pairs.is_one_trial:
        return Instability(0, 0, None, "one_trial")
    if max(pairs.rows, pairs.size * rules.redraw_resamples) * rules.redraws > rules.two_stage_draws_limit:
        return Instability(0, 0, None, "too_many_rows")
    trials = trial_values(rows, pairs, "as_failures")
    return flip_rate(pairs, trials, _masks(contract, pairs), contract.objective.alpha, seed=seed, rules=rules)
