"""Clocks that lie, a process that stands still, signals at any moment, warnings as errors: watching.md, cases 30, 31 and 34.

Case 34 is a program between the service manager and the daemon. Tested here: a shell script that starts it and a signal
to the whole group, as a manager sends it; what such a program means for the messages to a manager is tested where
services are. Likewise of case 30 the manager's own watchdog.
"""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from support.daemon_process import DEADLINE_S, PROGRAM, DaemonProcess, wait_until
from support.scene import EVENTS_ALONE, QUICK, WITH_FAULT, Scene
from support.views import from_scratch, views

STOP_S = 5.0
"""How long a stop may take, whatever is being done."""


def seconds(year: int) -> float:
    return (year - 1970) * 365.25 * 86_400


@pytest.mark.parametrize("options", [EVENTS_ALONE, ("--poll", "always")], ids=["events", "polling"])
def test_whatever_time_files_bear_their_changes_are_found(scene: Scene, options: tuple[str, ...]) -> None:
    """Case 30: mtimes of 1970 and 2099, and one put back to what it was."""
    state = "polling" if "always" in options else "ok"
    board = scene.pipeline / "PROGRESS.md"
    with scene.daemon(*options):
        for stamp in (seconds(2099), seconds(1970), board.stat().st_mtime):
            scene.change()
            os.utime(board, (stamp, stamp))
            scene.settle()
        size, stamp = board.stat().st_size, board.stat().st_mtime
        board.write_bytes(board.read_bytes().replace(b"fold sheet 3", b"sewn sheet 3"))
        os.utime(board, (stamp, stamp))

        assert board.stat().st_size == size

        scene.settle()
        found = scene.expect(state, fresh=True, missed=0)

        assert b"sewn sheet 3" in views(scene.root)["progress"]
        assert found["contested"] == []


def test_a_process_that_stood_still_looks_at_what_it_missed(scene: Scene) -> None:
    """Case 30: stopped for longer than a canary may take, while files changed."""
    with scene.daemon(*EVENTS_ALONE) as daemon:
        for _ in range(2):
            daemon.settle()
            daemon.signal(signal.SIGSTOP)
            scene.change()
            (scene.pipeline / "reports" / "later").mkdir(exist_ok=True)
            threading.Event().wait(2.5)
            found = scene.status()
            assert not found["fresh"], "what the files say counts, not the daemon that stands still"
            daemon.signal(signal.SIGCONT)
            scene.settle()
        found = scene.expect("ok", fresh=True, missed=0)

        assert found["daemon"]["rebuilds"] == 0
        assert not [event for event in daemon.events if event["level"] in {"warning", "error"}]


def test_standing_still_while_the_canary_flies_is_not_taken_for_deafness(scene: Scene) -> None:
    """Case 30: three such rebuilds would end the daemon."""
    with scene.broken_daemon("stopped_with_canary", *QUICK) as (daemon, trigger):
        daemon.wait_for("ready")
        trigger.touch()
        wait_until(lambda: state_of(daemon.process.pid) == "T", "it has stopped just after it sent a canary")
        trigger.unlink()
        scene.change()
        threading.Event().wait(2.5)
        daemon.signal(signal.SIGCONT)
        scene.settle()
        found = scene.expect("ok", fresh=True)

        assert found["daemon"]["rebuilds"] == 0
        assert daemon.stop() == 0


def state_of(process: int) -> str:
    return Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()[0]


def test_a_configuration_that_breaks_is_said_and_the_last_good_one_kept(scene: Scene) -> None:
    """Case 30: at once and after SIGHUP."""
    configuration = scene.pipeline / "config.yaml"
    good = configuration.read_bytes().replace(b"output:", b"unused:") + b"\noutput: {language: en}\n"
    configuration.write_bytes(good)
    with scene.daemon(*EVENTS_ALONE) as daemon:
        scene.settle()
        configuration.write_bytes(good + b"compact: {auto: false\n")
        reason = daemon.wait_for("configuration")["reason"]

        assert "config.yaml" in reason
        assert "last good values are kept" in reason
        assert "config.yaml" in scene.expect("ok", fresh=False)["reason"]

        daemon.signal(signal.SIGHUP)
        daemon.wait_for("reloading")
        scene.change()
        broken = configuration.read_bytes()
        right = right_under(scene, good)
        wait_until(lambda: views(scene.root) == right, "the views are what the good configuration gives")

        assert configuration.read_bytes() == broken

        configuration.write_bytes(good)
        scene.settle()
        scene.expect("ok", fresh=True, missed=0)


def right_under(scene: Scene, configuration: bytes) -> dict[str, bytes]:
    """Return the views that the project should have under another configuration."""
    import shutil

    other = scene.scratch / "other"
    shutil.copytree(scene.root, other)
    (other / ".pipeline" / "config.yaml").write_bytes(configuration)
    return from_scratch(other, scene.scratch)


