"""The exact change of a score (METHODS 7): worked by hand, against a naive recomputation, and under hypothesis."""

from __future__ import annotations

import math
from typing import Any

import pytest
from changing_boards import MODELS, catalog, comparison, full_cells, published, raw_rows
from hypothesis import given, settings
from hypothesis import strategies as st
from naive_change import NaiveBoard, naive_parts

from methods.lineage.board_state import board_state
from methods.lineage.change import Comparison

Cells = dict[tuple[str, str], dict[str, Any]]


def test_worked_by_hand() -> None:
    """Step 4 on one row: m1 rises from 40 to 50 on gen-a; everything else stays.

    gen-a holds 20, 30, 40 and 50 percent (m3, m2, m1, m4): x = ln(p/(1-p)) is -1.38629, -0.84730, -0.40547, 0.
    Median -0.62638; distances 0.75991, 0.22091, 0.22091, 0.62638, their median 0.42365, scale 0.62810. q = 4/8 * 3/3.
    Precision q/.35^2 = 4.08, capped to 1; so a = 1/(1 + 1) = 1/2 in a dimension with this one row. z rises by
    0.40547/0.62810 = 0.64554; with k = 2 observed dimensions the score rises by 15 * 1/2 * 0.64554 / 2 = 2.42078.
    """
    cells: Cells = {
        ("m1", "gen-a"): {"value": 40.0}, ("m2", "gen-a"): {"value": 30.0}, ("m3", "gen-a"): {"value": 20.0},
        ("m4", "gen-a"): {"value": 50.0}, ("m1", "repo-a"): {"value": 40.0}, ("m2", "repo-a"): {"value": 30.0},
        ("m3", "repo-a"): {"value": 20.0},
    }  # fmt: skip
    compared = comparison(cells, {**cells, ("m1", "gen-a"): {"value": 50.0}})
    score = compared.change(("coding", "m1"), by_metric=True)
    assert score.parts is not None and score.change is not None
    x = [math.log(p / (1 - p)) for p in (0.2, 0.3, 0.4, 0.5)]
    median = (x[1] + x[2]) / 2
    scale = 1.4826 * ((x[2] - median) + (x[3] - median)) / 2
    expected = 15 * 0.5 * (x[3] - x[2]) / scale / 2
    assert score.parts.changed == pytest.approx(expected, abs=1e-12)
    assert score.parts.changed == pytest.approx(2.42078, abs=1e-5)
    assert (score.parts.program, score.parts.methodology, score.parts.catalog) == (0.0, 0.0, 0.0)
    assert (score.parts.removed, score.parts.added) == (0.0, 0.0)
    assert score.parts.total == pytest.approx(score.change, abs=1e-12)
    [row] = score.own_rows
    assert (row.step, row.metric_id, row.former and row.former.value, row.latter and row.latter.value) == (
        "changed", "gen-a", 40.0, 50.0,
    )  # fmt: skip
    # Its own new value moves the metric's median and offset too: that is cohort, and none of it is another model's.
    [move] = score.cohort_moves
    assert (move.metric_id, move.joined, move.left, move.changed) == ("gen-a", 0, 0, 0)
    assert move.points == pytest.approx(score.parts.cohort, abs=1e-12) and score.parts.cohort != 0.0


def test_identical_releases_give_exact_zeros() -> None:
    compared = comparison(full_cells(), full_cells())
    for place in compared.places:
        score = compared.change(place, by_metric=True)
        assert score.parts is not None
        assert set(score.parts.by_name().values()) == {0.0}
        assert (score.change, score.own_rows, score.cohort_moves, score.is_moved) == (0.0, (), (), False)


def test_a_model_whose_rows_stand_still_is_moved_by_the_cohort_alone() -> None:
    """No new evidence of its own, the score moved."""
    cells = full_cells()
    compared = comparison(cells, {**cells, ("m1", "gen-a"): {"value": 95.0}, ("m2", "gen-a"): {"value": 3.0}})
    for model in MODELS[2:]:
        score = compared.change(("coding", model))
        assert score.parts is not None and score.own_rows == ()
        assert (score.parts.removed, score.parts.changed, score.parts.added) == (0.0, 0.0, 0.0)
        assert score.parts.cohort == score.change


