"""A drawing with axes as a few hundred bytes of SVG: bars, lines, marks and texts over a grid, in the page's colours.

Belongs here: what is painted, where it lands, and the text of the SVG. What a figure shows is `figures` and its kin;
round marks and widths of texts are `axis_marks`. Everything is written from the values by sums and products, so that
the same values give the same bytes on every machine. Texts are escaped; they stay text, in the reader's own face.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from markupsafe import Markup

from resources.site.axis_marks import mark_labels, marks, text_width
from resources.site.svg_pieces import (
    INK,
    LEGEND_TEXT,
    LINE,
    QUIET,
    TEXT,
    Dashes,
    Series,
    drawn,
    length,
    line,
    rect,
    text,
    turned,
)

POINTS_PER_INCH: Final = 72.0
PAD: Final = 3.5
LINE_HEIGHT: Final = 1.35
TICK: Final = 3.0
AUTO_MARGIN: Final = 0.05
TURN_DEGREES: Final = 22
_SINE, _COSINE = 0.375, 0.927
"""Of the angle by which crowded labels are turned."""


@dataclass
class _Span:
    """One axis: the values it holds, ends that were set, marks that were set."""

    values: list[float] = field(default_factory=list)
    stuck: list[float] = field(default_factory=list)
    low: float | None = None
    high: float | None = None
    places: list[float] | None = None
    labels: list[str] = field(default_factory=list)
    title: str = ""
    whole: bool = False
    margin: float = AUTO_MARGIN

    def ends(self) -> tuple[float, float]:
        """From where to where it reaches: as set, else round its values, with a margin where nothing sticks."""
        least, most = min(self.values, default=0.0), max(self.values, default=1.0)
        if least == most:
            least, most = (least - 0.5, most + 0.5) if least not in self.stuck else (least, most + 1.0)
        room = (most - least) * self.margin
        low = least if least in self.stuck else least - room
        high = most if most in self.stuck else most + room
        return low if self.low is None else self.low, high if self.high is None else self.high

    def marked(self, room: float) -> list[tuple[float, str]]:
        """(place, label) of each mark."""
        if self.places is not None:
            return list(zip(self.places, self.labels, strict=True))
        values = marks(*self.ends(), room, whole=self.whole)
        return list(zip(values, mark_labels(values), strict=True))


class Axes:
    """Two axes, and what is painted on them. Lengths are points; the y axis may be set to run downwards."""

    def __init__(self, width: float, height: float) -> None:
        self._width, self._height = width * POINTS_PER_INCH, height * POINTS_PER_INCH
        self._x, self._y = _Span(), _Span()
        self._bars: list[tuple[float, float, float, float, str, float]] = []
        self._bands: list[tuple[float, float, str, float]] = []
        self._rules: list[tuple[bool, float, Series]] = []
        self._lines: list[tuple[list[tuple[float, float]], Series]] = []
        self._texts: list[tuple[float, float, float, float, str, str, str, float]] = []
        self._legend: list[tuple[str, Series | str]] = []
        self._columns = 0
        self._grid = (False, False)
        self._has_base, self._on_top, self._turned = True, False, False

    def bar(
        self,
        y: float,
        width: float,
        left: float = 0.0,
        *,
        height: float,
        colour: str,
        label: str = "",
        alpha: float = 1,
    ) -> None:
        """A bar along x, its middle at `y`; with a label, it stands in the legend."""
        self._bars.append((y, left, width, height, colour, alpha))
        self._x.values += [left, left + width]
        self._x.stuck.append(left)
        self._y.values += [y - height / 2, y + height / 2]
        if label:
            self._legend.append((label, colour))

    def plot(
        self,
        xs: Sequence[float | None],
        ys: Sequence[float | None],
        *,
        colour: str,
        width: float | None = None,
        dashes: Dashes | None = None,
        marker: str | None = None,
        size: float = 5.0,
        fill: str | None = None,
        edge_width: float = 1.0,
        label: str = "",
    ) -> None:
        """Points: joined by a line where it has a width, each marked (`o`, `s`) where there is a marker."""
        points = [(x, y) for x, y in zip(xs, ys, strict=True) if x is not None and y is not None]
        series = Series(
            label, colour, width or 0.0, dashes, width is not None, marker, size, colour,
            colour if fill is None else fill, edge_width,
        )  # fmt: skip
        self._lines.append((points, series))
        self._x.values += [x for x, _ in points]
        self._y.values += [y for _, y in points]
        if label:
            self._legend.append((label, series))

    def rule(
        self, at: float, *, colour: str, width: float = 1.0, across: bool, dashes: Dashes | None = None, label: str = ""
    ) -> None:
        """A line through the whole drawing, across at a value of y, or up and down at one of x."""
        series = Series(label, colour, width, dashes, True, None, 0.0, colour, colour, 0.0)
        self._rules.append((across, at, series))
        (self._y if across else self._x).values.append(at)
        if label:
            self._legend.append((label, series))

    def band(self, low: float, high: float, *, colour: str, alpha: float) -> None:
        """A band up and down between two values of x."""
        self._bands.append((low, high, colour, alpha))
        self._x.values += [low, high]

    def text(
        self, x: float, y: float, text: str, *, align: str = "middle", colour: str = INK, size: float = TEXT,
        offset: tuple[float, float] = (0.0, 0.0),
    ) -> None:  # fmt: skip
        """A text at a point, so many points to the right and up of it; `align` is start, middle or end."""
        self._texts.append((x, y, *offset, text, align, colour, size))

    def x_ends(self, low: float | None = None, high: float | None = None) -> None:
        """Where the x axis begins and ends; each by itself where it is not told."""
        self._x.low, self._x.high = low, high

    def y_ends(self, low: float | None = None, high: float | None = None) -> None:
        """Where the y axis begins, at the bottom, and ends; each by itself where it is not told."""
        self._y.low, self._y.high = low, high

    def x_marks(self, labels: Sequence[str]) -> None:
        """Names along x, at 0, 1, 2 and so on."""
        self._x.places, self._x.labels = [float(place) for place in range(len(labels))], list(labels)

    def y_marks(self, labels: Sequence[str]) -> None:
        """Names along y, at 0, 1, 2 and so on."""
        self._y.places, self._y.labels = [float(place) for place in range(len(labels))], list(labels)

    def rows(self, labels: Sequence[str], room: float = 0.5) -> None:
        """Names of rows, the first at the top, with room above the first and below the last."""
        self.y_marks(labels)
        self.y_ends(len(labels) - 1 + room, -room)

    def columns(self, labels: Sequence[str], *, turned: bool = False) -> None:
        """Names of columns above the drawing, turned where they are crowded; without a line below."""
        self.x_marks(labels)
        self.x_ends(-0.5, len(labels) - 0.5)
        self.names_above(turned=turned)

    def names_above(self, *, turned: bool = False) -> None:
        """Labels of x stand above the drawing, without marks, and nothing below."""
        self._on_top, self._turned, self._has_base = True, turned, False

    def titles(self, x: str = "", y: str = "") -> None:
        """What the axes show."""
        self._x.title, self._y.title = x, y

    def whole_numbers(self) -> None:
        """Marks of x at whole numbers only."""
        self._x.whole = True

    def margins(self, share: float) -> None:
        """Room around the values, as a share of their span."""
        self._x.margin = self._y.margin = share

    def grid(self, *, x: bool = False, y: bool = False) -> None:
        """Fine lines at the marks of x, of y."""
        self._grid = (x, y)

    def legend(self, columns: int) -> None:
        """A legend above the drawing, of whatever has a label."""
        self._columns = columns

    def svg(self, label: str) -> Markup:
        """The drawing as inline SVG, named for those who do not see it."""
        return Markup('<svg viewBox="0 0 {} {}" class="figure" role="img" aria-label="{}">{}</svg>').format(
            length(self._width), length(self._height), label, Markup("").join(_Painting(self).parts())
        )


class _Painting:
    """The drawing laid out: the frame that is left for the values, and every piece in its place."""

    def __init__(self, axes: Axes) -> None:
        self._axes = axes
        self._legend_rows = -(-len(axes._legend) // axes._columns) if axes._columns and axes._legend else 0
        self._legend_height = self._legend_rows * LEGEND_TEXT * LINE_HEIGHT + (PAD if self._legend_rows else 0.0)
        names = [name for _, name in axes._y.marked((axes._height - 40) / (TEXT * 2))]
        self._left = PAD + max((text_width(name, TEXT) for name in names), default=0.0) + PAD
        self._left += TEXT * LINE_HEIGHT if axes._y.title else 0.0
        self._right = axes._width - PAD
        self._x_marks = axes._x.marked((self._right - self._left) / (TEXT * 3))
        self._leave_room_for_x()
        self._top = PAD + self._legend_height + (self._above() if axes._on_top else 0.0)
        below = 0.0 if axes._on_top else TICK + PAD + TEXT * LINE_HEIGHT
        below += TEXT * LINE_HEIGHT if axes._x.title else 0.0
        self._bottom = axes._height - PAD - below
        self._x_ends, self._y_ends = axes._x.ends(), axes._y.ends()
        self._y_marks = axes._y.marked((self._bottom - self._top) / (TEXT * 2))

    def _leave_room_for_x(self) -> None:
        """The last name along x may reach beyond the frame, a turned one all of it."""
        low, high = self._axes._x.ends()
        for place, name in self._x_marks:
            share = (place - low) / (high - low)
            wide = text_width(name, TEXT)
            beyond = wide * _COSINE if self._axes._turned else wide / 2
            most = self._axes._width - PAD - beyond
            if 0 < share <= 1 and self._left + share * (self._right - self._left) > most:
                self._right = self._left + (most - self._left) / share

    def _above(self) -> float:
        widest = max((text_width(name, TEXT) for _, name in self._x_marks), default=0.0)
        return TEXT * LINE_HEIGHT + (widest * _SINE if self._axes._turned else 0.0)

    def x(self, value: float) -> float:
        """Where a value of x lies."""
        low, high = self._x_ends
        return self._left + (value - low) / (high - low) * (self._right - self._left)

    def y(self, value: float) -> float:
        """Where a value of y lies."""
        low, high = self._y_ends
        return self._bottom - (value - low) / (high - low) * (self._bottom - self._top)

    def parts(self) -> Iterator[Markup]:
        """Every piece, what lies below first."""
        yield from self._ground()
        for across, at, series in self._axes._rules:
            ends = (
                (self._left, self.y(at), self._right, self.y(at))
                if across
                else (self.x(at), self._top, self.x(at), self._bottom)
            )
            yield line([(ends[0], ends[1]), (ends[2], ends[3])], series)
        for points, series in self._axes._lines:
            yield from drawn([(self.x(x), self.y(y)) for x, y in points], series)
        yield from self._frame()
        for x, y, right, up, said, align, colour, size in self._axes._texts:
            yield text(self.x(x) + right, self.y(y) - up + size * 0.36, said, align, colour, size)
        yield from self._key()

    def _ground(self) -> Iterator[Markup]:
        for low, high, colour, alpha in self._axes._bands:
            left, right = self._within(self.x(low)), self._within(self.x(high))
            yield rect(left, self._top, right - left, self._bottom - self._top, colour, alpha)
        on_x, on_y = self._axes._grid
        verticals = [self.x(at) for at, _ in self._x_marks] if on_x else []
        levels = [self.y(at) for at, _ in self._y_marks] if on_y else []
        path = "".join(f"M{length(at)} {length(self._top)}V{length(self._bottom)}" for at in verticals)
        path += "".join(f"M{length(self._left)} {length(at)}H{length(self._right)}" for at in levels)
        if path:
            yield Markup('<path d="{}" style="fill: none; stroke: {}; stroke-width: 0.6"/>').format(path, LINE)
        for y, begin, width, height, colour, alpha in self._axes._bars:
            left, right = sorted(self._within(self.x(at)) for at in (begin, begin + width))
            top, bottom = sorted((self.y(y - height / 2), self.y(y + height / 2)))
            if right > left:
                yield rect(left, top, right - left, bottom - top, colour, alpha)

    def _within(self, at: float) -> float:
        return min(max(at, self._left), self._right)

    def _frame(self) -> Iterator[Markup]:
        axes = self._axes
        if axes._has_base:
            path = f"M{length(self._left)} {length(self._bottom)}H{length(self._right)}"
            path += "".join(f"M{length(self.x(at))} {length(self._bottom)}v{length(TICK)}" for at, _ in self._x_marks)
            yield Markup('<path d="{}" style="fill: none; stroke: {}; stroke-width: 0.8"/>').format(path, QUIET)
        for at, name in self._x_marks:
            if axes._turned:
                yield turned(self.x(at), self._top - PAD, name, -TURN_DEGREES, "start")
            else:
                level = self._top - PAD if axes._on_top else self._bottom + TICK + PAD + TEXT * 0.8
                yield text(self.x(at), level, name, "middle", QUIET, TEXT)
        for at, name in self._y_marks:
            yield text(self._left - PAD, self.y(at) + TEXT * 0.36, name, "end", INK, TEXT)
        if axes._x.title:
            middle = (self._left + self._right) / 2
            wide = text_width(axes._x.title, TEXT) / 2
            middle = max(min(middle, axes._width - PAD - wide), PAD + wide)
            yield text(middle, axes._height - PAD - TEXT * 0.25, axes._x.title, "middle", QUIET, TEXT)
        if axes._y.title:
            yield turned(TEXT, (self._top + self._bottom) / 2, axes._y.title, -90, "middle")

    def _key(self) -> Iterator[Markup]:
        entries = self._axes._legend if self._legend_rows else []
        left = self._left
        for column in range(0, len(entries), max(1, self._legend_rows)):
            shown = entries[column : column + self._legend_rows]
            for row, (name, how) in enumerate(shown):
                level = PAD + (row + 0.5) * LEGEND_TEXT * LINE_HEIGHT
                if isinstance(how, str):
                    yield rect(left, level - 3.5, 11, 7, how, 1)
                else:
                    yield from drawn([(left, level), (left + 14, level)] if how.is_line else [(left + 6, level)], how)
                yield text(left + 18, level + LEGEND_TEXT * 0.36, name, "start", INK, LEGEND_TEXT)
            left += 18 + max(text_width(name, LEGEND_TEXT) for name, _ in shown) + 14
