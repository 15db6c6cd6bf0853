"""`scoretrail diff` and `catalog preview` through the front door, on the small world over two days."""

from __future__ import annotations

import json
import os
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml
from small_homes import DAY, SmallWorld, board_rows, call

NEXT = DAY + timedelta(days=1)


@pytest.fixture(scope="module")
def two_days(template: SmallWorld, tmp_path_factory: pytest.TempPathFactory) -> SmallWorld:
    """The small world with a second day on which one board changed a value and lost a row. Read only."""
    world = template.copy(tmp_path_factory.mktemp("diff") / "world")
    rows = board_rows("alpha")
    rows[0]["value"] = 61.0
    world.write_board("alpha", rows[:-1], synced_at="2026-03-29T06:00:00Z")
    with pytest.MonkeyPatch.context() as patch:
        from small_homes import quiet_process

        quiet_process(patch)
        ran = world.run(day=NEXT)
    assert ran.code == 0, ran.said
    return world


def ids(world: SmallWorld) -> list[str]:
    return [record.release_id for record in world.releases.ledger().releases]


def test_two_releases_part_by_part(two_days: SmallWorld) -> None:
    former, latter = ids(two_days)
    found = two_days.ask("diff", former, latter, "--json").json
    assert (found["former"]["release_id"], found["latter"]["release_id"]) == (former, latter)
    assert found["same_basis"] is True and found["warnings"] == []
    moved = [score for score in found["scores"] if score["parts"]]
    assert len(moved) == 8
    for score in moved:
        assert abs(score["parts"]["total"] - score["change"]) <= 1e-9
        assert score["parts"]["program"] == score["parts"]["methodology"] == score["parts"]["catalog"] == 0.0
    alpha = next(board for board in found["inputs"] if board["leaderboard"] == "alpha")
    assert (alpha["removed"], len(alpha["changed"]), alpha["changed"][0]["latter_value"]) == (1, 1, 61.0)
    text = two_days.ask("diff", "previous", "current").out
    assert former in text and latter in text and "methodology 3.0" in text
    assert "no new evidence of its own, the score moved" in text


def test_one_score_down_to_its_rows(two_days: SmallWorld) -> None:
    plain = two_days.ask("diff", "previous", "current", "model-a", "coding", "--json").json["score"]
    assert plain["own_rows"][0]["latter"]["row_locator"] and plain["own_rows"][0]["step"] == "changed"
    text = two_days.ask("diff", "previous", "current", "model-a", "coding").out
    assert "own row changed: gen-a" in text and "the parts miss it by" in text
    assert plain["own_rows"][0]["latter"]["snapshot_sha256"] in text


def test_mistakes_are_sentences(two_days: SmallWorld) -> None:
    for arguments, said in (
        (("diff", "2026-01-01-000000000000", "current"), "no release 2026-01-01-000000000000"),
        (("diff", "previous", "current", "model-a"), "both MODEL and CATEGORY"),
        (("diff", "previous", "current", "model-a", "cooking"), "no category 'cooking'"),
        (("diff", "previous", "current", "nobody", "coding"), "nobody"),
    ):
        ran = two_days.ask(*arguments)
        assert ran.code == 2 and said in ran.said, ran.said


def edited_catalog(world: SmallWorld, folder: Path) -> Path:
    """The world's catalog with one metric taken out, as another version."""
    shutil.copytree(world.catalog, folder)
    path = folder / "metrics.yaml"
    value = yaml.safe_load(path.read_text(encoding="utf-8"))
    value["version"] = "small.2"
    value["metrics"] = [metric for metric in value["metrics"] if metric["id"] != "debug-b"]
    path.write_text(yaml.safe_dump(value, sort_keys=False), encoding="utf-8")
    return folder


def loosen(world: SmallWorld) -> None:
    """Lets a day be published that keeps little of the day before."""
    for gate in ("rows-lost", "evidence-lost", "value-jump"):
        world.edit_gate(gate, threshold=1.0)


