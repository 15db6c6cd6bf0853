"""A night on which nothing changed takes over what the night before made, and nothing that anybody or anything touched.

Each test runs the day after a published one and says what was taken over and what was made again; whatever that was,
the release is the one that a run which takes nothing over makes.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import yaml
from small_homes import DAY, SmallWorld, board_rows, build_world, quiet_process

import checks.gates
from methods.lineage.release_diff import release_diff, unmoved_diff
from resources import former_day, workspace
from resources.catalog_files import load_catalog
from resources.diff_sides import facts_of, side_of
from resources.former_day import FormerDay
from resources.manifest import Release, read_release, release_faults
from resources.published_copy import read_published
from resources.settings import Settings
from resources.site.build import site_of_folder
from resources.site.facts import Facts
from resources.site.former_site import FormerSite
from resources.site.kept import release_site
from resources.site.page import Page
from resources.site.pages import data
from resources.table_files import read_stamp_file, write_table_file
from warehouse.contracts import TableContract
from warehouse.tables import INPUTS

SUITE = "suite-core__result"
NEXT = DAY + timedelta(days=1)
BOARD_TABLES = {
    "raw__row", "core__result", "core__evidence", "core__exclusion", "out__dimension_score", "out__category_score",
    "out__score_weight",
}  # fmt: skip


@dataclass
class Seen:
    """What a run took over, and what it made."""

    tables: dict[str, bool] = field(default_factory=dict)
    judged: list[str] = field(default_factory=list)
    pages: dict[str, bool] = field(default_factory=dict)
    downloads: set[str] = field(default_factory=set)
    read_back: set[str] = field(default_factory=set)

    def made(self) -> set[str]:
        """Tables of the board that were computed."""
        return {name for name in BOARD_TABLES if not self.tables.get(name, False)}

    def suites(self) -> list[str]:
        """Suites that the engine ran."""
        return [gate for gate in self.judged if gate.startswith("suite-")]

    def written(self, folder: str) -> list[str]:
        """Pages of a folder whose content was written anew."""
        return [path for path, is_kept in self.pages.items() if path.startswith(f"{folder}/") and not is_kept]


@pytest.fixture(autouse=True)
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """As everywhere in this folder, but with the site."""
    quiet_process(monkeypatch, with_site=True)


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> SmallWorld:
    """A small world with two suites and one published day, its site included; read it, or copy it."""
    world = build_world(tmp_path_factory.mktemp("quiet") / "world")
    path = world.catalog / "gates.yaml"
    gates = yaml.safe_load(path.read_text(encoding="utf-8"))["gates"]
    gates.append({"id": SUITE, "product": "scores", "table": "core__result", "severity": "blocking", "required": True})
    path.write_text(yaml.safe_dump({"gates": gates}, sort_keys=False), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        quiet_process(patch, with_site=True)
        ran = world.run()
    assert ran.code == 0, ran.said
    return world


@pytest.fixture
def published(template: SmallWorld, tmp_path: Path) -> SmallWorld:
    """A copy of it."""
    return template.copy(tmp_path / "world")


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> Seen:
    """Watches the run of a test."""
    noted = Seen()
    former_body = data._former_body
    taken_over, evaluate, content = workspace.Workspace.taken_over, checks.gates.evaluate, FormerSite.content

    def watch_tables(self: workspace.Workspace, table: str, *rest: Any) -> Any:
        found = taken_over(self, table, *rest)
        noted.tables[table] = found is not None
        return found

    def watch_gates(gate: Any, *rest: Any) -> Any:
        noted.judged.append(gate.id)
        return evaluate(gate, *rest)

    def watch_pages(self: FormerSite, page: Page) -> Any:
        found = content(self, page)
        noted.pages[page.path] = found is not None
        return found

    def watch_downloads(facts: Facts, contract: TableContract, kind: str) -> bytes | None:
        found = former_body(facts, contract, kind)
        if facts.former is not None and found is None:
            noted.downloads.add(contract.name)
        return found

    def watch_copies(connection: Any, name: str) -> pl.DataFrame:
        noted.read_back.add(name)
        return read_published(connection, name)

    monkeypatch.setattr(data, "_former_body", watch_downloads)
    monkeypatch.setattr("resources.publisher.read_published", watch_copies)
    monkeypatch.setattr(workspace.Workspace, "taken_over", watch_tables)
    monkeypatch.setattr("assets.gates.evaluate", watch_gates)
    monkeypatch.setattr(FormerSite, "content", watch_pages)
    return noted


def the_next_day(world: SmallWorld, day: date = NEXT) -> Release:
    """Runs it; the release it made, whole, its site the one that is made from nothing."""
    before = world.current()
    ran = world.run(day=day)
    assert ran.code == 0, ran.said
    release = world.releases.current()
    assert release is not None
    assert release.release_id != before
    assert release_faults(release) == []
    assert dict(release_site(release)) == dict(site_of_folder(release.folder, release.manifest))
    return release


def former(world: SmallWorld) -> Release:
    """The release of the template's day."""
    (folder,) = [path for path in (world.home / "releases").iterdir() if path.name.startswith(DAY.isoformat())]
    return read_release(folder)


