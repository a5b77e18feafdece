"""The command `projects`, as it is typed."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from hypo_compactd import registry
from hypo_compactd.cli import main
from hypo_compactd.paths import Project


@pytest.fixture(autouse=True)
def _english(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HYPO_COMPACTD_CONFIG_DIR", os.fspath(tmp_path / "config"))
    file = tmp_path / "home" / ".hypo-workflow" / "config.yaml"
    file.parent.mkdir(parents=True)
    file.write_text("output: {language: en}\n", "utf-8")


@pytest.fixture(name="run")
def _run(capsys: pytest.CaptureFixture[str]) -> Any:
    def run(*arguments: str | Path) -> tuple[int, str, str]:
        capsys.readouterr()
        code = main(["projects", *(os.fspath(one) for one in arguments)])
        return (code, *capsys.readouterr())

    return run


def test_nothing_is_listed_at_first(run: Any) -> None:
    code, out, err = run()

    assert (code, out) == (0, "")
    assert "no project is listed" in err


def test_the_list_says_who_lists_a_project_and_what_is_wrong_with_it(
    run: Any, project: Project, tmp_path: Path
) -> None:
    empty, gone = tmp_path / "empty", tmp_path / "gone"
    empty.mkdir()
    gone.mkdir()
    run("add", project.root, empty, gone)
    gone.rmdir()
    (tmp_path / "home" / ".hypo-workflow" / "projects.yaml").write_text(
        f"projects:\n- path: {project.root}\n- path: /theirs\n- x\n"
    )

    code, out, err = run("list")

    rows = [line.split(maxsplit=1) for line in out.splitlines()]
    assert code == 0
    assert rows == [
        [os.fspath(project.root), "hypo-compactd, Hypo-Workflow"],
        [os.fspath(empty), "hypo-compactd  no .pipeline/"],
        [os.fspath(gone), "hypo-compactd  no such folder"],
        ["/theirs", "Hypo-Workflow  no such folder"],
    ]
    assert "projects.yaml:4: projects[2] has no path; it is left out" in err


def test_the_list_as_data(run: Any, project: Project, tmp_path: Path) -> None:
    run("add", project.root)

    code, out, _ = run("--json")

    assert code == 0
    assert json.loads(out) == {
        "schema": 1,
        "file": os.fspath(tmp_path / "config" / "projects.json"),
        "projects": [
            {"path": os.fspath(project.root), "listed_by": ["hypo-compactd"], "folder": True, "pipeline": True}
        ],
    }


def test_adding_twice_is_fine_and_is_said(run: Any, project: Project) -> None:
    assert run("add", project.pipeline)[:2] == (0, f"{project.root}: added to the list\n")
    assert run("add", project.root)[:2] == (0, f"{project.root}: on the list already\n")
    assert registry.registered() == (project.root,)


def test_without_a_folder_the_nearest_project_upwards_is_meant(
    run: Any, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project.pipeline / "reports")

    assert run("add")[0] == 0
    assert registry.registered() == (project.root,)
    assert run("remove")[0] == 0
    assert registry.registered() == ()


def test_a_folder_that_is_missing_keeps_no_other_from_being_added(run: Any, project: Project, tmp_path: Path) -> None:
    code, _, err = run("add", tmp_path / "missing", project.root)

    assert code == 65
    assert "no such folder" in err
    assert registry.registered() == (project.root,)


def test_one_without_a_pipeline_is_added_with_a_word(run: Any, tmp_path: Path) -> None:
    code, _, err = run("add", tmp_path)

    assert code == 0
    assert "no .pipeline/ in it yet" in err


def test_what_is_gone_from_the_disk_can_be_removed(run: Any, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    run("add", gone)
    gone.rmdir()

    assert run("remove", gone)[:2] == (0, f"{gone}: removed from the list\n")
    assert run("remove", gone)[0] == 65


def test_what_hypo_workflow_lists_is_not_ours_to_remove(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "home" / ".hypo-workflow" / "projects.yaml"
    file.write_text("projects:\n- path: /theirs\n")

    code, out, err = run("remove", "/theirs")

    assert (code, out) == (65, "")
    assert "Hypo-Workflow lists it" in err
    assert file.read_text() == "projects:\n- path: /theirs\n"


def test_changes_as_data(run: Any, project: Project) -> None:
    listed = {"path": os.fspath(project.root)}

    assert json.loads(run("add", project.root, "--json")[1])["projects"] == [listed | {"changed": True}]
    assert json.loads(run("add", project.root, "--json")[1])["projects"] == [listed | {"changed": False}]
    assert json.loads(run("remove", project.root, "--json")[1])["projects"] == [listed | {"changed": True}]


def test_a_list_that_is_broken_is_bad_configuration(run: Any, tmp_path: Path) -> None:
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "projects.json").write_text("{")

    for arguments in ((), ("add", tmp_path), ("remove", tmp_path)):
        code, out, err = run(*arguments)
        assert (code, out) == (78, "")
        assert "projects.json:1: not JSON" in err


def test_an_option_may_stand_between_the_folders(run: Any, project: Project, tmp_path: Path) -> None:
    code, out, _ = run("add", "--json", project.root, "--json", tmp_path)

    assert code == 0
    assert [one["path"] for one in json.loads(out)["projects"]] == [os.fspath(project.root), os.fspath(tmp_path)]


def test_list_takes_no_folder(run: Any) -> None:
    assert run("list", "a")[0] == 64


@pytest.mark.skipif(sys.platform == "darwin", reason="macOS has no names that are not UTF-8")
def test_a_name_that_could_move_the_cursor_is_shown_as_its_codes_and_given_exactly_as_data(
    run: Any, tmp_path: Path
) -> None:
    odd = tmp_path / os.fsdecode(b"a\x1b[2J\xff")
    odd.mkdir()

    _, out, _ = run("add", odd)

    assert "a\\x1b[2J\\xdcff" in out
    assert "\x1b" not in run("list")[1]
    assert json.loads(run("list", "--json")[1])["projects"][0]["path"] == os.fspath(odd)
