"""What happens while views are made: new changes, our own files, a fault (watching.md, case 5, case 6 and case 12)."""

from __future__ import annotations

from pathlib import Path

from support.daemon_process import wait_until
from support.scene import EVENTS_ALONE, QUICK, Scene
from support.tally import VERBOSE, Tally, pauses
from support.views import TARGETS, views


def test_a_change_during_a_run_is_in_the_views_of_the_next(scene: Scene) -> None:
    """Case 5: a second run follows, and the last view has the second content."""
    with scene.broken_daemon("slow_view", *VERBOSE, *EVENTS_ALONE) as (daemon, trigger):
        daemon.wait_for("ready")
        tally = Tally(daemon)
        trigger.touch()
        scene.note("FIRST")
        wait_until(Path(f"{trigger}.begun").exists, "the run has begun")
        scene.note("SECOND")
        scene.append("# board\n")

        assert tally.events == []

        trigger.unlink()
        daemon.wait_for("refreshed")
        daemon.wait_for("refreshed")
        daemon.settle()

        assert [event["written"] for event in tally.refreshed] == [["log"], ["progress", "log"]]
        assert scene.shows("FIRST")
        assert scene.shows("SECOND")
        scene.settle()
        scene.expect("ok", fresh=True, missed=0)
        assert daemon.stop() == 0


def test_its_own_files_are_no_loop_even_where_they_count_as_sources(scene: Scene) -> None:
    """Case 6: without any filter its own writing costs one look more, which writes nothing."""
    with scene.broken_daemon("own_files_matter", *VERBOSE, *EVENTS_ALONE) as (daemon, _):
        daemon.wait_for("ready")
        tally = Tally(daemon)
        for number in range(2):
            scene.note(f"NOTE-{number}")
            daemon.wait_for("refreshed")
            written = {path.name: (path.stat().st_ino, path.stat().st_mtime_ns) for path in compact_files(scene)}
            daemon.settle()

            assert [event["written"] for event in tally.refreshed] == [["log"]] * (number + 1)
            assert len(tally.looked) == number + 1, "the fault holds: its own writing is noticed, once"
            assert {
                path.name: (path.stat().st_ino, path.stat().st_mtime_ns) for path in compact_files(scene)
            } == written
        assert len(written) == len(TARGETS)
        scene.settle()
        scene.expect("ok", fresh=True, missed=0, repaired=0)
        assert daemon.stop() == 0


def compact_files(scene: Scene) -> list[Path]:
    return sorted(scene.root.rglob("*.compact.*"))


def test_a_view_that_cannot_be_computed_is_tried_again_and_costs_no_other(scene: Scene) -> None:
    """Case 12: that view's error is in status and its old text is kept; it is tried ever more seldom, and made at last."""
    with scene.broken_daemon("view_raises", *VERBOSE, *EVENTS_ALONE) as (daemon, trigger):
        daemon.wait_for("ready")
        tally = Tally(daemon)
        before = views(scene.root)
        trigger.touch()
        (scene.pipeline / "reports" / "09-new.report.md").write_text("# M09 - New\n", "utf-8")
        scene.note("POISON")
        daemon.wait_for("refreshed", lambda event: event["failed"] == ["log"])
        for _ in range(3):
            daemon.wait_for("looked", lambda event: event["failed"] == ["log"])

        assert ["reports"] in [event["written"] for event in tally.refreshed]
        assert {name for name, text in views(scene.root).items() if text != before[name]} == {"reports"}
        waits = pauses([event for event in tally.events if event.get("failed") == ["log"]])[:3]
        assert all(waited >= least for waited, least in zip(waits, (0.2, 0.5, 1.0), strict=True))
        assert len(tally.named("findings")) == 1, "it is said once"

        found = scene.expect("ok", fresh=False)
        states = {view["name"]: view for view in found["views"]}
        assert {name for name, view in states.items() if view["state"] != "fresh"} == {"log"}
        assert states["log"]["state"] == "failed"
        (finding,) = states["log"]["findings"]
        assert finding["file"] == ".pipeline/log.compact.yaml"
        assert "could not be computed" in finding["message"]

        trigger.unlink()
        daemon.wait_for("refreshed", lambda event: event["written"] == ["log"])
        scene.settle()

        assert scene.shows("POISON")
        found = scene.expect("ok", fresh=True, missed=0)
        assert not any(view["findings"] for view in found["views"])
        assert tally.named("mended")
        assert daemon.stop() == 0


def test_a_look_that_cannot_be_done_is_said_and_done_later(scene: Scene) -> None:
    """Case 12: the worker outlives whatever is raised in it, keeps every view and says so once."""
    with scene.broken_daemon("look_raises", *VERBOSE, *QUICK) as (daemon, trigger):
        daemon.wait_for("ready")
        tally = Tally(daemon)
        before = views(scene.root)
        trigger.touch()
        scene.note("POISON")
        daemon.wait_for("failed")
        found = scene.expect("failed", fresh=False)

        assert "ValueError" in found["reason"]
        assert "struck" not in found["reason"], "what was raised may hold content of files"
        assert views(scene.root) == before
        daemon.settle(2.5)
        assert len(tally.named("failed")) == 1

        trigger.unlink()
        scene.settle()

        assert scene.shows("POISON")
        scene.expect("ok", fresh=True)
        assert daemon.stop() == 0
