"""The pieces of a drawing as text of an SVG: lines, marks, rectangles and texts, in the page's colours.

Belongs here: one piece, where it was told to lie. Where that is says `axes`. Texts are escaped.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

INK, QUIET, LINE = "var(--ink)", "var(--quiet)", "var(--line)"
STRONG, WEAK, FAINT, FOURTH = "var(--accent)", "var(--second)", "var(--faint)", "var(--third)"
NO_FILL: Final = "none"
TEXT, LEGEND_TEXT = 9.5, 9.0
"""Sizes of text, in points, as all lengths."""

Dashes = tuple[float, ...]


@dataclass(frozen=True)
class Series:
    """How a series of points is drawn, for itself and for the legend."""

    label: str
    colour: str
    width: float
    dashes: Dashes | None
    is_line: bool
    marker: str | None
    size: float
    edge: str
    fill: str
    edge_width: float


def drawn(points: list[tuple[float, float]], series: Series) -> Iterator[Markup]:
    """A series through points: its line, then its marks, all in one path."""
    if series.is_line and len(points) > 1:
        yield line(points, series)
    if series.marker is None or not points:
        return
    half = series.size / 2
    shapes = (
        f"M{length(x - half)} {length(y - half)}h{length(series.size)}v{length(series.size)}h{length(-series.size)}z"
        if series.marker == "s"
        else f"M{length(x - half)} {length(y)}a{length(half)} {length(half)} 0 1 0 {length(2 * half)} 0"
        f"a{length(half)} {length(half)} 0 1 0 {length(-2 * half)} 0z"
        for x, y in points
    )
    style = f"fill: {series.fill}; stroke: {series.edge}; stroke-width: {length(series.edge_width)}"
    yield Markup('<path d="{}" style="{}"/>').format("".join(shapes), style)


def line(points: Sequence[tuple[float, float]], series: Series) -> Markup:
    """A line through points."""
    path = "M" + "L".join(f"{length(x)} {length(y)}" for x, y in points)
    dashes = "" if series.dashes is None else "; stroke-dasharray: " + " ".join(
        length(dash * series.width) for dash in series.dashes
    )  # fmt: skip
    style = f"fill: none; stroke: {series.colour}; stroke-width: {length(series.width)}{dashes}"
    return Markup('<path d="{}" style="{}"/>').format(path, style)


def rect(x: float, y: float, width: float, height: float, colour: str, alpha: float) -> Markup:
    """A filled rectangle."""
    faded = "" if alpha == 1 else f"; fill-opacity: {alpha:.2f}"
    return Markup('<rect x="{}" y="{}" width="{}" height="{}" style="fill: {}{}"/>').format(
        length(x), length(y), length(width), length(height), colour, faded
    )


def text(x: float, y: float, text: str, align: str, colour: str, size: float) -> Markup:
    """A text beginning, centred or ending at a point of its base line."""
    style = f"font-size: {size:g}px; text-anchor: {align}; fill: {colour}"
    return Markup('<text x="{}" y="{}" style="{}">{}</text>').format(length(x), length(y), style, text)


def turned(x: float, y: float, text: str, degrees: int, align: str) -> Markup:
    """A quiet text turned about the point at which it begins or has its middle."""
    style = f"font-size: {TEXT:g}px; text-anchor: {align}; fill: {QUIET}"
    turn = f"translate({length(x)} {length(y)}) rotate({degrees})"
    return Markup('<text transform="{}" style="{}">{}</text>').format(turn, style, text)


def length(value: float) -> str:
    """A length to a tenth of a point, short."""
    return (
        f"{value:.1f}".removesuffix(".0").removeprefix("-") if abs(value) < 0.05 else f"{value:.1f}".removesuffix(".0")
    )
