"""The daemon: the watcher, one worker a project, and the signals."""

from __future__ import annotations

import os
import select
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

from hypo_compactd.lock import daemon_lock
from hypo_compactd.paths import Project
from hypo_compactd.watcher import Watcher
from hypo_compactd.worker import Settings, Worker

STOP_WAIT_S = 0.8
"""How long workers may take to end; a reconcile that is running is left to its atomic writes."""

STOP = frozenset({signal.SIGTERM, signal.SIGINT})
SIGNALS = STOP | {signal.SIGHUP}


class Supervisor:
    """Runs the workers of several projects until it is told to stop.

    Args:
        projects: the projects to keep current; each only once.
        settings: how.
        log: a structlog logger.
    """

    def __init__(self, projects: Sequence[Project], settings: Settings, log: Any) -> None:
        self._log = log
        self._watcher = Watcher(self._on_event, self._on_failure)
        self._workers = {os.fspath(one.root): Worker(one, settings, self._watcher, log) for one in projects}

    def run(self) -> None:
        """Take the projects, keep them current, return when SIGTERM or SIGINT came.

        SIGHUP reads the configuration anew and looks at every project.

        Raises:
            BusyError: another daemon keeps one of the projects.
        """
        with ExitStack() as stack:
            inbox = stack.enter_context(_signals())
            for worker in self._workers.values():
                stack.enter_context(daemon_lock(worker.project))
            self._watcher.start()
            for worker in self._workers.values():
                worker.start()
            if self._started(inbox):
                self._log.info("ready", projects=len(self._workers), pid=os.getpid())
            while os.read(inbox, 1)[0] not in STOP:
                self._log.info("reloading")
                for worker in self._workers.values():
                    worker.reload()
            self._end()
        self._log.info("stopped")

    def _started(self, inbox: int) -> bool:
        """Wait until every project was looked at once; return False when a signal came before that."""
        for worker in self._workers.values():
            while not worker.ready.wait(0.1):
                if select.select([inbox], [], [], 0)[0]:
                    return False
        return True

    def _end(self) -> None:
        for worker in self._workers.values():
            worker.stop()
        deadline = time.monotonic() + STOP_WAIT_S
        for worker in self._workers.values():
            worker.join(max(0.0, deadline - time.monotonic()))
        self._watcher.stop()

    def _on_event(self, owner: str, path: str) -> None:
        worker = self._workers.get(owner)
        if worker is not None:
            worker.notice(path)

    def _on_failure(self, where: str) -> None:
        self._log.error("event_lost", reason=where, hint="the sweep looks at what it was about")


@contextmanager
def _signals() -> Iterator[int]:
    """Give a descriptor from which the numbers of the signals that come can be read, one byte each.

    A handler that did the work itself could run in the middle of anything, and a signal that is
    waited for can be taken by a thread that a library made before it was blocked. Python writes
    the number to this pipe whichever thread the system chose.
    """
    inbox, outbox = os.pipe()
    os.set_blocking(outbox, False)
    before = {number: signal.signal(number, _ignore) for number in SIGNALS}
    wakeup = signal.set_wakeup_fd(outbox, warn_on_full_buffer=False)
    try:
        yield inbox
    finally:
        signal.set_wakeup_fd(wakeup)
        for number, handler in before.items():
            signal.signal(number, handler)
        os.close(inbox)
        os.close(outbox)


def _ignore(_number: int, _frame: object) -> None:
    """Take a signal without an effect of its own; the pipe has its number."""
