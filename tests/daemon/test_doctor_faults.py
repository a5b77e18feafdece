"""The command `doctor` with real faults: what is gathered, and that what it advises mends them."""

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
from pathlib import Path
from typing import Any

import pytest

from example import milestone
from hypo_compactd import inotify, mounts, registry
from hypo_compactd.cli import main
from hypo_compactd.doctor import checks, gather, user
from hypo_compactd.doctor import project as of_project
from hypo_compactd.doctor.facts import OwnFolder, Remedy
from hypo_compactd.paths import Project, find_project
from hypo_compactd.service import systemd_unit
from hypo_strategies.text.phrase import Phrase
from support.daemon_process import PROGRAM, DaemonProcess
from support.room import room

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="inotify is Linux's")


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

    names = [*checks.MACHINE_CHECKS, *(f"{name} ({project.root})" for name in checks.TREE_CHECKS)]
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


def take_advice(out: str) -> None:
    """Type every command that is advised."""
    for line in out.splitlines():
        if line.startswith("    "):
            typed = line.strip().replace("hypo-compactd", shlex.join(PROGRAM), 1)
            subprocess.run(typed, shell=True, check=True, stdout=subprocess.DEVNULL)  # noqa: S602 - as it is pasted


@pytest.mark.parametrize("place", [".gitignore", ".pipeline/.gitignore"])
def test_a_rule_that_takes_views_back_is_named_and_once_the_advice_is_taken_all_is_well(
    place: str, run: Any, project: Project
) -> None:
    in_git(project.root, "init", "-q")
    (project.root / ".gitignore").write_text("*.compact.*\n")
    with (project.root / place).open("a") as stream:
        stream.write("# mine\n!state.compact.*")
    line = 3 if place == ".gitignore" else 2

    code, out, _ = run(project.root)

    assert code == 3
    assert out.startswith(
        f"{project.root}: git does not ignore .pipeline/state.compact.yaml, since "
        f"{project.root}/{place}:{line} (!state.compact.*) takes them back: "
    )
    take_advice(out)
    assert run(project.root) == (0, "", "")


def test_a_gitignore_that_git_does_not_read_is_not_sent_to_init(run: Any, project: Project) -> None:
    in_git(project.root, "init", "-q")
    (project.root / ".gitignore").unlink(missing_ok=True)
    (project.root / ".gitignore").symlink_to("other")

    code, out, _ = run(project.root)

    assert code == 3
    assert out == (
        f"{project.root}/.gitignore: is a symbolic link, which git does not follow; "
        "put the line *.compact.* there yourself\n"
    )


