"""What a daemon did from some moment on: its batches and its looks for nothing, counted from the log."""

from __future__ import annotations

from datetime import datetime
from itertools import pairwise

from support.daemon_process import DaemonProcess, Event

VERBOSE = ("--verbose",)
"""Without it the log does not tell of looks that found nothing."""


class Tally:
    """Counts what a daemon that was started with `--verbose` says, beginning when all it has to do is done."""

    def __init__(self, daemon: DaemonProcess) -> None:
        daemon.settle()
        self._daemon = daemon
        self._begin = len(daemon.events)

    @property
    def events(self) -> list[Event]:
        """Everything that was said."""
        return self._daemon.events[self._begin :]

    @property
    def refreshed(self) -> list[Event]:
        """Looks after which a view was another, or that announced a moment or a new failure."""
        return self.named("refreshed")

    @property
    def looked(self) -> list[Event]:
        """Looks that changed nothing."""
        return self.named("looked")

    def named(self, *names: str) -> list[Event]:
        """Return the events of these names."""
        return [event for event in self.events if event["event"] in names]


def moment(event: Event) -> float:
    """Return when an event was logged: seconds of the wall clock."""
    return datetime.fromisoformat(event["timestamp"]).timestamp()


def pauses(events: list[Event]) -> list[float]:
    """Return the seconds between each event and the next."""
    moments = [moment(event) for event in events]
    return [later - sooner for sooner, later in pairwise(moments)]
