"""The signals that the daemon answers to, as bytes in a pipe.

A handler that did the work itself could run in the middle of anything, and a signal that is waited
for can be taken by a thread that a library made before it was blocked. Python writes the number to
this pipe whichever thread the system chose; our own threads ring through it too.
"""

from __future__ import annotations

import os
import select
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress

STOP = frozenset({signal.SIGTERM, signal.SIGINT})
SIGNALS = STOP | {signal.SIGHUP}

_BELL = 0
"""No signal has this number."""


class Inbox:
    """Where the main thread waits for signals and for the other threads."""

    def __init__(self, reading: int, writing: int) -> None:
        self._reading = reading
        self._writing = writing

    def ring(self) -> None:
        """Wake the main thread; from any thread."""
        with suppress(OSError):  # full: it will wake anyway; closed: the process is ending
            os.write(self._writing, bytes([_BELL]))

    def received(self, timeout_s: float | None) -> frozenset[int]:
        """Return the signals that have come, none when it was rung or none came in time; None waits for ever.

        A storm of one signal is that signal once.
        """
        if not select.select([self._reading], [], [], timeout_s)[0]:
            return frozenset()
        return frozenset(os.read(self._reading, 65536)) - {_BELL}

    def close(self) -> None:
        """Close the pipe; who rings later rings nowhere, not into another file with this number."""
        reading, writing, self._reading, self._writing = self._reading, self._writing, -1, -1
        os.close(reading)
        os.close(writing)


@contextmanager
def inbox() -> Iterator[Inbox]:
    """Take the signals, and give the inbox that they come into.

    Afterwards they are ignored, since the process is about to end: a second one that comes then
    must not turn a clean end into another.
    """
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    for number in SIGNALS:
        signal.signal(number, _take)
    one = Inbox(reading, writing)
    try:
        yield one
    finally:
        for number in SIGNALS:
            signal.signal(number, signal.SIG_IGN)
        signal.set_wakeup_fd(-1)
        one.close()


def _take(_number: int, _frame: object) -> None:
    """Do nothing: the pipe has the signal's number."""
