"""The real daemon as a process, for tests: its log as data, waits with generous deadlines."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

DEADLINE_S = 60.0
"""No test waits this long on a healthy machine; a busy one must not fail it."""

PROGRAM = (sys.executable, "-m", "hypo_compactd")

Event = dict[str, Any]


class DaemonProcess:
    """`hypo-compactd run` on some projects, with its JSON log read as it comes."""

    def __init__(
        self,
        *projects: Path,
        options: tuple[str, ...] = (),
        environment: dict[str, str] | None = None,
        command: tuple[str, ...] = PROGRAM,
    ) -> None:
        arguments = [*command, "run", *map(os.fspath, projects), "--log-format", "json", *options]
        self.process = subprocess.Popen(
            arguments, stderr=subprocess.PIPE, text=True, env=os.environ | (environment or {})
        )
        self.events: list[Event] = []
        self._queue: queue.Queue[Event | None] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def wait_for(self, name: str, accept: Callable[[Event], bool] = lambda _: True) -> Event:
        """Return the next event called `name` that is accepted; fail when the daemon ends or nothing comes."""
        deadline = time.monotonic() + DEADLINE_S
        while (left := deadline - time.monotonic()) > 0:
            try:
                event = self._queue.get(timeout=left)
            except queue.Empty:
                break
            assert event is not None, f"the daemon ended with {self.process.wait()}; it said {self.events}"
            if event["event"] == name and accept(event):
                return event
        raise AssertionError(f"no {name!r} came; the daemon said {self.events}")

    def settle(self, quiet_s: float = 1.0) -> list[Event]:
        """Return what the daemon says until it has said nothing for a while."""
        said: list[Event] = []
        while True:
            try:
                event = self._queue.get(timeout=quiet_s)
            except queue.Empty:
                return said
            if event is None:
                return said
            said.append(event)

    def signal(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def leave_log(self) -> None:
        """Stop reading the log and close it, as `head` does."""
        descriptor = os.open(os.devnull, os.O_RDONLY)
        assert self.process.stderr is not None
        os.dup2(descriptor, self.process.stderr.fileno())
        os.close(descriptor)

    def stop(self) -> int:
        """Ask the daemon to stop and return its exit code."""
        self.signal(signal.SIGTERM)
        return self.process.wait(DEADLINE_S)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        if self.process.stderr is not None:
            self.process.stderr.close()

    def _read(self) -> None:
        stream = self.process.stderr
        assert stream is not None
        try:
            for line in stream:
                event = _event(line)
                self.events.append(event)
                self._queue.put(event)
        except ValueError:  # the stream was closed
            self.events.append({"event": "closed"})
        self._queue.put(None)


def _event(line: str) -> Event:
    """Return a line of the log as data; a line that is none, such as a thread's traceback, is kept as it is."""
    try:
        return dict(json.loads(line))
    except ValueError:
        return {"event": "not JSON", "line": line.rstrip("\n")}


def wait_until(condition: Callable[[], bool], what: str) -> None:
    """Wait until a condition holds; fail with what it was when it never does."""
    deadline = time.monotonic() + DEADLINE_S
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"it never held that {what}")
        threading.Event().wait(0.02)
