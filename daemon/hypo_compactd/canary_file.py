"""The process's canary on the disk: a private folder with one file, in a place that certainly brings events."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

_PREFIX = "hypo-compactd-canary-"


class CanaryFile:
    """A folder of our own to be watched, and the file in it whose event must come.

    It lies in the user's runtime folder where there is one, else among the temporary files: in
    memory or on a local disk, whatever the projects lie on.

    Raises:
        OSError: neither can be written.
    """

    def __init__(self) -> None:
        base = _places()[0]
        _sweep(base)
        self.folder = os.path.realpath(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-", dir=base))

    def fly(self) -> None:
        """Make an event.

        Raises:
            OSError: the system's refusal.
        """
        Path(self.folder, "canary").write_bytes(b"")

    def remove(self) -> None:
        """Remove the folder; that somebody else has done so is no matter."""
        shutil.rmtree(self.folder, ignore_errors=True)


def sweep() -> None:
    """Remove what daemons that were killed have left."""
    for base in _places():
        _sweep(base)


def _places() -> list[Path]:
    """Return where a canary may lie, the best place first."""
    given = os.environ.get("XDG_RUNTIME_DIR", "")
    runtime = [Path(given)] if os.access(given, os.W_OK | os.X_OK) and Path(given).is_dir() else []
    return [*runtime, Path(tempfile.gettempdir())]


def _sweep(base: Path) -> None:
    """Remove the folders of processes that were killed."""
    for folder in base.glob(f"{_PREFIX}*-*"):
        pid = folder.name.removeprefix(_PREFIX).partition("-")[0]
        if pid.isascii() and pid.isdigit() and len(pid) < 10 and not _runs(int(pid)):
            with suppress(OSError):
                if folder.lstat().st_uid == os.getuid() and not folder.is_symlink():
                    shutil.rmtree(folder, ignore_errors=True)


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
