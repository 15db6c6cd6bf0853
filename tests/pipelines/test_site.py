"""The site through the front door: in every release, the same bytes again, followed from link to link, with changes."""

from __future__ import annotations

import json
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from datetime import timedelta
from pathlib import Path
from xml.etree import ElementTree

import pytest
from small_homes import DAY, Ran, SmallWorld, board_rows, build_world, call, quiet_process

from resources.manifest import manifest_bytes, read_release, release_faults
from resources.site.build import site_of_folder
from resources.site.kept import kept_site, release_site
from resources.site.withdrawn import marked

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "resources" / "site"))

from html_pages import read_site, site_faults


@pytest.fixture(autouse=True)
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """As everywhere in this folder, but with the site."""
    quiet_process(monkeypatch, with_site=True)


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> SmallWorld:
    """A small world with one published day, its site included; read it, or copy it."""
    world = build_world(tmp_path_factory.mktemp("sited") / "world")
    with pytest.MonkeyPatch.context() as patch:
        quiet_process(patch, with_site=True)
        ran = world.run()
    assert ran.code == 0, ran.said
    return world


@pytest.fixture
def published(template: SmallWorld, tmp_path: Path) -> SmallWorld:
    """A copy of it."""
    return template.copy(tmp_path / "world")


@pytest.fixture(scope="module")
def demo_site(demo: tuple[Path, Ran]) -> dict[str, bytes]:
    """The site that the demonstration's release holds."""
    (folder,) = (demo[0] / "releases").iterdir()
    return dict(release_site(read_release(folder)))


def test_the_release_holds_its_site_and_is_whole(
    demo: tuple[Path, Ran], demo_site: dict[str, bytes], tmp_path: Path
) -> None:
    (folder,) = (demo[0] / "releases").iterdir()
    release = read_release(folder)
    assert kept_site(release) == folder / "site"
    assert len(demo_site) > 300
    assert release_faults(release) == []
    changed = shutil.copytree(folder, tmp_path / folder.name)
    page = changed / "site" / "boards" / "math.html"
    page.write_bytes(page.read_bytes().replace(b"rated", b"RATED"))
    assert any("math.html: was changed" in fault for fault in release_faults(read_release(changed)))


def test_every_link_of_the_demonstration_holds(demo_site: dict[str, bytes]) -> None:
    pages = read_site(demo_site)
    assert list(site_faults(demo_site, pages)) == []
    links = sum(len(page.links) for page in pages.values())
    print(f"{len(pages)} pages, {links} links, {sum(map(len, demo_site.values())) / 1e6:.1f} MB")
    assert links > 20_000


def test_every_page_of_a_withdrawn_release_says_so(demo_site: dict[str, bytes]) -> None:
    """Each page begins with the reason, escaped; what is no page, and a release that stands, are as they were."""
    found = dict(marked(demo_site.items(), "a <i>unit</i>"))
    said = b"<strong>This release was withdrawn:</strong> <bdi>a &lt;i&gt;unit&lt;/i&gt;</bdi></p>"
    pages = [name for name in demo_site if name.endswith(".html")]
    assert len(pages) > 100
    assert [name for name in pages if found[name].count(said) != 1] == []
    assert {name: data for name, data in found.items() if name not in pages} == {
        name: data for name, data in demo_site.items() if name not in pages
    }
    assert dict(marked(demo_site.items(), None)) == demo_site


def test_made_again_it_is_the_same_bytes(demo: tuple[Path, Ran], demo_site: dict[str, bytes]) -> None:
    """Also though the manifest it is made from now lists it, and has been written and read."""
    (folder,) = (demo[0] / "releases").iterdir()
    assert dict(site_of_folder(folder, read_release(folder).manifest)) == demo_site


def test_every_published_score_is_on_its_board_and_its_model_s_page(
    demo: tuple[Path, Ran], demo_site: dict[str, bytes]
) -> None:
    (folder,) = (demo[0] / "releases").iterdir()
    for row in read_release(folder).read("out__category_score").rows(named=True):
        page = demo_site[f"models/{row['model_id']}.html"].decode()
        assert f'<h2 id="{row["category"]}">' in page
        board = demo_site[f"boards/{row['category']}.html"].decode()
        assert f'href="../models/{row["model_id"]}.html#{row["category"]}"' in board
        if row["score"] is not None:
            assert f'data-v="{row["score"]!r}"' in board


