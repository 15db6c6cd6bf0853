"""Git as a reader of other people's repositories: the command line, shut in.

Belongs here: how git is called (DESIGN "Safety"): no shell, no configuration but ours, no transport but the one that
is meant, no hooks, helpers, prompts or redirects, a bounded time and size. What is asked of it is `git_source`.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, Literal

MAX_CLONE_BYTES: Final = 2_000_000_000
SECONDS: Final = 300.0
_POLL_SECONDS: Final = 0.5

Transport = Literal["https", "file", "none"]


class GitError(RuntimeError):
    """Git ended with an error: what it said, in one line."""


def run_git(
    arguments: Sequence[str],
    folder: Path,
    *,
    transport: Transport = "none",
    config: Mapping[str, str] | None = None,
    stdin: bytes = b"",
    seconds: float = SECONDS,
    max_bytes: int = MAX_CLONE_BYTES,
) -> bytes:
    """What a git command on a bare repository prints.

    Args:
        arguments: the subcommand and what belongs to it.
        folder: the bare repository.
        transport: the one protocol that may be spoken.
        config: further settings, handed over in the environment so that no process list shows them.
        seconds, max_bytes: bounds of time, and of the repository's size.

    Raises:
        GitError: for an error of git, too much time or too much data.
    """
    program = shutil.which("git")
    if program is None:
        raise GitError("git is not installed, and a source is a git repository")
    command = [program, f"--git-dir={folder}", "--no-replace-objects", "--glob-pathspecs", *arguments]
    with tempfile.TemporaryFile() as asked:
        # A file, not a pipe: nobody has to feed it while the output is read and the bounds are watched.
        asked.write(stdin)
        asked.seek(0)
        process = subprocess.Popen(  # noqa: S603 - a fixed program, no shell, arguments checked by their model
            command,
            stdin=asked,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=_environment(transport, config or {}),
            cwd=folder,
            start_new_session=True,
        )
    with process:
        out, said = _communicate(process, folder, time.monotonic() + seconds, max_bytes)
    if process.returncode != 0:
        raise GitError(_one_line(said) or f"git ended with {process.returncode}")
    return out


def _communicate(
    process: subprocess.Popen[bytes], folder: Path, deadline: float, max_bytes: int
) -> tuple[bytes, bytes]:
    try:
        while True:
            try:
                return process.communicate(timeout=_POLL_SECONDS)
            except subprocess.TimeoutExpired:
                if time.monotonic() > deadline:
                    raise GitError("git did not finish in time") from None
                if _size(folder) > max_bytes:
                    raise GitError(f"the repository holds more than {max_bytes} bytes") from None
    except BaseException:
        # The whole group: git's own children hold the connection.
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        raise


def _environment(transport: Transport, config: Mapping[str, str]) -> dict[str, str]:
    """Everything git hears of the world: nothing of the user's configuration, credentials or proxies."""
    settings = {
        "protocol.allow": "never",
        **({} if transport == "none" else {f"protocol.{transport}.allow": "always"}),
        "core.hooksPath": os.devnull,
        "core.fsmonitor": "false",
        "core.attributesFile": os.devnull,
        "credential.helper": "",
        "fetch.fsckObjects": "true",
        "fetch.recurseSubmodules": "false",
        "submodule.recurse": "false",
        "gc.auto": "0",
        "maintenance.auto": "false",
        "http.followRedirects": "false",
        "http.lowSpeedLimit": "1000",
        "http.lowSpeedTime": "30",
        "log.showSignature": "false",
        **config,
    }
    pairs = {f"GIT_CONFIG_KEY_{n}": key for n, key in enumerate(settings)}
    pairs |= {f"GIT_CONFIG_VALUE_{n}": value for n, value in enumerate(settings.values())}
    return {
        "PATH": os.defpath,
        "HOME": os.devnull,
        "LC_ALL": "C",
        "TZ": "UTC",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_SYSTEM": os.devnull,
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "",
        "GIT_ALLOW_PROTOCOL": "" if transport == "none" else transport,
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_CONFIG_COUNT": str(len(settings)),
        **pairs,
    }


def _size(folder: Path) -> int:
    found = 0
    for path in folder.rglob("*"):
        try:
            found += path.lstat().st_size
        except FileNotFoundError:
            continue
    return found


def _one_line(said: bytes) -> str:
    lines = [line.strip() for line in said.decode("utf-8", "replace").splitlines() if line.strip()]
    return "; ".join(line.removeprefix("fatal: ") for line in lines)[:300]
