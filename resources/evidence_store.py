"""Registered evidence: `evidence/<kind>/<name>/<sha256>`, with an append-only index of what was registered when.

Belongs here: keeping evidence and proving it. A name is given once: the same bytes under it are no news, other bytes
are refused, so that a study that names a freeze always reads the same one. Does not belong here: what a study makes of
evidence (`methods`), which evidence the catalog names (`resources.study_evidence`).

A freeze is kept as its folder, named by the SHA-256 of its manifest, which holds the SHA-256 of every file. Files that
a user brings are kept beside an `evidence.json`, which lists name, size and SHA-256 of each; its SHA-256 names them.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Final

from resources.atomic_files import (
    append_json_line,
    json_bytes,
    make_folder,
    read_json_lines,
    sync_file,
    sync_folder,
    temporary_path,
)
from resources.freeze import MANIFEST_NAME, Freeze, FreezeError, read_freeze
from resources.guarded_csv import GuardedCsvError
from resources.manifest import file_sha256
from resources.verdicts import moment_text
from warehouse.canonical import Json, sha256_hex
from warehouse.contracts import ContractError
from warehouse.identity import is_slug
from warehouse.study_words import FREEZE_EVIDENCE

EVIDENCE_FOLDER: Final = "evidence"
INDEX_NAME: Final = "index.jsonl"
FILES_MANIFEST: Final = "evidence.json"
EVIDENCE_SCHEMA: Final = "scoretrail.evidence/1"


class EvidenceError(ValueError):
    """Evidence that cannot be registered, is unknown, or is not what was registered: says which and why."""


@dataclass(frozen=True, slots=True)
class EvidenceRecord:
    """One registered piece of evidence: its kind, name and SHA-256, when it was registered, and where it lies.

    `known_since` is the day from which a run may use it, where whoever registered it asserts one; else the day of
    `registered_at` is.
    """

    kind: str
    name: str
    sha256: str
    registered_at: str
    folder: Path
    known_since: date | None = None

    @property
    def usable_from(self) -> date:
        """The first day that may use it."""
        return self.known_since or date.fromisoformat(self.registered_at[:10])


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
                date.fromisoformat(line["known_since"]) if line.get("known_since") else None,
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
        _check_name(name)
        frozen = read_freeze(folder)
        sha256 = sha256_hex((folder / MANIFEST_NAME).read_bytes())
        names = [MANIFEST_NAME, *(entry["path"] for entry in frozen.manifest["files"])]
        return self._keep(FREEZE_EVIDENCE, name, sha256, {path: folder / path for path in names}, {}, at)

    def register_files(
        self,
        kind: str,
        name: str,
        files: Sequence[Path],
        at: datetime,
        known_since: date | None = None,
        read: Callable[[Path], object] | None = None,
    ) -> EvidenceRecord:
        """Keep files under a name. The caller holds the home lock.

        Args:
            kind: a kind of evidence (`warehouse.study_words.STUDY_EVIDENCE`).
            name: lower case, digits, `.`, `_`, `-`.
            files: the files, of different names; they are copied.
            at: the moment, for the index.
            known_since: the day from which a run may use them, where it is not the day of `at`.
            read: reads the folder as a study would; what it refuses is not registered.

        Raises:
            EvidenceError: also whatever `read` says.
            EvidenceError: for a name that is none, or one that stands for other files, and for files that are none.
            OSError: as the disk says; nothing is registered.
        """
        _check_name(name)
        by_name = _by_name(files)
        entries: list[Json] = [
            {"path": path, "bytes": file.stat().st_size, "sha256": file_sha256(file)} for path, file in by_name.items()
        ]
        manifest = json_bytes({"schema": EVIDENCE_SCHEMA, "kind": kind, "files": entries})
        return self._keep(kind, name, sha256_hex(manifest), by_name, {FILES_MANIFEST: manifest}, at, known_since, read)

    def proved(self, record: EvidenceRecord) -> Path:
        """The folder of registered files, each proved against what was registered.

        Raises:
            EvidenceError: naming the file that is gone or was changed.
        """
        head = f"{record.kind} {record.name}"
        try:
            manifest = (record.folder / FILES_MANIFEST).read_bytes()
            if sha256_hex(manifest) != record.sha256:
                raise EvidenceError(f"{head}: its list of files was changed ({record.folder / FILES_MANIFEST})")
            for entry in json.loads(manifest)["files"]:
                if file_sha256(record.folder / entry["path"]) != entry["sha256"]:
                    raise EvidenceError(f"{head}: {entry['path']} is not what was registered ({record.folder})")
        except OSError as error:
            raise EvidenceError(f"{head} does not hold: {error}") from error
        return record.folder

    def _keep(
        self,
        kind: str,
        name: str,
        sha256: str,
        files: Mapping[str, Path],
        bodies: Mapping[str, bytes],
        at: datetime,
        known_since: date | None = None,
        read: Callable[[Path], object] | None = None,
    ) -> EvidenceRecord:
        """Copy files into their place and note them; the same bytes under the same name are no news."""
        standing = self.find(kind, name)
        if standing is not None:
            if standing.sha256 == sha256:
                if known_since not in (None, standing.usable_from):
                    raise EvidenceError(
                        f"{name}: is registered already, and runs may use it since {standing.usable_from}; the day is "
                        f"given once, with the name: to assert {known_since}, choose another name"
                    )
                return standing
            raise EvidenceError(
                f"{name}: stands for another {kind} ({standing.sha256[:12]}, registered {standing.registered_at}); "
                "a name is given once, choose another"
            )
        target = self.root / kind / name / sha256
        _copy(files, bodies, target, read)
        registered = moment_text(at)
        line: dict[str, Json] = {"kind": kind, "name": name, "sha256": sha256, "registered_at": registered}
        if known_since is not None:
            line["known_since"] = known_since.isoformat()
        append_json_line(self.root / INDEX_NAME, line)
        return EvidenceRecord(kind, name, sha256, registered, target, known_since)

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


def _check_name(name: str) -> None:
    if not is_slug(name):
        raise EvidenceError(f"{name!r}: a name is lower case, digits, '.', '_' and '-', at most 80 signs")


def _by_name(files: Sequence[Path]) -> dict[str, Path]:
    """Files by the name they are kept under, in order of the name (EvidenceError for none, folders, equal names)."""
    found: dict[str, Path] = {}
    for file in files:
        if not file.is_file():
            raise EvidenceError(f"{file}: is no file")
        if file.name in found or file.name == FILES_MANIFEST:
            raise EvidenceError(f"{file}: another file to be kept is called {file.name} too; rename it")
        found[file.name] = file
    if not found:
        raise EvidenceError("no file to register was named")
    return dict(sorted(found.items()))


def _copy(
    files: Mapping[str, Path], bodies: Mapping[str, bytes], target: Path, read: Callable[[Path], object] | None
) -> None:
    """Copy files into a new folder that appears whole or not at all; one that stands is left from a stopped call."""
    make_folder(target.parent)
    building = temporary_path(target)
    try:
        building.mkdir()
        for name, file in files.items():
            shutil.copyfile(file, building / name)
        for name, body in bodies.items():
            (building / name).write_bytes(body)
        if read is not None:
            read(building)
        for path in building.iterdir():
            sync_file(path)
        shutil.rmtree(target, ignore_errors=True)
        building.replace(target)
    except BaseException:
        shutil.rmtree(building, ignore_errors=True)
        raise
    sync_folder(target.parent)
