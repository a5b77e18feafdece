"""The command `doctor`: each check by a table, the facts by real faults."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from example import milestone
from hypo_compactd import doctor, doctor_facts, inotify, mounts, registry
from hypo_compactd.cli import main
from hypo_compactd.doctor import Closed, Hindrance, Machine, Remedy, Service, Tree, examine
from hypo_compactd.inotify import INSTANCES, QUEUE, WATCHES, Limit
from hypo_compactd.judge import Life
from hypo_compactd.messages import message
from hypo_compactd.paths import Project, find_project
from hypo_compactd.service import launchd_agent, systemd_unit
from hypo_strategies.api import Finding
from hypo_strategies.text.phrase import Phrase
from support.daemon_process import PROGRAM, DaemonProcess
from support.room import room

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="inotify is Linux's")

GOOD = Machine(
    limits={
        WATCHES: Limit("fs.inotify.max_user_watches", 8192),
        INSTANCES: Limit("fs.inotify.max_user_instances", 128),
        QUEUE: Limit("fs.inotify.max_queued_events", 16384),
    },
    folders=200,
    projects=20,
    kept=True,
)
TREE = Tree("tide", "/home/you/projects/tide", repository=True, own_version="1.2")

SYSCTL_D = "sudo tee -a /etc/sysctl.d/60-hypo-compactd.conf"


def limit(which: str, value: int) -> dict[str, Limit]:
    return {**GOOD.limits, which: replace(GOOD.limits[which], value=value)}


def service(*, present: bool = True, manager: str = "systemd") -> Service:
    return Service("/home/you/unit", "/venv/bin/python", present, manager)


def said(found: Hindrance) -> str:
    return message(found.key, "en", **found.values)


def test_nothing_hinders_where_all_is_well() -> None:
    assert not [one for one in examine(GOOD, [TREE]) if one.hindrances]


MACHINES: list[tuple[str, Machine, list[str], list[str]]] = [
    (
        "inotify watches",
        replace(GOOD, limits=limit(WATCHES, 203)),
        ["fs.inotify.max_user_watches is 203, the listed projects (20) need 204"],
        [
            "sudo sysctl fs.inotify.max_user_watches=524288",
            f"echo fs.inotify.max_user_watches=524288 | {SYSCTL_D}",
        ],
    ),
    ("inotify watches", replace(GOOD, limits=limit(WATCHES, 204)), [], []),
    (
        "inotify watches",
        replace(GOOD, full=WATCHES, limits=limit(WATCHES, 600_000)),
        ["fs.inotify.max_user_watches is 600000, and all of it is taken"],
        ["sudo sysctl fs.inotify.max_user_watches=2097152", f"echo fs.inotify.max_user_watches=2097152 | {SYSCTL_D}"],
    ),
    ("inotify watches", replace(GOOD, full=WATCHES, limits={}), [], []),
    (
        "inotify instances",
        replace(GOOD, full=INSTANCES),
        ["fs.inotify.max_user_instances is 128, and all of it is taken"],
        ["sudo sysctl fs.inotify.max_user_instances=512", f"echo fs.inotify.max_user_instances=512 | {SYSCTL_D}"],
    ),
    (
        "inotify instances",
        replace(GOOD, watchdog="6.0.0"),
        ["fs.inotify.max_user_instances is 128, the listed projects (20) need 272"],
        ["sudo sysctl fs.inotify.max_user_instances=1024", f"echo fs.inotify.max_user_instances=1024 | {SYSCTL_D}"],
    ),
    ("inotify instances", replace(GOOD, watchdog="6.0.0", folders=92), [], []),
    (
        "inotify instances",
        replace(GOOD, limits={INSTANCES: Limit("user.max_inotify_instances", 0)}),
        ["user.max_inotify_instances is 0"],
        ["sudo sysctl user.max_inotify_instances=512", f"echo user.max_inotify_instances=512 | {SYSCTL_D}"],
    ),
    (
        "inotify queue",
        replace(GOOD, limits=limit(QUEUE, 1024)),
        ["fs.inotify.max_queued_events is 1024, it should be 4096 at least"],
        ["sudo sysctl fs.inotify.max_queued_events=65536", f"echo fs.inotify.max_queued_events=65536 | {SYSCTL_D}"],
    ),
    (
        "inotify queue",
        replace(GOOD, overflows=3, limits=limit(QUEUE, 65536)),
        ["events were dropped 3 times"],
        ["sudo sysctl fs.inotify.max_queued_events=131072", f"echo fs.inotify.max_queued_events=131072 | {SYSCTL_D}"],
    ),
    (
        "open files",
        replace(GOOD, descriptors=83),
        ["ulimit -n is 83, the listed projects (20) need 84"],
        ["ulimit -n 1024"],
    ),
    ("open files", replace(GOOD, descriptors=84), [], []),
    (
        "open files",
        replace(GOOD, watchdog="6.0.0", descriptors=512, limits={}),
        ["ulimit -n is 512, the listed projects (20) need 696"],
        ["ulimit -n 1024"],
    ),
    (
        "watchdog",
        replace(GOOD, watchdog="", python="/my venv/python"),
        ["watchdog is not installed"],
        ["'/my venv/python' -m pip install 'watchdog>=6.0,<8'"],
    ),
    (
        "watchdog",
        replace(GOOD, watchdog="5.0.3"),
        ["watchdog is version 5.0.3"],
        ["python3 -m pip install 'watchdog>=6.0,<8'"],
    ),
    (
        "watchdog",
        replace(GOOD, watchdog="8.0"),
        ["watchdog is version 8.0"],
        ["python3 -m pip install 'watchdog>=6.0,<8'"],
    ),
    ("watchdog", replace(GOOD, watchdog="6.0.0", limits={}), [], []),
    (
        "gawk",
        replace(GOOD, gawk=False, awk="mawk", installer="sudo apt-get install"),
        ["no gawk (awk is mawk)"],
        ["sudo apt-get install gawk"],
    ),
    ("gawk", replace(GOOD, gawk=False, awk=""), ["no gawk (awk is none)"], []),
    *(
        (
            "state folder",
            replace(GOOD, state_dir="/a b", state_problem=Phrase("permission denied"), state_remedy=remedy),
            ["/a b: permission denied: what views were made from cannot be remembered"],
            commands,
        )
        for remedy, commands in {
            Remedy.OPEN: ["chmod u+rwx '/a b'"],
            Remedy.TAKE: ["sudo chown -R \"$(id -un)\" '/a b'"],
            Remedy.MAKE: ["sudo install -d -m 700 -o \"$(id -un)\" '/a b'"],
            Remedy.NONE: [],
        }.items()
    ),
    ("projects", replace(GOOD, registry_error=Phrase("/p.json:2: not JSON")), ["/p.json:2: not JSON"], []),
    ("projects", replace(GOOD, findings=(Finding("f", Phrase("x"), 1),)), ["f:1: x"], []),
    ("projects", replace(GOOD, gone=("/a b",)), ["/a b: no such folder"], ["hypo-compactd projects remove '/a b'"]),
    (
        "service",
        replace(GOOD, service=service(present=False)),
        ["/home/you/unit: the Python that it starts is gone (/venv/bin/python)"],
        ["hypo-compactd service install"],
    ),
    (
        "service",
        replace(GOOD, service=service(), kept=False),
        ["no daemon keeps any of the listed projects"],
        ["systemctl --user status hypo-compactd.service", "hypo-compactd service install"],
    ),
    (
        "service",
        replace(GOOD, service=service(manager="launchd"), kept=False),
        ["no daemon keeps any of the listed projects"],
        ["hypo-compactd service install"],
    ),
    ("service", replace(GOOD, service=service(), kept=None), [], []),
    ("service", replace(GOOD, service=None, kept=False), [], []),
]

TREES: list[tuple[str, Tree, list[str], list[str]]] = [
    (".pipeline", replace(TREE, root_error=Phrase("tide/.pipeline: is empty")), ["tide/.pipeline: is empty"], []),
    (
        "permissions",
        replace(TREE, root_error=Phrase("x"), closed=(Closed("/p"),)),
        ["/p: this user"],
        ["chmod u+rwx /p"],
    ),
    (
        "configuration",
        replace(TREE, configuration=(Phrase("c:3: bad"), Phrase("d"))),
        ["tide: c:3: bad", "tide: d"],
        [],
    ),
    (
        "permissions",
        replace(TREE, closed=(Closed("/a b"),)),
        ["/a b: this user cannot read it"],
        ["chmod u+rwx '/a b'"],
    ),
    (
        "permissions",
        replace(TREE, closed=(Closed("/f", folder=False),)),
        ["/f: this user cannot read"],
        ["chmod u+r /f"],
    ),
    (
        "permissions",
        replace(TREE, closed=(Closed("/d", write=True),)),
        ["/d: this user cannot write"],
        ["chmod u+rwx /d"],
    ),
    (
        "permissions",
        replace(TREE, closed=(Closed("/d", own=False),)),
        ["/d: this user cannot read it"],
        ['sudo chown "$(id -un)" /d'],
    ),
    ("permissions", replace(TREE, closed=(Closed("/d", write=True, read_only=True),)), ["/d: is on a read-only"], []),
    (
        "permissions",
        replace(TREE, closed=tuple(Closed(f"/{number}") for number in range(12))),
        [*(f"/{number}: " for number in range(10)), "tide: 2 more places are closed"],
        [f"chmod u+rwx /{number}" for number in range(10)],
    ),
    ("file system", replace(TREE, silent="9p"), ["tide: its file system (9p)"], []),
    (
        ".gitignore",
        replace(TREE, unignored=("a", "b")),
        ["tide: git does not ignore a, b"],
        ["hypo-compactd init /home/you/projects/tide"],
    ),
    (".gitignore", replace(TREE, unignored=("a",), repository=False), [], []),
    (
        "tracked views",
        replace(TREE, tracked=("a b", "c")),
        ["tide: git tracks a b, c"],
        ["git -C /home/you/projects/tide rm --cached --force --quiet -- 'a b' c"],
    ),
    (
        "daemon",
        replace(TREE, life=Life.HUNG, pid=7, silent_s=61.4, version="0"),
        ["tide: the daemon (process 7) holds it and has given no sign of life for 61 s"],
        ["kill -KILL 7", "hypo-compactd run /home/you/projects/tide"],
    ),
    ("daemon", replace(TREE, life=Life.HUNG), ["no sign of life"], []),
    (
        "daemon",
        replace(TREE, left=True, pid=7),
        ["tide: the daemon (process 7) was killed or died"],
        ["hypo-compactd run /home/you/projects/tide"],
    ),
    (
        "daemon",
        replace(TREE, life=Life.RUNNING, pid=7, version="1.1"),
        ["tide: the daemon (process 7) is version 1.1, this program is 1.2"],
        ["kill 7", "hypo-compactd run /home/you/projects/tide"],
    ),
    ("daemon", replace(TREE, life=Life.RUNNING, pid=7, version="1.2"), [], []),
    # What a service keeps is left to the service: a daemon in the terminal would keep one project and leave the others.
    (
        "daemon",
        replace(TREE, life=Life.RUNNING, pid=7, version="1.1", service="systemd"),
        ["is version 1.1"],
        ["systemctl --user restart hypo-compactd.service"],
    ),
    (
        "daemon",
        replace(TREE, life=Life.RUNNING, pid=7, version="1.1", service="launchd"),
        ["is version 1.1"],
        ["launchctl kickstart -k gui/$(id -u)/io.github.hypo-compactd"],
    ),
    ("daemon", replace(TREE, left=True, pid=7, service="systemd"), ["or died"], ["hypo-compactd service install"]),
    ("daemon", replace(TREE, life=None), [], []),
]


def hold(examined: list[doctor.Examined], check: str, sentences: list[str], commands: list[str]) -> None:
    found = {one.check: one.hindrances for one in examined if one.hindrances}
    assert set(found) == ({check} if sentences else set())
    hindrances = found.get(check, ())
    assert len(hindrances) == len(sentences)
    for hindrance, sentence in zip(hindrances, sentences, strict=True):
        assert said(hindrance).startswith(sentence) or f" {sentence}" in said(hindrance)
        assert message(hindrance.key, "zh-CN", **hindrance.values)
    assert [command for hindrance in hindrances for command in hindrance.commands] == commands


@pytest.mark.parametrize(("check", "facts", "sentences", "commands"), MACHINES)
def test_of_the_machine(check: str, facts: Machine, sentences: list[str], commands: list[str]) -> None:
    hold(examine(facts, []), check, sentences, commands)


@pytest.mark.parametrize(("check", "facts", "sentences", "commands"), TREES)
def test_of_a_project(check: str, facts: Tree, sentences: list[str], commands: list[str]) -> None:
    hold(examine(GOOD, [facts]), check, sentences, commands)


def test_every_check_has_a_fault_in_the_tables() -> None:
    faults = {check for check, _, sentences, _ in (*MACHINES, *TREES) if sentences}

    assert faults == {*doctor.MACHINE_CHECKS, *doctor.TREE_CHECKS}


# What a unit starts


@pytest.mark.parametrize(
    "python",
    ["/usr/bin/python3", "/home/you/my venv/bin/python", '/odd/%h/$x/"quoted"/back\\slash/python', "/café/python"],
)
def test_the_interpreter_of_a_unit_and_of_an_agent_is_found_again(python: str) -> None:
    assert doctor_facts.interpreter(systemd_unit(python)) == python
    assert doctor_facts.interpreter(systemd_unit(python, template=True)) == python
    assert doctor_facts.interpreter(launchd_agent(python, "/home/you")) == python


@pytest.mark.parametrize("text", ["", "ExecStart=", "<?xml broken", "[Service]", "ExecStart=-m hypo_compactd"])
def test_a_file_that_does_not_say_it_names_none(text: str) -> None:
    assert doctor_facts.interpreter(text) == ""


# The command, with real faults


@pytest.fixture(name="world")
def _world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """English, gawk there, nothing listed; returns the home folder."""
    home = tmp_path / "home"
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "gawk").write_text("#!/bin/sh\n")
    (tools / "gawk").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.setenv("HYPO_COMPACTD_CONFIG_DIR", os.fspath(tmp_path / "config"))
    (home / ".hypo-workflow").mkdir(parents=True)
    (home / ".hypo-workflow" / "config.yaml").write_text("output: {language: en}\n", "utf-8")
    return home


@pytest.fixture(name="run")
def _run(world: Path, project: Project, capsys: pytest.CaptureFixture[str]) -> Any:
    (project.pipeline / "config.yaml").write_text("output: {language: en}\n", "utf-8")

    def run(*arguments: str | Path) -> tuple[int, str, str]:
        capsys.readouterr()
        code = main(["doctor", *(os.fspath(one) for one in arguments)])
        return (code, *capsys.readouterr())

    return run


def in_git(folder: Path, *words: str) -> None:
    subprocess.run(["git", "-C", folder, *words], check=True, capture_output=True)


def test_it_says_nothing_where_all_is_well_and_writes_nothing(run: Any, project: Project, tmp_path: Path) -> None:
    before = sorted(path for path in tmp_path.rglob("*"))

    assert run(project.root) == (0, "", "")

    assert sorted(path for path in tmp_path.rglob("*")) == before


def test_every_check_that_passed_is_named_when_asked_for(run: Any, project: Project) -> None:
    code, out, _ = run("-v", project.root)

    names = [*doctor.MACHINE_CHECKS, *(f"{name} ({project.root})" for name in doctor.TREE_CHECKS)]
    assert code == 0
    assert out.splitlines() == [f"fine: {name}" for name in names]


def test_a_tracked_view_that_git_does_not_ignore_either(run: Any, project: Project) -> None:
    in_git(project.root, "init", "-q")
    (project.root / ".gitignore").unlink(missing_ok=True)
    place = ".pipeline/state.compact.yaml"
    (project.root / place).write_text("x")
    in_git(project.root, "add", "-f", place)

    code, out, _ = run(project.root)

    assert code == 3
    assert f"{project.root}: git does not ignore .pipeline/PROGRESS.compact.md, {place}, " in out
    assert f"{project.root}: git tracks {place}" in out
    for command in (line.strip() for line in out.splitlines() if line.startswith("    ")):
        words = shlex.split(command)
        subprocess.run([*PROGRAM, *words[1:]] if words[0] == "hypo-compactd" else words, check=True)
    assert run(project.root) == (0, "", "")


def test_a_rule_of_git_s_in_another_file_ignores_them_too(run: Any, project: Project) -> None:
    in_git(project.root, "init", "-q")
    (project.root / ".gitignore").unlink(missing_ok=True)
    (project.root / ".git" / "info" / "exclude").write_text("/.pipeline/\n")

    assert run(project.root) == (0, "", "")


def test_as_data(run: Any, project: Project) -> None:
    (project.pipeline / "config.yaml").write_text("compact: {log_recent: none}\noutput: {language: en}\n", "utf-8")

    code, out, _ = run("--json", project.root)
    data = json.loads(out)

    assert code == 3
    assert data["schema"] == 1
    assert [one["check"] for one in data["checks"]] == [*doctor.MACHINE_CHECKS, *doctor.TREE_CHECKS]
    (found,) = [one for one in data["checks"] if one["findings"]]
    assert (found["check"], found["project"]) == ("configuration", os.fspath(project.root))
    assert found["findings"] == [{"message": found["findings"][0]["message"], "commands": []}]
    assert "config.yaml:1: compact.log_recent" in found["findings"][0]["message"]


def test_a_configuration_that_is_broken_is_a_finding_and_no_end(run: Any, project: Project) -> None:
    (project.pipeline / "config.yaml").write_text("compact: [", "utf-8")

    code, out, _ = run(project.root)

    assert code == 3
    assert ".pipeline/config.yaml:2:1: " in out


@pytest.mark.parametrize("fault", ["link out", "missing", "empty"])
def test_a_pipeline_that_cannot_be_kept(fault: str, run: Any, project: Project, tmp_path: Path) -> None:
    shutil.move(project.pipeline, tmp_path / "outside")
    if fault == "link out":
        project.pipeline.symlink_to(tmp_path / "outside")
        (tmp_path / "outside" / "reports").chmod(0o000)
    elif fault == "empty":
        project.pipeline.mkdir()

    code, out, _ = run(project.root)
    (tmp_path / "outside" / "reports").chmod(0o700)

    said = {"link out": "leads out of the project", "missing": "no such folder", "empty": "is empty"}
    assert code == 3
    assert out.startswith(f"{project.root}/.pipeline: ")
    assert said[fault] in out
    assert "chmod" not in out


def test_a_folder_that_is_missing_is_bad_input(run: Any, tmp_path: Path) -> None:
    assert run(tmp_path / "missing")[0] == 65


def test_without_a_project_all_that_are_listed_are_examined(
    run: Any, project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    registry.add(project.root)
    registry.add(gone)
    gone.rmdir()
    (project.pipeline / "state.yaml").unlink()
    (project.pipeline / "state.yaml").mkdir()
    monkeypatch.chdir("/")

    code, out, _ = run("-v")

    assert code == 3
    assert f"{gone}: no such folder, though it is on the list" in out
    assert f"    hypo-compactd projects remove {gone}" in out
    assert f"fine: daemon ({project.root})" in out


def test_a_list_that_is_broken_is_a_finding(run: Any, project: Project, tmp_path: Path) -> None:
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "projects.json").write_text("{")

    code, out, _ = run(project.root)

    assert code == 3
    assert "projects.json:1: not JSON" in out


def test_a_service_whose_python_is_gone(run: Any, project: Project, world: Path, tmp_path: Path) -> None:
    unit = world / ".config" / "systemd" / "user" / "hypo-compactd.service"
    unit.parent.mkdir(parents=True)
    unit.write_text(systemd_unit(os.fspath(tmp_path / "gone" / "python")))

    code, out, _ = run(project.root)

    assert code == 3
    assert out.startswith(f"{unit}: the Python that it starts is gone ({tmp_path}/gone/python)")
    unit.write_text(systemd_unit(sys.executable))
    assert run(project.root)[0] == 0
    registry.add(project.root)
    assert "no daemon keeps any of the listed projects" in run(project.root)[1]
    with DaemonProcess(project.root) as daemon:
        daemon.wait_for("ready")
        assert run(project.root) == (0, "", "")


def test_a_daemon_that_was_killed(run: Any, project: Project) -> None:
    with DaemonProcess(project.root) as daemon:
        daemon.wait_for("ready")
        assert run(project.root) == (0, "", "")
        daemon.signal(signal.SIGKILL)
        pid = daemon.process.pid
        daemon.process.wait()

        code, out, _ = run(project.root)

    assert code == 3
    assert out == (
        f"{project.root}: the daemon (process {pid}) was killed or died: nobody keeps the project\n"
        f"    hypo-compactd run {project.root}\n"
    )


def test_a_file_system_that_is_silent(
    run: Any, project: Project, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    listed = tmp_path / "mountinfo"
    listed.write_text(f"1 0 0:1 / {project.root} rw - nfs4 server:/ rw\n")
    monkeypatch.setattr(mounts, "_MOUNTS", listed)

    assert "its file system (nfs4) does not tell of changes made elsewhere" in run(project.root)[1]


@pytest.fixture(name="nobody")
def _nobody(
    unprivileged: tuple[Path, Callable[[], AbstractContextManager[None]]], monkeypatch: pytest.MonkeyPatch
) -> tuple[Project, Callable[[], AbstractContextManager[None]]]:
    """The example project as an ordinary user's, and a context in which we are that user."""
    folder, drop = unprivileged
    monkeypatch.setenv("HYPO_COMPACTD_CONFIG_DIR", os.fspath(folder / "config"))
    shutil.copytree(milestone.PROJECT, folder / "tide")
    if os.geteuid() == 0:
        for path in (folder / "tide", *(folder / "tide").rglob("*")):
            os.chown(path, 65534, 65534)
    project = find_project(os.fspath(folder / "tide"))
    # What is imported late must not be looked for in folders that the ordinary user cannot read.
    doctor_facts.machine([project])
    doctor_facts.tree(project)
    return project, drop


