"""`scoretrail sync --dry-run`: shows what an entry would bring in, and writes nothing anywhere."""

from __future__ import annotations

from pathlib import Path

import yaml
from small_homes import Ran, SmallWorld, call

from warehouse.exit_codes import ExitCode


def tree(folder: Path) -> dict[str, tuple[int, int]]:
    return {
        str(path.relative_to(folder)): (path.stat().st_size, path.stat().st_mtime_ns)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def dry_run(world: SmallWorld, *arguments: str) -> Ran:
    return call("sync", "--dry-run", *arguments, "--home", world.home, "--catalog", world.catalog)


def test_nothing_is_written_and_everything_is_shown(published: SmallWorld) -> None:
    before = tree(published.root)
    ran = dry_run(published, "alpha")
    assert ran.code == ExitCode.OK
    assert tree(published.root) == before
    assert "nothing was kept" in ran.said
    assert "gen-a" in ran.said
    told = dry_run(published, "alpha", "--json").json
    (look,) = told["sources"]
    assert (look["leaderboard"], look["rows"]) == ("alpha", look["results"])
    assert set(look["metrics"]) == {"gen-a", "repo-a", "debug-a"}
    assert (look["unknown_metrics"], look["unknown_models"]) == ([], [])
    assert tree(published.root) == before


def test_what_the_catalog_does_not_know_comes_with_a_stanza(published: SmallWorld) -> None:
    published.write_board(
        "alpha",
        [
            {"benchmark": "New: Bench", "metric": "won", "unit": "score", "value": 50, "model": "Nobody 1"},
            {"benchmark": "New: Bench", "metric": "won", "unit": "score", "value": "n/a", "model": "Nobody 2"},
            {"benchmark": "New: Bench", "metric": "won", "unit": "score"},
        ],
    )
    (look,) = dry_run(published, "alpha", "--json").json["sources"]
    assert (look["rows"], look["results"], look["min_rows"] > 0) == (3, 2, True)
    (unknown,) = look["unknown_metrics"]
    (entry,) = yaml.safe_load("metrics:\n" + unknown["stanza"])["metrics"]
    assert entry["from"] == [{"benchmark": "New: Bench", "benchmark_version": None, "subset": None, "metric": "won"}]
    assert [one["name"] for one in look["unknown_models"]] == ["Nobody 1", "Nobody 2"]
    assert {one["rows"] for one in look["quarantined"]} == {1}
    said = dry_run(published, "alpha").said
    kinds = look["quarantined"]
    assert f"Quarantined: {sum(one['rows'] for one in kinds)} row" in said and f"reasons: {len(kinds)}" in said
    assert "None" not in said
    assert "To edit into metrics.yaml" in said
    assert "Names that the registry does not know: 2 of 2" in said


def test_a_source_that_cannot_be_read_ends_with_3_and_an_unknown_one_with_2(published: SmallWorld) -> None:
    published.board_file("alpha").write_text("{", encoding="utf-8")
    ran = dry_run(published, "alpha")
    assert ran.code == ExitCode.SOURCE
    assert "not JSON" in ran.said
    assert dry_run(published, "alpha", "--json").json["sources"][0]["rows"] is None
    assert dry_run(published, "alpa").code == ExitCode.USAGE
    assert dry_run(published).code == ExitCode.USAGE
