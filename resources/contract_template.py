"""The text of a new contract: complete, valid as it stands, and commented, so that a person edits it before sealing.

Belongs here: what is proposed and how it is explained. Does not belong here: what a contract may say
(`warehouse.release_contract`); the numbers proposed for a risk are the methodology's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from warehouse.decision_rules import RiskDefaults
from warehouse.decision_words import Modality, ObjectiveKind, Risk, ScorerType
from warehouse.release_stages import ENTRY_FLAGS


@dataclass(frozen=True, slots=True)
class Choices:
    """What `contract new` asks for."""

    id: str
    modality: Modality
    scorer: ScorerType
    objective: ObjectiveKind
    risk: Risk
    baseline: str
    candidate: str
    entry: frozenset[str] = frozenset()
    """Flags of the entry to shadow that somebody has made sure of."""


_UNITS: Final[dict[Modality, str]] = {
    "text": "one question of a user, answered once",
    "rag": "one question of a user, answered from retrieved documents",
    "agent": "one work item, from its prepared start to the state that a program checks",
    "multimodal": "one question about one set of images, audio or video",
}
_CLUSTERS: Final[dict[Modality, str | None]] = {
    "text": None,
    "rag": "document",
    "agent": "repository",
    "multimodal": None,
}
_RESOURCES: Final[dict[Modality, str]] = {
    "text": "- {id: latency-p95, column: latency_s, statistic: p95, at_most: 5, unit: s}",
    "rag": "- {id: latency-p95, column: latency_s, statistic: p95, at_most: 8, unit: s}",
    "agent": "- {id: tokens-mean, column: tokens, statistic: mean, at_most: 200000, unit: tokens}",
    "multimodal": "- {id: latency-p95, column: latency_s, statistic: p95, at_most: 10, unit: s}",
}
_METRICS: Final[dict[Modality, str]] = {
    "text": " []",
    "rag": """
  # The unit is part of the name: how often judged citations support their claim, how many claims that need a citation
  # have one that supports them, and how much of what is relevant is among the first five passages.
  - {{id: citations-correct, column: claim_citation_pair_citation_correctness, at_least: 0.8, minimum_tasks: {least}}}
  - {{id: citations-complete, column: citation_completeness, at_least: 0.7, minimum_tasks: {least}}}
  - {{id: recall, column: passage_recall@5, at_least: 0.7, minimum_tasks: {least}}}""",
    "agent": " []",
    "multimodal": " []",
}
_RED_LINES: Final = """
  - {id: unauthorized, column: retrieves_unauthorized, harm: "retrieved what the asker may not see"}"""
_SCORERS: Final[dict[ScorerType, str]] = {
    "rule": "a rule or schema: reproducible, and blind to what is meant",
    "state_check": "a test or a program that reads the end state: oracle, fixture and image have versions too",
    "rubric_judge": "a rubric read by a model: calibrate it on gold labels first; another judge is another ruler",
    "human": "people, labelling independently and blind before they discuss",
}

_TEXT: Final = """\
# A release contract: what {candidate} must show against {baseline}, written before anybody sees results.
# Read every line, put in what holds for you, then: scoretrail contract check FILE, scoretrail contract seal FILE.
# Columns named here are columns of the evidence. _pp: percentage points; _frac: a fraction of 1.
contract: scoretrail.contract/1
id: {id}
title: "{candidate} in place of {baseline}"
modality: {modality}
risk: {risk}

# Who is in the denominator: requests that are eligible, and by which routes they come.
population:
  language: any
  region: any
  tenant: any
  permission: any
  entrance: any
  window: any
  fallback_routes: none

# What one task is. The smallest line of a log is not always one. weight: a column; null: tasks weigh alike.
task: {{unit: "{unit}", weight: null}}

# What counts as done: behaviours that are accepted, evidence that must be there, refusals that are right.
acceptable_behaviours: ["completes the task as its user means it"]
required_evidence: []
allowed_refusals: ["asks where the task lacks information", "declines what its policy forbids"]
end_state: "the task is done, as the scorer checks it"
forbidden_side_effects: ["acts beyond what the task asks for"]
harms: ["wrong advice that a user acts on"]

systems: {{baseline: "{baseline}", candidate: "{candidate}"}}

# The ruler: {scorer_words}.
# Every row of the evidence states scorer_type and scorer_version; rows of another ruler are not compared.
scorer: {{type: {scorer}, version: "1"}}

