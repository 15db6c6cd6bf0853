"""What a source was read to hold, before anything of it is judged: from a file, a mirror, the network or git.

Belongs here: which of these a source is, and the one shape they end in. What is kept of it is `sync`; retries and
politeness are `network`; a tree of many downloads is `trees`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from resources.addresses import without_query
from resources.connectors.files import SnapshotFile
from resources.git_source import GitSource
from resources.hosts import host_of
from resources.http import Validators
from resources.network import Network
from resources.paths import read_local
from resources.settings import Settings
from resources.snapshot_index import TimeBasis
from warehouse.catalog_model import SourceSpec


@dataclass(frozen=True, slots=True)
class Read:
    """What was read.

    Attributes:
        files: sorted by name. is_many: whether the source is a folder, glob or tree, even of one file.
        source_url: where from, without query and credentials.
        basis: what its known-time rests on. file_time: that time, where it is not the moment of the download.
        validators: what the server gave with a single file.
    """

    files: tuple[SnapshotFile, ...]
    is_many: bool
    source_url: str
    basis: TimeBasis
    file_time: datetime | None = None
    validators: Validators = field(default_factory=Validators)


def read_files(location: str, base: Path, roots: Sequence[Path], shown: str, max_bytes: int) -> Read:
    """A file, folder or glob of this machine.

    Raises:
        PathError: if it may not or cannot be read.
    """
    found = read_local(location, base, roots, max_bytes=max_bytes)
    return Read(found.files, found.is_many, without_query(shown), "file", found.modified_at)


def update_git(spec: SourceSpec, settings: Settings, network: Network, secret: str | None) -> GitSource:
    """The repository of a source, fetched now.

    Raises:
        FetchError, AddressError, PathError: if it cannot or may not be fetched.
    """
    source = GitSource(spec, settings)
    network.persist(host_of(spec.url) or str(source.copy), lambda: source.update(secret))
    return source


def read_git(source: GitSource, end: datetime, max_bytes: int) -> Read | None:
    """What a repository held just before a moment; None where that was before its first commit.

    Raises:
        FetchError: if the place held no file then, or too much.
        GitError: if the copy in the home is damaged.
    """
    commit = source.commit_before(end)
    if commit is None:
        return None
    files, is_many = source.files(commit, max_bytes)
    assert source.spec.git is not None
    shown = f"{without_query(source.spec.url)}@{commit.id[:12]}:{source.spec.git.path}"
    return Read(files, is_many, shown, "asserted", commit.at, Validators(etag=commit.id))
