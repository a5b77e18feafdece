"""`hypo-compactd status` on a real terminal: once and live."""

from __future__ import annotations

import errno
import fcntl
import os
import pty
import re
import shutil
import signal
import struct
import subprocess
import termios
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from hypo_compactd.errors import ExitCode
from hypo_compactd.paths import Project
from support.daemon_process import DEADLINE_S, PROGRAM, wait_until
from support.status_runs import ENGLISH, run, set_config
from support.views import TARGETS

ENTER, LEAVE = "\x1b[?1049h", "\x1b[?1049l"
"""Take another screen, and give the first one back."""

HIDE, SHOW = "\x1b[?25l", "\x1b[?25h"
"""The cursor."""


class Terminal:
    """A terminal with the program on it; `output` is all that came, `screen` what came since the last picture began."""

    def __init__(self, *arguments: str | Path, columns: int, rows: int, environment: dict[str, str]) -> None:
        self.output = ""
        self._ours, theirs = pty.openpty()
        self._resize(columns, rows)
        inherited = {name: value for name, value in os.environ.items() if name not in {"COLUMNS", "LINES", "NO_COLOR"}}
        self.process = subprocess.Popen(
            [*PROGRAM, "status", *(os.fspath(argument) for argument in arguments)],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=inherited | {"TERM": "xterm-256color"} | environment,
        )
        os.close(theirs)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    @property
    def screen(self) -> str:
        return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", self.output.rpartition("\x1b[H")[2])

    def resize(self, columns: int, rows: int) -> None:
        self._resize(columns, rows)
        self.process.send_signal(signal.SIGWINCH)

    def shows(self, accept: Callable[[str], Any], what: str) -> None:
        wait_until(lambda: bool(accept(self.screen)), f"the screen shows {what}; it is {self.screen!r}")

    def end(self) -> int:
        """Return the exit code when the program has ended and all that it wrote has come."""
        code = self.process.wait(DEADLINE_S)
        self._reader.join(DEADLINE_S)
        return code

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.end()
        os.close(self._ours)

    def _resize(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self._ours, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def _read(self) -> None:
        data = b""
        while True:
            try:
                part = os.read(self._ours, 65536)
            except OSError as error:
                assert error.errno == errno.EIO  # noqa: PT017 - the last one who wrote has gone
                return
            if not part:
                return
            data += part
            self.output = data.decode("utf-8", "replace")


@contextmanager
def terminal(*arguments: str | Path, columns: int = 100, rows: int = 40, **environment: str) -> Iterator[Terminal]:
    one = Terminal(*arguments, columns=columns, rows=rows, environment=environment)
    try:
        yield one
    finally:
        one.close()


@pytest.fixture(name="english")
def _english(project: Project) -> Project:
    """A project whose views are all current, and which speaks English."""
    set_config(project, ENGLISH)
    assert run("compact", "-q", project.root).code == 0
    return project


def watched(project: Project, *more: str | Path) -> tuple[str | Path, ...]:
    return ("--watch", "--interval", "0.1", project.root, *more)


# Once


def test_on_a_terminal_there_are_colours_and_with_no_color_there_are_none(english: Project) -> None:
    with terminal(english.root) as coloured:
        assert coloured.end() == 0
    with terminal(english.root, NO_COLOR="1") as plain:
        assert plain.end() == 0

    assert "\x1b[32mfresh\x1b[0m" in coloured.output
    assert "\x1b[3" not in plain.output
    assert "fresh" in plain.output


def test_a_terminal_that_knows_no_codes_gets_none(english: Project) -> None:
    with terminal(english.root, TERM="dumb", columns=40) as dumb:
        assert dumb.end() == 0

    assert "\x1b" not in dumb.output
    assert max(map(len, dumb.output.splitlines())) <= 40


@pytest.mark.parametrize("columns", [20, 40, 80, 120])
def test_no_line_is_wider_than_the_terminal(english: Project, columns: int) -> None:
    (english.pipeline / TARGETS["log"]).unlink()
    with terminal(english.root, columns=columns, NO_COLOR="1") as narrow:
        assert narrow.end() == ExitCode.STALE
    told = re.sub(r"\x1b\[[0-9;]*m", "", narrow.output).splitlines()

    assert max(map(len, told)) <= columns
    assert [line.split()[:2] for line in told if line.split()[:1] in [[name] for name in TARGETS]] == [
        [name, "stale" if name == "log" else "fresh"] for name in TARGETS
    ]


# Live


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_it_well_and_the_terminal_is_as_before(english: Project, number: signal.Signals) -> None:
    with terminal(*watched(english)) as live:
        live.shows(lambda screen: screen.count("fresh") == len(TARGETS), "the views")
        live.process.send_signal(number)

        assert live.end() == 0
    assert live.output.count(ENTER) == live.output.count(LEAVE) == 1
    assert live.output.rindex(LEAVE) > live.output.rindex("fresh")
    assert live.output.rindex(SHOW) > live.output.rindex(HIDE)
    assert "Traceback" not in live.output


def test_what_changes_is_shown(english: Project) -> None:
    with terminal(*watched(english)) as live:
        live.shows(lambda screen: "fresh" in screen and "stale" not in screen, "that all is fresh")
        (english.pipeline / TARGETS["log"]).unlink()
        live.shows(lambda screen: re.search(r"log +stale", screen), "the stale view")
        run("compact", "-q", english.root)
        live.shows(lambda screen: "fresh" in screen and "stale" not in screen, "that it is fresh again")


@pytest.mark.usefixtures("english_user")
def test_a_project_that_vanishes_and_comes_back_is_shown_and_ends_nothing(english: Project, tmp_path: Path) -> None:
    with terminal(*watched(english, tmp_path / "later")) as live:
        live.shows(lambda screen: "later: no such folder" in " ".join(screen.split()), "what is not there")
        shutil.copytree(english.root, tmp_path / "later")
        live.shows(lambda screen: screen.count("fresh") == 2 * len(TARGETS), "what has come")
        shutil.rmtree(tmp_path / "later")
        live.shows(lambda screen: screen.count("fresh") == len(TARGETS), "that it has gone")


def test_a_project_that_is_registered_meanwhile_is_shown_and_a_broken_list_is_said(
    english: Project, tmp_path: Path
) -> None:
    listed = tmp_path / "config" / "projects.json"
    listed.parent.mkdir()
    with terminal("--watch", "--all", "--interval", "0.1", HYPO_COMPACTD_CONFIG_DIR=os.fspath(listed.parent)) as live:
        live.shows(lambda screen: "Ctrl-C" in screen, "nothing yet")
        listed.write_text(f'{{"schema": 1, "projects": ["{english.root}"]}}')
        live.shows(lambda screen: "fresh" in screen, "the project")
        listed.write_text("{")
        live.shows(lambda screen: "projects.json" in screen and "fresh" not in screen, "what is wrong")
        live.process.send_signal(signal.SIGINT)

        assert live.end() == 0


def test_a_terminal_may_be_resized(english: Project) -> None:
    with terminal("--watch", "--interval", "3600", english.root) as live:
        live.shows(lambda screen: "log.compact.yaml" in screen, "the whole table")
        live.resize(40, 40)
        live.shows(lambda screen: "log.compact.yaml" not in screen and "fresh" in screen, "the narrow table")
        live.resize(100, 6)
        live.shows(lambda screen: re.search(r"\d more lines", screen), "how much there is no room for")
        assert "Ctrl-C ends" in live.screen


def test_it_can_be_stopped_and_continued(english: Project) -> None:
    with terminal(*watched(english)) as live:
        live.shows(lambda screen: "fresh" in screen, "the views")
        live.process.send_signal(signal.SIGTSTP)
        _, status = os.waitpid(live.process.pid, os.WUNTRACED)
        assert os.WIFSTOPPED(status)
        wait_until(lambda: live.output.endswith(LEAVE), "the shell has its screen again")

        live.process.send_signal(signal.SIGCONT)
        wait_until(lambda: live.output.count(ENTER) == 2, "ours is back")
        live.shows(lambda screen: "fresh" in screen, "the views again")


def test_what_is_no_terminal_cannot_be_watched(english: Project) -> None:
    complaint = "hypo-compactd status: --watch needs a terminal; --json is for programs\n"
    piped = run("status", "--watch", english.root)
    with terminal("--watch", english.root, TERM="dumb") as dumb:
        assert dumb.end() == ExitCode.USAGE

    assert (piped.code, piped.out, piped.err) == (ExitCode.USAGE, "", complaint)
    assert dumb.output.replace("\r", "") == complaint


def test_where_there_is_nothing_to_show_the_screen_is_not_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "projects.json").write_text("{")
    with terminal("--watch") as live:
        assert live.end() == ExitCode.BAD_INPUT
    with terminal("--watch", "--all", HYPO_COMPACTD_CONFIG_DIR=os.fspath(tmp_path)) as broken:
        assert broken.end() == ExitCode.BAD_CONFIGURATION

    assert ENTER not in live.output + broken.output
    assert "--all" in live.output
