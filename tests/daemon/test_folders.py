from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from hypo_compactd import config as configuration
from hypo_compactd import folders
from hypo_compactd.config import Config
from hypo_compactd.folders import Interest, interest_of
from hypo_compactd.paths import Project, global_configuration
from hypo_compactd.reader import Layout
from support.views import TARGETS


def interest(project: Project) -> Interest:
    return interest_of(project, configuration.load(project.root, {}))


def below(project: Project, found: Interest) -> set[str]:
    return {
        os.path.relpath(folder, project.root) for folder in found.folders if Path(folder).is_relative_to(project.root)
    }


def test_every_folder_that_holds_a_source_is_watched(project: Project) -> None:
    assert below(project, interest(project)) == {
        ".",
        ".pipeline",
        ".pipeline/archives",
        ".pipeline/archives/C1-signature-planner",
        ".pipeline/archives/C2-cover-and-spine",
        ".pipeline/knowledge",
        ".pipeline/knowledge/index",
        ".pipeline/knowledge/records",
        ".pipeline/patches",
        ".pipeline/reports",
    }


def test_the_folder_of_the_global_configuration_is_watched_where_it_exists(project: Project) -> None:
    folder = global_configuration().parent
    assert os.fspath(folder) not in interest(project).folders

    folder.mkdir(parents=True)
    assert os.fspath(folder) in interest(project).folders


def test_nested_reports_are_watched_and_nested_archives_are_not(project: Project) -> None:
    (project.pipeline / "reports/deep/er").mkdir(parents=True)
    (project.pipeline / "archives/C1-signature-planner/deep").mkdir()
    watched = below(project, interest(project))

    assert {".pipeline/reports/deep", ".pipeline/reports/deep/er"} <= watched
    assert ".pipeline/archives/C1-signature-planner/deep" not in watched


def test_only_what_exists_is_watched(tmp_path: Path) -> None:
    project = Project(tmp_path, tmp_path)

    assert interest_of(project, Config()).folders == (os.fspath(tmp_path),)


def test_moved_sources_are_watched_where_they_are(project: Project) -> None:
    for name in ("docs/r/deep", "docs/kb/records", "state"):
        (project.root / name).mkdir(parents=True)
    config = Config(layout=Layout((("reports", "docs/r"), ("knowledge", "docs/kb"), ("state.yaml", "state/s.yaml"))))
    watched = below(project, interest_of(project, config))

    assert {"docs/r", "docs/r/deep", "docs/kb", "docs/kb/records", "state"} <= watched
    assert ".pipeline/reports" not in watched


@pytest.mark.parametrize("linked", [".pipeline", ".pipeline/reports"])
def test_a_folder_behind_a_link_inside_the_project_is_watched_by_its_real_path(project: Project, linked: str) -> None:
    shutil.move(project.root / linked, project.root / "real")
    (project.root / linked).symlink_to(project.root / "real")
    found = interest(project)

    assert os.fspath(project.root / "real") in found.folders
    assert os.fspath(project.root / linked) not in found.folders
    assert {os.path.realpath(folder) for folder in found.folders} == set(found.folders)
    if linked == ".pipeline":
        assert os.fspath(project.root / "real/state.compact.yaml") in found.outputs


@pytest.mark.parametrize("linked", [".pipeline", ".pipeline/reports", ".pipeline/knowledge"])
def test_nothing_outside_the_project_is_watched(project: Project, tmp_path: Path, linked: str) -> None:
    shutil.move(project.root / linked, tmp_path / "theirs")
    (project.root / linked).symlink_to(tmp_path / "theirs")

    found = interest_of(project, Config())

    assert not any("theirs" in os.path.realpath(folder) for folder in found.folders)


def test_a_link_below_the_reports_leads_the_watch_nowhere(project: Project) -> None:
    (project.pipeline / "reports/up").symlink_to("..")

    assert not any("up" in folder for folder in below(project, interest(project)))


def test_a_tree_of_many_folders_is_watched_to_a_limit(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders, "FOLDER_LIMIT", 20)
    for number in range(30):
        (project.pipeline / f"reports/r{number}/deep").mkdir(parents=True)
    found = interest(project)

    assert len(found.folders) == 20
    assert {".", ".pipeline", ".pipeline/patches", ".pipeline/knowledge/records"} <= below(project, found)


def test_beyond_the_limit_the_folders_that_were_changed_last_are_watched(project: Project) -> None:
    for number in range(100):
        folder = project.pipeline / f"archives/C{number}"
        folder.mkdir(exist_ok=True)
        os.utime(folder, (number, number))
    watched = below(project, interest(project))

    assert {".pipeline/archives/C99", ".pipeline/archives/C90", ".pipeline/knowledge/records"} <= watched
    assert ".pipeline/archives/C9" not in watched


def test_a_folder_that_may_not_be_looked_into_is_left_to_the_sweep(unprivileged: Any) -> None:
    folder, as_user = unprivileged
    (folder / ".pipeline/reports").mkdir(parents=True)
    (folder / ".pipeline").chmod(0o000)

    with as_user():
        assert os.fspath(folder) in interest_of(Project(folder, folder), Config()).folders


def test_the_views_are_the_outputs(project: Project) -> None:
    assert interest(project).outputs == {os.fspath(project.pipeline / place) for place in TARGETS.values()}


@pytest.mark.parametrize(
    ("path", "matters"),
    [
        (".pipeline/state.yaml", True),
        (".pipeline/config.yaml", True),
        (".pipeline/reports/09-x.report.md", True),
        (".pipeline/reports/deep", True),
        (".pipeline", True),
        (".pipeline/state.yaml~", False),
        (".pipeline/.state.yaml.swp", False),
        (".pipeline/state.yaml.tmp.4711.0badcafe", False),
        (".pipeline/state.yaml.tmp-4711-1712345678901-0", False),
        (".pipeline/.hypo-compactd-1-ab.tmp", False),
        (".pipeline/.lock", False),
        (".pipeline/reports/metrics.compact.yaml", False),
        ("README.md", False),
        ("src", False),
        (".git", False),
    ],
)
def test_what_cannot_change_a_view_does_not_matter(project: Project, path: str, matters: bool) -> None:  # noqa: FBT001 - a row of a table
    assert interest(project).matters(os.fspath(project.root / path)) == matters


def test_of_the_global_folder_only_the_configuration_matters(project: Project) -> None:
    found = interest(project)

    assert found.matters(os.fspath(global_configuration()))
    assert not found.matters(os.fspath(global_configuration().with_name("projects.yaml")))


def test_of_the_project_s_own_folder_moved_sources_matter_too(project: Project) -> None:
    config = Config(layout=Layout((("knowledge", "kb"), ("reports", "docs"), ("state.yaml", "state.yaml"))))
    found = interest_of(project, config)

    for name in ("kb", "docs", "state.yaml", ".pipeline"):
        assert found.matters(os.fspath(project.root / name)), name
    assert not found.matters(os.fspath(project.root / "src"))
