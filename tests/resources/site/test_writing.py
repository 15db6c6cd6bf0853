"""Writing a site into a folder: only where one may stand, whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from resources.site.writing import SiteError, write_site


def test_a_former_site_is_replaced_whole(tmp_path: Path) -> None:
    assert write_site(tmp_path / "site", [("index.html", b"1"), ("old/page.html", b"1")]) == 2
    assert write_site(tmp_path / "site", [("index.html", b"2")]) == 1
    assert (tmp_path / "site" / "index.html").read_bytes() == b"2"
    assert not (tmp_path / "site" / "old").exists()


def test_an_empty_folder_is_taken(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    write_site(tmp_path / "site", [("index.html", b"1")])
    assert (tmp_path / "site" / "index.html").is_file()


@pytest.mark.parametrize("name", ["work.txt", "index.html"])
def test_anything_else_is_never_touched(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("mine")
    with pytest.raises(SiteError, match="is not empty"):
        write_site(tmp_path, [("index.html", b"1")])
    assert (tmp_path / name).read_text() == "mine"
    with pytest.raises(SiteError):
        write_site(tmp_path / name, [("index.html", b"1")])


@pytest.mark.parametrize("name", ["../out.html", "/etc/x", "a/../b", "a\\b", "./a", "a//b"])
def test_no_name_leads_out(tmp_path: Path, name: str) -> None:
    with pytest.raises(SiteError, match="may not stand"):
        write_site(tmp_path / "site", [(name, b"1")])
    assert list(tmp_path.iterdir()) == []


def test_a_failure_leaves_the_former_site(tmp_path: Path) -> None:
    write_site(tmp_path / "site", [("index.html", b"1")])

    def failing() -> Iterator[tuple[str, bytes]]:
        yield "index.html", b"2"
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        write_site(tmp_path / "site", failing())
    assert (tmp_path / "site" / "index.html").read_bytes() == b"1"
    assert [path.name for path in tmp_path.iterdir()] == ["site"]
