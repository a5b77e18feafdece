"""What is kept between looks saves reading, and never changes what a look finds."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from hypo_compactd import config as configuration
from hypo_compactd import kept as module
from hypo_compactd import look, manifest, reader
from hypo_compactd.kept import Kept
from hypo_compactd.outcome import Outcome, Request
from hypo_compactd.paths import Project
from hypo_compactd.reader import SourceFile
from hypo_compactd.reconcile import reconcile
from support.views import views


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sources that are read, in order."""
    found: list[str] = []

    def noted(root: Path, path: str, *, limit: int) -> SourceFile:
        if not path.endswith("config.yaml"):  # that is no source
            found.append(path.removeprefix(".pipeline/"))
        return READ(root, path, limit=limit)

    monkeypatch.setattr(reader, "read_file", noted)
    return found


READ = reader.read_file


def looked(project: Project, kept: Kept) -> Outcome:
    return reconcile(project, configuration.load(project.root), Request(), {}, kept=kept)


def test_only_what_changed_is_read_again(project: Project, read: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "is_racy", lambda _mark, _read_ns: False)  # the project is new
    kept = Kept()
    looked(project, kept)
    assert "log.yaml" in read
    del read[:]
    looked(project, kept)
    assert read == []

    with (project.pipeline / "log.yaml").open("a", encoding="utf-8") as stream:
        stream.write("  - id: NEW\n")
    looked(project, kept)
    assert read == ["log.yaml"]


def test_a_file_that_may_have_changed_within_the_tick_of_its_reading_is_read_again(
    project: Project, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "is_racy", lambda _mark, _read_ns: True)
    kept = Kept()
    looked(project, kept)
    del read[:]
    looked(project, kept)

    assert "log.yaml" in read


def test_where_other_machines_write_everything_is_read_again(
    project: Project, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "is_racy", lambda _mark, _read_ns: False)
    monkeypatch.setattr(look, "silent_type", lambda _path: "nfs4")
    kept = Kept()
    looked(project, kept)
    del read[:]
    looked(project, kept)

    assert "log.yaml" in read


def test_a_project_of_large_sources_is_not_kept(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_BYTES", 1_000)
    kept = Kept()
    looked(project, kept)

    assert kept.files == {}


@pytest.mark.parametrize("seed", range(6))
def test_with_what_is_kept_the_views_are_those_of_a_look_that_knows_nothing(seed: int, project: Project) -> None:
    chance = Random(seed)
    kept = Kept()
    for number in range(12):
        sources = sorted(
            path for path in project.pipeline.rglob("*") if path.is_file() and ".compact." not in path.name
        )
        path = chance.choice(sources)
        what = chance.choice(("append", "rewrite", "remove", "rename"))
        if what == "append":
            with path.open("a", encoding="utf-8") as stream:
                stream.write(f"\n- {number}: more\n")
        elif what == "rewrite":
            path.write_bytes(path.read_bytes().replace(b"1", b"2"))
        elif what == "remove" and number > 6:
            path.unlink()
        else:
            path.rename(path.with_name(f"{number}-{path.name}"))
        outcome = looked(project, kept)
        while outcome.pending:
            outcome = reconcile(project, configuration.load(project.root), Request(), outcome.pending, kept=kept)
        found = views(project.root)
        (project.state_dir / manifest.NAME).unlink()  # so that each view is computed, known or not
        outcome = looked(project, Kept())
        while outcome.pending:
            outcome = reconcile(project, configuration.load(project.root), Request(), outcome.pending)
        assert views(project.root) == found
        assert not outcome.changed
