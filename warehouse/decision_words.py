"""The closed sets of words of release decisions: verdicts, gate outcomes, stages, and what a contract may choose.

Belongs here: the words and their meaning (METHODS 12). Does not belong here: the shape of a contract
(`warehouse.release_contract`), how a word is reached (`methods.decision`).
"""

from __future__ import annotations

from typing import Final, Literal, get_args

SAMPLES_EVIDENCE: Final = "samples"
"""The kind of registered evidence that a release decision reads."""

DecisionVerdict = Literal["block", "insufficient_evidence", "shadow_only", "canary", "ship"]
DECISION_VERDICTS: Final[tuple[DecisionVerdict, ...]] = get_args(DecisionVerdict)
"""block: a red line or another gate said no; insufficient_evidence: no gate said no, at least one cannot tell yet;
shadow_only, canary, ship: every gate passed, and this is the next stage that evidence of this kind allows."""

GateOutcome = Literal["pass", "fail", "inconclusive"]
GATE_OUTCOMES: Final[tuple[GateOutcome, ...]] = get_args(GateOutcome)

GateKind = Literal["evidence", "red_line", "objective", "slice", "budget", "metric", "stage"]
GATE_KINDS: Final[tuple[GateKind, ...]] = get_args(GateKind)
"""evidence: whether the samples can be judged at all; red_line, objective, slice, budget, metric: the contract's;
stage: entry to shadow or canary, stop conditions, exposure."""

EvidenceStage = Literal["offline", "shadow", "canary"]
EVIDENCE_STAGES: Final[tuple[EvidenceStage, ...]] = get_args(EvidenceStage)

Modality = Literal["text", "rag", "agent", "multimodal"]
MODALITIES: Final[tuple[Modality, ...]] = get_args(Modality)
ScorerType = Literal["rule", "state_check", "rubric_judge", "human"]
SCORER_TYPES: Final[tuple[ScorerType, ...]] = get_args(ScorerType)
ObjectiveKind = Literal["superiority", "non_inferiority"]
OBJECTIVE_KINDS: Final[tuple[ObjectiveKind, ...]] = get_args(ObjectiveKind)
Risk = Literal["low", "medium", "high"]
RISKS: Final[tuple[Risk, ...]] = get_args(Risk)

OutcomeKind = Literal["binary", "score", "bleu", "chrf"]
OUTCOME_KINDS: Final[tuple[OutcomeKind, ...]] = get_args(OutcomeKind)
"""binary: success or not; score: a number between two stated ends; bleu, chrf: corpus metrics, recomputed from the
statistics of every task in every resample, since they are no mean of per-task values."""

Resampling = Literal["task", "two_stage"]
RESAMPLINGS: Final[tuple[Resampling, ...]] = get_args(Resampling)
"""task: tasks (or their clusters) with all their trials; two_stage: also trials within a task, which counts the
variance of trials twice."""

InfrastructureRule = Literal["exclude", "fail"]

BudgetStatistic = Literal["mean", "p50", "p95", "p99", "max"]

StopAction = Literal["stop", "rollback"]

BoundMethod = Literal[
    "tango_exact", "bootstrap_bounded", "bootstrap", "order_statistic", "woodruff", "wilson", "count", "always_valid"
]
BOUND_METHODS: Final[tuple[BoundMethod, ...]] = get_args(BoundMethod)
"""How a gate's bounds came about:

tango_exact: Tango's score interval, and an exact unconditional test at the margin that must agree;
bootstrap_bounded: percentile bootstrap, and a bound for small samples of bounded values that must agree;
bootstrap: percentile bootstrap alone, of what has no bounds or is no mean;
order_statistic: exact bounds of a quantile from the ranks of independent values;
woodruff: bounds of a quantile from the error of the share of values below it, of very many rows;
wilson: Wilson's interval of one proportion;
count: nothing is estimated, rows are counted;
always_valid: bounds of two groups of units, valid at every look together, for real traffic in batches.
"""

NoFlipReason = Literal["one_trial", "not_a_mean", "no_pairs", "too_many_rows"]
NO_FLIP_REASONS: Final[tuple[NoFlipReason, ...]] = get_args(NoFlipReason)
"""Why the flip rate of a verdict is not measured."""

Role = Literal["baseline", "candidate"]
ROLES: Final[tuple[Role, ...]] = get_args(Role)
ParseView = Literal["as_failures", "left_out"]
PARSE_VIEWS: Final[tuple[ParseView, ...]] = get_args(ParseView)
"""How unparsed answers count; a decision is given both ways, and they must agree."""
