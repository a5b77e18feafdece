"""The only writer of projects: a view is replaced whole or not at all.

The new text is written to a temporary file in the same folder, flushed to the disk and renamed
over the old view, so that no reader ever meets a torn, empty or unreadable view. Only regular
files are replaced; a symbolic link, a folder or anything else at a view's place is refused.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
import threading
from pathlib import Path

from hypo_compactd.errors import RefusedError
from hypo_compactd.marks import Signature, signature_of
from hypo_compactd.reader import kind_of, open_beneath

TEMPORARY = ".hypo-compactd-"
"""What the names of our temporary files begin with."""

_unfinished: set[tuple[int, str]] = set()
"""The temporary files that are being written now: the open folder and the name of each."""

_ending = threading.Event()


def write_view(root: Path, path: str, data: bytes, *, not_before_ns: int) -> Signature:
    """Replace the file `path` (relative to the project) by `data` and return its new signature.

    Args:
        root: the real path of the project.
        path: where the view stands; its folder must exist.
        data: the whole content.
        not_before_ns: its mtime is set to this where it would be older: upstream takes a view
            that is older than its sources for stale (views.md, When views are refreshed).

    Raises:
        RefusedError: something other than a regular file is in its place, or the folder lies
            outside the project.
        OSError: the system's refusal (disk full, read-only …); the old view is untouched.
    """
    folder, name = _open_folder(root, path)
    try:
        mode = _mode(folder, name)
        temporary = f"{TEMPORARY}{os.getpid()}-{secrets.token_hex(6)}.tmp"
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        _unfinished.add((folder, temporary))
        try:
            descriptor = os.open(temporary, flags, 0o666, dir_fd=folder)
            try:
                if _ending.is_set():
                    raise RefusedError("the program is ending")
                _write_all(descriptor, data)
                if mode is not None:
                    os.fchmod(descriptor, mode)
                os.fsync(descriptor)
                _raise_mtime(descriptor, not_before_ns)
                signature = signature_of(os.fstat(descriptor))
            finally:
                os.close(descriptor)
            os.rename(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
        except BaseException:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(temporary, dir_fd=folder)
            raise
        finally:
            _unfinished.discard((folder, temporary))
    finally:
        os.close(folder)
    return signature


def abandon(wait_s: float) -> None:
    """Remove the temporary files of views that are being written, since the process ends before they are.

    No view is written any more. It takes `wait_s` seconds at most, also where a file system hangs.
    """

    def remove() -> None:
        for folder, name in tuple(_unfinished):
            with contextlib.suppress(OSError):
                os.unlink(name, dir_fd=folder)

    _ending.set()
    removing = threading.Thread(target=remove, name="abandon", daemon=True)
    removing.start()
    removing.join(wait_s)


def touch_view(root: Path, path: str, *, not_before_ns: int) -> Signature | None:
    """Raise the mtime of an unchanged view to `not_before_ns` where it is older; return its signature.

    None when the view is no longer a regular file there.
    """
    try:
        descriptor = open_beneath(root, path, os.O_RDONLY | os.O_NONBLOCK)
    except (FileNotFoundError, RefusedError):
        return None
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return None
        _raise_mtime(descriptor, not_before_ns)
        return signature_of(os.fstat(descriptor))
    finally:
        os.close(descriptor)


def withdraw_view(root: Path, path: str) -> bool:
    """Remove a view whose source is gone; return whether there was one.

    Raises:
        RefusedError: something other than a regular file is in its place.
        OSError: the system's refusal.
    """
    try:
        folder, name = _open_folder(root, path)
    except FileNotFoundError:
        return False
    try:
        if _mode(folder, name) is None:
            return False
        os.unlink(name, dir_fd=folder)
    except FileNotFoundError:
        return False
    finally:
        os.close(folder)
    return True


def sweep_temporary(root: Path, folders: set[str]) -> int:
    """Remove temporary files that a killed process left in these folders; return how many there were.

    The caller holds the project's lock, so no other process is writing one.
    """
    swept = 0
    for folder in folders:
        try:
            descriptor = open_beneath(root, folder, os.O_RDONLY | os.O_DIRECTORY)
        except (OSError, RefusedError):
            continue
        try:
            for name in os.listdir(descriptor):  # noqa: PTH208 - pathlib cannot list an open folder
                if name.startswith(TEMPORARY) and name.endswith(".tmp"):
                    with contextlib.suppress(OSError):
                        os.unlink(name, dir_fd=descriptor)
                        swept += 1
        finally:
            os.close(descriptor)
    return swept


def write_canary(root: Path, folder: str) -> None:
    """Make and remove a temporary file in a folder of the project, so that an event of it comes.

    Raises:
        RefusedError: the folder lies outside the project.
        OSError: the system's refusal.
    """
    descriptor = open_beneath(root, folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        name = f"{TEMPORARY}canary-{os.getpid()}-{secrets.token_hex(4)}.tmp"
        os.close(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600, dir_fd=descriptor))
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name, dir_fd=descriptor)
    finally:
        os.close(descriptor)


def write_private(path: Path, data: bytes) -> None:
    """Replace one of our own files (outside the project) atomically; its folder is made when missing.

    Each of these files has one writer at a time, so the temporary one has a fixed name: what a
    killed process left of it is overwritten by the next one.

    Raises:
        OSError: the system's refusal; the old file is untouched.
    """
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    temporary = path.with_name(f"{path.name}.tmp")
    try:
        with temporary.open("wb") as stream:
            stream.write(data)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _open_folder(root: Path, path: str) -> tuple[int, str]:
    folder, _, name = path.rpartition("/")
    return open_beneath(root, folder or ".", os.O_RDONLY | os.O_DIRECTORY), name


def _mode(folder: int, name: str) -> int | None:
    """Return the permissions of the regular file `name`, None when there is nothing."""
    try:
        mode = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(mode):
        raise RefusedError(
            "is {kind}, not a file; it is left as it is, so remove it to get the view", kind=kind_of(mode)
        )
    return stat.S_IMODE(mode)


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def _raise_mtime(descriptor: int, not_before_ns: int) -> None:
    status = os.fstat(descriptor)
    if status.st_mtime_ns < not_before_ns:
        os.utime(descriptor, ns=(status.st_atime_ns, not_before_ns))
