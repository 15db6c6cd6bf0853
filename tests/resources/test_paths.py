"""Paths: nothing outside the allowed folders is opened, whatever the path, its symlinks or its globs say."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from resources.paths import PathError, read_local

BIG = 1_000_000


@pytest.fixture
def world(tmp_path: Path) -> Path:
    """A secret outside, an allowed folder inside."""
    (tmp_path / "secret.txt").write_text("hush")
    inside = tmp_path / "inside"
    (inside / "sub").mkdir(parents=True)
    (inside / "a.json").write_text("[1]")
    (inside / "sub" / "b.json").write_text("[2]")
    (inside / ".hidden").write_text("x")
    return inside


def test_a_file_its_name_and_its_time(world: Path) -> None:
    os.utime(world / "a.json", (0, 1_700_000_000))
    found = read_local("a.json", world, [world], max_bytes=BIG)
    assert [(file.name, file.data) for file in found.files] == [("a.json", b"[1]")]
    assert found.modified_at == datetime.fromtimestamp(1_700_000_000, UTC)
    assert not found.is_many


def test_a_folder_and_a_glob_are_sorted_by_name(world: Path) -> None:
    folder = read_local(".", world, [world], max_bytes=BIG)
    assert [file.name for file in folder.files] == ["a.json", "sub/b.json"]
    assert folder.is_many
    assert [file.name for file in read_local("**/*.json", world, [world], max_bytes=BIG).files] == [
        "a.json",
        "sub/b.json",
    ]
    assert read_local("sub/*.json", world, [world], max_bytes=BIG).is_many


@pytest.mark.parametrize(
    "location",
    ["../secret.txt", "sub/../../secret.txt", "/etc/hostname", "../*.txt", "*/../../secret.txt", "../nothing"],
)
def test_escaping_paths_are_refused(world: Path, location: str) -> None:
    with pytest.raises(PathError, match="outside"):
        read_local(location, world, [world], max_bytes=BIG)


def test_a_symlink_out_is_refused_alone_in_a_folder_and_in_a_glob(world: Path) -> None:
    (world / "sub" / "link.json").symlink_to(world.parent / "secret.txt")
    for location in ("sub/link.json", "sub", "sub/*.json"):
        with pytest.raises(PathError, match="outside"):
            read_local(location, world, [world], max_bytes=BIG)


def test_a_symlinked_root_and_a_link_that_stays_inside_are_fine(world: Path) -> None:
    alias = world.parent / "alias"
    alias.symlink_to(world)
    (world / "copy.json").symlink_to(world / "a.json")
    assert read_local("copy.json", alias, [alias], max_bytes=BIG).files[0].data == b"[1]"


def test_an_allowed_root_opens_its_folder(world: Path) -> None:
    assert read_local("../secret.txt", world, [world, world.parent], max_bytes=BIG).files[0].data == b"hush"


@pytest.mark.parametrize(
    ("location", "message"), [("none.json", "no such file"), ("*.csv", "no file matches"), ("a\0b", "NUL")]
)
def test_what_is_missing_is_said(world: Path, location: str, message: str) -> None:
    with pytest.raises(PathError, match=message):
        read_local(location, world, [world], max_bytes=BIG)


def test_an_empty_folder_is_no_source(world: Path) -> None:
    (world / "empty").mkdir()
    with pytest.raises(PathError, match="holds no file"):
        read_local("empty", world, [world], max_bytes=BIG)


def test_a_huge_file_is_refused_before_it_is_read(world: Path) -> None:
    with (world / "huge.json").open("wb") as stream:
        stream.truncate(50_000_000_000)  # sparse: no disk is used
    with pytest.raises(PathError, match="50000000000 bytes; the limit is"):
        read_local("huge.json", world, [world], max_bytes=BIG)


def test_the_limit_holds_for_the_sum_of_a_folder(world: Path) -> None:
    with pytest.raises(PathError, match="limit is 1"):
        read_local(".", world, [world], max_bytes=4)


def test_pipes_and_devices_are_refused_without_waiting(world: Path) -> None:
    os.mkfifo(world / "pipe")
    with pytest.raises(PathError, match="not a regular file"):
        read_local("pipe", world, [world], max_bytes=BIG)
    with pytest.raises(PathError, match="not a regular file"):
        read_local("/dev/zero", world, [Path("/dev")], max_bytes=BIG)
