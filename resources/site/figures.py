"""Figures with axes and legends, drawn by Matplotlib as small inline SVG that follows the page's colours.

Belongs here: the figures of the site. The column of intervals of a board, and other drawings made row by row, are
`drawing`. Matplotlib was chosen since it is well kept, needs no script and no other host, and gives the same bytes for
the same values; its pyplot state machine is not used, so that nothing global is touched.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from markupsafe import Markup

from resources.site.rendering import title, words
from warehouse.vocabulary import SCORE_STATUSES, TIERS

INK, QUIET, LINE = "#010101", "#020202", "#030303"
STRONG, WEAK, FAINT, FOURTH = "#040404", "#050505", "#060606", "#070707"
COLOURS: Final = {
    INK: "--ink", QUIET: "--quiet", LINE: "--line", STRONG: "--accent", WEAK: "--second", FAINT: "--faint",
    FOURTH: "--third",
}  # fmt: skip
"""Colours as drawn, each a name for the page's own, so that light and dark are decided by the reader."""
STYLE: Final[dict[Any, Any]] = {
    "svg.fonttype": "none", "font.family": "sans-serif", "font.size": 9.5, "axes.edgecolor": LINE,
    "axes.labelcolor": QUIET, "xtick.color": QUIET, "ytick.color": INK, "text.color": INK, "axes.spines.top": False,
    "axes.spines.right": False, "axes.spines.left": False, "ytick.major.size": 0, "xtick.major.size": 3,
    "axes.facecolor": "none", "figure.facecolor": "none", "savefig.facecolor": "none", "path.simplify": False,
    "axes.axisbelow": True, "legend.frameon": False, "legend.fontsize": 9, "patch.edgecolor": "none",
    "text.parse_math": False,
}  # fmt: skip
WIDTH: Final = 7.2
"""Inches; on the page a figure takes the width there is."""

_HEAD: Final = re.compile(r"^.*?(?=<svg)", re.DOTALL)
_NOISE: Final = re.compile(r"<metadata>.*?</metadata>\s*|<style[^>]*>.*?</style>\s*|<!--.*?-->\s*", re.DOTALL)
_ID: Final = re.compile(r' id="([^"]*)"')
_TAG: Final = re.compile(r"<[^>]+>")
_SPACE: Final = re.compile(r">\s+<")
_LONG: Final = re.compile(r"\d+\.\d{2,}")
_MARKS: Final = re.compile(
    r'(<use href="[^"]*" x="[^"]*" y="[^"]*") style="([^"]*)"/>(?:<use href="[^"]*" x="[^"]*" y="[^"]*" style="\2"/>)+'
)
_SIZE: Final = re.compile(r' width="[^"]*pt"| height="[^"]*pt"| version="1\.1"| xmlns="[^"]*"')


def draw(name: str, label: str, height: float, paint: Callable[[Any], None], width: float = WIDTH) -> Markup:
    """A figure as inline SVG.

    Args:
        name: salt of its inner names, so that two figures on a page never share one.
        label: what it shows, for those who do not see it; the table beside it holds the figures.
        height: inches.
        paint: draws on the axes.
        width: inches.
    """
    import matplotlib as mpl
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    with mpl.rc_context({**STYLE, "svg.hashsalt": name}), warnings.catch_warnings():
        # Text stays text, in the reader's own font: what signs ours lacks is no matter.
        warnings.filterwarnings("ignore", "Glyph .* missing")
        figure = Figure(figsize=(width, height), layout="constrained")
        FigureCanvasSVG(figure)
        paint(figure.add_subplot())
        stream = io.StringIO()
        figure.savefig(stream, format="svg", metadata={"Date": None, "Creator": None})
    return _inline(stream.getvalue(), label)


def _inline(svg: str, label: str) -> Markup:
    """The drawing without what a page must not get from it: global styles, repeated ids, fixed sizes and colours."""
    text = _NOISE.sub("", _HEAD.sub("", svg))
    used = set(re.findall(r'(?:url\(#|href="#)([^")]+)', text))
    text = _ID.sub(lambda match: match.group() if match.group(1) in used else "", text)
    text = (
        _SPACE.sub("><", text).replace("xlink:href", "href").replace(' xmlns:xlink="http://www.w3.org/1999/xlink"', "")
    )
    text = _TAG.sub(lambda tag: _LONG.sub(_rounded, tag.group()), text)
    text = _MARKS.sub(_one_style, text)
    for colour, variable in COLOURS.items():
        text = text.replace(colour, f"var({variable})")
    head, rest = text.split(">", 1)
    rest = re.sub(r"font-family: [^;]*; ", "", rest)  # the page's own font
    named = Markup(' class="figure" role="img" aria-label="{}"').format(label)
    return Markup(_SIZE.sub("", head)) + named + Markup(">" + rest.strip())  # noqa: S704 - drawn here; labels are escaped by Matplotlib


