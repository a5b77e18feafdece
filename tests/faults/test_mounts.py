"""A file system comes and goes under the project: watching.md, case 28.

Tested here: `.pipeline/` and the whole project as a mount of its own that is taken away and put back, where
nothing ends the watches and no event tells of it; and a file system that ends with its mount.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest

from example import milestone
from support.room import Room, room
from support.scene import QUICK, Scene
from support.views import views


@pytest.fixture(name="room")
def _room() -> Iterator[Room]:
    with room() as one:
        yield one


@pytest.mark.parametrize("name", [".pipeline", "."])
def test_a_mount_that_is_taken_away_is_waited_for_and_costs_no_view(scene: Scene, room: Room, name: str) -> None:
    """Case 28: the disk stays, so that its watches do too, and no event tells of it."""
    disk, place = scene.scratch / "disk", scene.root / name
    place.rename(disk)
    place.mkdir()
    room.run("mount", "--bind", disk, place)
    scene.within = room.enter
    scene.root = room.seen(scene.named)
    with scene.daemon(*QUICK) as daemon:
        scene.settle()
        before = views(scene.root)
        room.run("umount", place)
        found = scene.expect("waiting", fresh=False)

        assert "is empty" in found["reason"] or "no such folder" in found["reason"]

        board = disk / (".pipeline/PROGRESS.md" if name == "." else "PROGRESS.md")
        with board.open("a", encoding="utf-8") as stream:
            stream.write("\n## 下一步\n\n- fold the sheet\n")
        daemon.settle(1.5)

        assert list(place.iterdir()) == [], "nothing is written to where the mount was"

        room.run("mount", "--bind", disk, place)

        assert set(views(scene.root)) == set(before)

        scene.settle()
        scene.expect("ok", fresh=True)
        daemon.settle()
        scene.change()
        scene.settle()
        found = scene.expect("ok", fresh=True)

        assert found["daemon"]["rebuilds"] == 0
        assert [event["event"] for event in daemon.settle(2.5)] == ["refreshed"], "an event announced it, no sweep"


def test_a_file_system_that_ends_with_its_mount_is_waited_for(scene: Scene, room: Room) -> None:
    """Case 28: its watches end with it; what is mounted then is another one with the same files."""
    content = milestone.PROJECT / ".pipeline"
    place = scene.root / ".pipeline"
    shutil.rmtree(place)
    place.mkdir()
    room.run("mount", "-t", "tmpfs", "tmpfs", place)
    scene.within = room.enter
    scene.root = room.seen(scene.named)
    shutil.copytree(content, scene.pipeline, dirs_exist_ok=True)
    with scene.daemon(*QUICK) as daemon:
        scene.settle()
        room.run("umount", place)
        found = scene.expect("waiting", fresh=False)

        assert "is empty" in found["reason"]

        room.run("mount", "-t", "tmpfs", "tmpfs", place)
        scene.expect("waiting", fresh=False)
        shutil.copytree(content, scene.pipeline, dirs_exist_ok=True)
        scene.settle()
        scene.expect("ok", fresh=True)
        daemon.settle()
        scene.change()
        scene.settle()
        found = scene.expect("ok", fresh=True)

        assert found["daemon"]["rebuilds"] == 0
        assert [event["event"] for event in daemon.settle(2.5)] == ["refreshed"], "an event announced it, no sweep"
