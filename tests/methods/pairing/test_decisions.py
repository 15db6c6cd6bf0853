"""The append-only decision table against the generated set: states, what holds, what may be added."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pairing_rows import catalog, frame, result
from test_alignment import align, sides

from methods.pairing.decisions import refused_decisions, review_decisions, rewritten_history
from methods.pairing.pair_tables import build_pair_tables
from warehouse.catalog_model import Decision
from warehouse.pairing_words import PAIR_DECISIONS, PairDecision
from warehouse.tables_pairing import CORE_CANDIDATE_PAIR, CORE_PAIR_DECISION

OPEN = align(*sides({"harness": None}))
ALIGNABLE = align(*sides())
CANDIDATES = {"a~b": OPEN, "c~d": ALIGNABLE}


def said(pair: str, decision: PairDecision, reviewer: str = "Ann", day: int = 1, reason: str = "seen") -> Decision:
    a, b = pair.split("~")
    return Decision(
        entry_id_a=a, entry_id_b=b, decision=decision, reason=reason, reviewer=reviewer, reviewed_at=date(2026, 10, day)
    )


def states(*rows: Decision) -> list[str]:
    return [row.state for row in review_decisions(rows, CANDIDATES).rows]


def test_a_table_that_equals_the_generated_set() -> None:
    review = review_decisions([said("b~a", "version_mismatch"), said("c~d", "aligned")], CANDIDATES)
    assert review.equals_generated
    assert review.holds == {"a~b": "version_mismatch", "c~d": "aligned"}


def test_missing_orphaned_and_unconfirmed() -> None:
    review = review_decisions([said("a~b", "aligned"), said("x~y", "unsure")], CANDIDATES)
    assert not review.equals_generated
    assert review.missing == ("c~d",)
    assert review.orphaned == ("x~y",)
    assert review.unconfirmed == {"a~b": ("harness",)}
    assert review.holds == {"a~b": None, "c~d": None}


def test_a_later_row_of_the_same_reviewer_supersedes() -> None:
    rows = [said("a~b", "unsure"), said("a~b", "version_mismatch", day=2), said("a~b", "unsure", day=3)]
    assert states(*rows) == ["superseded", "superseded", "standing"]


def test_two_reviewers_who_differ_leave_the_pair_unsure_and_visible() -> None:
    rows = [said("c~d", "aligned"), said("c~d", "version_mismatch", "Bo")]
    review = review_decisions(rows, CANDIDATES)
    assert review.disputed == ("c~d",)
    assert review.holds["c~d"] == "unsure"
    settled = review_decisions([*rows, said("c~d", "aligned", "Bo", 2)], CANDIDATES)
    assert settled.disputed == ()
    assert settled.holds["c~d"] == "aligned"
    assert [row.state for row in settled.rows] == ["standing", "superseded", "standing"]


def test_an_unconfirmed_aligned_is_no_word_in_a_dispute() -> None:
    rows = [said("a~b", "aligned"), said("a~b", "version_mismatch", "Bo")]
    assert states(*rows) == ["unconfirmed", "standing"]


def test_a_row_that_only_repeats_is_a_duplicate() -> None:
    review = review_decisions([said("a~b", "unsure"), said("b~a", "unsure"), said("c~d", "aligned")], CANDIDATES)
    assert [row.state for row in review.rows] == ["standing", "duplicated", "standing"]
    assert review.duplicated == ("a~b",)
    assert not review.equals_generated


def test_what_an_import_refuses() -> None:
    history = [said("c~d", "unsure", day=5)]
    new = [
        said("a~b", "aligned"),
        said("x~y", "unsure"),
        said("c~d", "unsure", day=5),
        said("c~d", "aligned", day=4),
        said("c~d", "aligned", day=6),
        said("d~c", "aligned", day=6),
        said("a~b", "protocol_mismatch"),
    ]
    refused = {row.index: row.reason for row in refused_decisions(new, history, CANDIDATES)}
    assert sorted(refused) == [0, 1, 2, 3, 5]
    assert "harness" in refused[0]
    assert "no candidate" in refused[1]
    assert "before" in refused[2]
    assert "2026-10-05" in refused[3]


def test_a_rewritten_history_is_seen() -> None:
    before = [said("a~b", "unsure"), said("c~d", "unsure")]
    assert rewritten_history(before, [*before, said("a~b", "version_mismatch", day=2)]) == []
    assert rewritten_history(before, [before[0], said("c~d", "aligned")]) == [2]
    assert rewritten_history(before, [before[1]]) == [1, 2]


ROWS = st.builds(
    said,
    st.sampled_from(["a~b", "c~d", "x~y"]),
    st.sampled_from(PAIR_DECISIONS),
    st.sampled_from(["Ann", "Bo"]),
    st.integers(1, 3),
    st.sampled_from(["seen", "looked up"]),
)


@given(st.lists(ROWS, max_size=8))
def test_every_row_has_one_state_and_growing_never_changes_positions(rows: list[Decision]) -> None:
    review = review_decisions(rows, CANDIDATES)
    assert [row.position for row in review.rows] == list(range(1, len(rows) + 1))
    assert set(review.missing) == set(CANDIDATES) - {row.pair_id for row in review.rows}
    for pair, alignment in CANDIDATES.items():
        words = [row for row in review.rows if row.pair_id == pair and row.state in ("standing", "disputed")]
        assert len({row.decision.reviewer for row in words}) == len(words)
        agreed = {row.decision.decision for row in words}
        assert review.holds[pair] == (agreed.pop() if len(agreed) == 1 else "unsure" if agreed else None)
        assert review.holds[pair] != "aligned" or alignment.is_alignable


def test_tables_keep_their_contracts() -> None:
    rows = frame([result("o3"), result("o3", "paper"), result("o4", "paper")])
    a, b = rows.filter(rows["model"] == "o3")["entry_id"].to_list()
    made = said(f"{b}~{a}", "unsure")
    tables = build_pair_tables(rows, catalog(decisions=[made, said("x~y", "unsure")]))
    assert CORE_CANDIDATE_PAIR.conform(tables.candidates).equals(tables.candidates)
    assert CORE_PAIR_DECISION.conform(tables.decisions)["state"].to_list() == ["standing", "orphaned"]
    (row,) = tables.candidates.to_dicts()
    assert row["decision"] == "unsure"
    assert "harness" in row["blocking_fields"]
    empty = build_pair_tables(rows.head(0), catalog())
    assert (empty.candidates.height, empty.decisions.height) == (0, 0)


def test_an_unknown_decision_word_is_no_decision() -> None:
    with pytest.raises(ValueError, match="decision"):
        said("a~b", "same")  # type: ignore[arg-type]
