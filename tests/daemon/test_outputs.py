"""Which events about views are of our own doing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hypo_compactd.outcome import Outcome, State, ViewOutcome
from hypo_compactd.outputs import Outputs
from hypo_compactd.paths import Project
from hypo_compactd.reader import signature_of


@pytest.fixture(name="view")
def _view(project: Project) -> Path:
    view = project.pipeline / "log.compact.yaml"
    view.write_text("ours\n", "utf-8")
    return view


def outcome(view: Path) -> Outcome:
    signature = signature_of(view.lstat()) if view.exists() else None
    return Outcome((ViewOutcome("log", f".pipeline/{view.name}", State.WRITTEN, signature=signature),))


def test_an_event_about_what_was_left_is_our_own(project: Project, view: Path) -> None:
    outputs = Outputs()
    outputs.begin()

    assert outputs.end(outcome(view), project) == []
    assert outputs.wrote(os.fspath(view))


def test_an_event_about_anything_else_is_another_program_s(project: Project, view: Path) -> None:
    outputs = Outputs()
    outputs.begin()
    outputs.end(outcome(view), project)
    view.write_text("theirs\n", "utf-8")

    assert not outputs.wrote(os.fspath(view))

    view.unlink()

    assert not outputs.wrote(os.fspath(view))


def test_what_another_program_writes_during_a_reconcile_is_told_at_its_end(project: Project, view: Path) -> None:
    outputs = Outputs()
    outputs.begin()
    left = outcome(view)
    view.write_text("theirs\n", "utf-8")

    assert outputs.wrote(os.fspath(view)), "it is put aside"
    assert outputs.end(left, project) == [os.fspath(view)]


def test_our_own_events_during_a_reconcile_come_to_nothing(project: Project, view: Path) -> None:
    outputs = Outputs()
    outputs.begin()
    outputs.wrote(os.fspath(view))

    assert outputs.end(outcome(view), project) == []


def test_an_event_before_the_first_reconcile_counts(view: Path) -> None:
    assert not Outputs().wrote(os.fspath(view))


def test_after_a_reconcile_that_broke_off_what_was_put_aside_is_looked_at(project: Project, view: Path) -> None:
    outputs = Outputs()
    outputs.begin()
    outputs.wrote(os.fspath(view))

    assert outputs.end(None, project) == [os.fspath(view)]


def test_events_behind_a_link_inside_the_project_are_our_own_too(project: Project, view: Path) -> None:
    real = project.root / "real"
    project.pipeline.rename(real)
    project.pipeline.symlink_to(real)
    outputs = Outputs()
    outputs.begin()
    outputs.wrote(os.fspath(real / view.name))

    assert outputs.end(outcome(view), project) == []
    assert outputs.wrote(os.fspath(real / view.name))
