"""Native file events: the only importer of watchdog.

Events are hints that something may have changed; nothing is concluded from their kind. What is
known of watchdog (watching.md, 1.2) decides the shape: flat watches, since a recursive one can go
deaf while every flag says healthy; one event filter for all; a handler that does nothing but pass
the path on, and never raises.
"""

from __future__ import annotations

import errno
import os
import sys
import threading
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from watchdog.events import (
    EVENT_TYPE_DELETED,
    EVENT_TYPE_MODIFIED,
    DirCreatedEvent,
    DirDeletedEvent,
    DirModifiedEvent,
    DirMovedEvent,
    FileClosedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileSystemEvent,
    FileSystemEventHandler,
)
from watchdog.observers import Observer

from hypo_compactd.errors import origin
from hypo_compactd.inotify import has_room
from hypo_compactd.reader import describe

# Opened and closed_no_write are left out: our own reading would wake us (watching.md, 0.4). It must be
# the same list on every watch, since a second one for the same folder would replace the first.
EVENTS: list[type[FileSystemEvent]] = [
    FileCreatedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileDeletedEvent,
    FileClosedEvent,
    DirCreatedEvent,
    DirModifiedEvent,
    DirMovedEvent,
    DirDeletedEvent,
]

_LIMITS = {
    errno.ENOSPC: "the user's limit of inotify watches is reached: raise fs.inotify.max_user_watches",
    errno.EMFILE: "a limit of inotify instances or open files is reached: raise fs.inotify.max_user_instances or ulimit -n",
}

Identity = tuple[int, int]
"""(device, inode): the same path may mean another folder later."""


@dataclass(slots=True)
class _Watch:
    """A scheduled folder; `ended` when it was deleted, since a new one may get the same inode."""

    handle: Any
    identity: Identity
    ended: bool = False


class Watcher:
    """Watches folders for one owner each and calls back with the paths of events.

    Args:
        on_event: called from watchdog's thread with (owner, path); it must return at once.
        on_failure: called from there with where `on_event` raised, if ever it does.
    """

    def __init__(self, on_event: Callable[[str, str], None], on_failure: Callable[[str], None]) -> None:
        warnings.filterwarnings("ignore", category=RuntimeWarning, module="watchdog")
        self._on_event = on_event
        self._on_failure = on_failure
        # One handler for all: watchdog 6 keeps that of a watch that failed, and would call each that was ever tried.
        self._handler = _Handler(self._event)
        self._observer: Any = None
        self._limit: str | None = None
        self._watches: dict[str, _Watch] = {}
        self._owners: dict[str, set[str]] = {}
        self._lock = threading.Lock()

    def watch(self, owner: str, folders: Iterable[str]) -> dict[str, str]:
        """Make the owner's watches be exactly `folders` (real paths); return the reason for each that failed.

        A folder that was deleted and made anew, or renamed, is watched anew: a watch follows the
        folder, not the path.
        """
        failed: dict[str, str] = {}
        with self._lock:
            wanted = set(folders)
            for path, owners in list(self._owners.items()):
                if owner in owners and path not in wanted:
                    owners.discard(owner)
                    if not owners:
                        self._drop(path)
                        del self._owners[path]
            for path in sorted(wanted):
                self._owners.setdefault(path, set()).add(owner)
                reason = self._hold(path)
                if reason is not None:
                    failed[path] = reason
        return failed

    def stop(self, wait_s: float) -> None:
        """Stop delivering; threads that do not end in time are left behind, since they are daemon threads."""
        if self._observer is not None:
            self._observer.stop()
            self._observer.join(wait_s)

    def _hold(self, path: str) -> str | None:
        try:
            status = os.stat(path)  # noqa: PTH116 - of a string, on every look
        except OSError as error:
            self._drop(path)
            return describe(error)
        identity = (status.st_dev, status.st_ino)
        have = self._watches.get(path)
        if have is not None and have.identity == identity and not have.ended:
            return None
        self._drop(path)
        if not os.access(path, os.R_OK | os.X_OK):
            return "permission denied"
        if self._limit is not None and not has_room(path):
            return self._limit
        try:
            handle = self._started().schedule(self._handler, path, recursive=False, event_filter=EVENTS)
        except OSError as error:
            self._limit = _LIMITS.get(error.errno or 0)
            return self._limit or describe(error)
        self._limit = None
        self._watches[path] = _Watch(handle, identity)
        return None

    def _started(self) -> Any:
        """Return the observer, which cannot even be made while the system has no room for one."""
        if self._observer is None:
            observer = Observer()
            observer.start()
            self._observer = observer
        return self._observer

    def _drop(self, path: str) -> None:
        watch = self._watches.pop(path, None)
        if watch is not None:
            try:
                self._observer.unschedule(watch.handle)
            except (KeyError, OSError):
                return  # watchdog has ended it by itself: the folder was deleted

    def _event(self, event: FileSystemEvent) -> None:
        """Pass an event on; nothing may be raised here, since that would end watchdog's thread for every project."""
        # A folder is «modified» by whatever happens in it, our own temporary files too; the entry's
        # own event says more. FSEvents may coalesce to nothing but this one, so there it counts.
        if event.is_directory and event.event_type == EVENT_TYPE_MODIFIED and sys.platform != "darwin":
            return
        try:
            for raw in (event.src_path, event.dest_path):
                if raw:
                    self._path(os.fsdecode(raw), gone=event.is_directory and event.event_type == EVENT_TYPE_DELETED)
        except Exception as error:  # noqa: BLE001 - see above
            self._on_failure(origin(error))

    def _path(self, path: str, *, gone: bool) -> None:
        watch = self._watches.get(path)
        if gone and watch is not None:
            watch.ended = True
        folder = os.path.dirname(path)  # noqa: PTH120 - of a string, on every event
        for owner in {*self._owners.get(folder, ()), *self._owners.get(path, ())}:
            self._on_event(owner, path)


class _Handler(FileSystemEventHandler):
    """What watchdog calls."""

    def __init__(self, on_any: Callable[[FileSystemEvent], None]) -> None:
        self._on_any = on_any

    def dispatch(self, event: FileSystemEvent) -> None:
        self._on_any(event)
