"""The Parquet tables of a home: one file a table and day.

Belongs here: where they lie and which days there are. One file, its stamp and its proof are `resources.table_files`.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from pathlib import Path

import polars as pl

from resources.atomic_files import days_named
from resources.table_files import (
    TableTamperedError,
    contract_of,
    file_table_hash,
    read_stamp_file,
    read_table_file,
    verify_table_file,
    write_conformed_file,
)
from warehouse.hashing import conformed_hash
from warehouse.stamps import TableStamp
from warehouse.vocabulary import Exactness


class TableStore:
    """The Parquet tables of one home: `tables/<table>/<as_of>.parquet`."""

    def __init__(self, home: Path) -> None:
        self.root = Path(home) / "tables"

    def path(self, name: str, as_of: date) -> Path:
        """Where the table of a day lies (TableError for a name that is no table)."""
        return self.root / contract_of(name).name / f"{as_of.isoformat()}.parquet"

    def write(
        self,
        name: str,
        as_of: date,
        frame: pl.DataFrame,
        *,
        inputs: Mapping[str, str],
        catalog_sha256: str,
        methodology_version: str,
        code_version: str,
        release_id: str | None = None,
        exactness: Exactness = "hash",
        proved_hash: str | None = None,
    ) -> TableStamp:
        """Write the table of a day, replacing what stood there, and return its stamp.

        Args:
            name, as_of: which.
            frame: its rows.
            inputs, catalog_sha256, methodology_version, code_version, release_id, exactness: as the stamp states them.
            proved_hash: the table hash of a frame that was read from a proved file, under its contract; it is not
                computed again. None to compute it.

        Raises:
            ContractError: if the frame breaks its contract; nothing is written.
            OSError: if the disk refuses; the old file is untouched.
        """
        contract = contract_of(name)
        table = contract.conform(frame) if proved_hash is None else frame
        stamp = TableStamp(
            table=name,
            as_of=as_of,
            table_hash=conformed_hash(table, contract) if proved_hash is None else proved_hash,
            rows=table.height,
            inputs=dict(inputs),
            catalog_sha256=catalog_sha256,
            methodology_version=methodology_version,
            code_version=code_version,
            release_id=release_id,
            exactness=exactness,
        )
        write_conformed_file(self.path(name, as_of), table, stamp, contract)
        return stamp

    def read(self, name: str, as_of: date) -> pl.DataFrame:
        """The table of a day in key order (errors as `read_table_file`)."""
        return read_table_file(self.path(name, as_of), name)

    def stamp(self, name: str, as_of: date) -> TableStamp:
        """The stamp of the table of a day (errors as `read_stamp_file`)."""
        return read_stamp_file(self.path(name, as_of))

    def exists(self, name: str, as_of: date) -> bool:
        """Whether the table was made for this day."""
        return self.path(name, as_of).is_file()

    def days(self, name: str) -> list[date]:
        """The days the table was made for, earliest first."""
        found = (self.root / contract_of(name).name).glob("*.parquet")
        return days_named(path.stem for path in found)

    def actual_hash(self, name: str, as_of: date) -> str:
        """The table hash of the values the file holds now (errors as `read_table_file`)."""
        return file_table_hash(self.path(name, as_of), name)

    def verify(self, name: str, as_of: date) -> TableStamp:
        """The stamp, after proving that the file holds what it says (errors as `verify_table_file`)."""
        path = self.path(name, as_of)
        stamp = verify_table_file(path, name)
        if stamp.as_of != as_of:
            raise TableTamperedError(f"{path}: is stamped for {stamp.as_of}, not {as_of}")
        return stamp

    def stale_days(self, name: str, *, catalog_sha256: str, methodology_version: str, code_version: str) -> list[date]:
        """The days whose table was computed with another catalog, methodology or code, earliest first."""
        wanted = (catalog_sha256, methodology_version, code_version)
        stamps = [self.stamp(name, day) for day in self.days(name)]
        return [
            stamp.as_of
            for stamp in stamps
            if (stamp.catalog_sha256, stamp.methodology_version, stamp.code_version) != wanted
        ]
