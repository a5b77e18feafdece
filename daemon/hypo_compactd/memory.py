"""How the system's allocator treats what a daemon frees."""

from __future__ import annotations

import ctypes

_MMAP_THRESHOLD, _ARENA_MAX = -3, -8
_LARGE = 1 << 20


def keep_small() -> None:
    """Let glibc give each block of 1 MiB and more back as soon as it is freed, and use one heap; elsewhere do nothing.

    It would else learn from the first long log to keep such blocks, and the process stays as large as its largest
    look for ever; and each of our many threads, of which one runs at a time, would have a heap of its own
    (mallopt(3), M_MMAP_THRESHOLD and M_ARENA_MAX).
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_MMAP_THRESHOLD, _LARGE)
        mallopt(_ARENA_MAX, 1)


def give_back_all() -> None:
    """Give what is free back to the system, as after the first looks, which load much and leave little."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
