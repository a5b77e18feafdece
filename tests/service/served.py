"""A registered project of a user whose systemd keeps the daemon."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

from hypo_compactd.service import UNIT
from service.machine import User
from support.daemon_process import wait_until
from support.scene import WITH_FAULT, Scene
from support.views import views


def escaped(path: str | Path) -> str:
    """Return a path as one word of a unit's command; its own may hold blanks, and what stands for something there."""
    return f'"{path}"'.replace("%", "%%")


PYTHON = escaped(sys.executable)


class Served(Scene):
    """The example project in a user's home, registered, and the service that is to keep it.

    Its folder is called `slow`: a fault of that name strikes it.

    Attributes:
        user: whose it is.
        unit_file: where the user's unit is, as the user sees it.
        trigger: the file whose presence triggers a fault, as the test sees it.
    """

    def __init__(self, user: User, scratch: Path) -> None:
        super().__init__(user.seen(user.home / "projects"), "slow", scratch=scratch)
        self.named = user.home / "projects" / "slow"
        self.user = user
        self.unit_file = user.home / ".config/systemd/user" / UNIT
        self.trigger = user.seen(user.home / "trigger")
        self.own(self.root.parent)
        self.register(self.named)

    def another(self, folder: str) -> Scene:
        """Put one more project into a folder of the user's home, registered too."""
        one = Scene(self.user.seen(self.user.home / folder), scratch=self.scratch / folder)
        one.named = self.user.home / folder / "project"
        self.own(one.root.parent)
        self.register(one.named)
        return one

    def own(self, folder: Path) -> None:
        """Make everything below a folder the user's: the test puts it there as root."""
        for path in (folder, *folder.rglob("*")):
            os.chown(path, self.user.uid, self.user.uid, follow_symlinks=False)

    def register(self, folder: Path) -> None:
        done = self.user.program("projects", "add", folder)
        assert done.returncode == 0, done.stderr

    def install(self, *options: str) -> None:
        """Install the service, which must succeed."""
        done = self.user.program("service", "install", *options)
        assert done.returncode == 0, f"{done.stderr}\n{self.log()}"

    def drop_in(self, *lines: str) -> None:
        """Set what these lines say in a drop-in."""
        self.user.write(self.unit_file.with_name(f"{UNIT}.d") / "test.conf", "\n".join(("[Service]", *lines, "")))
        self.user.systemctl("daemon-reload")

    def break_with(self, fault: str, *options: str) -> None:
        """Put a fault of `faults/with_fault.py` into what the unit starts; it strikes while `trigger` is there."""
        program = f"{PYTHON} {escaped(WITH_FAULT)} {fault} run --all {' '.join(options)}"
        self.drop_in(f"Environment=FAULT_TRIGGER={self.user.home}/trigger", "ExecStart=", f"ExecStart={program}")

    def shows_unit(self, **values: str) -> dict[str, str]:
        """Wait until systemd says this of the unit; return all it says."""
        found: dict[str, str] = {}

        def holds() -> bool:
            found.clear()
            found.update(self.user.show(UNIT))
            return all(found.get(name) == value for name, value in values.items())

        try:
            wait_until(holds, f"the unit shows {values}")
        except AssertionError as error:
            shown = {name: found.get(name) for name in (*values, "ActiveState", "SubState", "Result", "NRestarts")}
            raise AssertionError(f"{error}; it shows {shown}; the log: {self.log()}") from None
        return found

    def restarted(self, pid: str) -> dict[str, str]:
        """Wait until another process than `pid` is active; return what systemd says of the unit."""
        wait_until(lambda: self.user.show(UNIT)["MainPID"] not in {pid, "0"}, f"another process than {pid} runs")
        return self.shows_unit(ActiveState="active")

    def log(self) -> list[str]:
        """Return what the daemon has said and what systemd says of it, line by line."""
        return [entry["MESSAGE"] for entry in self.user.journal(UNIT)]

    def events(self) -> list[dict[str, Any]]:
        """Return the daemon's own log, which must be one JSON object a line."""
        entries = self.user.journal(UNIT)
        return [json.loads(entry["MESSAGE"]) for entry in entries if entry["_TRANSPORT"] == "stdout"]

    def right(self) -> bool:
        """Return whether every view is, at this moment, what a fresh `compact` makes."""
        return views(self.root) == self.from_scratch()

    def status(self, *projects: Path) -> dict[str, Any]:
        """Return what `status --json` says of the project to its user."""
        done = self.user.program("status", "--json", *(projects or (self.named,)))
        assert done.stdout, done.stderr
        found: dict[str, Any] = json.loads(done.stdout)["projects"][0]
        return found
