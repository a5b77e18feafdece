"""Symbolic links: to the project, to its root, among its sources (watching.md, case 21)."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from hypo_compactd.canary import PATIENCE_S
from support.daemon_process import DaemonProcess, Event
from support.scene import EVENTS_ALONE, Scene
from support.tally import VERBOSE, Tally
from support.views import TARGETS, views

OUTSIDE = "text-that-lies-outside"


def test_a_project_that_is_named_by_a_link_is_kept(scene: Scene) -> None:
    """Case 21: the root is resolved; status takes either name and shows the one that it is given."""
    link = scene.scratch / "link"
    link.symlink_to(scene.root, target_is_directory=True)
    with DaemonProcess(link, options=(*VERBOSE, *EVENTS_ALONE)) as daemon:
        daemon.wait_for("ready")
        tally = Tally(daemon)
        scene.note("BEHIND-A-LINK")
        daemon.wait_for("refreshed")
        scene.settle()
        daemon.settle()

        assert [event["written"] for event in tally.refreshed] == [["log"]]
        assert tally.looked == []
        assert {event["project"] for event in tally.refreshed} == {os.fspath(link)}
        scene.expect("ok", fresh=True, missed=0)
        (by_link, by_name) = (scene.status(link), scene.status())
        assert (by_link["project"], by_name["project"]) == (os.fspath(link), os.fspath(scene.root))
        assert by_link["root"] == by_name["root"] == os.fspath(scene.root)
        assert daemon.stop() == 0


def test_a_root_that_is_a_link_inside_the_project_is_kept(scene: Scene) -> None:
    """Case 21: the events of the folder to which it leads count, also when it leads to another one later."""
    (scene.root / "one").mkdir()
    scene.pipeline.rename(scene.root / "one" / "real")
    scene.pipeline.symlink_to("one/real", target_is_directory=True)
    with scene.daemon(*VERBOSE, *EVENTS_ALONE) as daemon:
        scene.note("THROUGH-THE-LINK")
        daemon.wait_for("refreshed")
        scene.settle()

        shutil.copytree(scene.root / "one" / "real", scene.root / "two", ignore=shutil.ignore_patterns("*.compact.*"))
        left = views(scene.root)
        other = scene.root / "other-link"
        other.symlink_to("two", target_is_directory=True)
        other.rename(scene.pipeline)
        scene.note("OTHER-FOLDER")
        daemon.wait_for("refreshed")
        scene.settle()
        scene.note("OTHER-FOLDER-AGAIN")
        daemon.wait_for("refreshed")
        scene.settle()

        assert scene.shows("OTHER-FOLDER-AGAIN")
        assert {name: (scene.root / "one" / "real" / target).read_bytes() for name, target in TARGETS.items()} == left
        daemon.settle(2 * PATIENCE_S)
        assert [event for event in daemon.events if event["event"] == "polling"] == [], "its events are heard"
        scene.expect("ok", fresh=True, missed=0)


def because(reason: str) -> Callable[[Event], bool]:
    return lambda event: reason in event["reason"]


def test_a_root_that_is_a_link_out_of_the_project_is_not_followed(scene: Scene) -> None:
    """Case 21: it is waited for, as one that leads nowhere is; status says why, and nothing is read or written there."""
    outside = scene.scratch / "outside"
    with scene.daemon(*VERBOSE, *EVENTS_ALONE) as daemon:
        scene.pipeline.rename(outside)
        for view in outside.rglob("*.compact.*"):
            view.unlink()
        scene.pipeline.symlink_to(outside, target_is_directory=True)
        daemon.wait_for("waiting", because("leads out of the project"))
        found = scene.expect("waiting", fresh=False)

        assert "is a symbolic link that leads out of the project" in found["reason"]
        (outside / "PROGRESS.md").write_text("# changed outside\n", "utf-8")
        daemon.settle()
        assert list(outside.rglob("*.compact.*")) == []

        for target, reason in ((".pipeline", "too many levels of symbolic links"), ("nowhere", "no such folder")):
            scene.pipeline.unlink()
            scene.pipeline.symlink_to(target)
            daemon.wait_for("waiting", because(reason))
        scene.expect("waiting", fresh=False)

        scene.pipeline.unlink()
        outside.rename(scene.pipeline)
        daemon.wait_for("refreshed")
        scene.settle()
        scene.note("A-FOLDER-AGAIN")
        daemon.wait_for("refreshed")
        scene.settle()
        scene.expect("ok", fresh=True, missed=0)


def links_among_sources(scene: Scene) -> None:
    """Put links of every bad kind among the sources."""
    outside = scene.scratch / "outside"
    (outside / "deep").mkdir(parents=True)
    for name in ("their.report.md", "deep/P900-their.md", "their.yaml"):
        (outside / name).write_text(f"# M01 - {OUTSIDE}\n\nid: {OUTSIDE}\nsummary: {OUTSIDE}\n", "utf-8")
    reports, patches, records = (scene.pipeline / name for name in ("reports", "patches", "knowledge/records"))
    (reports / "90-outside.report.md").symlink_to(outside / "their.report.md")
    (reports / "91-itself.report.md").symlink_to("91-itself.report.md")
    (reports / "92-dangling.report.md").symlink_to("nowhere.md")
    (reports / "93-up").symlink_to("..", target_is_directory=True)
    (reports / "94-outside").symlink_to(outside, target_is_directory=True)
    (patches / "P901-outside.md").symlink_to(outside / "deep" / "P900-their.md")
    (patches / "P902-one.md").symlink_to("P903-other.md")
    (patches / "P903-other.md").symlink_to("P902-one.md")
    (records / "outside.yaml").symlink_to(os.path.relpath(outside / "their.yaml", records))


@pytest.mark.parametrize("first", [True, False], ids=["before the start", "while it runs"])
def test_links_among_sources_lead_nowhere(scene: Scene, *, first: bool) -> None:
    """Case 21: links out of the project, into nothing and in circles are reported, and nothing hangs on them."""
    if first:
        links_among_sources(scene)
    with scene.daemon(*VERBOSE, *EVENTS_ALONE) as daemon:
        if not first:
            links_among_sources(scene)
        scene.settle()
        said = daemon.wait_for("findings")["findings"]

        assert not [name for name, text in views(scene.root).items() if OUTSIDE.encode() in text]
        for name in ("90-outside.report.md", "91-itself.report.md", "94-outside", "P901-outside.md", "outside.yaml"):
            assert [one for one in said if name in one], f"{name} is reported"
        found = scene.expect("ok")
        reported = {finding["file"] for view in found["views"] for finding in view["findings"]}
        assert ".pipeline/reports/90-outside.report.md" in reported
        assert ".pipeline/knowledge/records/outside.yaml" in reported

        scene.note("NO-HANG")
        daemon.wait_for("refreshed", lambda event: "log" in event["written"])
        scene.settle()
        assert scene.shows("NO-HANG")

        daemon.settle()
        tally = Tally(daemon)
        (scene.scratch / "outside" / "their.report.md").write_text(f"# {OUTSIDE} two\n", "utf-8")
        daemon.settle()
        assert tally.events == [], "what is outside is not watched either"


def test_a_source_that_becomes_a_link_out_of_the_project_is_no_source_any_more(scene: Scene) -> None:
    """Case 21: its view never shows what the link leads to, and comes back with the file."""
    outside, source = scene.scratch / "outside.yaml", scene.pipeline / "log.yaml"
    text = source.read_text("utf-8")
    outside.write_text(text.replace("M02-IMPLEMENT-C3", OUTSIDE), "utf-8")
    with scene.daemon(*VERBOSE, *EVENTS_ALONE) as daemon:
        link = scene.pipeline / "link.tmp"
        link.symlink_to(outside)
        link.replace(source)
        daemon.wait_for("findings")
        scene.settle()
        found = scene.expect("ok")
        states = {view["name"]: view for view in found["views"]}

        assert states["log"]["state"] == "failed"
        assert "leads out of the project" in states["log"]["findings"][0]["message"]
        assert OUTSIDE.encode() not in b"".join(views(scene.root).values())

        source.unlink()
        source.write_text(text, "utf-8")
        daemon.wait_for("refreshed", lambda event: "log" in event["written"])
        scene.settle()
        scene.expect("ok", fresh=True, missed=0)
        assert outside.read_text("utf-8").count(OUTSIDE) == text.count("M02-IMPLEMENT-C3")


def test_a_link_to_another_folder_of_the_project_is_followed_and_kept(scene: Scene) -> None:
    """Case 21: a link that stays inside the project is as good as a folder, and its events come."""
    reports = scene.pipeline / "reports"
    reports.rename(scene.root / "reports")
    reports.symlink_to(Path("..") / "reports", target_is_directory=True)
    with scene.daemon(*VERBOSE, *EVENTS_ALONE) as daemon:
        (scene.root / "reports" / "09-new.report.md").write_text("# M09 - New\n", "utf-8")
        daemon.wait_for("refreshed", lambda event: event["written"] == ["reports"])
        scene.settle()
        scene.expect("ok", fresh=True, missed=0)
