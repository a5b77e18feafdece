"""Which folders of a project are watched, and which paths in them matter."""

from __future__ import annotations

import fnmatch
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from hypo_compactd import paths
from hypo_compactd.config import Config
from hypo_compactd.paths import Project
from hypo_compactd.reader import IGNORED
from hypo_strategies.registry import STRATEGIES

FOLDER_LIMIT = 32
"""Folders of one project that are watched; each costs threads, and with watchdog 6 one of the user's inotify
instances, of which there are often 128. The sweep looks at what is beyond (watching.md, 0.3)."""

SCAN_LIMIT = 500
"""Folders of one project that are looked for at all."""

_INSIDE = ("patches", "knowledge", "knowledge/records", "knowledge/index", "reports", "archives")
_DEPTH = {"reports": 12, "archives": 1}


@dataclass(frozen=True, slots=True)
class Interest:
    """What of a project matters to its worker.

    Attributes:
        folders: real paths of the folders to watch.
        outputs: real paths of the views.
        exact: folders in which only these paths matter, since they hold much else (the project's
            own folder, the global configuration's).
        beyond: how many folders more there are than are watched; their changes are found by looking.
    """

    folders: tuple[str, ...]
    outputs: frozenset[str]
    exact: dict[str, frozenset[str]]
    beyond: int = 0

    def matters(self, path: str) -> bool:
        """Return whether a change of `path` may change a view; a view itself is for the caller to judge."""
        folder, name = os.path.split(path)
        if folder in self.exact:
            return path in self.exact[folder]
        return not any(fnmatch.fnmatchcase(name, ignored) for ignored in IGNORED)


NOTHING = Interest((), frozenset(), {})
"""What matters before anything is known of a project."""


def interest_of(project: Project, config: Config, followed: Iterable[str] = ()) -> Interest:
    """Return what to watch of a project as it stands now; a missing folder comes with the look that finds it.

    `followed` are canonical paths to which sources point (`Outcome.followed`).
    """
    root = project.root
    pointed = [root / config.layout.place(path) for path in followed]
    files = [root / config.layout.place(name) for name in ("state.yaml", "log.yaml")]
    inside = [root / config.layout.place(name) for name in _INSIDE]
    nested = [one for name, depth in _DEPTH.items() for one in _below(root / config.layout.place(name), depth)]
    # Beyond the limit, what was changed last counts most: that is where work goes on.
    newest = [folder for _, folder in sorted(nested, key=lambda one: one[0], reverse=True)]
    shared = Path(os.path.realpath(paths.global_configuration().parent)) / paths.global_configuration().name
    folders = [project.pipeline, *(file.parent for file in files), *inside, *(one.parent for one in pointed), *newest]
    real = (os.path.realpath(folder) for folder in folders)
    wanted = [os.fspath(root), os.fspath(shared.parent), *(one for one in real if Path(one).is_relative_to(root))]
    present = [folder for folder in dict.fromkeys(wanted) if os.path.isdir(folder)]  # noqa: PTH112 - never raises
    exact = {
        os.fspath(root): frozenset(map(os.fspath, (project.pipeline, *files, *inside))),
        os.fspath(shared.parent): frozenset({os.fspath(shared)}),
    }
    own = {os.path.realpath(folder) for folder in (project.pipeline, *inside)}
    for file in pointed:
        folder = os.path.realpath(file.parent)
        if folder not in own:
            exact[folder] = exact.get(folder, frozenset()) | {os.fspath(Path(folder, file.name))}
    outputs = frozenset(paths.real_place(root, config.target(strategy)) for strategy in STRATEGIES)
    return Interest(tuple(present[:FOLDER_LIMIT]), outputs, exact, max(0, len(present) - FOLDER_LIMIT))


def _below(folder: Path, depth: int) -> list[tuple[int, Path]]:
    """Return the folders below one, each with its mtime; links are not followed."""
    if depth == 0:
        return []
    try:
        with os.scandir(folder) as entries:
            inner = [one for one in entries if one.is_dir(follow_symlinks=False) and not one.name.startswith(".")]
    except OSError:
        return []
    found = sorted((_mtime_ns(one), folder / one.name) for one in inner)[-SCAN_LIMIT:]
    for _, one in tuple(found):
        if len(found) < SCAN_LIMIT:
            found += _below(one, depth - 1)
    return found


def _mtime_ns(entry: os.DirEntry[str]) -> int:
    try:
        return entry.stat(follow_symlinks=False).st_mtime_ns
    except OSError:  # it has just gone
        return 0
