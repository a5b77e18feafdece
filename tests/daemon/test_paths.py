from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import platformdirs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypo_compactd import registry
from hypo_compactd.errors import InputError
from hypo_compactd.paths import Project, _plain, find_project, global_configuration, state_dir


@pytest.mark.parametrize("given", ["", ".pipeline", ".pipeline/", "../project", "docs/.."])
def test_a_project_is_named_by_its_folder_or_by_its_pipeline(project: Project, given: str) -> None:
    (project.root / "docs").mkdir()

    assert find_project(os.fspath(project.root / given) + "/" * given.endswith("/")).root == project.root


@pytest.mark.parametrize("given", [".", ".pipeline", "./.pipeline/"])
def test_a_project_is_named_relative_to_the_working_directory(
    project: Project, given: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project.root)

    assert find_project(given).root == project.root


@pytest.mark.parametrize("below", [".", ".pipeline", ".pipeline/reports", "src/deep/er"])
def test_without_a_name_it_is_the_nearest_one_upwards(
    project: Project, below: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project.root / "src/deep/er").mkdir(parents=True)
    monkeypatch.chdir(project.root / below)

    assert find_project(None).root == project.root


def test_a_pipeline_inside_a_pipeline_is_a_project_of_its_own(project: Project) -> None:
    (project.pipeline / ".pipeline").mkdir()

    assert find_project(os.fspath(project.pipeline)).root == project.pipeline


def test_a_project_that_is_reached_through_a_link_is_the_same_and_is_shown_as_it_was_named(
    project: Project, tmp_path: Path
) -> None:
    link = tmp_path / "link"
    link.symlink_to(project.root)
    found = find_project(os.fspath(link))

    assert found.shown == link
    assert found.root == project.root
    assert found.state_dir == project.state_dir


def test_a_folder_without_a_pipeline_is_refused_and_the_daemon_waits_for_it(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no \.pipeline/ in it; give the folder that holds"):
        find_project(os.fspath(tmp_path))
    assert find_project(os.fspath(tmp_path), must_exist=False).root == tmp_path
    assert find_project(os.fspath(tmp_path / ".pipeline"), must_exist=False).root == tmp_path


@pytest.mark.parametrize("given", ["missing", "missing/.pipeline", "a-file", "a\0b", "loop", "x" * 5000])
def test_what_is_no_folder_is_refused_with_its_name(
    tmp_path: Path, given: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a-file").touch()
    (tmp_path / "loop").symlink_to("loop")
    monkeypatch.chdir(tmp_path)

    with pytest.raises(InputError, match="no such folder"):
        find_project(given, must_exist=False)


def test_no_project_upwards_is_refused_with_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    with pytest.raises(InputError, match="here or in a folder above; name the project"):
        find_project(None)


def test_a_working_directory_that_was_removed_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()

    with pytest.raises(InputError, match="working directory"):
        find_project(None)


def test_a_folder_that_may_not_be_looked_into_is_refused(unprivileged: Any) -> None:
    folder, as_user = unprivileged
    closed = folder / "closed"
    (closed / "project/.pipeline").mkdir(parents=True)
    closed.chmod(0o000)

    with as_user(), pytest.raises(InputError, match="closed/project"):
        find_project(os.fspath(closed / "project"))


def test_a_name_that_would_move_the_cursor_is_shown_as_its_code() -> None:
    with pytest.raises(InputError, match=r"\\x1b\[2J") as caught:
        find_project("\x1b[2J")
    assert str(caught.value).isprintable()


def test_two_projects_never_share_a_state_folder(tmp_path: Path) -> None:
    names = [
        "a/x",
        "b/x",
        "项目",
        "项-目",
        "",
        "x" * 200,
        "x" * 201,
        "a b",
        "a_b",
        "\udcff",
        "..",
        *(f"{number}/x" for number in range(50)),
    ]
    folders = [Project(tmp_path, Path(os.path.normpath(tmp_path / name))).state_dir for name in names]

    assert len(set(folders)) == len(names)
    for folder in folders:
        assert folder.parent == state_dir() / "projects"
        assert folder.name.isascii()
        assert len(folder.name) <= 60


def test_the_state_folder_is_the_system_s_unless_the_environment_names_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert state_dir() == tmp_path / "state"

    monkeypatch.delenv("HYPO_COMPACTD_STATE_DIR")
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    assert state_dir().is_relative_to(tmp_path / "home")
    assert state_dir().name == "hypo-compactd"


@pytest.mark.parametrize("given", ["state", "./state", "~/state", "../state", " /state", "a\x1b[2J"])
@pytest.mark.parametrize(
    ("variable", "place"), [("HYPO_COMPACTD_STATE_DIR", state_dir), ("HYPO_COMPACTD_CONFIG_DIR", registry.file)]
)
def test_a_folder_of_ours_that_depends_on_the_working_directory_is_refused(
    variable: str, place: Callable[[], Path], given: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, given)

    with pytest.raises(InputError, match=f"{variable}: .* is not an absolute path; give one that begins") as caught:
        place()
    assert str(caught.value).isprintable()


def test_a_folder_of_ours_that_is_named_by_nothing_is_the_system_s(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HYPO_COMPACTD_STATE_DIR", "")
    monkeypatch.setenv("HYPO_COMPACTD_CONFIG_DIR", "")

    assert state_dir().is_relative_to(tmp_path / "home")
    assert registry.file().is_relative_to(tmp_path / "home")


def test_the_global_configuration_is_below_the_home(tmp_path: Path) -> None:
    assert global_configuration() == tmp_path / "home/.hypo-workflow/config.yaml"


@pytest.mark.parametrize("state", [None, "", "/elsewhere", "not/absolute", "/with/slash/"])
def test_the_system_s_place_for_our_own_files_is_that_of_platformdirs(
    state: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HYPO_COMPACTD_STATE_DIR")
    if state is not None:
        monkeypatch.setenv("XDG_STATE_HOME", state)

    assert state_dir() == platformdirs.user_state_path("hypo-compactd", appauthor=False)


@given(st.text(alphabet="/.a ", max_size=12))
def test_a_path_is_named_as_pathlib_names_it(given_path: str) -> None:
    expected = Path(given_path)
    if given_path.startswith("//") and not given_path.startswith("///"):
        expected = Path("/" + given_path)  # two slashes have a meaning of their own in POSIX, which no system uses

    assert _plain(given_path) == os.fspath(expected)
