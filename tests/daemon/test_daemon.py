"""The real daemon, as a process, on a copy of the example project."""

from __future__ import annotations

import os
import shutil
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from example import milestone
from support.daemon_process import DaemonProcess, Event, wait_until
from support.views import TARGETS, from_scratch, sources, views

ALL = set(TARGETS)


@pytest.fixture(name="root")
def _root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "project"
    shutil.copytree(milestone.PROJECT, root)
    monkeypatch.setenv("HOME", os.fspath(tmp_path / "home"))
    monkeypatch.setenv("HYPO_COMPACTD_STATE_DIR", os.fspath(tmp_path / "state"))
    return root


@pytest.fixture(name="daemon")
def _daemon(root: Path) -> Iterator[DaemonProcess]:
    with DaemonProcess(root) as daemon:
        daemon.wait_for("ready")
        yield daemon


def is_batch(event: Event) -> bool:
    return bool(event["event"] == "refreshed")


def takes(process: int, number: signal.Signals) -> bool:
    """Return whether a process has a handler of its own for a signal."""
    status = Path(f"/proc/{process}/status")
    if not status.exists():
        pytest.skip("the system does not tell")
    (caught,) = (line.split()[1] for line in status.read_text().splitlines() if line.startswith("SigCgt"))
    return bool(int(caught, 16) >> (number - 1) & 1)


def set_auto(root: Path, value: str) -> None:
    path = root / ".pipeline" / "config.yaml"
    text = "".join(
        line for line in path.read_text("utf-8").splitlines(keepends=True) if not line.startswith("compact:")
    )
    path.write_text(f"{text}compact: {{auto: {value}}}\n", "utf-8")


def test_all_views_stand_before_it_says_ready(root: Path, daemon: DaemonProcess) -> None:
    assert set(views(root)) == ALL


def test_a_completed_milestone_is_one_batch_after_which_all_views_are_right(
    root: Path, daemon: DaemonProcess, tmp_path: Path
) -> None:
    for step in milestone.completion():
        milestone.apply(step, root / ".pipeline")
    started = time.monotonic()
    daemon.wait_for("refreshed", lambda event: "milestone_final" in event["moment"])
    waited = time.monotonic() - started
    batches = [event for event in daemon.events + daemon.settle() if is_batch(event)]

    assert [event["moment"] for event in batches if event["moment"]] == [["milestone_final"]]
    assert views(root) == from_scratch(root, tmp_path)
    assert waited < 2 or os.getloadavg()[0] > 2, (
        "affected views are right within two seconds on a machine with time to spare"
    )


def test_a_milestone_that_completes_slowly_is_announced_once(root: Path, daemon: DaemonProcess, tmp_path: Path) -> None:
    for step in milestone.completion():
        milestone.apply(step, root / ".pipeline")
        daemon.settle(0.7)
    moments = [event["moment"] for event in daemon.events if is_batch(event) and event["moment"]]

    assert moments == [["milestone_final"]]
    assert views(root) == from_scratch(root, tmp_path)


def test_a_knowledge_record_refreshes_its_view_alone(root: Path, daemon: DaemonProcess, tmp_path: Path) -> None:
    milestone.apply(milestone.knowledge(), root / ".pipeline")
    event = daemon.wait_for("refreshed")

    assert event["written"] == ["knowledge"]
    assert event["moment"] == ["knowledge_changed"]
    assert views(root) == from_scratch(root, tmp_path)


def test_a_closed_cycle_withdraws_the_views_of_vanished_sources(
    root: Path, daemon: DaemonProcess, tmp_path: Path
) -> None:
    for step in milestone.completion():
        milestone.apply(step, root / ".pipeline")
    daemon.wait_for("refreshed")
    daemon.settle()
    milestone.archive(root / ".pipeline")
    wait_until(lambda: set(views(root)) == {"log", "patches", "knowledge"}, "only views with a source are left")
    daemon.settle()
    closed = [event for event in daemon.events if "cycle_closed" in event.get("moment", [])]

    assert len(closed) == 1
    assert views(root) == from_scratch(root, tmp_path)