def test_a_release_without_a_site_stays_whole_and_has_one_made(published: SmallWorld, tmp_path: Path) -> None:
    """A release from before there were sites: verify holds, and the command makes its site when asked."""
    (folder,) = (published.home / "releases").iterdir()
    release = read_release(folder)
    files = {name: sha for name, sha in release.manifest.files.items() if not name.startswith("site/")}
    old = release.manifest.model_copy(update={"files": files})
    kept = {
        path.relative_to(folder / "site").as_posix(): path.read_bytes() for path in (folder / "site").rglob("*.html")
    }
    for path in sorted((folder / "site").rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    (folder / "site").rmdir()
    (folder / "manifest.json").write_bytes(manifest_bytes(old))
    ledger = published.home / "releases.jsonl"
    written = read_release(folder)
    ledger.write_text(ledger.read_text().replace(release.manifest_sha256, written.manifest_sha256))
    assert published.ask("verify", "current").code == 0
    ran = published.ask("site", "--out", str(tmp_path / "site"), "--json")
    assert ran.code == 0, ran.said
    assert ran.json["files"] == len(list((tmp_path / "site").rglob("*.*"))) - 1
    made = {path.relative_to(tmp_path / "site").as_posix(): path.read_bytes() for path in tmp_path.rglob("*.html")}
    assert made == kept


def test_out_refuses_a_folder_of_something_else(published: SmallWorld, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    ran = published.ask("site", "--out", str(tmp_path))
    assert ran.code == 2
    assert "is not empty and is no site" in ran.err


def test_a_changed_site_is_not_copied(published: SmallWorld, tmp_path: Path) -> None:
    (folder,) = (published.home / "releases").iterdir()
    (folder / "site" / "gates.html").write_text("all well")
    ran = published.ask("site", "--out", str(tmp_path / "site"))
    assert ran.code == 2
    assert "gates.html: is missing or was changed" in ran.err
    assert not (tmp_path / "site").exists()


def test_a_port_in_use_is_said(published: SmallWorld) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        ran = published.ask("site", "--port", str(taken.getsockname()[1]))
    assert ran.code == 2
    assert "cannot be used" in ran.err


def test_an_unknown_release_is_a_mistake_of_the_caller(published: SmallWorld, tmp_path: Path) -> None:
    assert published.ask("site", "--release", "2020-01-01-000000000000").code == 2
    assert call("site", "--home", tmp_path).code == 2


def test_the_next_day_tells_what_changed(published: SmallWorld) -> None:
    """A value that its source changed: the page, the feed and the model's page say so, and the parts sum to it."""
    rows = board_rows("alpha")
    rows[0]["value"] = 61.5
    published.write_board("alpha", rows, synced_at="2026-03-29T06:00:00Z")
    before = published.current()
    ran = published.run(day=DAY + timedelta(days=1))
    assert ran.code == 0, ran.said
    after = published.current()
    assert after is not None
    assert after != before
    folder = published.home / "releases" / after
    changes = json.loads((folder / "changes.json").read_text())
    assert changes["schema"] == "scoretrail.changes/1"
    assert changes["former"]["release_id"] == before
    (moved,) = [score for score in changes["scores"] if score["model_id"] == "model-a"]
    assert moved["change"] != 0
    files = dict(release_site(read_release(folder)))
    assert list(site_faults(files, read_site(files))) == []
    page = files["changes.html"].decode()
    assert f'data-v="{moved["change"]!r}"' in page
    parts = re.search(r"model-a</bdi>.*?</tr>", page[page.index('id="moved"') :], re.DOTALL)
    assert parts is not None
    figures = [float(value) for value in re.findall(r'data-v="([^"]+)"', parts.group())]
    assert figures[0] == pytest.approx(sum(figures[1:]), abs=1e-9)
    feed = ElementTree.fromstring(files["changes.xml"])
    content = feed.find(".//{http://www.w3.org/2005/Atom}content")
    assert content is not None
    assert "model-a rose" in str(content.text)
    assert f"Since <code>{before}</code>: <bdi>model-a rose" in files["models/model-a.html"].decode()
    assert release_faults(read_release(folder)) == []
    assert dict(site_of_folder(folder, read_release(folder).manifest)) == files


def test_a_baseline_that_cannot_be_compared_holds_nothing_up(published: SmallWorld) -> None:
    """The former release's catalog is of no form this program reads: the day is published, the page says why."""
    (former,) = (published.home / "releases").iterdir()
    (former / "catalog" / "models.yaml").write_text("models: [")
    rows = board_rows("alpha")
    rows[0]["value"] = 61.5
    published.write_board("alpha", rows, synced_at="2026-03-29T06:00:00Z")
    ran = published.run(day=DAY + timedelta(days=1))
    assert ran.code == 0, ran.said
    files = dict(release_site(read_release(published.home / "releases" / str(published.current()))))
    assert b"could not be compared with this one" in files["changes.html"]
    assert str(published.home).encode() not in files["changes.html"]


def test_the_command_serves_the_site(template: SmallWorld) -> None:
    """In a process of its own, ended by an interrupt."""
    command = [sys.executable, "-m", "pipelines.command", "site", "--home", str(template.home)]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=None, cwd=Path(__file__).parents[2]
    )
    try:
        assert process.stdout is not None
        address = process.stdout.readline().split()[-1]
        with urllib.request.urlopen(address, timeout=10) as answer:
            assert b"What the evidence says" in answer.read()
        with pytest.raises(urllib.error.HTTPError, match="403"):
            urllib.request.urlopen(re.sub(r"/[^/]+/index", "/guess/index", address), timeout=10)
    finally:
        process.send_signal(signal.SIGINT)
        end = time.monotonic() + 10
        while process.poll() is None and time.monotonic() < end:
            time.sleep(0.05)
        process.kill()
        process.communicate()
    assert process.returncode == 0
