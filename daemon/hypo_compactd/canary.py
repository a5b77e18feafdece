"""Whether events still come: pure, with the time passed in.

A file of ours is written at intervals into a folder that the observer watches; when its event does
not come back in time, no event can be trusted to come (watching.md, 1.2: threads die while every
flag says healthy).
"""

from __future__ import annotations

from dataclasses import dataclass

PERIOD_S = 15.0
PATIENCE_S = 2.0
"""How long the event of a canary may take; a healthy one takes a millisecond."""


@dataclass(slots=True)
class Canary:
    """One canary; times are seconds of any monotonic clock.

    Attributes:
        next_at: when the next one is due.
        ever: whether one has come back since this was made.
        round_trip_ms: how long the last one took, None before the first.
    """

    period_s: float = PERIOD_S
    patience_s: float = PATIENCE_S
    next_at: float = 0.0
    ever: bool = False
    round_trip_ms: int | None = None
    _sent: float | None = None

    def due(self, now: float) -> bool:
        """Return whether one is to be sent."""
        return self._sent is None and now >= self.next_at

    def send(self, now: float) -> None:
        """Note that one is being sent; before it is, since its event may be faster than our next line."""
        self._sent = now
        self.next_at = now + self.period_s

    def came(self, now: float) -> bool:
        """Note that an event of the canary came; return whether it was waited for."""
        if self._sent is None:
            return False
        self.round_trip_ms = max(0, round((now - self._sent) * 1000))
        self.ever = True
        self._sent = None
        return True

    def lost(self, now: float) -> bool:
        """Return whether one has not come back in time; it is given up then."""
        if self._sent is None or now < self._sent + self.patience_s:
            return False
        self._sent = None
        return True

    def deadline(self) -> float:
        """Return when to look again: the next one is due, or the one that flies is lost."""
        return self.next_at if self._sent is None else self._sent + self.patience_s
