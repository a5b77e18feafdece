"""When changes have settled: pure, with the time passed in.

A batch is due when nothing has changed for the quiet period, or when its first change is as old as
the maximum wait, so that a file that is written without end is still processed.
"""

from __future__ import annotations

from dataclasses import dataclass, field

QUIET_MS = 200
MAX_WAIT_MS = 2_000

PATH_LIMIT = 512
"""Paths of a batch that are remembered by name; beyond it the batch means «anything may have changed»."""


@dataclass(slots=True)
class Debounce:
    """Collects changed paths into a batch; times are seconds of any monotonic clock.

    Attributes:
        quiet_ms: how long nothing must have changed, in milliseconds.
        max_wait_ms: how old the first change may become, in milliseconds.
    """

    quiet_ms: int = QUIET_MS
    max_wait_ms: int = MAX_WAIT_MS
    _paths: set[str] = field(default_factory=set)
    _overflowed: bool = False
    _first: float | None = None
    _last: float = 0.0

    def add(self, path: str, now: float) -> None:
        """Note that `path` changed at `now`."""
        if self._first is None:
            self._first = self._last = now
        self._last = max(self._last, now)
        if len(self._paths) < PATH_LIMIT:
            self._paths.add(path)
        elif path not in self._paths:
            self._overflowed = True

    def deadline(self) -> float | None:
        """Return when the batch will be due if nothing more changes, None when there is no batch."""
        if self._first is None:
            return None
        return min(self._last + self.quiet_ms / 1000, self._first + self.max_wait_ms / 1000)

    def due(self, now: float) -> bool:
        """Return whether the batch is to be processed at `now`."""
        deadline = self.deadline()
        return deadline is not None and now >= deadline

    def take(self) -> frozenset[str] | None:
        """End the batch and return its paths, None when they were too many to remember."""
        paths = None if self._overflowed else frozenset(self._paths)
        self._paths = set()
        self._overflowed = False
        self._first = None
        return paths
