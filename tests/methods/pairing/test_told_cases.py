"""Golden: the pairs told in the cross-source study, each recalled by the rules named, each excluded for its reason.

The study's figures are its own; what its text does not state is left out here, as it is in the bundled snapshot.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import pytest
from pairing_rows import catalog, frame, result

from methods.pairing.fast import candidate_pairs
from methods.pairing.pair_tables import align_pairs, build_pair_tables
from methods.pairing.rules import candidate_pairs_naive
from methods.pairing.scope import pair_scope, surface_difference_pp
from methods.pairing.suggestions import Suggester
from methods.pairing.unlocking import unlock_counts
from warehouse.catalog_model import Decision
from warehouse.metric_model import BenchmarkSpec
from warehouse.pairing_words import PairDecision

COMPUTER_USE = ("model_version", "post_training", "steps", "samples", "effort", "harness", "observation",
                "action_interface", "commit", "seed", "runs", "api_snapshot")  # fmt: skip
IMAGES = ("model_version", "post_training", "samples", "prompt_enhancement", "seed", "runs")
BOOK = catalog(
    benchmarks=[
        *(BenchmarkSpec(benchmark=name, applies=COMPUTER_USE) for name in ("OSWorld", "OSWorld 2")),
        *(BenchmarkSpec(benchmark=name, applies=IMAGES) for name in ("DPG-Bench", "GenEval", "GEdit-Bench", "ImgEdit")),
    ]
)
ARXIV, TARS, CUA = "https://arxiv.org/abs/2504.07491", "https://seed-tars.com/1.5", "https://openai.com/index/cua/"
NO_PE: dict[str, Any] = {"prompt_enhancement": "no PE"}
WITH_PE: dict[str, Any] = {"prompt_enhancement": "official PE"}
TRM: dict[str, Any] = {"post_training": "TRM-guided RL"}
SAI: dict[str, Any] = {"benchmark": "OSWorld 2", "setting": "500 steps, 推理 max", "steps": 500, "value": None}


@dataclass(frozen=True)
class Case:
    """One told pair: its rows, the rules that must recall it, what the study excludes it for, its surface difference.

    `points` is the study's figure in its own direction, which is ours turned round where `turned`.
    """

    name: str
    a: dict[str, Any]
    b: dict[str, Any]
    rules: frozenset[str]
    decision: PairDecision
    reasons: frozenset[str]
    points: str | None = None
    turned: bool = False
    suggested: PairDecision | None = None


def jedi(steps: int, official: float, reported: float, points: str) -> Case:
    return Case(
        f"Jedi-7B at {steps}",
        result("Jedi-7B w/ gpt-4o", "official", value=official, setting=f"{steps} steps", steps=steps),
        result(f"Jedi-7B w/ GPT-4o ({steps} steps)", "self_reported", value=reported),
        frozenset({"protocol_suffix_stripped", "token_similarity", "wrapper_head_and_token_similarity"}),
        "protocol_mismatch",
        frozenset({"benchmark_version", "observation", "action_interface", "runs"}),
        points,
        turned=True,
    )


def image(name: str, a: dict[str, Any], b: dict[str, Any], decision: PairDecision, reason: str, points: str) -> Case:
    hit = frozenset({"protocol_suffix_stripped"})
    return Case(name, a, b, hit, decision, frozenset({reason}), points)


def qwen(benchmark: str, paper: float, reproduced: float, points: str) -> Case:
    return image(
        f"Qwen-Image on {benchmark}",
        result("Qwen-Image [no PE]", "paper", benchmark=benchmark, value=paper, **NO_PE),
        result("Qwen-Image [official PE]", "reproduced", benchmark=benchmark, value=reproduced, **WITH_PE),
        "protocol_mismatch",
        "prompt_enhancement",
        points,
    )


def flux(benchmark: str, baseline: float, trained: float, points: str) -> Case:
    case = image(
        f"Flux2-Klein-9B on {benchmark}",
        result("Flux2-Klein-9B", "reproduced", benchmark=benchmark, value=baseline),
        result("Flux2-Klein-9B + TRM-guided RL", "self_reported", benchmark=benchmark, value=trained, **TRM),
        "version_mismatch",
        "post_training",
        points,
    )
    return Case(**{**vars(case), "turned": True})


CASES = (
    jedi(15, 26.8, 22.74, "4.06"),
    jedi(50, 27.0, 25.02, "1.98"),
    jedi(100, 29.3, 27.04, "2.26"),
    Case(
        "Agent S2",
        result("agent s2 w/ gemini-2.5-pro", "official", value=34.64, steps=15),
        result("Simular Agent S2", "self_reported", value=27.0, setting="15 steps", notes="base model not disclosed"),
        frozenset({"organization_prefix_identity_head"}),
        "version_mismatch",
        frozenset({"model_version", "benchmark_version", "action_interface", "harness", "runs"}),
        "7.64",
        turned=True,
    ),
    Case(
        "Kimi-VL at 15",
        result("Kimi-VL", "self_reported", model_url=ARXIV, value=8.22),
        result("kimi-vl-a3b", "official", model_url="http://arxiv.org/pdf/2504.07491v1.pdf", value=9.7, steps=15),
        frozenset({"same_model_url"}),
        "version_mismatch",
        frozenset({"model_version", "steps"}),
    ),
    Case(
        "Kimi-VL at 100",
        result("Kimi-VL", "self_reported", model_url=ARXIV, value=8.22),
        result("kimi-vl-a3b", "official", model_url="arXiv:2504.07491", value=10.3, steps=100),
        frozenset({"same_model_url"}),
        "version_mismatch",
        frozenset({"model_version", "steps"}),
    ),
    Case(
        "UI-TARS-1.5",
        result("UI-TARS-1.5 (100 steps)", "self_reported", model_url=TARS, value=42.5, notes="more than 20B"),
        result("uitars-1.5-7b", "official", model_url=f"{TARS}/", value=25.2, steps=100),
        frozenset({"same_model_url"}),
        "version_mismatch",
        frozenset({"model_version"}),
    ),
    Case(
        "OpenAI CUA",
        result("OpenAI CUA 4o (15 steps)", "self_reported", model_url=CUA, value=19.7),
        result("computer-use-preview", "official", model_url=CUA, value=26.0, steps=15),
        frozenset({"same_model_url"}),
        "protocol_mismatch",
        frozenset({"model_version", "harness"}),
        suggested="unsure",
    ),
    Case(
        "Sai w/ Claude Opus 5",
        result("Sai w/ Claude Opus 5", "self_reported", notes="规划模型：claude-opus-5。", **SAI),
        result("Claude Opus 5", "official", model_id="claude-opus-5", notes="with batch tool", **SAI),
        frozenset({"wrapper_backend_to_bare_model", "planner_model_in_notes"}),
        "protocol_mismatch",
        frozenset({"harness", "action_interface"}),
    ),
    qwen("DPG-Bench", 88.32, 87.2, "-1.12"),
    qwen("GenEval", 87.0, 91.0, "4.00"),
    flux("GEdit-Bench", 76.4, 78.2, "1.80"),
    flux("ImgEdit", 81.0, 82.6, "1.60"),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_each_told_pair_is_recalled_and_excluded_for_its_reason(case: Case) -> None:
    rows = frame([case.a, case.b])
    (pair,) = candidate_pairs_naive(rows, BOOK)
    assert candidate_pairs(rows, BOOK).pairs() == [pair]
    assert case.rules <= set(pair.rules)

    decided = Decision.model_validate(
        {"entry_id_a": pair.entry_id_a, "entry_id_b": pair.entry_id_b, "decision": case.decision, "reason": "as told",
         "reviewer": "reviewer", "reviewed_at": "2026-10-20"}
    )  # fmt: skip
    tables = build_pair_tables(rows, catalog(benchmarks=BOOK.benchmarks, decisions=[decided]))
    assert tables.review.equals_generated
    (row,) = tables.candidates.to_dicts()
    assert row["decision"] == case.decision
    assert case.reasons <= set(row["blocking_fields"])
    assert "steps" not in set(row["blocking_fields"]) - case.reasons

    claimed = catalog(benchmarks=BOOK.benchmarks, decisions=[decided.model_copy(update={"decision": "aligned"})])
    refused = build_pair_tables(rows, claimed)
    assert refused.review.unconfirmed == {pair.pair_id: tuple(row["blocking_fields"])}
    assert refused.candidates["decision"].to_list() == [None]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_surface_differences_and_suggestions(case: Case) -> None:
    difference = surface_difference_pp(case.a, case.b)
    if case.points is not None:
        assert difference == Decimal(case.points) * (-1 if case.turned else 1)
    if case.a["value"] is None:
        assert difference is None
    suggestion = Suggester(BOOK).suggest(case.a, case.b)
    assert suggestion.decision == (case.suggested or case.decision), suggestion.reason
    assert suggestion.origin == "suggestion"


def test_all_told_pairs_at_once() -> None:
    """Rows of one benchmark together: the pre-filters keep budgets apart, and nothing told is lost."""
    rows = frame([row for case in CASES for row in (case.a, case.b) if case.name != "Kimi-VL at 100"])
    index = candidate_pairs(rows, BOOK)
    assert index.pairs() == candidate_pairs_naive(rows, BOOK)
    names = dict(rows.select("entry_id", "model").rows())
    recalled = {frozenset((names[pair.entry_id_a], names[pair.entry_id_b])) for pair in index.pairs()}
    assert {frozenset((case.a["model"], case.b["model"])) for case in CASES} <= recalled
    alignments = align_pairs(index.frame, rows, BOOK)
    found = unlock_counts(alignments.values())
    assert found.alignable == 0
    assert found.pairs == len(index.pairs())
    assert all(field.alone == 0 for field in found.fields)
    assert found.contradicted == 2  # Qwen-Image twice: recording more mends nothing there


def test_the_scope_of_a_told_comparison() -> None:
    case = CASES[0]
    (alignment,) = align_pairs(
        candidate_pairs(frame([case.a, case.b]), BOOK).frame, frame([case.a, case.b]), BOOK
    ).values()
    scope = pair_scope(case.a, case.b, alignment)
    assert scope.sentence == (
        "a surface difference of -4.06 percentage points (self reported minus official); step budget equal, model "
        "version, post training, question-set version, subset, number of samples, harness, observation input, action "
        "interface and number of runs not stated on both sides: no claim about the source."
    )
    qwen_scope = pair_scope(CASES[-4].a, CASES[-4].b, _alignment(CASES[-4]))
    assert "prompt enhancement different" in qwen_scope.supports
    assert qwen_scope.does_not_support == "no claim about the source"


def _alignment(case: Case) -> Any:
    rows = frame([case.a, case.b])
    (alignment,) = align_pairs(candidate_pairs(rows, BOOK).frame, rows, BOOK).values()
    return alignment
