"""The rows that a run's sync has read, so that the same run does not read the same bytes again.

Belongs here: keeping them in the form of `raw__row`, which takes a fraction of the room that rows as objects take, and
giving them to whoever names the same bytes under the same mapping. Nothing outlives the run: another run reads anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import polars as pl

from methods.catalog.received import receive
from resources.connectors import SnapshotFile
from resources.snapshot_index import SnapshotRecord
from resources.snapshots import file_names
from warehouse.catalog_model import SourceSpec
from warehouse.contracts import ContractError
from warehouse.received import ReceivedRow


class _Kept(NamedTuple):
    """What was read: under which mapping, from files of which names, and the rows."""

    source: SourceSpec
    names: tuple[str, ...]
    frame: pl.DataFrame


class ReceivedRows:
    """Rows by leaderboard, the last read of each. Several leaderboards may be kept at once."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], _Kept] = {}

    def keep(
        self, source: SourceSpec, record: SnapshotRecord, files: Sequence[SnapshotFile], rows: Sequence[ReceivedRow]
    ) -> None:
        """Keeps what a snapshot holds.

        Args:
            source: as its mapping read the files (`SourceSpec.at`).
            record: of the snapshot that the files make.
            files: as they were read.
            rows: what they hold.
        """
        try:
            frame = receive(record.leaderboard, record.sha256, rows)
        except ContractError:
            return  # said where the table is made, which then reads the snapshot itself
        names = tuple(file.name for file in files)
        self._kept[record.leaderboard, record.sha256] = _Kept(source, names, frame)

    def take(self, source: SourceSpec, record: SnapshotRecord) -> pl.DataFrame | None:
        """The rows of a snapshot, which are then let go of; None where these files were not read by this mapping."""
        kept = self._kept.pop((record.leaderboard, record.sha256), None)
        if kept is None or kept.names != file_names(record) or kept.source != source:
            return None
        return kept.frame
