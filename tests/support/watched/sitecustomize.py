"""Loaded by the daemon's interpreter before its own code: it notes what the daemon does to the projects.

Python tells an audit hook of each opening, renaming and removing before it is done, so what is
noted here is complete, in whatever state the process is killed. In the journal stand

    published DIGEST NAME    a file that is renamed into a view's place, with the content that it has then
    altered EVENT PATH       anything else that is done to a project's files

`support.journal` reads it.
"""

# Called at every event: strings, and nothing that raises more events than it must.
# ruff: noqa: PTH115, PTH117, PTH118, PTH119, PTH123

from __future__ import annotations

import hashlib
import os
import sys
from typing import Any

JOURNAL = os.environ.get("HYPO_TEST_JOURNAL")
FOLDER = os.environ.get("HYPO_TEST_FOLDER", "") + os.sep
"""The folder that holds the projects."""

OURS = ".hypo-compactd-"
VIEWS = frozenset(
    {
        "PROGRESS.compact.md",
        "state.compact.yaml",
        "log.compact.yaml",
        "reports.compact.md",
        "patches.compact.md",
        "knowledge.compact.md",
    }
)
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
CHANGES = {
    "os.rename": 2,
    "os.remove": 1,
    "os.rmdir": 1,
    "os.mkdir": 2,
    "os.link": 2,
    "os.symlink": 2,
    "os.truncate": None,
    "os.chmod": 2,
    "os.chown": 3,
    "os.chflags": None,
    "os.utime": 3,
    "os.setxattr": None,
    "os.removexattr": None,
}
"""Events that change something, each with which of its arguments is the open folder that a bare name is in."""


def note(descriptor: int, event: str, arguments: tuple[Any, ...]) -> None:
    if event == "open":
        # It does not tell the folder: a bare name is taken for one in a project.
        if not arguments[2] & WRITING or isinstance(arguments[0], int):
            return
        path = _inside(arguments[0], -1)
    elif event in CHANGES:
        index = CHANGES[event]
        path = _inside(arguments[0], -1 if index is None else arguments[index])
        if path and event == "os.rename" and _publishes(arguments):
            os.write(descriptor, f"published {_digest(arguments)} {_name(arguments[1])}\n".encode())
            return
        if path and event in {"os.remove", "os.utime"} and _name(path) in VIEWS:
            return
    else:
        return
    if path and not _name(path).startswith(OURS):
        os.write(descriptor, f"altered {event} {path!a}\n".encode())


def _inside(given: Any, folder: int) -> str | None:
    """Return a path that is or may be in a project, None for any other; `folder` is an open one, -1 for none."""
    path = _place(given) if isinstance(given, int) else os.fsdecode(given)
    if folder >= 0 and not os.path.isabs(path):
        path = os.path.join(_place(folder), path)
    return path if path.startswith(FOLDER) or not os.path.isabs(path) else None


def _place(descriptor: int) -> str:
    """Return what is open, as far as the system tells."""
    try:
        return os.readlink(f"/proc/self/fd/{descriptor}")
    except OSError:
        return ""


def _publishes(arguments: tuple[Any, ...]) -> bool:
    return _name(arguments[0]).startswith(OURS) and _name(arguments[1]) in VIEWS


def _digest(arguments: tuple[Any, ...]) -> str:
    folder = arguments[2]
    descriptor = os.open(arguments[0], os.O_RDONLY, dir_fd=folder if folder >= 0 else None)
    with open(descriptor, "rb") as stream:
        return hashlib.sha256(stream.read()).hexdigest()


def _name(path: Any) -> str:
    return os.path.basename(os.fsdecode(path))


if JOURNAL:
    _descriptor = os.open(JOURNAL, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    sys.addaudithook(lambda event, arguments: note(_descriptor, event, arguments))
