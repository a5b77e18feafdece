"""Many changes at once (watching.md, case 4 and case 9)."""

from __future__ import annotations

import signal
import subprocess
import time
from pathlib import Path

import pytest
from watchdog.version import VERSION_MAJOR

from example import milestone
from support.daemon_process import wait_until
from support.onlooker import Onlooker
from support.scene import EVENTS_ALONE, QUICK, Scene
from support.tally import VERBOSE, Tally
from support.views import TARGETS

MAX_WAIT_S = 2

QUEUE = Path("/proc/sys/fs/inotify/max_queued_events")
QUEUE_LIMIT = 100_000
"""Where the system keeps more events than this, too many changes are needed to make it drop one."""


def test_two_thousand_new_files_are_few_rebuilds(scene: Scene) -> None:
    """Case 4: three rebuilds at most, and no view is ever gone meanwhile."""
    with scene.daemon(*VERBOSE, *EVENTS_ALONE) as daemon:
        tally = Tally(daemon)
        with Onlooker(scene.root) as onlooker:
            began = time.monotonic()
            for number in range(2_000):
                path = scene.pipeline / "reports" / f"{number:04}-burst.report.md"
                path.write_text(f"# M{number:04} - Burst\n\n## Result\n\n- result: pass\n", "utf-8")
            took_s = time.monotonic() - began
            daemon.wait_for("refreshed")
            scene.settle()
            daemon.settle()

        # A machine that takes long over it gets a rebuild for each maximum wait.
        assert 1 <= len(tally.refreshed) <= 3 + took_s // MAX_WAIT_S
        assert len(tally.looked) <= 3
        assert onlooker.missing == []
        assert onlooker.rounds > 10
        scene.expect("ok", fresh=True, missed=0)


def git(scene: Scene, *arguments: str) -> None:
    settings = ("-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "init.defaultBranch=one")
    subprocess.run(["git", *settings, *arguments], cwd=scene.root, check=True, capture_output=True)


def test_another_branch_is_few_rebuilds_and_no_view_is_gone_meanwhile(scene: Scene) -> None:
    """Case 4: a checkout removes each file and makes it anew; no view of a file that stays goes with it."""
    git(scene, "init")
    git(scene, "add", ".")
    git(scene, "commit", "--message", "one")
    git(scene, "checkout", "-b", "two")
    for step in (*milestone.completion(), milestone.knowledge()):
        milestone.apply(step, scene.pipeline)
    for number in range(100):
        (scene.pipeline / "reports" / f"{number:04}-branch.report.md").write_text("# M01 - Branch\n", "utf-8")
    git(scene, "add", ".")
    git(scene, "commit", "--message", "two")
    with scene.daemon(*VERBOSE, *EVENTS_ALONE) as daemon, Onlooker(scene.root) as onlooker:
        for branch in ("one", "two"):
            tally = Tally(daemon)
            git(scene, "checkout", branch)
            daemon.wait_for("refreshed")
            scene.settle()

            assert 1 <= len(tally.refreshed) <= 3
            assert not [event for event in tally.refreshed if event["withdrawn"]]
        assert set(onlooker.met) == set(TARGETS)
        assert onlooker.missing == []
        scene.expect("ok", fresh=True, missed=0)


def test_sources_that_are_gone_for_a_moment_keep_their_views(scene: Scene) -> None:
    """Case 4: on a slow disk a checkout may leave a file missing for longer than the quiet period."""
    files = [scene.pipeline / name for name in ("PROGRESS.md", "log.yaml", "state.yaml")]
    with scene.daemon(*VERBOSE, *EVENTS_ALONE) as daemon:
        tally = Tally(daemon)
        for number in range(2):
            texts = [path.read_text("utf-8") for path in files]
            with Onlooker(scene.root) as onlooker:
                began = time.monotonic()
                for path in files:
                    path.unlink()
                time.sleep(0.3)
                for path, text in zip(files, texts, strict=True):
                    path.write_text(text, "utf-8")
                gone_s = time.monotonic() - began
                scene.note(f"CHECKOUT-{number}")
                daemon.wait_for("refreshed", lambda event: "log" in event["written"])
                scene.settle()
            if gone_s < 0.4:  # two looks that find them gone take as long
                assert onlooker.missing == []
                assert not [event for event in tally.refreshed if event["withdrawn"]]
        scene.expect("ok", fresh=True, missed=0)


def fill_the_queue(folder: Path) -> None:
    """Make more events than the system keeps, none of which matters by itself."""
    number = int(QUEUE.read_text())
    if number > QUEUE_LIMIT:
        pytest.skip(f"the system keeps {number} events")
    one, other = folder / "one.tmp", folder / "other.tmp"
    one.touch()
    for _ in range(number // 2 + 500):
        one.rename(other)
        one, other = other, one
    one.unlink()


@pytest.mark.skipif(not QUEUE.exists(), reason="the system has no such queue")
def test_events_that_the_system_drops_are_made_up_for(scene: Scene) -> None:
    """Case 9: watchdog 7 tells that events were dropped, and status counts it; with 6 the sweep finds the change."""
    told = VERSION_MAJOR >= 7
    with scene.daemon(*VERBOSE, *(EVENTS_ALONE if told else QUICK)) as daemon:
        tally = Tally(daemon)
        daemon.signal(signal.SIGSTOP)
        fill_the_queue(scene.pipeline)
        scene.note("DROPPED")
        daemon.signal(signal.SIGCONT)
        daemon.wait_for("overflow" if told else "missed")
        scene.settle()

        assert scene.shows("DROPPED")
        assert tally.named("rebuilding") == []
        # Events come as before.
        before = len(tally.named("missed"))
        scene.note("LATER")
        scene.settle()
        if told:
            wait_until(lambda: scene.status()["daemon"]["overflows"] > 0, "status counts it")
        found = scene.expect("ok", fresh=True)

        assert scene.shows("LATER")
        assert len(tally.named("missed")) == before == (0 if told else 1)
        assert found["daemon"]["rebuilds"] == 0
