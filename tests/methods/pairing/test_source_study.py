"""The pairs of a study against the decision table: every state, pair by pair; what each comparison supports."""

from __future__ import annotations

from datetime import date

import polars as pl
import pytest
from pairing_rows import catalog, frame, result

from methods.pairing.source_study import source_study, study_pairs, with_study_decisions
from methods.pairing.walk import PairWalker, UnknownPairError
from warehouse.catalog_model import Catalog, Decision, StudySpec

ROWS = frame(
    [
        result("Model A", "official", value=60.0),
        result("Model A", "self_reported", value=63.0),
        result("Other B", "official", value=50.0),
        result("Other B", "self_reported", value=49.0),
    ]
)
STUDY = StudySpec(id="s", kind="source_difference", evidence="f", options={"decisions_until": "2026-03-05"})


def said(pair: str, decision: str = "unsure", reviewer: str = "R1", day: int = 2) -> Decision:
    first, second = pair.split("~")
    return Decision.model_validate(
        {"entry_id_a": second, "entry_id_b": first, "decision": decision, "reason": "so", "reviewer": reviewer,
         "reviewed_at": date(2026, 3, day)}
    )  # fmt: skip


def with_decisions(*rows: Decision, studies: tuple[StudySpec, ...] = ()) -> Catalog:
    book = catalog()
    fields = {name: getattr(book, name) for name in Catalog.model_fields}
    return Catalog(**(fields | {"decisions": rows, "studies": studies}))


def states(*rows: Decision) -> dict[str, str]:
    table = study_pairs(ROWS, with_decisions(*rows))
    return dict(table.select("pair_id", "state").iter_rows())


@pytest.fixture
def ids() -> list[str]:
    return sorted(states())


def test_every_state_of_a_pair(ids: list[str]) -> None:
    one, other = ids
    assert states() == {one: "missing", other: "missing"}
    assert states(said(one), said(other)) == {one: "agreed", other: "agreed"}
    assert states(said(one), said(one, "version_mismatch", "R2"))[one] == "disputed"
    assert states(said(one), said(one))[one] == "duplicated"
    assert states(said(one, "aligned"))[one] == "unconfirmed"
    assert states(said(f"{'0' * 16}~{'1' * 16}"))[f"{'0' * 16}~{'1' * 16}"] == "orphaned"


def test_a_pair_says_what_it_supports_and_what_to_record(ids: list[str]) -> None:
    table = study_pairs(ROWS, with_decisions(said(ids[0]), said(ids[1])))
    for pair in table.rows(named=True):
        assert pair["surface_difference_pp"] in {3.0, -1.0}
        assert pair["to_record"] == pair["blocking_fields"]
        assert "surface difference" in pair["supports"]
        assert pair["does_not_support"] == "no claim about the source"
    orphan = study_pairs(ROWS, with_decisions(said(f"{'0' * 16}~{'1' * 16}"))).filter(pl.col("state") == "orphaned")
    assert orphan["rules"].to_list() == [[]]
    assert orphan["supports"].null_count() == 1


def test_a_study_takes_the_decisions_up_to_its_day(ids: list[str]) -> None:
    rows = (said(ids[0]), said(ids[1], day=9))
    book = with_decisions(*rows, studies=(STUDY,))
    assert source_study(book) is STUDY or source_study(book) == STUDY
    assert with_study_decisions(book).decisions == rows[:1]
    assert dict(study_pairs(ROWS, book).select("pair_id", "state").iter_rows()) == {ids[0]: "agreed", ids[1]: "missing"}
    assert source_study(with_decisions()) is None


def test_a_walk_holds_rows_fields_history_and_a_suggestion_that_is_nobodys(ids: list[str]) -> None:
    book = with_decisions(said(ids[0]), said(ids[0], "version_mismatch", "R2"))
    walker = PairWalker(study_pairs(ROWS, book).select("pair_id", "entry_id_a", "entry_id_b", "benchmark", "direction",
                                                       "rules"), ROWS, book)  # fmt: skip
    walk = walker.walk(ids[0])
    assert walk.decision == "unsure"
    assert walk.is_awaiting
    assert [row["state"] for row in walk.history] == ["disputed", "disputed"]
    assert walk.a["snapshot_sha256"]
    assert walk.as_json()["suggestion"]["origin"] == "suggestion"
    assert walker.walk(ids[1]).decision is None
    with pytest.raises(UnknownPairError, match="no candidate pair"):
        walker.walk("x~y")
