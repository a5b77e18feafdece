"""What tells one state of a file from another without reading it, and when that proves nothing; pure."""

from __future__ import annotations

import os

Signature = tuple[int, int, int, int]
"""(device, inode, size, mtime_ns): a file with the same signature is taken for unchanged."""

Mark = tuple[int, int, int, int, int]
"""A signature and the ctime_ns, which no program can set."""

GRANULE_NS = 20_000_000
"""Two changes within one tick of the kernel's clock (10 ms at most) bear the same time."""

COARSE_GRANULE_NS = 2_000_000_000
"""The same where a file system keeps whole seconds, or every other one."""


def signature_of(status: os.stat_result) -> Signature:
    """Return what tells one state of a file from another without reading it."""
    return (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)


def mark_of(status: os.stat_result) -> Mark:
    """Return the same with the time that no program can set."""
    return (*signature_of(status), status.st_ctime_ns)


def is_racy(mark: Mark, began_ns: int) -> bool:
    """Return whether a file may have changed after a look began though its mark stayed as it was.

    Git knows this of its index («racily clean»): what is written within the tick of the clock in which the look began
    bears the time of that tick.
    """
    *_, modified_ns, changed_ns = mark
    whole = not modified_ns % 1_000_000_000 and not changed_ns % 1_000_000_000
    granule_ns = COARSE_GRANULE_NS if whole else GRANULE_NS
    # The time of the last write may be set to anything; that of the last change may not, but not all systems keep it.
    return changed_ns >= began_ns - granule_ns or abs(modified_ns - began_ns) <= granule_ns