# What is compared. binary: a column that is true or false. score: a number, with lowest and highest.
# bleu, chrf: give hypothesis and reference in place of column.
outcome: {{column: success, kind: binary}}

# superiority: the lower bound lies above delta_ship_pp, the least gain worth the move.
# non_inferiority: the lower bound lies above minus delta_regress_pp, the most that may be lost.
# alpha: chance, at most, of passing where the truth lies at the margin. expected_pp: the true difference planned for.
objective: {{kind: {objective}, {margin}, alpha: {alpha:g}, expected_pp: {expected:g}}}

# cluster: column of what is sampled as a whole (a repository, a customer); null: tasks stand alone.
# resampling: task, or two_stage where trials are resampled too (it counts their variance twice).
# scoretrail plan FILE says what these numbers can show.
sampling:
  cluster: {cluster}
  minimum_clusters: {minimum_clusters}
  resampling: task
  minimum_tasks: {minimum_tasks}
  minimum_trials: {trials}
  max_unpaired_frac: 0

# Rows without an answer. infrastructure (the service or test bed broke): exclude them, or let them fail.
# Unparsed answers are always counted both ways, as failures and left out, and both must agree.
failures: {{infrastructure: exclude, max_infrastructure_frac: {infrastructure:g}, max_parse_frac: {parse:g}}}

# Columns that every row must state, about the sample: source, label_basis, licence, purpose, sensitivity, lifecycle.
must_state: []

# Columns that are true where something happened that must never happen. One true row blocks; such a success is none.
red_lines:
  - {{id: forbidden-act, column: broke_red_line, harm: "did what the contract forbids"}}{red_lines}

# Limits of each single sample: a success beyond one is none.
sample_budgets: []

# Limits of the candidate over all its samples, held against a bound. statistic: mean, p50, p95, p99, max.
budgets:
  {budget}

# Critical parts of the population, each with its own margin and minimum; all must pass.
slices: []
#  - {{id: german, column: language, value: de, delta_pp: {delta:g}, minimum_tasks: {slice_minimum}}}

# Gates on numeric columns, such as component metrics: at_least or at_most on the candidate, or delta_pp on the loss.
metrics:{metrics}

# What follows. shadow: requests are copied, answers are not shown. canary: small real traffic.
# stop: checked on each batch by a bound that may be looked at any time. rollback: written for a deploy tool.
stages:
  is_shadow_needed: true
  shadow:
    purpose: "compare {candidate} on real requests before users see it"
    recipient: "the team that owns this contract"
    retention: "30 days"
    # Nobody knows these but you. Set true what you have made sure of: one false, and `scoretrail shadow start` refuses.
{entry}
  canary: {{is_randomized: true, unit: user, exposure_frac: 0.05, cohorts: []}}
  stop:
    - {{id: stop-escalations, column: is_escalated, at_most: 0.1, alpha: 0.01, action: rollback}}
  rollback: {{to: "{baseline}", how: "route all traffic back", owner: "on call", within_minutes: 15}}
"""


def contract_text(choices: Choices, defaults: RiskDefaults) -> str:
    """The text of a new contract.

    Args:
        choices: names without quotes, backslashes or line breaks.
        defaults: what the methodology proposes for the risk.
    """
    is_better = choices.objective == "superiority"
    cluster = _CLUSTERS[choices.modality]
    values = {
        **{name: getattr(choices, name) for name in Choices.__dataclass_fields__},
        "unit": _UNITS[choices.modality],
        "scorer_words": _SCORERS[choices.scorer],
        "margin": f"{'delta_ship_pp' if is_better else 'delta_regress_pp'}: {defaults.delta_pp:g}",
        "alpha": defaults.alpha,
        "expected": 2 * defaults.delta_pp if is_better else 0.0,
        "cluster": cluster or "null",
        "minimum_clusters": defaults.minimum_clusters if cluster else "null",
        "minimum_tasks": defaults.minimum_tasks,
        "trials": 4 if choices.modality == "agent" else 1,
        "infrastructure": defaults.max_infrastructure_frac,
        "parse": defaults.max_parse_frac,
        "budget": _RESOURCES[choices.modality],
        "delta": defaults.delta_pp,
        "slice_minimum": defaults.slice_minimum_tasks,
        "red_lines": _RED_LINES if choices.modality == "rag" else "",
        "entry": "\n".join(f"    {flag}: {str(flag in choices.entry).lower()}" for flag in ENTRY_FLAGS),
        "metrics": _METRICS[choices.modality].format(least=defaults.slice_minimum_tasks),
    }
    return _TEXT.format(**values)
