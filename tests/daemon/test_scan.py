from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypo_compactd.config import Config, load
from hypo_compactd.outcome import Request, State
from hypo_compactd.paths import Project, real_place
from hypo_compactd.reconcile import reconcile
from hypo_compactd.scan import RACY_NS, Scan, changed, interval_s, scan, with_views


def names(project: Project, found: list[str]) -> list[str]:
    return [os.path.relpath(path, project.pipeline) for path in found]


@pytest.fixture(name="before")
def _before(project: Project) -> Scan:
    return scan(project, Config(), ())


def test_nothing_has_changed_between_two_scans_of_the_same_files(project: Project, before: Scan) -> None:
    assert changed(before, scan(project, Config(), ())) == []
    assert len(before.marks) > 20


def make(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("x: 1\n", "utf-8")


@pytest.mark.parametrize(
    "name",
    [
        "log.yaml",
        "reports/new.report.md",
        "knowledge/records/new.yaml",
        "config.yaml",
        "log.compact.yaml",
        "archives/C9",
    ],
)
def test_whatever_a_look_depends_on_is_seen_when_it_appears_or_changes(
    project: Project, before: Scan, name: str
) -> None:
    path = project.pipeline / name
    (path.mkdir if name == "archives/C9" else lambda: make(path))()

    assert name in names(project, changed(before, scan(project, Config(), ())))


def test_what_is_gone_is_seen(project: Project, before: Scan) -> None:
    (project.pipeline / "state.yaml").unlink()

    assert names(project, changed(before, scan(project, Config(), ()))) == ["state.yaml"]


def test_a_change_of_the_same_size_with_its_time_put_back_is_seen(project: Project, before: Scan) -> None:
    path = project.pipeline / "state.yaml"
    status, text = path.stat(), path.read_bytes()
    path.write_bytes(text[:-2] + b"?\n")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))

    assert names(project, changed(before, scan(project, Config(), ()))) == ["state.yaml"]


def test_the_folder_itself_being_another_one_is_seen(project: Project, before: Scan) -> None:
    project.pipeline.rename(project.root / "old")
    project.pipeline.mkdir()

    assert "." in names(project, changed(before, scan(project, Config(), ())))


def test_our_temporary_files_and_what_is_no_source_change_nothing(project: Project, before: Scan) -> None:
    make(project.pipeline / ".hypo-compactd-1-2.tmp")
    make(project.pipeline / "notes.txt")

    assert changed(before, scan(project, Config(), ())) == []


def test_files_to_which_sources_point_belong_to_it(project: Project) -> None:
    make(project.pipeline / "docs" / "old.report.md")
    before = scan(project, Config(), ("docs/old.report.md",))
    (project.pipeline / "docs" / "old.report.md").unlink()

    assert names(project, changed(before, scan(project, Config(), ("docs/old.report.md",)))) == ["docs/old.report.md"]


def test_a_scan_shortly_after_a_change_proves_nothing_and_one_long_after_it_does(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert scan(project, Config(), ()).racy

    later = time.time_ns() + RACY_NS + 1_000_000_000
    monkeypatch.setattr(time, "time_ns", lambda: later)
    assert not scan(project, Config(), ()).racy


def test_views_that_a_look_left_are_no_change_and_views_of_somebody_else_are(project: Project) -> None:
    config = load(project.root)
    before = scan(project, config, ())
    outcome = reconcile(project, config, Request(), {})
    left = {real_place(project.root, view.file): view.signature for view in outcome.views}

    assert len(changed(before, scan(project, config, ()))) == len(outcome.names(State.WRITTEN))
    assert changed(with_views(before, left), scan(project, config, ())) == []

    (project.pipeline / "log.compact.yaml").write_text("mine\n", "utf-8")
    assert names(project, changed(with_views(before, left), scan(project, config, ()))) == ["log.compact.yaml"]
    (project.pipeline / "log.compact.yaml").unlink()
    after = with_views(scan(project, config, ()), left)
    make(project.pipeline / "log.compact.yaml")
    assert names(project, changed(after, scan(project, config, ()))) == ["log.compact.yaml"]


def test_a_missing_project_has_no_marks(tmp_path: Path) -> None:
    assert scan(Project(tmp_path / "x", tmp_path / "x"), Config(), ()).marks == {}


@given(idle=st.floats(0, 1e6), cost=st.floats(0, 1e3))
def test_a_poll_is_never_rarer_than_asked_for_unless_it_is_dear(idle: float, cost: float) -> None:
    wait = interval_s(idle, cost, least_s=1, most_s=5, sweep_s=30)

    assert 1 <= wait <= 30
    assert wait >= min(20 * cost, 30)
    assert wait <= max(5, 20 * cost)
    assert interval_s(idle + 1, cost, least_s=1, most_s=5, sweep_s=30) >= wait


def test_polls_are_the_less_often_the_longer_nothing_has_changed() -> None:
    assert interval_s(0, 0, least_s=1, most_s=5, sweep_s=30) == 1
    assert interval_s(60, 0, least_s=1, most_s=5, sweep_s=30) == 1
    assert interval_s(180, 0, least_s=1, most_s=5, sweep_s=30) == 3
    assert interval_s(3600, 0, least_s=1, most_s=5, sweep_s=30) == 5
