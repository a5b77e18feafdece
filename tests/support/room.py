"""A corner of the system with limits and mounts of its own, for faults that need one; no root is needed for it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

_UNSHARE = ("unshare", "--user", "--map-root-user", "--mount", "--propagation", "private")


class Room:
    """A user namespace and a mount namespace.

    Attributes:
        enter: what to put before a command so that it runs inside.
    """

    def __init__(self, holder: int) -> None:
        self._holder = holder
        self.enter = ("nsenter", "--target", str(holder), "--user", "--mount", "--preserve-credentials", "--")

    def run(self, *command: str | Path) -> None:
        """Run a command inside; it must succeed."""
        done = subprocess.run(
            [*self.enter, *(os.fspath(part) for part in command)], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{command}: {done.stderr}"

    def limit(self, name: str, value: int) -> None:
        """Set a limit such as `max_inotify_watches` for all that runs inside."""
        self.run("sh", "-c", f"echo {value} >/proc/sys/user/{name}")

    def seen(self, path: Path) -> Path:
        """Return the path by which whoever is outside sees what is at `path` inside."""
        return Path(f"/proc/{self._holder}/root{path}")


@contextmanager
def room() -> Iterator[Room]:
    """Give a room until the block ends; skip the test where the system allows none. Nothing of it is left behind."""
    if subprocess.run([*_UNSHARE, "true"], capture_output=True, check=False).returncode != 0:
        pytest.skip("this system gives no user and mount namespaces")
    # `cat` ends when its input does, so that the room goes with the test, whatever ends that.
    with subprocess.Popen([*_UNSHARE, "cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as holder:
        assert holder.stdin is not None
        assert holder.stdout is not None
        holder.stdin.write(b"\n")
        holder.stdout.read(1)  # it answers once it is inside
        yield Room(holder.pid)
