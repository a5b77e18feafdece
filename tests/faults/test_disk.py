"""The disk is full, read-only, or the process dies while it writes: watching.md, cases 24, 25, 26 and 35.

Case 35 is a service that may write below its projects only: what it has been given is a mount, and a project that is
deleted and made anew lies outside of it. Tested here is what the daemon does then, in mounts of the same shape; the
service itself is tested where services are.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from example import milestone
from support.daemon_process import wait_until
from support.room import Room, room
from support.scene import EVENTS_ALONE, Scene
from support.views import views

ENTRY = "  - id: ODD\n    type: step\n    status: done\n"


@pytest.fixture(name="room")
def _room() -> Iterator[Room]:
    with room() as one:
        yield one


def temporary_files(scene: Scene) -> list[Path]:
    return list(scene.root.rglob(".hypo-compactd-*"))


def fill(ballast: Path) -> None:
    """Leave no room on a file system."""
    with ballast.open("wb", buffering=0) as stream, suppress(OSError):
        while True:
            stream.write(bytes(4096))


def expect_failed(scene: Scene, name: str, reason: str) -> None:
    """Wait until `status` says that a view is not right, and why."""

    def holds() -> bool:
        found = scene.status()
        (view,) = (one for one in found["views"] if one["name"] == name)
        said = [finding["message"] for finding in view["findings"]]
        return not found["fresh"] and view["state"] == "failed" and any(reason in message for message in said)

    wait_until(holds, f"status says of the view {name}: {reason}")


def test_on_a_full_disk_the_old_views_stay_and_are_made_anew_when_there_is_room(
    scene: Scene, room: Room, tmp_path: Path
) -> None:
    """Case 24: ENOSPC."""
    disk = tmp_path / "disk"
    disk.mkdir()
    room.run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk)
    scene = Scene(disk, room=room, scratch=tmp_path)
    ballast = room.seen(disk) / "ballast"
    with scene.daemon(*EVENTS_ALONE) as daemon:
        before = views(scene.root)
        fill(ballast)
        with (scene.pipeline / "PROGRESS.md").open("r+b") as board:  # in place, since nothing new has room
            text = board.read().replace(b"M03", b"M93")
            board.seek(0)
            board.write(text)
        expect_failed(scene, "progress", "no space left on device")

        assert views(scene.root) == before
        assert temporary_files(scene) == []
        assert "no space left" in str(daemon.wait_for("findings"))

        ballast.unlink()
        scene.settle()
        scene.expect("ok", fresh=True, missed=0)


def test_a_view_larger_than_files_may_be_stays_as_it_was_until_it_may_be_written(scene: Scene) -> None:
    """Case 24: EFBIG, which leaves a part of the file behind."""
    with scene.daemon(*EVENTS_ALONE) as daemon:
        before = views(scene.root)
        subprocess.run(["prlimit", f"--pid={daemon.process.pid}", "--fsize=6000:"], check=True)
        scene.append(ENTRY, file="log.yaml")
        scene.change()
        expect_failed(scene, "log", "file too large")
        wait_until(lambda: views(scene.root)["progress"] != before["progress"], "the smaller view is written")

        assert views(scene.root)["log"] == before["log"]
        assert temporary_files(scene) == []

        subprocess.run(["prlimit", f"--pid={daemon.process.pid}", "--fsize=unlimited:"], check=True)
        scene.settle()
        scene.expect("ok", fresh=True, missed=0)


def test_where_our_own_folder_is_full_the_views_are_right_all_the_same(
    scene: Scene, room: Room, tmp_path: Path
) -> None:
    """Case 24: what cannot be remembered is computed again."""
    state = tmp_path / "state"
    state.mkdir()
    room.run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", state)
    scene.within = room.enter
    ballast = room.seen(state) / "ballast"
    with scene.daemon(*EVENTS_ALONE) as daemon:
        fill(ballast)
        scene.change()
        scene.settle()

        assert "no space left on device" in daemon.wait_for("failed")["reason"]
        assert scene.status()["fresh"]

        ballast.unlink()
        scene.change()
        scene.settle()
        scene.expect("ok", fresh=True, missed=0)


def test_a_project_that_becomes_read_only_is_still_followed_and_written_when_it_may_be(
    scene: Scene, room: Room
) -> None:
    """Case 25: EROFS."""
    scene.within = room.enter
    room.run("mount", "--bind", scene.root, scene.root)
    with scene.daemon(*EVENTS_ALONE) as daemon:
        before = views(scene.root)
        room.run("mount", "-o", "remount,bind,ro", scene.root)
        scene.change()
        expect_failed(scene, "progress", "read-only file system")
        scene.append(ENTRY, file="log.yaml")
        expect_failed(scene, "log", "read-only file system")

        assert views(scene.root) == before
        assert "read-only file system" in str(daemon.wait_for("findings"))

        room.run("mount", "-o", "remount,bind,rw", scene.root)
        scene.settle()
        scene.expect("ok", fresh=True, missed=0)


def test_a_folder_that_may_not_be_written_costs_only_its_own_view(scene: Scene) -> None:
    """Case 25: chmod 555; the folder of one view only, the others are written."""
    if os.geteuid() == 0:
        scene.within = ("setpriv", "--inh-caps=-all", "--bounding-set=-all", "--")
    folder = scene.pipeline / "knowledge"
    with scene.daemon(*EVENTS_ALONE):
        before = views(scene.root)
        folder.chmod(0o555)
        try:
            milestone.apply(milestone.knowledge(), scene.pipeline)
            scene.change()
            expect_failed(scene, "knowledge", "permission denied")
            wait_until(lambda: views(scene.root)["progress"] != before["progress"], "the other view is written")

            assert views(scene.root)["knowledge"] == before["knowledge"]
        finally:
            folder.chmod(0o755)
        scene.settle()
        scene.expect("ok", fresh=True, missed=0)


@pytest.mark.parametrize("fault", ["killed_half_written", "killed_before_rename", "killed_before_manifest"])
def test_killed_while_it_writes_it_leaves_whole_views_and_the_next_start_sweeps_and_rebuilds(
    scene: Scene, fault: str
) -> None:
    """Case 26."""
    with scene.broken_daemon(fault) as (daemon, trigger):
        daemon.wait_for("ready")
        before = views(scene.root)
        trigger.touch()
        scene.change()
        daemon.process.wait()

        assert daemon.process.returncode == -9

    if fault == "killed_before_manifest":
        assert views(scene.root) == scene.from_scratch() != before
    else:
        assert views(scene.root) == before
        assert len(temporary_files(scene)) == 1

    found = scene.expect("none", fresh=fault == "killed_before_manifest")

    assert f"process {daemon.process.pid}" in found["reason"]

    with scene.daemon(*EVENTS_ALONE) as again:
        scene.settle()
        scene.expect("ok", fresh=True, missed=0, repaired=0)

        assert sum(event.get("swept", 0) for event in again.events) == (fault != "killed_before_manifest")


def test_a_project_made_anew_outside_of_what_may_be_written_fails_visibly_until_it_may(
    scene: Scene, room: Room, tmp_path: Path
) -> None:
    """Case 35."""
    place = tmp_path / "place"
    place.mkdir()
    scene = Scene(place, within=room.enter, scratch=tmp_path)
    for path in (place, scene.root):  # what may be written is the project alone, by a mount of its own
        room.run("mount", "--bind", path, path)
    room.run("mount", "-o", "remount,bind,ro", place)
    with scene.daemon("--sweep-s", "1") as daemon:
        scene.change()
        scene.settle()
        scene.expect("ok", fresh=True)

        shutil.rmtree(scene.root)
        shutil.copytree(milestone.PROJECT, scene.root)
        expect_failed(scene, "progress", "read-only file system")
        scene.append(ENTRY, file="log.yaml")
        expect_failed(scene, "log", "read-only file system")

        assert views(scene.root) == {}
        assert "read-only file system" in str(daemon.wait_for("findings"))

        room.run("mount", "-o", "remount,bind,rw", place)
        scene.settle()
        scene.expect("ok", fresh=True)
