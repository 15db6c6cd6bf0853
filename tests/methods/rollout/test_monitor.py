"""Looks at batches: by hand, against plain Python, under continuous looks, and what each fault asks for."""

from __future__ import annotations

import math
from typing import Any

import polars as pl
import pytest
from traffic import batch, contract

from methods.rollout.action import action_document, asked_for, reasons
from methods.rollout.always_valid import log_evidence
from methods.rollout.cohorts import cohort_table
from methods.rollout.monitor import Monitoring, monitor
from methods.rollout.returned_models import returned_models
from methods.rollout.stage_gates import shadow_entry_gate, stage_gates
from methods.rollout.units import RolloutError
from methods.statistics.fixed_point import SCALE
from warehouse.release_contract import ReleaseContract
from warehouse.rollout_rules import RolloutRules

RULES = RolloutRules(prior=0.5, exposure_alpha=0.001, exposure_concentration=100, max_other_model_frac=0.01)


def told(
    asked: ReleaseContract, *batches: pl.DataFrame, stage: Any = "canary"
) -> tuple[Monitoring, str, dict[str, Any]]:
    found = monitor(asked, stage, batches, RULES)
    gates = stage_gates(asked, found, RULES)
    why = reasons(asked, found, gates)
    written = action_document(
        asked, found, why, name="one", evidence_sha256="0" * 64, decided_at="2026-01-01T00:00:00Z"
    )
    assert written["action"] == asked_for(why)
    return found, asked_for(why), written


def rows(*lines: tuple[str, str, str, float | None]) -> pl.DataFrame:
    """(system, task, user, error), all else in order."""
    frame = pl.DataFrame(list(lines), schema=["system", "task", "user", "error"], orient="row")
    return frame.with_columns(
        pl.col("error").cast(pl.Float64), latency_s=pl.lit(1.0), wrong_refund=pl.lit(False), success=pl.lit(True),
        region=pl.lit("north"), requested_model=pl.col("system"), returned_model=pl.col("system"),
    )  # fmt: skip


