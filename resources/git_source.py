"""A git repository as a source: the files of one place, as they stood at a moment, and every moment they changed.

Belongs here: keeping a bare copy of the repository in the home, finding the commit that was current, reading its files.
How git is called is `git_commands`. The time of a commit is what the repository asserts.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Final
from urllib.parse import unquote, urlsplit

import httpcore

from resources.addresses import check_network, without_query
from resources.connectors.files import SnapshotFile
from resources.git_commands import GitError, Transport, run_git
from resources.http import FetchError
from resources.paths import MAX_FILES, inside
from resources.public_network import PrivateAddressError, public_addresses
from resources.settings import Settings
from warehouse.catalog_model import SourceSpec

_GLOB: Final = frozenset("*?[")
_FILE_MODES: Final = frozenset({"100644", "100755"})
_TRANSIENT: Final = re.compile(
    r"could not resolve|no address for|timed? ?out|in time|connection|early eof|rpc failed|reset|hung up"
    r"|error: (408|429|5\d\d)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit that changed what a source reads: its id, and when it was made (UTC)."""

    id: str
    at: datetime


@dataclass(frozen=True, slots=True)
class GitSource:
    """The repository of a source, and its copy in the home.

    Args:
        spec: the source; `spec.git` says the place.
        settings: home, allowed folders, secrets.
    """

    spec: SourceSpec
    settings: Settings

    @property
    def transport(self) -> Transport:
        """The protocol of the address."""
        return "file" if self.spec.url.startswith("git+file:") else "https"

    @property
    def copy(self) -> Path:
        """The bare copy: one an address, shared by sources that read the same repository."""
        return self.settings.home / "git" / f"{hashlib.sha256(self.spec.url.encode()).hexdigest()[:16]}.git"

    @property
    def _ref(self) -> str:
        assert self.spec.git is not None
        return f"refs/scoretrail/{hashlib.sha256(self.spec.git.ref.encode()).hexdigest()[:16]}"

    @property
    def _path(self) -> str:
        assert self.spec.git is not None
        return self.spec.git.path.rstrip("/")

    def is_at_hand(self) -> bool:
        """Whether the branch was ever fetched."""
        if not (self.copy / "HEAD").is_file():
            return False
        try:
            run_git(["rev-parse", "--verify", "--quiet", "--end-of-options", f"{self._ref}^{{commit}}"], self.copy)
        except GitError:
            return False
        return True

    def update(self, secret: str | None = None) -> None:
        """Brings the copy up to date with the branch.

        Raises:
            FetchError: if it cannot be fetched; transient where another attempt may succeed.
            AddressError, PathError: if the address may not be read.
        """
        assert self.spec.git is not None
        address = self._address()
        config = self._config(secret)
        if not (self.copy / "HEAD").is_file():
            self.copy.mkdir(parents=True, exist_ok=True)
            run_git(["init", "--quiet", "--bare", "--template=", str(self.copy)], self.copy)
        fetch = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance", "--force"]
        try:
            run_git(
                [*fetch, "--", address, f"+{self.spec.git.ref}:{self._ref}"],
                self.copy,
                transport=self.transport,
                config=config,
            )
        except GitError as error:
            is_transient = _TRANSIENT.search(str(error)) is not None
            raise FetchError(f"{without_query(self.spec.url)}: git: {error}", is_transient=is_transient) from error

    def _address(self) -> str:
        address = self.spec.url.removeprefix("git+")
        if self.transport == "https":
            check_network(urlsplit(address), allow_plain=False)
            return address
        folder = inside(Path(unquote(urlsplit(address).path)), self.settings.roots, address)
        return folder.as_uri()

    def _config(self, secret: str | None) -> dict[str, str]:
        """Settings of one fetch: the address that the name was found to lead to, and the credential, bound to it."""
        if self.transport != "https":
            return {}
        parts = urlsplit(self.spec.url.removeprefix("git+"))
        host, port = parts.hostname or "", parts.port or 443
        config = {}
        if not self.spec.allow_private:
            try:
                addresses = public_addresses(host, port)
            except httpcore.ConnectError as error:
                is_private = isinstance(error, PrivateAddressError)
                raise FetchError(f"{without_query(self.spec.url)}: {error}", is_transient=not is_private) from error
            # Judged once and then held fast: a name that changes between check and use gains nothing.
            bracketed = [f"[{address}]" if ":" in address else address for address in addresses]
            config["http.curloptResolve"] = f"{host}:{port}:{','.join(bracketed)}"
        if secret is not None:
            word = base64.b64encode(f"x-access-token:{secret}".encode()).decode()
            config[f"http.https://{parts.netloc}/.extraHeader"] = f"Authorization: Basic {word}"
        return config

    def commit_before(self, moment: datetime) -> Commit | None:
        """The commit whose files stood just before a moment: the last that changed them; None before the first."""
        last = datetime.fromtimestamp(moment.timestamp() - 1, UTC)
        found = self._log("--max-count=1", f"--before={last:%Y-%m-%dT%H:%M:%SZ}")
        return next(found, None)

    def commits(self) -> list[Commit]:
        """Every commit that changed the files, oldest first."""
        return sorted(self._log(), key=lambda commit: commit.at)

    def _log(self, *options: str) -> Iterator[Commit]:
        command = ["log", "--first-parent", "--format=%H %ct", *options, "--end-of-options", self._ref, "--"]
        pathspecs = [self._path] if _GLOB & set(self._path) else [self._path, f"{self._path}/**"]
        for line in run_git([*command, *pathspecs], self.copy).decode().splitlines():
            name, _, seconds = line.partition(" ")
            yield Commit(name, datetime.fromtimestamp(int(seconds), UTC))

    def files(self, commit: Commit, max_bytes: int) -> tuple[tuple[SnapshotFile, ...], bool]:
        """The files of the place at a commit, sorted by name, and whether the place is a folder or glob.

        Raises:
            FetchError: if there is none, or more than `MAX_FILES` or `max_bytes`.
        """
        listed = list(self._listed(commit))
        exact = [entry for entry in listed if entry[0] == self._path]
        if exact:
            found, base, is_many = exact, PurePosixPath(self._path).parent, False
        else:
            base, pattern = _split(self._path)
            found, is_many = [entry for entry in listed if pattern.fullmatch(entry[0])], True
        shown = f"{without_query(self.spec.url)} at {commit.id[:12]}"
        if not found:
            raise FetchError(f"{shown}: no file at {self._path}")
        if len(found) > MAX_FILES or sum(size for _, _, size in found) > max_bytes:
            raise FetchError(f"{shown}: more than {MAX_FILES} files or {max_bytes} bytes at {self._path}")
        bodies = self._bodies([name for _, name, _ in found])
        named = zip(found, bodies, strict=True)
        files = (SnapshotFile(PurePosixPath(path).relative_to(base).as_posix(), data) for (path, _, _), data in named)
        return tuple(sorted(files, key=lambda file: file.name)), is_many

    def _listed(self, commit: Commit) -> Iterator[tuple[str, str, int]]:
        """(path, blob, bytes) of every regular file of a commit; links and submodules lead elsewhere and are none."""
        listing = run_git(["ls-tree", "-r", "-z", "--long", "--full-tree", "--end-of-options", commit.id], self.copy)
        for entry in listing.split(b"\0"):
            head, tab, path = entry.partition(b"\t")
            if not tab:
                continue
            mode, _kind, blob, size = head.decode().split()
            if mode in _FILE_MODES:
                yield path.decode("utf-8", "replace"), blob, int(size)

    def _bodies(self, blobs: list[str]) -> Iterator[bytes]:
        asked = "".join(f"{blob}\n" for blob in blobs).encode()
        rest = memoryview(run_git(["cat-file", "--batch"], self.copy, stdin=asked))
        for _ in blobs:
            head = bytes(rest[:128]).partition(b"\n")[0]
            size = int(head.split()[2])
            start = len(head) + 1
            yield bytes(rest[start : start + size])
            rest = rest[start + size + 1 :]


def _split(path: str) -> tuple[PurePosixPath, re.Pattern[str]]:
    """The folder that names start at, and which paths count: those below a folder, or those a glob finds."""
    parts = path.split("/")
    first = next((n for n, part in enumerate(parts) if _GLOB & set(part)), None)
    if first is None:
        # As with a local folder, what is hidden does not count.
        return PurePosixPath(path), re.compile(rf"{re.escape(path)}(/(?!\.)[^/]+)+")
    return PurePosixPath(*parts[:first]), re.compile("".join(_translated(parts)))


def _translated(parts: list[str]) -> Iterator[str]:
    for n, part in enumerate(parts):
        is_last = n == len(parts) - 1
        if part == "**":
            yield r"(?:[^/]+/)*" + (r"[^/]+" if is_last else "")
            continue
        for piece in re.findall(r"\*|\?|\[!?\]?[^\]]*\]|.", part):
            if piece in {"*", "?"}:
                yield "[^/]*" if piece == "*" else "[^/]"
            elif piece.startswith("[") and len(piece) > 2:
                body = piece[1:-1].replace("\\", "\\\\")
                yield f"[{'^/' + body[1:] if body.startswith('!') else body}]"
            else:
                yield re.escape(piece)
        if not is_last:
            yield "/"