@pytest.mark.parametrize(
    ("place", "mode", "command"),
    [
        (".pipeline", 0o000, "chmod u+rwx"),
        (".pipeline", 0o555, "chmod u+rwx"),
        (".pipeline/reports", 0o000, "chmod u+rwx"),
        (".pipeline/reports", 0o444, "chmod u+rwx"),
        (".pipeline/state.yaml", 0o000, "chmod u+r"),
        (".pipeline/knowledge", 0o555, "chmod u+rwx"),
        (".", 0o600, "chmod u+rwx"),
    ],
)
def test_what_is_closed_is_named_with_what_opens_it(
    place: str, mode: int, command: str, nobody: tuple[Project, Callable[[], AbstractContextManager[None]]]
) -> None:
    project, drop = nobody
    path = project.root / place
    path.chmod(mode)

    with drop():
        found = doctor.permissions(doctor_facts.tree(project))
        assert [one.commands for one in found] == [(f"{command} {path}",)]
        words = shlex.split(found[0].commands[0])
        subprocess.run(words, check=True)
        assert doctor.permissions(doctor_facts.tree(project)) == []


def test_what_a_link_leads_to_outside_is_not_named(
    nobody: tuple[Project, Callable[[], AbstractContextManager[None]]],
) -> None:
    project, drop = nobody
    outside = project.root.with_name("outside")
    project.pipeline.rename(outside)
    project.pipeline.symlink_to(outside)
    (outside / "reports").chmod(0o000)

    with drop():
        assert doctor_facts.tree(project).closed == ()


