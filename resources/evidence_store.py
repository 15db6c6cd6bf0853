"""Registered evidence: `evidence/<kind>/<name>/<sha256>`, with an append-only index of what was registered when.

Belongs here: keeping evidence and proving it. A name is given once: the same bytes under it are no news, other bytes
are refused, so that a study that names a freeze always reads the same one. Does not belong here: what a study makes of
evidence (`methods`), which evidence the catalog names (`resources.study_evidence`).

A freeze is kept as its folder, named by the SHA-256 of its manifest, which holds the SHA-256 of every file.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Final

from resources.atomic_files import (
    append_json_line,
    make_folder,
    read_json_lines,
    sync_file,
    sync_folder,
    temporary_path,
)
from resources.freeze import MANIFEST_NAME, Freeze, FreezeError, read_freeze
from resources.guarded_csv import GuardedCsvError
from resources.verdicts import moment_text
from warehouse.canonical import Json, sha256_hex
from warehouse.contracts import ContractError
from warehouse.identity import is_slug
from warehouse.study_words import FREEZE_EVIDENCE

EVIDENCE_FOLDER: Final = "evidence"
INDEX_NAME: Final = "index.jsonl"


class EvidenceError(ValueError):
    """Evidence that cannot be registered, is unknown, or is not what was registered: says which and why."""


@dataclass(frozen=True, slots=True)
class EvidenceRecord:
    """One registered piece of evidence: its kind, name and SHA-256, when it was registered, and where it lies."""

    kind: str
    name: str
    sha256: str
    registered_at: str
    folder: Path


class EvidenceStore:
    """The evidence of one home."""

    def __init__(self, home: Path) -> None:
        self.root = Path(home) / EVIDENCE_FOLDER

    def records(self) -> list[EvidenceRecord]:
        """Everything registered, oldest first (JsonFileError for a damaged index)."""
        return [
            EvidenceRecord(
                line["kind"], line["name"], line["sha256"], line["registered_at"],
                self.root / line["kind"] / line["name"] / line["sha256"],
            )
            for line in read_json_lines(self.root / INDEX_NAME)
        ]  # fmt: skip

    def find(self, kind: str, name: str) -> EvidenceRecord | None:
        """The evidence registered under a name; None where there is none."""
        return next((record for record in self.records() if (record.kind, record.name) == (kind, name)), None)

    def register_freeze(self, name: str, folder: Path, at: datetime) -> EvidenceRecord:
        """Keep a freeze under a name, after proving it. The caller holds the home lock.

        Args:
            name: lower case, digits, `.`, `_`, `-`.
            folder: the freeze; it is copied.
            at: the moment, for the index.

        Raises:
            EvidenceError: for a name that is none, or one that stands for another freeze.
            FreezeError, GuardedCsvError: if the folder is no freeze, or was changed after it was made.
            OSError: as the disk says; nothing is registered.
        """
        if not is_slug(name):
            raise EvidenceError(f"{name!r}: a name is lower case, digits, '.', '_' and '-', at most 80 signs")
        frozen = read_freeze(folder)
        sha256 = sha256_hex((folder / MANIFEST_NAME).read_bytes())
        standing = self.find(FREEZE_EVIDENCE, name)
        if standing is not None:
            if standing.sha256 == sha256:
                return standing
            raise EvidenceError(
                f"{name}: stands for another freeze ({standing.sha256[:12]}, registered {standing.registered_at}); "
                "a name is given once, choose another"
            )
        target = self.root / FREEZE_EVIDENCE / name / sha256
        _copy(folder, [MANIFEST_NAME, *(entry["path"] for entry in frozen.manifest["files"])], target)
        registered = moment_text(at)
        line: dict[str, Json] = {
            "kind": FREEZE_EVIDENCE, "name": name, "sha256": sha256, "registered_at": registered,
        }  # fmt: skip
        append_json_line(self.root / INDEX_NAME, line)
        return EvidenceRecord(FREEZE_EVIDENCE, name, sha256, registered, target)

    def read_freeze(self, name: str, sha256: str | None = None) -> tuple[EvidenceRecord, Freeze]:
        """A registered freeze, every file of it proved.

        Args:
            name: the name.
            sha256: what it must be, where a release says so.

        Raises:
            EvidenceError: where none is registered under the name, or it is not what was registered.
        """
        record = self.find(FREEZE_EVIDENCE, name)
        if record is None:
            raise EvidenceError(f"freeze {name} is not registered; register it with: scoretrail register freeze")
        if sha256 is not None and record.sha256 != sha256:
            raise EvidenceError(f"freeze {name} is {record.sha256}, the release used {sha256}")
        try:
            found = sha256_hex((record.folder / MANIFEST_NAME).read_bytes())
            if found != record.sha256:
                raise EvidenceError(f"freeze {name}: its manifest was changed: {found} in place of {record.sha256}")
            return record, read_freeze(record.folder)
        except (FreezeError, GuardedCsvError, ContractError, OSError) as error:
            raise EvidenceError(f"freeze {name} does not hold: {error}") from error


def frozen_day(freeze: Freeze) -> date | None:
    """The day a freeze speaks of; None where it states none."""
    stated = freeze.manifest.get("as_of")
    return None if stated is None else date.fromisoformat(stated)


def _copy(folder: Path, names: list[str], target: Path) -> None:
    """Copy files into a new folder that appears whole or not at all; one that stands is left from a stopped call."""
    make_folder(target.parent)
    building = temporary_path(target)
    try:
        building.mkdir()
        for name in names:
            shutil.copyfile(folder / name, building / name)
            sync_file(building / name)
        shutil.rmtree(target, ignore_errors=True)
        building.replace(target)
    except BaseException:
        shutil.rmtree(building, ignore_errors=True)
        raise
    sync_folder(target.parent)
