"""Publication refuses verdicts that do not let a gate stand: each reason its own test."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from standing_day import FORMER, MADE, NOON, Stand, catalog_of, only, waiver

from methods.release.publication import aimless_waivers, valid_waiver
from warehouse.tables import INPUTS
from warehouse.vocabulary import Verdict


@pytest.mark.parametrize("verdict", ["fail", "error", "inconclusive"])
def test_a_verdict_that_is_no_pass_is_refused(verdict: Verdict) -> None:
    """A gate that crashed is `error`, and that is no pass."""
    stand = Stand()
    stand.judge("suite-core__evidence", verdict, evaluated=0)
    only(stand.refusals(), f"gate suite-core__evidence: {verdict}: what suite-core__evidence found")


def test_a_pass_that_looked_at_nothing_is_no_pass() -> None:
    stand = Stand()
    stand.judge("weights-sum", "pass", evaluated=0)
    only(stand.refusals(), "gate weights-sum: passed without looking at anything")


def test_not_applicable_although_a_baseline_exists_is_refused() -> None:
    stand = Stand()
    stand.judge("rows-lost", "not_applicable", evaluated=0)
    only(stand.refusals(), f"gate rows-lost: says not_applicable, but release {FORMER} is there")


def test_not_applicable_of_a_gate_that_needs_no_baseline_is_refused() -> None:
    stand = Stand(baseline=None)
    stand.judge("rows-lost", "not_applicable", evaluated=0)
    stand.judge("weights-sum", "not_applicable", evaluated=0)
    only(stand.refusals(), "gate weights-sum: says not_applicable, but it needs no baseline")


def test_a_verdict_against_another_baseline_is_refused() -> None:
    """A backfill made an earlier release meanwhile, or the baseline was withdrawn: only gates that compare are void."""
    stand = Stand()
    other = "2026-10-19-ffffffffffff"
    only(stand.refusals(baseline_release_id=other), f"gate rows-lost: compared with release {FORMER}")
    first = Stand(baseline=None)
    first.judge("rows-lost", "not_applicable", evaluated=0)
    reasons = first.refusals(baseline_release_id=FORMER)
    assert len(reasons) == 2
    assert all(reason.startswith("gate rows-lost") for reason in reasons)


def test_an_expired_waiver_is_refused() -> None:
    """The verdict was waived while the waiver held; publication comes after it ended."""
    stand = Stand(catalog_of(waivers=(waiver(NOON + timedelta(hours=1)),)))
    stand.judge("weights-sum", "waived")
    assert stand.refusals() == []
    only(
        stand.refusals(decided_at=NOON + timedelta(hours=2)),
        "gate weights-sum: says waived, but no waiver was in force at 2026-10-20T14:00:00+00:00",
    )
    stand.judge("weights-sum", "waived", at=NOON + timedelta(hours=2))
    only(stand.refusals(), "no waiver was in force at 2026-10-20T14:00:00+00:00")


def test_waived_without_a_waiver_or_with_anothers_is_refused() -> None:
    for waivers in ((), (waiver(gate="rows-lost"),)):
        stand = Stand(catalog_of(waivers=waivers))
        stand.judge("weights-sum", "waived")
        only(stand.refusals(), "gate weights-sum: says waived")


def test_a_waiver_does_not_lift_an_error() -> None:
    """Only a fail can be waived."""
    stand = Stand(catalog_of(waivers=(waiver(),)))
    stand.judge("weights-sum", "error")
    only(stand.refusals(), "gate weights-sum: error")


def test_the_longest_waiver_in_force_counts() -> None:
    short, long = waiver(NOON), waiver(NOON + timedelta(days=9))
    assert valid_waiver((short, long), "weights-sum", NOON) == long
    assert valid_waiver((short,), "weights-sum", NOON) == short
    assert valid_waiver((short,), "weights-sum", NOON + timedelta(microseconds=1)) is None
    assert valid_waiver((), "weights-sum", NOON) is None


def test_a_verdict_copied_from_another_gate_or_about_another_table_is_refused() -> None:
    stand = Stand()
    stand.verdicts["weights-sum"] = stand.verdicts["suite-core__evidence"]
    only(stand.refusals(), "gate weights-sum: its verdict is that of gate suite-core__evidence")
    stand.judge("weights-sum")
    stand.verdicts["weights-sum"] = replace(stand.verdicts["weights-sum"], inputs={})
    only(stand.refusals(), "gate weights-sum: its verdict does not say which out__score_weight it judged")


def test_a_verdict_with_a_key_of_its_own_making_is_refused() -> None:
    stand = Stand()
    stand.verdicts["weights-sum"] = replace(stand.verdicts["weights-sum"], verdict_key="0" * 64)
    only(stand.refusals(), "gate weights-sum", "run it again")


def test_gates_that_are_not_required_or_guard_another_product_do_not_block() -> None:
    stand = Stand()
    stand.judge("tier-mix", "fail")
    stand.judge("study-gate", "fail")
    assert stand.refusals() == []
    only(stand.refusals(product="source_study"), "gate study-gate: fail")


def test_a_product_that_no_gate_guards_is_refused() -> None:
    only(Stand().refusals(product="nobody"), "requires no gate of nobody")
    only(Stand(catalog_of([])).refusals(), "requires no gate of scores")


def test_every_reason_is_given_not_only_the_first() -> None:
    stand = Stand()
    stand.judge("suite-core__evidence", "fail")
    stand.judge("weights-sum", "error")
    stand.actual["core__exclusion"] = "x"
    made_of_it = sum("core__exclusion" in given for given in (INPUTS[name] for name in MADE))
    assert len(stand.refusals()) == 3 + made_of_it


def test_a_waiver_of_no_gate_is_told_while_it_lasts() -> None:
    """The file is append-only: what it waived once may be gone since."""
    ends = NOON + timedelta(days=1)
    stray = catalog_of(waivers=(waiver(ends), waiver(ends, gate="rows-list")))
    (said,) = aimless_waivers(stray, ends)
    assert "waiver of rows-list" in said and "lets nothing pass" in said
    assert aimless_waivers(stray, ends + timedelta(seconds=1)) == []
    assert aimless_waivers(catalog_of(waivers=(waiver(ends),)), NOON) == []
