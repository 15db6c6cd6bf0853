"""What the repository may not hold: paths of one machine, addresses of package registries, work left for later."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest
from shown_pages import CHECKOUT

# Each is put together from parts, so that this file does not hold it.
PLACES = ["/" + "work/", "/" + "tmp/w", "/" + "root/", "/" + "farm/", "/" + "Users/", "C:" + "\\Users"]
REGISTRIES = [
    "pypi" + ".org",
    "files.python" + "hosted.org",
    "registry.npm" + "js.org",
    "proxy." + "golang.org",
    "crates" + ".io",
    "conda." + "anaconda.org",
    "extra-index" + "-url",
]
WORDS = [
    "TO" + "DO",
    "FIX" + "ME",
    "X" + "XX",
    "co-authored" + "-by",
    "sub" + "agent",
    "generated" + " with",
    "as an" + " AI",
]
_FORBIDDEN = re.compile(
    "|".join([*map(re.escape, [*PLACES, *REGISTRIES]), *(rf"\b{re.escape(word)}\b" for word in WORDS)])
)
_IGNORING_CASE = re.compile("|".join(map(re.escape, WORDS[3:])), re.IGNORECASE)


@pytest.fixture(scope="module")
def tracked() -> list[str]:
    """The files that git tracks or would: those of the working tree that are not ignored."""
    if shutil.which("git") is None or not (CHECKOUT / ".git").exists():
        pytest.skip("no git checkout here")
    listed = ["git", "-c", f"safe.directory={CHECKOUT}", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=CHECKOUT, capture_output=True, text=True, check=True).stdout
    return [name for name in names.split("\0") if name and (CHECKOUT / name).is_file()]


def test_nothing_of_one_machine_is_tracked(tracked: list[str]) -> None:
    assert len(tracked) > 50
    found = []
    for name in tracked:
        text = (CHECKOUT / name).read_bytes().decode("utf-8", errors="replace")
        for number, line in enumerate(text.splitlines(), start=1):
            match = _FORBIDDEN.search(line) or _IGNORING_CASE.search(line)
            if match:
                found.append(f"{name}:{number}: {match[0]}")
    assert not found, "\n".join(found[:40])


def test_nothing_produced_is_tracked(tracked: list[str]) -> None:
    produced = re.compile(r"(^|/)(data|\.venv|build|__pycache__)/|\.(duckdb|parquet|pyc)$")
    assert not [name for name in tracked if produced.search(name) and not name.startswith("tests/")]
