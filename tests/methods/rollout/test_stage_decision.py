"""Decisions on real traffic: what ships, what is blocked, what stays open without lots, and how often it errs."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from traffic import batch, contract

from methods.decision.samples import SampleError, Samples
from methods.decision.verdict import Decision
from methods.rollout.always_valid import always_valid
from methods.rollout.batch_columns import typed_batch
from methods.rollout.group_gates import needed_units
from methods.rollout.monitor import monitor
from methods.rollout.stage_decision import decide_evidence, decide_stage, stage_evidence
from methods.rollout.stage_gates import stage_gates
from methods.rollout.study_tables import canary_tables
from methods.statistics.fixed_point import SCALE
from resources.catalog_files import load_catalog
from warehouse.release_contract import ReleaseContract, Seal
from warehouse.tables import TABLES

METHODOLOGY = load_catalog(Path(__file__).resolve().parents[3] / "warehouse" / "catalog").catalog.methodology
RULES = METHODOLOGY.rollout


def sealed(**stages: Any) -> ReleaseContract:
    found = contract(**stages)
    return found.model_copy(update={"seal": Seal(sha256=found.sha256, sealed_at="2026-01-01T00:00:00Z")})  # type: ignore[arg-type]


def scored(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.with_columns(scorer_type=pl.lit("rule"), scorer_version=pl.lit("1"))


def decided(asked: ReleaseContract, *batches: pl.DataFrame, stage: Any = "canary") -> Decision:
    found = monitor(asked, stage, [typed_batch(asked, scored(one)) for one in batches], RULES)
    return decide_stage(asked, found, stage_gates(asked, found, RULES), METHODOLOGY)


def outcome_of(decision: Decision, gate: str) -> str:
    return next(one.outcome for one in decision.gates if one.id == gate)


def test_a_good_canary_ships() -> None:
    found = decided(
        sealed(canary={"exposure_frac": 0.5}), *(batch(n, 20000, exposure=0.5, success=0.9) for n in range(3))
    )
    assert found.verdict == "ship", [gate for gate in found.gates if gate.outcome != "pass"]
    gate = next(one for one in found.gates if one.id == "objective")
    assert gate.method == "always_valid"
    assert gate.low is not None
    assert -3 < gate.low < gate.estimate  # type: ignore[operator]


def test_too_little_is_no_verdict_and_says_how_much_would_be() -> None:
    found = decided(sealed(), batch(1, 4000))
    assert found.verdict == "insufficient_evidence"
    gate = next(one for one in found.gates if one.id == "objective")
    assert gate.needed_tasks is not None
    assert gate.needed_tasks > 1000
    assert "would decide, were the difference +0 points" in gate.detail


def test_a_worse_candidate_is_blocked() -> None:
    worse = [
        one.with_columns(success=pl.col("success") & ((pl.col("system") == "assistant-1") | (pl.col("latency_s") < 2)))
        for one in (batch(n, 4000, exposure=0.5) for n in range(2))
    ]
    found = decided(sealed(canary={"exposure_frac": 0.5}), *worse)
    assert (found.verdict, outcome_of(found, "objective")) == ("block", "fail")
    harmed = decided(sealed(), batch(1, 4000, harm=0.01))
    assert (harmed.verdict, outcome_of(harmed, "red-line.money")) == ("block", "fail")
    slow = decided(sealed(), batch(1, 4000, error=0.3))
    assert (slow.verdict, outcome_of(slow, "stage.errors")) == ("block", "fail")


def test_without_lots_nothing_ships() -> None:
    asked = sealed(canary={"is_randomized": False, "exposure_frac": 0.5})
    found = decided(asked, *(batch(n, 20000, exposure=0.5, success=0.9) for n in range(3)))
    assert found.verdict == "insufficient_evidence"
    assert outcome_of(found, "objective") == "inconclusive"
    gate = next(one for one in found.gates if one.id == "objective")
    assert "no effect is claimed" in gate.detail
    assert gate.needed_tasks is None


def test_shadow_compares_both_answers_to_one_request() -> None:
    draw = np.random.default_rng(2)
    one = batch(1, 600).with_columns(success=pl.Series(draw.random(600) < 0.8))
    pairs = pl.concat([one.with_columns(system=pl.lit(name), requested_model=pl.lit(name), returned_model=pl.lit(name))
                       for name in ("assistant-1", "assistant-2")])  # fmt: skip
    quiet = pairs.with_columns(error=pl.lit(False), wrong_refund=pl.lit(False))
    found = decided(sealed(), quiet, stage="shadow")
    assert found.verdict == "canary", [gate for gate in found.gates if gate.outcome != "pass"]
    assert outcome_of(found, "stage.shadow-entry") == "pass"
    closed = decided(sealed(shadow={"are_write_tools_off": False}), quiet, stage="shadow")
    assert closed.verdict == "block"


def test_unparsed_answers_must_not_decide() -> None:
    frame = batch(1, 40000, exposure=0.5, success=0.97)
    unparsed = frame.with_columns(
        parse_status=pl.when(pl.col("task").str.ends_with("7") & (pl.col("system") == "assistant-2"))
        .then(pl.lit("failed"))
        .otherwise(pl.lit("ok"))
    )
    found = decided(sealed(canary={"exposure_frac": 0.5}), unparsed)
    assert outcome_of(found, "evidence.parse") == "inconclusive"
    assert outcome_of(found, "evidence.parse-agreement") == "inconclusive"


def test_what_cannot_be_compared_is_said() -> None:
    with pytest.raises(SampleError, match="no column success"):
        decided(sealed(), batch(1).drop("success"))
    with pytest.raises(SampleError, match="row 1: task must be stated"):
        typed_batch(sealed(), batch(1).with_columns(task=pl.lit(None, dtype=pl.String)))
    with pytest.raises(SampleError, match="no column task"):
        typed_batch(sealed(), batch(1).drop("task"))
    with pytest.raises(SampleError, match="error 'often' is not a finite number"):
        typed_batch(sealed(), batch(1).with_columns(error=pl.lit("often")))
    for words in ({"parse_status": "Failed"}, {"infrastructure_status": "down"}, {"eligibility": "no"}):
        name, word = next(iter(words.items()))
        with pytest.raises(SampleError, match=f"row 1: {name} '{word}': "):
            typed_batch(sealed(), batch(1).with_columns(pl.lit(word).alias(name)))
    told = typed_batch(sealed(), batch(1).with_columns(error=pl.lit("true"), wrong_refund=pl.lit("no")))
    assert told["error"].to_list()[:2] == [1.0, 1.0]
    assert told["wrong_refund"].to_list()[:2] == [False, False]


def test_at_the_margin_it_ships_as_seldom_as_the_contract_says() -> None:
    """A true loss of exactly the margin, ten looks: at most alpha and three Monte-Carlo errors."""
    worlds, looks, n, half = 200, 10, 400, 0.05 / 2
    draw, shipped = np.random.default_rng(12), 0
    mine = np.cumsum(draw.binomial(n, 0.87, (worlds, looks)), axis=1)
    other = np.cumsum(draw.binomial(n, 0.90, (worlds, looks)), axis=1)
    for world in range(worlds):
        for look in range(looks):
            units = n * (look + 1)
            if (mine[world, look] - other[world, look]) / units < -0.03:
                continue  # the point estimate does not clear the margin: no lower bound does
            low = always_valid(units, int(mine[world, look]) * SCALE, half, RULES.prior).low
            if low - always_valid(units, int(other[world, look]) * SCALE, half, RULES.prior).high > -0.03:
                shipped += 1
                break
    assert shipped / worlds <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / worlds)


def test_a_gate_rests_on_these_bounds() -> None:
    asked = sealed(canary={"exposure_frac": 0.5})
    frame = batch(4, 3000, exposure=0.5)
    found = next(one for one in decided(asked, frame).gates if one.id == "objective")
    won = {name: frame.filter(pl.col("system") == name)["success"] for name in ("assistant-1", "assistant-2")}
    bound = {name: always_valid(one.len(), int(one.sum()) * SCALE, 0.025, RULES.prior) for name, one in won.items()}
    assert found.low == 100 * (bound["assistant-2"].low - bound["assistant-1"].high)
    assert found.high == 100 * (bound["assistant-2"].high - bound["assistant-1"].low)


def test_the_number_that_would_decide_does() -> None:
    from methods.decision.objective_gates import questions

    asked = sealed(canary={"exposure_frac": 0.5})
    question = questions(asked)[0][0]
    needed = needed_units(question, asked, 0.9, RULES)
    assert needed is not None

    def clears(units: int) -> bool:
        bound = always_valid(units, round(0.9 * SCALE) * units, 0.025, RULES.prior)
        return bound.low - bound.high > -0.03

    assert clears(needed)
    assert not clears(needed - 1)


def test_registered_samples_of_a_stage_are_looked_at_batch_by_batch() -> None:
    asked = sealed()
    frames = [scored(batch(n, 900, error=0.2)) for n in (1, 2)]
    together = pl.concat([one.with_columns(batch=pl.lit(n)) for n, one in enumerate(frames, start=1)])
    samples = Samples(together, asked.sha256, "canary")
    found = decide_evidence(asked, samples, METHODOLOGY)
    assert (found.stage, found.verdict) == ("canary", "block")
    evidence = stage_evidence(asked, samples, METHODOLOGY)
    tables = canary_tables("study", asked, evidence, METHODOLOGY)
    for name, frame in tables.items():
        assert TABLES[name].conform(frame).height == {"out__canary_look": 4, "out__canary_exposure": 2,
            "out__canary_cohort": 3, "out__canary_model": 2, "out__canary_action": 1}[name]  # fmt: skip
    action = tables["out__canary_action"].row(0, named=True)
    assert (action["action"], action["batches"], action["rules"]) == ("rollback", 2, ["stage.errors"])
    assert {len(frame) for frame in canary_tables("study", asked, None, METHODOLOGY).values()} == {0}
    with pytest.raises(SampleError, match="must be stated in every row"):
        gap = together.with_columns(batch=pl.when(pl.col("task") == "b1-0").then(None).otherwise(pl.col("batch")))
        stage_evidence(asked, Samples(gap, asked.sha256, "canary"), METHODOLOGY)
    with pytest.raises(SampleError, match="names contract"):
        decide_evidence(asked, Samples(together, "0" * 64, "canary"), METHODOLOGY)
