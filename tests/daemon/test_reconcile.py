from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from example import milestone
from hypo_compactd import config as configuration
from hypo_compactd import look as module
from hypo_compactd import manifest
from hypo_compactd.config import Config
from hypo_compactd.errors import InputError
from hypo_compactd.freshness import is_fresh
from hypo_compactd.outcome import Outcome, Request, State
from hypo_compactd.paths import Project, state_dir
from hypo_compactd.plan import Moment, Policy
from hypo_compactd.reader import Layout
from hypo_compactd.reconcile import reconcile, settled
from hypo_compactd.writer import TEMPORARY
from hypo_strategies.api import Memory, Options, Render, Sources, View
from hypo_strategies.registry import STRATEGIES
from support.views import TARGETS, sources, views

ALL = list(TARGETS)
MILESTONE = Request(policy=Policy.MILESTONE)
BY_HAND = Request(by_hand=True)
CHECK = Request(by_hand=True, check=True)


def config(project: Project) -> Config:
    return configuration.load(project.root, {})


def look(project: Project, request: Request = Request(), pending: dict[str, str] | None = None) -> Outcome:  # noqa: B008 - frozen
    return reconcile(project, config(project), request, pending or {})


def settle(project: Project, request: Request = Request()) -> Outcome:  # noqa: B008 - frozen
    return settled(project, config(project), request, quiet_ms=0)


def place(project: Project, name: str) -> Path:
    return project.pipeline / TARGETS[name]


def states(outcome: Outcome) -> dict[str, State]:
    return {view.name: view.state for view in outcome.views}


def picture(project: Project) -> dict[str, tuple[int, int, int]]:
    """Inode, time and permissions of every view."""
    found = {}
    for name in ALL:
        if place(project, name).exists():
            status = place(project, name).stat()
            found[name] = (status.st_ino, status.st_mtime_ns, status.st_mode)
    return found


def append(path: Path, text: str = "\nmore\n") -> None:
    with path.open("a", encoding="utf-8") as stream:
        stream.write(text)