def test_auto_false_writes_nothing_and_flips_without_restart(root: Path, daemon: DaemonProcess, tmp_path: Path) -> None:
    set_auto(root, "false")
    daemon.wait_for("auto_off")
    before = views(root)
    with (root / ".pipeline" / "log.yaml").open("a", encoding="utf-8") as log:
        log.write('  - id: LATE\n    type: step\n    status: completed\n    timestamp: "2030-01-01T00:00:00+08:00"\n')
    (root / ".pipeline" / "state.compact.yaml").unlink()
    daemon.settle()

    assert {name: text for name, text in before.items() if name != "state"} == views(root)

    set_auto(root, "true")
    daemon.wait_for("refreshed", lambda event: {"log", "state"} <= set(event["written"]))

    assert views(root) == from_scratch(root, tmp_path)


def test_its_own_outputs_cause_no_further_look(root: Path) -> None:
    with DaemonProcess(root, options=("--verbose",)) as daemon:
        daemon.wait_for("ready")
        daemon.settle()
        with (root / ".pipeline" / "PROGRESS.md").open("a", encoding="utf-8") as progress:
            progress.write("\n## 下一步\n\n- sew the second signature\n")
        daemon.wait_for("refreshed")

        assert daemon.settle() == []


def test_a_view_that_another_program_wrote_or_removed_is_repaired(
    root: Path, daemon: DaemonProcess, tmp_path: Path
) -> None:
    (root / ".pipeline" / "log.compact.yaml").write_text("older: {}\n", "utf-8")
    (root / ".pipeline" / "state.compact.yaml").unlink()
    wait_until(lambda: views(root) == from_scratch(root, tmp_path), "both views are right again")


def test_a_view_that_cannot_be_written_is_named_in_the_batch_and_costs_no_other(root: Path) -> None:
    blocked = root / ".pipeline" / "log.compact.yaml"
    blocked.mkdir()
    with DaemonProcess(root) as daemon:
        batch = daemon.wait_for("refreshed")
        findings = daemon.wait_for("findings")
        daemon.settle()

        assert batch["failed"] == ["log"]
        assert set(batch["written"]) == ALL - {"log"}
        assert "is a folder, not a file" in findings["findings"][0]
        assert [event["event"] for event in daemon.events].count("findings") == 1

        blocked.rmdir()
        daemon.wait_for("refreshed", lambda event: event["written"] == ["log"])


def test_sources_are_never_touched(root: Path) -> None:
    before = sources(root)
    with DaemonProcess(root) as daemon:
        daemon.wait_for("ready")
        daemon.stop()

    assert sources(root) == before


