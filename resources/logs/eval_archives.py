"""A zip of a log opened without trust: members one by one, packed with deflate or zstd, within limits on everything.

Belongs here: the archive. `resources.archives` unpacks whole snapshots into memory; a log of thousands of samples is
larger than that, and few of its members are wanted. Python's zipfile unpacks no zstd before 3.14: pyarrow does.
"""

from __future__ import annotations

import zipfile
import zlib
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Final, Self

import pyarrow

from resources.archives import ArchiveError

MAX_MEMBERS: Final = 200_000
MAX_MEMBER_BYTES: Final = 256_000_000
MAX_READ_BYTES: Final = 8_000_000_000
MAX_RATIO: Final = 1_000
_SMALL: Final = 1_000_000
_HEADER: Final = 30
_ENCRYPTED: Final = 0x1
_ZSTD: Final = frozenset({20, 93})
_KNOWN: Final = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})


class EvalArchive:
    """The members of one zip, read one at a time; use it in a `with`."""

    def __init__(self, path: Path, *, max_read_bytes: int = MAX_READ_BYTES) -> None:
        """Opens the archive.

        Raises:
            ArchiveError: for what is no zip, a member twice, or more members than are read.
        """
        self._left = max_read_bytes
        self._file: BinaryIO = path.open("rb")
        try:
            self._zip = zipfile.ZipFile(self._file)
            infos = self._zip.infolist()
        except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError, EOFError) as error:
            self._file.close()
            raise ArchiveError(f"not a readable zip (cut short while it was written?): {error}") from error
        if len(infos) > MAX_MEMBERS:
            self._file.close()
            raise ArchiveError(f"{len(infos)} members; at most {MAX_MEMBERS} are read")
        self._members = {info.filename: info for info in infos}
        if len(self._members) != len(infos):
            self._file.close()
            raise ArchiveError("holds a member twice")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._zip.close()
        self._file.close()

    @property
    def names(self) -> tuple[str, ...]:
        """The members' names, in the archive's order."""
        return tuple(self._members)

    def read(self, name: str) -> bytes:
        """One member's bytes.

        Raises:
            ArchiveError: naming it, where it is absent, encrypted, packed in another way, damaged, or beyond a limit.
        """
        info = self._members.get(name)
        if info is None:
            raise ArchiveError(f"{name}: no such member")
        if info.flag_bits & _ENCRYPTED:
            raise ArchiveError(f"{name}: encrypted")
        limit = min(self._left, MAX_MEMBER_BYTES)
        if info.file_size > limit:
            raise ArchiveError(f"{name}: {info.file_size} bytes; at most {limit} are read")
        if info.file_size > max(info.compress_size * MAX_RATIO, _SMALL):
            raise ArchiveError(f"{name}: expands more than {MAX_RATIO} times")
        data = self._expanded(info, name)
        if len(data) != info.file_size or zlib.crc32(data) != info.CRC:
            raise ArchiveError(f"{name}: damaged: it is not what the archive says of it")
        self._left -= len(data)
        return data

    def _expanded(self, info: zipfile.ZipInfo, name: str) -> bytes:
        try:
            if info.compress_type in _KNOWN:
                with self._zip.open(info) as member:
                    return member.read(info.file_size + 1)
            if info.compress_type not in _ZSTD:
                raise ArchiveError(f"{name}: packed by method {info.compress_type}; deflate and zstd are read")
            packed = pyarrow.BufferReader(self._packed(info))
            with pyarrow.CompressedInputStream(packed, "zstd") as stream:
                return bytes(stream.read(info.file_size + 1))
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, pyarrow.ArrowException) as error:
            raise ArchiveError(f"{name}: damaged: {error}") from error

    def _packed(self, info: zipfile.ZipInfo) -> bytes:
        self._file.seek(info.header_offset)
        header = self._file.read(_HEADER)
        if len(header) < _HEADER or header[:4] != b"PK\x03\x04":
            raise EOFError("its header is not where the archive says")
        skipped = int.from_bytes(header[26:28], "little") + int.from_bytes(header[28:30], "little")
        self._file.seek(info.header_offset + _HEADER + skipped)
        return self._file.read(info.compress_size)
