"""The projects of one daemon: it takes those that are wanted, and leaves those that no longer are."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from hypo_compactd.errors import BusyError, ConfigurationError, InputError
from hypo_compactd.lock import daemon_lock
from hypo_compactd.paths import Project
from hypo_compactd.reader import Signature, signature_of
from hypo_compactd.watcher import Watcher
from hypo_compactd.worker import Worker

RETRY_S = 30.0
"""How often a project that another daemon keeps is asked for again."""

LEAVE_WAIT_S = 0.5
"""How long a worker that is told to end is waited for at once."""

_OWNER = "registry"
"""The owner of the watches of the files that say which projects are wanted."""


class Roster:
    """Which projects are kept; everything but `heard` is for the main thread.

    Args:
        wanted: gives the projects that are to be kept, each once.
        files: the files from which `wanted` takes them, if any.
        make: makes a worker for a project.
        watcher: where its folders are watched.
        log: a structlog logger.

    Attributes:
        workers: by the project's root; replaced, never changed, since other threads look at it.
    """

    def __init__(
        self,
        wanted: Callable[[], Sequence[Project]],
        files: Sequence[Path],
        make: Callable[[Project], Worker],
        watcher: Watcher,
        log: Any,
    ) -> None:
        self.workers: Mapping[str, Worker] = {}
        self._wanted = wanted
        self._files = {os.path.realpath(file) for file in files}
        self._make = make
        self._watcher = watcher
        self._log = log
        self._locks: dict[str, ExitStack] = {}
        self._leaving: dict[str, Worker] = {}
        self._refused: dict[str, str] = {}
        self._marks: dict[str, Signature | None] = {}
        self._retry_at = -math.inf
        self._changed = True
        self._failure = ""

    def take_first(self) -> None:
        """Take the projects at the start.

        Raises:
            BusyError: another daemon keeps the only project.
            ConfigurationError: what says which projects are wanted cannot be read.
            InputError: our own folder for the only project cannot be made or written.
        """
        self._marks = self._present()
        self._changed = False
        wanted = list(self._wanted())
        for project in wanted:
            self._take(project, alone=len(wanted) == 1 and not self._files)
        self._retry_at = math.inf

    def heard(self, owner: str, path: str) -> bool:
        """Return whether an event was for us: a file has changed that says which projects are wanted."""
        if owner != _OWNER:
            return False
        self._changed |= path in self._files
        return True

    def listen(self, *, native: bool) -> None:
        """Look at the files that say which projects are wanted, and have them watched where native events are asked for.

        To be called now and then.
        """
        if native and self._files:
            folders = {os.path.dirname(file) for file in self._files}  # noqa: PTH120 - a string, as events have it
            self._watcher.watch(_OWNER, [folder for folder in sorted(folders) if os.path.isdir(folder)])  # noqa: PTH112
        if self._present() != self._marks:
            self._changed = True

    def update(self, now: float, *, anew: bool = False) -> None:
        """Take and leave projects where that is due; `anew` when somebody asks for it."""
        for root, worker in list(self._leaving.items()):
            if not worker.is_alive():
                self._forget(root)
        if not (anew or self._changed or now >= self._retry_at):
            return
        self._changed = False
        self._marks = self._present()
        try:
            wanted = {os.fspath(one.root): one for one in self._wanted()}
        except ConfigurationError as error:
            if self._failure != str(error):
                self._failure = str(error)
                self._log.error("registry", reason=f"{error}; the projects are kept as they were")
            return
        self._failure = ""
        for root in self.workers.keys() - wanted.keys():
            self._leave(root)
        for root in self._refused.keys() - wanted.keys():
            del self._refused[root]
        for root, project in wanted.items():
            if root not in self.workers and root not in self._leaving:
                self._take(project, alone=False)
        self.start()
        self._retry_at = now + RETRY_S if self._refused or self._leaving else math.inf

    def start(self) -> None:
        """Start the workers that were taken."""
        for worker in self.workers.values():
            if worker.ident is None:
                worker.start()

    def end(self) -> list[Worker]:
        """Tell every worker to end; return those that have begun and are to be waited for."""
        for worker in self.workers.values():
            worker.stop()
        everyone = [*self.workers.values(), *self._leaving.values()]
        return [worker for worker in everyone if worker.ident is not None]

    def release(self) -> None:
        """Give the projects back, when nothing works on them any more."""
        for root in list(self._locks):
            self._locks.pop(root).close()

    def _take(self, project: Project, *, alone: bool) -> None:
        root = os.fspath(project.root)
        lock = ExitStack()
        try:
            lock.enter_context(daemon_lock(project))
        except (BusyError, InputError) as error:
            if alone:
                raise
            if self._refused.get(root) != str(error):
                self._refused[root] = str(error)
                self._log.error("held", project=os.fspath(project.shown), reason=str(error))
            return
        self._refused.pop(root, None)
        self._locks[root] = lock
        self.workers = {**self.workers, root: self._make(project)}

    def _leave(self, root: str) -> None:
        worker = self.workers[root]
        self.workers = {key: value for key, value in self.workers.items() if key != root}
        worker.stop()
        self._leaving[root] = worker
        if worker.ident is not None:
            worker.join(LEAVE_WAIT_S)
        if not worker.is_alive():
            self._forget(root)
        self._log.info("left", project=os.fspath(worker.project.shown), hint="it is not wanted any more")

    def _forget(self, root: str) -> None:
        del self._leaving[root]
        self._watcher.watch(root, ())
        self._locks.pop(root).close()

    def _present(self) -> dict[str, Signature | None]:
        return {file: _mark(file) for file in self._files}


def _mark(file: str) -> Signature | None:
    try:
        return signature_of(os.stat(file))  # noqa: PTH116 - of a string
    except OSError:
        return None
