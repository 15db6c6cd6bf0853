"""The archive of many files: equal content gives equal bytes; nothing hostile comes out of one."""

from __future__ import annotations

import io
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from resources.archives import ArchiveError, pack, unpack
from resources.connectors import SnapshotFile


def made(entries: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, data in entries.items():
            archive.writestr(name, data)
    return buffer.getvalue()


names = st.text("abc/é", min_size=1, max_size=6).filter(lambda name: name == name.strip("/"))


@given(st.dictionaries(names, st.binary(max_size=20), min_size=1, max_size=5))
def test_order_does_not_matter_and_all_comes_back(files: dict[str, bytes]) -> None:
    listed = [SnapshotFile(name, data) for name, data in files.items()]
    packed = pack(listed)
    assert packed == pack(listed[::-1])
    assert unpack(packed, max_bytes=1000) == tuple(sorted(listed, key=lambda file: file.name))


@pytest.mark.parametrize("name", ["../x", "/etc/passwd", "a/../../x", "..\\x", "C:/x"])
def test_names_that_escape_are_refused(name: str) -> None:
    with pytest.raises(ArchiveError, match="plain relative name"):
        unpack(made({name: b"x"}), max_bytes=100)
    with pytest.raises(ArchiveError):
        pack([SnapshotFile(name, b"x")])


def test_a_name_twice_is_refused() -> None:
    with pytest.raises(ArchiveError, match="twice"):
        pack([SnapshotFile("a", b"1"), SnapshotFile("a", b"2")])


def test_a_bomb_is_refused_by_ratio_and_by_size() -> None:
    bomb = made({"a": b"\0" * 10_000_000})
    with pytest.raises(ArchiveError, match="expands more than"):
        unpack(bomb, max_bytes=100_000_000)
    with pytest.raises(ArchiveError, match="expands to more than 1000"):
        unpack(made({"a": b"ab" * 600}), max_bytes=1000, max_ratio=10_000)


@pytest.mark.parametrize("data", [b"", b"not a zip", made({"a": b"hello" * 50})[:-30]], ids=["empty", "other", "cut"])
def test_a_broken_zip_is_an_archive_error(data: bytes) -> None:
    with pytest.raises(ArchiveError, match="not a readable zip"):
        unpack(data, max_bytes=1000)


def test_the_number_of_files_is_limited() -> None:
    with pytest.raises(ArchiveError, match="3 files"):
        unpack(made({"a": b"", "b": b"", "c": b""}), max_bytes=10, max_files=2)