def test_nothing_changed_and_everything_is_taken_over(published: SmallWorld, seen: Seen) -> None:
    """Tables, suites and pages; the numbers are those of the day before, and verify makes them again from bytes."""
    before, release = former(published), the_next_day(published)
    assert seen.made() == set()
    rests_on_scores = {name for name, inputs in INPUTS.items() if "out__category_score" in inputs}
    assert all(seen.tables[name] for name in rests_on_scores), "names of the run alone void nothing"
    assert set(seen.suites()) <= {"suite-raw__snapshot"}
    assert seen.written("models") == seen.written("metrics") == seen.written("sources") == []
    assert seen.pages["linked.html"], "a night draws no figure anew"
    assert seen.downloads == {"out__gate"}, "its moments lie outside of its hash"
    assert seen.read_back <= {"raw__snapshot", "raw__evidence", "out__release", *moved_tables(before, release)}
    assert moved_tables(before, release) <= {"out__category_score", "out__linked_score", "out__gate"}
    scores = [r.read("out__category_score").drop("release_id", "as_of") for r in (before, release)]
    assert scores[0].equals(scores[1])
    assert set(release.read("out__category_score")["release_id"]) == {release.release_id}
    assert published.published() == release.release_id
    verdict_is_of_the_next_day(published, before, release)
    comparison_is_the_whole_one(published, before, release)
    seen.tables.clear()
    assert published.ask("verify", "current").code == 0
    assert not any(seen.tables.values())


def moved_tables(before: Release, release: Release) -> set[str]:
    """The tables whose hash differs."""
    former_hashes = before.manifest.table_hashes
    return {name for name, found in release.manifest.table_hashes.items() if found != former_hashes[name]}


def verdict_is_of_the_next_day(world: SmallWorld, before: Release, release: Release) -> None:
    """A verdict that was taken over is bound to the tables and the moment of its day, and says where it was given."""
    kept = world.verdicts.get(NEXT, SUITE)
    assert kept is not None
    assert kept.inputs == {"core__result": release.manifest.tables["core__result"].hash}
    assert kept.decided_at > before.manifest.decided_at
    assert kept.result.validation is not None
    assert kept.result.validation["judged_in"] == before.release_id


def comparison_is_the_whole_one(world: SmallWorld, before: Release, release: Release) -> None:
    """What is kept of the changes says what the whole comparison says, which finds no score that moved."""
    whole = release_diff(side_of(world.releases, before), side_of(world.releases, release)).as_json()
    rows = release.read("core__result"), release.read("out__category_score")
    told = unmoved_diff(facts_of(world.releases, before), facts_of(world.releases, release), *rows).as_json()
    assert {score["change"] for score in whole["scores"]} <= {0.0, None}
    assert {**whole, "scores": []} == told


