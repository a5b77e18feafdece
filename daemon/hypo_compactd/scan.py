"""What the files of a project look like without being read: for the sweep and for polling.

A scan costs a fraction of a millisecond a folder. It holds the change time, which no program can
set, so that a file whose mtime was put back is still seen as changed.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from hypo_compactd import config as configuration
from hypo_compactd.config import Config
from hypo_compactd.look import PATTERNS
from hypo_compactd.marks import Mark, Signature, mark_of, signature_of
from hypo_compactd.paths import PIPELINE, Project, global_configuration
from hypo_compactd.reader import Snapshot, list_sources
from hypo_strategies.registry import STRATEGIES

RACY_NS = 2_000_000_000
"""A file changed this shortly before a scan may change again within the same tick of its file system's clock."""


@dataclass(frozen=True, slots=True)
class Scan:
    """The marks of everything that a look depends on, by real path.

    Attributes:
        marks: of sources, folders of sources, views and configuration files that are there.
        racy: whether something had changed so shortly before that a second change might leave the
            same mark: the scan proves nothing then.
    """

    marks: Mapping[str, Mark] = field(default_factory=dict)
    racy: bool = True


def scan(project: Project, config: Config, followed: Iterable[str]) -> Scan:
    """Return what stands there now; what is missing or cannot be looked at has no mark.

    `followed` are canonical paths to which sources point (`Outcome.followed`).
    """
    began_ns = time.time_ns()
    root = project.root
    snapshot = Snapshot()
    places = [place for _, place in list_sources(root, config.layout, PATTERNS, snapshot, followed)]
    places += [config.layout.place(folder) for folder in (*snapshot.folders, *snapshot.problems)]
    places += [configuration.PROJECT_FILE, PIPELINE, "."]
    real = _Real(root)
    views = frozenset(real.place(config.target(strategy)) for strategy in STRATEGIES)
    found = [*views, *map(real.place, places), os.fspath(global_configuration())]
    marks: dict[str, Mark] = {}
    newest = 0
    for named in dict.fromkeys(found):
        try:
            path, status = named, os.lstat(named)
            if stat.S_ISLNK(status.st_mode) and named not in views:
                path = os.path.realpath(named)
                status = os.lstat(path)
        except (OSError, ValueError):
            continue
        if stat.S_ISDIR(status.st_mode):
            # A folder's times change with our own temporary files; what is in it is seen by itself.
            marks[path] = (status.st_dev, status.st_ino, 0, 0, status.st_mode)
            continue
        marks[path] = mark_of(status)
        newest = max(newest, status.st_ctime_ns)
    return Scan(marks, racy=newest > began_ns - RACY_NS)


class _Real:
    """Gives the real path of a place in a project, the last part of it as it stands: each folder is resolved once."""

    def __init__(self, root: Path) -> None:
        self._root = os.fspath(root)
        self._folders: dict[str, str] = {}

    def place(self, place: str) -> str:
        folder, _, name = place.rstrip("/").rpartition("/")
        real = self._folders.get(folder)
        if real is None:
            real = self._folders[folder] = os.path.realpath(f"{self._root}/{folder}")
        return os.path.normpath(f"{real}/{name}")


def with_views(seen: Scan, left: Mapping[str, Signature | None]) -> Scan:
    """Return a scan in which the views stand as a look left them; one that is no longer so keeps its old mark.

    Args:
        seen: a scan from before the look.
        left: by the view's real path: the signature of its file, None for no file.
    """
    marks = dict(seen.marks)
    for path, signature in left.items():
        try:
            status = os.lstat(path)
        except OSError:
            if signature is None:
                marks.pop(path, None)
            continue
        if signature_of(status) == signature:
            marks[path] = mark_of(status)
    return Scan(marks, racy=seen.racy)


def changed(before: Scan, after: Scan) -> list[str]:
    """Return the paths whose marks differ: made, changed or gone."""
    return sorted(
        path for path in before.marks.keys() | after.marks.keys() if before.marks.get(path) != after.marks.get(path)
    )


def interval_s(idle_s: float, cost_s: float, *, least_s: float, most_s: float, sweep_s: float) -> float:
    """Return how long to wait for the next poll of a project.

    Args:
        idle_s: how long ago something last changed there: the longer, the less often.
        cost_s: what a scan or a look takes: no more than a twentieth of the time is to go into them.
        least_s: the shortest answer.
        most_s: the longest one that idleness gives.
        sweep_s: the longest one of all, whatever a look takes.
    """
    return min(max(min(max(least_s, idle_s / 60), most_s), 20 * cost_s), sweep_s)
