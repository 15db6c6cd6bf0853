"""A file of a snapshot as a connector sees it: its name within the source and its bytes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SnapshotFile:
    """One file of a snapshot.

    Attributes:
        name: path within the source, with forward slashes; the file's name where the source is one file.
        data: its bytes.
    """

    name: str
    data: bytes
