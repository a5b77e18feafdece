"""One daemon a project, and one writer at a time.

Two locks in the project's own state folder, both kernel locks that end with their holder: the
daemon's is held for its life, the writer's for the length of one reconcile, so that a `compact` by
hand works while the daemon runs. The lock files are never removed; who holds one is noted beside
it, for people only.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from hypo_compactd.errors import BusyError
from hypo_compactd.messages import printable
from hypo_compactd.paths import Project, unusable
from hypo_compactd.writer import write_private

WRITER_WAIT_S = 10.0
"""How long a writer waits for the other one; a reconcile takes a fraction of a second."""


@contextmanager
def daemon_lock(project: Project) -> Iterator[None]:
    """Hold the project as its daemon.

    Raises:
        BusyError: another daemon holds it; the message says which process.
        InputError: our own folder cannot be made or written.
    """
    with _held(project, "daemon", 0.0):
        yield


@contextmanager
def writer_lock(project: Project, *, wait_s: float = WRITER_WAIT_S) -> Iterator[None]:
    """Hold the project for one reconcile.

    Raises:
        BusyError: another process still holds it after `wait_s` seconds; the message says which.
        InputError: our own folder cannot be made or written.
    """
    with _held(project, "writer", wait_s):
        yield


@contextmanager
def _held(project: Project, role: str, wait_s: float) -> Iterator[None]:
    from filelock import FileLock, Timeout  # noqa: PLC0415 - slow to import

    folder = project.state_dir
    holder = folder / f"{role}.json"
    lock = FileLock(folder / f"{role}.lock", thread_local=False)
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock.acquire(timeout=wait_s, poll_interval=0.02)
    except Timeout:
        place = printable(str(project.shown))
        if role == "daemon":
            raise BusyError(f"{place}: another hypo-compactd daemon keeps this project ({_holder(holder)})") from None
        raise BusyError(
            f"{place}: the views are being written by another process ({_holder(holder)}); try again"
        ) from None
    except OSError as error:
        raise unusable(folder, error) from None
    try:
        with suppress(OSError):
            write_private(holder, json.dumps({"pid": os.getpid()}).encode())
        yield
    finally:
        lock.release()


def _holder(path: Path) -> str:
    try:
        return f"process {int(json.loads(path.read_bytes())['pid'])}"
    except (OSError, ValueError, KeyError, TypeError):
        return "process unknown"
