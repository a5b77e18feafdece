"""Telling our own writing of views from another program's."""

from __future__ import annotations

import os
import threading

from hypo_compactd.outcome import Outcome
from hypo_compactd.paths import Project, real_place
from hypo_compactd.reader import Signature, signature_of


class Outputs:
    """Remembers what a reconcile left in each view's place, so that events about it are dropped.

    There is no time window in which events are ignored. While a reconcile runs, events about views
    are put aside; afterwards, and for every later event, a view that is something else than what
    the reconcile left was written by another program, and is looked at again.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._left: dict[str, Signature | None] = {}
        self._aside: set[str] = set()
        self._running = False

    def wrote(self, path: str) -> bool:
        """Return whether an event about a view is of our own doing, or is judged when the reconcile ends."""
        with self._lock:
            if self._running:
                self._aside.add(path)
                return True
            return path in self._left and _signature(path) == self._left[path]

    def begin(self) -> None:
        """Note that a reconcile begins."""
        with self._lock:
            self._running = True

    def end(self, outcome: Outcome | None, project: Project) -> list[str]:
        """Note that it ended, None for without an outcome; return the views that another program wrote meanwhile."""
        with self._lock:
            if outcome is not None:
                self._left = {real_place(project.root, view.file): view.signature for view in outcome.views}
            aside, self._aside = self._aside, set()
            self._running = False
        return sorted(path for path in aside if path not in self._left or _signature(path) != self._left[path])


def _signature(path: str) -> Signature | None:
    try:
        return signature_of(os.lstat(path))
    except OSError:
        return None