def test_a_catalog_is_tried_before_it_is_merged(two_days: SmallWorld, tmp_path: Path) -> None:
    before = sorted(path.relative_to(two_days.root) for path in two_days.root.rglob("*"))
    same = call("catalog", "preview", "--home", two_days.home, "--catalog", two_days.catalog, "--json").json
    assert same["moves_nothing"] is True
    folder = edited_catalog(two_days, tmp_path / "edited")
    tried = call("catalog", "preview", "--home", two_days.home, "--catalog", folder, "--json").json
    assert tried["metrics"] == [{"metric_id": "debug-b", "former": 15 // 2 + 1, "latter": 0}]
    assert tried["latter"]["catalog_version"] == "small.2" and tried["differs_in"] == ["catalog"]
    assert all(s["parts"]["catalog"] == s["change"] for s in tried["scores"] if s["parts"])
    text = call("catalog", "preview", "--home", two_days.home, "--catalog", folder).out
    assert "nothing is written" in text and "metric debug-b: 8 -> 0" in text
    assert before == sorted(path.relative_to(two_days.root) for path in two_days.root.rglob("*"))


def test_bases_that_differ_are_refused_where_asked(two_days: SmallWorld, tmp_path: Path) -> None:
    """G13: catalog v1 against v2: refused with --same-basis, else said first with both versions."""
    world = two_days.copy(tmp_path / "world")
    loosen(world)
    folder = edited_catalog(world, tmp_path / "edited")
    later = (DAY + timedelta(days=2)).isoformat()
    assert call("run", "--home", world.home, "--catalog", folder, "--as-of", later, "--json").code == 0
    refused = world.ask("diff", "previous", "current", "--same-basis", "--json")
    assert refused.code == 1 and refused.json["differs_in"] == ["catalog"]
    told = world.ask("diff", "previous", "current", "--json")
    assert told.code == 0 and told.json["same_basis"] is False and "small.1" in told.json["warnings"][0]


def test_an_edit_that_no_score_rests_on_is_told_and_refused_nowhere(two_days: SmallWorld, tmp_path: Path) -> None:
    """Limits of gates alone: the command and the page of changes name the file, and the basis is one."""
    world = two_days.copy(tmp_path / "world")
    loosen(world)
    ran = world.run(day=DAY + timedelta(days=2))
    assert ran.code == 0, ran.said
    told = world.ask("diff", "previous", "current", "--same-basis", "--json")
    assert told.code == 0 and told.json["same_basis"] is True and told.json["differs_in"] == []
    assert told.json["former"]["catalog_sha256"] != told.json["latter"]["catalog_sha256"]
    assert "the catalogs differ in gates.yaml alone" in told.json["warnings"][0]
    kept = json.loads((world.releases.open(ids(world)[-1]).folder / "changes.json").read_text(encoding="utf-8"))
    assert kept["warnings"] == told.json["warnings"] and kept["same_basis"] is True


def test_a_new_mapping_counts_as_catalog(two_days: SmallWorld, tmp_path: Path) -> None:
    """A source read another way is no news of the source: the former bytes are read again under the new catalog."""
    world = two_days.copy(tmp_path / "world")
    table = world.catalog / "alpha.csv"
    lines = [f"{row['model']},{row['value']},{float(str(row['value'])) / 2}" for row in board_rows("alpha")[:8]]
    table.write_text("\n".join(["model,first,second", *lines]), encoding="utf-8")
    known = datetime(DAY.year, DAY.month, DAY.day + 2, tzinfo=UTC).timestamp()
    os.utime(table, (known, known))
    fields: dict[str, Any] = {
        "benchmark": {"const": "gen-a"}, "metric": {"const": "accuracy"}, "unit": {"const": "score"},
        "value": {"field": "first", "type": "number"}, "model": "model",
    }  # fmt: skip
    world.entries["alpha"] |= {
        "connector": "table", "url": "alpha.csv", "path": "alpha.csv", "options": {"format": "csv", "fields": fields},
    }  # fmt: skip
    loosen(world)
    world.write_sources()
    ran = world.run(day=DAY + timedelta(days=2))
    assert ran.code == 0, ran.said
    fields["value"] = {"field": "second", "type": "number"}
    world.write_sources()
    ran = world.run(day=DAY + timedelta(days=3))
    assert ran.code == 0, ran.said
    found = world.ask("diff", "previous", "current", "--json").json
    moved = [score for score in found["scores"] if score["parts"] and score["change"]]
    assert moved and all(score["own_rows"] == [] for score in moved)
    assert all(abs(score["parts"]["catalog"] - score["change"]) <= 1e-9 for score in moved)