def test_a_dimension_nobody_touched_moves_no_score() -> None:
    """Rows of another component: a change there reaches only the models measured there."""
    cells = {key: cell for key, cell in full_cells().items() if key[0] in MODELS[:4] or key[1].startswith("gen")}
    compared = comparison(cells, {**cells, ("m1", "repo-a"): {"value": 77.0}})
    untouched = compared.catalog_state.points["coding", "m8"], compared.latter_state.points["coding", "m8"]
    assert untouched[0] == untouched[1]


def test_methodology_catalog_and_corrections_are_told_apart() -> None:
    cells = full_cells()
    entry = raw_rows(cells).filter(raw_rows(cells)["row_locator"].str.contains("m1/gen-a"))["entry_id"].item()
    before = catalog()
    strict = before.methodology.model_copy(
        update={"standardization": before.methodology.standardization.model_copy(update={"epsilon": 0.3})}
    )
    only_methodology = comparison(cells, cells, before, catalog(methodology=strict)).change(("coding", "m8"))
    assert only_methodology.parts is not None
    assert only_methodology.parts.methodology == only_methodology.change != 0.0
    correction = {
        "id": "fix", "entry_id": entry, "reason": "typo", "value": 90.0, "who": "a", "approved_by": "b",
        "when": "2026-01-01", "expected": cells["m1", "gen-a"]["value"],
    }  # fmt: skip
    corrected = catalog(corrections=[correction])
    score = comparison(cells, cells, before, corrected).change(("coding", "m1"))
    assert score.parts is not None and score.own_rows == ()
    assert score.parts.catalog == score.change != 0.0
    both = comparison(cells, cells, before, catalog(methodology=strict, without=["repo-b"])).change(("coding", "m3"))
    assert both.parts is not None
    assert both.parts.methodology != 0.0 != both.parts.catalog
    assert both.parts.methodology + both.parts.catalog == pytest.approx(both.change, abs=1e-12)


def test_a_source_that_is_said_to_be_another_kind_is_catalog() -> None:
    """The stored results state the former type: they are made again, and no own row differs."""
    cells = full_cells()
    compared = comparison(cells, cells, catalog(), catalog(source_type="self_reported"))
    assert compared.catalog_state.evidence["tier"].unique().to_list() == ["self_reported"]
    score = compared.change(("coding", "m8"))
    assert score.parts is not None and score.own_rows == ()
    assert score.parts.catalog == score.change


def test_a_new_metric_uses_the_new_releases_cohort() -> None:
    cells = {key: cell for key, cell in full_cells().items() if key[1] != "debug-b"}
    compared = comparison(cells, full_cells())
    score = compared.change(("coding", "m5"), by_metric=True)
    assert score.parts is not None and [row.metric_id for row in score.own_rows] == ["debug-b"]
    assert score.parts.added == score.own_rows[0].points != 0.0


def test_a_metric_that_becomes_scorable_is_cohort_for_who_stood_there_before() -> None:
    """m1's row on debug-b counts only because others joined: not its own doing; m2 joined itself."""
    cells = {key: cell for key, cell in full_cells().items() if key[1] != "debug-b" or key[0] == "m1"}
    compared = comparison(cells, full_cells())
    stood, joined = (compared.change(("coding", model), by_metric=True) for model in ("m1", "m2"))
    assert stood.parts is not None and joined.parts is not None
    assert stood.own_rows == () and stood.parts.added == 0.0
    assert {move.metric_id for move in stood.cohort_moves} >= {"debug-b"}
    assert [row.step for row in joined.own_rows] == ["added"] and joined.parts.added != 0.0


def test_all_own_rows_replaced_passes_through_the_prior() -> None:
    before = {("m1", "gen-a"): {"value": 60.0}, ("m1", "repo-a"): {"value": 70.0}}
    after = {("m1", "gen-b"): {"value": 60.0}, ("m1", "repo-b"): {"value": 70.0}}
    others = {key: cell for key, cell in full_cells().items() if key[0] != "m1"}
    score = comparison({**others, **before}, {**others, **after}).change(("coding", "m1"))
    assert score.parts is not None and score.former is not None and score.change is not None
    assert score.former.unclamped + score.parts.removed == pytest.approx(50.0, abs=1e-12)
    assert score.parts.total == pytest.approx(score.change, abs=1e-12)


