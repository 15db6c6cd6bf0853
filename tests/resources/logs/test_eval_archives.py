"""Archives without trust: limits on members, bytes and expansion; damage and tricks named, never unpacked."""

from __future__ import annotations

import struct
import zipfile
from pathlib import Path

import pytest
from tool_logs import ZSTD, zip_bytes, zstd

from resources.archives import ArchiveError
from resources.logs import eval_archives
from resources.logs.eval_archives import EvalArchive


def kept(tmp_path: Path, data: bytes) -> Path:
    path = tmp_path / "log.eval"
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("method", [ZSTD, zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED])
def test_members_come_back(tmp_path: Path, method: int) -> None:
    members = {"header.json": b"{}" * 50, "samples/ä.json": bytes(range(256)) * 9, "empty": b""}
    with EvalArchive(kept(tmp_path, zip_bytes(members, method))) as archive:
        assert {name: archive.read(name) for name in archive.names} == members


def test_a_bomb_is_not_unpacked(tmp_path: Path) -> None:
    data = zip_bytes({"bomb.json": b"\0" * 50_000_000}, ZSTD)
    assert len(data) < 20_000
    with EvalArchive(kept(tmp_path, data)) as archive, pytest.raises(ArchiveError, match="expands more than"):
        archive.read("bomb.json")


@pytest.mark.parametrize("stated", [10, 3_000_000])
def test_a_size_that_lies_is_found_out(tmp_path: Path, stated: int) -> None:
    data = bytearray(zip_bytes({"a.json": b"x" * 2_000_000}, ZSTD))
    central = struct.unpack("<I", data[-6:-2])[0]
    struct.pack_into("<I", data, central + 24, stated)
    with EvalArchive(kept(tmp_path, bytes(data))) as archive, pytest.raises(ArchiveError, match=r"damaged|expands"):
        archive.read("a.json")


def test_reading_has_a_budget(tmp_path: Path) -> None:
    path = kept(tmp_path, zip_bytes({"a": b"x" * 600, "b": b"y" * 600}))
    with EvalArchive(path, max_read_bytes=1_000) as archive:
        archive.read("a")
        with pytest.raises(ArchiveError, match="at most 400"):
            archive.read("b")


def test_too_many_members(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(eval_archives, "MAX_MEMBERS", 1)
    with pytest.raises(ArchiveError, match="2 members"):
        EvalArchive(kept(tmp_path, zip_bytes({"a": b"", "b": b""})))


def test_damage_is_named(tmp_path: Path) -> None:
    good = zip_bytes({"a.json": b"abc" * 500}, ZSTD)
    at = good.index(zstd(b"abc" * 500)) + 12
    bad = kept(tmp_path, good[:at] + b"\xff" + good[at + 1 :])
    with EvalArchive(bad) as archive, pytest.raises(ArchiveError, match=r"a\.json: damaged"):
        archive.read("a.json")
    with pytest.raises(ArchiveError, match="not a readable zip"):
        EvalArchive(kept(tmp_path, good[:-30]))
    with EvalArchive(kept(tmp_path, good)) as archive, pytest.raises(ArchiveError, match="no such member"):
        archive.read("b.json")


def test_other_packing_and_encryption_are_refused(tmp_path: Path) -> None:
    data = zip_bytes({"a": b"x" * 100}, zipfile.ZIP_BZIP2)
    with EvalArchive(kept(tmp_path, data)) as archive, pytest.raises(ArchiveError, match="method 12"):
        archive.read("a")
    locked = bytearray(zip_bytes({"a": b"x"}))
    struct.pack_into("<H", locked, struct.unpack("<I", locked[-6:-2])[0] + 8, 1)
    with EvalArchive(kept(tmp_path, bytes(locked))) as archive, pytest.raises(ArchiveError, match="encrypted"):
        archive.read("a")


def test_a_member_twice_is_refused(tmp_path: Path) -> None:
    data = bytearray(zip_bytes({"aa": b"1", "bb": b"2"}))
    with pytest.raises(ArchiveError, match="twice"):
        EvalArchive(kept(tmp_path, bytes(data).replace(b"bb", b"aa")))
