"""Folders that appear faster than they can be watched (watching.md, case 19)."""

from __future__ import annotations

import random
import shutil
import time
from pathlib import Path

from support.daemon_process import wait_until
from support.scene import EVENTS_ALONE, QUICK, Scene
from support.tally import VERBOSE


def report(path: Path, title: str) -> None:
    path.write_text(f"# M01 - {title}\n\n## Result\n\n- result: pass\n", "utf-8")


def test_of_five_hundred_new_trees_no_file_is_missed(scene: Scene) -> None:
    """Case 19: more folders than are watched are polled, status says how many, and every file counts."""
    reports = scene.pipeline / "reports"
    with scene.daemon(*QUICK) as daemon:
        for number in range(500):
            inner = reports / f"a{number}" / "b" / "c"
            inner.mkdir(parents=True)
            report(inner / f"{number}.report.md", f"Tree {number}")
        scene.settle()
        found = scene.expect("partial", fresh=True)

        assert found["watches"]["held"] < found["watches"]["wanted"]
        assert "folders are not watched" in found["reason"]

        chance = random.Random(19)
        for number in chance.sample(range(500), 20):
            report(reports / f"a{number}" / "b" / "c" / f"{number}.report.md", f"Changed {number}")
        scene.settle()
        for number in range(500):
            shutil.rmtree(reports / f"a{number}")
        scene.settle()
        scene.expect("ok", fresh=True)
        assert daemon.process.poll() is None


def test_a_folder_made_within_one_that_is_about_to_be_watched_is_watched_too(scene: Scene) -> None:
    """Case 19: made after its parent was listed and before that was watched, it brings no event of its own."""
    late = scene.pipeline / "reports" / "late"
    with scene.broken_daemon("folder_before_watch", *VERBOSE, *EVENTS_ALONE) as (daemon, _):
        daemon.wait_for("ready")
        late.mkdir()
        wait_until((late / "inner").exists, "the look has come to it")
        daemon.settle()

        report(late / "inner" / "one.report.md", "Inside")
        scene.settle()
        scene.expect("ok", fresh=True, missed=0)
        assert daemon.stop() == 0


def test_a_file_in_a_folder_made_just_before_is_never_missed(scene: Scene) -> None:
    """Case 19: the file may be written before, while or after its folder begins to be watched; events alone must do."""
    reports = scene.pipeline / "reports"
    chance = random.Random(7)
    with scene.daemon(*VERBOSE, *EVENTS_ALONE):
        for number in range(12):
            inner = reports / f"a{number}"
            for name in ("", "b", "c"):
                inner /= name
                inner.mkdir()
                time.sleep(chance.choice((0.0, 0.001, 0.1, 0.2, 0.21, 0.25)))
            report(inner / "one.report.md", f"Race {number}")
            if number % 3 == 2:
                scene.settle()
                for old in range(number - 2, number + 1):
                    shutil.rmtree(reports / f"a{old}")
        scene.settle()
        scene.expect("ok", fresh=True, missed=0)
