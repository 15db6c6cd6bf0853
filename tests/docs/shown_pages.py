"""The pages a reader sees, their fenced blocks, and a reader's folder in which what they show is carried out.

Belongs here: finding blocks and carrying out one of them. Does not belong here: which pages there are tests for.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path

import duckdb
import pytest

from pipelines import command
from resources.releases import ReleaseStore

CHECKOUT = Path(__file__).resolve().parent.parent.parent
PAGES = ("README.md", "CONTRIBUTING.md", *sorted(f"docs/{page.name}" for page in (CHECKOUT / "docs").glob("*.md")))
ELSEWHERE = {
    "make demo": "tests/docs/test_makefile.py",
    "make test": ".ci/run",
    "scoretrail ui": "tests/pipelines/test_ui.py",
    "scoretrail review serve": "tests/resources/test_review_server.py",
    "python -m pytest": "tests/docs/test_commands.py",
    ". .venv/bin/activate": "tests/docs/test_makefile.py",
}
"""Shown commands that are not carried out here, since they do not end or would install: where each is covered."""

RELEASE_ID = re.compile(r"\d{4}-\d{2}-\d{2}-[0-9a-f]{12}")
_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_ENDS = re.compile(r"\s+# ends with (\d+)$")


@dataclass(frozen=True)
class Block:
    """A fenced block: its page, first line, language, text, and the paragraph above it."""

    page: str
    line: int
    language: str
    text: str
    above: str

    @property
    def place(self) -> str:
        return f"{self.page}:{self.line}"

    @property
    def commands(self) -> list[str]:
        """The shell commands of a console block (after `$ `) or an sh block (every line)."""
        lines = self.text.splitlines()
        if self.language == "console":
            return [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
        return [line for line in lines if line.strip()] if self.language == "sh" else []


def blocks(page: str) -> list[Block]:
    """The fenced blocks of a page, in order."""
    text = (CHECKOUT / page).read_text(encoding="utf-8")
    found = []
    for match in _FENCE.finditer(text):
        before = text[: match.start()].rstrip()
        found.append(
            Block(page, text.count("\n", 0, match.start()) + 2, match[1], match[2], before.rpartition("\n\n")[2])
        )
    return found


@dataclass
class Reader:
    """Somebody who follows a page: a folder that looks like the checkout after `make demo`, and an environment.

    `verified` is shared by all readers: a release of the demonstration that one has verified is not verified again.
    """

    folder: Path
    environment: dict[str, str] = field(default_factory=dict)
    printed: list[str] = field(default_factory=list)
    verified: set[str] = field(default_factory=set)

    @property
    def home(self) -> Path:
        return self.folder / self.environment["SCORETRAIL_HOME"]

    def carry_out(self, block: Block) -> None:
        """Does what a block shows; an assertion names its place where that does not work."""
        with self._as_reader():
            for shown in block.commands:
                self._command(shown, block.place)
            if block.language == "sql":
                self._sql(block)
            elif block.language == "python":
                exec(compile(block.text, block.place, "exec"), {"__name__": "shown"})

    @contextmanager
    def _as_reader(self) -> Iterator[None]:
        """In the reader's folder, with the reader's environment; afterwards as before."""
        before = dict(os.environ)
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(self.folder)
            os.environ.update(self.environment)
            try:
                yield
            finally:
                os.environ.clear()
                os.environ.update(before)

    def _command(self, shown: str, place: str) -> None:
        if any(shown.startswith(name) for name in ELSEWHERE):
            return
        expected = int(match[1]) if (match := _ENDS.search(shown)) else 0
        line = _ENDS.sub("", shown)
        words = shlex.split(line)
        if words[0] == "export":
            stated = dict(word.split("=", 1) for word in words[1:])
            self.environment |= stated
            os.environ.update(stated)
            return
        code, said = self._scoretrail(words[1:]) if _is_plain(line) else self._shell(line, words[0])
        assert code == expected, f"{place}: {shown}\nended with {code}, not {expected}:\n{said}"

    def _scoretrail(self, arguments: list[str]) -> tuple[int, str]:
        current = ReleaseStore(self.home).current()
        known = current.release_id if current else ""
        if arguments == ["verify", "current"]:
            if known in self.verified:
                return 0, ""
            self.verified.add(known)
        if {"RELEASE", "FORMER"} & set(arguments):
            meant = {
                "RELEASE": known,
                "FORMER": min(path.parent.name for path in self.home.glob("releases/*/manifest.json")),
            }
            arguments = [meant.get(word, word) for word in arguments]
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            code = command.run(arguments)
        self.printed.append(out.getvalue())
        return int(code), out.getvalue() + err.getvalue()

    def _shell(self, line: str, program: str) -> tuple[int, str]:
        search = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
        if shutil.which(program, path=search) is None:
            pytest.skip(f"{program} is not installed here")
        ran = subprocess.run(
            ["bash", "-c", line], env={**os.environ, "PATH": search}, capture_output=True, text=True, check=False
        )
        self.printed.append(ran.stdout)
        return ran.returncode, ran.stdout + ran.stderr

    def _sql(self, block: Block) -> None:
        with duckdb.connect(str(self.home / "scoretrail.duckdb"), read_only=True) as release:
            answer = release.execute(block.text)
            names = [column[0] for column in answer.description or ()]
            rows = answer.fetchall()
        assert rows, f"{block.place}: the query finds nothing"
        if "holds" in names:
            assert all(row[names.index("holds")] is True for row in rows), f"{block.place}: does not hold"
        self.printed.append("\n".join(_spoken(row) for row in rows))


def _is_plain(line: str) -> bool:
    """Whether a line is one call of the command, without a pipe or redirection: then it runs in this process."""
    return line.startswith("scoretrail ") and not re.search(r"[|<>;&]", line)


def _spoken(row: tuple[object, ...]) -> str:
    return "  ".join(str(cell) for cell in row if cell is not None)
