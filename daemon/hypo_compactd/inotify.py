"""What Linux lets this user watch.

watchdog 6 leaks descriptors at each watch that fails for want of room, so while there is none it
must not be asked again and again.
"""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

IN_DELETE_SELF = 0x400


def has_room(folder: str) -> bool:
    """Return whether one more watch can be made; True on a system that has no inotify."""
    libc = ctypes.CDLL(None, use_errno=True)
    if not hasattr(libc, "inotify_init1"):
        return True
    descriptor = libc.inotify_init1(os.O_CLOEXEC)
    if descriptor < 0:
        return False
    try:
        return bool(libc.inotify_add_watch(descriptor, os.fsencode(folder), IN_DELETE_SELF) >= 0)
    finally:
        os.close(descriptor)


def instance_limit() -> int | None:
    """Return how many inotify instances this user may have, None where the system does not say."""
    try:
        return int(Path("/proc/sys/fs/inotify/max_user_instances").read_text("ascii"))
    except (OSError, ValueError):
        return None
