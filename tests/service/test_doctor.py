"""What `doctor` says of the service, and that its advice mends it, with a real systemd."""

from __future__ import annotations

import json
import shlex
import sys

from hypo_compactd.service import UNIT
from service.served import Served

INSTALL = "hypo-compactd service install"
LOOK = f"systemctl --user status {UNIT}"


def advice(served: Served) -> list[str]:
    """Return the commands that are advised about the service."""
    out = served.user.program("doctor", "--json", served.named).stdout
    (found,) = [one["findings"] for one in json.loads(out)["checks"] if one["check"] == "service"]
    return [command for finding in found for command in finding["commands"]]


def test_a_service_that_runs_is_fine_and_one_that_is_disabled_is_not(served: Served) -> None:
    served.install()
    assert advice(served) == []

    served.user.systemctl("disable", UNIT)
    assert advice(served) == [INSTALL]
    served.install()
    assert advice(served) == []


def test_a_unit_of_another_version_is_installed_anew(served: Served) -> None:
    served.install()
    file = served.user.seen(served.unit_file)
    file.write_text(file.read_text("utf-8").replace("RestartSec=2\n", "RestartSec=7\n"), "utf-8")

    assert advice(served) == [INSTALL]
    served.install()
    assert advice(served) == []


def test_a_service_that_another_daemon_keeps_from_starting(served: Served) -> None:
    """The other one is started as a unit of its own, which systemd takes for no part of the service."""
    served.install("--no-start")
    program = (sys.executable, "-P", "-m", "hypo_compactd", "run", "--all")
    begun = served.user.call("systemd-run", "--user", "--unit=other", "--property=Type=notify", *program)
    assert begun.returncode == 0, begun.stderr
    pid = served.user.show("other.service")["MainPID"]
    assert served.user.call("systemctl", "--user", "start", UNIT).returncode != 0
    served.shows_unit(ActiveState="failed")

    assert advice(served) == [LOOK, f"kill {pid}", INSTALL]
    assert served.user.call(*shlex.split(f"kill {pid}")).returncode == 0
    served.install()
    assert advice(served) == []
