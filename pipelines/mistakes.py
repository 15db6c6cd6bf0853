"""What an exception means for the person at the command: which exit code, and whether it is a bug of ours.

Belongs here: the one list, for commands and for the steps of a run alike. What is said about an error is its own text.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Final

from pipelines.options import UsageError
from warehouse.exit_codes import ExitCode

_DISK_CODES: Final = frozenset(
    {sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN}
)
"""What SQLite says where a file system refused; the low byte of its extended codes."""


def exit_code(error: BaseException) -> ExitCode:
    """2 for what was asked, the catalog or the machine; 1 for state that is not what was stored; 70 for a bug."""
    from methods.catalog.matching import CatalogConflict
    from methods.components.declared import ComponentError
    from methods.decision.planning import PlanError
    from methods.decision.samples import SampleError
    from methods.judging.columns import JudgmentsError
    from methods.release.ledger import LedgerError
    from methods.rollout.units import RolloutError
    from resources.archives import ArchiveError
    from resources.atomic_files import JsonFileError
    from resources.catalog_problems import CatalogError
    from resources.connectors import ConnectorError
    from resources.contract_files import ContractFileError
    from resources.evidence_store import EvidenceError
    from resources.exchange import ExchangeError
    from resources.freeze import FreezeError
    from resources.guarded_csv import GuardedCsvError
    from resources.home_lock import HomeLockedError
    from resources.list_cells import ListCellError
    from resources.manifest import ReleaseError
    from resources.publication import PublicationRefusedError
    from resources.regression_files import RegressionFileError
    from resources.review_sheet import ReviewSheetError
    from resources.settings import SettingsError
    from resources.site.writing import SiteError
    from resources.snapshot_index import SnapshotError
    from resources.table_files import TableError
    from resources.verdicts import VerdictError

    asked = (UsageError, SettingsError, CatalogError, CatalogConflict, HomeLockedError, ReleaseError, FreezeError)
    brought = (ArchiveError, SiteError, EvidenceError, GuardedCsvError, ReviewSheetError, ExchangeError, ConnectorError)
    samples = (RegressionFileError, RolloutError, ComponentError, ListCellError, JudgmentsError)
    decided = (ContractFileError, SampleError, PlanError)
    if isinstance(error, (*asked, *brought, *samples, *decided)) or is_disk(error):
        return ExitCode.USAGE
    stored = (PublicationRefusedError, SnapshotError, TableError, VerdictError, LedgerError, JsonFileError)
    return ExitCode.GATE if isinstance(error, stored) else ExitCode.BUG


def is_disk(error: BaseException) -> bool:
    """Whether a file system refused: full, read-only, absent, or not ours to write."""
    import duckdb

    if isinstance(error, OSError | duckdb.IOException | duckdb.FatalException):
        return True
    if isinstance(error, duckdb.TransactionException):
        # A commit that the disk refused comes as a failed transaction; only its text tells it from another.
        return "Could not write file" in str(error)
    # Dagster's own storage is SQLite, whose errors come wrapped.
    causes = (error, error.__cause__, getattr(error, "orig", None))
    codes = {one.sqlite_errorcode & 0xFF for one in causes if isinstance(one, sqlite3.Error) and _has_code(one)}
    return bool(codes & _DISK_CODES)


def _has_code(error: sqlite3.Error) -> bool:
    """Whether SQLite itself gave the error; what its Python module raises states no code."""
    return hasattr(error, "sqlite_errorcode")


def refused(error: BaseException) -> str:
    """What an exception says; of a file system that refused, the path that was asked for and why."""
    from resources.atomic_files import target_of

    if not isinstance(error, OSError) or error.strerror is None or not isinstance(error.filename, str):
        return str(error)
    return f"{target_of(Path(error.filename))}: {error.strerror}"


def in_words(error: BaseException, home: Path) -> str:
    """What an exception of a step says, and what to do where the disk refused."""
    if not is_disk(error):
        return str(error)
    return (
        f"{refused(error)}. {home} could not be written: is the disk full, or read-only? "
        "What was published stands unchanged; make room and run again."
    )
