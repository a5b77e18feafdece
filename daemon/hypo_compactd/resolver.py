"""Which project a folder's name means, found without ever waiting for a file system that hangs."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping

from hypo_compactd.paths import Project

WAIT_S = 1.0
"""How long the answers are waited for; those that come later are told."""

STALL_S = 0.1
"""How long one name may take before another thread goes on with those behind it."""


class Resolver:
    """Resolves names in threads of its own, each name by one of them at a time.

    Args:
        find: returns the project that a name means; it may hang, and must not raise.
        on_late: called when an answer came that was no longer waited for; from another thread.
    """

    def __init__(self, find: Callable[[str], Project], on_late: Callable[[], object]) -> None:
        self._find = find
        self._on_late = on_late
        self._found: dict[str, Project] = {}
        self._waiting: deque[str] = deque()
        self._running: set[str] = set()
        self._late: set[str] = set()
        self._answers = 0
        self._state = threading.Condition()

    def resolve(self, names: Iterable[str], wait_s: float = WAIT_S) -> Mapping[str, Project | None]:
        """Return the projects by name, in the order of the names.

        One that does not answer now is what it was before; None where it never has. `on_late` is called when it does.
        """
        names = tuple(dict.fromkeys(names))
        deadline = time.monotonic() + wait_s
        with self._state:
            self._late.clear()
            self._waiting = deque(name for name in names if name not in self._running)
            answers = None
            while self._open(names) and time.monotonic() < deadline:
                # Nobody is at work, or whoever is has not come on for a while.
                if self._waiting and answers in {None, self._answers} and not self._start():
                    break
                answers = self._answers
                self._state.wait(STALL_S)
            self._late = self._open(names)
            self._found = {name: project for name, project in self._found.items() if name in names}
            return {name: self._found.get(name) for name in names}

    def _open(self, names: tuple[str, ...]) -> set[str]:
        return self._running.intersection(names).union(self._waiting)

    def _start(self) -> bool:
        try:
            threading.Thread(target=self._work, name="resolver", daemon=True).start()
        except RuntimeError:  # no room for a thread
            return False
        return True

    def _work(self) -> None:
        while True:
            with self._state:
                if not self._waiting:
                    return
                name = self._waiting.popleft()
                self._running.add(name)
            project = self._find(name)
            with self._state:
                self._running.discard(name)
                self._found[name] = project
                self._answers += 1
                late = name in self._late
                self._late.discard(name)
                self._state.notify_all()
            if late:
                self._on_late()