def replace_text(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def set_config(project: Project, text: str) -> None:
    (project.pipeline / "config.yaml").write_text(text, "utf-8")


# The first look and those that find nothing new


def test_the_first_run_writes_every_view_and_changes_no_source(project: Project) -> None:
    before = sources(project.root)
    outcome = look(project)

    assert states(outcome) == dict.fromkeys(ALL, State.WRITTEN)
    assert set(views(project.root)) == set(ALL)
    assert outcome.pending == {}
    assert outcome.moments == ()
    assert not outcome.failed
    assert sources(project.root) == before
    for view in outcome.views:
        assert view.file == f".pipeline/{TARGETS[view.name]}"
        assert 0 < view.tokens_after < view.tokens_before


def test_the_second_run_writes_nothing(project: Project) -> None:
    look(project)
    before = picture(project)
    outcome = look(project)

    assert states(outcome) == dict.fromkeys(ALL, State.UNCHANGED)
    assert picture(project) == before
    assert outcome.tokens[0] > outcome.tokens[1] > 0


def test_a_lost_memory_costs_no_write(project: Project) -> None:
    look(project)
    before = picture(project)
    shutil.rmtree(state_dir())
    outcome = look(project)

    assert states(outcome) == dict.fromkeys(ALL, State.UNCHANGED)
    assert picture(project) == before


def test_a_newer_release_costs_no_write_where_the_text_is_the_same(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    look(project)
    before = picture(project)
    monkeypatch.setattr(module, "__version__", "99")

    assert states(look(project)) == dict.fromkeys(ALL, State.UNCHANGED)
    assert picture(project) == before


def copied(source: Path, target: Path, names: Callable[[Iterable[Path]], Iterable[Path]]) -> None:
    """Copy a tree file by file in a chosen order, so that folders list their files in another one."""
    for path in names([path for path in source.rglob("*") if path.is_file() and ".compact." not in path.name]):
        copy = target / path.relative_to(source)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())


def test_the_bytes_depend_on_neither_order_nor_locale_nor_clock_nor_place(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    look(project)
    expected = views(project.root)
    orders: list[Callable[[Iterable[Path]], Iterable[Path]]] = [sorted, lambda paths: sorted(paths, reverse=True)]
    for number, order in enumerate(orders):
        other = Project(tmp_path / f"{number}", tmp_path / f"{number}")
        copied(project.root, other.root, order)
        monkeypatch.setenv("LANG", ["de_DE.UTF-8", "zh_CN.UTF-8"][number])
        monkeypatch.setenv("TZ", ["America/New_York", "Asia/Tokyo"][number])
        look(other)

        assert views(other.root) == expected


def test_a_project_reached_through_a_link_is_the_same_project(project: Project, tmp_path: Path) -> None:
    look(project)
    (tmp_path / "link").symlink_to(project.root)
    linked = Project(tmp_path / "link", project.root)

    assert states(look(linked)) == dict.fromkeys(ALL, State.UNCHANGED)


def test_no_view_is_older_than_its_sources(project: Project) -> None:
    future = 4_000_000_000 * 10**9 + 7
    os.utime(project.pipeline / "state.yaml", ns=(future, future))
    os.utime(project.pipeline / "archives/C1-signature-planner/summary.md", ns=(future + 1, future + 1))
    look(project)
    for name in ALL:
        view = place(project, name).stat().st_mtime_ns
        strategy = next(one for one in STRATEGIES if one.name == name)
        for path in project.pipeline.rglob("*"):
            if path.is_file() and strategy.wants(os.fspath(path.relative_to(project.pipeline))):
                assert view >= path.stat().st_mtime_ns, (name, path)

    assert place(project, "state").stat().st_mtime_ns == future
    assert place(project, "progress").stat().st_mtime_ns == future + 1
    assert place(project, "log").stat().st_mtime_ns < future


def test_a_source_that_is_only_touched_raises_the_view_s_time_and_writes_nothing(project: Project) -> None:
    look(project)
    before = picture(project)
    future = 4_000_000_000 * 10**9
    os.utime(project.pipeline / "log.yaml", ns=(future, future))
    outcome = look(project)

    assert outcome.names(State.WRITTEN) == []
    assert picture(project)["log"] == (before["log"][0], future, before["log"][2])
    assert picture(project) | {"log": None} == before | {"log": None}


def test_a_change_without_effect_on_the_text_writes_nothing_but_raises_the_time(project: Project) -> None:
    look(project)
    before = picture(project)
    append(project.pipeline / "state.yaml", "\n# a comment\n")
    outcome = look(project)

    assert states(outcome)["state"] is State.UNCHANGED
    assert picture(project)["state"][0] == before["state"][0]
    assert place(project, "state").stat().st_mtime_ns >= (project.pipeline / "state.yaml").stat().st_mtime_ns


# What changed is refreshed, and nothing else


@pytest.mark.parametrize(
    ("path", "old", "new", "dirty"),
    [
        ("patches/P001-spine-rounding-direction.md", "P001", "P001 also", ["patches"]),
        ("archives/C1-signature-planner/summary.md", "C1", "C1 indeed", ["progress"]),
    ],
)
def test_only_the_views_of_a_changed_source_are_written(
    project: Project, path: str, old: str, new: str, dirty: list[str]
) -> None:
    look(project)
    before = picture(project)
    text = (project.pipeline / path).read_text("utf-8")
    (project.pipeline / path).write_text(text.replace(old, new), "utf-8")
    outcome = look(project)

    assert set(outcome.names(State.WRITTEN)) <= set(dirty)
    assert all(picture(project)[name] == before[name] for name in ALL if name not in dirty)


def test_a_completed_milestone_is_one_moment_and_refreshes_what_it_concerns(project: Project) -> None:
    look(project)
    for step in milestone.completion():
        milestone.apply(step, project.pipeline)
    outcome = look(project)

    assert outcome.moments == (Moment.MILESTONE_FINAL,)
    assert {"progress", "state", "log", "reports"} == set(outcome.names(State.WRITTEN))
    assert look(project).moments == ()


def test_a_closed_cycle_withdraws_the_views_whose_sources_moved_into_the_archive(project: Project) -> None:
    for step in milestone.completion():
        milestone.apply(step, project.pipeline)
    look(project)
    milestone.archive(project.pipeline)
    outcome = settle(project)

    assert Moment.CYCLE_CLOSED in outcome.moments
    assert set(outcome.names(State.WITHDRAWN)) == {"progress", "state", "reports"}
    assert set(views(project.root)) == {"log", "patches", "knowledge"}


def test_someone_else_s_change_of_a_view_is_repaired(project: Project) -> None:
    look(project)
    expected = views(project.root)
    place(project, "state").write_text("mine: 1\n")
    place(project, "log").unlink()
    place(project, "patches").write_bytes(b"")
    outcome = look(project)

    assert set(outcome.names(State.WRITTEN)) == {"state", "log", "patches"}
    assert views(project.root) == expected


@pytest.mark.parametrize("size", [0, 100_000, 3_000_000])
def test_a_view_is_repaired_whatever_its_size_has_become(project: Project, size: int) -> None:
    look(project)
    expected = views(project.root)
    place(project, "log").write_bytes(b"x" * size)
    look(project)

    assert views(project.root) == expected


def test_other_options_refresh_the_views_that_depend_on_them(project: Project) -> None:
    look(project)
    set_config(project, "output: {language: en}\n")
    outcome = look(project)

    assert {"progress", "reports", "patches", "knowledge"} == set(outcome.names(State.WRITTEN))
    assert b"read-only" in views(project.root)["patches"]


@pytest.mark.parametrize("name", ["state", "log", "reports"])
def test_a_source_that_was_moved_is_called_by_its_new_place(project: Project, name: str) -> None:
    look(project)
    key, old, new = {
        "state": ("pipeline: {state_file: docs/where.yaml}\n", "state.yaml", "docs/where.yaml"),
        "log": ("pipeline: {log_file: docs/where.yaml}\n", "log.yaml", "docs/where.yaml"),
        "reports": ("pipeline: {reports_dir: docs/where}\n", "reports", "docs/where"),
    }[name]
    (project.root / "docs").mkdir()
    shutil.move(project.pipeline / old, project.root / new)
    set_config(project, key)
    outcome = settle(project)

    assert not outcome.failed
    assert "docs/where" in views(project.root)[name].decode().splitlines()[0]


def test_reports_that_were_moved_stand_in_the_view_once_and_without_the_current_one(project: Project) -> None:
    set_config(project, "pipeline: {reports_dir: .pipeline/docs/rep}\n")
    folder = project.pipeline / "docs/rep"
    folder.mkdir(parents=True)
    (folder / "alpha.md").write_text("# Alpha\n\nResult: pass\n", "utf-8")
    (folder / "beta.md").write_text("# Beta\n\nResult: running\n", "utf-8")
    (project.pipeline / "state.yaml").write_text(
        "current: {prompt_file: b.md}\n"
        "milestones:\n"
        "- {id: M1, prompt_file: a.md, status: done, report_file: .pipeline/docs/rep/alpha.md}\n"
        "- {id: M2, prompt_file: b.md, status: in_progress, report_file: .pipeline/docs/rep/beta.md}\n",
        "utf-8",
    )
    settle(project)
    headings = [line for line in views(project.root)["reports"].decode().splitlines() if line.startswith("## ")]

    assert headings == ["## Alpha (alpha.md)"]


def test_a_knowledge_view_that_the_configuration_places_stands_there(project: Project) -> None:
    set_config(project, "knowledge: {compaction: {compact_file: .pipeline/kb.compact.md}}\n")
    outcome = look(project)

    assert (project.pipeline / "kb.compact.md").is_file()
    assert next(view for view in outcome.views if view.name == "knowledge").file == ".pipeline/kb.compact.md"


# Sources that go away


REMOVALS = {
    "progress": "PROGRESS.md",
    "state": "state.yaml",
    "log": "log.yaml",
    "reports": "reports",
    "patches": "patches",
}


def remove(path: Path) -> None:
    shutil.rmtree(path) if path.is_dir() else path.unlink()


@pytest.mark.parametrize("name", REMOVALS)
def test_a_view_goes_when_two_looks_agree_that_its_source_is_gone(project: Project, name: str) -> None:
    look(project)
    remove(project.pipeline / REMOVALS[name])
    first = look(project)

    assert states(first)[name] is State.WAITING
    assert name in first.pending
    assert place(project, name).exists()

    second = look(project, pending=dict(first.pending))
    assert states(second)[name] is State.WITHDRAWN
    assert not place(project, name).exists()
    assert second.pending == {}
    assert states(look(project))[name] is State.ABSENT


def test_a_view_stays_when_its_source_is_back_at_the_second_look(project: Project) -> None:
    look(project)
    before = picture(project)
    path = project.pipeline / "state.yaml"
    data, status = path.read_bytes(), path.stat()
    path.unlink()
    first = look(project)
    path.write_bytes(data)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    second = look(project, pending=dict(first.pending))

    assert states(second)["state"] is State.UNCHANGED
    assert picture(project) == before


def test_a_view_that_stands_without_a_source_from_the_start_goes_too(project: Project) -> None:
    (project.pipeline / "state.yaml").unlink()
    place(project, "state").write_text("left by an older tool\n")

    assert states(settle(project))["state"] is State.WITHDRAWN
    assert not place(project, "state").exists()


@pytest.mark.parametrize("how", ["removed", "emptied", "a file", "out of the project", "a loop"])
def test_a_root_that_vanished_costs_no_view(project: Project, tmp_path: Path, how: str) -> None:
    look(project)
    kept = manifest.load(project.state_dir)
    shutil.move(project.pipeline, tmp_path / "away")
    if how == "emptied":
        project.pipeline.mkdir()
    elif how == "a file":
        project.pipeline.touch()
    elif how == "out of the project":
        project.pipeline.symlink_to(tmp_path / "away")
    elif how == "a loop":
        project.pipeline.symlink_to(".pipeline")
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "away").rglob("*")}

    for request in (Request(), BY_HAND, CHECK):
        with pytest.raises(InputError, match=r"project/\.pipeline: "):
            settled(project, Config(), request, quiet_ms=0)
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "away").rglob("*")} == before
    assert manifest.load(project.state_dir) == kept


