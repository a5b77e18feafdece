"""Somebody who reads the views all the while, as an agent may at any moment."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Self

from support.views import TARGETS, views


class Onlooker:
    """Reads the views of a project every millisecond or so while the block runs.

    Attributes:
        met: by view: what was read, each time that it was another text than before; None where there was no view.
        rounds: how often all were read.
    """

    def __init__(self, project: Path) -> None:
        self.met: dict[str, list[bytes | None]] = {name: [] for name in TARGETS}
        self.rounds = 0
        self._project = project
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        self._thread.join()

    @property
    def missing(self) -> list[str]:
        """The views that were not there at some time."""
        return [name for name, texts in self.met.items() if None in texts]

    def _run(self) -> None:
        while not self._stopping.wait(0.001):
            found = views(self._project)
            for name, texts in self.met.items():
                if not texts or texts[-1] != found.get(name):
                    texts.append(found.get(name))
            self.rounds += 1
