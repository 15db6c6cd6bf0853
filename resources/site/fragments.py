"""The small pieces that thousands of rows share: drawn intervals and steps, status words, links outward.

Belongs here: pieces of markup that are made so often that a template macro would be slow. Whatever comes from outside
passes through `Markup.format` or `escape`; numbers are formatted here and hold nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from markupsafe import Markup, escape

from resources.site.drawing import Axis
from resources.site.links import metric_page, outside
from resources.site.rendering import NOTHING, number, shown, words

_SVG: Final = '<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" class="'


def interval(row: Mapping[str, Any], axis: Axis) -> Markup:
    """A score's interval on its column's axis, the score as a line in it; nothing where there is no score."""
    if row["score"] is None:
        return Markup("")
    low, high, at = axis.at(row["low80"]), axis.at(row["high80"]), axis.at(row["score"])
    bar = f'<path d="M{low} 5H{high}"/><path class="at" d="M{at} 1V9"/></svg>'
    return Markup(f'{_SVG}{escape(row["status"])}">{bar}')  # noqa: S704 - numbers, and an escaped word


def interval_text(row: Mapping[str, Any]) -> str:
    """A score's interval in figures."""
    return NOTHING if row["score"] is None else f"{number(row['low80'])} – {number(row['high80'])}"


def rank_text(row: Mapping[str, Any]) -> str:
    """The places that the evidence allows."""
    if row["rank"] is None:
        return NOTHING
    low, high = row["rank_low"], row["rank_high"]
    return str(low) if low == high else f"{low}–{high}"


def axis_ticks(axis: Axis) -> Markup:
    """The marks of an axis with their labels."""
    marks = "".join(f'<i style="left:{place}%">{label}</i>' for place, label in axis.ticks)
    return Markup(f'<span class="ticks" aria-hidden="true">{marks}</span>')  # noqa: S704 - numbers alone


def step(bar: tuple[str, str, bool]) -> str:
    """One step of a waterfall, as markup: (from, to, whether it goes down)."""
    start, end, is_down = bar
    return f'{_SVG}{"down" if is_down else "up"}"><path d="M{start} 5H{end}"/></svg>'


def dot(place: str) -> str:
    """One value on an axis, as markup."""
    return f'{_SVG}dot"><path d="M{place} 5h0"/></svg>'


def mark(place: str) -> Markup:
    """A sum on an axis: a line."""
    return Markup(f'{_SVG}sum"><path class="at" d="M{place} 0V10"/></svg>')  # noqa: S704 - numbers alone


@lru_cache(1024)
def status(word: str) -> Markup:
    """A status with its sign; never by colour alone."""
    return Markup('<span class="status {}">{}</span>').format(word, words(word))


@lru_cache(65536)
def leave(address: str | None, text: str | None) -> Markup:
    """A link to a source; the bare text of an address that no page may link to; — where there is none."""
    if not address:
        return Markup("—")
    safe = outside(address)
    if safe is None:
        return Markup('<bdi class="quiet">{}</bdi>').format(shown(address))
    kept = Markup('<a href="{}" rel="noopener noreferrer external" class="out">{}</a>')
    return kept.format(safe, shown(text or address))


@lru_cache(65536)
def metric_link(metric_id: str, root: str) -> Markup:
    """A metric's id, linked to its page."""
    return Markup('<a href="{}{}">{}</a>').format(root, metric_page(metric_id), shown(metric_id))


def row_link(place: str | None, leaderboard: str, row_locator: str, root: str) -> Markup:
    """A received row by leaderboard and locator, linked to where it stands on the site."""
    name = Markup("<bdi>{}</bdi> <bdi>{}</bdi>").format(shown(leaderboard), shown(row_locator))
    return name if place is None else Markup('<a href="{}{}">{}</a>').format(root, place, name)


PIECES: Final[dict[str, Any]] = {
    "interval": interval, "interval_text": interval_text, "rank_text": rank_text, "mark": mark,
    "axis_ticks": axis_ticks, "status": status, "leave": leave, "metric_link": metric_link, "row_link": row_link,
}  # fmt: skip
