"""What stands between systemd and the daemon: watching.md, cases 34 and 35.

A program that starts it, and a sandbox of mounts of its own.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from hypo_compactd.service import UNIT
from service.served import PYTHON, Served
from support.daemon_process import wait_until
from support.views import sources, views

READ_ONLY = "the view cannot be written: read-only file system"


def test_the_process_that_systemd_knows_is_the_one_that_says_ready(served: Served) -> None:
    """Case 34: no wrapper stands between them."""
    served.install()
    pid = served.shows_unit(ActiveState="active")["MainPID"]
    command = served.user.seen(Path("/proc", pid, "cmdline")).read_bytes().split(b"\0")

    assert command[0].decode() == sys.executable
    assert [event["pid"] for event in served.events() if event["event"] == "ready"] == [int(pid)]


@pytest.mark.parametrize(("access", "result"), [("main", "timeout"), ("all", "success")])
def test_a_shell_between_them_keeps_systemd_from_hearing(served: Served, access: str, result: str) -> None:
    """Case 34, the other way: why the unit names the interpreter itself."""
    served.install("--no-start")
    shell = f"""ExecStart=/bin/sh -c '{PYTHON} -m hypo_compactd run --all; exit $?'"""
    served.drop_in("ExecStart=", shell, f"NotifyAccess={access}", "TimeoutStartSec=5", "Restart=no")
    done = served.user.call("systemctl", "--user", "start", UNIT)
    found = served.user.show(UNIT)

    assert found["Result"] == result
    assert (done.returncode == 0) is (result == "success")
    assert served.right(), "the daemon itself has done its work"


def test_a_confined_daemon_writes_below_the_folder_that_its_user_names_and_nowhere_else(served: Served) -> None:
    other = served.another("elsewhere")
    confine(served, "projects")

    assert served.right()
    assert views(other.root) == {}
    assert [one.startswith(READ_ONLY) for one in failures(served.status(other.named))] == [True] * 6

    make_anew(served.root)
    served.own(served.root)
    served.change()
    served.settle()


def test_a_confined_project_that_is_made_anew_is_said_to_be_read_only(served: Served) -> None:
    """Case 35: the folder itself is named, so that it is a mount of the unit's own, which goes with it."""
    confine(served, "projects/slow")
    written = views(served.root)
    make_anew(served.root)
    served.own(served.root)
    served.change()
    before = sources(served.root)
    wait_until(lambda: READ_ONLY in "".join(failures(served.status())), "status says why the view is old")
    wait_until(lambda: READ_ONLY in "".join(served.log()), "and so does the log")

    assert served.status()["fresh"] is False
    assert served.user.program("status", served.named).returncode == 3
    assert views(served.root) == written, "the old views stand, whole"

    served.user.systemctl("restart", UNIT)

    assert served.right()
    assert sources(served.root) == before


def confine(served: Served, folder: str) -> None:
    """Start the service with the drop-in that the program shows, for a folder below the user's home."""
    served.install("--no-start")
    text = served.user.program("service", "show", "--strict").stdout
    assert text.count("=-%h/projects\n") == 1
    file = served.unit_file.with_name(f"{UNIT}.d") / "strict.conf"
    served.user.write(file, text.replace("=-%h/projects\n", f"=-%h/{folder}\n"))
    served.user.call("mkdir", "-p", ".local/state/hypo-compactd")
    served.user.systemctl("daemon-reload")
    served.user.systemctl("start", UNIT)


def make_anew(folder: Path) -> None:
    """Delete a folder and make it again with all that was in it."""
    copy = folder.parent / "copy"
    shutil.copytree(folder, copy)
    shutil.rmtree(folder)
    shutil.copytree(copy, folder)
    shutil.rmtree(copy)


def failures(status: dict[str, Any]) -> list[str]:
    """Return why views have failed, by what `status` says."""
    return [finding["message"] for view in status["views"] if view["state"] == "failed" for finding in view["findings"]]
