"""Two releases compared: basis, inputs, movements with their sentences, statuses, ranks; previews of a catalog."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from changing_boards import MODELS, Cells, catalog, full_cells, side

from methods.lineage.preview import preview
from methods.lineage.release_basis import NO_SCORE_RESTS_ON, changed_files, differences, warnings
from methods.lineage.release_diff import MOVEMENTS, ReleaseDiff, release_diff
from warehouse.catalog_model import Catalog
from warehouse.tables import CORE_EVIDENCE, CORE_EXCLUSION

CATALOG = Path(__file__).resolve().parents[3] / "warehouse" / "catalog"
ONE, TWO = "2026-10-20-000000000001", "2026-10-21-000000000002"


def diff(former: Cells, latter: Cells, before: Catalog | None = None, after: Catalog | None = None) -> ReleaseDiff:
    before = before or catalog()
    return release_diff(
        side(former, before, ONE, date(2026, 10, 20)), side(latter, after or before, TWO, date(2026, 10, 21))
    )


def test_a_value_its_source_changed_is_an_event_of_the_later_release() -> None:
    """A17, G12: day 1 says .06, day 9 says .48 under the same key; both releases keep their own number."""
    cells = full_cells()
    found = diff({**cells, ("m1", "gen-a"): {"value": 6.0}}, {**cells, ("m1", "gen-a"): {"value": 48.0}})
    [board] = found.inputs
    [event] = board.changed
    assert (event.former_value, event.latter_value, event.model, event.benchmark) == (6.0, 48.0, "M1", "gen-a")
    assert (board.added, board.removed, board.former_rows, board.latter_rows) == (0, 0, 48, 48)
    score = next(score for score in found.scores if score.model_id == "m1")
    assert score.sentence.startswith("M1 rose ") and "own results changed (gen-a 6 -> 48)" in score.sentence


def test_a_score_that_moved_without_news_of_its_own_says_so() -> None:
    cells = full_cells()
    found = diff(cells, {**cells, ("m1", "gen-a"): {"value": 95.0}})
    others = [score for score in found.scores if score.model_id != "m1"]
    assert all("no new evidence of its own, the score moved" in score.sentence for score in others)
    assert "1 changed" in others[0].sentence and "gen-a" in others[0].sentence


def test_every_difference_stands_with_both_sides() -> None:
    """G04: a delta without its operands cannot be reconciled; each has both scores and how many rows they rest on."""
    cells = full_cells()
    plain = diff(cells, {**cells, ("m1", "gen-a"): {"value": 95.0}}).as_json()
    json.dumps(plain, allow_nan=False)
    for score in plain["scores"]:
        assert score["latter"]["unclamped"] - score["former"]["unclamped"] == score["change"]
        assert score["former"]["rows"] == score["latter"]["rows"] == 6
        assert abs(score["parts"]["total"] - score["change"]) <= 1e-9
    for name in ("former", "latter"):
        assert {"release_id", "as_of", "catalog_version", "methodology_version", "code_version"} <= set(plain[name])


def test_releases_on_different_bases_are_compared_only_with_both_stated() -> None:
    """G13: catalog v1 against v2 is said first, with both versions; on one basis nothing is said."""
    cells = full_cells()
    assert diff(cells, cells).differs_in == () == diff(cells, cells).warnings
    found = diff(cells, cells, catalog(version="1"), catalog(version="2", without=["gen-b"]))
    assert found.differs_in == ("catalog",)
    [warning] = found.warnings
    assert "not one basis: catalog 1 (" in warning and "-> 2 (" in warning
    former, latter = side(cells, catalog(), ONE, date(2026, 10, 20)), side(cells, catalog(), TWO, date(2026, 10, 21))
    backwards = release_diff(latter, former)
    assert any("backwards in time" in said for said in backwards.warnings)


KNOWN = ("corrections.yaml", "decisions.csv", "gates.yaml", "methodology.yaml", "metrics.yaml", "models.yaml",
         "pair_aliases.csv", "sources.yaml", "studies.yaml", "waivers.yaml")  # fmt: skip


@pytest.mark.parametrize("name", KNOWN)
def test_a_catalog_that_differs_beside_the_scores_is_no_other_basis(name: str) -> None:
    """The file that differs is named; only one that some score rests on makes the releases two bases."""
    before = dict.fromkeys(KNOWN, "0" * 64)
    former = replace(side(full_cells(), catalog(), ONE, date(2026, 10, 20)).facts, catalog_files=before)
    after = {**before, name: "1" * 64}
    latter = replace(former, release_id=TWO, catalog_sha256="f" * 64, catalog_files=after)
    found = differences(former, latter)
    [said] = warnings(former, latter, found)
    assert changed_files(former, latter) == (name,)
    assert name in said and not any(other in said for other in KNOWN if other != name)
    assert (found == ()) == (name in NO_SCORE_RESTS_ON) == ("not one basis" not in said)
    gone = replace(latter, catalog_files={one: sha for one, sha in before.items() if one != name})
    assert changed_files(former, gone) == (name,)
    unknown = replace(latter, catalog_files={})
    assert differences(former, unknown) == ("catalog",)


def test_files_beside_the_scores_are_known_files() -> None:
    """What the catalog's reader knows, less what scores are made of; a new one counts among these."""
    assert {path.name for path in CATALOG.iterdir() if path.suffix in {".yaml", ".csv"}} == set(KNOWN)
    assert set(KNOWN) > NO_SCORE_RESTS_ON


