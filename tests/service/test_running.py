"""The service while it runs: what systemd is told, and what it does when something goes wrong."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from hypo_compactd.service import UNIT
from service.served import Served
from support.daemon_process import wait_until
from support.views import views


def test_it_is_active_only_after_the_first_look(served: Served) -> None:
    served.install("--no-start")
    served.break_with("slow_project")
    served.trigger.touch()
    served.user.systemctl("start", "--no-block", UNIT)
    found = served.shows_unit(StatusText="1 个项目：1 个启动中")

    assert found["ActiveState"] == "activating"
    assert views(served.root) == {}

    served.trigger.unlink()
    served.shows_unit(ActiveState="active")

    assert served.right(), "at the moment when it is active"


def test_a_change_is_followed_and_no_source_is_touched(served: Served) -> None:
    served.install()
    for _ in range(3):
        served.change()
        served.settle()


def test_a_reload_lasts_until_every_project_has_been_looked_at(served: Served) -> None:
    served.install("--no-start")
    served.break_with("slow_project")
    served.user.systemctl("start", UNIT)
    served.trigger.touch()
    served.user.systemctl("reload", "--no-block", UNIT)
    wait_until(lambda: any(event["event"] == "reloading" for event in served.events()), "the daemon reloads")
    served.shows_unit(ActiveState="reloading", ControlPID="0")
    served.trigger.unlink()
    served.shows_unit(ActiveState="active", SubState="running", NRestarts="0")


def test_a_reload_reads_the_configuration_anew(served: Served) -> None:
    """No event tells of the change, and no sweep comes."""
    served.install("--no-start")
    served.break_with("deaf_project", "--sweep-s", "3600")
    served.user.systemctl("start", UNIT)
    pid = served.shows_unit(ActiveState="active")["MainPID"]
    before = views(served.root)
    served.trigger.touch()
    configuration = served.pipeline / "config.yaml"
    configuration.write_text(configuration.read_text("utf-8").replace("language: zh-CN", "language: en"), "utf-8")
    served.user.systemctl("reload", UNIT)

    # `kill` may have ended before the daemon says that it reloads, so `reload` may come back a moment too early.
    wait_until(served.right, "the views go by the new configuration")
    assert views(served.root) != before
    assert served.shows_unit(ActiveState="active")["MainPID"] == pid


def test_a_daemon_that_stands_still_is_started_anew(served: Served) -> None:
    """The patience of the unit, 90 s, is shortened for the test."""
    served.install("--no-start")
    served.drop_in("WatchdogSec=4")
    served.user.systemctl("start", UNIT)
    before = served.shows_unit(ActiveState="active")["MainPID"]
    served.user.systemctl("kill", "--signal=STOP", UNIT)
    served.change()
    after = served.restarted(before)

    assert served.right()
    assert int(after["NRestarts"]) >= 1
    assert any("Watchdog timeout" in line for line in served.log())
    assert any("supervisor.py" in line for line in served.log()), "the log shows where each thread stood"


def test_a_daemon_that_works_is_left_alone_by_the_watchdog(served: Served) -> None:
    """It is looked at for twice as long as the patience."""
    served.install("--no-start")
    served.drop_in("WatchdogSec=4")
    served.user.systemctl("start", UNIT)
    began = int(served.shows_unit(ActiveState="active")["ActiveEnterTimestampMonotonic"])

    def alive_at() -> int:
        return int(served.user.show(UNIT)["WatchdogTimestampMonotonic"])

    wait_until(lambda: alive_at() - began > 8_000_000, "it says for eight seconds that it is alive")
    served.shows_unit(ActiveState="active", NRestarts="0")


def test_a_daemon_that_is_killed_is_started_anew(served: Served) -> None:
    served.install()
    before = served.shows_unit(ActiveState="active")["MainPID"]
    served.user.systemctl("kill", "--signal=KILL", UNIT)
    served.change()
    after = served.restarted(before)

    assert served.right()
    assert after["NRestarts"] == "1"


def test_a_bad_configuration_fails_once(served: Served) -> None:
    place = served.user.home / ".config/hypo-compactd/projects.json"
    listed = served.user.seen(place).read_text("utf-8")
    served.user.write(place, "{")
    done = served.user.program("service", "install")

    assert done.returncode == 1, "systemd could not start it"

    # A unit that is to be started anew shows `activating`, `auto-restart`.
    served.shows_unit(ActiveState="failed", SubState="failed", ExecMainStatus="78", NRestarts="0")
    assert any(f"{place}:1" in line for line in served.log()), "the log says which file, and where"

    served.user.write(place, listed)
    served.install()

    assert served.right()


def test_the_status_line_says_how_the_projects_are(served: Served) -> None:
    served.install()
    served.shows_unit(StatusText="1 个项目：1 个正常")
    aside = served.root / "aside"
    served.pipeline.rename(aside)
    served.shows_unit(StatusText="1 个项目：1 个等待")
    aside.rename(served.pipeline)
    served.shows_unit(StatusText="1 个项目：1 个正常")


def test_the_status_line_speaks_the_language_of_the_global_configuration_and_follows_it(served: Served) -> None:
    configuration = served.user.home / ".hypo-workflow" / "config.yaml"
    served.user.write(configuration, "output: {language: en}\n")
    served.install()
    served.shows_unit(StatusText="1 project: 1 ok")
    served.user.write(configuration, "output: {language: zh-CN}\n")
    served.shows_unit(StatusText="1 个项目：1 个正常")


def test_the_journal_holds_one_json_object_a_line_without_a_time_and_without_content(served: Served) -> None:
    served.install()
    served.append("\n## 下一步\n\n- a secret of the board\n")
    served.settle()
    shutil.rmtree(served.pipeline)
    wait_until(lambda: any(event["event"] == "waiting" for event in served.events()), "the log tells of it")
    served.user.systemctl("stop", UNIT)
    events = served.events()

    assert {"ready", "refreshed", "stopped"} <= {event["event"] for event in events}
    assert not any("timestamp" in event for event in events), "the journal stamps them"
    assert "secret" not in "".join(served.log())


def test_its_memory_and_its_threads_are_limited(served: Served) -> None:
    """What the kernel has been told can be seen only where it counts memory and processes in the machine's groups."""
    served.install()
    found = served.shows_unit(ActiveState="active", MemoryMax=str(2 * 1024**3), TasksMax="4096")
    group = served.user.seen(Path(f"/sys/fs/cgroup{found['ControlGroup']}"))
    assert group.is_dir()
    told = {file.name: file.read_text().strip() for name in ("memory.max", "pids.max") for file in group.glob(name)}
    if not told:
        pytest.skip("systemd has the limits; this machine's groups count neither memory nor processes")

    assert told == {"memory.max": str(2 * 1024**3), "pids.max": "4096"}


def test_it_stops_in_a_moment(served: Served) -> None:
    """By the clock of systemd; a busy machine may make one of three slow."""
    took = []
    for _ in range(3):
        served.install()
        served.shows_unit(ActiveState="active")
        served.user.systemctl("stop", UNIT)
        at = {
            name: int(served.user.show(UNIT)[f"{name}TimestampMonotonic"]) for name in ("ActiveExit", "InactiveEnter")
        }
        took.append(at["InactiveEnter"] - at["ActiveExit"])
        found = served.shows_unit(ActiveState="inactive", Result="success")
        assert (found["ExecMainCode"], found["ExecMainStatus"]) == ("1", "0"), "it has ended by itself, with 0"

    assert 0 < min(took) < 1_000_000, f"microseconds: {took}"
