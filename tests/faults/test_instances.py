"""More than one of something: daemons, writers, names of one project, projects in one another (watching.md, cases 27 and 32)."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from support.daemon_process import PROGRAM, DaemonProcess, wait_until
from support.scene import EVENTS_ALONE, Scene
from support.views import views


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PROGRAM, *(os.fspath(one) for one in arguments)], capture_output=True, text=True, timeout=60, check=False
    )


def note_of(scene: Scene) -> Path:
    """Return the file in which the daemon says who it is."""
    (note,) = (scene.scratch / "state" / "projects").glob("*/daemon.json")
    return note


@pytest.mark.parametrize("noted", ["stranger", "nobody", "nonsense"])
def test_a_second_daemon_is_refused_and_names_the_one_that_holds_the_project_whatever_is_noted(
    scene: Scene, noted: str
) -> None:
    """Case 27: the note may be of a daemon that was killed, and its number another process's by now."""
    with scene.daemon(*EVENTS_ALONE) as daemon, subprocess.Popen(["cat"], stdin=subprocess.PIPE) as stranger:
        number = {"stranger": stranger.pid, "nobody": 2**22 + 1, "nonsense": "all"}[noted]
        note_of(scene).write_text(json.dumps({"pid": number}), "utf-8")
        second = run("run", scene.root)

        assert second.returncode == 69
        assert f"进程 {daemon.process.pid}" in second.stderr, "the project is Chinese"
        assert "Traceback" not in second.stderr
        assert stranger.poll() is None, "a stranger is never signalled"

        scene.change()
        scene.settle()
        found = scene.expect("ok", fresh=True, missed=0)
        assert found["daemon"]["pid"] == daemon.process.pid
        assert stranger.stdin is not None
        stranger.stdin.close()


def test_a_note_that_a_killed_daemon_left_holds_up_nobody_and_stands_for_nobody(scene: Scene) -> None:
    """Case 27."""
    with scene.daemon() as first:
        first.process.kill()
        first.process.wait()
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as stranger:
        note_of(scene).write_text(json.dumps({"pid": stranger.pid}), "utf-8")
        assert scene.expect("none")["daemon"] is None

        with scene.daemon(*EVENTS_ALONE) as daemon:
            scene.change()
            scene.settle()
            found = scene.expect("ok", fresh=True)

            assert found["daemon"]["pid"] == daemon.process.pid
        assert stranger.poll() is None
        assert stranger.stdin is not None
        stranger.stdin.close()
    scene.expect("none", fresh=True)


def test_a_compact_by_hand_works_beside_the_daemon_and_neither_undoes_the_other(scene: Scene) -> None:
    """Case 27."""
    with scene.daemon(*EVENTS_ALONE) as daemon:
        for _ in range(3):
            scene.change()
            done = run("compact", scene.root)

            assert done.returncode == 0, done.stderr
            assert views(scene.root) == scene.from_scratch()
        scene.settle()
        daemon.settle()
        done = run("compact", scene.root)

        assert done.returncode == 0
        assert daemon.settle() == []
        scene.expect("ok", fresh=True, missed=0, contested=[])


def test_many_daemons_started_at_once_leave_one(scene: Scene) -> None:
    """Case 27: one is ready, the others say so and end."""
    several = [DaemonProcess(scene.root) for _ in range(4)]
    try:
        wait_until(lambda: sum(one.process.poll() is None for one in several) == 1, "all but one have ended")
        (left,) = (one for one in several if one.process.poll() is None)
        left.wait_for("ready")
        codes = sorted(one.process.returncode for one in several if one is not left)

        assert codes == [69, 69, 69]
        scene.change()
        scene.settle()
        scene.expect("ok", fresh=True)
        assert left.stop() == 0
    finally:
        for one in several:
            one.__exit__()


def test_one_project_by_several_names_is_kept_once(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """Case 32: relative, with dots, by a link, by its `.pipeline/`."""
    link = scene.scratch / "link"
    link.symlink_to(scene.root)
    monkeypatch.chdir(scene.scratch)
    names = [
        *(Path("project"), scene.root / ".." / "project", link, scene.pipeline),
        *(link / ".pipeline", Path(f"{scene.scratch}//project/./")),
    ]
    with DaemonProcess(*names, options=("--verbose", *EVENTS_ALONE)) as daemon:
        assert daemon.wait_for("ready")["projects"] == 1
        daemon.settle()
        link_board = link / ".pipeline" / "PROGRESS.md"
        with link_board.open("a", encoding="utf-8") as stream:
            stream.write("\n## 下一步\n\n- fold the sheet\n")
        scene.settle()

        assert [event["event"] for event in daemon.settle()] == ["refreshed"], "one look by one worker"
        for name in names:
            assert scene.status(name)["root"] == os.fspath(scene.root)
        scene.expect("ok", fresh=True, missed=0)
        assert run("run", link).returncode == 69
        assert daemon.stop() == 0


def test_projects_in_one_another_are_kept_each_by_itself(scene: Scene) -> None:
    """Case 32: in the outer one's folder, and even among its sources."""
    inner = [
        Scene(scene.root / "parts", scratch=scene.scratch),
        Scene(scene.pipeline / "reports", scratch=scene.scratch),
    ]
    roots = [scene.root, *(one.root for one in inner)]
    with DaemonProcess(*roots, options=("--verbose", *EVENTS_ALONE)) as daemon:
        assert daemon.wait_for("ready")["projects"] == 3
        for one in (*inner, scene):
            one.change()
            one.settle()
        daemon.settle()
        for one in (*inner, scene):
            one.expect("ok", fresh=True, missed=0, contested=[])
        inner[0].change()
        inner[0].settle()

        assert {event["project"] for event in daemon.settle()} == {os.fspath(inner[0].root)}
        assert daemon.stop() == 0
