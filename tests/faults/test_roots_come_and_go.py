"""Folders that are removed, renamed or moved, and come back (watching.md, case 16, case 17, case 18 and case 20)."""

from __future__ import annotations

import hashlib
import os
import shutil
import time
from functools import partial
from pathlib import Path

import pytest

from example import milestone
from support.daemon_process import DaemonProcess, wait_until
from support.scene import EVENTS_ALONE, QUICK, Scene
from support.tally import VERBOSE, Tally
from support.views import TARGETS, views


def digests(folder: Path) -> dict[str, str]:
    """Return the digest of every file below a folder, views too."""
    return {
        os.fspath(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def fill(pipeline: Path) -> None:
    """Write the example's sources into an empty `.pipeline/`, one after the other."""
    shutil.copytree(milestone.PROJECT / ".pipeline", pipeline, dirs_exist_ok=True)


def expect_events_of_the_root(scene: Scene, daemon: DaemonProcess, name: str) -> None:
    """Change the log and a folder of sources; no sweep comes to the help of the events."""
    tally = Tally(daemon)
    scene.note(name)
    (scene.pipeline / "reports" / f"09-{name}.report.md").write_text("# M09 - New\n", "utf-8")
    daemon.wait_for("refreshed")
    scene.settle()

    assert scene.shows(name)
    assert tally.named("waiting", "rebuilding", "missed") == []


def test_a_root_that_was_removed_and_at_once_made_anew_is_watched_again(scene: Scene) -> None:
    """Case 16: however short it was gone, all views are made anew, and events come of the new folder."""
    with scene.daemon(*VERBOSE, *EVENTS_ALONE) as daemon:
        for gap_ms in (0, 1, 10, 100):
            shutil.rmtree(scene.pipeline)
            time.sleep(gap_ms / 1000)
            scene.pipeline.mkdir()
            fill(scene.pipeline)
            scene.note(f"AFTER-{gap_ms}")
            daemon.wait_for("refreshed")
            scene.settle()

            assert set(views(scene.root)) == set(TARGETS)
            assert scene.shows(f"AFTER-{gap_ms}")
            scene.note(f"BY-EVENT-{gap_ms}")
            wait_until(partial(scene.shows, f"BY-EVENT-{gap_ms}"), "an event of the new folder came")
        expect_events_of_the_root(scene, daemon, "LAST")
        scene.expect("ok", fresh=True, missed=0)


def test_a_root_that_is_gone_is_waited_for(scene: Scene) -> None:
    """Case 16: status says so as long as it is gone or empty, and nothing is made there."""
    with scene.daemon(*VERBOSE, *EVENTS_ALONE) as daemon:
        shutil.rmtree(scene.pipeline)
        daemon.wait_for("waiting")
        found = scene.expect("waiting", fresh=False)
        assert "no such folder" in found["reason"]
        time.sleep(2)
        assert not scene.pipeline.exists()

        scene.pipeline.mkdir()
        daemon.wait_for("waiting")
        found = scene.expect("waiting", fresh=False)
        assert "is empty" in found["reason"]
        assert list(scene.pipeline.iterdir()) == []

        fill(scene.pipeline)
        daemon.wait_for("refreshed")
        scene.settle()
        assert set(views(scene.root)) == set(TARGETS)
        expect_events_of_the_root(scene, daemon, "BACK")
        scene.expect("ok", fresh=True, missed=0)


def test_a_renamed_root_is_left_alone_and_the_new_one_in_its_place_is_kept(scene: Scene) -> None:
    """Case 17: the path is followed, not the folder; nothing is written into the old one."""
    old = scene.root / ".pipeline.old"
    with scene.daemon(*VERBOSE, *EVENTS_ALONE) as daemon:
        scene.pipeline.rename(old)
        scene.pipeline.mkdir()
        fill(scene.pipeline)
        with (old / "log.yaml").open("a", encoding="utf-8") as stream:
            stream.write(
                '  - id: "OLD-ROOT"\n    type: step\n    status: done\n    timestamp: "2032-01-01T00:00:00Z"\n'
            )
        scene.note("NEW-ROOT")
        left = digests(old)
        scene.settle()
        daemon.settle()

        assert scene.shows("NEW-ROOT")
        assert not scene.shows("OLD-ROOT")

        tally = Tally(daemon)
        (old / "PROGRESS.md").write_text("# old\n", "utf-8")
        (old / "reports" / "09-old.report.md").write_text("# M09 - Old\n", "utf-8")
        daemon.settle()

        assert tally.refreshed == []
        left |= {
            name: hashlib.sha256(text).hexdigest()
            for name, text in (("PROGRESS.md", b"# old\n"), ("reports/09-old.report.md", b"# M09 - Old\n"))
        }
        assert digests(old) == left

        scene.note("NEW-ROOT-AGAIN")
        scene.settle()

        assert scene.shows("NEW-ROOT-AGAIN")
        assert digests(old) == left
        scene.expect("ok", fresh=True, missed=0)


def test_a_renamed_project_is_left_alone_and_the_new_one_in_its_place_is_kept(scene: Scene) -> None:
    """Case 17, with the whole project: no event tells of it, the sweep sees that the folder is another one."""
    old = scene.scratch / "old"
    with scene.daemon(*QUICK) as daemon:
        scene.root.rename(old)
        shutil.copytree(milestone.PROJECT, scene.root)
        (old / ".pipeline" / "PROGRESS.md").write_text("# old\n", "utf-8")
        scene.note("NEW-PROJECT")
        left = digests(old)
        scene.settle()

        assert scene.shows("NEW-PROJECT")

        (old / ".pipeline" / "log.yaml").write_text("entries: []\n", "utf-8")
        left |= {".pipeline/log.yaml": hashlib.sha256(b"entries: []\n").hexdigest()}
        daemon.settle(2.5)
        scene.note("NEW-PROJECT-AGAIN")
        scene.settle()

        assert scene.shows("NEW-PROJECT-AGAIN")
        assert digests(old) == left
        scene.expect("ok", fresh=True)


@pytest.mark.parametrize("removed", [False, True], ids=["renamed", "removed"])
def test_a_project_that_is_gone_is_waited_for_and_nothing_is_written_anywhere(scene: Scene, *, removed: bool) -> None:
    """Case 18: no crash, nothing at the old path, nothing under the new name; kept again when it is back."""
    other = scene.scratch / "project2"
    with scene.daemon(*VERBOSE, *QUICK) as daemon:
        if removed:
            shutil.rmtree(scene.root)
            shutil.copytree(milestone.PROJECT, other)
        else:
            scene.root.rename(other)
        (other / ".pipeline" / "PROGRESS.md").write_text("# elsewhere\n", "utf-8")
        left = digests(other)
        daemon.wait_for("waiting")
        scene.expect("waiting", fresh=False)
        (other / ".pipeline" / "log.yaml").write_text("entries: []\n", "utf-8")
        left |= {".pipeline/log.yaml": hashlib.sha256(b"entries: []\n").hexdigest()}
        daemon.settle(2.5)

        assert daemon.process.poll() is None
        assert not scene.root.exists()
        assert digests(other) == left
        assert len([event for event in daemon.events if event["event"] == "waiting"]) == 1, "it is said once"

        other.rename(scene.root)
        scene.settle()
        scene.expect("ok", fresh=True)
        tally = Tally(daemon)
        scene.note("BACK")
        scene.settle()

        assert scene.shows("BACK")
        assert tally.named("waiting", "missed") == []


def test_a_folder_that_is_moved_in_counts_and_one_that_is_moved_out_does_not(scene: Scene) -> None:
    """Case 20: what is written inside afterwards is seen in the first, and is nothing to us in the second."""
    tree, out = scene.scratch / "tree", scene.scratch / "out"
    (tree / "deep").mkdir(parents=True)
    (tree / "deep" / "01-moved.report.md").write_text("# M01 - Moved in\n", "utf-8")
    inside = scene.pipeline / "reports" / "tree"
    view = scene.pipeline / "reports.compact.md"
    with scene.daemon(*VERBOSE, *EVENTS_ALONE) as daemon:
        tree.rename(inside)
        scene.settle()
        assert "tree/deep/01-moved" in view.read_text("utf-8")

        (inside / "deep" / "02-inside.report.md").write_text("# M02 - Inside\n", "utf-8")
        (inside / "03-inside.report.md").write_text("# M03 - Inside\n", "utf-8")
        scene.settle()
        assert "tree/deep/02-inside" in view.read_text("utf-8")
        assert "tree/03-inside" in view.read_text("utf-8")

        inside.rename(out)
        scene.settle()
        assert "tree/" not in view.read_text("utf-8")

        tally = Tally(daemon)
        (out / "deep" / "04-outside.report.md").write_text("# M04 - Outside\n", "utf-8")
        (out / "03-inside.report.md").write_text("# M03 - Outside\n", "utf-8")
        daemon.settle()
        assert tally.refreshed == []
        assert "Outside" not in view.read_text("utf-8")
        scene.settle()
        scene.expect("ok", fresh=True, missed=0)


def test_a_folder_of_sources_that_is_moved_out_and_in_again_is_kept_anew(scene: Scene) -> None:
    """Case 20: what was written meanwhile is seen, and what is written afterwards."""
    away, knowledge = scene.scratch / "away", scene.pipeline / "knowledge"
    record = milestone.RECORD.removeprefix("knowledge/")
    with scene.daemon(*VERBOSE, *EVENTS_ALONE) as daemon:
        knowledge.rename(away)
        left = digests(away)
        daemon.wait_for("refreshed", lambda event: "knowledge" not in event["unchanged"])
        daemon.settle()
        assert not knowledge.exists()
        assert digests(away) == left

        (away / record).write_text((milestone.HERE / "written" / milestone.RECORD).read_text("utf-8"), "utf-8")
        away.rename(knowledge)
        daemon.wait_for("refreshed", lambda event: event["written"] == ["knowledge"])
        scene.settle()

        (knowledge / record).unlink()
        daemon.wait_for("refreshed", lambda event: event["written"] == ["knowledge"])
        scene.settle()
        scene.expect("ok", fresh=True, missed=0)
