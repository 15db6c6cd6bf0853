"""The ledger: which release is current, which is the baseline, under any order of events."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from methods.release.ledger import LedgerError, fold

FIRST = date(2026, 10, 1)


def rid(day: int, turn: int) -> str:
    return f"{FIRST + timedelta(days=day)}-{turn:012x}"


def created(day: int, turn: int) -> dict[str, Any]:
    return {
        "event": "created", "release_id": rid(day, turn), "as_of": str(FIRST + timedelta(days=day)),
        "created_at": "2026-10-20T00:00:00Z", "baseline_release_id": None, "catalog_version": "1",
        "methodology_version": "3.0", "code_version": "c", "manifest_sha256": "0" * 64,
    }  # fmt: skip


def withdrawn(day: int, turn: int) -> dict[str, Any]:
    return {"event": "withdrawn", "release_id": rid(day, turn), "reason": "unit bug", "at": "2026-10-21T00:00:00Z"}


def rolled_back(day: int, turn: int) -> dict[str, Any]:
    return {"event": "rolled_back", "to": rid(day, turn), "reason": "jump", "at": "2026-10-21T00:00:00Z"}


def current(*events: dict[str, Any]) -> str | None:
    record = fold(events).current
    return None if record is None else record.release_id


def test_the_greatest_day_wins_then_the_latest_made() -> None:
    assert current() is None
    assert current(created(0, 1), created(2, 1), created(1, 1)) == rid(2, 1)
    assert current(created(2, 9), created(2, 1), created(1, 1)) == rid(2, 1)


def test_withdrawing_the_current_one_brings_back_the_one_before() -> None:
    assert current(created(0, 1), created(1, 1), withdrawn(1, 1)) == rid(0, 1)
    assert current(created(0, 1), withdrawn(0, 1)) is None


def test_a_rollback_holds_until_a_newer_release_is_made() -> None:
    back = (created(0, 1), created(1, 1), created(2, 1), rolled_back(0, 1))
    assert current(*back) == rid(0, 1)
    assert current(*back, created(-3, 1)) == rid(0, 1), "a backfill does not end it"
    assert current(*back, created(1, 2)) == rid(1, 2)
    assert current(*back, created(3, 1)) == rid(3, 1)
    assert current(*back, rolled_back(2, 1)) == rid(2, 1), "and it can be taken back"
    assert current(*back, withdrawn(0, 1)) is None
    assert fold(back).previous is None


def test_the_baseline_is_the_newest_of_an_earlier_day_that_is_not_withdrawn() -> None:
    events = [created(0, 1), created(2, 1), created(1, 1), created(1, 2)]
    ledger = fold(events)

    def baseline(day: int) -> str | None:
        found = ledger.baseline_for(FIRST + timedelta(days=day))
        return None if found is None else found.release_id

    assert [baseline(day) for day in (0, 1, 2, 3)] == [None, rid(0, 1), rid(1, 2), rid(2, 1)]
    ledger = fold([*events, withdrawn(1, 2), withdrawn(0, 1)])
    assert [baseline(day) for day in (1, 2)] == [None, rid(1, 1)]


@pytest.mark.parametrize(
    ("event", "says"),
    [
        ({"event": "burnt"}, "unknown event 'burnt'"),
        ({}, "unknown event None"),
        (created(0, 1), "was created before"),
        (withdrawn(5, 5), "is no release made before it"),
        (rolled_back(5, 5), "is no release made before it"),
        ({"event": "withdrawn"}, "None is no release"),
        ({**created(1, 1), "manifest_sha256": "x"}, "manifest_sha256"),
        ({**created(1, 1), "extra": 1}, "extra"),
    ],
)
def test_events_that_make_no_sense_name_their_line(event: dict[str, Any], says: str) -> None:
    with pytest.raises(LedgerError, match="event 2") as caught:
        fold([created(0, 1), event])
    assert says in str(caught.value)


@given(st.lists(st.tuples(st.sampled_from("cwr"), st.integers(0, 3), st.integers(0, 2)), max_size=25))
def test_against_a_naive_reading(steps: list[tuple[str, int, int]]) -> None:
    """Naive: keep the set of visible releases and apply each event to it."""
    events: list[dict[str, Any]] = []
    made: list[tuple[int, int]] = []
    gone: set[tuple[int, int]] = set()
    hidden: set[tuple[int, int]] = set()
    for kind, *place in steps:
        at = (place[0], place[1])
        if kind == "c" and at not in made:
            made.append(at)
            events.append(created(*at))
        elif kind == "w" and at in made:
            gone.add(at)
            events.append(withdrawn(*at))
        elif kind == "r" and at in made:
            later = made[made.index(at) + 1 :]
            hidden = {other for other in made if other[0] > at[0] or (other[0] == at[0] and other in later)}
            events.append(rolled_back(*at))
    visible = [at for at in made if at not in gone and at not in hidden]
    greatest = max((at[0] for at in visible), default=None)
    expected = [at for at in visible if at[0] == greatest][-1:]
    ledger = fold(events)
    assert current(*events) == (rid(*expected[0]) if expected else None)
    statuses = {at: ledger.status(rid(*at)) for at in made}
    assert {at for at, status in statuses.items() if status == "withdrawn"} == gone
    assert [at for at, status in statuses.items() if status == "current"] == expected
