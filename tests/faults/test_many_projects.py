"""Two hundred projects in one process: each its own state, and one's trouble is no other's."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from support.daemon_process import DaemonProcess, wait_until
from support.scene import WITH_FAULT, Scene

COUNT = 200


def small_project(root: Path, number: int) -> Path:
    pipeline = root / ".pipeline"
    pipeline.mkdir(parents=True)
    (pipeline / "PROGRESS.md").write_text(f"# Progress {number}\n\n| 时间 | 类型 | 内容 |\n|---|---|---|\n", "utf-8")
    (pipeline / "log.yaml").write_text(f"entries:\n  - id: E{number}\n    type: step\n    status: done\n", "utf-8")
    return root


def shows(root: Path, text: str) -> bool:
    view = root / ".pipeline" / "log.compact.yaml"
    return view.exists() and text in view.read_text("utf-8")


def add(root: Path, text: str) -> None:
    with (root / ".pipeline" / "log.yaml").open("a", encoding="utf-8") as stream:
        stream.write(f"  - id: {text}\n    type: step\n    status: done\n")


@pytest.mark.timeout(600)
def test_two_hundred_projects_are_kept_and_the_trouble_of_some_is_not_that_of_the_others(
    scene: Scene, tmp_path: Path
) -> None:
    roots = [small_project(tmp_path / "many" / f"p{number:03}", number) for number in range(COUNT)]
    slow = small_project(tmp_path / "many" / "slow", COUNT)
    trigger = tmp_path / "trigger"
    with DaemonProcess(
        *roots,
        slow,
        environment={"FAULT_TRIGGER": os.fspath(trigger)},
        command=(sys.executable, os.fspath(WITH_FAULT), "slow_project"),
    ) as daemon:
        daemon.wait_for("ready")
        assert all(shows(root, f"E{number}") for number, root in enumerate(roots))

        trigger.touch()
        add(slow, "Slow")
        shutil.rmtree(roots[1] / ".pipeline")
        (roots[2] / ".pipeline" / "config.yaml").write_text("compact: [\n", "utf-8")
        (roots[3] / ".pipeline" / "log.yaml").unlink()
        os.mkfifo(roots[3] / ".pipeline" / "log.yaml")
        for root in roots[4:]:
            add(root, "Later")
        wait_until(lambda: all(shows(root, "Later") for root in roots[4:]), "the healthy ones are right")
        assert not shows(slow, "Slow")

        assert scene.status(roots[0])["state"] == "ok"
        wait_until(lambda: scene.status(roots[1])["state"] == "waiting", "one says that its root is gone")
        assert scene.status(roots[4])["fresh"] is True
        assert scene.status(roots[3])["fresh"] is False
        trigger.unlink()
        wait_until(lambda: shows(slow, "Slow"), "the slow one is right in the end")
        began = time.monotonic()
        assert daemon.stop() == 0
        assert time.monotonic() - began < 30


LOUD = """
import sys
while True:
    with open(sys.argv[1], "a") as stream:
        stream.write("x")
    if stream.closed and __import__("os").path.getsize(sys.argv[1]) > 1_000_000:
        open(sys.argv[1], "w").close()
"""


@pytest.mark.timeout(300)
def test_a_project_in_which_something_writes_without_pause_drowns_no_other(scene: Scene, tmp_path: Path) -> None:
    loud, calm = (small_project(tmp_path / "two" / name, number) for number, name in enumerate(("loud", "calm")))
    with DaemonProcess(loud, calm) as daemon:
        daemon.wait_for("ready")
        noises = [
            subprocess.Popen([sys.executable, "-c", LOUD, os.fspath(loud / ".pipeline" / f"noise-{number}")])
            for number in range(2)
        ]
        try:
            daemon.wait_for("polling", lambda event: event["project"] == os.fspath(loud))
            for number in range(3):
                add(calm, f"Calm-{number}")
                wait_until(partial(shows, calm, f"Calm-{number}"), "the calm one is right")
            add(loud, "Loud")
            wait_until(lambda: shows(loud, "Loud"), "the loud one too")
            wait_until(lambda: scene.status(calm)["state"] == "ok", "the calm one has native events")
            assert "more events" in scene.status(loud)["reason"]
        finally:
            for noise in noises:
                noise.kill()
                noise.wait()
        assert daemon.stop() == 0
    assert not [event for event in daemon.events if event["event"] in {"rebuilding", "giving_up"}]
