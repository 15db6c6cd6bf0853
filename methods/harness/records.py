"""Attempt records as they come in: a batch of rows, each text column as its distinct values and a code a row.

Belongs here: the shape that every reader hands over, whatever the file was. Does not belong here: what a record means
(`status`), which attempt it is of (`grid`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from warehouse.harness_words import Fault

Codes = NDArray[np.int32]
Flags = NDArray[np.bool_]

KEY_FIELDS: Final = ("model", "harness", "benchmark", "environment", "condition", "task", "repetition")
"""What names one attempt, in this order."""
OPTIONAL_KEYS: Final = ("environment", "condition", "repetition")
"""Fields that a record may leave out where the benchmark has only one of them."""
SCORE_OK, SCORE_MISSING, SCORE_UNREADABLE = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Column:
    """A text column.

    Attributes:
        values: its distinct texts.
        codes: (n) for each row the place of its text in `values`; -1 where it has none.
    """

    values: tuple[str, ...]
    codes: Codes

    def table(self, of: Callable[[str], int], missing: int) -> NDArray[np.int64]:
        """A number for each row: `of` its text, asked once a distinct text; `missing` where it has none."""
        answers = np.array([*(of(value) for value in self.values), missing], dtype=np.int64)
        return answers[self.codes]

    def text(self, row: int) -> str | None:
        """The text of one row."""
        code = int(self.codes[row])
        return None if code < 0 else self.values[code]


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows of one file, in file order.

    Attributes:
        file: its name, for what is said about rows.
        rows: (n) number of each row in the file, from 1.
        columns: the text columns, by name; a column that the file does not have is absent.
        score: (n) as stated; 0 where `score_state` is not `SCORE_OK`.
        score_state: (n) SCORE_OK, SCORE_MISSING or SCORE_UNREADABLE.
        tokens: (n) whole tokens; 0 where the record states none.
        seconds: (n) wall-clock seconds; NaN where the record states none.
        unreadable: by the fault it is, (n) where a record states tokens or seconds that are no such number.
    """

    file: str
    rows: NDArray[np.int64]
    columns: Mapping[str, Column]
    score: NDArray[np.float64]
    score_state: NDArray[np.int8]
    tokens: NDArray[np.int64]
    seconds: NDArray[np.float64]
    unreadable: Mapping[Fault, Flags] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """How many rows."""
        return int(self.rows.size)

    def take(self, places: NDArray[np.int64]) -> Batch:
        """Some of the rows."""
        columns = {name: Column(column.values, column.codes[places]) for name, column in self.columns.items()}
        return Batch(
            self.file, self.rows[places], columns, self.score[places], self.score_state[places], self.tokens[places],
            self.seconds[places], {name: flags[places] for name, flags in self.unreadable.items()},
        )  # fmt: skip

    def column(self, name: str) -> Column:
        """A text column; one without any text where the file has none of that name."""
        found = self.columns.get(name)
        return found if found is not None else Column((), np.full(self.size, -1, dtype=np.int32))
