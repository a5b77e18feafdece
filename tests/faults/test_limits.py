"""The system has no room for native events: watching.md, cases 13, 14 and 15.

Tested here: every limit that Linux puts on them, from the start and reached while the daemon runs, on the project that
meets it. That native events are tried again by themselves after five minutes is left to the tests of `backend`; here
it is only seen that they come back when somebody asks for it, and that nothing leaks until then.
"""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from support.daemon_process import PROGRAM, DaemonProcess, wait_until
from support.room import Room, room
from support.scene import QUICK, Scene
from support.views import views

WATCHES, INSTANCES = "max_inotify_watches", "max_inotify_instances"
MANY = 100_000


@pytest.fixture(name="room")
def _room() -> Iterator[Room]:
    with room() as one:
        yield one


@pytest.fixture(name="scene")
def _scene(scene: Scene, room: Room) -> Scene:
    """The project, with the daemon in a room of its own."""
    scene.within = room.enter
    return scene


def descriptors(daemon: DaemonProcess) -> list[int]:
    """Return the numbers of the files that the daemon holds open."""
    return sorted(int(path.name) for path in Path(f"/proc/{daemon.process.pid}/fd").iterdir())


def folders_of_reports(scene: Scene, count: int) -> list[Path]:
    folders = [scene.pipeline / "reports" / f"part-{number:02}" for number in range(count)]
    for folder in folders:
        folder.mkdir()
    return folders


@pytest.mark.parametrize(
    ("limit", "name"), [(WATCHES, "fs.inotify.max_user_watches"), (INSTANCES, "fs.inotify.max_user_instances")]
)
def test_without_room_for_a_single_watch_the_project_is_polled_and_status_names_the_limit(
    scene: Scene, room: Room, limit: str, name: str
) -> None:
    """Cases 13 and 15."""
    room.limit(limit, 0)
    with scene.daemon() as daemon:
        scene.change()
        scene.settle()
        found = scene.expect("polling", fresh=True)

        assert name in found["reason"]
        assert found["watches"]["held"] == 0 < found["watches"]["wanted"]
        assert found["missed"] == 0
        assert found["daemon"]["rebuilds"] == 0

        room.limit(limit, MANY)
        daemon.signal(signal.SIGHUP)
        found = scene.expect("ok", fresh=True)

        assert found["watches"]["held"] == found["watches"]["wanted"] > 0


def test_while_there_is_no_room_for_watches_no_descriptor_is_lost(scene: Scene, room: Room) -> None:
    """Case 15: watchdog 6 loses some at each watch that fails."""
    room.limit(WATCHES, 0)
    with scene.daemon() as daemon:
        before = len(descriptors(daemon))
        for _ in range(4):
            scene.change()
            scene.settle()
        wait_until(lambda: len(descriptors(daemon)) <= before, "it holds no more files than before")


@pytest.mark.parametrize("limit", [WATCHES, INSTANCES])
def test_with_room_for_some_folders_the_others_are_polled_and_status_counts_them(
    scene: Scene, room: Room, limit: str
) -> None:
    """Case 14, and with watchdog 6 the same of instances, of which it takes one a folder."""
    folders = folders_of_reports(scene, 20)
    room.limit(limit, 10)
    with scene.daemon() as daemon:
        found = scene.status()
        if limit == INSTANCES and found["state"] == "ok":
            pytest.skip("this watchdog takes one instance for all folders")
        before = len(descriptors(daemon))
        for folder in folders:
            (folder / "01-note.report.md").write_text(f"# Report: {folder.name}\n\n- **Result**: passed\n", "utf-8")
        scene.settle()
        found = scene.expect("partial", fresh=True)

        assert 0 < found["watches"]["held"] < found["watches"]["wanted"]
        assert f"fs.inotify.max_user_{limit.rpartition('_')[2]}" in found["reason"]
        assert found["daemon"]["rebuilds"] == 0

        for folder in folders:
            (folder / "01-note.report.md").write_text(f"# Report: {folder.name}\n\n- **Result**: failed\n", "utf-8")
        scene.settle()
        scene.expect("partial", fresh=True)
        wait_until(lambda: len(descriptors(daemon)) <= before, "it holds no more files than before")


def test_a_limit_reached_while_it_runs_leaves_only_the_new_folders_to_polling(scene: Scene, room: Room) -> None:
    """Case 14."""
    with scene.daemon() as daemon:
        held = scene.expect("ok", fresh=True)["watches"]["held"]
        room.limit(WATCHES, 1)
        room.limit(INSTANCES, 1)
        folders = folders_of_reports(scene, 2)
        daemon.wait_for("partial")
        (folders[1] / "01-note.report.md").write_text("# Report: late\n\n- **Result**: passed\n", "utf-8")
        scene.settle()
        found = scene.expect("partial", fresh=True)

        assert found["watches"] == {"wanted": held + 2, "held": held}

        scene.change()
        scene.settle()
        room.limit(WATCHES, MANY)
        room.limit(INSTANCES, MANY)
        found = scene.expect("ok", fresh=True)

        assert found["watches"] == {"wanted": held + 2, "held": held + 2}


@pytest.mark.parametrize("count", [30, 40])
def test_with_few_files_that_may_be_open_the_views_are_right_all_the_same(scene: Scene, count: int) -> None:
    """Case 15: with watchdog 6 each folder takes some, and none may be left for reading."""
    with scene.daemon(command=("prlimit", f"--nofile={count}", *PROGRAM)):
        scene.change()
        scene.settle()
        found = scene.status()

        assert found["fresh"]
        assert found["state"] == "ok" or "ulimit -n" in found["reason"], found


def test_without_files_that_may_be_opened_no_view_is_touched_until_there_are_again(scene: Scene) -> None:
    """Case 15: that a source cannot be opened now says nothing about the source."""
    with scene.daemon(*QUICK) as daemon:
        for spare in range(3):  # none; enough to see the project; enough to begin a look
            daemon.settle()
            before, said = views(scene.root), len(daemon.events)
            free = sorted(set(range(1024)) - set(descriptors(daemon)))
            prlimit(daemon, f"--nofile={free[spare]}:")
            scene.change()
            wait_until(partial(has_said_more, daemon, said), "it has met the limit, or made room")
            daemon.settle(2.5)

            assert views(scene.root) in (before, scene.from_scratch())

            prlimit(daemon, "--nofile=1024:")
            scene.settle()
        scene.expect("ok", fresh=True)

        assert not [event for event in daemon.events if event.get("moment")], "nothing has come to pass"


def has_said_more(daemon: DaemonProcess, events: int) -> bool:
    return len(daemon.events) > events


def prlimit(daemon: DaemonProcess, limit: str) -> None:
    subprocess.run(["prlimit", f"--pid={daemon.process.pid}", limit], check=True)
