"""A soak (case 33): steady, realistic writes for long, after which the daemon is no larger than it was.

`--soak-s 900` for a quarter of an hour, 43200 for twelve hours; the default only tells a quick leak.
Counted is while nothing is to be done, and the least of several counts: a look that is running has
files open, and that is right.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path

import pytest

from example import milestone
from support.daemon_process import DaemonProcess, wait_until
from support.process_usage import Usage, can_tell, least_usage
from support.views import from_scratch, views

RSS_KB = 5 * 1024
"""How much larger the process may be than after the warm-up."""

PAUSE_S = 0.5
"""Between two writes: longer than the quiet period, so that each is a batch of its own."""


@dataclass
class Session:
    """Works on a project without end; after each round its files are as many and as large as before."""

    pipeline: Path
    numbers: Iterator[int]

    def round(self) -> None:
        """Work as a session does on one Milestone: progress, reports, records, patches, and folders that come and go."""
        number = next(self.numbers)
        for step in (
            self._board,
            self._state,
            self._log,
            self._report,
            self._record,
            self._patch,
            self._nested,
            self._away,
            self._meddle,
        ):
            step(number)
            time.sleep(PAUSE_S)

    def _board(self, number: int) -> None:
        original = (milestone.PROJECT / ".pipeline" / "PROGRESS.md").read_text("utf-8")
        (self.pipeline / "PROGRESS.md").write_text(original.replace("20:22", f"{number % 24:02d}:22"), "utf-8")

    def _state(self, number: int) -> None:
        original = (milestone.PROJECT / ".pipeline" / "state.yaml").read_text("utf-8")
        self._publish("state.yaml", original.replace("20:22:10", f"{number % 24:02d}:{number // 24 % 60:02d}:10"))

    def _log(self, number: int) -> None:
        """Append, as sessions do, but begin anew before it grows: a larger log is no leak."""
        if number % 20 == 0:
            self._publish("log.yaml", (milestone.PROJECT / ".pipeline" / "log.yaml").read_text("utf-8"))
        with (self.pipeline / "log.yaml").open("a", encoding="utf-8") as log:
            log.write(f'  - id: S{number}\n    type: step\n    timestamp: "2030-01-01T{number % 24:02d}:00:00Z"\n')

    def _report(self, number: int) -> None:
        self._publish("reports/02-soak.report.md", f"# Soak {number}\n\n## 结论\n\n- 状态: done\n- Round {number}.\n")

    def _record(self, number: int) -> None:
        text = f"id: C3-SOAK\ncycle: C3\ntype: chat\ncategories:\n  decisions:\n    - Round {number} counts\n"
        (self.pipeline / "knowledge" / "records" / "C3-SOAK.yaml").write_text(text, "utf-8")

    def _patch(self, number: int) -> None:
        status = ("open", "closed")[number % 2]
        self._publish("patches/P009-soak.md", f"# P009: soak {number}\n\n- 状态: {status}\n")

    def _nested(self, number: int) -> None:
        """Make a folder and remove it: each time one more is watched, and one less."""
        folder = self.pipeline / "reports" / f"nested-{number}"
        folder.mkdir()
        (folder / "03-soak.report.md").write_text(f"# Nested {number}\n\n- 状态: done\n", "utf-8")
        time.sleep(PAUSE_S)
        shutil.rmtree(folder)

    def _away(self, _: int) -> None:
        """Move a folder out of the project and back: the watch is on another folder afterwards than it was on."""
        away = self.pipeline.parent / "away"
        (self.pipeline / "patches").rename(away)
        time.sleep(PAUSE_S)
        away.rename(self.pipeline / "patches")

    def _meddle(self, number: int) -> None:
        (self.pipeline / "log.compact.yaml").write_text(f"older: {number}\n", "utf-8")

    def _publish(self, name: str, text: str) -> None:
        path = self.pipeline / name
        temporary = path.with_name(f"{path.name}.tmp-{os.getpid()}-1-0")
        temporary.write_text(text, "utf-8")
        temporary.replace(path)


@pytest.mark.timeout(0)
@pytest.mark.skipif(not can_tell(), reason="needs /proc, where Linux tells what a process uses")
def test_it_uses_no_more_after_long_than_after_its_warm_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pytestconfig: pytest.Config
) -> None:
    monkeypatch.setenv("HOME", os.fspath(tmp_path / "home"))
    monkeypatch.setenv("HYPO_COMPACTD_STATE_DIR", os.fspath(tmp_path / "state"))
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    roots = [tmp_path / "project", tmp_path / "other"]
    for root in roots:
        shutil.copytree(milestone.PROJECT, root)
    seconds = pytestconfig.getoption("--soak-s")
    sessions = [Session(root / ".pipeline", count(1)) for root in roots]
    with DaemonProcess(*roots) as daemon:
        daemon.wait_for("ready")
        ends = time.monotonic() + seconds
        warm = time.monotonic() + min(seconds / 3, 300.0)
        counts: list[Usage] = []
        while time.monotonic() < ends or len(counts) < 2:
            for session in sessions:
                session.round()
            wait_until_right(roots, tmp_path)
            if time.monotonic() >= warm:
                counts.append(least_usage(daemon.process.pid))
        first, later = counts[0], counts[1:]
        print(f"warm: {first}\nlast: {later[-1]}\nrounds counted: {len(counts)}")  # noqa: T201 - shown with -rP

        assert {(one.threads, one.descriptors) for one in later} == {(first.threads, first.descriptors)}
        assert {(one.inotify_instances, one.inotify_watches) for one in later} == {
            (first.inotify_instances, first.inotify_watches)
        }
        assert max(one.rss_kb for one in later) - first.rss_kb <= RSS_KB, [one.rss_kb for one in counts]
        assert daemon.stop() == 0
    assert not list(tmp_path.rglob(".hypo-compactd-*"))


def wait_until_right(roots: list[Path], scratch: Path) -> None:
    for root in roots:
        truth = from_scratch(root, scratch / "scratch")
        wait_until(partial(_are, root, truth), "the views are right")


def _are(root: Path, truth: dict[str, bytes]) -> bool:
    return views(root) == truth
