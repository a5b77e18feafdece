"""Changes that no event announced: pure, with the time passed in.

The sweep compares the files with what they were. A change in a watched folder that it finds and of
which no event came, not even a little later, was missed; when that happens in several sweeps in a
row, the project's events cannot be relied on (watching.md, 1.2).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

GRACE_S = 1.0
"""How long an event may come after its change: watchdog holds some back for half a second."""

IN_A_ROW = 3
"""So many sweeps in a row that found a missed change, and the project is polled."""

PATH_LIMIT = 4_096
"""Announced paths that are remembered; beyond it everything counts as announced."""


@dataclass(slots=True)
class Missed:
    """Keeps what events announced since the last look, and what only the sweep found.

    Attributes:
        total: missed changes in all.
        in_a_row: sweeps with a missed change since an event last announced one in time.
    """

    total: int = 0
    in_a_row: int = 0
    _announced: set[str] = field(default_factory=set)
    _suspects: dict[str, float] = field(default_factory=dict)

    def announce(self, path: str) -> None:
        """Note that an event named `path`; what lies below it counts as announced too."""
        if len(self._announced) < PATH_LIMIT:
            self._announced.add(path)

    def looked(self) -> None:
        """Note that a look begins, which will see all that was announced; what is suspected stays so."""
        if not self._suspects:
            self._announced.clear()

    def found(self, paths: Iterable[str], now: float) -> None:
        """Note what a sweep found changed in watched folders."""
        for path in paths:
            self._suspects.setdefault(path, now)

    def reset(self) -> None:
        """Begin the row anew: an event led to a change in time, or events are not listened to any more."""
        self.in_a_row = 0

    def settle(self, now: float) -> int:
        """Judge the suspects whose time is up; return how many of them were missed."""
        due = [path for path, since in self._suspects.items() if now >= since + GRACE_S]
        missed = [path for path in due if not self._was_announced(path)]
        for path in due:
            del self._suspects[path]
        if missed:
            self.total += len(missed)
            self.in_a_row += 1
        elif due:
            self.reset()
        return len(missed)

    def deadline(self) -> float:
        """Return when the next suspect is to be judged; infinite when there is none."""
        return min(self._suspects.values(), default=math.inf) + GRACE_S

    def hopeless(self) -> bool:
        """Return whether the project's events cannot be relied on."""
        return self.in_a_row >= IN_A_ROW

    def _was_announced(self, path: str) -> bool:
        if len(self._announced) >= PATH_LIMIT:
            return True
        while path not in self._announced:
            if not path:
                return False
            path = path.rpartition("/")[0]
        return True