def test_ten_movements_a_board_largest_first() -> None:
    models = tuple(f"m{n}" for n in range(1, 15))
    metrics = [metric for _, metric in full_cells() if _ == "m1"]
    cells = {
        (model, metric): {"value": round(20 + 4 * n + (n * (p + 3)) % 7, 1)}
        for n, model in enumerate(models)
        for p, metric in enumerate(metrics)
    }
    [board] = diff(cells, {**cells, ("m2", "gen-a"): {"value": 99.0}}, catalog(models=models)).boards
    sizes = [abs(score.change or 0.0) for score in board.movements]
    assert len(sizes) == MOVEMENTS and sizes == sorted(sizes, reverse=True)
    assert all(score.sentence and score.parts is not None for score in board.movements)
    assert all(score.cohort_moves for score in board.movements)


def test_statuses_ranks_and_who_came_or_went() -> None:
    cells = full_cells()
    thin = {
        key: cell
        for key, cell in cells.items()
        if key[0] != "m8" and not (key[0] == "m7" and not key[1].startswith("gen"))
    }
    [board] = diff(thin, {key: cell for key, cell in cells.items() if key[0] != "m1"}).boards
    assert [score.model_id for score in board.appeared] == ["m8"]
    assert [score.model_id for score in board.disappeared] == ["m1"]
    assert [score.model_id for score in board.statuses] == ["m7"]
    assert "m7".upper() in board.statuses[0].sentence and "rated" in board.statuses[0].sentence
    assert board.ranks and all(a.former and a.latter and a.former.rank != a.latter.rank for a in board.ranks)
    assert board.former_counts == {"rated": 6, "unrated": 1} and board.latter_counts == {"rated": 7}


def previewed(edited: Catalog) -> Any:
    former = side(full_cells(), catalog(), ONE, date(2026, 10, 20))
    from methods.lineage.board_state import board_state

    state = board_state(former.raw_rows, former.catalog)
    evidence, exclusions = CORE_EVIDENCE.conform(state.evidence), CORE_EXCLUSION.conform(state.exclusions)
    return preview(former, evidence, exclusions, edited, former.raw_rows, "c" * 64)


def test_a_preview_of_the_same_catalog_moves_nothing() -> None:
    tried = previewed(catalog())
    assert tried.moves_nothing and tried.metrics == () and tried.diff.differs_in == ()


def test_a_preview_puts_everything_on_catalog_and_methodology() -> None:
    correction = {
        "id": "gone", "entry_id": "0" * 16, "reason": "typo", "expected": 1.0, "exclude": True, "who": "a",
        "approved_by": "b", "when": "2026-10-20",
    }  # fmt: skip
    tried = previewed(catalog(version="2", without=["gen-b"], models=MODELS[:7], corrections=[correction]))
    assert not tried.moves_nothing
    assert [(metric.metric_id, metric.former, metric.latter) for metric in tried.metrics][:2] == [
        ("debug-a", 8, 7), ("debug-b", 8, 7),
    ]  # fmt: skip
    assert tried.reasons["model_unidentified"] == (0, 5) and tried.reasons["unregistered_metric"] == (0, 8)
    assert [item.correction_id for item in tried.unmet] == ["gone"]
    for score in tried.diff.scores:
        if score.parts is not None:
            assert (score.parts.removed, score.parts.changed, score.parts.added, score.parts.cohort) == (0, 0, 0, 0)
            assert score.parts.catalog == score.change
    json.dumps(tried.as_json(), allow_nan=False)
