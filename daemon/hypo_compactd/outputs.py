"""Telling our own writing of views from another program's."""

from __future__ import annotations

import os

from hypo_compactd.marks import Signature, signature_of
from hypo_compactd.outcome import Outcome
from hypo_compactd.paths import Project, real_place


class Outputs:
    """Remembers what the last reconcile left in each view's place.

    There is no time window in which events are ignored: an event about a view is judged when no
    reconcile runs, and a view that is something else than what was left was written by another
    program.
    """

    def __init__(self) -> None:
        self._left: dict[str, Signature | None] = {}

    def keep(self, outcome: Outcome, project: Project) -> dict[str, Signature | None]:
        """Remember what a reconcile left; return it: by the view's real path its signature, None for no file."""
        self._left = {real_place(project.root, view.file): view.signature for view in outcome.views}
        return self._left

    def ours(self, path: str) -> bool:
        """Return whether a view stands as it was left."""
        return path in self._left and _signature(path) == self._left[path]


def _signature(path: str) -> Signature | None:
    try:
        return signature_of(os.lstat(path))
    except OSError:
        return None
