"""A release's tables arranged as pages need them: boards in order, rows by source, evidence by metric.

Belongs here: lookups, each made once and shared by all pages. Nothing is computed that a table does not already say.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple, TypeVar

import polars as pl
from markupsafe import Markup

from methods.lineage.column_reading import columns_of
from methods.lineage.explanation import ExcludedRow
from methods.lineage.explanation_index import ExplanationIndex
from methods.lineage.shared_texts import text_sharing_columns
from resources.site import fragments, links
from resources.site.former_site import FormerSite
from resources.site.inputs import SiteInputs
from resources.site.lines import Lines
from warehouse.catalog_model import Catalog
from warehouse.manifest import Manifest
from warehouse.vocabulary import CATEGORIES

Row = dict[str, Any]
Shown = TypeVar("Shown", bound=NamedTuple)

ROWS_ON_A_PAGE: Final = 1000
STATUS_ORDER: Final = {"rated": 0, "estimated": 1, "unrated": 2}
_DIGITS: Final = re.compile(r"\d+")


class ShownResult(NamedTuple):
    """What pages show of a row of core__result."""

    entry_id: str
    leaderboard: str
    row_locator: str
    benchmark: str
    benchmark_version: str | None
    subset: str | None
    metric: str
    unit: str
    value: float | None
    model: str
    source_type: str
    source_url: str | None
    setting: str | None


class ShownEvidence(NamedTuple):
    """What pages show of a row of core__evidence."""

    entry_id: str
    metric_id: str
    model_id: str
    category: str
    tier: str
    value: float
    z: float
    n_developers: int
    q: float
    variance: float
    precision: float


class ReceivedRow(NamedTuple):
    """What pages show of a row of raw__row."""

    leaderboard: str
    snapshot_sha256: str
    row_locator: str
    raw_value: str | None
    entry_id: str | None
    is_duplicate: bool


@dataclass(frozen=True, slots=True)
class SourceRow:
    """One received row on its source's page.

    Attributes:
        anchor: its fragment on the page: of its entry where it has one of its own.
        row: its row of raw__row.
        result: its row of core__result; None where it never became one.
        evidence: its rows of core__evidence.
        excluded: its rows of core__exclusion.
    """

    anchor: str
    row: ReceivedRow
    result: ShownResult | None
    evidence: tuple[ShownEvidence, ...]
    excluded: tuple[ExcludedRow, ...]


def natural(locator: str) -> tuple[object, ...]:
    """A sort key under which results[2] comes before results[10]."""
    return (_DIGITS.sub("0", locator), *map(int, _DIGITS.findall(locator)), locator)


class Facts:
    """The release as pages read it."""

    def __init__(self, inputs: SiteInputs, former: FormerSite | None = None) -> None:
        self.inputs = inputs
        self.former = former
        self.manifest: Manifest = inputs.manifest
        self.catalog: Catalog = inputs.catalog
        self.explanations = ExplanationIndex(inputs.tables, inputs.catalog)
        self._row_links: dict[tuple[str, str], Markup] = {}

    def rows(self, table: str, columns: tuple[str, ...] | None = None) -> list[Row]:
        """A table's rows in key order, or these columns of them; none for a table the release does not hold."""
        tables = self.inputs.tables
        if table not in tables:
            return []
        return (tables[table] if columns is None else columns_of(tables, table, columns)).rows(named=True)

    @cached_property
    def boards(self) -> dict[str, list[Row]]:
        """Rows of out__category_score by category: rated by rank, estimated by score, unrated by name."""
        found: dict[str, list[Row]] = {category: [] for category in CATEGORIES}
        for row in self.explanations.scores.values():
            found[row["category"]].append(row)
        for rows in found.values():
            rows.sort(key=_board_order)
        return found

    @cached_property
    def models(self) -> dict[str, dict[str, Row]]:
        """Scores by model id, then category, models by name."""
        found: defaultdict[str, dict[str, Row]] = defaultdict(dict)
        for (category, model_id), row in self.explanations.scores.items():
            found[model_id][category] = row
        named = sorted(found, key=lambda model_id: (self.model_name(model_id).casefold(), model_id))
        return {model_id: found[model_id] for model_id in named}

    def model_name(self, model_id: str) -> str:
        """The registry's name of a model, else its id."""
        spec = self.catalog.model_by_id.get(model_id)
        return spec.name if spec else model_id

    @cached_property
    def results(self) -> dict[str, ShownResult]:
        """What pages show of core__result, by entry id."""
        return {row.entry_id: row for row in self._shown("core__result", ShownResult)}

    @cached_property
    def _evidence(self) -> list[ShownEvidence]:
        return list(self._shown("core__evidence", ShownEvidence))

    def _shown(self, table: str, kind: type[Shown]) -> Iterator[Shown]:
        """The rows of a table in key order, in a small form whose texts are shared."""
        if table not in self.inputs.tables:
            return iter(())
        return map(
            kind._make, zip(*text_sharing_columns(columns_of(self.inputs.tables, table, kind._fields)), strict=True)
        )

    @cached_property
    def evidence_by_metric(self) -> Mapping[str, list[ShownEvidence]]:
        """Rows of core__evidence by metric id, the highest z first."""
        return _by(self._evidence, lambda row: row.metric_id, lambda row: (-row.z, row.model_id))

    @cached_property
    def leaderboards(self) -> list[str]:
        """The leaderboards of the release."""
        return self.inputs.tables["raw__snapshot"]["leaderboard"].to_list()

    @cached_property
    def row_counts(self) -> dict[str, tuple[int, int]]:
        """Rows received and rows that count as evidence, by leaderboard."""
        serving = columns_of(self.inputs.tables, "core__evidence", ("entry_id",))["entry_id"].unique().implode()
        counts = pl.col("entry_id").is_in(serving) & ~pl.col("is_duplicate")
        received = columns_of(self.inputs.tables, "raw__row", ("leaderboard", "entry_id", "is_duplicate"))
        rows = received.select("leaderboard", counted=counts.fill_null(value=False))
        found = rows.group_by("leaderboard").agg(received=pl.len(), counted=pl.col("counted").sum()).rows()
        return dict.fromkeys(self.leaderboards, (0, 0)) | {name: (received, n) for name, received, n in found}

    @cached_property
    def exclusion_counts(self) -> dict[str, dict[str, int]]:
        """Excluded rows by reason code, then leaderboard."""
        found: defaultdict[str, dict[str, int]] = defaultdict(dict)
        lost = columns_of(self.inputs.tables, "core__exclusion", ("reason_code", "leaderboard"))
        rows = lost.group_by("reason_code", "leaderboard").len()
        for reason, leaderboard, n in rows.sort("reason_code", "leaderboard").rows():
            found[reason][leaderboard] = n
        return dict(found)

    @cached_property
    def excluded_by_reason(self) -> dict[str, list[ExcludedRow]]:
        """Excluded rows by reason code, in the order of the rows they come from."""
        found: defaultdict[str, list[ExcludedRow]] = defaultdict(list)
        for item in self.explanations.exclusions:
            found[item.reason_code].append(item)
        for rows in found.values():
            rows.sort(key=lambda item: (item.leaderboard, natural(item.row_locator), item.metric_id or ""))
        return dict(found)

    @cached_property
    def excluded_by_metric(self) -> Mapping[str, list[ExcludedRow]]:
        """Excluded rows by the metric they were meant for."""
        found: defaultdict[str, list[ExcludedRow]] = defaultdict(list)
        for rows in self.excluded_by_reason.values():
            for item in rows:
                if item.metric_id is not None:
                    found[item.metric_id].append(item)
        return found

    def source_rows(self, leaderboard: str, first: int, end: int) -> Iterator[SourceRow]:
        """Received rows of a leaderboard from one place to another, in the order of its snapshot."""
        for place, row in enumerate(self._received[leaderboard][first:end], start=first):
            entry = None if row.is_duplicate else row.entry_id
            yield SourceRow(
                anchor=_anchor(row, place),
                row=row,
                result=self.results.get(row.entry_id) if row.entry_id else None,
                evidence=tuple(self._evidence_by_entry.get(entry, ())) if entry else (),
                excluded=tuple(self._excluded_by_row.get((leaderboard, row.snapshot_sha256, row.row_locator), ())),
            )

    @cached_property
    def _received(self) -> dict[str, list[ReceivedRow]]:
        found = _by(
            self._shown("raw__row", ReceivedRow), lambda row: row.leaderboard, lambda row: natural(row.row_locator)
        )
        return {leaderboard: found.get(leaderboard, []) for leaderboard in self.leaderboards}

    @cached_property
    def _evidence_by_entry(self) -> Mapping[str, list[ShownEvidence]]:
        return _by(self._evidence, lambda row: row.entry_id, lambda row: row.metric_id)

    @cached_property
    def _excluded_by_row(self) -> Mapping[tuple[str, str, str], list[ExcludedRow]]:
        found: defaultdict[tuple[str, str, str], list[ExcludedRow]] = defaultdict(list)
        for lost in self.explanations.exclusions:
            found[lost.leaderboard, lost.snapshot_sha256, lost.row_locator].append(lost)
        return found

    @cached_property
    def lines(self) -> Lines:
        """The rows of long tables."""
        return Lines(self)

    @cached_property
    def moved(self) -> dict[tuple[str, str], Mapping[str, Any]]:
        """What the release keeps of each score that moved since the one before, by (category, model id)."""
        given = (self.inputs.changes or {}).get("scores", [])
        return {(score["category"], score["model_id"]): score for score in given}

    @cached_property
    def _row_places(self) -> dict[str, dict[str, int]]:
        return {
            leaderboard: {row.row_locator: place for place, row in enumerate(rows)}
            for leaderboard, rows in self._received.items()
        }

    def row_page(self, leaderboard: str, row_locator: str) -> str | None:
        """Where a received row stands on the site; None for a row that raw__row does not hold."""
        place = self._row_places.get(leaderboard, {}).get(row_locator)
        if place is None:
            return None
        anchor = _anchor(self._received[leaderboard][place], place)
        return f"{links.numbered_page('sources', leaderboard, place // ROWS_ON_A_PAGE + 1)}#{anchor}"

    def link_to_row(self, row: Any) -> Markup:
        """A link from a page one folder down to a received row: of anything that names leaderboard and locator."""
        named = row if isinstance(row, dict) else {"leaderboard": row.leaderboard, "row_locator": row.row_locator}
        key = (named["leaderboard"], named["row_locator"])
        if key not in self._row_links:
            self._row_links[key] = fragments.row_link(self.row_page(*key), *key, root="../")
        return self._row_links[key]

    def entry_page(self, entry_id: str | None) -> str | None:
        """Where the row of an entry stands on the site."""
        result = self.results.get(entry_id) if entry_id else None
        return self.row_page(result.leaderboard, result.row_locator) if result else None


def _board_order(row: Row) -> tuple[object, ...]:
    best = row["rank"] if row["rank"] is not None else -(row["score"] if row["score"] is not None else 0.0)
    return (STATUS_ORDER[row["status"]], best, row["model_name"].casefold(), row["model_id"])


def _anchor(row: ReceivedRow, place: int) -> str:
    """The fragment of a row on its page: of its entry, where it has one of its own."""
    return f"e-{row.entry_id}" if row.entry_id and not row.is_duplicate else f"r-{place + 1}"


def _by(rows: Iterable[Shown], key: Callable[[Shown], str], order: Callable[[Shown], Any]) -> dict[str, list[Shown]]:
    found: defaultdict[str, list[Shown]] = defaultdict(list)
    for row in rows:
        found[key(row)].append(row)
    for group in found.values():
        group.sort(key=order)
    return dict(found)
