"""Views on disk: what stands there, and what should."""

from __future__ import annotations

import hashlib
import os
import shutil
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


def from_scratch(project: Path, scratch: Path) -> dict[str, bytes]:
    """Return the views that a fresh `compact` makes of a copy of the project: the oracle."""
    copy = scratch / "copy"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(
        project, copy / "project", ignore=shutil.ignore_patterns("*.compact.*", ".hypo-compactd-*"), symlinks=True
    )
    environment = os.environ | {"HYPO_COMPACTD_STATE_DIR": os.fspath(copy / "state")}
    command = [sys.executable, "-m", "hypo_compactd", "compact", os.fspath(copy / "project"), "-q"]
    subprocess.run(command, env=environment, check=False, capture_output=True)
    return views(copy / "project")


def sources(project: Path) -> dict[str, str]:
    """Return the digest of every file of the project that is no view."""
    return {
        os.fspath(path.relative_to(project)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(project.rglob("*"))
        if path.is_file() and ".compact." not in path.name
    }
