"""Views on disk: what stands there, and what should."""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

TARGETS = {
    "progress": "PROGRESS.compact.md",
    "state": "state.compact.yaml",
    "log": "log.compact.yaml",
    "reports": "reports.compact.md",
    "patches": "patches.compact.md",
    "knowledge": "knowledge/knowledge.compact.md",
}


def views(project: Path) -> dict[str, bytes]:
    """Return the bytes of the views that stand, by name."""
    found = {}
    for name, target in TARGETS.items():
        try:
            found[name] = (project / ".pipeline" / target).read_bytes()
        except FileNotFoundError:
            continue
    return found


def from_scratch(project: Path, scratch: Path, *, within: tuple[str, ...] = ()) -> dict[str, bytes]:
    """Return the views that a fresh `compact` makes of a copy of the project: the oracle.

    `within` is put before the command, where the views are made by somebody else than who runs the test.
    """
    copy = scratch / "copy"
    for folder, _, _ in os.walk(copy):
        Path(folder).chmod(0o700)
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(
        project,
        copy / "project",
        ignore=shutil.ignore_patterns("*.compact.*", ".hypo-compactd-*"),
        symlinks=True,
        copy_function=_copy,
    )
    environment = os.environ | {"HYPO_COMPACTD_STATE_DIR": os.fspath(copy / "state")}
    command = [*within, sys.executable, "-m", "hypo_compactd", "compact", os.fspath(copy / "project"), "-q"]
    subprocess.run(command, env=environment, check=False, capture_output=True)
    return views(copy / "project")


def _copy(source: str, target: str) -> None:
    """Copy a file; what is none, or cannot be read, becomes another such thing."""
    mode = os.lstat(source).st_mode
    if not stat.S_ISREG(mode):
        os.mknod(target, mode)
    elif os.access(source, os.R_OK):
        shutil.copy2(source, target)
    else:
        Path(target).touch(mode=stat.S_IMODE(mode))


def sources(project: Path) -> dict[str, str]:
    """Return the digest of every file of the project that is no view and no temporary file of ours."""
    return {
        os.fspath(path.relative_to(project)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(project.rglob("*"))
        if not path.name.startswith(".hypo-compactd-")
        if path.is_file() and ".compact." not in path.name and os.access(path, os.R_OK)
    }