def test_nothing_is_taken_apart_where_a_side_is_not_published() -> None:
    """Unrated is no published score: its mu is kept, and no change is given."""
    cells = {key: cell for key, cell in full_cells().items() if key[0] != "m1" or key[1] == "gen-a"}
    compared = comparison(cells, full_cells())
    score = compared.change(("coding", "m1"))
    assert score.former is not None and score.former.status == "unrated" and score.former.score is None
    assert (score.change, score.parts) == (None, None)
    gone = comparison(full_cells(), {k: c for k, c in full_cells().items() if k[0] != "m8"}).change(("coding", "m8"))
    assert gone.latter is None and gone.parts is None and gone.is_moved


def test_what_the_program_does_otherwise_is_its_own_part() -> None:
    """E02: a release computed by another program keeps its number; the gap to this one is named, not hidden."""
    cells = full_cells()
    former = published(cells, catalog())
    shifted = former.category_scores.with_columns(former.category_scores["mu"] + 0.1)
    compared = Comparison(type(former)(former.catalog, former.raw_rows, shifted), published(cells, catalog()))
    score = compared.change(("coding", "m4"))
    assert score.parts is not None and score.change == pytest.approx(-1.5, abs=1e-12)
    assert score.parts.program == pytest.approx(-1.5, abs=1e-12) and score.parts.cohort == 0.0


def test_another_entry_that_wins_on_the_metric_is_a_changed_row() -> None:
    """A second row of the same model and metric, of a better tier, takes the place of the first."""
    cells = {("m1", "gen-a"): {"value": 40.0, "source_type": "self_reported"}}
    others = {key: cell for key, cell in full_cells().items() if key != ("m1", "gen-a")}
    first = comparison({**others, **cells}, {**others, ("m1", "gen-a"): {"value": 40.0}})
    score = first.change(("coding", "m1"))
    [row] = score.own_rows
    assert row.former is not None and row.latter is not None and score.parts is not None
    assert (row.step, row.former.tier, row.latter.tier) == ("changed", "self_reported", "official")
    assert row.former.entry_id != row.latter.entry_id
    assert row.points == score.parts.changed


cell = st.fixed_dictionaries(
    {"value": st.sampled_from([0.0, 12.5, 31.0, 47.0, 50.0, 63.5, 88.0, 100.0])},
    optional={"stderr": st.sampled_from([0.5, 4.0]), "source_type": st.sampled_from(["paper", "self_reported"])},
)
board = st.dictionaries(
    st.tuples(st.sampled_from(MODELS[:6]), st.sampled_from(["gen-a", "gen-b", "repo-a", "debug-a"])), cell, min_size=8
)


@settings(max_examples=12, deadline=None)
@given(former=board, edits=board, dropped=st.sets(st.integers(0, 23)), rules=st.sampled_from(["", "m", "c", "mc"]))
def test_parts_sum_and_equal_the_naive_recomputation(
    former: Cells, edits: Cells, dropped: set[int], rules: str
) -> None:
    latter = {key: value for place, (key, value) in enumerate(sorted(former.items())) if place not in dropped} | edits
    before = catalog()
    after_methodology = before.methodology
    if "m" in rules:
        looser = before.methodology.standardization.model_copy(update={"epsilon": 0.2})
        after_methodology = before.methodology.model_copy(update={"standardization": looser})
    changes: dict[str, Any] = {"metrics": {"gen-b": {"family": "gen-a"}}, "without": ["repo-a"]} if "c" in rules else {}
    after = catalog(methodology=after_methodology, **changes)
    compared = comparison(former, latter, before, after)
    epsilon = after_methodology.standardization.epsilon
    naive = [
        NaiveBoard(board_state(raw_rows(cells), of).kept, at)
        for cells, of, at in (
            (former, before, 0.005),
            (former, catalog(methodology=after_methodology), epsilon),
            (former, after, epsilon),
            (latter, after, epsilon),
        )
    ]
    for place in compared.places:
        score = compared.change(place, by_metric=True)
        if score.parts is None or score.change is None:
            continue
        assert abs(score.parts.total - score.change) <= 1e-9
        for name, figure in naive_parts(*naive, place[1]).items():
            assert score.parts.by_name()[name] == pytest.approx(figure, abs=1e-9), name
        assert score.parts.program == 0.0
        for step in ("removed", "changed", "added"):
            assert sum(row.points for row in score.own_rows if row.step == step) == pytest.approx(
                score.parts.by_name()[step], abs=1e-9
            )
        assert math.fsum(move.points for move in score.cohort_moves) == pytest.approx(score.parts.cohort, abs=1e-9)
        if not rules:
            assert (score.parts.methodology, score.parts.catalog) == (0.0, 0.0)
