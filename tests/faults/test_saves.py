"""How programs save, read and touch files (watching.md, case 1, case 2, case 3, case 7 and case 8)."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from support.onlooker import Onlooker
from support.scene import EVENTS_ALONE, QUICK, Scene
from support.tally import VERBOSE, Tally, moment, pauses
from support.views import views

QUIET_S = 0.2
MAX_WAIT_S = 2.0

STARTED = "M03 run_tests_green started"
"""A row of the board that its view shows."""


def by_rename(path: Path) -> None:
    """Save as agents and most editors do: a temporary file beside the source is renamed over it."""
    temporary = path.with_name(f"{path.name}.tmp.{os.getpid()}.1a2b3c4d")
    temporary.write_text(path.read_text("utf-8").replace(STARTED, "M03 run by rename"), "utf-8")
    temporary.replace(path)


def by_sed(path: Path) -> None:
    """Save as `sed -i` does, whose temporary file is called otherwise."""
    subprocess.run(["sed", "-i", "s/M03 run by rename/M03 run by sed/", os.fspath(path)], check=True)


def from_elsewhere(path: Path) -> None:
    """Save as `mv` over the source does; the system tells of it as a new file, and of nothing else."""
    other = path.parents[2] / "elsewhere"
    other.write_text(path.read_text("utf-8").replace("M03 run by sed", "M03 run elsewhere"), "utf-8")
    other.replace(path)


def test_a_save_by_rename_is_one_rebuild(scene: Scene) -> None:
    """Case 1: one rebuild, soon after the quiet period, however the file came into its place."""
    board, view = scene.pipeline / "PROGRESS.md", scene.pipeline / "PROGRESS.compact.md"
    with scene.daemon(*VERBOSE, *EVENTS_ALONE) as daemon:
        tally = Tally(daemon)
        for count, (save, text) in enumerate(
            ((by_rename, "by rename"), (by_sed, "by sed"), (from_elsewhere, "elsewhere")), 1
        ):
            began = time.time()
            save(board)
            batch = daemon.wait_for("refreshed")
            daemon.settle()

            assert [event["written"] for event in tally.refreshed] == [["progress"]] * count
            assert tally.looked == []
            assert f"M03 run {text}" in view.read_text("utf-8")
            assert moment(batch) - began <= QUIET_S + 0.3 or os.getloadavg()[0] > 2, (
                "on a machine with time to spare the view is right 300 ms after the quiet period"
            )
        scene.settle()
        scene.expect("ok", fresh=True, missed=0)


def test_a_temporary_file_never_becomes_a_source(scene: Scene) -> None:
    """Case 1: what an editor or an agent leaves lying about is neither looked at nor in any view."""
    report = scene.pipeline / "reports" / "00-hole-spacing-engine.report.md"
    record = next((scene.pipeline / "knowledge" / "records").glob("*.yaml"))
    with scene.daemon(*VERBOSE, *EVENTS_ALONE) as daemon:
        tally = Tally(daemon)
        before = views(scene.root)
        for source in (report, record, scene.pipeline / "PROGRESS.md", scene.pipeline / "log.yaml"):
            text = source.read_text("utf-8").replace("M01", "M77").replace("C3", "C77")
            kind = source.suffix
            for name in (
                f"{source.name}.tmp.{os.getpid()}.1a2b3c4d",
                f"{source.name}.tmp-{os.getpid()}-1775{kind}",
                f"{source.stem}.tmp.{os.getpid()}{kind}",
                f".{source.name}.swp",
                f".{source.stem}.tmp{kind}",
                f"{source.name}~",
                f"#{source.name}#",
            ):
                (source.parent / name).write_text(text, "utf-8")
        daemon.settle()

        assert tally.events == []

        # A look that has another reason does not take them for sources either.
        scene.note("ANOTHER-REASON")
        daemon.wait_for("refreshed")
        daemon.settle()

        assert [event["written"] for event in tally.refreshed] == [["log"]]
        assert {name for name, text in views(scene.root).items() if text != before[name]} == {"log"}
        scene.settle()
        scene.expect("ok", fresh=True, missed=0)


def test_a_file_that_is_emptied_before_it_is_written_never_empties_its_view(scene: Scene) -> None:
    """Case 2: no view of the empty file is published; the final content wins."""
    saves = (
        ("progress", "PROGRESS.md", STARTED, "M03 save one", 0.05),
        ("progress", "PROGRESS.md", "M03 save one", "M03 save two", 0.3),
        ("log", "log.yaml", '"M02-IMPLEMENT-C3"', '"M02-SAVE-C3"', 0.25),
        ("reports", "reports/00-hole-spacing-engine.report.md", "- 结果：pass", "- 结果：fail", 0.3),
    )
    with scene.daemon(*VERBOSE, *EVENTS_ALONE) as daemon:
        tally = Tally(daemon)
        for view, file, old, new, pause_s in saves:
            path = scene.pipeline / file
            text = path.read_text("utf-8")

            assert old in text

            before, begin = views(scene.root)[view], len(tally.refreshed)
            with Onlooker(scene.root) as onlooker:
                with path.open("w", encoding="utf-8") as stream:
                    began = time.monotonic()
                    time.sleep(pause_s)
                    stream.write(text.replace(old, new))
                paused_s = time.monotonic() - began
                daemon.wait_for("refreshed")
                daemon.settle()
            if paused_s > 2 * QUIET_S:
                continue  # a machine with other things to do made more of the pause than was asked for

            assert onlooker.met[view] == [before, views(scene.root)[view]]
            assert onlooker.missing == []
            assert [event["written"] for event in tally.refreshed[begin:]] == [[view]]
        scene.settle()
        scene.expect("ok", fresh=True, missed=0)


def test_a_file_that_is_written_without_pause_is_seen_at_least_every_maximum_wait(scene: Scene) -> None:
    """Case 3: a writer that never pauses delays a rebuild by the maximum wait at most; the last rebuild has it all."""
    lasting_s = 6
    with scene.daemon(*VERBOSE, *EVENTS_ALONE) as daemon:
        tally = Tally(daemon)
        began = time.time()
        writes = 0
        while time.time() < began + lasting_s:
            writes += 1
            scene.note(f"WRITE-{writes}")
            time.sleep(0.05)
        ended = time.time()
        scene.settle()
        daemon.settle()
        during = [event for event in tally.refreshed if moment(event) < ended]
        slowest_s = max(event["milliseconds"] for event in tally.refreshed) / 1000

        # The look itself and a machine that does other things come on top of the two seconds.
        assert len(during) >= 2
        assert max([moment(during[0]) - began, *pauses(during)]) < MAX_WAIT_S + slowest_s + 1.5
        assert len(during) <= lasting_s / MAX_WAIT_S, "it waits for quiet as long as it may"
        assert scene.shows(f"WRITE-{writes}")
        scene.expect("ok", fresh=True, missed=0)


def test_reading_triggers_nothing(scene: Scene) -> None:
    """Case 7: a thousand readings, of views too, cause not a single look."""
    with scene.daemon(*VERBOSE, *EVENTS_ALONE) as daemon:
        tally = Tally(daemon)
        looks = scene.status()["looks"]
        files = [path for path in scene.root.rglob("*") if path.is_file()]
        for _ in range(1_000):
            for name in ("PROGRESS.md", "log.yaml", "PROGRESS.compact.md", "log.compact.yaml"):
                (scene.pipeline / name).read_bytes()
        subprocess.run(["cat", *map(os.fspath, files)], check=True, capture_output=True)
        daemon.settle()

        assert tally.events == []
        scene.settle()
        assert scene.expect("ok", fresh=True, missed=0)["looks"] == looks


def touched(path: Path) -> None:
    subprocess.run(["touch", os.fspath(path)], check=True)


def times_raised(path: Path) -> None:
    os.utime(path)


def times_lowered(path: Path) -> None:
    os.utime(path, (0, 0))


def rights_changed(path: Path) -> None:
    path.chmod(0o600)


def change_all(scene: Scene, change: Callable[[Path], None]) -> None:
    for file in ("PROGRESS.md", "log.yaml", "reports/00-hole-spacing-engine.report.md"):
        change(scene.pipeline / file)


def places_of_views(scene: Scene) -> dict[str, int]:
    """Return the inode of each view: another one when it was written, even with the same text."""
    return {path.name: path.stat().st_ino for path in scene.root.rglob("*.compact.*")}


def test_new_times_or_rights_alone_write_nothing(scene: Scene) -> None:
    """Case 8: the files are read once more at most."""
    with scene.daemon(*VERBOSE, *EVENTS_ALONE) as daemon:
        tally = Tally(daemon)
        texts, places = views(scene.root), places_of_views(scene)
        for count, change in enumerate((touched, times_raised, times_lowered, rights_changed), 1):
            change_all(scene, change)
            daemon.settle()

            assert tally.refreshed == []
            assert len(tally.looked) <= count
        assert places_of_views(scene) == places
        assert views(scene.root) == texts
        scene.settle()
        scene.expect("ok", fresh=True, missed=0)


def test_new_times_or_rights_alone_are_no_sign_that_events_are_lost(scene: Scene) -> None:
    """Case 8: the sweep finds them, and however often it does, the project's events are relied on."""
    with scene.daemon(*VERBOSE, *QUICK) as daemon:
        tally = Tally(daemon)
        places = places_of_views(scene)
        for change in (times_raised, times_lowered, rights_changed):
            change_all(scene, change)
            daemon.wait_for("looked")
        daemon.settle(1.5)

        assert tally.named("refreshed", "missed", "polling") == []
        assert places_of_views(scene) == places
        scene.settle()
        scene.expect("ok", fresh=True, missed=0)
