"""Which events about views are of our own doing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hypo_compactd.marks import signature_of
from hypo_compactd.outcome import Outcome, State, ViewOutcome
from hypo_compactd.outputs import Outputs
from hypo_compactd.paths import Project


@pytest.fixture(name="view")
def _view(project: Project) -> Path:
    view = project.pipeline / "log.compact.yaml"
    view.write_text("ours\n", "utf-8")
    return view


def outcome(view: Path) -> Outcome:
    signature = signature_of(view.lstat()) if view.exists() else None
    return Outcome((ViewOutcome("log", f".pipeline/{view.name}", State.WRITTEN, signature=signature),))


def test_a_view_that_stands_as_it_was_left_is_ours(project: Project, view: Path) -> None:
    outputs = Outputs()
    left = outputs.keep(outcome(view), project)

    assert left == {os.fspath(view.resolve()): signature_of(view.lstat())}
    assert outputs.ours(os.fspath(view))


def test_one_that_was_written_or_removed_since_is_another_program_s(project: Project, view: Path) -> None:
    outputs = Outputs()
    outputs.keep(outcome(view), project)
    view.write_text("theirs\n", "utf-8")

    assert not outputs.ours(os.fspath(view))

    view.unlink()

    assert not outputs.ours(os.fspath(view))


def test_no_view_where_none_was_left_is_ours_and_one_made_there_is_not(project: Project, view: Path) -> None:
    view.unlink()
    outputs = Outputs()
    outputs.keep(outcome(view), project)

    assert outputs.ours(os.fspath(view))

    view.write_text("theirs\n", "utf-8")

    assert not outputs.ours(os.fspath(view))


def test_before_the_first_reconcile_nothing_is_ours(view: Path) -> None:
    assert not Outputs().ours(os.fspath(view))


def test_behind_a_link_inside_the_project_a_view_is_known_by_its_real_path(project: Project, view: Path) -> None:
    real = project.root / "real"
    project.pipeline.rename(real)
    project.pipeline.symlink_to("real")
    outputs = Outputs()
    outputs.keep(outcome(real / view.name), project)

    assert outputs.ours(os.fspath(real / view.name))
