"""File systems that bring no events of changes made elsewhere (watching.md, 1.5).

inotify tells what this machine's kernel does. What another machine, the host of a container or the
Windows side of WSL writes to a shared folder passes it by, while our own writes there bring events:
so a canary cannot tell, and the type of the file system decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
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

_MOUNTS = Path("/proc/self/mountinfo")
_ESCAPED = re.compile(r"\\([0-7]{3})")


def silent_type(path: str) -> str | None:
    """Return the type of the file system that `path` (a real path) is on when it brings no events, else None.

    None also where the system has no list of mounts: there the canary decides alone.
    """
    try:
        listed = _MOUNTS.read_text("utf-8", "surrogateescape")
    except OSError:
        return None
    found = type_of(path, parse(listed))
    return found if found in SILENT else None


def parse(listed: str) -> list[tuple[str, str]]:
    """Return (mount point, type) of every line of `/proc/self/mountinfo`; lines of another form are passed over."""
    mounts = []
    for line in listed.split("\n"):
        before, separator, after = line.partition(" - ")
        fields, kinds = before.split(" "), after.split(" ")
        if separator and len(fields) >= 5:
            mounts.append((_ESCAPED.sub(lambda code: chr(int(code[1], 8)), fields[4]), kinds[0]))
    return mounts


def type_of(path: str, mounts: Iterable[tuple[str, str]]) -> str | None:
    """Return the type of the mount that holds `path`: the deepest one, and of two in one place the later one."""
    wanted = PurePosixPath(path)
    best, depth = None, -1
    for point, kind in mounts:
        here = PurePosixPath(point)
        if len(here.parts) >= depth and wanted.is_relative_to(here):
            best, depth = kind, len(here.parts)
    return best
