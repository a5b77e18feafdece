"""The daemon with projects that come and go: `run --all`, the real process, the real file system."""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from example import milestone
from hypo_compactd import registry
from hypo_compactd.errors import ExitCode
from hypo_compactd.paths import Project
from hypo_compactd.status import Standing, read_report
from hypo_compactd.supervisor import summary
from support.daemon_process import DaemonProcess, wait_until
from support.scene import WITH_FAULT
from support.views import from_scratch, views


def project(folder: Path) -> Path:
    shutil.copytree(milestone.PROJECT, folder)
    return folder


def kept(root: Path) -> bool:
    return read_report(Project(root, root)) is not None


@pytest.fixture(name="first")
def _first(tmp_path: Path) -> Path:
    root = project(tmp_path / "first")
    registry.add(root)
    return root


def test_a_project_that_is_registered_later_is_kept_and_one_that_is_removed_is_left(
    first: Path, tmp_path: Path
) -> None:
    second = project(tmp_path / "second")
    with DaemonProcess(options=("--all",)) as daemon:
        assert daemon.wait_for("ready")["projects"] == 1
        registry.add(second)
        wait_until(lambda: kept(second) and views(second) == from_scratch(second, tmp_path), "the second is kept")

        registry.remove(first)
        daemon.wait_for("left")
        wait_until(lambda: not kept(first), "the first is left")
        with DaemonProcess(first) as another:  # nobody holds it any more
            another.wait_for("ready")
            assert another.stop() == 0

        with (second / ".pipeline/PROGRESS.md").open("a", encoding="utf-8") as stream:
            stream.write("\n## 下一步\n\n- fold the last sheet\n")
        wait_until(lambda: views(second) == from_scratch(second, tmp_path), "the second is kept still")
        registry.add(first)
        wait_until(lambda: kept(first), "the first is kept again")
        assert daemon.stop() == 0
    assert not kept(first)
    assert not kept(second)


def test_without_any_project_it_waits_for_one(tmp_path: Path) -> None:
    with DaemonProcess(options=("--all",)) as daemon:
        assert daemon.wait_for("ready")["projects"] == 0
        root = project(tmp_path / "late")
        registry.add(root)
        wait_until(lambda: kept(root) and views(root) == from_scratch(root, tmp_path), "it is kept")
        assert daemon.stop() == 0


def test_hypo_workflow_s_own_list_counts_and_is_heard_of(tmp_path: Path) -> None:
    root = project(tmp_path / "theirs")
    listed = tmp_path / "home/.hypo-workflow/projects.yaml"
    listed.parent.mkdir(parents=True)
    with DaemonProcess(options=("--all",)) as daemon:
        daemon.wait_for("ready")
        before = f"projects:\n  - path: {root}\n"
        listed.write_text(before, "utf-8")
        wait_until(lambda: kept(root), "it is kept")
        assert daemon.stop() == 0
    assert listed.read_text("utf-8") == before


