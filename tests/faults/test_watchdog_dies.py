"""Native events fail from inside (watching.md, cases 10 and 11)."""

from __future__ import annotations

import pytest

from support.scene import Scene


@pytest.mark.parametrize("fault", ["reader_dies", "dispatcher_dies", "deaf"])
def test_events_that_have_stopped_are_noticed_and_set_up_anew(scene: Scene, fault: str) -> None:
    with scene.broken_daemon(fault) as (daemon, trigger):
        daemon.wait_for("ready")
        trigger.touch()
        scene.append("| 23:58 | Step | first | 1 |\n")
        daemon.wait_for("rebuilding")
        trigger.unlink(missing_ok=True)
        scene.settle()
        said = len(daemon.events)
        scene.append("| 23:59 | Step | second | 2 |\n")
        scene.settle()

        found = scene.expect("ok", fresh=True)
        assert found["daemon"]["rebuilds"] == 1
        assert found["missed"] == 0
        assert not [event for event in daemon.events[said:] if event["event"] == "rebuilding"]
        assert daemon.stop() == 0


def test_a_handler_that_raises_costs_no_change(scene: Scene) -> None:
    with scene.broken_daemon("handler_raises") as (daemon, trigger):
        daemon.wait_for("ready")
        trigger.touch()
        scene.append("| 23:58 | Step | first | 1 |\n")
        daemon.wait_for("event_lost")
        scene.settle()

        found = scene.expect("ok", fresh=True)
        assert found["daemon"]["rebuilds"] == 0
        assert daemon.stop() == 0


def test_a_daemon_that_stays_deaf_ends_so_that_it_is_started_anew_and_leaves_the_views_right(scene: Scene) -> None:
    with scene.broken_daemon("deaf") as (daemon, trigger):
        daemon.wait_for("ready")
        trigger.touch()
        scene.append("| 23:58 | Step | first | 1 |\n")
        daemon.wait_for("giving_up")

        assert daemon.process.wait(60) == 1
    assert [event["event"] for event in daemon.events].count("rebuilding") == 2
    scene.settle()
    assert scene.status()["state"] == "none"