def test_by_hand() -> None:
    asked = contract()
    first = rows(
        ("assistant-2", "t1", "ann", 1.0),
        ("assistant-2", "t2", "ann", 0.0),  # one user, one value: a half
        ("assistant-2", "t3", "ben", 0.0),
        ("assistant-1", "t4", "eva", 0.0),
    )
    second = rows(
        ("assistant-2", "t5", "ann", 1.0),  # came before: counts no more
        ("assistant-2", "t6", "dan", None),  # states nothing
        ("assistant-1", "t7", "eva", 1.0),
    )
    found, _, _ = told(asked, first, second)
    looks = [look for look in found.stops if look.rule.id == "errors"]
    assert [(look.units, look.unstated, look.mean, look.baseline_mean) for look in looks] == [
        (2, 0, 0.25, 0.0), (2, 1, 0.25, 0.0),
    ]  # fmt: skip
    # One batch: half of the weight is on a beginning with it, half on beginnings to come.
    first_look = math.log((math.exp(log_evidence(2, SCALE // 2, 0.02, 0.5)) + 1) / 2)
    assert looks[0].log_evidence == pytest.approx(first_look, abs=1e-6)
    assert (looks[0].since, looks[0].since_mean) == (1, 0.25)
    assert found.repeated_units == 1
    slow = next(look for look in found.last_stops if look.rule.id == "slow")
    assert (slow.mean, slow.rule.is_proxy) == (1.0, True)
    assert [(look.exposure.candidate, look.exposure.baseline) for look in found.exposures] == [(2, 1), (3, 1)]


def test_a_sound_canary_goes_on_and_says_what_is_sure() -> None:
    found, action, written = told(contract(), *(batch(n, 3000) for n in range(6)))
    assert action == "continue"
    assert written["is_candidate_fed"] is True
    assert written["max_candidate_frac"] == 0.1
    assert written["rollback"] is None
    assert {look.state for look in found.last_stops} <= {"within", "open"}
    assert next(look for look in found.last_stops if look.rule.id == "slow").state == "within"


def test_too_many_errors_roll_back_and_later_batches_take_nothing_back() -> None:
    bad = [batch(n, error=0.2) for n in range(3)]
    _, action, written = told(contract(), *bad)
    assert action == "rollback"
    assert written["max_candidate_frac"] == 0.0
    assert written["rollback"] == {"to": "assistant-1", "how": "set the flag", "owner": "on call", "within_minutes": 10}
    at = written["reasons"][0]["batch"]
    assert written["reasons"][0]["rule"] == "stage.errors"
    assert at <= 3
    later, again, rewritten = told(contract(), *bad, *(batch(n, 20000, error=0.0) for n in (10, 11)))
    assert (again, rewritten["reasons"][0]["batch"]) == ("rollback", at)
    assert next(look for look in later.last_stops if look.rule.id == "errors").mean < 0.02
    # In shadow nothing of it reached anybody: there is nothing to return from.
    _, shadowed, document = told(contract(), *bad, stage="shadow")
    assert (shadowed, document["rollback"], document["max_candidate_frac"]) == ("stop", None, 0.0)


def test_one_broken_red_line_rolls_back_whoever_it_was() -> None:
    clean, broken = batch(1), batch(2).with_columns(wrong_refund=pl.col("system") == "assistant-2")
    _, action, written = told(contract(), clean, broken)
    assert action == "rollback"
    assert (written["reasons"][0]["rule"], written["reasons"][0]["batch"]) == ("red-line.money", 2)
    _, action, written = told(contract(), clean.drop("wrong_refund"))
    assert (action, written["reasons"][0]["rule"]) == ("hold", "red-line.money")


def test_exposure_off_plan_holds() -> None:
    _, action, written = told(contract(), *(batch(n, exposure=0.16) for n in range(4)))
    assert (action, written["reasons"][0]["rule"]) == ("hold", "stage.exposure")
    assert "sample-ratio mismatch, found after batch" in written["reasons"][0]["detail"]
    # Not assigned at random: no plan is broken, and nothing is concluded from it.
    _, action, _ = told(contract(canary={"is_randomized": False}), *(batch(n, exposure=0.16) for n in range(4)))
    assert action == "continue"


def test_a_unit_in_both_groups_holds() -> None:
    both = batch(2).with_columns(user=pl.lit("user-b1-0"))
    _, action, written = told(contract(), batch(1), both)
    assert (action, written["reasons"][0]["rule"]) == ("hold", "stage.exposure")
    assert "1 unit came in both groups" in written["reasons"][0]["detail"]


def test_other_models_that_answered_hold() -> None:
    _, action, written = told(contract(), batch(1, other_model=0.2))
    assert (action, written["reasons"][0]["rule"]) == ("hold", "stage.returned-model")
    assert "assistant-2 answered by fallback" in written["reasons"][0]["detail"]
    found, action, written = told(contract(), batch(1).drop("returned_model"))
    assert (action, written["reasons"][0]["rule"]) == ("hold", "stage.returned-model")
    [mine] = returned_models(found.rows, ("assistant-2",))
    assert (mine.same, mine.other, mine.unstated) == (0, 0, mine.rows)


def test_what_is_not_recorded_holds() -> None:
    _, action, written = told(contract(), batch(1).drop("error"))
    assert (action, written["reasons"][0]["rule"]) == ("hold", "stage.errors")
    assert "record it" in written["reasons"][0]["detail"]
    gaps = batch(1, 4000).with_columns(
        error=pl.when(pl.col("task").str.ends_with("7")).then(None).otherwise(pl.col("error"))
    )
    found, action, _ = told(contract(), gaps)
    assert action == "hold", "a tenth of the units state nothing, and could be errors"
    assert next(look for look in found.last_stops if look.rule.id == "errors").state == "unclear"


def test_no_batch_is_nothing_to_act_on_and_no_pass() -> None:
    found, action, written = told(contract())
    assert (action, written["evidence"]["batches"], found.stops) == ("continue", 0, ())


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (batch(1).with_columns(system=pl.lit("assistant-3")), "batch 1, row 1: system 'assistant-3' is neither"),
        (batch(1).drop("user"), "batch 1: no column 'user'"),
        (batch(1).with_columns(user=pl.lit(None, dtype=pl.String)), "batch 1, row 1: states no user"),
        (batch(1).with_columns(error=pl.lit("no")), "column error: holds String"),
        (batch(1).with_columns(latency_s=pl.lit(31.0)), "column latency_s: 31.0 lies outside 0 to 30"),
        (batch(1).with_columns(wrong_refund=pl.lit("no")), "column wrong_refund: holds String"),
    ],
)
def test_what_cannot_be_read_is_named(broken: pl.DataFrame, said: str) -> None:
    with pytest.raises(RolloutError, match=said):
        monitor(contract(), "canary", [broken], RULES)


def test_a_request_counts_once() -> None:
    again = batch(1).head(1)
    with pytest.raises(
        RolloutError, match=r"batch 2, row 1: task 'b1-0' of 'assistant-.' came already in batch 1, row 1"
    ):
        monitor(contract(), "canary", [batch(1), again], RULES)


def exact(n: int, k: int, limit: float) -> float:
    """E for binary values by numerical integration, where a = 1/2."""
    from scipy.integrate import quad

    def weight(p: float) -> float:
        return p**-0.5 * (1 - p) ** -0.5

    above, _ = quad(lambda p: (p / limit) ** k * ((1 - p) / (1 - limit)) ** (n - k) * weight(p), limit, 1, limit=200)
    return above / quad(weight, limit, 1)[0]


def test_what_breaks_later_does_not_hide_behind_a_good_beginning() -> None:
    """Ten sound batches, then ten times the errors: found at once, while all units together are within the limit."""
    good = [batch(n, 3000, error=0.001) for n in range(10)]
    found, action, written = told(contract(), *good, batch(11, 3000, error=0.1))
    look = next(one for one in found.last_stops if one.rule.id == "errors")
    assert (action, look.state, look.since) == ("rollback", "crossed", 11)
    assert look.mean is not None
    assert look.mean < 0.02 < look.since_mean  # type: ignore[operator]
    assert "from batch 11 on; all together" in written["reasons"][0]["detail"]


def test_as_plain_python_and_whatever_the_order_of_rows() -> None:
    batches = [batch(n, 120, seed=3, error=0.06) for n in range(4)]
    found = monitor(contract(), "canary", batches, RULES)
    errors: list[float] = []
    parts: list[tuple[int, int]] = []
    largest = 0.0
    for number, frame in enumerate(batches, start=1):
        errors += [float(row["error"]) for row in frame.rows(named=True) if row["system"] == "assistant-2"]
        look = next(one for one in found.stops if one.batch == number and one.rule.id == "errors")
        assert look.units == len(errors)
        assert look.mean == pytest.approx(sum(errors) / len(errors))
        parts.append((len(errors) - sum(n for n, _ in parts), int(sum(errors)) * SCALE - sum(t for _, t in parts)))
        together = 1 / (number + 1)
        for start in range(1, number + 1):
            n, total = (sum(part[k] for part in parts[start - 1 :]) for k in (0, 1))
            together += exact(n, total // SCALE, 0.02) / (start * (start + 1))
        largest = max(largest, math.log(together))
        assert look.log_evidence == pytest.approx(largest, abs=1e-6)
        assert (look.state == "crossed") == (largest >= math.log(100))
    shuffled = monitor(contract(), "canary", [one.sample(fraction=1.0, shuffle=True, seed=1) for one in batches], RULES)
    assert shuffled.stops == found.stops
    assert shuffled.exposures == found.exposures


def test_sound_candidates_are_stopped_as_seldom_as_the_contract_says() -> None:
    """Errors at their limit, eight looks: at most the sum of both alphas and three Monte-Carlo errors."""
    worlds, alpha = 40, 0.02
    stopped = 0
    for seed in range(worlds):
        batches = [batch(n, 150, seed=seed, error=0.02, exposure=0.5) for n in range(8)]
        looks = monitor(contract(canary={"exposure_frac": 0.5}), "canary", batches, RULES).last_stops
        stopped += any(look.state == "crossed" for look in looks)
    assert stopped / worlds <= alpha + 3 * math.sqrt(alpha * (1 - alpha) / worlds)


def test_cohorts_claim_no_effect_where_nobody_drew_lots() -> None:
    batches = [batch(n, 2000, success=0.7) for n in range(3)]
    skewed = [
        one.with_columns(
            region=pl.when(pl.col("system") == "assistant-2").then(pl.lit("north")).otherwise(pl.col("region"))
        )
        for one in batches
    ]
    asked = contract(canary={"is_randomized": False})
    found = monitor(asked, "canary", skewed, RULES)
    table = cohort_table(found.rows, asked, RULES, 3)
    assert table["cohort"].to_list() == ["all", "north", "south"]
    assert set(table["reading"]) == {"operational"}
    assert table["effect_pp"].null_count() == 3
    north = table.row(1, named=True)
    assert (north["candidate_frac"], north["composition_difference_pp"]) == (1.0, pytest.approx(50, abs=4))
    south = table.row(2, named=True)
    assert (south["candidate_units"], south["candidate_mean"]) == (0, None)


def test_cohorts_of_drawn_lots_state_an_effect_with_bounds() -> None:
    batches = [batch(n, 4000, exposure=0.5) for n in range(2)]
    drop = (
        pl.when(pl.col("system") == "assistant-2")
        .then(pl.col("success") & (pl.col("latency_s") < 2))
        .otherwise(pl.col("success"))
    )
    asked = contract(canary={"exposure_frac": 0.5})
    worse = [one.with_columns(success=drop) for one in batches]
    row = cohort_table(monitor(asked, "canary", worse, RULES).rows, asked, RULES, 2).row(0, named=True)
    assert row["reading"] == "randomized"
    assert row["effect_low_pp"] < row["effect_pp"] < row["effect_high_pp"] < 0
    assert row["effect_pp"] == pytest.approx(100 * (row["candidate_mean"] - row["baseline_mean"]))


def test_entry_to_shadow() -> None:
    gate = shadow_entry_gate(contract())
    assert gate is not None
    assert gate.outcome == "pass"
    closed = shadow_entry_gate(contract(shadow={"are_write_tools_off": False, "is_residency_checked": False}))
    assert closed is not None
    assert (closed.outcome, closed.id) == ("fail", "stage.shadow-entry")
    assert "write tools are off; data residency is checked" in closed.detail
    assert shadow_entry_gate(contract(shadow=None, is_shadow_needed=False)) is None
