"""Views that another program writes too: pure, with the time passed in.

A view that is no longer what its sources give is put right. Where somebody writes it again each
time (another compactor, an editor that holds an old copy), putting it right at once would be a race
without end, so it is done ever more seldom; `status` names the view.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

FREE = 3
"""So many repairs within the window are done at once: a person's slip, a checkout."""

WINDOW_S = 120.0
BACK_OFF_S = (1.0, 2.0, 4.0, 8.0, 16.0, 30.0)
"""How long to leave a contested view alone; never longer than a lost event may take (30 s)."""


@dataclass(slots=True)
class _View:
    repairs: list[float] = field(default_factory=list)
    step: int = 0
    until: float = 0.0


@dataclass(slots=True)
class Contest:
    """What was repaired, and when; times are seconds of any monotonic clock.

    Attributes:
        total: repairs in all.
    """

    total: int = 0
    _views: dict[str, _View] = field(default_factory=dict)

    def repaired(self, names: Iterable[str], now: float) -> None:
        """Note that these views were put right."""
        for name in names:
            self.total += 1
            view = self._views.setdefault(name, _View())
            view.repairs = [*(time for time in view.repairs if time > now - WINDOW_S), now]
            if len(view.repairs) >= FREE:
                view.until = now + BACK_OFF_S[min(view.step, len(BACK_OFF_S) - 1)]
                view.step += 1
            else:
                view.step = 0

    def left(self, now: float) -> frozenset[str]:
        """Return the views that are not to be put right yet."""
        return frozenset(name for name, view in self._views.items() if now < view.until)

    def contested(self, now: float) -> tuple[str, ...]:
        """Return the views that another program keeps writing."""
        return tuple(sorted(name for name, view in self._views.items() if self._busy(view, now)))

    def deadline(self, now: float) -> float:
        """Return when the next view may be put right again; infinite when none is left alone."""
        return min((view.until for view in self._views.values() if now < view.until), default=math.inf)

    @staticmethod
    def _busy(view: _View, now: float) -> bool:
        return sum(time > now - WINDOW_S for time in view.repairs) >= FREE
