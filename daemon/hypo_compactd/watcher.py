"""Native file events: the only importer of watchdog.

Events are hints that something may have changed; nothing is concluded from their kind. What is
known of watchdog (watching.md, 1.2) decides the shape: flat watches, since a recursive one can go
deaf while every flag says healthy; one event filter for all; a handler that does nothing but pass
the path on, and never raises.
"""

from __future__ import annotations

import errno
import importlib
import logging
import math
import os
import resource
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from watchdog import events
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
from hypo_compactd.inotify import has_room, instance_limit
from hypo_compactd.paths import PIPELINE
from hypo_compactd.reader import describe
from hypo_strategies.text.phrase import Phrase, phrase

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
    # watchdog 7 tells of new times and rights so; watchdog 6 calls them modified.
    *filter(None, [getattr(events, "FileAttribEvent", None)]),
]

RECURSIVE = sys.platform == "darwin"
"""FSEvents are recursive by nature, and watchdog drops what flat watches would be told of folders in them
(watching.md, 0.3): there one watch of a project's `.pipeline/` serves for all folders below it."""

CAPACITY = 3_072
"""Folders that one process watches: each costs a thread of some 20 kB. The sweep and polling serve what is beyond."""

LOCK_WAIT_S = 0.5
THREADS_RETRY_S = 300.0

_FULL = phrase("as many folders are watched as this process may watch")
_FULL_OF_INSTANCES = phrase(
    "as many folders are watched as this process may watch; for more, raise fs.inotify.max_user_instances and ulimit -n"
)
_NO_THREADS = phrase("the system lets this process start no more threads: raise ulimit -u, or TasksMax of the service")
_LIMITS = {
    errno.ENOSPC: phrase("the user's limit of inotify watches is reached: raise fs.inotify.max_user_watches"),
    errno.EMFILE: phrase(
        "a limit of inotify instances or open files is reached: raise fs.inotify.max_user_instances or ulimit -n"
    ),
}

Identity = tuple[int, int]
"""(device, inode): the same path may mean another folder later."""


@dataclass(slots=True, eq=False)
class _Watch:
    """A scheduled folder; `ended` when it was deleted, since a new one may get the same inode."""

    handle: Any
    identity: Identity
    ended: bool = False


@dataclass(frozen=True, slots=True)
class Watched:
    """What came of asking for watches.

    Attributes:
        failed: by folder: why it could not be watched.
        begun: whether a folder is watched for the owner now that was not before: what was made in it until then
            brought no event.
    """

    failed: dict[str, Phrase]
    begun: bool


