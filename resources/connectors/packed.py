"""Files that come gzipped: unpacked before a connector sees them, within limits on size and on expansion.

Belongs here: gzip. Archives of many files are `resources.archives`.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Final

from resources.connectors.errors import ConnectorError
from resources.connectors.files import SnapshotFile

MAX_EXPANDED: Final = 256_000_000
MAX_RATIO: Final = 200
_GZIP: Final = b"\x1f\x8b\x08"


def unpacked(files: Sequence[SnapshotFile]) -> list[SnapshotFile]:
    """The files, each gzipped one under its name without `.gz`.

    Raises:
        ConnectorError: for a damaged or truncated stream, or one that expands beyond the limits.
    """
    return [
        SnapshotFile(file.name.removesuffix(".gz"), _expand(file)) if file.data.startswith(_GZIP) else file
        for file in files
    ]


def _expand(file: SnapshotFile) -> bytes:
    limit = min(MAX_EXPANDED, len(file.data) * MAX_RATIO)
    pieces: list[bytes] = []
    left, rest = limit, file.data
    try:
        while rest:
            stream = zlib.decompressobj(wbits=31)
            piece = stream.decompress(rest, left + 1)
            left -= len(piece)
            if left < 0:
                raise ConnectorError(file.name, f"gzip that expands to more than {limit} bytes")
            if not stream.eof:
                raise ConnectorError(file.name, "gzip that ends in the middle: truncated")
            pieces.append(piece)
            rest = stream.unused_data
    except zlib.error as error:
        raise ConnectorError(file.name, f"not gzip, or damaged: {error}") from error
    return b"".join(pieces)
