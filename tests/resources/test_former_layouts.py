"""Older content is read as its day's columns and files were; a version that is another source's is none of ours."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from pydantic import ValidationError

from resources.catalog_files import load_catalog
from resources.connectors import option_problems, parse
from resources.histories import folder_versions
from resources.settings import Settings
from warehouse.catalog_model import Catalog, SourceSpec

REPOSITORY = Path(__file__).resolve().parents[2]
OPTIONS = {
    "format": "csv",
    "columns": ["name", "score", "cost"],
    "fields": {"benchmark": {"const": "B"}, "metric": {"const": "m"}, "unit": {"const": "score"},
               "value": {"field": "score", "type": "number"}, "model": "name"},
    "extra": {"cost": {"field": "cost", "type": "number"}},
    "ignore": {"other.csv": "another source's"},
}  # fmt: skip
OLD = {
    "columns": ["name", "points"],
    "fields": {"value": {"field": "points", "type": "number"}},
    "extra": {"cost": None},
}
KEPT = {
    ("aider", "2025-01-31"): 42, ("aider", "2025-04-20"): 94, ("aider", "2025-06-30"): 122,
    ("arc-agi", "2025-04-16"): 89, ("bfcl", "2024-11-23"): 1610, ("bfcl", "2025-03-24"): 2691,
    ("bfcl", "2025-08-28"): 2950, ("llm-stats", "2025-02-28"): 888, ("lmarena", "2025-03-17"): 4120,
    ("mmmu", "2025-06-25"): 966, ("osworld", "2025-08-20"): 902, ("osworld", "2025-12-24"): 1397,
    ("swebench", "2025-05-07"): 168, ("swebench", "2025-07-31"): 247, ("swebench", "2025-08-08"): 259,
    ("swebench", "2025-10-06"): 294, ("swebench", "2025-11-19"): 301,
}  # fmt: skip
"""Rows of every older version that the mirror holds: (leaderboard, day)."""


def source(**more: object) -> SourceSpec:
    given = {"id": "b", "title": "B", "connector": "table", "url": "b.csv", "path": "b/*.csv", "min_rows": 9,
             "source_type": "official", "options": OPTIONS, "former": [{"until": "2025-03-31", "min_rows": 1,
             "options": OLD}]}  # fmt: skip
    return SourceSpec.model_validate(given | more)


def test_a_layout_holds_up_to_its_day_and_changes_only_what_it_names() -> None:
    spec = source()
    former = spec.at(date(2025, 3, 31))
    assert spec.at(date(2025, 4, 1)) is spec
    assert (former.min_rows, former.path, former.title) == (1, "b/*.csv", "B")
    assert former.options["fields"]["model"] == "name"
    assert former.options["fields"]["value"] == {"field": "points", "type": "number"}
    assert former.options["extra"] == {}
    assert spec.options["extra"] == {"cost": {"field": "cost", "type": "number"}}
    assert former.former == ()


def test_the_first_layout_that_reaches_a_day_is_the_one() -> None:
    spec = source(former=[{"until": "2024-12-31", "min_rows": 2}, {"until": "2025-06-30", "min_rows": 3}])
    found = [spec.at(date.fromisoformat(day)).min_rows for day in ("2024-01-01", "2025-01-01", "2025-07-01")]
    assert found == [2, 3, 9]


@pytest.mark.parametrize("days", [("2025-02-01", "2025-01-01"), ("2025-01-01", "2025-01-01")])
def test_layouts_out_of_order_are_refused(days: tuple[str, str]) -> None:
    with pytest.raises(ValidationError, match="ascending order"):
        source(former=[{"until": day} for day in days])


def test_a_fault_of_a_layout_is_found_when_the_catalog_is_checked() -> None:
    bad = {"until": "2025-01-01", "options": {"fields": {"value": {"field": "x", "parent": "y"}}}}
    (path, why), *_ = option_problems(source(former=[bad]))
    assert path[:3] == ("former", 0, "options")
    assert "exactly one of" in why


def test_versions_of_ignored_files_alone_are_no_versions(tmp_path: Path) -> None:
    for day, name in (("2025-01-01", "b.csv"), ("2025-02-01", "other.csv")):
        folder = tmp_path / "b" / "history" / f"{day}_x"
        folder.mkdir(parents=True)
        (folder / name).write_text("name,points\nA,1\n")
    assert [version.day for version in folder_versions(source(), tmp_path)] == [date(2025, 1, 1)]


def test_a_layout_may_lie_elsewhere(tmp_path: Path) -> None:
    folder = tmp_path / "b" / "history" / "2025-01-01_x" / "old"
    folder.mkdir(parents=True)
    (folder / "scores.csv").write_text("name,points\nA,1\n")
    moved = source(former=[{"until": "2025-03-31", "path": "b/old", "options": OLD}])
    (version,) = folder_versions(moved, tmp_path)
    read = version.read(Settings.from_env(home=tmp_path), 1_000)
    assert read is not None
    assert [row.record["value"] for row in parse(moved.at(version.day), read.files).rows if row.record] == [1]


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog(REPOSITORY / "warehouse" / "catalog").catalog


def test_every_older_version_of_the_real_files_is_read_whole(upstream_dir: Path, catalog: Catalog) -> None:
    found = {}
    for spec in catalog.sources:
        for version in folder_versions(spec, upstream_dir):
            read = version.read(Settings.from_env(home=upstream_dir), 256_000_000)
            assert read is not None
            then = spec.at(version.day)
            rows = parse(then, read.files).rows
            assert [row.problem for row in rows if row.problem] == []
            assert len(rows) >= then.min_rows
            found[spec.id, version.day.isoformat()] = len(rows)
    assert found == KEPT