def test_a_repository_of_another_user(run: Any, project: Project, world: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root gives files away")
    in_git(project.root, "init", "-q")
    (project.root / ".gitignore").write_text("*.compact.*\n")
    for path in (project.root, project.root / ".git"):
        os.chown(path, 65534, 65534)

    code, out, _ = run(project.root)

    assert code == 3
    assert out == (
        f"{project.root}: the repository belongs to another user, so git does not look into it; if you trust it, say so\n"
        f"    git config --global --add safe.directory {project.root}\n"
    )
    take_advice(out)
    assert run(project.root) == (0, "", "")


@pytest.mark.parametrize("kind", ["folder", "fifo", "link", "dangling link", "file for a folder"])
def test_what_is_in_the_place_of_a_view_is_named_and_goes_where_it_does_no_harm(
    kind: str, run: Any, project: Project
) -> None:
    place = project.pipeline / "state.compact.yaml"
    place.unlink(missing_ok=True)
    if kind == "folder":
        place.mkdir()
        (place / "mine").touch()
    elif kind == "fifo":
        os.mkfifo(place)
    elif kind == "file for a folder":
        place = project.pipeline / "knowledge"
        shutil.rmtree(place)
        place.write_text("mine")
    else:
        place.symlink_to("state.yaml" if kind == "link" else "nothing")

    code, out, _ = run(project.root)

    assert code == 3
    said = {"folder": "a folder", "fifo": "a FIFO", "file for a folder": "a file"}.get(kind, "a symbolic link")
    assert out.startswith(f"{place}: is {said} where a {'folder' if 'for a' in kind else 'view'} belongs: ")
    take_advice(out)
    assert run(project.root) == (0, "", "")
    assert (place.with_name(f"{place.name}.moved")).exists() == (said in {"a folder", "a file"})
    assert (project.pipeline / "state.yaml").exists()


def test_a_configuration_and_lists_that_are_no_files(run: Any, project: Project, world: Path, tmp_path: Path) -> None:
    own, shared = project.pipeline / "config.yaml", world / ".hypo-workflow" / "config.yaml"
    ours, theirs = tmp_path / "config" / "projects.json", world / ".hypo-workflow" / "projects.yaml"
    own.unlink()
    own.symlink_to(shared)
    ours.mkdir(parents=True)
    os.mkfifo(theirs)

    code, out, _ = run("--json", project.root)

    found = {
        one["check"]: [command for finding in one["findings"] for command in finding["commands"]]
        for one in json.loads(out)["checks"]
        if one["findings"]
    }
    assert code == 3
    assert found == {"projects": [f"mv {ours} {ours}.moved", f"rm {theirs}"], "configuration": [f"rm {own}"]}
    take_advice(f"    rm {own}\n    mv {ours} {ours}.moved\n    rm {theirs}")
    assert run(project.root) == (0, "", "")


def test_a_global_configuration_that_is_broken_is_named_once(run: Any, project: Project, world: Path) -> None:
    shared = world / ".hypo-workflow" / "config.yaml"
    shared.write_text("compact: [", "utf-8")

    code, out, _ = run("--json", project.root)

    (found,) = [one for one in json.loads(out)["checks"] if one["findings"]]
    assert code == 3
    assert (found["check"], found["project"]) == ("global configuration", None)
    assert found["findings"][0]["message"].startswith("~/.hypo-workflow/config.yaml:2:1: ")
    assert found["findings"][0]["commands"] == [f"${{EDITOR:-vi}} {shared}"]


def test_a_list_of_a_newer_version_is_not_to_be_edited(run: Any, project: Project, tmp_path: Path) -> None:
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "projects.json").write_text('{"schema": 99, "projects": []}')

    code, out, _ = run(project.root)

    assert code == 3
    assert "is a newer version's" in out
    assert "    " not in out


def test_as_data(run: Any, project: Project) -> None:
    (project.pipeline / "config.yaml").write_text("compact: {log_recent: none}\noutput: {language: en}\n", "utf-8")

    code, out, _ = run("--json", project.root)
    data = json.loads(out)

    assert code == 3
    assert data["schema"] == 1
    assert [one["check"] for one in data["checks"]] == [*checks.MACHINE_CHECKS, *checks.TREE_CHECKS]
    (found,) = [one for one in data["checks"] if one["findings"]]
    assert (found["check"], found["project"]) == ("configuration", os.fspath(project.root))
    assert found["findings"] == [{"message": found["findings"][0]["message"], "commands": []}]
    assert "config.yaml:1: compact.log_recent" in found["findings"][0]["message"]


def test_a_configuration_that_is_broken_is_a_finding_and_no_end(run: Any, project: Project) -> None:
    (project.pipeline / "config.yaml").write_text("compact: [", "utf-8")

    code, out, _ = run(project.root)

    assert code == 3
    assert ".pipeline/config.yaml:2:1: " in out
    assert out.endswith(f"\n    ${{EDITOR:-vi}} {project.pipeline}/config.yaml\n")


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
    assert out.endswith(f"\n    ${{EDITOR:-vi}} {tmp_path}/config/projects.json\n")