def test_when_the_root_is_back_nothing_is_written(project: Project, tmp_path: Path) -> None:
    look(project)
    before = picture(project)
    shutil.move(project.pipeline, tmp_path / "away")
    with pytest.raises(InputError):
        look(project)
    shutil.move(tmp_path / "away", project.pipeline)
    outcome = look(project)

    assert states(outcome) == dict.fromkeys(ALL, State.UNCHANGED)
    assert outcome.moments == ()
    assert picture(project) == before


def test_a_root_that_may_not_be_read_costs_no_view(project: Project, unprivileged: Any) -> None:
    folder, as_user = unprivileged
    shutil.copytree(project.root, folder / "project")
    closed = Project(folder / "project", folder / "project")
    closed.pipeline.chmod(0o000)

    with as_user(), pytest.raises(InputError, match="permission denied"):
        reconcile(closed, Config(), Request(), {})


def test_a_pipeline_behind_a_link_inside_the_project_is_kept(project: Project) -> None:
    shutil.move(project.pipeline, project.root / "elsewhere")
    project.pipeline.symlink_to("elsewhere")

    assert states(look(project)) == dict.fromkeys(ALL, State.WRITTEN)
    assert (project.root / "elsewhere/state.compact.yaml").is_file()


# Sources that cannot be read, or not yet