def _one_style(match: re.Match[str]) -> str:
    """A run of equal marks with their style said once."""
    style = match.group(2)
    return f'<g style="{style}">' + match.group().replace(f' style="{style}"', "") + "</g>"


def _rounded(match: re.Match[str]) -> str:
    return f"{float(match.group()):.1f}".removesuffix(".0")


def stacked(
    axes: Any, labels: Sequence[str], series: Mapping[str, Sequence[int]], colours: Sequence[str], unit: str
) -> None:
    """Paints stacked bars, one row a label, with a legend where there are several series."""
    start = [0] * len(labels)
    rows = range(len(labels))
    for (name, values), colour in zip(series.items(), colours, strict=False):
        axes.barh(rows, values, left=start, color=colour, height=0.62, label=name)
        start = [left + value for left, value in zip(start, values, strict=True)]
    axes.set_yticks(rows, labels)
    axes.set_ylim(len(labels) - 0.5, -0.5)
    axes.set_xlim(0, max([1, *start]) * 1.02)
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.grid(visible=True, axis="x", color=LINE, linewidth=0.6)
    axes.set_xlabel(unit)
    if len(series) > 1:
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1.0), ncols=len(series), borderaxespad=0.2, handlelength=1)


def statuses(counts: Mapping[str, Mapping[str, int]]) -> Markup:
    """Models by status in every category."""
    labels = [title(category) for category in counts]
    series: dict[str, list[int]] = {
        status: [counts[category][status] for category in counts] for status in SCORE_STATUSES
    }
    return draw(
        "statuses",
        "Bars: models by status in every category; the figures stand in the table beside",
        2.9,
        lambda axes: stacked(axes, labels, series, (STRONG, WEAK, FAINT), "models"),
    )


def tiers(counts: Mapping[str, Mapping[str, int]]) -> Markup:
    """Observations by evidence tier in every category."""
    categories = sorted({category for of in counts.values() for category in of})
    series = {words(tier): [counts[tier].get(category, 0) for category in categories] for tier in TIERS}
    return draw(
        "tiers",
        "Bars: observations by evidence tier in every category",
        1.0 + 0.26 * len(categories),
        lambda axes: stacked(axes, [title(c) for c in categories], series, (INK, STRONG, WEAK, FAINT), "observations"),
    )


def fates(rows: Iterable[tuple[str, int, int]]) -> Markup:
    """Rows of every source: those that count for a score, and those that do not."""
    listed = sorted(rows, key=lambda row: (-row[1] - row[2], row[0]))[:40]
    series = {
        "counts as evidence": [counted for _, counted, _ in listed],
        "excluded": [out for _, _, out in listed],
    }
    return draw(
        "fates",
        "Bars: rows of every source that count as evidence, and rows excluded; the figures stand in the table",
        1.0 + 0.24 * len(listed),
        lambda axes: stacked(axes, [name for name, _, _ in listed], series, (STRONG, FAINT), "rows"),
    )


def reasons(counts: Mapping[str, int]) -> Markup:
    """Excluded rows by reason."""
    listed = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    series = {"rows": [n for _, n in listed]}
    return draw(
        "reasons",
        "Bars: excluded rows by reason; the figures stand in the table",
        0.8 + 0.25 * len(listed),
        lambda axes: stacked(axes, [name for name, _ in listed], series, (STRONG,), "excluded rows"),
    )


def coverage(category: str, rows: Sequence[Mapping[str, Any]]) -> Markup:
    """Score against effective coverage: how much of a category each score rests on."""

    def paint(axes: Any) -> None:
        for status, colour, filled in (("estimated", WEAK, False), ("rated", STRONG, True)):
            points = [(row["effective_coverage"], row["score"]) for row in rows if row["status"] == status]
            across, up = ([point[side] for point in points] for side in (0, 1))
            axes.plot(
                across, up, linestyle="none", marker="o", markersize=4.5, label=status, markeredgecolor=colour,
                markerfacecolor=colour if filled else "none", markeredgewidth=1.1,
            )  # fmt: skip
        axes.set_xlim(0, 1)
        axes.set_xlabel("effective coverage of the category (0 to 1)")
        axes.set_ylabel("score")
        axes.grid(visible=True, color=LINE, linewidth=0.6)
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1.0), ncols=2, borderaxespad=0.2, handletextpad=0.2)

    label = (
        f"Points: score against effective coverage in {words(category)}, one a model; the figures stand in the table"
    )
    return draw(f"coverage {category}", label, 2.9, paint)