@pytest.fixture(name="unit")
def _unit(world: Path, tmp_path: Path) -> Path:
    """The service as `service install` puts it; systemd says what `says` has written."""
    unit = world / ".config" / "systemd" / "user" / "hypo-compactd.service"
    unit.parent.mkdir(parents=True)
    unit.write_text(systemd_unit(sys.executable))
    systemctl = tmp_path / "tools" / "systemctl"
    systemctl.write_text('#!/bin/sh\n[ "$1 $2 $3" = "--user show hypo-compactd.service" ] && cat "${0%/*}/said"\n')
    systemctl.chmod(0o755)
    says(unit, "active", "enabled")
    return unit


def says(unit: Path, active: str, enabled: str) -> None:
    tools = unit.parents[4] / "tools"
    (tools / "said").write_text(f"ActiveState={active}\nUnitFileState={enabled}\n")


def test_a_service_whose_python_is_gone(run: Any, project: Project, unit: Path, tmp_path: Path) -> None:
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


def test_a_service_that_fails_while_a_daemon_in_a_terminal_runs(run: Any, project: Project, unit: Path) -> None:
    registry.add(project.root)
    with DaemonProcess(project.root) as daemon:
        daemon.wait_for("ready")
        for active, enabled, said in (
            ("failed", "enabled", "the service has failed; it has not started the daemon"),
            ("inactive", "disabled", "the service is not enabled"),
        ):
            says(unit, active, enabled)
            code, out, _ = run(project.root)

            assert code == 3
            assert said in out
            assert f"    kill {daemon.process.pid}\n    hypo-compactd service install\n" in out
        says(unit, "inactive", "enabled")
        assert run(project.root) == (0, "", "")


def test_a_unit_of_another_version_is_named_until_it_is_what_show_gives(run: Any, project: Project, unit: Path) -> None:
    unit.write_text(systemd_unit(sys.executable).replace("RestartSec=2", "RestartSec=7"))

    code, out, _ = run(project.root)

    assert code == 3
    assert out == (
        f"{unit}: it is not what hypo-compactd service show gives: an older version has written it, or it was changed\n"
        "    hypo-compactd service install\n"
    )
    unit.write_bytes(subprocess.run([*PROGRAM, "service", "show"], capture_output=True, check=True).stdout)
    assert run(project.root) == (0, "", "")


@pytest.mark.parametrize("told", ["", "ActiveState=inactive\n", "x"])
def test_where_systemd_says_nothing_of_the_unit_nothing_is_concluded(
    told: str, run: Any, project: Project, unit: Path
) -> None:
    (unit.parents[4] / "tools" / "said").write_text(told)

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
    gather.machine([project])
    gather.tree(project)
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
        found = of_project.permissions(gather.tree(project))
        assert [one.commands for one in found] == [(f"{command} {path}",)]
        words = shlex.split(found[0].commands[0])
        subprocess.run(words, check=True)
        assert of_project.permissions(gather.tree(project)) == []


@pytest.mark.parametrize(
    ("place", "mode", "check", "closed"),
    [
        ("tide/.pipeline/config.yaml", 0o000, "configuration", "tide/.pipeline/config.yaml"),
        ("home/.hypo-workflow/config.yaml", 0o000, "global configuration", "home/.hypo-workflow/config.yaml"),
        ("config/projects.json", 0o000, "projects", "config/projects.json"),
        ("config", 0o000, "list folder", "config"),
        ("config", 0o555, "list folder", "config"),
        ("home/.hypo-workflow/projects.yaml", 0o000, "projects", "home/.hypo-workflow/projects.yaml"),
    ],
)
def test_a_configuration_or_a_list_that_is_closed_is_named_with_what_opens_it(
    place: str,
    mode: int,
    check: str,
    closed: str,
    nobody: tuple[Project, Callable[[], AbstractContextManager[None]]],
) -> None:
    project, drop = nobody
    base = project.root.parent
    for file, text in {
        "home/.hypo-workflow/config.yaml": "output: {language: en}\n",
        "home/.hypo-workflow/projects.yaml": "projects: []\n",
        "config/projects.json": '{"schema": 1, "projects": []}',
    }.items():
        (base / file).parent.mkdir(parents=True, exist_ok=True)
        (base / file).write_text(text)
    for path in (*(base / "home").rglob("*"), base / "home", *(base / "config").rglob("*"), base / "config"):
        os.chown(path, project.root.stat().st_uid, project.root.stat().st_gid)

    def found() -> dict[str, tuple[str, ...]]:
        # gawk and limits are the machine's own affair
        names = {"list folder", "projects", "global configuration", "configuration", "permissions", "state folder"}
        done = checks.examine(*gather.gathered([project]))
        return {one.check: one.hindrances[0].commands for one in done if one.hindrances and one.check in names}

    (base / place).chmod(mode)
    with drop():
        (advice,) = found().items()
        path = base / closed
        assert advice == (check, (f"chmod {'u+rwx' if path.is_dir() else 'u+r'} {path}",))
        subprocess.run(shlex.split(advice[1][0]), check=True)
        assert found() == {}