def test_a_half_written_state_is_looked_at_again_before_anything_is_done(project: Project) -> None:
    look(project)
    before = views(project.root)
    path = project.pipeline / "state.yaml"
    whole = path.read_text("utf-8")
    path.write_text(whole[: len(whole) // 2] + '\nx: "half', "utf-8")
    first = look(project)

    assert states(first)["state"] is State.WAITING
    assert views(project.root)["state"] == before["state"]

    path.write_text(whole, "utf-8")
    second = look(project, pending=dict(first.pending))
    assert second.pending == {}
    assert views(project.root) == before


def test_a_state_that_stays_broken_is_salvaged_or_withdrawn_at_the_second_look(project: Project) -> None:
    look(project)
    before = views(project.root)["state"]
    append(project.pipeline / "state.yaml", '\nx: "half\n')
    outcome = settle(project)

    assert outcome.pending == {}
    assert any(finding.path == ".pipeline/state.yaml" and finding.line for finding in outcome.findings)
    assert views(project.root).get("state") != before


@pytest.mark.parametrize("path", ["state.yaml", "log.yaml", "PROGRESS.md"])
def test_an_emptied_source_is_looked_at_again_and_then_believed(project: Project, path: str) -> None:
    look(project)
    before = views(project.root)
    name = {"state.yaml": "state", "log.yaml": "log", "PROGRESS.md": "progress"}[path]
    (project.pipeline / path).write_bytes(b"")
    first = look(project)

    assert states(first)[name] is State.WAITING
    assert views(project.root)[name] == before[name]

    second = look(project, pending=dict(first.pending))
    assert name not in second.pending
    assert states(second)[name] in {State.WRITTEN, State.WITHDRAWN}


def test_a_source_that_is_caught_empty_at_each_of_its_saves_is_being_written(project: Project) -> None:
    """A fast writer that truncates first: both looks find the same nothing."""
    settle(project)
    state = project.pipeline / "state.yaml"
    before = views(project.root)["state"]
    looks: dict[str, str] = {}
    for _ in range(3):
        state.write_bytes(b"")
        outcome = reconcile(project, config(project), Request(), looks)
        looks = dict(outcome.pending)
        assert states(outcome)["state"] is State.WAITING
    assert views(project.root)["state"] == before

    outcome = reconcile(project, config(project), Request(), looks)
    assert states(outcome)["state"] is State.WITHDRAWN


def test_an_emptied_report_beside_one_with_a_fault_settles(project: Project) -> None:
    look(project)
    (project.pipeline / "reports/00-hole-spacing-engine.report.md").write_bytes(b"")
    (project.pipeline / "reports/01-sewing-template-rendering.report.md").write_bytes(b"# M1\n\xff\n")

    assert settle(project).pending == {}


def changing(project: Project, path: str, monkeypatch: pytest.MonkeyPatch, times: int = 10**9) -> None:
    """Let another program write a source whenever it is read, the first `times` times."""
    read = os.read
    left = [times]
    wanted = project.pipeline / path
    data = wanted.read_bytes()

    def read_and_change(descriptor: int, length: int) -> bytes:
        got = read(descriptor, length)
        if left[0] > 0 and got and got == data[: len(got)]:
            left[0] -= 1
            os.utime(wanted, ns=(left[0], left[0]))
        return got

    monkeypatch.setattr(os, "read", read_and_change)


def test_a_source_that_is_being_written_leaves_its_view_as_it_was(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    look(project)
    before = picture(project)
    changing(project, "PROGRESS.md", monkeypatch)
    outcome = settle(project)

    assert states(outcome)["progress"] is State.WAITING
    assert not outcome.failed
    assert picture(project) == before
    assert not is_fresh(project)


@pytest.mark.parametrize(
    "path",
    [
        "state.yaml",
        "reports/00-hole-spacing-engine.report.md",
        "archives/C1-signature-planner/summary.md",
        "knowledge/records/C3-SYNC-20260408-template-stack-91d7e04a.yaml",
    ],
)
def test_a_source_that_is_written_during_one_look_announces_nothing(
    project: Project, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    look(project)
    if path.startswith("archives"):
        (project.pipeline / "archives/C1-signature-planner/cycle.yaml").unlink()
        look(project)
    with monkeypatch.context() as patch:
        changing(project, path, patch, times=1)
        outcome = look(project)
    again = look(project, pending=dict(outcome.pending))

    assert outcome.pending
    assert (outcome.moments, again.moments) == ((), ())


def test_a_view_that_another_program_is_writing_is_looked_at_again(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    look(project)
    before = views(project.root)
    with monkeypatch.context() as patch:
        changing(project, TARGETS["log"], patch, times=1)
        outcome = look(project)
    assert states(outcome)["log"] is State.WAITING

    assert not look(project, pending=dict(outcome.pending)).failed
    assert views(project.root) == before


@pytest.mark.parametrize("place_", ["state.yaml", "log.yaml", "PROGRESS.md"])
def test_a_source_that_cannot_be_read_withdraws_its_view_so_that_readers_take_the_source(
    project: Project, place_: str
) -> None:
    look(project)
    name = {"state.yaml": "state", "log.yaml": "log", "PROGRESS.md": "progress"}[place_]
    (project.pipeline / place_).unlink()
    os.mkfifo(project.pipeline / place_)
    outcome = settle(project)

    assert states(outcome)[name] is State.WITHDRAWN
    assert outcome.failed
    assert f".pipeline/{place_}: is a FIFO, not a file" in [str(finding) for finding in outcome.findings]


@pytest.mark.parametrize("folder", ["reports", "patches", "knowledge/records", "archives"])
def test_a_folder_that_cannot_be_read_is_reported(project: Project, folder: str) -> None:
    look(project)
    shutil.rmtree(project.pipeline / folder)
    (project.pipeline / folder).touch()
    outcome = settle(project)

    assert f".pipeline/{folder}: not a directory" in [str(finding) for finding in outcome.findings]
    assert outcome.failed == (folder != "archives")
    assert outcome.pending == {}
    assert "log" in outcome.names(State.UNCHANGED)


@pytest.mark.parametrize(
    "path",
    [
        "reports/09-x.report.md",
        "patches/P009-x.md",
        "knowledge/records/x.yaml",
        "archives/C1-signature-planner/summary.md",
    ],
)
def test_one_file_of_many_that_cannot_be_read_is_reported_and_costs_only_itself(project: Project, path: str) -> None:
    look(project)
    (project.pipeline / path).unlink(missing_ok=True)
    (project.pipeline / path).mkdir()
    outcome = settle(project)

    assert any(finding.path == f".pipeline/{path}" for finding in outcome.findings), outcome.findings
    assert set(views(project.root)) == set(ALL)


def test_a_fault_that_was_removed_with_its_file_is_no_longer_reported(project: Project) -> None:
    path = project.pipeline / "state.yaml"
    path.write_bytes(b"`x`\n")
    assert settle(project).failed

    path.unlink()
    for _ in range(2):
        outcome = settle(project)
        assert outcome.findings == ()
        assert not outcome.failed


def test_a_fault_is_reported_as_long_as_it_lasts(project: Project) -> None:
    (project.pipeline / "state.yaml").write_bytes(b"`x`\n")
    first = settle(project)

    assert settle(project).findings == first.findings != ()


@pytest.mark.parametrize(
    "name", ["reports/09-bad-\udcff.report.md", "patches/P009-\udcff.md", "archives/C9-\udcff/summary.md"]
)
def test_a_file_whose_name_is_not_utf_8_costs_no_view(project: Project, name: str) -> None:
    try:
        (project.pipeline / name).parent.mkdir(exist_ok=True)
        (project.pipeline / name).write_text("# M9 x\n\n- 状态：closed\n- Result: pass\n")
    except OSError:
        pytest.skip("this file system takes no such name")
    outcome = settle(project)

    assert not outcome.failed
    assert set(views(project.root)) == set(ALL)
    assert [data.decode("utf-8") for data in views(project.root).values()]


# Places that are not ours to write


def link_to_source(path: Path) -> None:
    path.symlink_to(path.parent / "state.yaml")


def link_to_outside(path: Path) -> None:
    (path.parent.parent.parent / "outside").write_text("theirs")
    path.symlink_to(path.parent.parent.parent / "outside")


def link_to_the_same_bytes(path: Path) -> None:
    shutil.copy(path, path.parent / "copy.txt")
    os.utime(path.parent / "copy.txt", ns=(1, 1))
    path.unlink()
    path.symlink_to("copy.txt")


@pytest.mark.parametrize(
    "make",
    [link_to_source, link_to_outside, link_to_the_same_bytes, Path.mkdir, os.mkfifo],
    ids=lambda make: make.__name__,
)
def test_anything_but_a_file_in_a_view_s_place_is_refused_and_the_others_proceed(
    project: Project, tmp_path: Path, make: Callable[[Path], object]
) -> None:
    path = place(project, "log")
    if make is link_to_the_same_bytes:
        look(project)
        for name in ALL:
            if name != "log":
                place(project, name).unlink()
    make(path)
    before = {
        each: each.stat().st_mtime_ns for each in (tmp_path / "outside", project.pipeline / "copy.txt") if each.exists()
    }
    kind = path.lstat().st_mode
    outcome = settle(project)

    assert states(outcome) == dict.fromkeys(ALL, State.WRITTEN) | {"log": State.FAILED}
    assert outcome.failed
    assert any(finding.path == ".pipeline/log.compact.yaml" for finding in outcome.findings)
    assert path.lstat().st_mode == kind
    assert {each: each.stat().st_mtime_ns for each in before} == before


def test_a_view_that_cannot_be_written_keeps_its_old_text_and_is_tried_again(
    project: Project, unprivileged: Any
) -> None:
    folder, as_user = unprivileged
    shutil.copytree(project.root, folder / "project")
    other = Project(folder / "project", folder / "project")
    look(other)
    before = views(other.root)
    append(other.pipeline / "patches/P001-spine-rounding-direction.md")
    replace_text(other.pipeline / "patches/P001-spine-rounding-direction.md", "P001", "P001 again")
    set_config(other, "output: {language: en}\n")
    for path in (*state_dir().rglob("*"), state_dir()):
        shutil.chown(path, 65534, 65534) if os.geteuid() == 0 else None
    other.pipeline.chmod(0o555)
    with as_user():
        outcome = settle(other)
        fresh = is_fresh(other)

    assert states(outcome)["patches"] is State.FAILED
    assert views(other.root)["patches"] == before["patches"]
    assert not fresh
    other.pipeline.chmod(0o755)
    assert states(settle(other))["patches"] is State.WRITTEN


def test_an_unchanged_view_that_may_not_be_touched_is_no_trouble(project: Project, unprivileged: Any) -> None:
    """A view of another user, or on a read-only disk, is as good as before: only its time cannot be raised."""
    folder, as_user = unprivileged
    shutil.copytree(project.root, folder / "project")
    other = Project(folder / "project", folder / "project")
    look(other)
    if os.geteuid() != 0:
        pytest.skip("only root may make a file that is another user's")
    for path in (*state_dir().rglob("*"), state_dir()):
        shutil.chown(path, 65534, 65534)
    os.utime(other.pipeline / "log.yaml", ns=(4 * 10**18, 4 * 10**18))
    with as_user():
        outcome = look(other)

    assert states(outcome) == dict.fromkeys(ALL, State.UNCHANGED)


def test_a_memory_that_cannot_be_kept_costs_no_view(project: Project, unprivileged: Any) -> None:
    (project.state_dir / manifest.NAME).mkdir(parents=True)
    with pytest.raises(InputError, match=r"manifest\.json: is a directory; .*HYPO_COMPACTD_STATE_DIR"):
        look(project)

    assert set(views(project.root)) == set(ALL)


def raising(error: Exception) -> Render:
    def render(_: Sources, __: Options, ___: Memory) -> View:
        raise error

    return render


@pytest.mark.parametrize("error", [ValueError("secret-4711"), RecursionError("secret-4711"), KeyError("secret-4711")])
def test_a_strategy_that_raises_costs_its_view_only_and_its_error_s_text_is_never_shown(
    project: Project, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = [replace(one, render=raising(error)) if one.name == "log" else one for one in STRATEGIES]
    monkeypatch.setattr(module, "STRATEGIES", tuple(broken))
    outcome = settle(project)

    assert states(outcome) == dict.fromkeys(ALL, State.WRITTEN) | {"log": State.FAILED}
    assert outcome.failed
    (finding,) = outcome.findings
    assert "secret-4711" not in str(finding)
    assert f"{type(error).__name__} at test_reconcile.py:" in finding.message


def test_what_a_killed_process_left_is_swept(project: Project) -> None:
    for folder in (project.pipeline, project.pipeline / "knowledge"):
        (folder / f"{TEMPORARY}1-ab.tmp").write_text("half")
    outcome = look(project)

    assert outcome.swept == 2
    assert not list(project.root.rglob(f"{TEMPORARY}*"))


# What is asked for


@pytest.mark.parametrize("name", ALL)
def test_only_the_views_that_are_asked_for_are_made(project: Project, name: str) -> None:
    outcome = look(project, Request(views=frozenset({name}), by_hand=True))

    assert states(outcome) == {name: State.WRITTEN}
    assert set(views(project.root)) == {name}
    assert not is_fresh(project)


def test_a_view_by_hand_takes_no_moment_from_the_daemon(project: Project) -> None:
    look(project, MILESTONE)
    for step in milestone.completion():
        milestone.apply(step, project.pipeline)
    look(project, Request(views=frozenset({"log"}), by_hand=True))
    outcome = look(project, MILESTONE)

    assert outcome.moments == (Moment.MILESTONE_FINAL,)
    assert "state" in outcome.names(State.WRITTEN)


def whole_picture(*folders: Path) -> dict[str, tuple[int, int, int]]:
    found = {}
    for folder in folders:
        for path in (folder, *folder.rglob("*")):
            if path.exists():
                status = path.lstat()
                found[os.fspath(path)] = (status.st_ino, status.st_mtime_ns, status.st_size)
    return found


def dirty(project: Project) -> None:
    place(project, "state").write_text("mine: 1\n")
    (project.pipeline / "PROGRESS.md").unlink()
    (project.pipeline / "log.yaml").write_bytes(b"entries: [`x`]\n")
    os.utime(project.pipeline / "patches/P001-spine-rounding-direction.md", ns=(4 * 10**18, 4 * 10**18))
    (project.pipeline / f"{TEMPORARY}1-ab.tmp").write_text("half")


@pytest.mark.parametrize("known", [False, True])
def test_a_check_writes_nothing_anywhere(project: Project, known: bool) -> None:  # noqa: FBT001 - a row of a table
    if known:
        look(project)
        dirty(project)
    before = whole_picture(project.root, state_dir())
    outcome = settle(project, CHECK)

    assert outcome.changed
    assert whole_picture(project.root, state_dir()) == before
    assert state_dir().exists() == known


def test_a_check_says_what_a_run_would_do(project: Project) -> None:
    look(project)
    dirty(project)
    expected = states(settle(project, CHECK))

    assert states(settle(project, BY_HAND)) == expected
    assert not settle(project, CHECK).changed


# When it is allowed


def test_without_auto_the_daemon_writes_nothing_and_a_person_may(project: Project) -> None:
    set_config(project, "compact: {auto: false}\n")
    before = whole_picture(project.root)
    outcome = look(project)

    assert states(outcome) == dict.fromkeys(ALL, State.HELD)
    assert whole_picture(project.root) == before
    assert states(look(project, BY_HAND)) == dict.fromkeys(ALL, State.WRITTEN)


def test_without_auto_the_daemon_neither_withdraws_nor_touches(project: Project) -> None:
    look(project)
    set_config(project, "compact: {auto: false}\n")
    dirty(project)
    (project.pipeline / f"{TEMPORARY}1-ab.tmp").unlink()
    before = whole_picture(project.root)
    first = look(project)
    look(project, pending=dict(first.pending))

    assert whole_picture(project.root) == before
    assert first.pending == {}


@pytest.mark.parametrize("text", ["knowledge: {enabled: false}\n", "knowledge: {compaction: {auto: no}}\n"])
def test_without_automatic_knowledge_only_that_view_is_held(project: Project, text: str) -> None:
    set_config(project, text)

    assert states(look(project)) == dict.fromkeys(ALL, State.WRITTEN) | {"knowledge": State.HELD}


def test_the_milestone_policy_waits_for_a_moment(project: Project) -> None:
    look(project)
    *steps, last = milestone.completion()
    append(project.pipeline / "PROGRESS.md", "\n- 21:00 | something small\n")
    held = look(project, MILESTONE)
    assert set(held.names(State.HELD)) == {"progress"}
    for step in (*steps, last):
        (project.pipeline / "PROGRESS.md").read_text("utf-8")
        milestone.apply(step, project.pipeline)
    outcome = look(project, MILESTONE)

    assert outcome.moments == (Moment.MILESTONE_FINAL,)
    assert {"progress", "state", "log", "reports"} <= set(outcome.names(State.WRITTEN))


def test_new_knowledge_refreshes_its_own_view_only_under_the_milestone_policy(project: Project) -> None:
    look(project)
    milestone.apply(milestone.knowledge(), project.pipeline)
    append(project.pipeline / "PROGRESS.md", "\n- 21:00 | something small\n")
    outcome = look(project, MILESTONE)

    assert outcome.moments == (Moment.KNOWLEDGE_CHANGED,)
    assert outcome.names(State.WRITTEN) == ["knowledge"]
    assert outcome.names(State.HELD) == ["progress"]


def test_what_a_moment_could_not_refresh_is_owed_also_to_a_daemon_that_is_started_later(project: Project) -> None:
    look(project)
    view = project.pipeline / "knowledge" / "knowledge.compact.md"
    view.unlink()
    view.mkdir()
    milestone.apply(milestone.knowledge(), project.pipeline)
    assert look(project, MILESTONE).names(State.FAILED) == ["knowledge"]
    view.rmdir()
    append(project.pipeline / "PROGRESS.md", "\n- 21:00 | something small\n")
    later = look(project, MILESTONE)

    assert later.moments == ()
    assert later.names(State.WRITTEN) == ["knowledge"]
    assert later.names(State.HELD) == ["progress"]
    assert manifest.load(project.state_dir).owed == ()


def test_under_the_milestone_policy_an_unsettled_source_is_no_moment(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    look(project)
    before = picture(project)
    append(project.pipeline / "log.yaml", '\nx: "half')
    (project.pipeline / "PROGRESS.md").write_bytes(b"")
    first = look(project, MILESTONE)
    second = look(project, MILESTONE, dict(first.pending))

    assert set(second.names(State.HELD)) == {"log", "progress"}
    assert picture(project) == before


def test_under_the_milestone_policy_a_source_with_a_fault_is_refreshed_at_the_second_look_of_a_moment(
    project: Project,
) -> None:
    look(project)
    for step in milestone.completion():
        milestone.apply(step, project.pipeline)
    append(project.pipeline / "state.yaml", '\nx: "half')
    first = look(project, MILESTONE)
    second = look(project, MILESTONE, dict(first.pending))

    assert Moment.MILESTONE_FINAL in first.moments
    assert states(first)["state"] is State.WAITING
    assert states(second)["state"] in {State.WRITTEN, State.WITHDRAWN}


# Settling


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_settling_takes_three_looks_at_most_and_pauses_between_them(
    project: Project, limit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    look(project)
    changing(project, "log.yaml", monkeypatch, times=limit - 1)
    pauses: list[float] = []
    outcome = settled(project, config(project), Request(), quiet_ms=250, pause=pauses.append)

    assert pauses == [0.25] * (limit - 1)
    assert outcome.pending == {}


def test_settling_gives_up_after_three_looks(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    look(project)
    changing(project, "log.yaml", monkeypatch)
    pauses: list[float] = []
    outcome = settled(project, config(project), Request(), quiet_ms=250, pause=pauses.append)

    assert outcome.names(State.WAITING) == ["log"]
    assert len(pauses) == 2


def test_a_view_stands_where_the_layout_puts_it() -> None:
    moved = Config(layout=Layout((("knowledge", "kb"), ("reports", "docs/r"))))

    assert [moved.target(strategy) for strategy in STRATEGIES] == [
        ".pipeline/PROGRESS.compact.md",
        ".pipeline/state.compact.yaml",
        ".pipeline/log.compact.yaml",
        ".pipeline/reports.compact.md",
        ".pipeline/patches.compact.md",
        "kb/knowledge.compact.md",
    ]


def test_a_view_whose_place_the_configuration_changes_leaves_the_old_place(project: Project) -> None:
    settle(project)
    old = place(project, "knowledge")
    set_config(project, "knowledge: {compaction: {compact_file: .pipeline/kb.compact.md}}\n")
    settle(project)

    assert not old.exists()
    assert (project.pipeline / "kb.compact.md").is_file()


def test_an_old_place_that_somebody_else_has_written_to_since_is_left_alone(project: Project) -> None:
    settle(project)
    old = place(project, "knowledge")
    old.write_text("mine\n", "utf-8")
    set_config(project, "knowledge: {compaction: {compact_file: .pipeline/kb.compact.md}}\n")
    settle(project)

    assert old.read_text("utf-8") == "mine\n"


def test_what_failed_at_its_moment_is_tried_again_without_another_one(project: Project) -> None:
    request = Request(policy=Policy.MILESTONE)
    settle(project)
    view = place(project, "knowledge")
    view.unlink()
    view.mkdir()
    replace_text(next((project.pipeline / "knowledge" / "records").glob("*.yaml")), "summary:", "summary: anew,")
    failed = look(project, request)
    view.rmdir()
    mended = look(project, request, dict(failed.pending))

    assert failed.names(State.FAILED) == ["knowledge"]
    assert failed.pending == {"knowledge": "failed"}
    assert mended.names(State.WRITTEN) == ["knowledge"]
    assert mended.moments == ()


def test_a_faulty_source_whose_view_cannot_be_written_is_doubted_once(project: Project) -> None:
    (project.pipeline / "log.yaml").write_text("entries:\n  - id: a\n    type: step\n  - id: [\n", "utf-8")
    place(project, "log").mkdir()
    pending: dict[str, str] = {}
    found = []
    for _ in range(5):
        outcome = look(project, pending=pending)
        pending = dict(outcome.pending)
        found.append(states(outcome)["log"])

    assert found[2:] == [State.FAILED] * 3


def test_a_look_that_waited_for_another_goes_by_the_configuration_as_it_is_then(project: Project) -> None:
    older = config(project)
    with (project.pipeline / "config.yaml").open("a", encoding="utf-8") as stream:
        stream.write("compact: {log_recent: 3}\n")
    settled(project, older, Request(), quiet_ms=0, pause=lambda _: None)
    right = views(project.root)["log"]
    settled(project, config(project), Request(), quiet_ms=0, pause=lambda _: None)

    assert views(project.root)["log"] == right


def point_to_an_audit(project: Project) -> Path:
    """Make the state name a report outside of the folder of reports, and return where it would be."""
    replace_text(project.pipeline / "state.yaml", "reports/00-", "audits/00-")
    moved = next((project.pipeline / "reports").glob("00-*"))
    (project.pipeline / "audits").mkdir()
    return moved.rename(project.pipeline / "audits" / moved.name)


def test_a_report_elsewhere_that_the_state_points_to_is_a_source(project: Project) -> None:
    audit = point_to_an_audit(project)
    outcome = settle(project)

    assert outcome.followed == (f"audits/{audit.name}",)
    assert f"audits/{audit.name}" in views(project.root)["reports"].decode()
    assert is_fresh(project)

    append(audit, "\n## Decision\n\nRejected after all.\n")

    assert not is_fresh(project)
    assert "reports" in settle(project).names(State.WRITTEN, State.UNCHANGED)
    assert is_fresh(project)


@pytest.mark.parametrize("name", ["a[1].md", "notes[].md", "b[z-a].md", "star*.md", "[.md"])
def test_a_path_that_the_state_points_to_is_no_pattern(project: Project, name: str) -> None:
    audit = point_to_an_audit(project)
    replace_text(project.pipeline / "state.yaml", f".pipeline/audits/{audit.name}", f'".pipeline/audits/{name}"')
    audit.rename(audit.with_name(name))
    (audit.parent / "a1.md").write_text("# another\n", "utf-8")
    outcome = settle(project)

    assert outcome.followed == (f"audits/{name}",)
    assert f"audits/{name}" in views(project.root)["reports"].decode()
    assert is_fresh(project)
    append(audit.with_name(name), "\n## Decision\n\nRejected after all.\n")
    assert not is_fresh(project)


def test_a_report_elsewhere_that_leads_out_of_the_project_is_refused(project: Project, tmp_path: Path) -> None:
    audit = point_to_an_audit(project)
    outside = audit.rename(tmp_path / "outside.md")
    audit.symlink_to(outside)
    outcome = settle(project)

    assert any("leads out of the project" in finding.message for finding in outcome.findings)
    assert audit.name not in views(project.root)["reports"].decode()


def test_a_report_elsewhere_is_watched(project: Project) -> None:
    from hypo_compactd.folders import interest_of

    audit = point_to_an_audit(project)
    interest = interest_of(project, config(project), settle(project).followed)

    assert os.fspath(audit.parent) in interest.folders
    assert interest.matters(os.fspath(audit))
    assert not interest.matters(os.fspath(audit.with_name("notes.md")))
