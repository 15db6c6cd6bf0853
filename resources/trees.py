"""Many files of one server as one source: complete and of one state, or not at all (A51).

Belongs here: which files there are, fetching those that are new, going on where an interrupted night stopped, and
noticing that something changed between the first file and the last. Keeping the whole is `snapshots`.

What was fetched of a tree that is not whole yet lies in `trees/<leaderboard>/` of the home: bytes under their own hash
and a log that says which file they are. A name stands for the same file only below the same address.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from resources.atomic_files import (
    JsonFileError,
    append_json_line,
    parse_json,
    read_json_lines,
    write_bytes,
    write_json_lines,
)
from resources.connectors.files import SnapshotFile
from resources.connectors.table.tree_paths import TreePathError, find_rows, parse_path
from resources.http import Fetched, FetchError, Validators
from resources.network import Network
from resources.paths import MAX_FILES
from warehouse.catalog_model import SourceSpec
from warehouse.source_model import is_inside_path

ROUNDS: Final = 2
"""A tree that changed while it was read is read once more; if it changes again, another night must do."""


@dataclass(frozen=True, slots=True)
class Tree:
    """A whole tree.

    Attributes:
        files: sorted by name. version: what pins them, where the index says so.
        is_unchanged: whether the server confirmed every file as the kept one.
    """

    files: tuple[SnapshotFile, ...]
    version: str | None
    is_unchanged: bool


@dataclass(frozen=True, slots=True)
class _Listing:
    """The names of a tree, the address they lie below, and its version."""

    names: tuple[str, ...]
    base: str
    version: str | None
    is_pinned: bool


class TreeReader:
    """Reads the tree of one source.

    Args:
        spec: the source; `spec.tree` says how its files are found.
        home: where an interrupted tree is kept.
        network: politeness and persistence.
        secret: its credential.
        kept: the files of the snapshot in force, which a server may confirm.
        max_bytes: limit for the sum of all files.
    """

    def __init__(
        self,
        spec: SourceSpec,
        home: Path,
        network: Network,
        secret: str | None,
        kept: Iterable[SnapshotFile],
        max_bytes: int,
    ) -> None:
        self.spec = spec
        self.network = network
        self.secret = secret
        self.max_bytes = max_bytes
        self.folder = home / "trees" / spec.id
        self.log = self.folder / "log.jsonl"
        self.known: dict[str, bytes] = {_sha256(file.data): file.data for file in kept}
        self.fetched = 0
        self.urls: set[str] = set()

    def read(self) -> Tree:
        """The whole tree, of one state.

        Raises:
            FetchError: if any file is missing, or the tree changed while it was read, twice; what was fetched is kept
                for the next attempt, and is no snapshot.
        """
        for _ in range(ROUNDS):
            listing = self._listing()
            before, self.fetched = self._logged(), 0
            self.urls = {_url(listing, name) for name in listing.names}
            files = tuple(SnapshotFile(name, self._file(listing, name, before)) for name in listing.names)
            if sum(len(file.data) for file in files) > self.max_bytes:
                raise FetchError(f"{self.spec.id}: the files of the tree hold more than {self.max_bytes} bytes")
            if self.fetched == 0:
                return Tree(files, listing.version, True)
            if listing.is_pinned or self._still_stands(listing, files):
                return Tree(files, listing.version, False)
        raise FetchError(
            f"{self.spec.url}: files changed while they were read, {ROUNDS} times over; the next night tries again",
            is_transient=True,
        )

    def finish(self) -> None:
        """Clears the bytes of a tree that is now a snapshot; what the server said of its files stays."""
        log = self._logged()
        write_json_lines(self.log, [log[url] for url in sorted(self.urls) if url in log])
        for path in self.folder.glob("*.part"):
            path.unlink(missing_ok=True)

    def _listing(self) -> _Listing:
        tree = self.spec.tree
        assert tree is not None
        if tree.index is None:
            return _Listing(tuple(sorted(tree.files)), self.spec.url, None, False)
        assert tree.names is not None
        got = self._ask(tree.index)
        assert got.data is not None
        try:
            document = parse_json(got.data, tree.index)
            names = _names(document, tree.names, tree.pattern)
            version = None if tree.version is None else _one_text(document, tree.version)
        except (JsonFileError, TreePathError) as error:
            raise FetchError(f"the index of {self.spec.id} has another shape: {error}") from error
        if isinstance(document, dict) and document.get("truncated") is True:
            raise FetchError(f"{tree.index}: the listing says that it is not whole")
        if not names:
            raise FetchError(f"{tree.index}: lists no file that counts")
        if len(names) > MAX_FILES:
            raise FetchError(f"{tree.index}: lists {len(names)} files; at most {MAX_FILES} are read")
        is_pinned = "{version}" in self.spec.url and version is not None
        base = self.spec.url.replace("{version}", quote(version, safe="")) if version else self.spec.url
        return _Listing(names, base, version, is_pinned)

    def _still_stands(self, listing: _Listing, files: tuple[SnapshotFile, ...]) -> bool:
        """Whether the tree is as it was when its first file was read."""
        if listing.version is not None:
            return self._listing() == listing
        log = self._logged()
        for file in files:
            url = _url(listing, file.name)
            entry = log.get(url, {})
            got = self._ask(url, Validators(entry.get("etag"), entry.get("last_modified")))
            if got.data is not None and got.data != file.data:
                self._note(url, got.data, got.validators)
                return False
        return True

    def _file(self, listing: _Listing, name: str, log: Mapping[str, Mapping[str, Any]]) -> bytes:
        url = _url(listing, name)
        entry = log.get(url, {})
        data = self._bytes(str(entry.get("sha256", "")))
        if data is not None and listing.is_pinned:
            return data
        known = Validators() if data is None else Validators(entry.get("etag"), entry.get("last_modified"))
        got = self._ask(url, known)
        if got.data is None:
            assert data is not None
            return data
        if data is None or got.data != data:
            self.fetched += 1
        self._note(url, got.data, got.validators)
        return got.data

    def _ask(self, url: str, known: Validators | None = None) -> Fetched:
        return self.network.fetch(
            url, allow_private=self.spec.allow_private, secret=self.secret, known=known or Validators()
        )

    def _note(self, url: str, data: bytes, validators: Validators) -> None:
        """Keeps a fetched file, so that an interrupted tree goes on from it."""
        sha256 = _sha256(data)
        if sha256 not in self.known:
            write_bytes(self.folder / f"{sha256}.part", data)
        said = {"url": url, "sha256": sha256, "etag": validators.etag, "last_modified": validators.last_modified}
        append_json_line(self.log, {key: value for key, value in said.items() if value is not None})

    def _logged(self) -> dict[str, dict[str, Any]]:
        """The last line of each address; a damaged log costs downloads, nothing else."""
        try:
            return {entry["url"]: entry for entry in read_json_lines(self.log)}
        except (JsonFileError, KeyError, TypeError):
            self.log.unlink(missing_ok=True)
            return {}

    def _bytes(self, sha256: str) -> bytes | None:
        """Bytes at hand under their hash: of the kept snapshot, or of an interrupted tree."""
        if sha256 in self.known:
            return self.known[sha256]
        path = self.folder / f"{sha256}.part"
        if not sha256 or not path.is_file():
            return None
        data = path.read_bytes()
        return data if _sha256(data) == sha256 else None


def _names(document: Any, path: str, pattern: str | None) -> tuple[str, ...]:
    """The names an index lists, sorted; one that could lead elsewhere is refused.

    Raises:
        FetchError: for such a name. TreePathError: if the path leads nowhere.
    """
    wanted = re.compile(pattern) if pattern is not None else None
    names = set()
    for row in find_rows(document, parse_path(path)):
        if not isinstance(row.value, str):
            continue
        match = wanted.fullmatch(row.value) if wanted is not None else None
        if wanted is not None and match is None:
            continue
        name = match[1] if match is not None and match.re.groups else row.value
        if not is_inside_path(name):
            raise FetchError(f"the index names {name[:80]!r}, which may not be read: only names below the source's url")
        names.add(name)
    return tuple(sorted(names))


def _one_text(document: Any, path: str) -> str:
    found = [row.value for row in find_rows(document, parse_path(path))]
    if len(found) != 1 or not isinstance(found[0], str) or not found[0]:
        raise TreePathError(f"{path!r} must lead to one text, the version")
    return found[0]


def _url(listing: _Listing, name: str) -> str:
    return listing.base + quote(name, safe="/")


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
