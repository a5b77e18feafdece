"""What this user may read and write, and what is in the way; nothing is changed to find that out."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from hypo_compactd import PROGRAM
from hypo_compactd.doctor.facts import Blocked, Closed, OwnFolder, Remedy, Unusable
from hypo_compactd.reader import kind_of
from hypo_strategies.text.phrase import Phrase, phrase


def first_closed(root: Path, place: str, *, write: bool = False) -> Closed | None:
    """Return the first folder on the way to a place, or that place, which is closed to us; None when none is there.

    Args:
        root: a real path.
        place: a path below it; what a link leads to outside is never read nor written, so that is not looked at.
        write: whether the place is a folder in which files are to be written.
    """
    parts = Path(place).parts
    for count in range(len(parts) + 1):
        path = root.joinpath(*parts[:count])
        last = count == len(parts)
        try:
            status = path.stat()
        except OSError:
            return None
        if not Path(os.path.realpath(path)).is_relative_to(root):
            return None
        folder = stat.S_ISDIR(status.st_mode)
        needed = (os.R_OK if last else 0) | (os.X_OK if folder else 0) | (os.W_OK if last and write and folder else 0)
        if not _may(path, needed):
            # A folder that cannot even be entered is opened for reading first.
            only_write = last and write and _may(path, needed & ~os.W_OK)
            own = status.st_uid == os.geteuid()
            return Closed(os.fspath(path), folder, only_write, own, only_write and _read_only(path))
    return None


def blocked(root: Path, place: str) -> Blocked | None:
    """Return what is in the place of a view, or of the folder for it; None when nothing is, or it is a file.

    Args:
        root: the real path of the project.
        place: where the view stands, relative to it.
    """
    parts = Path(place).parts
    for count in range(1, len(parts) + 1):
        path = root.joinpath(*parts[:count])
        last = count == len(parts)
        try:
            mode = (path.lstat() if last else path.stat()).st_mode
        except OSError:  # there is nothing, or it is closed to us
            return None
        if not last and not Path(os.path.realpath(path)).is_relative_to(root):
            return None  # nothing outside the project is looked at
        if not (stat.S_ISREG(mode) if last else stat.S_ISDIR(mode)):
            return Blocked(os.fspath(path), kind_of(mode), not last, _aside(mode, folder_belongs=not last))
    return None


def unusable(root: Path, place: str, problem: Phrase) -> Unusable:
    """Return what would mend a configuration or a list of projects that cannot be used.

    Args:
        root: a real path.
        place: where it is below that.
        problem: why it cannot be used.
    """
    path = root / place
    try:
        if Path(os.path.realpath(path)).is_relative_to(root):
            if closed := first_closed(root, place):
                return Unusable(os.fspath(path), problem, closed=closed)
            mode = path.stat().st_mode
        else:
            mode = path.lstat().st_mode
    except OSError:
        return Unusable(os.fspath(path), problem)
    remedy = Remedy.EDIT if stat.S_ISREG(mode) else _aside(mode)
    return Unusable(os.fspath(path), problem, remedy)


def own_folder(folder: Path, *, ours: bool = False) -> OwnFolder | None:
    """Return why a folder of ours cannot be made or written, and what would help; None when it can.

    Args:
        folder: where it is.
        ours: whether it is nobody else's for certain, else its name must say so: a variable can name any folder.
    """
    folder = folder.absolute()
    there = next((one for one in (folder, *folder.parents) if os.path.lexists(one)), folder)
    if not there.is_dir():
        return OwnFolder(os.fspath(there), phrase("not a folder"))
    if _may(there, os.W_OK | os.X_OK):
        return None
    if _read_only(there):
        return OwnFolder(os.fspath(folder), phrase("read-only file system"))
    denied = phrase("permission denied")
    if there.stat().st_uid == os.geteuid():
        return OwnFolder(os.fspath(there), denied, Remedy.OPEN)
    if there != folder:
        # Never a folder above ours: that may be the whole system's.
        return OwnFolder(os.fspath(folder), denied, Remedy.MAKE if _may(there, os.X_OK) else Remedy.NONE)
    return OwnFolder(os.fspath(folder), denied, Remedy.TAKE if ours or PROGRAM in folder.parts else Remedy.NONE)


def _aside(mode: int, *, folder_belongs: bool = False) -> Remedy:
    return Remedy.MOVE if folder_belongs or stat.S_ISDIR(mode) else Remedy.REMOVE


def _may(path: Path, mode: int) -> bool:
    return os.access(path, mode, effective_ids=os.access in os.supports_effective_ids)


def _read_only(path: Path) -> bool:
    try:
        return bool(os.statvfs(path).f_flag & os.ST_RDONLY)
    except OSError:
        return False