def test_the_milestone_policy_refreshes_only_at_the_moments(root: Path, tmp_path: Path) -> None:
    with DaemonProcess(root) as daemon:
        daemon.wait_for("ready")
        daemon.stop()
    with DaemonProcess(root, options=("--policy", "milestone")) as daemon:
        daemon.wait_for("ready")
        before = views(root)
        (root / ".pipeline" / "PROGRESS.md").write_text("# Board\n\n12:00 something new\n", "utf-8")
        daemon.settle()

        assert views(root) == before

        milestone.apply(milestone.knowledge(), root / ".pipeline")
        daemon.wait_for("refreshed", lambda event: event["moment"] == ["knowledge_changed"])

        assert {name for name, text in views(root).items() if text != before[name]} == {"knowledge"}

        shutil.copyfile(milestone.PROJECT / ".pipeline" / "PROGRESS.md", root / ".pipeline" / "PROGRESS.md")
        for step in milestone.completion():
            milestone.apply(step, root / ".pipeline")
        daemon.wait_for("refreshed", lambda event: event["moment"] == ["milestone_final"])
        daemon.settle()

        assert views(root)["progress"] != before["progress"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_cleanly(daemon: DaemonProcess, root: Path, number: signal.Signals) -> None:
    daemon.signal(number)

    assert daemon.process.wait(30) == 0
    assert daemon.settle()[-1]["event"] == "stopped"
    assert not list(root.rglob(".hypo-compactd-*"))


def test_sighup_looks_again_and_keeps_the_last_good_configuration(
    root: Path, daemon: DaemonProcess, tmp_path: Path
) -> None:
    (root / ".pipeline" / "config.yaml").write_text("compact: {auto: true\n", "utf-8")
    broken = daemon.wait_for("configuration")
    before = views(root)
    daemon.signal(signal.SIGHUP)
    daemon.wait_for("reloading")
    daemon.settle()

    assert ".pipeline/config.yaml:2:1" in broken["reason"]
    assert "last good values" in broken["reason"]
    assert views(root) == before

    (root / ".pipeline" / "config.yaml").write_text("output: {language: en}\n", "utf-8")
    daemon.wait_for("refreshed", lambda event: "progress" in event["written"])

    assert views(root) == from_scratch(root, tmp_path)


def test_a_second_daemon_is_refused_and_told_who_holds_the_project(root: Path, daemon: DaemonProcess) -> None:
    import subprocess
    import sys

    second = subprocess.run(
        [sys.executable, "-m", "hypo_compactd", "run", os.fspath(root)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert second.returncode == 69
    assert f"进程 {daemon.process.pid}" in second.stderr, "the project is Chinese"
    assert "Traceback" not in second.stderr


def test_a_project_that_vanishes_costs_no_view_and_comes_back(
    root: Path, daemon: DaemonProcess, tmp_path: Path
) -> None:
    away = root / "away"
    (root / ".pipeline").rename(away)
    daemon.wait_for("waiting")
    daemon.settle()
    standing = {path.name for path in away.rglob("*.compact.*")}

    assert len(standing) == len(ALL)

    away.rename(root / ".pipeline")
    with (root / ".pipeline" / "PROGRESS.md").open("a", encoding="utf-8") as progress:
        progress.write("\n## 下一步\n\n- back again\n")
    wait_until(lambda: views(root) == from_scratch(root, tmp_path), "the views are right again")


def test_a_pipeline_that_is_deleted_and_made_anew_is_kept_current(
    root: Path, daemon: DaemonProcess, tmp_path: Path
) -> None:
    shutil.rmtree(root / ".pipeline")
    shutil.copytree(milestone.PROJECT / ".pipeline", root / ".pipeline")
    wait_until(lambda: views(root) == from_scratch(root, tmp_path), "the views stand again")
    daemon.settle()
    with (root / ".pipeline" / "PROGRESS.md").open("a", encoding="utf-8") as progress:
        progress.write("\n## 下一步\n\n- press the boards\n")
    daemon.wait_for("refreshed", lambda event: event["written"] == ["progress"])


def test_a_project_without_a_pipeline_is_waited_for(tmp_path: Path, root: Path) -> None:
    later = tmp_path / "later"
    later.mkdir()
    with DaemonProcess(later) as daemon:
        waiting = daemon.wait_for("waiting")
        daemon.wait_for("ready")
        shutil.copytree(root / ".pipeline", later / ".pipeline")
        wait_until(lambda: views(later) == from_scratch(later, tmp_path), "the views of the new project stand")

    assert "no such folder" in waiting["reason"]


def test_the_log_never_holds_content(root: Path) -> None:
    marker = "zebra-marker-4711"
    for path in (root / ".pipeline").rglob("*"):
        if path.suffix in {".md", ".yaml"} and path.name != "config.yaml":
            path.write_text(path.read_text("utf-8") + f"\n# {marker}: {marker}\n", "utf-8")
    (root / ".pipeline" / "log.yaml").write_text(f"entries:\n  - id: a\n    summary: {marker}: {marker}\n", "utf-8")
    (root / ".pipeline" / "state.yaml").write_text(f"pipeline: `{marker}\n", "utf-8")
    with DaemonProcess(root, options=("--verbose",)) as daemon:
        daemon.wait_for("ready")
        daemon.settle()
        daemon.stop()

    assert marker not in str(daemon.events)
    assert any(event["event"] == "findings" for event in daemon.events)


def test_a_hangup_before_the_first_look_is_over_does_not_keep_it_from_saying_ready(root: Path) -> None:
    with (root / ".pipeline" / "log.yaml").open("a", encoding="utf-8") as log:
        log.writelines(f"  - {{id: L{number}, type: step, status: done}}\n" for number in range(3000))
    with DaemonProcess(root) as daemon:
        wait_until(lambda: takes(daemon.process.pid, signal.SIGHUP), "it takes signals")
        while not daemon.events:
            daemon.signal(signal.SIGHUP)
            time.sleep(0.01)
        daemon.wait_for("ready")

        assert daemon.events[0]["event"] == "reloading"
        assert daemon.stop() == 0


def test_a_signal_while_it_starts_ends_it_cleanly(root: Path) -> None:
    with DaemonProcess(root) as daemon:
        # It takes signals once its own code runs; the interpreter's start before that is not ours.
        wait_until(lambda: takes(daemon.process.pid, signal.SIGTERM), "it takes signals")

        assert daemon.stop() == 0


def test_signals_without_number_end_it_as_cleanly_as_one(root: Path) -> None:
    with DaemonProcess(root) as daemon:
        daemon.wait_for("ready")
        while daemon.process.poll() is None:
            daemon.signal(signal.SIGTERM)
            daemon.signal(signal.SIGINT)
            time.sleep(0.005)

        assert daemon.process.returncode == 0


def test_it_goes_on_when_nobody_reads_its_log_any_more(root: Path, tmp_path: Path) -> None:
    with DaemonProcess(root) as daemon:
        daemon.wait_for("ready")
        daemon.leave_log()
        with (root / ".pipeline" / "PROGRESS.md").open("a", encoding="utf-8") as progress:
            progress.write("\n## 下一步\n\n- sew the third signature\n")
        wait_until(lambda: views(root) == from_scratch(root, tmp_path), "the views are right again")
        daemon.signal(signal.SIGHUP)

        assert daemon.stop() == 0


def test_behind_a_link_inside_the_project_its_own_outputs_cause_no_further_look_either(root: Path) -> None:
    (root / ".pipeline").rename(root / "real")
    (root / ".pipeline").symlink_to("real")
    with DaemonProcess(root, options=("--verbose",)) as daemon:
        daemon.wait_for("ready")

        assert daemon.settle() == []


@pytest.mark.usefixtures("english_user")
def test_a_project_whose_folder_is_gone_keeps_no_other_from_being_kept_and_is_taken_when_it_is_back(
    root: Path, tmp_path: Path
) -> None:
    gone = tmp_path / "gone"
    with DaemonProcess(root, gone) as daemon:
        daemon.wait_for("waiting", lambda event: event["project"] == os.fspath(gone))
        daemon.wait_for("ready")
        assert views(root) == from_scratch(root, tmp_path)
        shutil.copytree(root, gone, ignore=shutil.ignore_patterns("*.compact.*"))
        wait_until(lambda: views(gone) == from_scratch(gone, tmp_path), "it is taken")
        assert daemon.stop() == 0


def test_a_project_that_another_daemon_keeps_is_left_to_it_and_the_others_are_kept(
    root: Path, daemon: DaemonProcess, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    shutil.copytree(milestone.PROJECT, other)
    with DaemonProcess(root, other) as second:
        assert f"process {daemon.process.pid}" in second.wait_for("held")["reason"]
        second.wait_for("ready")
        assert views(other) == from_scratch(other, tmp_path)
        assert second.stop() == 0