def test_what_belongs_to_another_user_is_taken_over_by_root(
    nobody: tuple[Project, Callable[[], AbstractContextManager[None]]],
) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root gives files away")
    project, drop = nobody
    state = project.pipeline / "state.yaml"
    os.chown(state, 0, 0)
    state.chmod(0o600)

    with drop():
        (found,) = doctor.permissions(doctor_facts.tree(project))

    assert found.commands == (f'sudo chown "$(id -un)" {state}',)


def test_a_state_folder_that_cannot_be_written(
    nobody: tuple[Project, Callable[[], AbstractContextManager[None]]],
) -> None:
    project, drop = nobody

    with drop():
        project.state_dir.mkdir(parents=True)
        project.state_dir.chmod(0o555)
        facts = doctor_facts.machine([project])

    assert (facts.state_dir, facts.state_problem) == (os.fspath(project.state_dir), Phrase("permission denied"))
    assert facts.state_remedy is Remedy.OPEN


@pytest.mark.parametrize("place", ["/nowhere/state", "/usr/hypo-compactd", "/etc/a/b", "/proc/hypo-compactd"])
def test_no_folder_above_ours_is_ever_given_away(
    nobody: tuple[Project, Callable[[], AbstractContextManager[None]]], monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    project, drop = nobody
    monkeypatch.setenv("HYPO_COMPACTD_STATE_DIR", place)

    with drop():
        (found,) = doctor.state_dir(doctor_facts.machine([project]))

    assert found.commands in ((), (f'sudo install -d -m 700 -o "$(id -un)" {place}',))


def test_a_file_in_the_place_of_our_folder_is_named_and_left_alone(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "file"
    file.touch()
    monkeypatch.setenv("HYPO_COMPACTD_STATE_DIR", os.fspath(file / "state"))
    (found,) = doctor.state_dir(doctor_facts.machine([project]))

    assert (found.values["path"], found.commands) == (os.fspath(file), ())


@LINUX
@pytest.mark.parametrize(
    ("name", "sysctl", "which"),
    [
        ("max_inotify_watches", "user.max_inotify_watches", "watches"),
        ("max_inotify_instances", "user.max_inotify_instances", "instances"),
    ],
)
def test_limits_that_are_taken_are_named_with_the_command(
    name: str, sysctl: str, which: str, run: Any, project: Project
) -> None:
    with room() as inside:
        inside.limit(name, 0)
        done = subprocess.run(
            [*inside.enter, *PROGRAM, "doctor", project.root], capture_output=True, text=True, check=False
        )

    advised = {"watches": 524288, "instances": 512}[which]
    assert done.returncode == 3, done.stderr
    assert done.stdout.splitlines() == [
        f"{sysctl} is 0, and all of it is taken: no more folders can be watched, so the daemon has to poll",
        f"    sudo sysctl {sysctl}={advised}",
        f"    echo {sysctl}={advised} | {SYSCTL_D}",
    ]


@LINUX
def test_watches_that_are_too_few_for_the_project(run: Any, project: Project) -> None:
    with room() as inside:
        inside.limit("max_inotify_watches", 5)
        done = subprocess.run(
            [*inside.enter, *PROGRAM, "doctor", project.root], capture_output=True, text=True, check=False
        )

    assert done.returncode == 3, done.stderr
    assert done.stdout.startswith("user.max_inotify_watches is 5, the listed projects (1) need ")


@LINUX
def test_asking_for_a_limit_costs_no_descriptor(tmp_path: Path) -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))

    assert inotify.lacking(os.fspath(tmp_path)) == ""
    assert inotify.lacking(os.fspath(tmp_path / "missing")) == ""

    assert len(list(Path("/proc/self/fd").iterdir())) == before
