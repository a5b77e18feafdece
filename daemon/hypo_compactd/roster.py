"""The projects of one daemon: it takes those that are wanted, and leaves those that no longer are."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from hypo_compactd import registry
from hypo_compactd.errors import BusyError, ConfigurationError, InputError
from hypo_compactd.lock import daemon_lock
from hypo_compactd.paths import Project, any_project
from hypo_compactd.resolver import Resolver
from hypo_compactd.watcher import Watcher
from hypo_compactd.worker import Worker

RETRY_S = 30.0
"""How often a project that another daemon keeps, or that does not answer, is asked for again."""

LEAVE_AFTER_S = 1.0
"""For how long a project must not be wanted before it is left: a list that is being saved may be empty for a moment."""

_OWNER = "registry"
"""The owner of the watches of the files that say which projects are wanted."""


class Roster:
    """Which projects are kept; everything but `heard` and `look_again` is for the main thread.

    Args:
        wanted: gives the names of the projects that are to be kept.
        files: the files from which `wanted` takes them, if any.
        make: makes a worker for a project.
        watcher: where its folders are watched.
        log: a structlog logger.
        ring: wakes the main thread; from any thread.

    Attributes:
        workers: by the project's root; replaced, never changed, since other threads look at it.
    """

    def __init__(
        self,
        wanted: Callable[[], Sequence[str]],
        files: Sequence[Path],
        make: Callable[[Project], Worker],
        watcher: Watcher,
        log: Any,
        ring: Callable[[], object],
    ) -> None:
        self.workers: Mapping[str, Worker] = {}
        self._wanted = wanted
        self._files = tuple(files)
        self._make = make
        self._watcher = watcher
        self._log = log
        self._ring = ring
        self._resolver = Resolver(any_project, self.look_again)
        self._places = _places(self._files)
        self._locks: dict[str, ExitStack] = {}
        self._leaving: dict[str, Worker] = {}
        self._unwanted: dict[str, float] = {}
        self._refused: dict[str, str] = {}
        self._silent: set[str] = set()
        self._contents: tuple[object, ...] = ()
        self._retry_at = math.inf
        self._changed = False
        self._failure = ""

    def take_first(self) -> None:
        """Take the projects at the start.

        Raises:
            BusyError: another daemon keeps the only project.
            ConfigurationError: what says which projects are wanted cannot be read.
            InputError: our own folder for the only project cannot be made or written.
        """
        self._contents = registry.contents(self._files)
        names = self._wanted()
        for project in self._resolve(names).values():
            self._take(project, alone=len(names) == 1 and not self._files)
        self._retry_at = self._next_try(time.monotonic())

    def heard(self, owner: str, path: str) -> bool:
        """Return whether an event was for us: a file may have changed that says which projects are wanted."""
        if owner != _OWNER:
            return False
        if path in self._places:
            self._changed = True
        return True

    def look_again(self) -> None:
        """Have the next `update` ask again which projects are wanted; from any thread."""
        self._changed = True
        self._ring()

    def listen(self, *, native: bool) -> None:
        """Look at the files that say which projects are wanted, and have them watched where native events are asked for.

        To be called now and then.
        """
        self._places = _places(self._files)  # each may be a link, and lead elsewhere later
        if native and self._places:
            folders = {os.path.dirname(place) for place in self._places}  # noqa: PTH120 - a string, as events have it
            self._watcher.watch(_OWNER, [folder for folder in sorted(folders) if os.path.isdir(folder)])  # noqa: PTH112
        if registry.contents(self._files) != self._contents:
            self._changed = True

    def deadline(self) -> float:
        """Return when `update` has something to do though nothing has changed (monotonic seconds)."""
        return min([self._retry_at, *(since + LEAVE_AFTER_S for since in self._unwanted.values())])

    def update(self, now: float, *, anew: bool = False) -> None:
        """Take and leave projects where that is due; `anew` when somebody asks for it."""
        for root, worker in list(self._leaving.items()):
            if worker.ended.is_set() or not worker.is_alive():
                self._forget(root)
        if not (anew or self._changed or now >= self.deadline()):
            return
        self._changed = False
        self._contents = registry.contents(self._files)
        try:
            names = self._wanted()
        except ConfigurationError as error:
            self._unwanted.clear()
            self._retry_at = self._next_try(now)
            if self._failure != str(error):
                self._failure = str(error)
                self._log.error("registry", reason=f"{error}; the projects are kept as they were")
            return
        self._failure = ""
        wanted = self._resolve(names)
        self._leave_unwanted(wanted, now)
        for root, project in wanted.items():
            if root not in self.workers and root not in self._leaving:
                self._take(project, alone=False)
        self.start()
        self._retry_at = self._next_try(now)

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

    def _next_try(self, now: float) -> float:
        return now + RETRY_S if self._refused or self._silent else math.inf

    def _resolve(self, names: Sequence[str]) -> dict[str, Project]:
        """Return the projects that the names mean, by their roots, each once."""
        found = self._resolver.resolve(names)
        silent = {name for name, project in found.items() if project is None}
        for name in sorted(silent - self._silent):
            self._log.error("silent", project=name, hint="its file system may hang; it is kept when that answers")
        self._silent = silent
        projects: dict[str, Project] = {}
        for project in found.values():
            if project is not None:
                projects.setdefault(os.fspath(project.root), project)
        return projects

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

    def _leave_unwanted(self, wanted: Mapping[str, Project], now: float) -> None:
        """Leave what has not been wanted for a while; a worker in the middle of a look ends after it."""
        for root in self._refused.keys() - wanted.keys():
            del self._refused[root]
        missing = self.workers.keys() - wanted.keys()
        self._unwanted = {root: self._unwanted.get(root, now) for root in missing}
        for root in missing:
            if now < self._unwanted[root] + LEAVE_AFTER_S:
                continue
            del self._unwanted[root]
            worker = self.workers[root]
            self.workers = {key: value for key, value in self.workers.items() if key != root}
            self._leaving[root] = worker
            worker.stop()
            if worker.ident is None:
                self._forget(root)

    def _forget(self, root: str) -> None:
        worker = self._leaving.pop(root)
        self._watcher.watch(root, ())
        self._locks.pop(root).close()
        self._changed = True  # it may be wanted again
        self._log.info("left", project=os.fspath(worker.project.shown), hint="it is not wanted any more")


def _places(files: Sequence[Path]) -> frozenset[str]:
    """Return the paths by which events name files, each of which may be a link."""
    return frozenset(name for file in files for name in (os.path.abspath(file), os.path.realpath(file)))  # noqa: PTH100 - strings, as events have them
