"""File systems that bring no events of changes made elsewhere (watching.md, 1.5).

inotify tells what this machine's kernel does. What another machine, the host of a container or the
Windows side of WSL writes to a shared folder passes it by, while our own writes there bring events:
so a canary cannot tell, and the type of the file system decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePosixPath

SILENT = frozenset(
    {
        *("9p", "drvfs", "virtiofs", "vboxsf", "prl_fs", "vmhgfs", "fuse.vmhgfs-fuse", "grpcfuse", "fuse.grpcfuse"),
        *("fakeowner", "nfs", "nfs4", "cifs", "smb3", "smbfs", "fuse.sshfs", "fuse.rclone", "fuse.gcsfuse"),
        *("fuse.s3fs", "fuse.davfs", "davfs", "afs", "ceph", "fuse.ceph", "fuse.glusterfs", "glusterfs", "lustre"),
        *("gpfs", "beegfs", "ocfs2", "gfs2"),
    }
)
"""Types, as the kernel's list of mounts names them."""


@dataclass(frozen=True, slots=True)
class Mount:
    """One mount: its number, which no two mounts have at a time, its place and the type of its file system."""

    number: str
    point: PurePosixPath
    kind: str


_MOUNTS = Path("/proc/self/mountinfo")
_ESCAPED = re.compile(r"\\([0-7]{3})")


def silent_type(path: str) -> str | None:
    """Return the type of the file system that `path` (a real path) is on when it brings no events, else None.

    None also where the system has no list of mounts: there the canary decides alone.
    """
    found = _found(path, _listed())
    return found.kind if found and found.kind in SILENT else None


def mount_of(path: str) -> str:
    """Return what tells the mount that holds `path` (a real path) from another one in its place; "" if unknown."""
    found = _found(path, _listed())
    return found.number if found else ""


def parse(listed: str) -> list[Mount]:
    """Return every line of `/proc/self/mountinfo`; lines of another form are passed over."""
    mounts = []
    for line in listed.split("\n"):
        before, separator, after = line.partition(" - ")
        fields, kinds = before.split(" "), after.split(" ")
        if separator and len(fields) >= 5:
            point = _ESCAPED.sub(lambda code: chr(int(code[1], 8)), fields[4])
            mounts.append(Mount(fields[0], PurePosixPath(point), kinds[0]))
    return mounts


def type_of(path: str, mounts: Iterable[Mount]) -> str | None:
    """Return the type of the file system that holds `path`, None when no mount does."""
    found = _holding(path, mounts)
    return found.kind if found else None


def _holding(path: str, mounts: Iterable[Mount]) -> Mount | None:
    """Return the mount that holds a path: the deepest one, and of two in one place the later one."""
    wanted = PurePosixPath(path)
    best: Mount | None = None
    for mount in mounts:
        deeper = best is None or len(mount.point.parts) >= len(best.point.parts)
        if deeper and wanted.is_relative_to(mount.point):
            best = mount
    return best


@lru_cache(maxsize=64)
def _found(path: str, listed: str) -> Mount | None:
    """Return the mount that holds a path: the list is asked for at each look, and hardly ever another one."""
    return _holding(path, parse(listed))


def _listed() -> str:
    try:
        return _MOUNTS.read_text("utf-8", "surrogateescape")
    except OSError:
        return ""