class Watcher:
    """Watches folders for one owner each and calls back with the paths of events.

    Args:
        on_event: called from watchdog's thread with (owner, path); it must return at once.
        on_failure: called from there with where `on_event` raised, if ever it does.
        on_overflow: called when the system dropped events for want of room; watchdog 6 does not tell.

    Attributes:
        rebuilds: how often the observer was made anew.
        heard: how many events came in all.
    """

    def __init__(
        self,
        on_event: Callable[[str, str], None],
        on_failure: Callable[[Phrase], None],
        on_overflow: Callable[[], None] = lambda: None,
    ) -> None:
        warnings.filterwarnings("ignore", category=RuntimeWarning, module="watchdog")
        self.rebuilds = 0
        self.heard = 0
        self._on_event = on_event
        self._on_failure = on_failure
        # One handler for all: watchdog 6 keeps that of a watch that failed, and would call each that was ever tried.
        self._handler = _Handler(self._event)
        self._observer: Any = None
        self._limit: Phrase | None = None
        self._no_threads_until = -math.inf
        self._watches: dict[str, _Watch] = {}
        self._owners: dict[str, set[str]] = {}
        self._folders: dict[str, frozenset[str]] = {}
        self._lock = threading.Lock()
        self._complaints = _Overflows(on_overflow)

    def watch(self, owner: str, folders: Iterable[str]) -> Watched:
        """Make the owner's watches be exactly `folders` (real paths).

        A folder that was deleted and made anew, or renamed, is watched anew: a watch follows the
        folder, not the path.
        """
        # Looked at before the lock is taken: a file system that hangs must hold up its own project only.
        wanted = {path: _identity(path) for path in folders}
        failed: dict[str, Phrase] = {}
        begun = False
        with self._lock:
            until_now = self._folders.get(owner, frozenset())
            for path in until_now - wanted.keys():
                owners = self._owners[path]
                owners.discard(owner)
                if not owners:
                    self._drop(path)
                    del self._owners[path]
            self._folders[owner] = frozenset(wanted)
            # The upper ones first: a recursive watch serves those below it.
            for path in sorted(wanted):
                self._owners.setdefault(path, set()).add(owner)
                before = self._watches.get(path)
                reason = self._hold(path, wanted[path])
                now = self._watches.get(path)
                begun |= now is not None and (now is not before or path not in until_now)
                if reason is not None:
                    failed[path] = reason
        return Watched(failed, begun)

    def dead(self) -> frozenset[str]:
        """Return what has ended of watchdog's threads without having been told to.

        A folder that has just been deleted ends its thread before the event of it is delivered, so
        what is dead is so for certain only when a canary that was sent later has come back.
        """
        # Somebody may hang in the system with the lock held; the caller has signals to obey.
        if not self._lock.acquire(timeout=LOCK_WAIT_S):
            return frozenset()
        try:
            if self._observer is None:
                return frozenset()
            found = set()
            if not self._observer.is_alive():
                found.add("the thread that delivers events")
            reader = getattr(self._observer, "_inotify_fd", None)  # watchdog 7: one reader for all
            if isinstance(reader, threading.Thread) and not reader.is_alive():
                found.add("the thread that reads events")
            emitters = {emitter.watch: emitter for emitter in self._observer.emitters.copy()}
            for path, watch in self._watches.items():
                emitter = emitters.get(watch.handle)
                # watchdog 6: a reader for each folder
                own = getattr(emitter, "_inotify", None)
                alive = emitter is not None and emitter.is_alive()
                if isinstance(own, threading.Thread) and not own.is_alive():
                    alive = False
                if not alive and not watch.ended:
                    found.add(f"the thread of {path}")
            return frozenset(found)
        finally:
            self._lock.release()

    def holds(self, path: str) -> bool:
        """Return whether a folder is watched; it waits for nobody."""
        watch = self._watches.get(path)
        return watch is not None and not watch.ended

    def rebuild(self) -> None:
        """Put a new observer in the place of one that is in doubt; whoever has watches must ask for them again.

        The old one is ended in the background, since a thread of it may never end.
        """
        with self._lock:
            old, self._observer = self._observer, None
            self._watches.clear()
            self._owners.clear()
            self._folders.clear()
            self._limit = None
            self.rebuilds += 1
        if old is not None:
            threading.Thread(target=old.stop, name="old observer", daemon=True).start()

    def stop(self, wait_s: float) -> None:
        """Stop delivering; threads that do not end in time are left behind, since they are daemon threads."""
        for name in _LOGGERS:
            logging.getLogger(name).removeHandler(self._complaints)
        if self._observer is not None:
            ending = threading.Thread(target=self._observer.stop, name="old observer", daemon=True)
            ending.start()
            ending.join(wait_s)

    def _hold(self, path: str, status: Identity | Phrase) -> Phrase | None:
        if isinstance(status, Phrase):
            self._drop(path)
            return status
        have = self._watches.get(path)
        if have is not None and have.identity == status and not have.ended:
            return None
        self._drop(path)
        if RECURSIVE and self._covered(path):
            return None
        if self._limit is not None and not has_room(path):
            return self._limit
        if time.monotonic() < self._no_threads_until:
            return _NO_THREADS
        try:
            observer = self._started()
            if len(self._watches) >= _capacity(observer):
                return _FULL if _shares_instance(observer) else _FULL_OF_INSTANCES
            recursive = RECURSIVE and os.path.basename(path) == PIPELINE  # noqa: PTH119 - of a string
            handle = observer.schedule(self._handler, path, recursive=recursive, event_filter=EVENTS)
        except OSError as error:
            self._limit = _LIMITS.get(error.errno or 0)
            return self._limit or describe(error)
        except RuntimeError:  # watchdog could not start a thread; what it made before is left behind, so not soon again
            self._no_threads_until = time.monotonic() + THREADS_RETRY_S
            return _NO_THREADS
        self._limit = None
        self._watches[path] = _Watch(handle, status)
        return None

    def _covered(self, path: str) -> bool:
        """Return whether a recursive watch serves a folder."""
        return any(watch.handle.is_recursive and path.startswith(f"{above}/") for above, watch in self._watches.items())

    def _started(self) -> Any:
        """Return the observer, which cannot even be made while the system has no room for one."""
        if self._observer is None:
            _without_delay()
            observer = Observer()
            observer.start()
            self._observer = observer
            for name in _LOGGERS:
                logging.getLogger(name).addHandler(self._complaints)
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
        if event.is_directory and event.event_type == EVENT_TYPE_MODIFIED and not RECURSIVE:
            return
        self.heard += 1
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
        for owner in self._interested(path):
            self._on_event(owner, path)

    def _interested(self, path: str) -> set[str]:
        """Return the owners of a path's folder, of the path itself, and under a recursive watch of any folder above."""
        folder = path.rpartition("/")[0]
        owners = {*self._owners.get(path, ()), *self._owners.get(folder, ())}
        while RECURSIVE and folder and not owners:
            folder = folder.rpartition("/")[0]
            owners.update(self._owners.get(folder, ()))
        return owners


