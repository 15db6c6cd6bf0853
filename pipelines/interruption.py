"""Ctrl-C and TERM while Dagster runs a job in this process, which takes both for itself.

Belongs here: that an interruption ends the command, whatever became of it in between. Dagster raises one at its next
checkpoint, hands it to the steps, and then, unless a failure is to be raised, keeps it: the job has merely failed. One
that comes after its last checkpoint it forgets. So the operating system's own note of it is read afterwards.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from dagster import DagsterExecutionInterruptedError

ENDING = frozenset({int(signal.SIGINT), int(signal.SIGTERM)})


@contextmanager
def interruptible() -> Iterator[None]:
    """A block that runs jobs; where SIGINT or SIGTERM came within, it ends as KeyboardInterrupt, whatever else it did.

    In a thread that is not the main one, which gets no signals, it does nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    os.set_blocking(writing, False)
    former, handler = signal.set_wakeup_fd(writing, warn_on_full_buffer=False), signal.getsignal(signal.SIGTERM)
    interrupted = False
    try:
        try:
            yield
        finally:
            signal.set_wakeup_fd(former)
            if handler is not None:  # Dagster leaves TERM as Ctrl-C is: in the background of a script, ignored
                signal.signal(signal.SIGTERM, handler)
            with suppress(BlockingIOError):
                interrupted = not ENDING.isdisjoint(os.read(reading, 4096))
            os.close(reading)
            os.close(writing)
    except DagsterExecutionInterruptedError as error:
        raise KeyboardInterrupt from error
    except Exception as error:
        if interrupted:
            raise KeyboardInterrupt from error
        raise
    if interrupted:
        raise KeyboardInterrupt
