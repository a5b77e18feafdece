"""A project of its own with the real daemon on it, and the oracle: views right, status true."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from example import milestone
from support.daemon_process import PROGRAM, DaemonProcess, wait_until
from support.room import Room
from support.views import from_scratch, sources, views

WITH_FAULT = Path(__file__).parents[1] / "faults" / "with_fault.py"

QUICK = ("--sweep-s", "2")
"""For what only the sweep can find: a test need not wait the 30 s of real life."""

EVENTS_ALONE = ("--sweep-s", "3600")
"""For what events must bring: no sweep comes to their help within a test."""


class Scene:
    """A copy of the example project in a folder of its own.

    Args:
        folder: where the project is put, as those see it who are where the daemon is.
        name: its own folder's name.
        room: where the daemon is, if not where the test is.
        within: what is put before every command, so that it runs there or as somebody else.
        scratch: a folder for whatever else a test needs; `folder` when not given.

    Attributes:
        named: the project, as the daemon is told its name.
        root: the same, as the test sees it.
        pipeline: its `.pipeline/`, likewise.
    """

    def __init__(
        self,
        folder: Path,
        name: str = "project",
        *,
        room: Room | None = None,
        within: tuple[str, ...] = (),
        scratch: Path | None = None,
    ) -> None:
        self.named = folder / name
        self.root = room.seen(self.named) if room else self.named
        self.within = room.enter if room else within
        self.scratch = scratch or folder
        self._changes = 0
        self._known: tuple[list[object], dict[str, bytes]] = ([], {})
        self._notes = 0
        shutil.copytree(milestone.PROJECT, self.root)

    @property
    def pipeline(self) -> Path:
        return self.root / ".pipeline"

    @contextmanager
    def daemon(
        self, *options: str, environment: dict[str, str] | None = None, command: tuple[str, ...] = PROGRAM
    ) -> Iterator[DaemonProcess]:
        """Run the daemon on the project until the block ends; it is ready when the block begins, and must end well."""
        command = (*self.within, *command)
        with DaemonProcess(self.named, options=options, environment=environment, command=command) as daemon:
            daemon.wait_for("ready")
            yield daemon
            if daemon.process.poll() is None:
                assert daemon.stop() == 0

    @contextmanager
    def broken_daemon(self, fault: str, *options: str) -> Iterator[tuple[DaemonProcess, Path]]:
        """Run the daemon with a fault of `faults/with_fault.py`; also gives the file whose presence triggers it."""
        trigger = self.scratch / "trigger"
        command = (*self.within, sys.executable, os.fspath(WITH_FAULT), fault)
        with DaemonProcess(
            self.named, options=options, environment={"FAULT_TRIGGER": os.fspath(trigger)}, command=command
        ) as daemon:
            yield daemon, trigger

    def append(self, text: str, *, file: str = "PROGRESS.md") -> None:
        """Write a line at the end of a source, in place."""
        with (self.pipeline / file).open("a", encoding="utf-8") as stream:
            stream.write(text)

    def note(self, name: str) -> None:
        """Write an entry called `name` into the log, in one go and newer than those that are there."""
        self._notes += 1
        self.append(
            f'  - id: "{name}"\n    type: step\n    status: done\n'
            f'    timestamp: "2031-01-01T{self._notes // 3600:02}:{self._notes // 60 % 60:02}:{self._notes % 60:02}+08:00"\n',
            file="log.yaml",
        )

    def shows(self, name: str) -> bool:
        """Return whether the log's view names a `note`."""
        return f'"{name}"' in (self.pipeline / "log.compact.yaml").read_text("utf-8")

    def change(self) -> None:
        """Change the board so that its view changes, each time."""
        self._changes += 1
        self.append(f"\n## 下一步\n\n- fold sheet {self._changes}\n")

    def settle(self) -> None:
        """Wait until every view is what a fresh `compact` of a copy makes, and nothing of ours is left beside them."""
        before = sources(self.root)
        right = self.from_scratch()
        wait_until(lambda: views(self.root) == right, "the views are right")
        wait_until(lambda: not list(self.root.rglob(".hypo-compactd-*")), "no temporary file is left")
        assert sources(self.root) == before, "no source was touched"

    def from_scratch(self) -> dict[str, bytes]:
        """Return the views that the project should have; computed anew only when something has changed."""
        marks = self._marks()
        if marks != self._known[0]:
            self._known = (marks, from_scratch(self.root, self.scratch, within=self.within))
        return self._known[1]

    def status(self, *projects: Path) -> dict[str, Any]:
        """Return what `status --json` says of the project."""
        given = map(os.fspath, projects or (self.named,))
        command = [*self.within, *PROGRAM, "status", "--json", *given]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        found: dict[str, Any] = json.loads(done.stdout)["projects"][0]
        return found

    def expect(self, state: str, **values: Any) -> dict[str, Any]:
        """Wait until `status` says that the project is in `state` and that these values hold; return all it says.

        It must also say the truth of the views: fresh exactly when they are right and none has failed.
        """
        found: dict[str, Any] = {}

        def holds() -> bool:
            found.clear()
            found.update(self.status())
            return found["state"] == state and all(found[key] == value for key, value in values.items())

        try:
            wait_until(holds, f"status says {state} {values}")
        except AssertionError as error:
            raise AssertionError(f"{error}; it says {found}") from None
        if state != "waiting":
            right = views(self.root) == self.from_scratch()
            failed = any(view["state"] == "failed" for view in found["views"])
            assert found["fresh"] is (right and not failed), found["views"]
        return found

    def _marks(self) -> list[object]:
        """Return what changes with anything that a view could depend on: no program can set the time of a change."""
        marks: list[object] = [sorted(os.environ.items())]
        for path in (*self.root.rglob("*"), *(Path.home() / ".hypo-workflow").rglob("*")):
            if ".compact." not in path.name and not path.name.startswith(".hypo-compactd-"):
                with suppress(FileNotFoundError):
                    status = path.lstat()
                    times = () if path.is_dir() else (status.st_size, status.st_mtime_ns, status.st_ctime_ns)
                    marks.append((path, status.st_mode, status.st_ino, *times))
        return marks
