"""What the pairing rules read of a row: the parts of its name, its budgets, links and planner notes (METHODS 5).

Belongs here: taking a name apart (wrapper, suffixes, organization prefix) and gathering a row's facts. Does not belong
here: comparing two rows (`methods.pairing.rules`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import polars as pl

from methods.names import normalize, tokens
from methods.names.state_budget import effort_of, steps_of
from methods.pairing.links import normalize_url
from warehouse.catalog_model import Catalog
from warehouse.methodology import PairingRules

_SEPARATOR: Final = re.compile(r"\s(w/|with)(?=\s)", re.IGNORECASE)

RESULT_COLUMNS: Final = (
    "entry_id", "benchmark", "source_type", "copied_from", "model", "model_id", "model_url", "setting", "notes",
    "protocol_steps", "protocol_effort",
)  # fmt: skip
"""The columns of `core__result` that pairing reads."""


class NameFacts(NamedTuple):
    """A name taken apart. Every normalized form may be empty; an empty one equals nothing.

    Attributes:
        tokens: token set of the whole name.
        normal: normalized name.
        stripped: NFKC, case-folded name without protocol suffixes.
        stripped_normal: the same, normalized.
        is_wrapped: whether the name reads HEAD w/ BACKEND.
        head, backend: normalized parts; of a bare name the head is the whole name and the backend is empty.
        plain_head: normalized head without organization prefix.
        had_prefix: whether an organization prefix was removed.
    """

    tokens: frozenset[str]
    normal: str
    stripped: str
    stripped_normal: str
    is_wrapped: bool
    head: str
    backend: str
    plain_head: str
    had_prefix: bool


@dataclass(frozen=True, slots=True)
class RowFacts:
    """A result row as the rules see it.

    Attributes:
        entry_id, benchmark, source_type: as in core__result.
        is_copy: whether the row only repeats another's number; it takes no part in any pair.
        steps, effort: what the row states (METHODS 5, pre-filters); None where it states none.
        name: its name taken apart.
        model_id: model identifier the source states, empty where none; `model_id_normal` normalized, `model_id_plain`
            normalized without organization prefix.
        url: comparable link, empty where none.
        planners: normalized slugs of the planner models its notes name.
    """

    entry_id: str
    benchmark: str
    source_type: str
    is_copy: bool
    steps: int | None
    effort: str | None
    name: NameFacts
    model_id: str
    model_id_normal: str
    model_id_plain: str
    url: str
    planners: frozenset[str]


class RowReader:
    """Reads rows by one catalog: its organization prefixes and its methodology's patterns and lists."""

    def __init__(self, rules: PairingRules, organization_prefixes: Iterable[str], effort_levels: Iterable[str]) -> None:
        """Compile the patterns once."""
        self._suffixes = [re.compile(pattern, re.IGNORECASE) for pattern in rules.suffix_patterns]
        self._planners = [re.compile(pattern, re.IGNORECASE) for pattern in rules.planner_patterns]
        self._not_models = frozenset(normalize(word) for word in rules.not_model_words)
        prefixes = {_composed(text).casefold() for text in organization_prefixes}
        self._prefixes = tuple(sorted(prefixes, key=lambda text: (-len(text), text)))
        self._levels = tuple(effort_levels)

    @classmethod
    def of(cls, catalog: Catalog) -> RowReader:
        """The reader that a catalog asks for."""
        methodology = catalog.methodology
        return cls(methodology.pairing, catalog.organization_prefixes, methodology.names.effort_levels)

    def name(self, name: str) -> NameFacts:
        """A name taken apart."""
        text = _composed(name)
        normal = normalize(name)
        head, backend = self.split_wrapper(text)
        normal_head = normal if backend is None else normalize(head)
        stripped = self.strip_suffixes(text)
        rest, had_prefix = self.without_prefix(head)
        return NameFacts(
            tokens(name),
            normal,
            stripped.casefold(),
            normal if stripped == text else normalize(stripped),
            backend is not None,
            normal_head,
            "" if backend is None else normalize(backend),
            normalize(rest) if had_prefix else normal_head,
            had_prefix,
        )

    def is_plain(self, name: str) -> bool:
        """Whether a name is one line of ASCII with nothing to take apart: all its forms are the normalized name."""
        if not name.isascii() or "\n" in name:
            return False
        folded = name.casefold()
        if "with" in folded or "w/" in folded or folded.lstrip().startswith(self._prefixes):
            return False
        for pattern in self._suffixes:  # noqa: SIM110  (asked of every name: a generator would double its cost)
            if pattern.search(name):
                return False
        return True

    def split_wrapper(self, text: str) -> tuple[str, str | None]:
        """HEAD and BACKEND of an NFKC name, split at the first ` w/ ` or ` with `; a bare name is all head.

        ` with ` splits only where BACKEND's first word is not on the methodology's list of words that name no model.
        """
        for separator in _SEPARATOR.finditer(text):
            head, backend = text[: separator.start()], text[separator.end() :].strip()
            if not head.strip() or not backend:
                continue
            if separator[1].casefold() == "with" and normalize(backend.split()[0]) in self._not_models:
                continue
            return head, backend
        return text, None

    def strip_suffixes(self, text: str) -> str:
        """An NFKC name without the protocol suffixes that the methodology lists, wherever they stand."""
        for pattern in self._suffixes:
            text = pattern.sub("", text)
        return text

    def without_prefix(self, text: str) -> tuple[str, bool]:
        """A name without the longest organization prefix it begins with, and whether there was one.

        The prefix ends at a word boundary: no letter or digit of it runs on into the rest. A name that is nothing
        but a prefix keeps it.
        """
        folded = _composed(text).casefold().lstrip()
        if folded.startswith(self._prefixes):
            for prefix in self._prefixes:
                rest = folded[len(prefix) :]
                if not folded.startswith(prefix) or not normalize(rest):
                    continue
                if not (prefix[-1].isalnum() and rest[0].isalnum()):
                    return rest, True
        return text, False

    def planners(self, notes: str | None) -> frozenset[str]:
        """The normalized slugs of the planner models that a note names."""
        text = _composed(notes or "")
        slugs = (normalize(slug) for pattern in self._planners for slug in pattern.findall(text)) if text else ()
        return frozenset(slugs) - {""}

    def row(self, result: Mapping[str, Any]) -> RowFacts:
        """A row of `core__result` as the rules see it."""
        model_id: str = (result["model_id"] or "").strip()
        return RowFacts(
            entry_id=result["entry_id"],
            benchmark=result["benchmark"],
            source_type=result["source_type"],
            is_copy=is_copy(result),
            steps=steps_of(result["protocol_steps"], result["setting"], result["model"]),
            effort=effort_of(result["protocol_effort"], result["setting"], None, self._levels),
            name=self.name(result["model"]),
            model_id=model_id,
            model_id_normal=normalize(model_id),
            model_id_plain=normalize(self.without_prefix(model_id)[0]),
            url=normalize_url(result["model_url"]),
            planners=self.planners(result["notes"]),
        )

    def rows(self, results: pl.DataFrame) -> Iterator[RowFacts]:
        """Every row of a `core__result` frame, copies included."""
        for result in results.select(RESULT_COLUMNS).iter_rows(named=True):
            yield self.row(result)


def is_copy(result: Mapping[str, Any]) -> bool:
    """Whether a row only repeats another's number (METHODS 1)."""
    return bool((result["copied_from"] or "").strip())


def _composed(text: str) -> str:
    return text if text.isascii() else unicodedata.normalize("NFKC", text)
