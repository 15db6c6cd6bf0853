"""Verifying an archive of a release as far as its inputs allow, and saying what is missing.

With every input inside, the release is made again whole, as `verify` does at home. Otherwise the chain is made again in
pieces: received rows and results of the leaderboards whose bytes are inside, from those bytes; evidence, scores and
weights of all, from the stored results. Belongs here: those pieces. What counts as equal is `methods.lineage.compare`.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl
from rich.console import Console
from rich.text import Text

from methods.catalog.received import receive
from methods.catalog.results import build_results
from methods.lineage.compare import differing_cells
from methods.scoring.board import build_board
from methods.scoring.evidence import build_evidence
from pipelines.verification import Verification, verify_release
from resources.connectors import ConnectorError, parse
from resources.manifest import Release, file_sha256, release_faults
from resources.release_archive import Contents, read_archive
from resources.release_catalog import release_catalog
from resources.releases import ReleaseStore
from resources.settings import Settings
from resources.snapshots import SnapshotStore
from resources.table_files import TableError
from warehouse.catalog_model import Catalog
from warehouse.hashing import table_hash
from warehouse.received import ReceivedRow
from warehouse.tables import RAW_ROW, TABLES

SCORED = ("core__evidence", "out__dimension_score", "out__category_score", "out__score_weight")
"""Tables that follow from the stored results and the catalog alone."""


@dataclass(frozen=True)
class ArchiveVerification:
    """What came of verifying an archive.

    Attributes:
        contents: what the archive says it holds and withholds.
        whole: the verification of a complete archive; None where inputs are missing.
        proved: what was recomputed and is equal, in sentences.
        faults: what is not as it should be.
        missing: what could not be recomputed for want of bytes.
        withdrawn: why the release had been withdrawn when it was packed; None where it had not.
    """

    contents: Contents
    whole: Verification | None
    proved: tuple[str, ...]
    faults: tuple[str, ...]
    missing: tuple[str, ...]
    withdrawn: str | None = None

    @property
    def holds(self) -> bool:
        """Whether nothing that could be recomputed differs."""
        return not self.faults and (self.whole is None or self.whole.holds)

    def as_json(self) -> dict[str, Any]:
        """The verification as JSON values."""
        return {
            "release_id": self.contents.release_id,
            "holds": self.holds,
            "withdrawn": self.withdrawn,
            "complete": not self.missing,
            "proved": list(self.proved),
            "faults": list(self.faults),
            "missing": list(self.missing),
            "whole": None if self.whole is None else self.whole.as_json(),
        }

    def show(self, out: Console) -> None:
        """Prints the verification for people."""
        for line in self.proved:
            out.print(Text.assemble(("same     ", "green"), line), soft_wrap=True)
        for line in self.faults:
            out.print(Text.assemble(("differs  ", "bold red"), line), soft_wrap=True)
        for line in self.missing:
            out.print(Text.assemble(("missing  ", "yellow"), line), soft_wrap=True)
        if self.whole is not None:
            self.whole.show(out)
        elif self.holds:
            out.print(f"{self.contents.release_id} holds as far as the archive reaches.")
        else:
            out.print(f"{self.contents.release_id} does not hold.")
        if self.whole is None and self.withdrawn is not None:
            out.print(Text(f"It is withdrawn: {self.withdrawn}", "bold red"), soft_wrap=True)


def verify_archive(
    path: Path, *, with_site: bool = True, progress: Callable[[str], None] | None = None
) -> ArchiveVerification:
    """Verify an archive in a folder of its own; nothing of this machine's homes is read or written.

    Raises:
        ArchiveError: for a broken zip.
        ReleaseError: if it is no archive of a release, or its manifest was changed.
    """
    with tempfile.TemporaryDirectory(prefix="scoretrail-archive-") as place:
        folder = Path(place)
        contents, release = read_archive(path, folder)
        withdrawn = ReleaseStore(folder).ledger().withdrawn.get(release.release_id)
        if not contents.withheld:
            settings = Settings.from_env(
                home=folder, catalog_dir=release.catalog_dir, sources_file=release.catalog_dir / "sources.yaml"
            )
            whole = verify_release(settings, release.release_id, with_site=with_site, progress=progress)
            return ArchiveVerification(contents, whole, (), (), (), withdrawn)
        return replace(_in_pieces(contents, release, folder), withdrawn=withdrawn)


def _in_pieces(contents: Contents, release: Release, home: Path) -> ArchiveVerification:
    faults = [fault for fault in release_faults(release) if RAW_ROW.name not in fault]
    missing = [
        f"{item.name}: {item.withheld_because}; its SHA-256 is {item.sha256}, from {item.source_url or 'a user'}"
        for item in contents.withheld
    ]
    rows_path = release.table_path(RAW_ROW.name)
    if file_sha256(rows_path) != (contents.raw_rows_sha256 or release.manifest.tables[RAW_ROW.name].file_sha256):
        faults.append(f"{RAW_ROW.name}: is not the Parquet that archive.json names")
    proved: list[str] = []
    try:
        stored = {name: release.read(name) for name in (RAW_ROW.name, "core__result", *SCORED)}
    except TableError as error:
        return ArchiveVerification(contents, None, (), (*faults, str(error)), tuple(missing))
    catalog = release_catalog(release)
    inside = sorted(item.name for item in contents.boards_inside)
    again = _received(contents, catalog, SnapshotStore(home))
    results = build_results(again, catalog)
    here = pl.col("leaderboard").is_in(inside)
    for name, made in ((RAW_ROW.name, again), ("core__result", results)):
        cells, total = differing_cells(TABLES[name], stored[name].filter(here), made)
        if total:
            faults += [f"{name}: {cell.text}" for cell in cells]
        else:
            proved.append(f"{name}: {made.height:,} rows of {len(inside)} leaderboards, recomputed from their bytes")
    for name, frame in _scored(stored[RAW_ROW.name], stored["core__result"], catalog, release).items():
        expected = release.manifest.tables[name].hash
        if table_hash(frame, TABLES[name]) == expected:
            proved.append(f"{name}: {expected}, recomputed from the stored results")
        elif (
            release.manifest.exactness == "tolerance"
            and not differing_cells(TABLES[name], stored[name], frame, 1e-12)[1]
        ):
            proved.append(f"{name}: equal to 1e-12, recomputed from the stored results")
        else:
            cells, total = differing_cells(TABLES[name], stored[name], frame)
            faults += [f"{name}: {cell.text}" for cell in cells] or [f"{name}: hashes otherwise than the manifest says"]
    boards = sum(item.kind == "snapshot" for item in contents.withheld)
    missing.append(
        f"{contents.raw_rows_left_out:,} rows as received, the results of {boards} leaderboards as a function of their "
        "bytes, and every other table of the release: verify them at home, or with the bytes named above"
    )
    return ArchiveVerification(contents, None, tuple(proved), tuple(faults), tuple(missing))


def _received(contents: Contents, catalog: Catalog, store: SnapshotStore) -> pl.DataFrame:
    """`raw__row` of the leaderboards inside, from their bytes."""
    frames = [RAW_ROW.empty()]
    known = catalog.source_by_id
    for item in contents.boards_inside:
        record = next(record for record in store.records(item.name) if record.sha256 == item.sha256)
        try:
            rows = parse(known[item.name].at(record.synced_at.date()), store.files(record)).rows
        except ConnectorError as error:
            rows = (ReceivedRow(row_locator="snapshot", record=None, problem=str(error)),)
        frames.append(receive(item.name, item.sha256, rows))
    return RAW_ROW.conform(pl.concat(frames))


def _scored(rows: pl.DataFrame, results: pl.DataFrame, catalog: Catalog, release: Release) -> dict[str, pl.DataFrame]:
    """Evidence, scores and weights from the stored results: evidence rests on their values, not on received text."""
    evidence = build_evidence(rows, results, catalog).evidence
    board = build_board(evidence, catalog, release_id=release.release_id, as_of=release.manifest.as_of)
    frames = (evidence, board.dimension_scores, board.category_scores, board.weights)
    return dict(zip(SCORED, frames, strict=True))
