"""The signals that the daemon answers to, as bytes in a pipe.

A handler that did the work itself could run in the middle of anything, and a signal that is waited
for can be taken by a thread that a library made before it was blocked. Python writes the number to
this pipe whichever thread the system chose.
"""

from __future__ import annotations

import os
import select
import signal
from collections.abc import Iterator
from contextlib import contextmanager

STOP = frozenset({signal.SIGTERM, signal.SIGINT})
SIGNALS = STOP | {signal.SIGHUP}


@contextmanager
def inbox() -> Iterator[int]:
    """Take the signals, and give the descriptor that `received` reads them from.

    Afterwards they are ignored, since the process is about to end: a second one that comes then
    must not turn a clean end into another.
    """
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    for number in SIGNALS:
        signal.signal(number, _take)
    try:
        yield reading
    finally:
        for number in SIGNALS:
            signal.signal(number, signal.SIG_IGN)
        signal.set_wakeup_fd(-1)
        os.close(reading)
        os.close(writing)


def received(descriptor: int, timeout_s: float | None) -> frozenset[int]:
    """Return the signals that have come, none when none came in time; a timeout of None waits for ever.

    A storm of one signal is that signal once.
    """
    if not select.select([descriptor], [], [], timeout_s)[0]:
        return frozenset()
    return frozenset(os.read(descriptor, 65536))


def _take(_number: int, _frame: object) -> None:
    """Do nothing: the pipe has the signal's number."""
