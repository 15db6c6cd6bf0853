"""Records of a CSV file that are shorter or longer than its heading: a file cut off is not one with empty cells.

Belongs here: counting cells, in bounded memory, before a reader that fills what is missing. Does not belong here: what
the cells mean (the readers of each kind of file).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import BinaryIO, Final

import numpy as np
from numpy.typing import NDArray

CHUNK_BYTES: Final = 1 << 24
_QUOTE, _COMMA, _LINE, _RETURN = (ord(sign) for sign in '",\n\r')


@dataclass(frozen=True, slots=True)
class RaggedRecord:
    """The first record whose number of cells is not the heading's.

    Attributes:
        row: its number below the heading, from 1.
        line: the line it begins in, from 1; a quoted cell may go over several.
        cells, heading: how many cells it and the heading have.
    """

    row: int
    line: int
    cells: int
    heading: int

    def __str__(self) -> str:
        cut = "; is the file cut off?" if self.cells < self.heading else ""
        had = "1 cell" if self.cells == 1 else f"{self.cells} cells"
        return f"line {self.line} (row {self.row}): {had}, and the heading has {self.heading}{cut}"


def ragged_record(stream: BinaryIO) -> RaggedRecord | None:
    """The first ragged record of a CSV file with a heading; None where every record is as long as the heading.

    Cells are parted by commas and may be quoted, as RFC 4180 has them. A line with nothing in it is no record here.

    Args:
        stream: the file, from its beginning.
    """
    counter = _Counter()
    while data := stream.read(CHUNK_BYTES):
        found = counter.read(np.frombuffer(data, dtype=np.uint8))
        if found is not None:
            return found
    return counter.finish()


@dataclass
class _Counter:
    """Where a reading stands: the record begun, and what came before it."""

    heading: int | None = None
    records: int = 0
    lines: int = 0
    lines_within: int = 0
    commas: int = 0
    filled: int = 0
    is_quoted: bool = False

    def read(self, data: NDArray[np.uint8]) -> RaggedRecord | None:
        """Counts on through a part of the file."""
        outside = self._outside(data)
        ends = np.flatnonzero((data == _LINE) & outside)
        commas = np.flatnonzero((data == _COMMA) & outside)
        until = np.searchsorted(commas, ends)
        counts = np.diff(until, prepend=0)
        starts = np.concatenate([[0], ends + 1])
        if ends.size:
            counts[0] += self.commas
        if self.heading is None and ends.size:
            self.heading = int(counts[0]) + 1
        for at in np.flatnonzero(counts + 1 != (self.heading or 0)).tolist():
            begun = self.filled if at == 0 else 0
            if begun or _is_filled(data[starts[at] : ends[at]]):
                return self._ragged(at, self._lines_before(data, int(starts[at]), at), int(counts[at]))
        self._carry(data, commas, ends, int(until[-1]) if ends.size else 0)
        return None

    def finish(self) -> RaggedRecord | None:
        """The last record, where no end of line comes after it."""
        if self.heading is None or not self.filled or self.commas + 1 == self.heading:
            return None
        return self._ragged(0, self.lines, self.commas)

    def _outside(self, data: NDArray[np.uint8]) -> NDArray[np.bool_]:
        quotes = data == _QUOTE
        if not quotes.any():
            return np.full(data.size, not self.is_quoted)
        inside = np.logical_xor.accumulate(quotes) ^ self.is_quoted
        self.is_quoted = bool(inside[-1])
        return np.asarray(~inside)

    def _carry(self, data: NDArray[np.uint8], commas: NDArray[np.int64], ends: NDArray[np.int64], told: int) -> None:
        rest = data[int(ends[-1]) + 1 :] if ends.size else data
        if ends.size:
            self.lines += self.lines_within + int(np.count_nonzero(data[: int(ends[-1]) + 1] == _LINE))
            self.records += ends.size
            self.commas = self.filled = self.lines_within = 0
        self.lines_within += int(np.count_nonzero(rest == _LINE))
        self.commas += int(commas.size - told)
        self.filled += int(_is_filled(rest))

    def _lines_before(self, data: NDArray[np.uint8], start: int, at: int) -> int:
        return self.lines + (self.lines_within + int(np.count_nonzero(data[:start] == _LINE)) if at else 0)

    def _ragged(self, at: int, lines: int, commas: int) -> RaggedRecord:
        return RaggedRecord(self.records + at, lines + 1, commas + 1, self.heading or 0)


def _is_filled(record: NDArray[np.uint8]) -> bool:
    return bool((record != _RETURN).any())
