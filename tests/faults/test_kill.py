"""SIGKILL at random moments, during churn: no reader ever meets a torn or empty view.

Two hundred kills, some a second. What is whole is not guessed from the text: each daemon's interpreter notes the digest of every file
that it renames into a view's place (`support.journal`). A content that a reader met and that was
never renamed there whole is torn.
"""

from __future__ import annotations

import hashlib
import os
import random
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from example import milestone
from support import churn
from support.churn_plan import HARMLESS_TO_VIEWS, OPERATIONS, PROCESSES, SECONDS
from support.daemon_process import DEADLINE_S, DaemonProcess, wait_until
from support.journal import Journal
from support.views import TARGETS, from_scratch, views

EAGER = ("--quiet-ms", "5", "--max-wait-ms", "20")
"""So that the daemon is writing for as much of its short life as can be."""

LANES = 3
"""Projects whose daemons are killed at the same time: most of a short life is the interpreter's start."""

CHURN_S = 1200.0
"""More than the kills take; the churn is stopped with them."""


class Reader(threading.Thread):
    """Reads every view again and again, and keeps each content that it met, once."""

    def __init__(self, pipeline: Path) -> None:
        super().__init__(daemon=True)
        self.reads = 0
        self.met: dict[str, tuple[str, bytes]] = {}
        self._pipeline = pipeline
        self._stopping = threading.Event()

    def run(self) -> None:
        while not self._stopping.wait(0.0005):
            for target in TARGETS.values():
                try:
                    data = (self._pipeline / target).read_bytes()
                except FileNotFoundError:
                    continue
                self.reads += 1
                self.met.setdefault(hashlib.sha256(data).hexdigest(), (target, data))

    def stop(self) -> None:
        self._stopping.set()
        self.join()

    def torn(self, whole: set[str]) -> list[str]:
        """Return the contents that were never published whole; an empty one and half a line are torn in any case."""
        return [
            f"{target}: {len(data)} bytes that end with {data[-60:]!r}"
            for digest, (target, data) in self.met.items()
            if digest not in whole or not data.endswith(b"\n")
        ]


class Lane:
    """One project with its churn, whose daemon is killed again and again.

    Attributes:
        survived: temporary files that a killed daemon left, and that the next one's start did not remove.
        hits: kills that met the daemon between making a temporary file and renaming it.
    """

    def __init__(self, number: int, folder: Path) -> None:
        self.number = number
        self.root = folder / "work" / "project"
        self.survived: list[str] = []
        self.hits = 0
        self._folder = folder
        self.root.parent.mkdir(parents=True)
        churn.make_project(self.root, milestone.PROJECT)
        self.journal = Journal(folder / "journal", self.root.parent)
        (folder / "tmp").mkdir()
        own = {"HYPO_COMPACTD_STATE_DIR": os.fspath(folder / "state"), "TMPDIR": os.fspath(folder / "tmp")}
        self._environment = self.journal.environment | own
        self.reader = Reader(self.root / ".pipeline")

    def run(self, kills: int) -> None:
        """Kill so often, then let one daemon live until the views are right."""
        chance = random.Random(self.number)
        left: set[Path] = set()
        self.reader.start()
        with self._churn():
            for _ in range(kills):
                with DaemonProcess(self.root, options=EAGER, environment=self._environment) as daemon:
                    if chance.random() < 0.8:
                        daemon.wait_for("ready")
                        self.survived += [os.fspath(path) for path in left if path.exists()]
                    time.sleep(chance.uniform(0.0, 0.4))
                    assert daemon.process.poll() is None, f"it ended by itself: {daemon.events}"
                    daemon.process.kill()
                left = self.temporary()
                self.hits += any(path.is_relative_to(self.root) for path in left)
        with DaemonProcess(self.root, environment=self._environment) as daemon:
            daemon.wait_for("ready")
            truth = from_scratch(self.root, self._folder)
            wait_until(lambda: views(self.root) == truth, "the views are right after the last start")
            assert daemon.stop() == 0
        self.reader.stop()

    def temporary(self) -> set[Path]:
        """Return the temporary files in the project, in the daemon's own folder and in the system's."""
        places = ((self.root, ".hypo-compactd-", ""), (self._folder / "state", "", ".tmp"))
        found = {
            Path(folder, name)
            for place, begin, end in places
            for folder, _, names in os.walk(place)  # which does not mind that folders are moved meanwhile
            for name in names
            if name.startswith(begin) and name.endswith(end)
        }
        return found | set((self._folder / "tmp").iterdir())

    @contextmanager
    def _churn(self) -> Iterator[None]:
        """Churn as in `test_churn`, twice as fast, but that nobody touches the views and the folders they stand in."""
        running = [
            churn.start(
                self.number,
                process,
                self.root,
                self._folder / f"operations-{process}.log",
                at=time.monotonic(),
                count=round(2 * OPERATIONS * CHURN_S / SECONDS),
                seconds=CHURN_S,
                kinds=HARMLESS_TO_VIEWS,
            )
            for process in range(PROCESSES)
        ]
        try:
            yield
            assert all(one.poll() is None for one in running), "the churn ended before the kills did"
        finally:
            for one in running:
                one.send_signal(signal.SIGTERM)
            for one in running:
                one.wait(DEADLINE_S)


@pytest.mark.timeout(1500)
def test_two_hundred_kills_leave_no_torn_view_and_no_temporary_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pytestconfig: pytest.Config
) -> None:
    monkeypatch.setenv("HOME", os.fspath(tmp_path / "home"))
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    kills = pytestconfig.getoption("--kills")
    lanes = [Lane(number, tmp_path / f"lane-{number}") for number in range(LANES)]
    with ThreadPoolExecutor(LANES) as pool:
        list(pool.map(Lane.run, lanes, [kills // LANES + (lane.number < kills % LANES) for lane in lanes]))
    print("kills in the middle of a write:", sum(lane.hits for lane in lanes))  # noqa: T201 - shown with -rP

    for lane in lanes:
        assert lane.reader.torn(lane.journal.published()) == []
        assert lane.survived == []
        assert not lane.temporary()
        assert lane.journal.altered() == []
        assert lane.reader.reads > 1000
        assert len(lane.reader.met) > kills / LANES / 2, "it hardly saw a view change"
