"""What Linux lets this user watch.

watchdog 6 leaks descriptors at each watch that fails for want of room, so while there is none it
must not be asked again and again.
"""

from __future__ import annotations

import ctypes
import errno
import os
from dataclasses import dataclass
from pathlib import Path

IN_DELETE_SELF = 0x400


WATCHES, INSTANCES, QUEUE = "watches", "instances", "queue"

_SYSCTLS = {
    WATCHES: ("fs.inotify.max_user_watches", "user.max_inotify_watches"),
    INSTANCES: ("fs.inotify.max_user_instances", "user.max_inotify_instances"),
    QUEUE: ("fs.inotify.max_queued_events",),
}
"""Those under `user.` hold for a user namespace, such as a container's."""


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit as it stands: which sysctl sets it, and its value."""

    sysctl: str
    value: int


def has_room(folder: str) -> bool:
    """Return whether one more watch can be made; True on a system that has no inotify."""
    return _watched(folder) is None


def lacking(folder: str) -> str:
    """Return which limit keeps us from one more watch, `WATCHES` or `INSTANCES`; "" when none does."""
    refusal = _watched(folder)
    return {errno.ENOSPC: WATCHES, errno.EMFILE: INSTANCES}.get(refusal or 0, "")


def limit(which: str) -> Limit | None:
    """Return the strictest limit of `WATCHES`, `INSTANCES` or `QUEUE`; None where the system does not say."""
    found = []
    for sysctl in _SYSCTLS[which]:
        try:
            found.append(Limit(sysctl, int(Path("/proc/sys", *sysctl.split(".")).read_text("ascii"))))
        except (OSError, ValueError):
            continue
    return min(found, key=lambda one: one.value, default=None)


def instance_limit() -> int | None:
    """Return how many inotify instances this user may have, None where the system does not say."""
    found = limit(INSTANCES)
    return found.value if found else None


def _watched(folder: str) -> int | None:
    """Make a watch and an instance for it, and give both back; return the system's refusal, None for none."""
    libc = ctypes.CDLL(None, use_errno=True)
    if not hasattr(libc, "inotify_init1"):
        return None
    descriptor = libc.inotify_init1(os.O_CLOEXEC)
    if descriptor < 0:
        return ctypes.get_errno()
    try:
        if libc.inotify_add_watch(descriptor, os.fsencode(folder), IN_DELETE_SELF) < 0:
            return ctypes.get_errno()
        return None
    finally:
        os.close(descriptor)
