"""Text on its way to somebody who may have stopped reading: whoever writes it never waits.

A terminal that is held (Ctrl-S, a dead connection), a pipe nobody empties, a file on a disk that hangs:
a write to any of these may not come back, and the daemon has views to keep and signals to obey meanwhile.
"""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Protocol, Self

LIMIT = 256 * 1024
"""Characters that wait to be written; what comes beyond is dropped."""

CLOSE_WAIT_S = 0.5
"""How long the end waits for what is still to be written."""


class Sink(Protocol):
    """What an outlet needs of the stream that it writes to."""

    def write(self, text: str, /) -> object:
        """Write a text; it may block, and may raise OSError or ValueError."""

    def flush(self) -> object:
        """See to it that what was written has left."""

    def isatty(self) -> bool:
        """Return whether it is a terminal."""

    def fileno(self) -> int:
        """Return its descriptor; raises OSError where it has none."""


class Outlet:
    """A stream whose `write` returns at once; a thread of its own does the writing, in order.

    It never raises either: the reader may have gone, or the disk be full, and neither may end a worker.

    Args:
        sink: where to.
        limit: how many characters may wait.

    Attributes:
        on_dropped: called with how many texts were dropped, when there is room again; from the outlet's thread.
    """

    def __init__(self, sink: Sink, *, limit: int = LIMIT) -> None:
        self._sink = sink
        self._limit = limit
        self._descriptor: int | None = None
        with suppress(OSError, ValueError):  # a stream in memory has none
            self._descriptor = sink.fileno()
        self._waiting: deque[str] = deque()
        self._size = 0
        self._dropped = 0
        self.on_dropped: Callable[[int], object] = lambda _count: None
        self._busy = False
        self._state = threading.Condition()
        threading.Thread(target=self._run, name="outlet", daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def encoding(self) -> str:
        """The encoding of the stream."""
        return getattr(self._sink, "encoding", None) or "utf-8"

    def isatty(self) -> bool:
        """Return whether the stream is a terminal."""
        return self._sink.isatty()

    def fileno(self) -> int:
        """Return the descriptor of the stream.

        Raises:
            OSError: it has none.
        """
        return self._sink.fileno()

    def write(self, text: str) -> int:
        """Have a text written; return its length, as streams do."""
        with self._state:
            if self._size + len(text) > self._limit and self._waiting:
                self._dropped += 1
                return len(text)
            self._waiting.append(text)
            self._size += len(text)
            self._state.notify_all()
        return len(text)

    def flush(self) -> None:
        """Do nothing: to wait for the reader is what an outlet is not for. `close` waits for a while."""

    def close(self, wait_s: float = CLOSE_WAIT_S) -> None:
        """Wait until everything has been written, but not for ever; what comes later is still taken."""
        deadline = time.monotonic() + wait_s
        with self._state:
            while self._waiting or self._busy:
                left = deadline - time.monotonic()
                if left <= 0 or not self._state.wait(left):
                    return

    def _run(self) -> None:
        while True:
            with self._state:
                self._busy = False
                self._state.notify_all()
                while not self._waiting:
                    self._state.wait()
                self._busy = True
                text = self._waiting.popleft()
                self._size -= len(text)
            self._put(text)
            with self._state:
                dropped, self._dropped = self._dropped, 0
            if dropped:
                self.on_dropped(dropped)

    def _put(self, text: str) -> None:
        with suppress(OSError, ValueError):
            if self._descriptor is None:
                self._sink.write(text)
                self._sink.flush()
                return
            # Past the stream's own buffer: at its end the interpreter would wait for a lock on that.
            left = text.encode(self.encoding, "backslashreplace")
            while left:
                left = left[os.write(self._descriptor, left) :]
