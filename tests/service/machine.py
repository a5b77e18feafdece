"""A machine with a real systemd of its own, over a throw-away copy of this one, and its users."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from support.daemon_process import wait_until

UIDS = range(54300, 54360)
"""The numbers of the users: one a test."""

_BOOT = Path(__file__).with_name("boot.sh")
_SYSTEMD = Path("/lib/systemd/systemd")
_TOOLS = ("unshare", "nsenter", "setpriv", "pivot_root", "systemctl", "journalctl")
_UP = frozenset({"running", "degraded"})


class User:
    """An ordinary user of the machine, with a `systemctl --user` and a home of their own.

    Attributes:
        home: their home folder, as they see it.
        uid: their number.
        enter: what to put before a command so that it runs as the user, in their home.
    """

    def __init__(self, first_process: int, uid: int) -> None:
        self._first_process = first_process
        self.uid = uid
        self.home = Path(f"/home/tester{uid}")
        self.enter = (
            *_enter(first_process),
            *("--setuid", str(self.uid), "--setgid", str(self.uid), "--"),
            *("env", "--ignore-environment", f"--chdir={self.home}", f"HOME={self.home}"),
            *(f"XDG_RUNTIME_DIR=/run/user/{self.uid}", "PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8"),
        )

    def call(self, *command: str | Path) -> subprocess.CompletedProcess[str]:
        """Run a command as the user, in their home."""
        return _run(*self.enter, *command)

    def program(self, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        """Run hypo-compactd as the user."""
        return self.call(sys.executable, "-m", "hypo_compactd", *arguments)

    def systemctl(self, *arguments: str | Path) -> str:
        """Run `systemctl --user`, which must succeed, and return what it prints."""
        done = self.call("systemctl", "--user", *arguments)
        assert done.returncode == 0, f"systemctl {arguments}: {done.stderr}"
        return done.stdout

    def show(self, unit: str) -> dict[str, str]:
        """Return all properties of a unit."""
        lines = self.systemctl("show", "--all", unit).splitlines()
        return dict(line.split("=", 1) for line in lines if "=" in line)

    def journal(self, unit: str) -> list[dict[str, str]]:
        """Return what the unit has said and what its manager says of it, oldest first."""
        command = ("journalctl", "--user", "--user-unit", unit, "--output", "json", "--quiet")
        done = self.call(*command)
        assert done.returncode == 0, f"{command}: {done.stderr}"
        return [json.loads(line) for line in done.stdout.splitlines()]

    def seen(self, path: Path) -> Path:
        """Return the path by which whoever is outside sees what is at `path` in the machine."""
        return Path(f"/proc/{self._first_process}/root{path}")

    def write(self, path: Path, text: str) -> None:
        """Write a file of the user's, with the folders above it."""
        command = [*self.enter, "sh", "-c", 'mkdir -p "$(dirname "$1")" && cat >"$1"', "sh", os.fspath(path)]
        subprocess.run(command, input=text, text=True, check=True)


class Machine:
    """The machine while it runs; `login` gives a new user each time."""

    def __init__(self, first_process: int) -> None:
        self._first_process = first_process
        self._uids = iter(UIDS)

    def root(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Run a command as the machine's root."""
        return _run(*_enter(self._first_process), "--", *command)

    @contextmanager
    def login(self) -> Iterator[User]:
        """Give a user who was never there before, until the block ends."""
        user = User(self._first_process, next(self._uids))
        unit = f"user@{user.uid}.service"
        done = self.root("systemctl", "start", unit)
        assert done.returncode == 0, f"{done.stderr}\n{self.root('journalctl', '--no-pager', '-n', '30').stdout}"
        yield user
        self.root("systemctl", "kill", "--signal=KILL", unit)


@contextmanager
def machine(folder: Path, *trees: Path) -> Iterator[Machine]:
    """Boot a machine that lives until the block ends; skip the test, with the reason, where that cannot be.

    Nothing outside it changes, and nothing is left of it even if this process is killed.

    Args:
        folder: an empty folder; it stays empty.
        trees: what an ordinary user there must be able to read, beside what belongs to the system.
    """
    if os.geteuid() != 0:
        pytest.skip("only root can boot a systemd of its own")
    if missing := [os.fspath(_SYSTEMD)] * (not _SYSTEMD.exists()) + [tool for tool in _TOOLS if not shutil.which(tool)]:
        pytest.skip(f"no systemd of its own can be booted without {', '.join(missing)}")
    real = [tree.resolve() for tree in trees]
    command: list[str | Path] = ["unshare", "--mount", "sh", _BOOT, "keep", folder, str(UIDS[0]), str(UIDS[-1]), *real]
    # A session of its own: what ends the tests' process group must not keep it from clearing up.
    with (
        tempfile.TemporaryFile("w+") as complaints,
        subprocess.Popen(
            [os.fspath(part) for part in command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=complaints,
            start_new_session=True,
        ) as keeper,
    ):
        assert keeper.stdout is not None
        line = keeper.stdout.readline()
        if not line:
            keeper.communicate()
            complaints.seek(0)
            pytest.skip(f"this system lets no systemd be booted: {complaints.read().strip()}")
        one = Machine(int(line))
        wait_until(lambda: one.root("systemctl", "is-system-running").stdout.strip() in _UP, "the machine is up")
        try:
            yield one
        finally:
            keeper.communicate()


def _enter(first_process: int) -> tuple[str, ...]:
    spaces = ("--mount", "--pid", "--uts", "--ipc", "--net", "--cgroup")
    return ("nsenter", "--target", str(first_process), *spaces)


def _run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [os.fspath(part) for part in command], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
