"""One daemon a project, and one writer at a time.

Two locks in the project's own state folder, both kernel locks that end with their holder: the
daemon's is held for its life, the writer's for the length of one reconcile, so that a `compact` by
hand works while the daemon runs. The lock files are never removed; who holds one is noted beside
it, for people only.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from hypo_compactd.config_files import locale_language
from hypo_compactd.errors import BusyError
from hypo_compactd.holder import Note, listed, noted
from hypo_compactd.messages import printable
from hypo_compactd.paths import Project, state_dir, unusable
from hypo_compactd.writer import write_private

WRITER_WAIT_S = 10.0
"""How long a writer waits for the other one; a reconcile takes a fraction of a second."""

DAEMON_WAIT_S = 0.5
"""How long a daemon waits for its lock: `holder` takes it for a moment, and must not turn a daemon away."""


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
        own = Note(os.getpid(), locale_language(os.environ))
        if noted(note) != own:  # the same process holds it again and again
            with suppress(OSError):
                write_private(note, json.dumps({"pid": own.pid, "language": own.language}).encode())
        yield
    finally:
        lock.release()


def _named(folder: Path, role: str) -> str:
    try:
        pid = listed((folder / f"{role}.lock").stat())
    except OSError:
        pid = None
    # A note may be older than the lock: one that could not be written anew says nothing of its own age.
    pid = pid or noted(folder / f"{role}.json").pid
    return "?" if pid is None else str(pid)