def test_what_was_touched_is_made_again_and_nothing_else(published: SmallWorld, seen: Seen) -> None:
    """A table with a stamp that fits its new values, a page, the record of a verdict: only hashes know better."""
    path = published.tables.path("core__result", DAY)
    frame = published.tables.read("core__result", DAY).with_columns(value=pl.col("value") + 1)
    write_table_file(path, frame, read_stamp_file(path))
    folder = former(published).folder
    for name, old, new in (
        ("site/models/model-a.html", b"Score", b"Scare"),
        (f"validation/{SUITE}.json", b": ", b":  "),
    ):
        (folder / name).write_bytes((folder / name).read_bytes().replace(old, new))
    the_next_day(published)
    assert seen.made() == {"core__result"}
    assert SUITE in seen.suites()
    assert seen.written("models") == ["models/model-a.html"]


def test_a_changed_source_moves_what_rests_on_it(published: SmallWorld, seen: Seen) -> None:
    rows = board_rows("alpha")
    rows[0]["value"] = 61.5
    published.write_board("alpha", rows, synced_at="2026-03-29T06:00:00Z")
    release = the_next_day(published)
    assert seen.made() == BOARD_TABLES
    assert SUITE in seen.suites()
    assert len(seen.written("models")) == 8
    assert any(row["change"] for row in json.loads((release.folder / "changes.json").read_text())["scores"])


def test_a_former_manifest_that_was_changed_serves_for_nothing(published: SmallWorld, seen: Seen) -> None:
    path = former(published).folder / "manifest.json"
    path.write_bytes(path.read_bytes().replace(b'"small.1"', b'"small.2"'))
    assert published.run(day=NEXT).code != 0, "a damaged baseline is said, never worked around"
    assert not any(seen.tables.values())


def test_another_code_catalog_or_package_serves_for_nothing(published: SmallWorld) -> None:
    def found(code: str | None = None) -> FormerDay | None:
        release, catalog = former(published), load_catalog(published.catalog).catalog
        made_by = code or release.manifest.code_version
        return former_day.former_day(published.releases, published.tables, release.release_id, catalog, made_by)

    assert found() is not None
    assert found("0" * 64) is None
    published.edit_gate("rows-lost", threshold=0.19)
    assert found() is None
    published.edit_gate("rows-lost", threshold=0.2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(former_day, "package_versions", lambda: {"numpy": "0"})
        assert found() is None


def test_a_withdrawn_release_and_a_pinned_or_fresh_run_take_nothing_over(published: SmallWorld) -> None:
    settings = Settings.from_env(
        home=published.home, catalog_dir=published.catalog, sources_file=published.catalog / "sources.yaml"
    )
    assert workspace.Workspace.open(settings).former_day(NEXT) is not None
    assert workspace.Workspace.open(settings, takes_over=False).former_day(NEXT) is None
    assert published.ask("withdraw", former(published).release_id, "--reason", "wrong").code == 0
    assert workspace.Workspace.open(settings).former_day(NEXT) is None


def test_a_step_that_crashed_leaves_nothing_to_take_over(published: SmallWorld) -> None:
    """Its tables were written empty, and its gates said `error`."""
    release = former(published)
    day = FormerDay(release, published.tables)
    assert day.judged_soundly(["core__result"])
    assert not day.judged_soundly(["raw__evidence", "no table with a gate"][1:])
    gates = tuple(
        gate.model_copy(update={"verdict": "error"}) if gate.table == "core__result" else gate
        for gate in release.manifest.gates
    )
    manifest = release.manifest.model_copy(update={"gates": gates})
    assert not FormerDay(replace(release, manifest=manifest), published.tables).judged_soundly(["core__result"])
