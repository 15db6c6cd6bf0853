"""Older versions of a source, each with the moment it was current: from `history/` folders of a mirror, or from git.

Belongs here: finding them and reading one. Keeping it as a sync of its day is `sync.replay`; making the releases of
those days is `pipelines.backfill_command`.

A mirror keeps older versions of what lies in a folder beside it, in `history/<date>_<name>/`; a date may lack its day,
or its month and day, and then means the last day that it may mean: never earlier than the truth.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Final

from resources.connectors import CONNECTORS
from resources.git_source import GitSource
from resources.reading import Read, read_files, read_git
from resources.settings import Settings
from resources.snapshots import end_of
from warehouse.catalog_model import SourceSpec

FOLDER: Final = "history"
_DATED: Final = re.compile(r"(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?(?:[_-].*)?")


@dataclass(frozen=True, slots=True)
class PastVersion:
    """What a source held at a moment of the past.

    Attributes:
        moment: when it was current (UTC): the end of the folder's day, or the time of the commit.
        folder, location: where its files are; None for a version in git.
        shown: the address that its snapshot states.
    """

    source: SourceSpec
    moment: datetime
    folder: Path | None
    location: str
    shown: str

    @property
    def day(self) -> date:
        """The day (UTC) it belongs to."""
        return self.moment.date()

    def read(self, settings: Settings, max_bytes: int) -> Read | None:
        """Its files; None where they are not there after all.

        Raises:
            PathError, FetchError, GitError: if they cannot be read.
        """
        if self.folder is None:
            return read_git(GitSource(self.source, settings), end_of(self.day), max_bytes)
        found = read_files(self.location, self.folder, (self.folder,), self.shown, max_bytes)
        return Read(found.files, found.is_many, found.source_url, "asserted", self.moment)


def folder_versions(source: SourceSpec, mirror: Path) -> Iterator[PastVersion]:
    """The older versions of a source that a mirror holds, oldest first; at the `path` that it had on their day."""
    found = []
    for day, folder, rest in _dated_folders(source, mirror):
        if _holds(folder, rest, source.at(day)):
            place = folder.relative_to(mirror).as_posix()
            moment = datetime.combine(day, time(23, 59, 59), UTC)
            found.append(PastVersion(source, moment, folder, rest or ".", f"{FOLDER}:{place}/{rest}".rstrip("/")))
    yield from sorted(found, key=lambda version: version.moment)


def unread_folders(source: SourceSpec, mirror: Path) -> list[tuple[date, Path]]:
    """The dated folders beside a source's files that hold none of them, oldest first: another source may read them."""
    folders = _dated_folders(source, mirror)
    return sorted({(day, folder) for day, folder, rest in folders if not _holds(folder, rest, source.at(day))})


def _dated_folders(source: SourceSpec, mirror: Path) -> Iterator[tuple[date, Path, str]]:
    """(day, folder, place in it) of every dated folder beside the `path` that the source had on that day."""
    for path in dict.fromkeys((source.path, *(source.under(layout).path for layout in source.former))):
        parts = () if path is None else Path(path).parts
        for n in range(1, len(parts) + 1):
            history = mirror.joinpath(*parts[:n]) / FOLDER
            for folder in sorted(history.iterdir()) if history.is_dir() else ():
                day = dated(folder.name)
                if day is not None and source.at(day).path == path:
                    yield day, folder, "/".join(parts[n:])


def git_versions(source: SourceSpec, settings: Settings) -> Iterator[PastVersion]:
    """The last version of each day on which a repository changed the source's files, oldest first.

    The repository must be at hand (`reading.update_git`).

    Raises:
        GitError: if the copy in the home is damaged.
    """
    last = {commit.at.date(): commit for commit in GitSource(source, settings).commits()}
    for commit in last.values():
        yield PastVersion(source, commit.at, None, "", "")


def dated(name: str) -> date | None:
    """The day that a folder's name begins with; None where it begins with none."""
    match = _DATED.fullmatch(name)
    if match is None:
        return None
    year, month, day = (None if part is None else int(part) for part in match.groups())
    assert year is not None
    try:
        if month is None:
            return date(year, 12, 31)
        return date(year, month, monthrange(year, month)[1] if day is None else day)
    except ValueError:
        return None


def _holds(folder: Path, rest: str, source: SourceSpec) -> bool:
    """Whether a version's folder holds files that the source's path names and its options do not ignore."""
    if any(character in rest for character in "*?["):
        connector = CONNECTORS[source.connector]
        return any(not connector.ignores(source, found.name) for found in folder.glob(rest))
    return (folder / rest).exists()


def before_today(versions: Iterator[PastVersion], today: date) -> Iterator[PastVersion]:
    """The versions of days that are over: today is the night's own."""
    return (version for version in versions if version.day <= today - timedelta(days=1))
