"""Rows of a model's page that every model has by the dozen: its categories, the dimensions of a score.

Belongs here: pieces of a model's page, each written as one piece of text by the rules of `lines`, since a template
would spend more on each value than the value is worth.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from markupsafe import Markup, escape

from resources.site.drawing import Axis
from resources.site.fragments import interval, interval_text, rank_text, status
from resources.site.links import file_name
from resources.site.rendering import number, share, shown, signed, title
from warehouse.vocabulary import CATEGORIES

if TYPE_CHECKING:
    from methods.lineage.explanation import DimensionPart, Explanation

_NO_EVIDENCE: Final = (
    '<td class="n">—</td><td class="i"></td><td class="n">—</td><td class="d">no evidence</td><td class="n">—</td>'
    '<td class="n">0/4</td><td class="n">0</td><td class="n">—</td></tr>\n'
)


@lru_cache(1024)
def _heading(word: str) -> str:
    """A category or dimension as a heading, escaped."""
    return str(escape(shown(title(word))))


def categories(scores: Mapping[str, Mapping[str, Any]], axis: Axis) -> Markup:
    """A row for every category of the board: the model's score in it, or that there is none.

    Args:
        scores: rows of out__category_score by category.
        axis: what the intervals are drawn on.
    """
    return _joined([_category(name, scores.get(name), axis) for name in CATEGORIES])


def _category(category: str, row: Mapping[str, Any] | None, axis: Axis) -> str:
    if row is None:
        return f'<tr class="quiet"><th scope="row">{_heading(category)}</th>{_NO_EVIDENCE}'
    return (
        f'<tr><th scope="row"><a href="#{file_name(category)}">{_heading(category)}</a></th>'
        f'<td class="n">{number(row["score"])}</td><td class="i">{interval(row, axis)}</td>'
        f'<td class="n">{interval_text(row)}</td><td>{status(row["status"])}</td><td class="n">{rank_text(row)}</td>'
        f'<td class="n">{row["observed_dimensions"]}/4</td><td class="n">{row["families"]}</td>'
        f'<td class="n">{number(row["effective_coverage"], 2)}</td></tr>\n'
    )


def dimensions(item: Explanation, lines: Sequence[str]) -> Markup:
    """The observed dimensions of a score taken apart, each with its rows.

    Args:
        item: the score taken apart.
        lines: the rows of each dimension, as markup.
    """
    return _joined([_dimension(part, rows) for part, rows in zip(item.dimensions, lines, strict=True)])


def _dimension(part: DimensionPart, rows: str) -> str:
    own, cohort = part.own_points, part.cohort_points
    both = own + cohort
    return (
        f'<tbody>\n<tr class="part"><th scope="rowgroup">{_heading(part.dimension)}</th>'
        f'<td class="n"><data value="{both}">{signed(both, 6)}</data></td><td class="i"></td>'
        f'<td colspan="6">own evidence {signed(own)}, the others {signed(cohort)} · μ {signed(part.mu, 3)}, '
        f"σ {number(part.sigma, 3)} · {part.families} {'family' if part.families == 1 else 'families'}, "
        f"{'' if part.is_overlap_calibrated else 'not '}overlap-calibrated</td></tr>\n{rows}</tbody>\n"
    )


def shares(item: Explanation) -> Markup:
    """What each observed dimension adds to the variance of a score."""
    return _joined([_share(part.dimension, part.variance_share / item.sigma**2) for part in item.dimensions])


def _share(dimension: str, part: float) -> str:
    return (
        f'<tr><th scope="row">{_heading(dimension)}</th><td class="n">{share(part)}</td><td class="i">'
        '<svg viewBox="0 0 100 10" preserveAspectRatio="none" class="up" aria-hidden="true">'
        f'<path d="M0 5H{number(100 * part)}"/></svg></td></tr>\n'
    )


def _joined(lines: Sequence[str]) -> Markup:
    return Markup("".join(lines))  # noqa: S704 - numbers, our own words, and names of the catalog, which are escaped
