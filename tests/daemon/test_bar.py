from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from hypo_compactd.bar import Bar
from hypo_compactd.paths import Project
from support.daemon_process import DEADLINE_S, wait_until
from support.scene import WITH_FAULT


class Terminal:
    """A terminal of 80 columns, and all that was printed to it."""

    def __init__(self) -> None:
        self.reading, writing = pty.openpty()
        self.stream = os.fdopen(writing, "w", encoding="utf-8", buffering=1)
        self.printed = b""

    def read(self) -> str:
        while select.select([self.reading], [], [], 0.05)[0]:
            self.printed += os.read(self.reading, 65536)
        return self.printed.decode("utf-8")

    def shows(self, text: str) -> bool:
        return text in self.read()

    def close(self) -> None:
        self.stream.close()
        os.close(self.reading)


@pytest.fixture(name="terminal")
def _terminal(monkeypatch: pytest.MonkeyPatch) -> object:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    terminal = Terminal()
    yield terminal
    terminal.close()


def test_a_long_run_shows_how_far_it_is(terminal: Terminal) -> None:
    with Bar(terminal.stream, "looking", patience_s=0) as bar:
        bar.step(3, 6, "log")
        wait_until(lambda: terminal.shows("3/6") and terminal.shows("log"), "the bar is shown")
        bar.step(4, 6, "reports")
        wait_until(lambda: terminal.shows("4/6"), "it goes on")
    assert terminal.read().endswith("\x1b[2K"), "the bar is wiped away"


def test_what_is_done_at_once_shows_nothing(terminal: Terminal) -> None:
    with Bar(terminal.stream, "looking", patience_s=3600) as bar:
        bar.step(6, 6)
    assert terminal.read() == ""


def test_what_is_printed_meanwhile_stands_whole_above_the_bar(terminal: Terminal) -> None:
    with Bar(terminal.stream, "looking", patience_s=0) as bar:
        bar.step(1, 2)
        wait_until(lambda: terminal.shows("1/2"), "the bar is shown")
        assert bar.above("[bold] an event {of} the log :smile:\n")
        wait_until(lambda: terminal.shows("[bold] an event {of} the log :smile:\r\n"), "it is printed as it is")


@pytest.mark.parametrize("term", ["dumb", "xterm"])
def test_there_is_never_a_bar_in_a_pipe_nor_on_a_dumb_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, terminal: Terminal, term: str
) -> None:
    monkeypatch.setenv("TERM", term)
    with (tmp_path / "out").open("w+", encoding="utf-8") as file:
        with Bar(terminal.stream if term == "dumb" else file, "looking", patience_s=0) as bar:
            bar.step(1, 2)
            assert bar._timer is None
            assert not bar.above("text\n")
        file.seek(0)
        assert file.read() == ""
    assert terminal.read() == ""


def test_steps_may_come_from_many_threads_while_it_is_closed(terminal: Terminal) -> None:
    bar = Bar(terminal.stream, "looking", patience_s=0)

    def steps() -> None:
        for number in range(200):
            bar.step(number, 200)
            bar.above("x\n")

    threads = [threading.Thread(target=steps) for _ in range(4)]
    with bar:
        for thread in threads:
            thread.start()
        bar.close()
    reading = time.monotonic()
    while any(thread.is_alive() for thread in threads) and time.monotonic() < reading + DEADLINE_S:
        terminal.read()
    assert not any(thread.is_alive() for thread in threads)
    bar.close()


@pytest.mark.parametrize(
    ("command", "shown"), [(("compact",), "2/6"), (("run", "--log-format", "console"), "0/1")], ids=["compact", "run"]
)
def test_a_first_run_that_takes_long_says_how_far_it_is(
    project: Project, tmp_path: Path, terminal: Terminal, command: tuple[str, ...], shown: str
) -> None:
    trigger = tmp_path / "trigger"
    trigger.touch()
    line = [sys.executable, os.fspath(WITH_FAULT), "slow_view", *command, os.fspath(project.root)]
    environment = os.environ | {"FAULT_TRIGGER": os.fspath(trigger), "NO_COLOR": "1"}
    with subprocess.Popen(line, env=environment, stdout=subprocess.DEVNULL, stderr=terminal.stream) as process:
        try:
            wait_until(lambda: terminal.shows(shown), "the bar is shown")
            trigger.unlink()
            if command[0] == "run":
                wait_until(lambda: terminal.shows(" ready "), "it is ready")
                process.terminate()
            assert process.wait(DEADLINE_S) == 0
        finally:
            process.kill()
    assert "\x1b[2K" in terminal.read(), "the bar is wiped away"


def test_a_program_that_shows_no_bar_does_not_pay_for_one() -> None:
    code = "import sys, hypo_compactd.bar as b; b.Bar(sys.stderr, 'x'); print('rich' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout == "False\n"
