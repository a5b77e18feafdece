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

_TICK_S = 0.001
"""Less than this is left to wait for only by rounding."""

STEP_S = 0.5
"""Time counts only in steps of at most this: who stood still for longer (SIGSTOP, a machine without a moment to
spare) has not looked for the event either, and finds it soon after."""


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
    _looked: float = 0.0
    _waited: float = 0.0

    def due(self, now: float) -> bool:
        """Return whether one is to be sent."""
        return self._sent is None and now >= self.next_at

    def send(self, now: float) -> None:
        """Note that one is being sent; before it is, since its event may be faster than our next line."""
        self._sent = self._looked = now
        self._waited = 0.0
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
        """Return whether one has not come back in time; it is given up then. To be asked at every deadline."""
        if self._sent is None:
            return False
        self._waited += min(now - self._looked, STEP_S)
        self._looked = now
        if self._waited < self.patience_s - _TICK_S:
            return False
        self._sent = None
        return True

    def deadline(self) -> float:
        """Return when to look again: when the next one is due, or soon for the one that flies."""
        if self._sent is None:
            return self.next_at
        return self._looked + min(STEP_S, self.patience_s - self._waited)
