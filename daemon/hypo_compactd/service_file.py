"""The file of the service, a unit or an agent: ours is read, written and removed, nobody else's is touched.

It may be a link into a folder of dotfiles: where that leads to a file of ours, or to none yet, it is
followed, and stays.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

from hypo_compactd.errors import RefusedError
from hypo_compactd.messages import printable
from hypo_compactd.reader import describe, kind_of
from hypo_compactd.service import MARKER, ServiceError

LIMIT = 64 * 1024
"""Bytes that are read; ours has three thousand."""

_MODE = 0o644
"""launchd takes no agent that others may write, whatever the user's umask."""


def to_install(path: Path, *, force: bool) -> str | None:
    """Return what stands in our file, None when there is none; with `force` "" for a file that is not ours.

    Raises:
        RefusedError: it is a folder, or without `force` a file that is not ours.
        OSError: it cannot be read.
    """
    mode, text = _standing(path)
    if mode is None:
        return None
    if MARKER in text:
        return text
    if stat.S_ISDIR(mode):
        raise RefusedError("{path}: is a folder; move it away, and install again", path=printable(str(path)))
    if force:
        return ""
    raise RefusedError(
        "{path}: is {kind} that hypo-compactd has not made; move it away, or install over it with --force",
        path=printable(str(path)),
        kind=kind_of(mode),
    )


def to_uninstall(path: Path) -> tuple[Path, ...]:
    """Return what there is of ours: the file, and the link that leads to it; a link to nothing is not ours.

    Raises:
        RefusedError: what is there is not ours.
        OSError: it cannot be read.
    """
    mode, text = _standing(path)
    if mode is not None and MARKER not in text:
        raise RefusedError(
            "{path}: is {kind} that hypo-compactd has not made; it is left as it is, so remove it yourself",
            path=printable(str(path)),
            kind=kind_of(mode),
        )
    return () if mode is None else tuple(dict.fromkeys((_place(path), path)))


def write(path: Path, text: str) -> None:
    """Put our file in place, whole and flushed to the disk: it must not be an empty one after a loss of power.

    Raises:
        ServiceError: the system refuses; what was there is untouched.
    """
    place = _place(path)
    temporary = _temporary(place)
    try:
        place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        try:
            with temporary.open("wb") as stream:
                stream.write(text.encode())
                stream.flush()
                os.fchmod(stream.fileno(), _MODE)
                os.fsync(stream.fileno())
            temporary.replace(place)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise ServiceError(
            "{path} cannot be written: {reason}; make room on its disk, or its folder writable, and try again",
            path=printable(str(place)),
            reason=describe(error),
        ) from None
    with suppress(OSError):  # not every file system can flush a folder
        _flush(place.parent)


def remove(path: Path) -> None:
    """Remove what is at `path` alone, not what a link there leads to; that nothing is there is no matter.

    Raises:
        ServiceError: the system refuses.
    """
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise ServiceError(
            "{path} cannot be removed: {reason}; make its folder writable, and try again",
            path=printable(str(path)),
            reason=describe(error),
        ) from None


def sweep(path: Path) -> None:
    """Remove what an install that was killed has left beside our file."""
    for one in (path, _place(path)):
        with suppress(OSError):
            _temporary(one).unlink()


def _place(path: Path) -> Path:
    """Return where our file stands: at `path`, or where a link there leads to, if that is ours or nothing yet."""
    if not path.is_symlink():
        return path
    real = Path(os.path.realpath(path))
    return real if not os.path.lexists(real) or MARKER in _standing_at(real)[1] else path


def _standing(path: Path) -> tuple[int | None, str]:
    return _standing_at(_place(path))


def _standing_at(path: Path) -> tuple[int | None, str]:
    """Return the mode of what is there, None when there is nothing, and the text of a file."""
    try:
        mode = path.lstat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return None, ""
    if not stat.S_ISREG(mode):
        return mode, ""
    with path.open("rb") as stream:
        return mode, stream.read(LIMIT).decode("utf-8", "replace")


def _temporary(path: Path) -> Path:
    return path.with_name(f"{path.name}.tmp")


def _flush(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
