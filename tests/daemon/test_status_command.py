"""`hypo-compactd status` as it is called: which projects, which exit code, and that it changes nothing."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hypo_compactd import registry
from hypo_compactd.errors import ExitCode
from hypo_compactd.lock import writer_lock
from hypo_compactd.paths import Project, state_dir
from support.status_runs import ENGLISH, run, set_config
from support.views import TARGETS


@pytest.fixture(name="fresh")
def _fresh(project: Project) -> Project:
    """A project whose views are all current."""
    assert run("compact", "-q", project.root).code == 0
    return project


def everything(*folders: Path) -> dict[str, tuple[int, int, bytes]]:
    """Return every file below folders, with its mtime, inode and bytes."""
    return {
        os.fspath(path): (path.stat().st_mtime_ns, path.stat().st_ino, path.read_bytes())
        for folder in folders
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_nothing_is_written_by_looking(project: Project, fresh: Project) -> None:
    for stale in (False, True):
        if stale:
            (project.pipeline / "state.yaml").unlink()
        before = everything(project.root, state_dir())
        run("status", project.root)
        run("status", "--json", project.root)

        assert everything(project.root, state_dir()) == before


def test_a_project_of_which_nothing_is_known_gets_no_folder_of_ours(project: Project) -> None:
    run("status", project.root)

    assert not state_dir().exists()


def test_no_lock_is_needed(fresh: Project) -> None:
    with writer_lock(fresh):
        assert run("status", fresh.root).code == 0


def test_several_projects_are_told_of_in_order_and_each_only_once(fresh: Project, tmp_path: Path) -> None:
    shutil.copytree(fresh.root, tmp_path / "other", ignore=shutil.ignore_patterns("*.compact.*"))
    (tmp_path / "link").symlink_to(fresh.root)
    found = run("status", "--json", tmp_path / "link", tmp_path / "other", fresh.root, fresh.pipeline)
    projects = json.loads(found.out)["projects"]

    assert found.code == ExitCode.STALE
    assert [one["project"] for one in projects] == [os.fspath(tmp_path / "link"), os.fspath(tmp_path / "other")]
    assert projects[0]["root"] == os.fspath(fresh.root)
    assert [one["fresh"] for one in projects] == [True, False]


def test_without_a_name_the_project_is_the_nearest_one_upwards(fresh: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(fresh.pipeline / "reports")

    assert run("status").code == 0
    assert run("status", "--json").project["project"] == os.fspath(fresh.root)


@pytest.mark.usefixtures("english_user")
def test_no_project_is_bad_input_with_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    missing = run("status", "--json")

    assert (missing.code, missing.out) == (ExitCode.BAD_INPUT, "")
    assert "; name the project" in missing.err
    assert missing.err.endswith("; or give --all for every registered project\n")


# Every registered project


@pytest.fixture(name="listed")
def _listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The list of projects: there is none yet, and we are in no project."""
    monkeypatch.setenv("HYPO_COMPACTD_CONFIG_DIR", os.fspath(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)
    return registry.file()


def test_all_are_the_registered_ones_beside_those_that_are_named(fresh: Project, listed: Path, tmp_path: Path) -> None:
    other = shutil.copytree(fresh.root, tmp_path / "other")
    registry.add(fresh.root)
    registry.add(other)
    assert listed.is_file()
    named = run("status", "--all", "--json", tmp_path / "gone", other)

    assert [one["root"] for one in json.loads(run("status", "--all", "--json").out)["projects"]] == [
        os.fspath(fresh.root),
        os.fspath(other),
    ]
    assert named.code == ExitCode.BAD_INPUT
    assert [one["root"] for one in json.loads(named.out)["projects"]] == [
        os.fspath(tmp_path / "gone"),
        os.fspath(other),
        os.fspath(fresh.root),
    ]


def test_a_registered_project_that_is_gone_is_said_to_be_so(fresh: Project, listed: Path) -> None:
    registry.add(fresh.root)
    shutil.rmtree(fresh.root)
    gone = run("status", "--all", "--json")

    assert listed.is_file()
    assert gone.code == ExitCode.BAD_INPUT
    assert "no such folder" in gone.project["reason"]


@pytest.mark.usefixtures("english_user")
@pytest.mark.parametrize("options", [(), ("--json",)])
def test_that_no_project_is_registered_is_said_and_is_no_error(listed: Path, options: tuple[str, ...]) -> None:
    none = run("status", "--all", *options)

    assert not listed.exists()
    assert none.code == 0
    assert none.err == "hypo-compactd: no project is registered; hypo-compactd init PROJECT registers one\n"
    assert none.out == ('{"schema": 1, "tokens": "estimate", "projects": []}\n' if options else "")


@pytest.mark.usefixtures("english_user")
def test_what_is_wrong_with_hypo_workflow_s_list_is_said_and_costs_no_other_project(
    fresh: Project, listed: Path, tmp_path: Path
) -> None:
    registry.add(fresh.root)
    (tmp_path / "home/.hypo-workflow/projects.yaml").write_text("projects:\n  - name: tide\n")
    found = run("status", "--all", "--json")

    assert listed.is_file()
    assert found.code == 0
    assert found.project["root"] == os.fspath(fresh.root)
    assert found.err == "hypo-compactd: ~/.hypo-workflow/projects.yaml:2: projects[0] has no path; it is left out\n"


@pytest.mark.usefixtures("english_user")
def test_a_list_of_projects_that_cannot_be_read_is_bad_configuration(listed: Path) -> None:
    listed.parent.mkdir()
    listed.write_text("{")
    broken = run("status", "--all")

    assert (broken.code, broken.out) == (ExitCode.BAD_CONFIGURATION, "")
    assert broken.err.startswith(f"hypo-compactd: {listed}:1: ")


# What cannot be read


@pytest.mark.usefixtures("english_user")
@pytest.mark.parametrize("kind", ["nothing", "no pipeline", "empty", "file", "link"])
def test_a_project_that_cannot_be_read_is_code_65_and_costs_no_other(fresh: Project, tmp_path: Path, kind: str) -> None:
    bad = tmp_path / "bad"
    if kind in {"no pipeline", "empty", "link"}:
        bad.mkdir()
    if kind == "link":
        (bad / ".pipeline").symlink_to(fresh.pipeline)
    if kind == "empty":
        (bad / ".pipeline").mkdir()
    if kind == "file":
        bad.touch()
    found = run("status", "--json", bad, fresh.root)
    first, second = json.loads(found.out)["projects"]

    assert found.code == ExitCode.BAD_INPUT
    assert (first["fresh"], first["views"], first["state"]) == (False, [], "none")
    assert first["reason"].startswith(os.fspath(bad))
    assert "no daemon" not in first["reason"]
    assert second["fresh"] is True

    shown = run("status", bad, fresh.root)
    assert (shown.code, shown.err) == (ExitCode.BAD_INPUT, "")
    assert first["reason"] in shown.out


def test_a_configuration_that_cannot_be_read_is_code_78_with_its_place(fresh: Project) -> None:
    set_config(fresh, "compact: [\n")
    broken = run("status", "--json", fresh.root)

    assert broken.code == ExitCode.BAD_CONFIGURATION
    assert broken.project["reason"].startswith(".pipeline/config.yaml:2:1: ")
    assert (broken.project["views"], broken.project["fresh"]) == ([], False)


def test_values_of_the_configuration_that_cannot_be_used_are_said_on_stderr(fresh: Project) -> None:
    set_config(fresh, ENGLISH + "compact: {log_recent: none}\n")
    run("compact", "-q", fresh.root)
    found = run("status", "--json", fresh.root)

    assert found.err.startswith(f"hypo-compactd: {fresh.root}: .pipeline/config.yaml:2: compact.log_recent: ")
    assert found.project["fresh"] is True


@pytest.mark.parametrize(
    "arguments",
    [
        ("--nonsense",),
        ("--json=1",),
        ("--view", "log"),
        ("--watch", "--json"),
        ("--watch", "--interval", "0"),
        ("--watch", "--interval", "nan"),
        ("--interval", "soon"),
    ],
)
def test_wrong_usage_is_code_64(arguments: tuple[str, ...]) -> None:
    wrong = run("status", *arguments)

    assert (wrong.code, wrong.out) == (ExitCode.USAGE, "")
    assert wrong.err.startswith("usage: hypo-compactd")


def test_a_closed_stdout_is_no_error(fresh: Project) -> None:
    line = f'"{sys.executable}" -m hypo_compactd status "{fresh.root}" >&- 2>&-'

    assert subprocess.run(["/bin/sh", "-c", line], check=False).returncode == 0


def test_the_start_of_other_commands_does_not_pay_for_this_one() -> None:
    code = "import sys, hypo_compactd.cli; print([one for one in sys.modules if one.startswith('hypo_')])"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout

    assert "overview" not in loaded
    assert "hypo_compactd.status" not in loaded


def test_a_program_that_asks_for_json_does_not_wait_for_the_screen(fresh: Project) -> None:
    code = "import sys; from hypo_compactd.cli import main; main(sys.argv[1:]); sys.exit('rich' in sys.modules)"
    line = [sys.executable, "-c", code, "status", "--json", os.fspath(fresh.root)]

    assert subprocess.run(line, check=False, capture_output=True).returncode == 0


def test_the_worst_code_is_the_largest(fresh: Project, tmp_path: Path) -> None:
    unreadable = shutil.copytree(fresh.root, tmp_path / "unreadable")
    (unreadable / ".pipeline/config.yaml").write_text("compact: [\n")
    (fresh.pipeline / TARGETS["log"]).unlink()

    assert run("status", fresh.root).code == ExitCode.STALE
    assert run("status", tmp_path / "missing", fresh.root).code == ExitCode.BAD_INPUT
    assert run("status", unreadable, tmp_path / "missing", fresh.root).code == ExitCode.BAD_CONFIGURATION
