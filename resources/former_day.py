"""What a day may take over from the release before instead of computing it again, and what proves each piece.

A night on which nothing changed upstream makes the numbers of the night before. They are taken over only where nothing
that went into them differs, and only out of a release that stands: its manifest is the one the ledger recorded, and
the bytes of every file used are those the manifest lists. Belongs here: that proof. Whatever cannot be proved is
computed again, silently: taking over saves time and nothing else. `verify` takes nothing over.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Final

import polars as pl

from methods.release.publication import expected_verdict_key
from resources.atomic_files import JsonFileError, parse_json
from resources.manifest import VALIDATION_FOLDER, Release, ReleaseError, file_sha256
from resources.package_versions import package_versions
from resources.releases import ReleaseStore
from resources.table_files import TableError, read_stamp_file, read_table_file
from resources.tables import TableStore
from warehouse.canonical import Json, sha256_hex
from warehouse.catalog_model import Catalog, GateSpec
from warehouse.manifest import Manifest
from warehouse.tables import INPUTS, TABLES
from warehouse.verdicts import GateResult
from warehouse.vocabulary import Exactness

JUDGED_BY: Final = "code_version"
"""In a validation result: the code that judged."""
JUDGED_IN: Final = "judged_in"
"""In a validation result that was taken over: the release in which the engine really ran."""
RUN_COLUMNS: Final = ("release_id", "as_of")
"""Columns that name the run and hold one value in all rows: they are what tells an unchanged table from its former."""


@dataclass(frozen=True, slots=True)
class DayTable:
    """A table as a day uses it.

    Attributes:
        frame: its rows, under the names of this day.
        exactness: as its stamp says.
        taken_from: the release it was taken over from; None where it was computed.
        table_hash: its hash, where it is that of the former table; None where it has to be computed.
    """

    frame: pl.DataFrame
    exactness: Exactness = "hash"
    taken_from: str | None = None
    table_hash: str | None = None


@dataclass(frozen=True, slots=True)
class FormerDay:
    """The release before, made by the same code and packages with the same catalog and methodology.

    Attributes:
        release: it, its manifest proved against the ledger.
        tables: the home's tables, among them those it was made from.
    """

    release: Release
    tables: TableStore

    def table(self, name: str, inputs: Mapping[str, str], release_id: str, as_of: date) -> DayTable | None:
        """A table as this day would compute it; None where that is not proved.

        Args:
            name: the table; it must be a function of its inputs, the catalog and the code alone.
            inputs: the hash of every table it would be computed from now; of one that differs in nothing but the
                names of the run, its former hash.
            release_id, as_of: what its rows name now.
        """
        contract, entry = TABLES[name], self.release.manifest.tables.get(name)
        if entry is None or contract.unhashed or not inputs or set(inputs) != set(INPUTS[name]):
            return None
        path = self.tables.path(name, self.release.manifest.as_of)
        try:
            if file_sha256(path) != entry.file_sha256:
                return None
            stamp = read_stamp_file(path)
            if dict(stamp.inputs) != dict(inputs) or stamp.table_hash != entry.hash or stamp.rows != entry.rows:
                return None
            frame = self._renamed(read_table_file(path, name), release_id, as_of)
        except (OSError, TableError):
            return None
        if frame is None:
            return None
        keeps_hash = not any(column in contract.columns for column in RUN_COLUMNS)
        return DayTable(frame, stamp.exactness, self.release.release_id, entry.hash if keeps_hash else None)

    def may_differ_in_names(self, name: str, table_hash: str) -> bool:
        """Whether a table with another hash than the former's may hold the same rows, but for the names of the run."""
        entry, contract = self.release.manifest.tables.get(name), TABLES[name]
        named = any(column in contract.columns for column in RUN_COLUMNS)
        return entry is not None and entry.hash != table_hash and named and not contract.unhashed

    def former_hash(self, name: str, frame: pl.DataFrame, release_id: str, as_of: date) -> str | None:
        """The former hash of a table whose rows are the same but for the names of the run; None where they are not.

        What was computed from that table is computed the same from this one: rows pass the names on, if at all, in
        columns of the same names, which `table` gives the names of now.
        """
        same = self.holds_same_rows(name, frame, release_id, as_of)
        return self.release.manifest.tables[name].hash if same else None

    def _renamed(self, frame: pl.DataFrame, release_id: str, as_of: date) -> pl.DataFrame | None:
        """The frame under this day's names; None where a row names another run than the former."""
        former = {"release_id": self.release.release_id, "as_of": self.release.manifest.as_of}
        now = {"release_id": release_id, "as_of": as_of}
        held = [name for name in RUN_COLUMNS if name in frame.columns]
        if any(not (frame[name] == former[name]).all() for name in held):
            return None
        return frame.with_columns(pl.lit(now[name]).alias(name) for name in held)

    def holds_same_values(self, name: str, table_hash: str) -> bool:
        """Whether a table's hash says that all its values are the former day's: nothing of it lies outside the hash."""
        entry = self.release.manifest.tables.get(name)
        return entry is not None and not TABLES[name].unhashed and entry.hash == table_hash

    def holds_same_rows(self, name: str, frame: pl.DataFrame, release_id: str, as_of: date) -> bool:
        """Whether a table of this day differs from the former day's in nothing but the names of the run, if at all.

        Also what lies outside the table hash is compared.

        Args:
            name: the table.
            frame: its rows now.
            release_id, as_of: what they have to name.
        """
        entry, path = self.release.manifest.tables.get(name), self.tables.path(name, self.release.manifest.as_of)
        try:
            if entry is None or file_sha256(path) != entry.file_sha256:
                return False
            former = self._renamed(read_table_file(path, name), release_id, as_of)
        except (OSError, TableError):
            return False
        return former is not None and former.equals(frame, null_equal=True)

    def unchanged(self, folder: Path, manifest: Manifest) -> frozenset[str]:
        """The tables of a release that is being made which hold the same values as in the former one.

        Not looked at are the names of the run, and what lies outside the table hash.

        Args:
            folder: where its Parquet files lie.
            manifest: what it states of them.
        """
        found = set()
        for name, entry in manifest.tables.items():
            former, contract = self.release.manifest.tables.get(name), TABLES[name]
            if former is None:
                continue
            if entry.hash == former.hash:
                found.add(name)
            elif entry.rows == former.rows and any(column in contract.columns for column in RUN_COLUMNS):
                frame = read_table_file(folder / f"{name}.parquet", name)
                if self.holds_same_rows(name, frame, manifest.release_id, manifest.as_of):
                    found.add(name)
        return frozenset(found)

    def passed(self, gate: GateSpec) -> GateResult | None:
        """The former verdict of a gate that passed under the same definition and code; None where it did not.

        What it judged is another question: see `holds_same_rows`.
        """
        entry = next((entry for entry in self.release.manifest.gates if entry.gate == gate.id), None)
        table = self.release.manifest.tables.get(gate.table)
        if entry is None or table is None or entry.verdict != "pass":
            return None
        catalog_sha256 = self.release.manifest.catalog_sha256
        if entry.verdict_key != expected_verdict_key(gate, {gate.table: table.hash}, catalog_sha256, None):
            return None
        validation = self._validation(gate.id)
        if validation is None or validation.get(JUDGED_BY) != self.release.manifest.code_version:
            return None
        kept = {JUDGED_IN: self.release.release_id, **validation}
        return GateResult(
            "pass", entry.figure, entry.threshold, entry.evaluated, entry.failed, entry.detail, validation=kept
        )

    def _validation(self, gate: str) -> dict[str, Json] | None:
        """The validation result that the release keeps of a gate, proved against its manifest."""
        name = f"{VALIDATION_FOLDER}/{gate}.json"
        try:
            data = (self.release.folder / name).read_bytes()
            if sha256_hex(data) != self.release.manifest.files.get(name):
                return None
            value = parse_json(data, name)
        except (OSError, JsonFileError):
            return None
        return value if isinstance(value, dict) else None

    def judged_soundly(self, tables: Iterable[str]) -> bool:
        """Whether gates stood at these tables and none of them ended in an error: a step that crashed leaves such."""
        wanted = set(tables)
        found = [gate.verdict for gate in self.release.manifest.gates if gate.table in wanted]
        return bool(found) and "error" not in found


def former_day(
    releases: ReleaseStore, tables: TableStore, baseline_release_id: str | None, catalog: Catalog, code_version: str
) -> FormerDay | None:
    """The release that a day is compared with, where the same code, packages and catalog made it; else None."""
    if baseline_release_id is None:
        return None
    try:
        release = releases.open(baseline_release_id)
    except ReleaseError:
        return None
    manifest = release.manifest
    made_with = (manifest.catalog_sha256, manifest.methodology_version, manifest.code_version, manifest.packages)
    if made_with != (catalog.sha256, catalog.methodology.version, code_version, package_versions()):
        return None
    return FormerDay(release, tables)
