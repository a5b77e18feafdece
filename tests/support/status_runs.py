"""The command `status` in this process, and daemons of which a test says what they say."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

import hypo_compactd
from hypo_compactd.cli import main
from hypo_compactd.paths import Project
from hypo_compactd.status import Pulse, Report, Standing, boot_id, write_pulse, write_report
from support.views import TARGETS

ENGLISH = "output: {language: en}\n"

HOLD = """
import sys
from pathlib import Path
from hypo_compactd.lock import daemon_lock
from hypo_compactd.paths import Project
root = Path(sys.argv[1])
with daemon_lock(Project(root, root)):
    print("held", flush=True)
    sys.stdin.read()
"""


class Run:
    """One command in this process: its exit code and what it printed."""

    def __init__(self, *arguments: str | Path) -> None:
        with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
            try:
                self.code = main([os.fspath(argument) for argument in arguments])
            except SystemExit as end:
                self.code = end.code  # type: ignore[assignment]
        self.out, self.err = out.getvalue(), err.getvalue()

    @cached_property
    def project(self) -> Any:
        """The only project of the JSON."""
        (one,) = json.loads(self.out)["projects"]
        return one

    def states(self) -> dict[str, str]:
        return {view["name"]: view["state"] for view in self.project["views"]}

    def view(self, name: str) -> Any:
        (one,) = [view for view in self.project["views"] if view["name"] == name]
        return one


run = Run


def all_are(state: str) -> dict[str, str]:
    return dict.fromkeys(TARGETS, state)


def set_config(project: Project, text: str) -> None:
    (project.pipeline / "config.yaml").write_text(text, "utf-8")


@contextmanager
def kept(project: Project, *, silent_s: float = 1.0, **changes: Any) -> Iterator[subprocess.Popen[str]]:
    """Another process holds the project as its daemon; what it says is written for it."""
    command = [sys.executable, "-c", HOLD, os.fspath(project.root)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        says(project, process.pid, silent_s=silent_s, **changes)
        try:
            yield process
        finally:
            process.kill()


def says(project: Project, process: int, *, silent_s: float = 1.0, **changes: Any) -> None:
    """Write both status files of a daemon; `changes` are those of its report."""
    now = time.monotonic()
    version = hypo_compactd.__version__
    report = Report(os.fspath(project.shown), process, boot_id(), version, Standing.OK, None, 12, 12, now - 2, looks=3)
    write_report(project, replace(report, **changes))
    write_pulse(
        Pulse(process, boot_id(), changes.get("version", version), now - 100, now - silent_s, 1, 2, 3, 4, 20.5, 6)
    )
