"""`verify` and the site: every page rendered again, so that not even one forged with all its hashes passes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from pathlib import Path

import pytest
from small_homes import DAY, SmallWorld, board_rows, build_world, quiet_process

from pipelines import verification
from resources.site import build
from warehouse.canonical import sha256_hex


@pytest.fixture(scope="module")
def two_days(tmp_path_factory: pytest.TempPathFactory) -> SmallWorld:
    """Two days with their sites; the second compares with the first."""
    world = build_world(tmp_path_factory.mktemp("two") / "world")
    with pytest.MonkeyPatch.context() as patch:
        quiet_process(patch, with_site=True)
        assert world.run().code == 0
        world.write_board("alpha", board_rows("alpha", 0.4), "2026-03-29T05:00:00Z")
        assert world.run(day=DAY + timedelta(days=1)).code == 0
    return world


@pytest.fixture
def world(two_days: SmallWorld, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SmallWorld:
    quiet_process(monkeypatch, with_site=True)
    return two_days.copy(tmp_path / "world")


def forge(world: SmallWorld, name: str, change: Callable[[bytes], bytes]) -> None:
    """Changes a file of the current release, its hash in the manifest, and the manifest's in the ledger."""
    release = world.releases.current()
    assert release is not None
    path = release.folder / name
    before = path.read_bytes()
    path.write_bytes(change(before))
    assert path.read_bytes() != before
    stated = release.folder / "manifest.json"
    text = stated.read_text(encoding="utf-8").replace(sha256_hex(before), sha256_hex(path.read_bytes()))
    stated.write_text(text, encoding="utf-8")
    ledger = world.home / "releases.jsonl"
    lines = ledger.read_text(encoding="utf-8").replace(release.manifest_sha256, sha256_hex(text.encode()))
    ledger.write_text(lines, encoding="utf-8")


def test_every_page_is_rendered_again(world: SmallWorld) -> None:
    current = world.releases.current()
    assert current is not None
    listed = [name for name in current.manifest.files if name.startswith("site/")]
    ran = world.ask("verify", "current", "--json")
    assert ran.code == 0, ran.said
    assert ran.json["site"] == {
        "files": len(listed), "holds": True, "same_program": True, "differences": [], "notes": []
    }  # fmt: skip
    assert len(listed) > 20
    said = world.ask("verify", "current").out
    assert f"{len(listed):,} files of the site, rendered again" in said.replace("\n", " ")
    assert world.ask("verify", "current", "--no-site", "--json").json["site"] is None


@pytest.mark.parametrize("page", ["site/index.html", "site/gates.html", "changes.json"])
def test_a_page_forged_with_all_its_hashes_is_named(world: SmallWorld, page: str) -> None:
    forge(world, page, lambda data: data.replace(b"0.", b"1.", 1) if page.endswith(".json") else data + b"<!-- -->")
    ran = world.ask("verify", "current", "--json")
    assert ran.code == 1, ran.said
    assert ran.json["faults"] == [], "every hash was forged along"
    assert any(line.startswith(page) for line in ran.json["site"]["differences"])
    assert "does not hold" in world.ask("verify", "current").out


def rendering(changes: Mapping[str, bytes | None]) -> Callable[..., Iterator[tuple[str, bytes]]]:
    """The site as another version of the program would render it."""
    whole = build.site_of_folder

    def other(*arguments: object) -> Iterator[tuple[str, bytes]]:
        for name, data in whole(*arguments):  # type: ignore[arg-type]
            changed = changes.get(name, data)
            if changed is not None:
                yield name, changed
        yield "new.html", b"new"

    return other


@pytest.mark.parametrize("is_same", [True, False])
def test_pages_that_another_program_renders_otherwise_are_told(
    world: SmallWorld, monkeypatch: pytest.MonkeyPatch, is_same: bool
) -> None:
    changes: dict[str, bytes | None] = {"index.html": b"other", "gates.html": None}
    monkeypatch.setattr(build, "site_of_folder", rendering(changes))
    if not is_same:
        monkeypatch.setattr(verification, "code_version", lambda: "0" * 64)
    ran = world.ask("verify", "current", "--json")
    assert ran.code == (1 if is_same else 0), ran.said
    assert ran.json["site"]["same_program"] is is_same
    assert ran.json["site"]["differences"] == [
        "site/index.html: rendered from the tables it has other bytes",
        "site/new.html: rendered now, and not in the release",
        "site/gates.html: in the release, and not rendered now",
    ]


def test_what_moved_is_not_computed_again_without_the_release_before(world: SmallWorld) -> None:
    current = world.releases.current()
    assert current is not None
    before = str(current.manifest.baseline_release_id)
    (world.releases.folder(before) / "manifest.json").unlink()
    ran = world.ask("verify", "current", "--json")
    assert ran.code == 0, ran.said
    assert ran.json["site"]["notes"] == [f"changes.json: not computed again, {before} is not whole in this home"]


def test_a_release_before_that_was_withdrawn_since_changes_no_page(world: SmallWorld) -> None:
    current = world.releases.current()
    assert current is not None
    before = str(current.manifest.baseline_release_id)
    assert world.ask("withdraw", before, "--reason", "built on a board that was taken back").code == 0
    assert json.loads(world.ask("verify", "current", "--json").out)["site"]["holds"] is True