@pytest.mark.parametrize("fault", ["slow_view", "slow_disk"])
def test_asked_to_stop_in_the_middle_of_a_look_it_ends_soon_and_leaves_nothing_behind(scene: Scene, fault: str) -> None:
    """Case 30: while a view is computed, and while it is flushed to the disk."""
    with scene.broken_daemon(fault, *EVENTS_ALONE) as (daemon, trigger):
        daemon.wait_for("ready")
        before = views(scene.root)["log"]
        begun = trigger.with_name("trigger.begun")
        trigger.touch()
        scene.append("  - id: LATE\n    type: step\n    status: done\n", file="log.yaml")
        wait_until(begun.exists, "it is in the middle of it")
        began = time.monotonic()

        assert daemon.stop() == 0
        assert time.monotonic() - began < STOP_S
        assert views(scene.root)["log"] == before
        assert list(scene.root.rglob(".hypo-compactd-*")) == []

    assert not scene.expect("none", fresh=False)["daemon"]
    with scene.daemon():
        scene.settle()
        scene.expect("ok", fresh=True)


def test_asked_to_stop_at_any_moment_it_ends_well_and_leaves_nothing_behind(scene: Scene) -> None:
    """Case 30: under constant writes, each time a little later."""
    for number in range(5):
        with scene.daemon("--quiet-ms", "1", "--max-wait-ms", "5") as daemon:
            for _ in range(4):
                scene.change()
                threading.Event().wait(0.01 * number)
            began = time.monotonic()

            assert daemon.stop() == 0
            assert time.monotonic() - began < STOP_S
            assert list(scene.root.rglob(".hypo-compactd-*")) == []
    with scene.daemon():
        scene.settle()
        scene.expect("ok", fresh=True)


@pytest.mark.parametrize("state", ["full", "held", "held from the start"])
def test_on_a_terminal_that_takes_no_more_it_keeps_the_views_current_and_obeys(scene: Scene, state: str) -> None:
    """Case 30: a dead connection, or Ctrl-S."""
    controlling, terminal = pty.openpty()
    if state == "held from the start":
        termios.tcflow(terminal, termios.TCOOFF)
    command = [*PROGRAM, "run", os.fspath(scene.root), *EVENTS_ALONE, "--log-format", "console", "-v"]
    daemon = subprocess.Popen(command, stdin=terminal, stdout=terminal, stderr=terminal, start_new_session=True)
    try:
        wait_until(lambda: scene.status()["state"] == "ok", "it keeps the project")
        if state == "held":
            termios.tcflow(terminal, termios.TCOOFF)
        elif state == "full":
            fill(terminal)
        for _ in range(10):
            scene.change()
            scene.settle()
        scene.expect("ok", fresh=True, missed=0)
        daemon.send_signal(signal.SIGTERM)

        assert daemon.wait(DEADLINE_S) == 0
    finally:
        daemon.kill()
        daemon.wait()
        os.close(controlling)
        os.close(terminal)


def fill(terminal: int) -> None:
    """Write to a terminal that nobody reads until there is room for less than a line."""
    own = os.open(os.ttyname(terminal), os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY)
    for size in (1000, 100):
        with suppress(BlockingIOError):
            while os.write(own, b"x" * size) == size:
                pass
    os.close(own)


def test_where_warnings_are_errors_it_starts_works_and_stops(scene: Scene) -> None:
    """Case 31: also when a thread of watchdog warns, which would end with it."""
    trigger = scene.scratch / "trigger"
    command = (sys.executable, "-W", "error", os.fspath(WITH_FAULT), "reader_warns")
    with scene.daemon(*EVENTS_ALONE, environment={"FAULT_TRIGGER": os.fspath(trigger)}, command=command) as daemon:
        trigger.touch()
        for _ in range(2):
            (scene.pipeline / "reports" / "later").mkdir(exist_ok=True)
            scene.change()
            scene.settle()
        found = scene.expect("ok", fresh=True, missed=0)

        assert found["daemon"]["rebuilds"] == 0
        assert not [event for event in daemon.events if event["level"] in {"warning", "error"}]


@pytest.mark.parametrize("script", ['"$@"', 'trap : TERM; "$@" & wait $!; wait $!; exit $?'], ids=["plain", "trap"])
def test_behind_a_shell_script_it_stops_cleanly_when_the_group_is_told_to(scene: Scene, script: str) -> None:
    """Case 34."""
    # `setsid`: a group of its own, as a service has, so that the signal does not meet the tests.
    command = ("setsid", "sh", "-c", f"{script}; exit $?", "sh", *PROGRAM)
    with DaemonProcess(scene.root, options=EVENTS_ALONE, command=command) as wrapper, whole_group(wrapper):
        pid = wrapper.wait_for("ready")["pid"]

        assert pid != wrapper.process.pid

        scene.change()
        scene.settle()
        found = scene.expect("ok", fresh=True, missed=0)
        assert found["daemon"]["pid"] == pid

        os.killpg(wrapper.process.pid, signal.SIGTERM)
        code = wrapper.process.wait(60)
        wait_until(lambda: wrapper.events[-1]["event"] == "stopped", "the daemon says that it stopped")
        wait_until(lambda: not Path(f"/proc/{pid}").exists(), "it has ended")

        assert code == (0 if "trap" in script else -signal.SIGTERM)
        assert not list(scene.root.rglob(".hypo-compactd-*"))
    scene.expect("none", fresh=True)


@contextmanager
def whole_group(leader: DaemonProcess) -> Iterator[None]:
    """Leave nothing of a group of processes behind, whatever becomes of the test."""
    try:
        yield
    finally:
        with suppress(ProcessLookupError):
            os.killpg(leader.process.pid, signal.SIGKILL)
