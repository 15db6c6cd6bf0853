"""Exit codes of the `scoretrail` command and which wins where several apply (DESIGN "The command")."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum


class ExitCode(IntEnum):
    """What a finished command tells the shell."""

    OK = 0
    GATE = 1
    USAGE = 2
    SOURCE = 3
    UNDECIDED = 4
    BUG = 70


PRECEDENCE: tuple[ExitCode, ...] = (
    ExitCode.BUG,
    ExitCode.USAGE,
    ExitCode.GATE,
    ExitCode.UNDECIDED,
    ExitCode.SOURCE,
    ExitCode.OK,
)


def strongest(codes: Iterable[ExitCode]) -> ExitCode:
    """The code to end with when several apply; OK where none does."""
    found = set(codes)
    return next((code for code in PRECEDENCE if code in found), ExitCode.OK)
