"""Whether a project brings more events than can be listened to: pure, with the time passed in.

All projects share the threads that deliver events, so a project in whose folders something writes
without pause must not drown the others: it is polled then.
"""

from __future__ import annotations

from dataclasses import dataclass

LIMIT = 50_000
WINDOW_S = 10.0
"""So many events within so many seconds; a checkout of thousands of files brings fewer."""


@dataclass(slots=True)
class Flood:
    """Counts one project's events; times are seconds of any monotonic clock."""

    _count: int = 0
    _since: float = 0.0

    def add(self, now: float) -> bool:
        """Count an event; return whether they are too many."""
        if now >= self._since + WINDOW_S:
            self._count, self._since = 0, now
        self._count += 1
        return self._count > LIMIT

    def over(self, now: float) -> bool:
        """Return whether they are too many at this moment."""
        return self._count > LIMIT and now < self._since + WINDOW_S
