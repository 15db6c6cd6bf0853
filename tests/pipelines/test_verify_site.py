"""`verify` and the site: every page rendered again, so that not even one forged with all its hashes passes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from pathlib import Path

import pytest
from small_homes import DAY, SmallWorld, board_rows, build_world, quiet_process

from resources.code_version import code_version
from resources.site import build, proof
from resources.site.proof import SiteProof, prove_site
from warehouse.canonical import sha256_hex


@pytest.fixture(scope="module")
def two_days(tmp_path_factory: pytest.TempPathFactory) -> SmallWorld:
    """Two days; the second has its site, and compares with the first."""
    world = build_world(tmp_path_factory.mktemp("two") / "world")
    with pytest.MonkeyPatch.context() as patch:
        quiet_process(patch)
        assert world.run().code == 0
    with pytest.MonkeyPatch.context() as patch:
        quiet_process(patch, with_site=True)
        world.write_board("alpha", board_rows("alpha", 0.4), "2026-03-29T05:00:00Z")
        assert world.run(day=DAY + timedelta(days=1)).code == 0
    return world


@pytest.fixture(autouse=True)
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """As everywhere in this folder, but with the site."""
    quiet_process(monkeypatch, with_site=True)


@pytest.fixture
def world(two_days: SmallWorld, tmp_path: Path) -> SmallWorld:
    return two_days.copy(tmp_path / "world")


def proved(world: SmallWorld, code: str | None = None) -> SiteProof:
    """The proof of the current release's site alone: `verify` makes the tables again first."""
    release = world.releases.current()
    assert release is not None
    return prove_site(world.releases, release, code or code_version())


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


def test_every_page_is_rendered_again(world: SmallWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    current = world.releases.current()
    assert current is not None
    listed = [name for name in current.manifest.files if name.startswith("site/")]
    assert len(listed) > 20
    monkeypatch.setattr(proof, "EVERY", 10)
    ran = world.ask("verify", "current")
    assert ran.code == 0, ran.said
    assert f"{len(listed):,} files of the site, rendered again" in ran.out.replace("\n", " ")
    assert f"10 of {len(listed):,} files of the site rendered again" in ran.err
    found = proved(world)
    assert (found.files, found.differences, found.notes, found.is_of_this_program) == (len(listed), (), (), True)


def test_a_page_forged_with_all_its_hashes_is_named(world: SmallWorld) -> None:
    forge(world, "site/gates.html", lambda data: data + b"<!-- -->")
    ran = world.ask("verify", "current", "--json")
    assert ran.code == 1, ran.said
    assert ran.json["faults"] == [], "every hash was forged along"
    assert ran.json["site"]["differences"] == ["site/gates.html: rendered from the tables it has other bytes"]
    # Without its pages the release holds, and says nothing of them.
    assert world.ask("verify", "current", "--no-site", "--json").json["site"] is None


def test_what_moved_cannot_be_forged_either(world: SmallWorld) -> None:
    """The pages would say what it says, so it is computed again from both releases."""
    forge(world, "changes.json", lambda data: data.replace(b'"change":', b'"change":1', 1))
    assert "changes.json: computed again from both releases it says something else" in proved(world).differences


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
    found = proved(world, None if is_same else "0" * 64)
    assert (found.is_of_this_program, found.holds) == (is_same, not is_same)
    assert found.differences == (
        "site/index.html: rendered from the tables it has other bytes",
        "site/new.html: rendered now, and not in the release",
        "site/gates.html: in the release, and not rendered now",
    )


def test_what_moved_is_not_computed_again_without_the_release_before(world: SmallWorld) -> None:
    current = world.releases.current()
    assert current is not None
    before = str(current.manifest.baseline_release_id)
    (world.releases.folder(before) / "manifest.json").unlink()
    found = proved(world)
    assert found.holds and found.differences == ()
    assert found.notes == (f"changes.json: not computed again, {before} is not whole in this home",)


def test_a_release_before_that_was_withdrawn_since_changes_no_page(world: SmallWorld) -> None:
    current = world.releases.current()
    assert current is not None
    before = str(current.manifest.baseline_release_id)
    assert world.ask("withdraw", before, "--reason", "built on a board that was taken back").code == 0
    assert proved(world).differences == ()


def test_a_site_that_cannot_be_rendered_is_told(world: SmallWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    def breaking(*_: object) -> Iterator[tuple[str, bytes]]:
        yield from ()
        raise KeyError("a column that was renamed since")

    monkeypatch.setattr(build, "site_of_folder", breaking)
    ours, theirs = proved(world), proved(world, "0" * 64)
    assert (ours.holds, theirs.holds) == (False, True)
    assert "could not be rendered beyond 0 of" in ours.differences[0] and "KeyError" in ours.differences[0]
