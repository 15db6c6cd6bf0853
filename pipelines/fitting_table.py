"""Tables that fit a narrow terminal: words and numbers stay whole, and a table too wide for it continues below.

Belongs here: the widths of columns. Where there is room for everything nothing is changed.
"""

from __future__ import annotations

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.table import Column, Table
from rich.text import Text

GAP = 2
"""Blanks between two columns of a table without lines."""
NAMES_SHARE = 3
"""Of a table that continues below, the first column may take this part of the width so as not to be broken."""
LONGEST_WORD = 40
"""A longer word of a text column, such as a hash or a path, may be broken."""


class FittingTable(Table):
    """A table that breaks lines between words; columns that do not fit beside the first continue below under it."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """The table, or its title and its columns in blocks that each begin with the first column."""
        most, room = [_most(column) for column in self.columns], options.max_width
        title = self.title if isinstance(self.title, Text) else Text(self.title or "")
        if max(_total(most), title.cell_len) <= room:
            yield from super().__rich_console__(console, options)
            return
        if title:
            yield Text(title.plain, self.title_style or "")
        least = [_least(column) for column in self.columns]
        if _total(least) > room:
            least[0] = max(least[0], min(most[0], room // NAMES_SHARE))
        for number, places in enumerate(_blocks(least, room)):
            if number:
                yield Text()
            yield from Table.__rich_console__(self._block(places, least, room), console, options)

    def _block(self, places: list[int], least: list[int], room: int) -> Table:
        columns = [self.columns[place] for place in places]
        widths = [least[place] for place in places]
        widths = _widened(widths, [_most_in_cells(column) for column in columns], room)
        widths = _widened(widths, [_most(column) for column in columns], room)
        block = Table(box=None, pad_edge=False)
        for column, width in zip(columns, widths, strict=True):
            block.add_column(column.header, justify=column.justify, overflow="fold", width=width)
        for row in zip(*(column.cells for column in columns), strict=True):
            block.add_row(*row)
        return block


def _lines(cell: RenderableType) -> str:
    return cell.plain if isinstance(cell, Text) else str(cell)


def _most_in_cells(column: Column) -> int:
    """The width at which no cell is broken, whatever becomes of the heading."""
    return max((Text(_lines(cell)).cell_len for cell in column.cells), default=0)


def _most(column: Column) -> int:
    """The width at which nothing of the column is broken."""
    return max(Text(_lines(column.header)).cell_len, _most_in_cells(column))


def _least(column: Column) -> int:
    """The width below which a word or a figure of the column would be broken; figures are what stands to the right."""
    words = [Text(word).cell_len for word in _lines(column.header).split()]
    cells = [_lines(cell) for cell in column.cells]
    if column.justify == "right":
        return max([*words, *(Text(cell).cell_len for cell in cells)], default=1)
    within = [min(Text(word).cell_len, LONGEST_WORD) for cell in cells for word in cell.split()]
    return max([*words, *within], default=1)


def _total(widths: list[int]) -> int:
    return sum(widths) + GAP * (len(widths) - 1)


def _blocks(least: list[int], room: int) -> list[list[int]]:
    """Which columns stand beside one another: as many as fit, the first one in every block."""
    blocks, current = [], [0]
    for place in range(1, len(least)):
        if len(current) > 1 and _total([least[i] for i in (*current, place)]) > room:
            blocks.append(current)
            current = [0]
        current.append(place)
    return [*blocks, current]


def _widened(widths: list[int], wanted: list[int], room: int) -> list[int]:
    """Widths up to the wanted ones: room left is given out blank by blank, to the narrowest column that wants it."""
    widened = list(widths)
    for _ in range(max(0, room - _total(widths))):
        wanting = [place for place, width in enumerate(widened) if width < wanted[place]]
        if not wanting:
            break
        widened[min(wanting, key=lambda place: widened[place])] += 1
    return widened
