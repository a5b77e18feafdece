"""SIGKILL at random moments, under constant writes: no reader ever meets a torn or empty view."""

from __future__ import annotations

import os
import random
import shutil
import threading
from pathlib import Path

import pytest

from example import milestone
from support.daemon_process import DaemonProcess, wait_until
from support.views import TARGETS, from_scratch, views

KILLS = 50


class Reader(threading.Thread):
    """Reads every view again and again, and keeps those that are not whole."""

    def __init__(self, pipeline: Path) -> None:
        super().__init__(daemon=True)
        self.pipeline = pipeline
        self.torn: list[str] = []
        self.reads = 0
        self.stopping = threading.Event()

    def run(self) -> None:
        while not self.stopping.is_set():
            for target in TARGETS.values():
                try:
                    data = (self.pipeline / target).read_bytes()
                except FileNotFoundError:
                    continue
                self.reads += 1
                if not data.startswith((b"#", b"<!--")) or not data.endswith(b"\n") or not whole(target, data):
                    self.torn.append(f"{target}: {data[-80:]!r}")


def whole(target: str, data: bytes) -> bool:
    """Return whether the text is a complete view: each source ends with a mark that each view keeps."""
    return MARK[target] in data


MARK = {
    "PROGRESS.compact.md": b"C2",
    "state.compact.yaml": b"completed_prompts:",
    "log.compact.yaml": b"entries:",
    "reports.compact.md": b"## ",
    "patches.compact.md": b"| P002",
    "knowledge/knowledge.compact.md": b"## ",
}


class Writer(threading.Thread):
    """Changes the sources without pause: in place, and by temporary file and rename."""

    def __init__(self, pipeline: Path, seed: int) -> None:
        super().__init__(daemon=True)
        self.pipeline = pipeline
        self.random = random.Random(seed)
        self.stopping = threading.Event()

    def run(self) -> None:
        number = 0
        while not self.stopping.wait(self.random.uniform(0.005, 0.06)):
            number += 1
            log = self.pipeline / "log.yaml"
            with log.open("a", encoding="utf-8") as stream:
                stream.write(
                    f'  - id: K{number}\n    type: step\n    status: done\n    timestamp: "2031-01-01T00:00:00+08:00"\n'
                )
            board = self.pipeline / "PROGRESS.md"
            temporary = board.with_name(f"PROGRESS.md.tmp-1-{number}-0")
            lines = board.read_text("utf-8").splitlines(keepends=True)
            at = next(
                index for index, line in enumerate(lines) if line.startswith("|---") and "时间" in lines[index - 1]
            )
            lines.insert(at + 1, f"| 23:59 | Step | K{number} | {number} |\n")
            temporary.write_text("".join(lines), "utf-8")
            temporary.replace(board)


@pytest.mark.timeout(1500)
def test_fifty_kills_leave_no_torn_view_and_no_temporary_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", os.fspath(tmp_path / "home"))
    monkeypatch.setenv("HYPO_COMPACTD_STATE_DIR", os.fspath(tmp_path / "state"))
    root = tmp_path / "project"
    shutil.copytree(milestone.PROJECT, root)
    with DaemonProcess(root) as daemon:
        daemon.wait_for("ready")
        daemon.stop()
    chance = random.Random(20260101)
    reader, writer = Reader(root / ".pipeline"), Writer(root / ".pipeline", 7)
    reader.start()
    writer.start()
    for _ in range(KILLS):
        with DaemonProcess(root, options=("--quiet-ms", "5", "--max-wait-ms", "20")) as daemon:
            if chance.random() < 0.8:
                daemon.wait_for("ready")
            threading.Event().wait(chance.uniform(0.0, 0.4))
            daemon.process.kill()
    writer.stopping.set()
    writer.join()
    with DaemonProcess(root) as daemon:
        daemon.wait_for("ready")
        wait_until(lambda: views(root) == from_scratch(root, tmp_path), "the views are right after the last start")
        reader.stopping.set()
        reader.join()

        assert reader.torn == []
        assert reader.reads > 1000
        assert not list(root.rglob(".hypo-compactd-*"))
