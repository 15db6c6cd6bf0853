"""The evidence that the catalog's studies name, as a day may use it: found, known by then, and proved.

Belongs here: from studies.yaml to proved evidence, and the rows of `raw__evidence`. Whatever is wrong with evidence is
a finding of its study, never an exception: the board does not wait for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

import polars as pl

from resources.atomic_files import JsonFileError
from resources.evidence_readers import READERS
from resources.evidence_store import EvidenceError, EvidenceStore, frozen_day
from warehouse.catalog_model import StudySpec
from warehouse.study_words import FREEZE_EVIDENCE, SOURCE_STUDY_KIND, STUDY_EVIDENCE
from warehouse.tables_study import RAW_EVIDENCE

_EARLIER = "register it under another name with --known-since DAY to assert an earlier day, and name that in the study"
EVIDENCE_KINDS: Mapping[str, str] = {SOURCE_STUDY_KIND: FREEZE_EVIDENCE, **STUDY_EVIDENCE}
"""Kind of evidence by kind of study."""


@dataclass(frozen=True)
class StudyEvidence:
    """What a study has to work on.

    Attributes:
        study: its entry.
        sha256, content: the evidence, proved and read; None where it cannot be used. Of a freeze the content is its
            results; of what a user brings, what the reader of that kind returns (`resources.evidence_readers`).
        problem: why it cannot.
    """

    study: StudySpec
    sha256: str | None = None
    content: Any = None
    problem: str | None = None

    @property
    def key(self) -> tuple[str, str]:
        """(kind, name) of the evidence."""
        return EVIDENCE_KINDS.get(self.study.kind, "none"), self.study.evidence


def gather_evidence(
    studies: Iterable[StudySpec],
    store: EvidenceStore,
    as_of: date,
    pinned: Mapping[tuple[str, str], str] | None = None,
) -> list[StudyEvidence]:
    """The evidence of every study.

    Args:
        studies: the catalog's.
        store: the home's evidence.
        as_of: the day; a freeze of a later day is not known yet.
        pinned: SHA-256 by (kind, name) where a release is made again, which used these and no others.
    """
    return [_gather(study, store, as_of, pinned) for study in studies]


def _gather(
    study: StudySpec, store: EvidenceStore, as_of: date, pinned: Mapping[tuple[str, str], str] | None
) -> StudyEvidence:
    kind = EVIDENCE_KINDS.get(study.kind)
    if kind is None:
        return StudyEvidence(study, problem=f"no analysis of kind {study.kind} reads registered evidence")
    wanted = None
    if pinned is not None:
        wanted = pinned.get((kind, study.evidence))
        if wanted is None:
            return StudyEvidence(study, problem="the release had no such evidence")
    if kind != FREEZE_EVIDENCE:
        return _brought(study, kind, store, as_of, wanted)
    try:
        record, frozen = store.read_freeze(study.evidence, wanted)
    except (EvidenceError, JsonFileError) as error:
        return StudyEvidence(study, problem=str(error))
    day = frozen_day(frozen)
    if day is not None and day > as_of:
        return StudyEvidence(study, problem=f"freeze {study.evidence} is of {day}, which {as_of} does not know yet")
    return StudyEvidence(study, record.sha256, frozen.results)


def _brought(study: StudySpec, kind: str, store: EvidenceStore, as_of: date, wanted: str | None) -> StudyEvidence:
    """What a user registered, as the reader of its kind reads it."""
    try:
        record = store.find(kind, study.evidence)
        if record is None:
            ask = f"scoretrail register {kind} {study.evidence} FILE"
            return StudyEvidence(study, problem=f"{kind} {study.evidence} is not registered; register it with: {ask}")
        if wanted is not None and record.sha256 != wanted:
            return StudyEvidence(
                study, problem=f"{kind} {study.evidence} is {record.sha256}, the release used {wanted}"
            )
        if wanted is None and record.usable_from > as_of:
            since = f"{kind} {study.evidence} is known since {record.usable_from}, which {as_of} does not know yet"
            return StudyEvidence(study, problem=f"{since}; {_EARLIER}")
        content = READERS[kind](store.proved(record))
    except (EvidenceError, JsonFileError) as error:
        return StudyEvidence(study, problem=str(error))
    except KeyError:
        return StudyEvidence(study, problem=f"nothing reads evidence of kind {kind} yet")
    return StudyEvidence(study, record.sha256, content)


def evidence_rows(found: Iterable[StudyEvidence]) -> pl.DataFrame:
    """The `raw__evidence` table."""
    rows = [
        {
            "study": item.study.id,
            "analysis": item.study.kind,
            "kind": item.key[0],
            "name": item.study.evidence,
            "sha256": item.sha256,
            "rows": None if item.content is None else item.content.height,
            "problem": item.problem,
        }
        for item in found
    ]
    return RAW_EVIDENCE.conform(pl.DataFrame(rows, schema=RAW_EVIDENCE.polars_schema()))