def test_a_registered_project_whose_folder_is_gone_is_waited_for(first: Path, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    registry.add(project(gone))
    shutil.rmtree(gone)
    with DaemonProcess(options=("--all", "--sweep-s", "1")) as daemon:
        assert daemon.wait_for("ready")["projects"] == 2
        assert views(first) == from_scratch(first, tmp_path)
        project(gone)
        wait_until(lambda: views(gone) == from_scratch(gone, tmp_path), "it is back")
        assert daemon.stop() == 0


def test_a_project_that_another_daemon_keeps_is_left_to_it_and_taken_when_that_ends(
    first: Path, tmp_path: Path
) -> None:
    with DaemonProcess(first) as other:
        other.wait_for("ready")
        with DaemonProcess(options=("--all",)) as daemon:
            assert "another hypo-compactd daemon" in daemon.wait_for("held")["reason"]
            assert daemon.wait_for("ready")["projects"] == 0
            assert other.stop() == 0
            daemon.process.send_signal(signal.SIGHUP)
            wait_until(lambda: kept(first), "it is taken")
            assert daemon.stop() == 0


def test_a_broken_registry_at_the_start_is_a_bad_configuration(first: Path) -> None:
    registry.file().write_text("{", "utf-8")
    with DaemonProcess(options=("--all",)) as daemon:
        assert daemon.process.wait(60) == ExitCode.BAD_CONFIGURATION


def test_a_registry_that_breaks_later_costs_no_project(first: Path, tmp_path: Path) -> None:
    with DaemonProcess(options=("--all",)) as daemon:
        daemon.wait_for("ready")
        good = registry.file().read_bytes()
        registry.file().write_text("{", "utf-8")
        assert "kept as they were" in daemon.wait_for("registry")["reason"]
        assert kept(first)

        registry.file().write_bytes(good)
        second = project(tmp_path / "second")
        registry.add(second)
        wait_until(lambda: kept(second), "the mended one counts")
        assert daemon.stop() == 0


def save_by_truncating(listed: Path, data: bytes, daemon: DaemonProcess) -> None:
    """Save as some editors do: for a moment the file is empty."""
    listed.write_bytes(b"")
    daemon.settle(0.5)
    listed.write_bytes(data)


def save_by_moving(listed: Path, data: bytes, daemon: DaemonProcess) -> None:
    """Save as others do: for a moment there is no such file."""
    listed.rename(listed.with_suffix(".old"))
    daemon.settle(0.5)
    listed.write_bytes(data)


@pytest.mark.parametrize("save", [save_by_truncating, save_by_moving])
def test_a_list_that_is_empty_or_away_for_a_moment_costs_no_project(
    tmp_path: Path, save: Callable[[Path, bytes, DaemonProcess], None]
) -> None:
    root = project(tmp_path / "theirs")
    listed = tmp_path / "home/.hypo-workflow/projects.yaml"
    listed.parent.mkdir(parents=True)
    listed.write_text(f"projects:\n  - path: {root}\n", "utf-8")
    with DaemonProcess(options=("--all",)) as daemon:
        daemon.wait_for("ready")
        for _ in range(3):
            save(listed, listed.read_bytes(), daemon)
            daemon.settle(0.5)
        assert kept(root)
        assert not [event for event in daemon.events if event["event"] == "left"]
        assert daemon.stop() == 0


def test_a_list_that_is_a_link_is_followed_wherever_it_leads(tmp_path: Path) -> None:
    one, two = project(tmp_path / "one"), project(tmp_path / "two")
    listed = registry.file()
    dotfiles = tmp_path / "dotfiles"
    dotfiles.mkdir()
    listed.parent.mkdir(parents=True, exist_ok=True)
    for root in (one, two):
        registry.add(root)
        listed.rename(dotfiles / f"{root.name}.json")
    listed.symlink_to(dotfiles / "one.json")
    with DaemonProcess(options=("--all",)) as daemon:
        daemon.wait_for("ready")
        assert kept(one)
        listed.unlink()
        listed.symlink_to(dotfiles / "two.json")
        wait_until(lambda: kept(two) and not kept(one), "the other list counts")
        (dotfiles / "two.json").write_bytes((dotfiles / "one.json").read_bytes())
        wait_until(lambda: kept(one) and not kept(two), "its content counts")
        assert daemon.stop() == 0


def test_a_project_that_is_removed_and_added_again_in_the_middle_of_a_look_is_kept(first: Path, tmp_path: Path) -> None:
    """And it is left only when that look has ended."""
    trigger = tmp_path / "trigger"
    command = (sys.executable, os.fspath(WITH_FAULT), "slow_view")
    environment = {"FAULT_TRIGGER": os.fspath(trigger)}
    with DaemonProcess(options=("--all",), command=command, environment=environment) as daemon:
        daemon.wait_for("ready")
        trigger.touch()
        with (first / ".pipeline/log.yaml").open("a", encoding="utf-8") as stream:
            stream.write("  - id: LATE\n    type: step\n    status: done\n")
        wait_until(trigger.with_name("trigger.begun").exists, "it is in the middle of a look")
        registry.remove(first)
        said = daemon.settle(3)
        assert not [event for event in said if event["event"] == "left"]
        registry.add(first)
        daemon.settle(0.5)
        trigger.unlink()
        daemon.wait_for("left")
        wait_until(lambda: kept(first) and views(first) == from_scratch(first, tmp_path), "it is kept again")
        assert daemon.stop() == 0


def test_a_project_whose_file_system_hangs_costs_no_other(first: Path, tmp_path: Path) -> None:
    trigger = tmp_path / "trigger"
    hung, later = project(tmp_path / "hung"), project(tmp_path / "later")
    command = (sys.executable, os.fspath(WITH_FAULT), "hung_folder")
    trigger.touch()
    registry.add(hung)
    environment = {"FAULT_TRIGGER": os.fspath(trigger)}
    with DaemonProcess(options=("--all",), command=command, environment=environment) as daemon:
        assert daemon.wait_for("silent")["project"] == os.fspath(hung)
        daemon.wait_for("ready")
        assert views(first) == from_scratch(first, tmp_path)
        registry.add(later)
        wait_until(lambda: kept(later), "one that is added is kept")
        assert not kept(hung)
        trigger.unlink()
        wait_until(lambda: kept(hung), "it is kept when it answers")
        trigger.touch()
        registry.remove(later)
        wait_until(lambda: not kept(later), "lists are looked at while it hangs again")
        assert kept(hung)
        assert daemon.stop() == 0


def test_only_one_daemon_keeps_every_registered_project(first: Path) -> None:
    with DaemonProcess(options=("--all",)) as daemon:
        daemon.wait_for("ready")
        with DaemonProcess(options=("--all",)) as second:
            assert second.process.wait(60) == ExitCode.BUSY
        assert daemon.stop() == 0


@pytest.mark.parametrize("broken", ["projects:\n  - {path: [broken", "projects: 3\n"])
def test_a_list_of_hypo_workflow_s_that_breaks_costs_no_project(tmp_path: Path, broken: str) -> None:
    root, added = project(tmp_path / "theirs"), project(tmp_path / "added")
    listed = tmp_path / "home/.hypo-workflow/projects.yaml"
    listed.parent.mkdir(parents=True)
    listed.write_text(f"projects:\n  - path: {root}\n", "utf-8")
    with DaemonProcess(options=("--all",)) as daemon:
        daemon.wait_for("ready")
        listed.write_text(broken, "utf-8")
        assert "projects.yaml" in str(daemon.wait_for("registry"))
        registry.add(added)
        wait_until(lambda: kept(added), "our own list counts all the same")
        assert kept(root)

        listed.write_text("projects: []\n", "utf-8")
        wait_until(lambda: not kept(root), "a list that can be read counts again")
        assert daemon.stop() == 0


def test_the_list_is_looked_at_where_no_events_are_asked_for(first: Path, tmp_path: Path) -> None:
    second = project(tmp_path / "second")
    with DaemonProcess(options=("--all", "--poll", "always")) as daemon:
        daemon.wait_for("ready")
        registry.add(second)
        wait_until(lambda: kept(second), "the second is kept")
        assert daemon.stop() == 0


def test_named_projects_are_kept_beside_the_registered_ones(first: Path, tmp_path: Path) -> None:
    named = project(tmp_path / "named")
    link = tmp_path / "link"
    link.symlink_to(first)
    with DaemonProcess(named, link, options=("--all",)) as daemon:
        assert daemon.wait_for("ready")["projects"] == 2
        registry.remove(first)
        daemon.settle()
        assert kept(first), "it was named too"
        assert daemon.stop() == 0


def test_many_changes_of_the_registry_at_once_end_in_what_it_says(tmp_path: Path) -> None:
    roots = [project(tmp_path / f"p{number}") for number in range(8)]
    with DaemonProcess(options=("--all",)) as daemon:
        daemon.wait_for("ready")
        for _ in range(3):
            for root in roots:
                registry.add(root)
            for root in roots[::2]:
                registry.remove(root)
        wait_until(lambda: [kept(root) for root in roots] == [False, True] * 4, "every second one is kept")
        assert daemon.stop() == 0


@pytest.mark.parametrize(
    ("standings", "failing", "english", "chinese"),
    [
        ([], 0, "0 projects", "0 个项目"),
        ([None], 0, "1 project: 1 starting", "1 个项目：1 个启动中"),
        ([Standing.OK], 1, "1 project: 1 ok; 1 view failed", "1 个项目：1 个正常；1 个视图失败"),
        (
            [Standing.OK, Standing.POLLING, Standing.OK],
            6,
            "3 projects: 2 ok, 1 polling; 6 views failed",
            "3 个项目：2 个正常，1 个轮询；6 个视图失败",
        ),
    ],
)
def test_one_line_says_how_the_projects_are(
    standings: list[str | None], failing: int, english: str, chinese: str
) -> None:
    assert summary(standings, failing, "en") == english
    assert summary(standings, failing, "zh-CN") == chinese
