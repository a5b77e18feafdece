"""The service put in place and taken away by the command itself, with a real systemd."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from hypo_compactd.service import UNIT
from service.machine import Machine
from service.served import Served
from support.daemon_process import wait_until
from support.views import views


def test_what_install_has_started_has_looked_at_every_project(served: Served) -> None:
    assert views(served.root) == {}

    served.install()

    assert served.right(), "at the moment when install returns"

    found = served.shows_unit(ActiveState="active", UnitFileState="enabled", NRestarts="0")
    assert served.status()["daemon"]["pid"] == int(found["MainPID"])


def test_the_unit_is_one_that_systemd_has_no_word_to_say_about(served: Served) -> None:
    served.install("--no-start")
    done = served.user.call("systemd-analyze", "--user", "verify", served.unit_file)

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")

    assert served.shows_unit(ActiveState="inactive")["UnitFileState"] == "enabled", "it waits for the next login"


def test_it_starts_with_the_session_of_its_user(served: Served, machine: Machine) -> None:
    served.install()
    machine.root("systemctl", "stop", f"user@{served.user.uid}.service")
    served.change()
    machine.root("systemctl", "start", f"user@{served.user.uid}.service")
    served.shows_unit(ActiveState="active")

    assert served.right()


def test_a_second_install_changes_nothing(served: Served) -> None:
    served.install()
    before = served.shows_unit(ActiveState="active")
    served.install()
    after = served.shows_unit(ActiveState="active")

    for name in ("MainPID", "InvocationID", "ActiveEnterTimestampMonotonic", "UnitFileState", "FragmentPath"):
        assert after[name] == before[name]


def test_an_install_over_another_version_restarts_it(served: Served) -> None:
    served.install()
    before = served.shows_unit(ActiveState="active")
    file = served.user.seen(served.unit_file)
    text = file.read_text("utf-8")
    file.write_text(text.replace("RestartSec=2\n", "RestartSec=7\n"), "utf-8")
    served.install()
    after = served.shows_unit(ActiveState="active", RestartUSec="2s", NeedDaemonReload="no")

    assert file.read_text("utf-8") == text
    assert after["MainPID"] != before["MainPID"]


def test_an_uninstall_leaves_nothing(served: Served) -> None:
    served.install()
    pid = served.shows_unit(ActiveState="active")["MainPID"]
    done = served.user.program("service", "uninstall")

    assert done.returncode == 0, done.stderr
    assert nothing_is_left(served)
    assert not served.user.seen(Path("/proc", pid)).exists()

    assert served.user.program("service", "uninstall").returncode == 0, "there is nothing to do, and that is no error"


def test_an_uninstall_of_what_was_killed_leaves_nothing(served: Served) -> None:
    served.install()
    runtime = served.user.seen(Path(f"/run/user/{served.user.uid}"))
    pid = served.shows_unit(ActiveState="active")["MainPID"]
    assert [*runtime.glob(f"hypo-compactd-canary-{pid}-*")] != []
    served.user.systemctl("kill", "--signal=KILL", UNIT)
    wait_until(lambda: served.user.show(UNIT)["MainPID"] != pid, "systemd has seen it end")
    done = served.user.program("service", "uninstall")

    assert done.returncode == 0, done.stderr
    assert nothing_is_left(served)
    assert [*runtime.glob("*hypo-compactd*")] == []


def test_a_unit_in_a_folder_of_dotfiles_is_kept_there_until_it_is_uninstalled(served: Served) -> None:
    real = served.user.home / "dotfiles" / UNIT
    served.user.call("mkdir", "-p", real.parent, served.unit_file.parent)
    served.user.call("ln", "-s", real, served.unit_file)
    served.install()
    served.user.write(real, served.user.seen(real).read_text("utf-8").replace("RestartSec=2\n", "RestartSec=7\n"))
    served.install()
    served.shows_unit(ActiveState="active", RestartUSec="2s", NeedDaemonReload="no")

    assert served.right()
    assert served.user.seen(served.unit_file).is_symlink()
    assert "已是最新" in served.user.program("service", "install").stdout

    done = served.user.program("service", "uninstall")

    assert done.returncode == 0, done.stderr
    assert nothing_is_left(served)
    assert not served.user.seen(real).exists()


def test_a_unit_that_the_disk_has_no_room_for_is_named(served: Served, machine: Machine) -> None:
    folder = served.unit_file.parent
    served.user.call("mkdir", "-p", folder)
    owner = f"size=4k,uid={served.user.uid}"
    assert machine.root("mount", "-t", "tmpfs", "-o", owner, "tmpfs", str(folder)).returncode == 0
    served.user.call("sh", "-c", f"cat /dev/zero >{folder}/filler")
    done = served.user.program("service", "install")

    assert done.returncode == 1
    assert done.stderr.startswith(f"hypo-compactd: {served.unit_file} 无法写入：设备上没有剩余空间；")
    assert [one.name for one in served.user.seen(folder).iterdir()] == ["filler"]


def test_an_uninstall_of_what_has_failed_leaves_nothing(served: Served) -> None:
    served.install("--no-start")
    served.drop_in("ExecStart=", "ExecStart=/bin/false", "Restart=no")
    served.user.call("systemctl", "--user", "start", UNIT)
    served.shows_unit(ActiveState="failed")
    served.user.call("rm", "-r", served.unit_file.with_name(f"{UNIT}.d"))  # the user's own, not ours to remove
    done = served.user.program("service", "uninstall")

    assert done.returncode == 0, done.stderr
    assert nothing_is_left(served)


def test_an_uninstall_after_somebody_has_removed_the_unit_leaves_nothing(served: Served) -> None:
    served.install()
    pid = served.shows_unit(ActiveState="active")["MainPID"]
    served.user.seen(served.unit_file).unlink()
    done = served.user.program("service", "uninstall")

    assert done.returncode == 0, done.stderr
    assert nothing_is_left(served)
    assert not served.user.seen(Path("/proc", pid)).exists()


def nothing_is_left(served: Served) -> bool:
    """Return whether neither systemd nor its folders know of the service."""
    folder = served.user.seen(served.unit_file.parent)
    pattern = f"{UNIT.split('.', maxsplit=1)[0]}*"
    listed = [
        served.user.call("systemctl", "--user", what, "--all", "--plain", "--no-legend", pattern).stdout
        for what in ("list-unit-files", "list-units")
    ]
    return listed == ["", ""] and not [path for path in folder.rglob("*") if not path.is_dir()]


@pytest.mark.parametrize("name", ['of $HOME 100% "%h"', "it's \\a"])
def test_it_starts_whatever_the_path_of_its_interpreter(served: Served, name: str) -> None:
    place = served.user.home / name
    served.user.call("ln", "-s", sys.prefix, place)
    done = served.user.call(place / "bin" / "python", "-m", "hypo_compactd", "service", "install")

    assert done.returncode == 0, done.stderr

    pid = served.shows_unit(ActiveState="active")["MainPID"]
    command = served.user.seen(Path("/proc", pid, "cmdline")).read_bytes()

    assert command.startswith(f"{place}/bin/python\0".encode())
    assert served.right()


def test_it_keeps_its_files_where_the_shell_that_installed_it_does(served: Served) -> None:
    place = f"{served.user.home}/100% of our files"
    set_as = ("env", f"HYPO_COMPACTD_STATE_DIR={place}", sys.executable, "-m", "hypo_compactd")
    done = served.user.call(*set_as, "service", "install")

    assert done.returncode == 0, done.stderr

    pid = served.shows_unit(ActiveState="active")["MainPID"]
    shown = json.loads(served.user.call(*set_as, "status", "--json", served.named).stdout)

    assert shown["projects"][0]["daemon"]["pid"] == int(pid)
    assert served.user.seen(Path(place)).is_dir()


def test_a_project_that_is_registered_later_is_taken(served: Served) -> None:
    served.install()
    other = served.another("later")
    other.settle()
    served.shows_unit(StatusText="2 个项目：2 个正常")


def test_the_service_runs_with_no_project_and_takes_the_first(served: Served) -> None:
    assert served.user.program("projects", "remove", served.named).returncode == 0

    served.install()
    served.shows_unit(ActiveState="active", StatusText="0 个项目")
    served.register(served.named)
    served.settle()


def test_the_unit_for_one_project_keeps_it_wherever_it_is(served: Served) -> None:
    place = served.user.home / 'tide 潮 $HOME "100%"'
    root = served.user.seen(place)
    served.root.rename(root)
    served.named, served.root = place, root
    text = served.user.program("service", "show", "--template").stdout
    template = UNIT.replace(".", "@.")
    served.user.write(served.unit_file.with_name(template), text)
    unit = served.user.call("systemd-escape", f"--template={template}", "--path", place).stdout.strip()
    served.user.systemctl("enable", "--now", unit)

    assert served.right()

    served.change()
    served.settle()
    found = served.user.show(unit)
    assert (found["ActiveState"], found["StatusText"]) == ("active", "1 个项目：1 个正常")
    assert served.status()["daemon"]["pid"] == int(found["MainPID"])

    served.user.systemctl("disable", "--now", unit)

    assert served.user.call("systemctl", "--user", "is-active", unit).stdout == "inactive\n"
