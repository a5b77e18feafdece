"""Who holds a project as its daemon: seen without disturbing whoever does.

Hooks and `status` ask this, so it needs little.
"""

from __future__ import annotations

import errno
import fcntl
import os

from hypo_compactd.paths import unusable
from hypo_compactd.quick_json import loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from dataclasses import dataclass as record

    from hypo_compactd.paths import Project
    from hypo_strategies.api import Language
else:
    from hypo_compactd.record import record

LOCKS = "/proc/locks"
"""Where Linux lists who holds which lock."""

_CONTENDED = frozenset({errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES})


@record
class Holder:
    """The process that holds a project as its daemon; `pid` is None where neither the system nor its note says it."""

    pid: int | None


@record
class Note:
    """What a holder has noted of itself."""

    pid: int | None = None
    language: Language | None = None


def holder(project: Project) -> Holder | None:
    """Return who holds the project as its daemon, None when nobody does; a note that was left behind never counts.

    Raises:
        InputError: the system does not let us see.
    """
    path = f"{project.state_place}/daemon"
    try:
        status = os.stat(f"{path}.lock")  # noqa: PTH116 - a string; hooks wait for the import of pathlib
        # Looking at the list disturbs nobody and names the process, but it does not hold every lock: those of other
        # containers are left out, and some file systems name another device there.
        pid = listed(status)
        if pid is not None:
            return Holder(pid)
        return Holder(noted(f"{path}.json").pid) if _is_locked(f"{path}.lock") else None
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise unusable(f"{path}.lock", error) from None


def keeper_language(project: Project) -> Language | None:
    """Return the language of the locale of the daemon that holds the project, None where none does or it is not known.

    `output.language: auto` means this one for everybody then: else a daemon and a program in a shell with another
    locale would write the views anew after each other for ever.

    Raises:
        InputError: the system does not let us see who holds it.
    """
    if holder(project) is None:
        return None
    return noted(f"{project.state_place}/daemon.json").language


def listed_holder(lines: Iterable[str], device: int, inode: int) -> int | None:
    """Return the process that holds the exclusive `flock` of a file, by the lines of Linux's list of locks; pure."""
    file = f"{os.major(device):02x}:{os.minor(device):02x}:{inode}"
    for line in lines:
        # `1: FLOCK  ADVISORY  WRITE 20848 fe:00:2148883 0 EOF`; one that only waits has `->` after its number.
        match line.split():
            case [_, "FLOCK", _, "WRITE", pid, place, *_] if place == file and pid.isdecimal():
                return int(pid) or None
    return None


def listed(status: os.stat_result) -> int | None:
    """Return the process that Linux lists as the holder of a lock file, None where it lists none."""
    try:
        with open(LOCKS, encoding="ascii", errors="replace") as stream:  # noqa: PTH123 - as above
            lines = stream.read().splitlines()
    except OSError:
        return None
    return listed_holder(lines, status.st_dev, status.st_ino)


def _is_locked(path: str) -> bool:
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


def noted(note: str | os.PathLike[str]) -> Note:
    """Return what a holder has noted of itself; only to be asked while the lock is held."""
    try:
        with open(note, "rb") as stream:  # noqa: PTH123 - as above
            data = loads(stream.read())
        pid = int(data["pid"])
    except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return Note()
    language = data.get("language")
    return Note(pid if 0 < pid < 2**31 else None, language if language in ("zh-CN", "en") else None)
