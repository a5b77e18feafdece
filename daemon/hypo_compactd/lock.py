"""One daemon a project, and one writer at a time.

Two locks in the project's own state folder, both kernel locks that end with their holder: the
daemon's is held for its life, the writer's for the length of one reconcile, so that a `compact` by
hand works while the daemon runs. The lock files are never removed; who holds one is noted beside
it, for people only.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hypo_compactd.config_files import locale_language
from hypo_compactd.errors import BusyError
from hypo_compactd.messages import printable
from hypo_compactd.paths import Project, state_dir, unusable
from hypo_compactd.writer import write_private

if TYPE_CHECKING:
    from hypo_strategies.api import Language

WRITER_WAIT_S = 10.0
"""How long a writer waits for the other one; a reconcile takes a fraction of a second."""

DAEMON_WAIT_S = 0.5
"""How long a daemon waits for its lock: `holder` takes it for a moment, and must not turn a daemon away."""

LOCKS = Path("/proc/locks")
"""Where Linux lists who holds which lock."""

_CONTENDED = frozenset({errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES})


@dataclass(frozen=True, slots=True)
class Holder:
    """The process that holds a project as its daemon; `pid` is None where neither the system nor its note says it."""

    pid: int | None


@contextmanager
def daemon_lock(project: Project) -> Iterator[None]:
    """Hold the project as its daemon.

    Raises:
        BusyError: another daemon holds it; the message says which process.
        InputError: our own folder cannot be made or written.
    """
    shown = printable(str(project.shown))
    with _held(
        project.state_dir,
        "daemon",
        DAEMON_WAIT_S,
        lambda pid: BusyError(
            "{project}: another hypo-compactd daemon keeps this project (process {pid})", project=shown, pid=pid
        ),
    ):
        yield


@contextmanager
def all_lock() -> Iterator[None]:
    """Be the one daemon that keeps every registered project.

    Raises:
        BusyError: another one is; the message says which process.
        InputError: our own folder cannot be made or written.
    """
    with _held(
        state_dir(),
        "all",
        DAEMON_WAIT_S,
        lambda pid: BusyError("another hypo-compactd daemon keeps every registered project (process {pid})", pid=pid),
    ):
        yield


def holder(project: Project) -> Holder | None:
    """Return who holds the project as its daemon, None when nobody does; a note that was left behind never counts.

    Raises:
        InputError: the system does not let us see.
    """
    path = project.state_dir / "daemon.lock"
    try:
        status = path.stat()
        # Looking at the list disturbs nobody and names the process, but it does not hold every lock: those of other
        # containers are left out, and some file systems name another device there.
        pid = _listed(status)
        if pid is not None:
            return Holder(pid)
        return Holder(_noted(path.with_suffix(".json")).pid) if _is_locked(path) else None
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise unusable(path, error) from None


def keeper_language(project: Project) -> Language | None:
    """Return the language of the locale of the daemon that holds the project, None where none does or it is not known.

    `output.language: auto` means this one for everybody then: else a daemon and a program in a shell with another
    locale would write the views anew after each other for ever.

    Raises:
        InputError: the system does not let us see who holds it.
    """
    if holder(project) is None:
        return None
    return _noted(project.state_dir / "daemon.json").language


def listed_holder(lines: Iterable[str], device: int, inode: int) -> int | None:
    """Return the process that holds the exclusive `flock` of a file, by the lines of Linux's list of locks; pure."""
    file = f"{os.major(device):02x}:{os.minor(device):02x}:{inode}"
    for line in lines:
        # `1: FLOCK  ADVISORY  WRITE 20848 fe:00:2148883 0 EOF`; one that only waits has `->` after its number.
        match line.split():
            case [_, "FLOCK", _, "WRITE", pid, place, *_] if place == file and pid.isdecimal():
                return int(pid) or None
    return None


@contextmanager
def writer_lock(project: Project, *, wait_s: float = WRITER_WAIT_S) -> Iterator[None]:
    """Hold the project for one reconcile.

    Raises:
        BusyError: another process still holds it after `wait_s` seconds; the message says which.
        InputError: our own folder cannot be made or written.
    """
    shown = printable(str(project.shown))
    with _held(
        project.state_dir,
        "writer",
        wait_s,
        lambda pid: BusyError(
            "{project}: the views are being written by another process (process {pid}); try again",
            project=shown,
            pid=pid,
        ),
    ):
        yield


@contextmanager
def _held(folder: Path, role: str, wait_s: float, busy: Callable[[str], BusyError]) -> Iterator[None]:
    """Hold one lock; `busy` makes the error of who holds it."""
    from filelock import FileLock, Timeout  # noqa: PLC0415 - slow to import

    note = folder / f"{role}.json"
    lock = FileLock(folder / f"{role}.lock", thread_local=False)
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock.acquire(timeout=wait_s, poll_interval=0.02)
    except Timeout:
        raise busy(_named(folder, role)) from None
    except OSError as error:
        raise unusable(folder, error) from None
    try:
        with suppress(OSError):
            data = {"pid": os.getpid(), "language": locale_language(os.environ)}
            write_private(note, json.dumps(data).encode())
        yield
    finally:
        lock.release()


def _listed(status: os.stat_result) -> int | None:
    try:
        lines = LOCKS.read_text("ascii", "replace").splitlines()
    except OSError:
        return None
    return listed_holder(lines, status.st_dev, status.st_ino)


def _is_locked(path: Path) -> bool:
    """Return whether the lock is held, by taking it for a moment; shared, so that two who ask do not meet each other."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno not in _CONTENDED:
            raise
        return True
    finally:
        os.close(descriptor)
    return False


def _named(folder: Path, role: str) -> str:
    try:
        pid = _listed((folder / f"{role}.lock").stat())
    except OSError:
        pid = None
    # A note may be older than the lock: one that could not be written anew says nothing of its own age.
    pid = pid or _noted(folder / f"{role}.json").pid
    return "?" if pid is None else str(pid)


class _Note(NamedTuple):
    pid: int | None = None
    language: Language | None = None


def _noted(note: Path) -> _Note:
    """Return what a holder has noted of itself; only to be asked while the lock is held."""
    try:
        data = json.loads(note.read_bytes())
        pid = int(data["pid"])
    except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return _Note()
    language = data.get("language")
    return _Note(pid if 0 < pid < 2**31 else None, language if language in ("zh-CN", "en") else None)