_LOGGERS = ("watchdog.observers.inotify_c", "watchdog.observers.inotify")


class _Overflows(logging.Handler):
    """Hears from watchdog's own log that the system dropped events: nothing else tells (watching.md, 1.5)."""

    def __init__(self, on_overflow: Callable[[], None]) -> None:
        super().__init__(logging.WARNING)
        self._on_overflow = on_overflow

    def emit(self, record: logging.LogRecord) -> None:
        if "overflow" in str(record.msg):
            self._on_overflow()


class _Handler(FileSystemEventHandler):
    """What watchdog calls."""

    def __init__(self, on_any: Callable[[FileSystemEvent], None]) -> None:
        self._on_any = on_any

    def dispatch(self, event: FileSystemEvent) -> None:
        self._on_any(event)


_PAIRING = (("inotify_move_event_grouper", "InotifyMoveEventGrouper"), ("inotify_buffer", "InotifyBuffer"))
"""Where watchdog 7 and watchdog 6 wait for the other half of a rename."""


def _without_delay() -> None:
    """Let nothing wait behind a file that was renamed out of a folder.

    watchdog keeps that event for half a second, as a second one may tell where the file went, and all others behind
    it. Where a file went is nothing to us: that it is gone is enough.
    """
    for module, name in _PAIRING:
        try:
            pairing = getattr(importlib.import_module(f"watchdog.observers.{module}"), name)
        except (ImportError, AttributeError):
            continue  # the other line of watchdog, or a system without inotify
        pairing.delay = 0


def _shares_instance(observer: Any) -> bool:
    """Return whether all watches share one instance of the system's events, as those of watchdog 7 and of macOS do."""
    return RECURSIVE or hasattr(observer, "_inotify_fd")


def _capacity(observer: Any) -> int:
    """Return how many folders an observer may watch.

    With watchdog 6 each takes an inotify instance, of which the user has few and other programs
    need some, and three descriptors, which must not all go there: sources have to be read.
    """
    if _shares_instance(observer):
        return CAPACITY
    instances = instance_limit()
    descriptors = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return max(0, min(CAPACITY if instances is None else instances * 3 // 4, (descriptors - 20) // 3))


def _identity(path: str) -> Identity | Phrase:
    """Return which folder a path means, or why it cannot be watched."""
    try:
        status = os.stat(path)  # noqa: PTH116 - of a string, on every look
        if not os.access(path, os.R_OK | os.X_OK):
            return phrase("permission denied")
    except OSError as error:
        return describe(error)
    return (status.st_dev, status.st_ino)
