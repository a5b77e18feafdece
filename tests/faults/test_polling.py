"""Where no native events come: polling, and changes that only the sweep finds (watching.md, cases 29 and 36)."""

from __future__ import annotations

import mmap
import os
import time
from pathlib import Path

import pytest

from support.daemon_process import wait_until
from support.scene import QUICK, Scene


def test_a_project_that_is_polled_is_right_a_moment_after_every_kind_of_change(scene: Scene) -> None:
    with scene.daemon("--poll", "always"):
        scene.append("| 23:58 | Step | first | 1 |\n")
        scene.settle()
        (scene.pipeline / "state.yaml").unlink()
        scene.settle()
        (scene.pipeline / "reports").rename(scene.pipeline / "reports.old")
        scene.settle()
        (scene.pipeline / "log.compact.yaml").write_text("mine\n")
        scene.settle()

        found = scene.expect("polling", fresh=True, missed=0)
        assert "--poll always" in found["reason"]
        assert found["watches"]["held"] == 0


def test_a_file_system_that_brings_no_events_is_found_out_and_polled(scene: Scene) -> None:
    with scene.broken_daemon("deaf_project") as (daemon, trigger):
        trigger.touch()
        daemon.wait_for("ready")
        daemon.wait_for("polling")
        scene.append("| 23:58 | Step | first | 1 |\n")
        scene.settle()

        found = scene.expect("polling", fresh=True)
        assert "no event came" in found["reason"]
        assert found["daemon"]["rebuilds"] == 0
        assert daemon.stop() == 0


def test_changes_that_only_the_sweep_finds_are_counted_and_end_in_polling(scene: Scene) -> None:
    with scene.broken_daemon("deaf_project", *QUICK) as (daemon, trigger):
        daemon.wait_for("ready")
        scene.expect("ok")
        trigger.touch()
        for number in range(3):
            scene.append(f"| 23:5{number} | Step | number {number} | {number} |\n")
            daemon.wait_for("missed")
            scene.settle()

        found = scene.expect("polling", fresh=True, missed=3)
        assert "no event came" in found["reason"]
        scene.append("| 23:59 | Step | polled | 1 |\n")
        scene.settle()
        assert scene.expect("polling", fresh=True, missed=3)
        assert daemon.stop() == 0


def test_writes_through_a_hard_link_from_outside_are_found_by_the_sweep(scene: Scene) -> None:
    outside = scene.scratch / "link.md"
    os.link(scene.pipeline / "PROGRESS.md", outside)
    with scene.daemon(*QUICK):
        with outside.open("a", encoding="utf-8") as stream:
            stream.write("| 23:58 | Step | through a link | 1 |\n")
        scene.settle()

        scene.expect("ok", fresh=True, missed=1)


def test_writes_through_a_memory_map_after_the_file_was_closed_are_found_by_the_sweep(scene: Scene) -> None:
    path = scene.pipeline / "PROGRESS.md"
    with path.open("r+b") as stream:
        memory = mmap.mmap(stream.fileno(), 0)
    with scene.daemon(*QUICK):
        at = memory.find(b"| M0")
        assert at > 0
        memory[at + 2 : at + 4] = b"N9"
        memory.flush()
        scene.settle()

        scene.expect("ok", fresh=True, missed=1)
    memory.close()


def cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="the system does not tell what a process takes")
@pytest.mark.parametrize("options", [("--poll", "always"), ("--sweep-s", "1")], ids=["polling", "sweep"])
def test_scans_that_always_find_a_change_take_little_of_the_machine(scene: Scene, options: tuple[str, ...]) -> None:
    with scene.broken_daemon("scan_storm", *options) as (daemon, _):
        daemon.wait_for("ready")
        daemon.settle(2)
        before, began = cpu_s(daemon.process.pid), time.monotonic()
        daemon.settle(20)
        share = (cpu_s(daemon.process.pid) - before) / (time.monotonic() - began)

        assert share < 0.05
        scene.settle()
        assert daemon.stop() == 0


def test_a_program_that_writes_a_view_again_and_again_is_reported_and_never_the_last(scene: Scene) -> None:
    view = scene.pipeline / "log.compact.yaml"
    with scene.daemon() as daemon:
        ours = view.read_bytes()
        for number in range(8):
            wait_until(lambda: view.read_bytes() == ours, "the view is put right")
            view.write_text(f"theirs {number}\n")
        daemon.wait_for("contested", lambda event: event["views"] == ["log"])
        assert scene.status()["contested"] == ["log"]
        scene.append("| 23:58 | Step | of no matter to the contest | 1 |\n")
        wait_until(lambda: "of no matter" in (scene.pipeline / "PROGRESS.compact.md").read_text(), "others go on")
        scene.settle()

        found = scene.expect("ok", fresh=True, contested=["log"])
        assert found["repaired"] == 8