def test_a_closed_folder_of_the_user_s_above_ours_is_the_one_to_open(
    nobody: tuple[Project, Callable[[], AbstractContextManager[None]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    project, drop = nobody
    above = project.root.with_name("above")
    monkeypatch.setenv("HYPO_COMPACTD_CONFIG_DIR", os.fspath(above / "config" / "hypo-compactd"))

    with drop():
        above.mkdir(mode=0o555)
        assert gather.machine([project]).list_folder == OwnFolder(
            os.fspath(above), Phrase("permission denied"), Remedy.OPEN
        )


@pytest.mark.parametrize("name", ["hypo-compactd", "any"])
def test_only_what_is_ours_for_certain_is_taken_from_another_user(
    name: str, nobody: tuple[Project, Callable[[], AbstractContextManager[None]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root gives files away")
    project, drop = nobody
    folder = project.root.with_name(name)
    folder.mkdir()
    monkeypatch.setenv("HYPO_COMPACTD_CONFIG_DIR", os.fspath(folder))

    with drop():
        (found,) = user.list_folder(gather.machine([project]))

    assert found.commands == ((f'sudo chown -R "$(id -un)" {folder}',) if name == "hypo-compactd" else ())


def test_what_a_link_leads_to_outside_is_not_named(
    nobody: tuple[Project, Callable[[], AbstractContextManager[None]]],
) -> None:
    project, drop = nobody
    outside = project.root.with_name("outside")
    project.pipeline.rename(outside)
    project.pipeline.symlink_to(outside)
    (outside / "reports").chmod(0o000)

    with drop():
        assert gather.tree(project).closed == ()


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
        (found,) = of_project.permissions(gather.tree(project))

    assert found.commands == (f'sudo chown "$(id -un)" {state}',)


def test_a_state_folder_that_cannot_be_written(
    nobody: tuple[Project, Callable[[], AbstractContextManager[None]]],
) -> None:
    project, drop = nobody

    with drop():
        project.state_dir.mkdir(parents=True)
        project.state_dir.chmod(0o555)
        facts = gather.machine([project])

    assert facts.state_folder == OwnFolder(os.fspath(project.state_dir), Phrase("permission denied"), Remedy.OPEN)


@pytest.mark.parametrize("place", ["/nowhere/state", "/usr/hypo-compactd", "/etc/a/b", "/proc/hypo-compactd"])
def test_no_folder_above_ours_is_ever_given_away(
    nobody: tuple[Project, Callable[[], AbstractContextManager[None]]], monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    project, drop = nobody
    monkeypatch.setenv("HYPO_COMPACTD_STATE_DIR", place)

    with drop():
        (found,) = user.state_folder(gather.machine([project]))

    assert found.commands in ((), (f'sudo install -d -m 700 -o "$(id -un)" {place}',))


def test_a_file_in_the_place_of_our_folder_is_named_and_left_alone(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "file"
    file.touch()
    monkeypatch.setenv("HYPO_COMPACTD_STATE_DIR", os.fspath(file / "state"))
    (found,) = user.state_folder(gather.machine([project]))

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
        f"    echo {sysctl}={advised} | sudo tee /etc/sysctl.d/60-{sysctl}.conf",
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
