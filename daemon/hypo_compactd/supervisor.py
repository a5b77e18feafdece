"""The daemon: the watcher, one worker a project, and the signals."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

from hypo_compactd.lock import daemon_lock
from hypo_compactd.paths import Project
from hypo_compactd.signals import STOP, received
from hypo_compactd.watcher import Watcher
from hypo_compactd.worker import Settings, Worker

STOP_WAIT_S = 0.5
"""How long threads may take to end; a reconcile that is running is left to its atomic writes."""

READY_POLL_S = 0.05
"""How often the first looks are asked whether they are over; after that nothing is asked at intervals."""


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

    def run(self, inbox: int) -> bool:
        """Take the projects, keep them current, return when SIGTERM or SIGINT came.

        SIGHUP reads the configuration anew and looks at every project.

        Args:
            inbox: where the signals come in (`signals.inbox`).

        Returns:
            Whether every worker has ended; one that still computes would keep the process for as long.

        Raises:
            BusyError: another daemon keeps one of the projects.
            InputError: our own folder cannot be made or written.
        """
        with ExitStack() as stack:
            for worker in self._workers.values():
                stack.enter_context(daemon_lock(worker.project))
            ended = True
            if not received(inbox, 0) & STOP:
                for worker in self._workers.values():
                    worker.start()
                self._serve(inbox)
                ended = self._end()
        self._log.info("stopped")
        return ended

    def _serve(self, inbox: int) -> None:
        """Say when every project was looked at once, and obey signals until one says stop."""
        ready = False
        while not (came := received(inbox, None if ready else READY_POLL_S)) & STOP:
            if came:
                self._log.info("reloading")
                for worker in self._workers.values():
                    worker.reload()
            if not ready and all(worker.ready.is_set() for worker in self._workers.values()):
                ready = True
                self._log.info("ready", projects=len(self._workers), pid=os.getpid())

    def _end(self) -> bool:
        for worker in self._workers.values():
            worker.stop()
        deadline = time.monotonic() + STOP_WAIT_S
        for worker in self._workers.values():
            worker.join(max(0.0, deadline - time.monotonic()))
        self._watcher.stop(max(0.0, deadline - time.monotonic()))
        return not any(worker.is_alive() for worker in self._workers.values())

    def _on_event(self, owner: str, path: str) -> None:
        worker = self._workers.get(owner)
        if worker is not None:
            worker.notice(path)

    def _on_failure(self, where: str) -> None:
        self._log.error("event_lost", reason=where, hint="the sweep looks at what it was about")
