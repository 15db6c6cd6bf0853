"""Row 1 of "the rows nobody else has": every score of the demonstration is explained exactly, down to bytes."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from small_homes import Ran, call

from methods.lineage.explain import NEEDED, explain
from methods.lineage.explanation import Explanation
from pipelines.explanation_parts import check_sum
from pipelines.release_reader import ReleaseReader
from resources.table_files import TableError
from warehouse.vocabulary import CATEGORIES, PERCENT_UNITS, unit_in_words


@pytest.fixture(scope="module")
def explanations(demo: tuple[Path, Ran]) -> list[Explanation]:
    reader = ReleaseReader(demo[0], None)
    tables = {name: reader.table(name) for name in NEEDED}
    keys = tables["out__category_score"].select("model_id", "category").rows()
    return [explain(model, category, tables, reader.catalog) for model, category in keys]


def test_every_score_is_the_sum_of_its_contributions(explanations: list[Explanation]) -> None:
    assert len(explanations) > 500
    for item in explanations:
        assert abs(item.total - item.unclamped) <= 1e-9, (item.model_id, item.category)
        if item.score is not None:
            assert item.score == min(100.0, max(0.0, item.unclamped))


def test_every_own_contribution_is_slope_weight_and_z(explanations: list[Explanation]) -> None:
    """The step from the three numbers beside a row to its points, as pages, command and dictionary state it."""
    for item in explanations:
        for own in (own for part in item.dimensions for own in part.own):
            assert own.contribution == pytest.approx(item.slope * own.weight * own.z, abs=1e-12)


@pytest.mark.parametrize("field", ["score", "total"])
def test_a_score_that_is_not_the_sum_of_its_parts_is_not_explained(explanations: list[Explanation], field: str) -> None:
    """A point added to the published number, or to a part of it, in a copied table."""
    item = next(item for item in explanations if item.score is not None and 1.0 < item.score < 99.0)
    check_sum(item)
    assert item.score is not None
    moved = replace(item, score=item.score + 1.0) if field == "score" else replace(item, total=item.total - 1e-6)
    with pytest.raises(TableError, match=r"its parts sum to .* see scoretrail verify"):
        check_sum(moved)


def test_every_interval_is_the_sum_of_its_variance_shares(explanations: list[Explanation]) -> None:
    for item in explanations:
        shares = sum(part.variance_share for part in item.dimensions) + item.missing_variance
        assert shares == pytest.approx(item.sigma**2, abs=1e-12)


def test_every_explanation_ends_at_a_row_of_a_snapshot(demo: tuple[Path, Ran], explanations: list[Explanation]) -> None:
    """The named file has the named hash, and its named row holds the model, the metric and the value that were used."""
    bodies: dict[str, Any] = {}
    checked = 0
    for item in explanations:
        for own in (own for part in item.dimensions for own in part.own):
            origin = own.origin
            assert origin.snapshot_path is not None
            if origin.snapshot_sha256 not in bodies:
                data = (demo[0] / origin.snapshot_path).read_bytes()
                assert hashlib.sha256(data).hexdigest() == origin.snapshot_sha256
                bodies[origin.snapshot_sha256] = json.loads(data)
            row = at(bodies[origin.snapshot_sha256], origin.row_locator)
            assert (row["model"], row["benchmark"], row["metric"]) == (origin.model, origin.benchmark, origin.metric)
            assert row["value"] == origin.raw_value
            assert own.value == pytest.approx(row["value"] / PERCENT_UNITS.get(row["unit"], 1), rel=1e-15)
            checked += 1
            for loser in own.duplicates:
                assert loser.kept_entry_id == origin.entry_id
    assert checked > 1500


def at(body: Any, locator: str) -> Any:
    """The row that a locator such as `results[12]` names."""
    name, _, index = locator.rstrip("]").partition("[")
    return body[name][int(index)]


@pytest.mark.parametrize("status", ["rated", "estimated", "unrated"])
def test_the_command_explains_in_words_and_as_json(
    demo: tuple[Path, Ran], explanations: list[Explanation], status: str
) -> None:
    item = next(item for item in explanations if item.status == status)
    said = call("explain", item.model_id, item.category, "--home", demo[0], "--json")
    assert said.code == 0
    assert abs(said.json["total"] - said.json["unclamped"]) <= 1e-9
    text = call("explain", item.model_name, item.category, "--home", demo[0])
    assert text.code == 0, text.said
    own = item.dimensions[0].own[0].origin
    for words in (item.release_id, own.snapshot_sha256, own.row_locator, own.entry_id):
        assert words in text.out
    assert f"points = {item.slope:g} x weight x z" in text.out
    assert f"{own.raw_value:g} (unit: {unit_in_words(own.unit)})" in text.out
    for dimension in item.missing_dimensions:
        assert f'"{dimension}"' in text.out
    assert bool(item.missing_for_estimated) is (status == "unrated")
    for missing in (*item.missing_for_estimated, *item.missing_for_rated):
        assert missing in text.out


def test_an_unknown_model_is_answered_with_its_family(demo: tuple[Path, Ran]) -> None:
    ran = call("explain", "GPT-9", "reasoning", "--home", demo[0])
    near = ran.err.split("did you mean ")[1].split("?")[0].split(", ")
    assert (ran.code, len(near)) == (2, 3)
    assert all(name.lower().startswith("gpt") and len(name) < 9 for name in near), near


@pytest.mark.parametrize("status", ["rated", "estimated", "unrated"])
def test_the_command_explains_a_linked_score(demo: tuple[Path, Ran], status: str) -> None:
    """Parts sum to the unclamped score, the model's results to their parts; each ends at a row of a snapshot."""
    reader = ReleaseReader(demo[0], None)
    row = reader.table("out__linked_score").filter(pl.col("status") == status).sort("mu").row(0, named=True)
    said = call("explain", row["model_id"], row["category"], "--linked", "--home", demo[0], "--json")
    assert said.code == 0, said.said
    item = said.json
    assert abs(item["total"] - item["unclamped"]) <= 1e-9
    assert item["unclamped"] == pytest.approx(50 + 15 * row["mu"], abs=1e-12)
    assert (item["score"], item["rank"], item["low80"]) == (row["score"], row["rank"], row["low80"])
    evidence = reader.table("core__evidence").filter(pl.col("model_id") == row["model_id"])
    shown = [own for part in item["parts"] for own in part["own"]]
    assert sorted(own["evidence_id"] for own in shown) == sorted(evidence["evidence_id"])
    for part in item["parts"]:
        assert sum(own["contribution"] for own in part["own"]) == pytest.approx(part["own_points"], abs=1e-9)
    origin = shown[0]["origin"]
    stated = at(json.loads((demo[0] / origin["snapshot_path"]).read_bytes()), origin["row_locator"])
    assert (stated["model"], stated["value"]) == (origin["model"], origin["raw_value"])
    text = call("explain", item["model_name"], row["category"], "--linked", "--home", demo[0])
    assert text.code == 0, text.said
    words = (item["release_id"], origin["snapshot_sha256"], origin["row_locator"], *item["missing_for_rated"])
    for word in ("linked score", "points = 15 x weight x z", *words):
        assert word in text.out


def test_a_linked_score_that_is_not_there(demo: tuple[Path, Ran]) -> None:
    scored = ReleaseReader(demo[0], None).table("out__linked_score")
    model_id, known = next(
        (one, set(mine["category"])) for (one,), mine in scored.group_by("model_id") if mine.height < len(CATEGORIES)
    )
    missing = next(name for name in CATEGORIES if name not in known)
    said = call("explain", model_id, missing, "--linked", "--home", demo[0])
    assert said.code == 2
    assert "no linked score" in said.said
    assert min(known) in said.said
