"""A program of ours that runs until it is told to end: signals reach it, and one that does not heed them is killed.

Belongs here: one child process and its end. What it is, and what it listens on, is the caller's.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Final

GRACE_S: Final = 20.0
"""Seconds to end in after TERM or Ctrl-C: Dagster takes about five to stop its servers."""


def supervise(command: Sequence[str], environment: Mapping[str, str], folder: Path, grace_s: float = GRACE_S) -> bool:
    """Runs a program in the foreground until it ends, and passes on what ends this one.

    Its process group is its own, so that all it started can be killed with it. A terminal that closes ends it as TERM
    does, unless that is ignored here (`nohup`).

    Args:
        command: the program and its arguments.
        environment: all of its environment.
        folder: where it runs.
        grace_s: seconds after the first signal until it is killed, with what it started.

    Returns:
        Whether it ended well, or since it was told to.
    """
    started: list[subprocess.Popen[bytes]] = []
    told: list[int] = []

    def pass_on(number: int, _frame: FrameType | None) -> None:
        if not told:
            signal.setitimer(signal.ITIMER_REAL, grace_s)
        told.append(number)
        for process in started:
            process.send_signal(signal.SIGTERM if number == signal.SIGHUP else number)

    def kill(_number: int, _frame: FrameType | None) -> None:
        for process in started:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)

    # Before it starts: where a script put us in the background, Ctrl-C is ignored, Dagster would inherit that, and
    # Dagster takes TERM as it takes Ctrl-C. What a process handles, its children begin with the default of.
    handlers = {signal.SIGINT: pass_on, signal.SIGTERM: pass_on, signal.SIGALRM: kill}
    if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:
        handlers[signal.SIGHUP] = pass_on
    former = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        started.append(subprocess.Popen(command, env=dict(environment), cwd=folder, process_group=0))  # noqa: S603
        if told:  # it came before there was anybody to pass it on to
            started[0].terminate()
        code = started[0].wait()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in former.items():
            signal.signal(number, handler)
    return code == 0 or bool(told)
