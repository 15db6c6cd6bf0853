"""Publication refuses tables that do not stand as they must: each reason its own test, and no other reason."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta

import pytest
from standing_day import CODE, DAY, FORMER, GATES, MADE, NOON, RELEASE, Stand, catalog_of, only

from methods.release.publication import refusals
from warehouse.canonical import sha256_hex


def test_what_stands_may_be_published() -> None:
    assert Stand().refusals() == []


def test_a_first_release_may_be_published_without_baseline() -> None:
    stand = Stand(baseline=None)
    stand.judge("rows-lost", "not_applicable", evaluated=0)
    assert stand.refusals() == []


# Publishing alone, without checks, after a re-materialization, on an old partition.


def test_publishing_alone_with_nothing_made_is_refused() -> None:
    reasons = refusals(
        DAY, catalog_of(), {}, {}, {}, None, code_version=CODE, release_id=RELEASE, decided_at=NOON
    )  # fmt: skip
    assert len(reasons) == len(MADE) + 3
    assert reasons[0] == "raw__snapshot: was not made for 2026-10-20; run the whole graph for that day"


@pytest.mark.parametrize("name", MADE)
def test_one_missing_table_is_refused(name: str) -> None:
    stand = Stand()
    del stand.stamps[name]
    del stand.actual[name]
    assert any(reason.startswith(f"{name}: was not made for 2026-10-20") for reason in stand.refusals())


def test_a_run_without_checks_is_refused() -> None:
    stand = Stand()
    stand.verdicts.clear()
    reasons = stand.refusals()
    assert [reason.split(":")[0] for reason in reasons] == [
        "gate suite-core__evidence", "gate weights-sum", "gate rows-lost",
    ]  # fmt: skip
    assert all("gave no verdict for 2026-10-20; run the checks" in reason for reason in reasons)


def test_a_failing_verdict_in_the_store_is_refused_by_publishing_alone() -> None:
    """B04: verdict(hash H) = fail stands in the store; publishing alone refuses."""
    stand = Stand()
    stand.judge("weights-sum", "fail")
    only(stand.refusals(), "gate weights-sum: fail: what weights-sum found")


def test_after_rematerialization_the_old_verdict_no_longer_counts() -> None:
    stand = Stand()
    stand.materialize("out__score_weight", "other values")
    only(stand.refusals(), "gate weights-sum: judged out__score_weight", "run the checks again")


def test_rematerializing_the_middle_breaks_the_chain() -> None:
    stand = Stand()
    stand.materialize("core__evidence", "other values")
    reasons = stand.refusals()
    for name in ("core__exclusion", "out__dimension_score", "out__category_score", "out__score_weight"):
        assert any(r.startswith(f"{name}: was computed from core__evidence") for r in reasons), name
    assert any(reason.startswith("gate suite-core__evidence: judged core__evidence") for reason in reasons)


def test_rematerializing_the_same_values_changes_nothing() -> None:
    stand = Stand()
    stand.materialize("core__evidence")
    assert stand.refusals() == []


def test_an_old_partitions_verdicts_and_tables_are_refused() -> None:
    stand = Stand()
    reasons = stand.refusals(as_of=DAY + timedelta(days=1))
    assert len(reasons) == len(MADE)
    assert all("is stamped for day 2026-10-20, now it is 2026-10-21" in reason for reason in reasons)


def test_a_table_put_in_anothers_place_is_refused() -> None:
    stand = Stand()
    stand.stamps["core__exclusion"] = replace(stand.stamps["core__exclusion"], table="core__evidence")
    only(stand.refusals(), "core__exclusion: is stamped as table core__evidence")


# Values that changed, chains that are broken.


def test_a_table_edited_after_it_was_made_is_refused() -> None:
    stand = Stand()
    stand.actual["out__dimension_score"] = sha256_hex(b"edited")
    only(stand.refusals(), "out__dimension_score: holds values that hash to", "changed after it was made")


def test_an_edit_is_refused_even_with_a_matching_stamp() -> None:
    """Whoever edits and restamps a table still breaks the chain behind it and the verdicts on it."""
    stand = Stand()
    stand.materialize("core__result", "edited and restamped")
    reasons = stand.refusals()
    assert any(reason.startswith("core__evidence: was computed from core__result") for reason in reasons)
    assert any(reason.startswith("gate rows-lost: judged core__result") for reason in reasons)


def test_a_table_that_does_not_say_its_inputs_is_refused() -> None:
    stand = Stand()
    stand.stamps["core__result"] = replace(stand.stamps["core__result"], inputs={})
    only(stand.refusals(), "core__result: does not say which raw__row it was computed from")


def test_an_input_beyond_those_of_the_contract_must_stand_too() -> None:
    stand = Stand()
    extra = {**stand.stamps["core__result"].inputs, "raw__further": "h"}
    stand.stamps["core__result"] = replace(stand.stamps["core__result"], inputs=extra)
    only(stand.refusals(), "core__result: was computed from raw__further h, now nothing stands")


def test_further_tables_of_the_release_are_held_to_the_same() -> None:
    stand = Stand()
    stamp = replace(stand.stamps["core__result"], table="out__gate", inputs={}, table_hash="h")
    assert stand.refusals(stamps={**stand.stamps, "out__gate": stamp},
                          actual_hashes={**stand.actual, "out__gate": "h"}) == []  # fmt: skip
    only(
        stand.refusals(stamps={**stand.stamps, "out__gate": stamp}, actual_hashes={**stand.actual, "out__gate": "x"}),
        "out__gate: holds values that hash to x, its stamp says h",
    )


# Another catalog, methodology, program, release.


def test_tables_made_with_another_catalog_are_refused() -> None:
    """The catalog was edited after the run: every table and every verdict is of the old one."""
    stand = Stand()
    edited = catalog_of([*GATES, {"id": "new", "product": "other", "table": "core__result"}])
    reasons = stand.refusals(catalog=edited)
    assert sum("was computed with catalog" in reason for reason in reasons) == len(MADE)
    assert sum("under another threshold, definition, catalog or baseline" in reason for reason in reasons) == 3


def test_a_tightened_threshold_voids_the_verdict() -> None:
    """All else equal, the catalog hash included: the gate's own definition is in the key."""
    stand = Stand()
    gates = [gate | ({"threshold": 1e-12} if gate["id"] == "weights-sum" else {}) for gate in GATES]
    tightened = catalog_of(gates)
    tightened.__dict__["sha256"] = stand.catalog.sha256
    only(stand.refusals(catalog=tightened), "gate weights-sum", "under another threshold")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"catalog_sha256": "c" * 64}, "was computed with catalog cccccccccccc"),
        ({"methodology_version": "2.9"}, "was computed with methodology 2.9"),
        ({"code_version": "d" * 64}, "was computed by code dddddddddddd"),
        ({"release_id": FORMER}, f"was made for release {FORMER}, now it is {RELEASE}"),
    ],
)
def test_one_table_made_otherwise_is_refused(change: Mapping[str, str], says: str) -> None:
    stand = Stand()
    stand.stamps["core__exclusion"] = replace(stand.stamps["core__exclusion"], **change)  # type: ignore[arg-type]
    only(stand.refusals(), f"core__exclusion: {says}", "run the whole graph again")


def test_a_program_that_changed_since_is_refused() -> None:
    assert len(Stand().refusals(code_version="e" * 64)) == len(MADE)


def test_a_table_whose_rows_name_no_release_fits_any() -> None:
    stand = Stand()
    stand.stamps["core__exclusion"] = replace(stand.stamps["core__exclusion"], release_id=None)
    assert stand.refusals() == []
