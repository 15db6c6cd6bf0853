"""Rows that pages hold by the ten thousand, each written as one piece of text.

Belongs here: the rows of the long tables: of a source, of an exclusion reason, of a metric, of a score taken apart. A
template would spend more on each value than the value is worth. The same rules hold as in templates: every text that
comes from outside passes through `Texts`, which makes hidden signs visible and escapes; nothing else is ever put
between the signs of markup but numbers and the names of our own pages, which `links` makes of slugs and hashes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from markupsafe import Markup, escape

from resources.site.drawing import Axis
from resources.site.fragments import dot, leave, metric_link, step
from resources.site.links import file_name, model_page
from resources.site.rendering import NOTHING, is_plain, number, shown, signed, words
from warehouse.vocabulary import PERCENT_UNITS

if TYPE_CHECKING:
    from methods.lineage.explanation import CohortEffect, ExcludedRow, OwnEvidence
    from resources.site.facts import Facts, ShownEvidence, SourceRow

ROOT: Final = "../"
"""All these rows stand on pages one folder below the root."""
Bar = tuple[str, str, bool]


class Texts(dict[str | None, str]):
    """Texts from outside as they may stand on a page, each made once: hidden signs written out, escaped; — for none."""

    def __missing__(self, text: str | None) -> str:
        made = NOTHING if text is None else text if is_plain(text) else str(escape(shown(text)))
        self[text] = made
        return made


class Lines:
    """The rows of a release's long tables."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._texts = Texts()
        self._rows: dict[tuple[str, str], str] = {}
        self._reasons: dict[str, str] = {}

    def link_to_row(self, leaderboard: str, row_locator: str) -> str:
        """A received row by leaderboard and locator, linked to where it stands on the site."""
        key = (leaderboard, row_locator)
        made = self._rows.get(key)
        if made is None:
            name = f"<bdi>{self._texts[leaderboard]}</bdi> <bdi>{self._texts[row_locator]}</bdi>"
            place = self._facts.row_page(leaderboard, row_locator)
            made = name if place is None else f'<a href="{ROOT}{place}">{name}</a>'
            self._rows[key] = made
        return made

    def _stated(self, raw_value: float | None, unit: str) -> str:
        """The value as its source states it, where its unit is another than the scale that pages show values on."""
        if raw_value is None or PERCENT_UNITS.get(unit, 1) == 1:
            return ""
        return f' <small class="quiet">stated as {raw_value:g} {self._texts[unit]}</small>'

    def _reason(self, code: str) -> str:
        made = self._reasons.get(code)
        if made is None:
            made = f'<a href="{ROOT}exclusions/{file_name(code)}.html">{self._texts[words(code)]}</a>'
            self._reasons[code] = made
        return made

    def _model(self, model_id: str, category: str) -> str:
        name = self._texts[self._facts.model_name(model_id)]
        return f'<a href="{ROOT}{model_page(model_id, category)}"><bdi>{name}</bdi></a>'

    def of_source(self, rows: Iterable[SourceRow]) -> Markup:
        """Received rows of a source, and what became of each."""
        return _joined(self._of_source(item) for item in rows)

    def _of_source(self, item: SourceRow) -> str:
        text, row, result = self._texts, item.row, item.result
        if result is None:
            model, about, metric, setting, unit, link, kind = (NOTHING, f"<bdi>{NOTHING}</bdi>", *[NOTHING] * 5)
        else:
            version, subset = result.benchmark_version, result.subset
            about = (
                f"<bdi>{text[result.benchmark]}</bdi>"
                f"{'' if version is None else f' <bdi>{text[version]}</bdi>'}"
                f"{'' if subset is None else f' · <bdi>{text[subset]}</bdi>'}"
            )
            model, metric, setting = text[result.model], text[result.metric], text[result.setting]
            unit, link = text[result.unit], leave(result.source_url, "source")
            kind = text[words(result.source_type)]
        fate = "".join([self._counts(e) for e in item.evidence] + [self._left_out(x) for x in item.excluded])
        return (
            f'<tr id="{text[item.anchor]}"><th scope="row"><bdi>{text[row.row_locator]}</bdi></th>'
            f"<td><bdi>{model}</bdi></td><td>{about}</td><td><bdi>{metric}</bdi></td>"
            f'<td class="n"><bdi>{text[row.raw_value]}</bdi></td><td class="wide">{fate}</td><td>{link}</td>'
            f'<td>{kind}</td><td class="wide"><bdi>{setting}</bdi></td><td><bdi>{unit}</bdi></td>'
            f"<td><code>{text[row.entry_id]}</code></td></tr>\n"
        )

    def _counts(self, evidence: ShownEvidence) -> str:
        who = self._model(evidence.model_id, evidence.category)
        return f"counts for {who} on {metric_link(evidence.metric_id, ROOT)}, z {evidence.z:+.3f}<br>"

    def _left_out(self, lost: ExcludedRow) -> str:
        metric = f" on {self._texts[lost.metric_id]}" if lost.metric_id else ""
        won = self._facts.entry_page(lost.kept_entry_id)
        stands = f' <a href="{ROOT}{won}">the row that stands for it</a>' if won else ""
        return f"{self._reason(lost.reason_code)}{metric}: <bdi>{self._texts[lost.detail]}</bdi>{stands}<br>"

    def of_exclusion(self, rows: Iterable[ExcludedRow]) -> Markup:
        """Rows that one reason left out."""
        return _joined(self._of_exclusion(row) for row in rows)

    def _of_exclusion(self, lost: ExcludedRow) -> str:
        text = self._texts
        result = self._facts.results.get(lost.entry_id) if lost.entry_id else None
        if result is None:
            model = benchmark = metric = link = NOTHING
        else:
            model, benchmark, metric = text[result.model], text[result.benchmark], text[result.metric]
            link = leave(result.source_url, "source")
        read_as = metric_link(lost.metric_id, ROOT) if lost.metric_id else f"<bdi>{metric}</bdi>"
        won = self._facts.entry_page(lost.kept_entry_id)
        kept = f'<a href="{ROOT}{won}"><code>{text[lost.kept_entry_id]}</code></a>' if won else NOTHING
        sha256 = text[lost.snapshot_sha256]
        return (
            f'<tr><th scope="row">{self.link_to_row(lost.leaderboard, lost.row_locator)}</th>'
            f"<td><bdi>{model}</bdi></td><td><bdi>{benchmark}</bdi></td><td>{read_as}</td>"
            f'<td class="n"><bdi>{text[lost.raw_value]}</bdi></td><td class="wide"><bdi>{text[lost.detail]}</bdi></td>'
            f'<td>{kept}</td><td><code title="{sha256}">{sha256[:12]}</code></td><td>{link}</td></tr>\n'
        )

    def of_metric(self, rows: Iterable[ShownEvidence], axis: Axis) -> Markup:
        """Models on a metric."""
        return _joined(self._of_metric(row, axis) for row in rows)

    def _of_metric(self, row: ShownEvidence, axis: Axis) -> str:
        result, value, z = self._facts.results[row.entry_id], row.value, row.z
        return (
            f'<tr><th scope="row">{self._model(row.model_id, row.category)}</th>'
            f'<td class="n" data-v="{value!r}">{number(value, 4)}{self._stated(result.value, result.unit)}</td>'
            f'<td class="i">{dot(axis.at(value))}</td>'
            f'<td class="n" data-v="{z!r}">{signed(z, 3)}</td><td>{self._texts[words(row.tier)]}</td>'
            f'<td class="n">{number(row.variance, 4)}</td><td class="n">{number(row.precision, 4)}</td>'
            f"<td><bdi>{self._texts[result.model]}</bdi></td>"
            f"<td>{self.link_to_row(result.leaderboard, result.row_locator)}</td>"
            f"<td>{leave(result.source_url, 'source')}</td></tr>\n"
        )

    def refused(self, rows: Iterable[ExcludedRow]) -> Markup:
        """Rows that were meant for a metric and did not count."""
        return _joined(
            f'<tr><th scope="row">{self._reason(lost.reason_code)}</th>'
            f'<td class="n"><bdi>{self._texts[lost.raw_value]}</bdi></td>'
            f'<td class="wide"><bdi>{self._texts[lost.detail]}</bdi></td>'
            f"<td>{self.link_to_row(lost.leaderboard, lost.row_locator)}</td></tr>\n"
            for lost in rows
        )

    def of_model(self, rows: Iterable[ExcludedRow]) -> Markup:
        """Rows of a model that did not count, by reason and metric."""
        return _joined(
            f'<tr><th scope="row">{self._reason(lost.reason_code)}</th><td>{self._texts[lost.metric_id]}</td>'
            f'<td class="n"><bdi>{self._texts[lost.raw_value]}</bdi></td>'
            f"<td>{self.link_to_row(lost.leaderboard, lost.row_locator)}</td></tr>\n"
            for lost in rows
        )

    def unread(self, rows: Iterable[ExcludedRow]) -> Markup:
        """Rows of a model that no metric reads, with what they are about."""
        return _joined(self._unread(lost) for lost in rows)

    def _unread(self, lost: ExcludedRow) -> str:
        text = self._texts
        result = self._facts.results.get(lost.entry_id or "")
        benchmark, subset, metric = (result.benchmark, result.subset, result.metric) if result else (None, None, None)
        return (
            f'<tr><th scope="row">{self._reason(lost.reason_code)}</th>'
            f"<td><bdi>{text[benchmark]}</bdi></td><td><bdi>{text[subset]}</bdi></td>"
            f"<td><bdi>{text[metric]}</bdi></td>"
            f'<td class="n"><bdi>{text[lost.raw_value]}</bdi></td>'
            f"<td>{self.link_to_row(lost.leaderboard, lost.row_locator)}</td></tr>\n"
        )

    def own(self, own: OwnEvidence, bar: Bar) -> str:
        """One observation of a model in its score taken apart, and the duplicates it won against."""
        origin, value, z, weight = own.origin, own.value, own.z, own.weight
        clamped = CLAMPED if own.is_clamped else ""
        line = (
            f'<tr><th scope="row">{metric_link(own.metric_id, ROOT)}</th>{_points(own.contribution)}'
            f'<td class="i">{step(bar)}</td><td class="n"><data value="{value!r}">{number(value, 4)}</data>'
            f"{self._stated(origin.raw_value, origin.unit)}</td>"
            f'<td class="n"><data value="{z!r}">{signed(z, 3)}</data>{clamped}</td>'
            f'<td class="n"><data value="{weight!r}">{number(weight, 4)}</data></td>'
            f"<td>{self._texts[words(own.tier)]}</td>"
            f"<td>{self.link_to_row(origin.leaderboard, origin.row_locator)}</td>"
            f"<td>{leave(origin.source_url, 'source')}</td></tr>\n"
        )
        return line + "".join(self._lost(lost) for lost in own.duplicates) if own.duplicates else line

    def _lost(self, lost: ExcludedRow) -> str:
        return (
            f'<tr class="lost"><td colspan="3">↳ lost to the row above: {self._texts[lost.detail]}</td>'
            f'<td class="n"><bdi>{self._texts[lost.raw_value]}</bdi></td><td colspan="3"></td>'
            f'<td colspan="2">{self.link_to_row(lost.leaderboard, lost.row_locator)}</td></tr>\n'
        )

    def cohort(self, effect: CohortEffect, bar: Bar) -> str:
        """What the others on a metric add to a score taken apart."""
        return (
            f'<tr class="others"><th scope="row">the others on {metric_link(effect.metric_id, ROOT)}</th>'
            f'{_points(effect.contribution)}<td class="i">{step(bar)}</td><td colspan="2"></td>'
            f'<td class="n">{number(effect.weight, 4)}</td><td colspan="3"></td></tr>\n'
        )


CLAMPED: Final = (
    ' <abbr title="z stands at the methodology&#39;s limit: the value lies at least that far from the others">'
    "clamped</abbr>"
)


def _points(contribution: float) -> str:
    return f'<td class="n"><data value="{contribution!r}">{signed(contribution, 6)}</data></td>'


def _joined(lines: Iterable[str]) -> Markup:
    return Markup("".join(lines))  # noqa: S704 - every text of it went through Texts
