"""What `status` finds out of projects: each look, and what is recalled of the last one."""

from __future__ import annotations

import json
import os
import pkgutil
import re
import shutil
import time
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from hypo_compactd import freshness
from hypo_compactd.errors import ExitCode
from hypo_compactd.freshness import NAME, told
from hypo_compactd.inspection import Looked, Recall, looked, stale_since_ns
from hypo_compactd.inspection import freshness as freshness_of
from hypo_compactd.outcome import State, ViewOutcome
from hypo_compactd.overview import exit_code, overviews
from hypo_compactd.paths import Project
from hypo_compactd.project_status import Freshness, Overview, ViewStatus
from hypo_strategies.api import Finding
from hypo_strategies.text.phrase import Phrase
from support.status_runs import ENGLISH, all_are, kept, run, set_config
from support.views import TARGETS


@pytest.fixture(name="fresh")
def _fresh(project: Project) -> Project:
    """A project whose views are all current."""
    assert run("compact", "-q", project.root).code == 0
    return project


def test_a_source_that_is_written_without_pause_makes_its_view_changing(fresh: Project) -> None:
    path = fresh.pipeline / "state.yaml"
    path.unlink()
    looks = 0

    def pause(seconds: float) -> None:
        nonlocal looks
        looks += 1
        path.write_text(f"pipeline: `{looks}\n")

    (one,) = overviews([os.fspath(fresh.root)], partial(looked, pause=pause))

    assert looks == 2
    assert {view.name: view.freshness for view in one.views}["state"] is Freshness.CHANGING
    assert (one.fresh, one.exit_code) == (False, ExitCode.STALE)


def test_what_a_daemon_puts_right_while_we_look_is_fresh(fresh: Project) -> None:
    (fresh.pipeline / "PROGRESS.md").unlink()
    (fresh.pipeline / TARGETS["log"]).unlink()
    (one,) = overviews([os.fspath(fresh.root)], partial(looked, pause=lambda _: run("compact", "-q", fresh.root)))

    assert {view.freshness for view in one.views} == {Freshness.FRESH, Freshness.ABSENT}


@pytest.mark.parametrize("state", State)
@pytest.mark.parametrize("severity", ["error", "warning", None])
def test_what_a_look_says_of_a_view_follows_from_its_state_and_its_errors(state: State, severity: Any) -> None:
    findings = (Finding("a", Phrase("b"), severity=severity),) if severity else ()
    expected = {
        State.UNCHANGED: "fresh",
        State.ABSENT: "absent",
        State.WAITING: "changing",
        State.FAILED: "failed",
    }.get(state, "stale")
    if severity == "error" and state is not State.WAITING:
        expected = "failed"

    assert freshness_of(ViewOutcome("log", "log.compact.yaml", state, findings=findings)) == expected


def test_a_root_that_vanishes_between_two_looks_is_bad_input(fresh: Project) -> None:
    (fresh.pipeline / "PROGRESS.md").unlink()
    (one,) = overviews([os.fspath(fresh.root)], partial(looked, pause=lambda _: shutil.rmtree(fresh.root)))

    assert (one.exit_code, one.views, one.fresh) == (ExitCode.BAD_INPUT, (), False)


def test_what_goes_wrong_in_one_project_is_that_project_s_error(
    fresh: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other"
    shutil.copytree(fresh.root, other)

    def look(project: Project) -> Looked:
        if project.root == fresh.root:
            raise ValueError("content of a source")
        return looked(project)

    one, two = overviews([os.fspath(fresh.root), os.fspath(other)], look)

    assert two.views
    assert two.error is None
    assert one.views == ()
    assert str(one.error).startswith(f"{fresh.root}: ValueError at test_overview.py:")
    assert "content" not in str(one.error)
    assert (one.exit_code, exit_code([one, two])) == (ExitCode.UNEXPECTED, ExitCode.UNEXPECTED)


@pytest.mark.parametrize("where", ["hypo_compactd.inspection.check_root", "hypo_compactd.config.load"])
def test_status_says_of_such_a_project_what_went_wrong_and_how_the_others_are(
    where: str, fresh: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (fresh.state_dir / freshness.NAME).unlink()  # so that it is looked at
    other = tmp_path / "other"
    shutil.copytree(fresh.root, other)
    real = pkgutil.resolve_name(where)

    def fails(given: Any) -> Any:
        if given in {fresh, fresh.root}:
            raise RecursionError
        return real(given)

    monkeypatch.setattr(where, fails)
    done = run("status", "--json", fresh.root, other)
    first, second = json.loads(done.out)["projects"]

    assert "RecursionError at test_overview.py" in first["reason"]
    assert second["views"]
    assert "RecursionError" in run("status", fresh.root, other).out


# How old a view is


@pytest.mark.parametrize(
    ("sources", "since"),
    [((), None), ((1, 5), None), ((6,), 6), ((1, 9, 7, 8), 7)],
)
def test_a_view_is_stale_since_the_first_change_that_it_does_not_have(sources: tuple[int, ...], since: Any) -> None:
    assert stale_since_ns(5, sources) == since


def view_of(project: Project, name: str) -> ViewStatus:
    (one,) = overviews([os.fspath(project.root)])
    return next(view for view in one.views if view.name == name)


def set_age(path: Path, seconds: float) -> None:
    now = time.time()
    os.utime(path, (now, now - seconds))


def test_the_age_of_a_view_is_that_of_its_file_and_of_its_staleness_that_of_the_source(fresh: Project) -> None:
    set_age(fresh.pipeline / TARGETS["progress"], 5000)
    (fresh.pipeline / "PROGRESS.md").write_text("# Board\n")
    set_age(fresh.pipeline / "PROGRESS.md", 300)
    view = view_of(fresh, "progress")

    assert view.freshness is Freshness.STALE
    assert view.age_s is not None
    assert 5000 <= view.age_s < 5100
    assert view.stale_s is not None
    assert 300 <= view.stale_s < 400


def test_a_view_that_was_changed_itself_has_no_time_since_which_it_is_stale(fresh: Project) -> None:
    (fresh.pipeline / TARGETS["log"]).write_text("edited: true\n")
    view = view_of(fresh, "log")

    assert (view.freshness, view.stale_s) == (Freshness.STALE, None)
    assert view.age_s is not None


def test_a_fresh_view_whose_time_was_set_back_is_fresh(fresh: Project) -> None:
    set_age(fresh.pipeline / TARGETS["log"], 10**9)
    view = view_of(fresh, "log")

    assert (view.freshness, view.stale_s) == (Freshness.FRESH, None)


@pytest.mark.parametrize("kind", ["nothing", "folder", "link"])
def test_what_is_no_file_has_no_age(fresh: Project, kind: str) -> None:
    path = fresh.pipeline / TARGETS["log"]
    path.unlink()
    if kind == "folder":
        path.mkdir()
    if kind == "link":
        path.symlink_to("log.yaml")

    assert view_of(fresh, "log").age_s is None


def test_a_time_in_the_future_is_now(fresh: Project) -> None:
    set_age(fresh.pipeline / TARGETS["log"], -10_000)

    assert view_of(fresh, "log").age_s == 0


# Looking again and again


class Counted:
    """A `Recall`, and how often it looked."""

    def __init__(self, project: Project) -> None:
        self.looks = 0
        self._recall = Recall(self._look)
        self._given = [os.fspath(project.root)]

    def __call__(self) -> Overview:
        return overviews(self._given, self._recall)[0]

    def states(self) -> dict[str, str]:
        return {view.name: str(view.freshness) for view in self().views}

    def _look(self, project: Project) -> Looked:
        self.looks += 1
        return looked(project)


@pytest.fixture(name="counted")
def _counted(fresh: Project, monkeypatch: pytest.MonkeyPatch) -> Counted:
    """A project whose files are so old that a scan of them proves something, looked at until nothing is new."""
    monkeypatch.setattr("hypo_compactd.scan.RACY_NS", 0)
    counted = Counted(fresh)
    for _ in range(3):
        counted()
    counted.looks = 0
    return counted


def test_a_project_in_which_nothing_changes_is_not_read_again(counted: Counted) -> None:
    for _ in range(3):
        assert counted.states() == all_are("fresh")

    assert counted.looks == 0


def test_a_file_that_has_just_changed_is_read_until_it_is_older(fresh: Project) -> None:
    counted = Counted(fresh)
    for _ in range(3):
        counted()

    assert counted.looks == 3


@pytest.mark.parametrize("name", ["PROGRESS.md", TARGETS["progress"]])
def test_a_change_is_seen_even_where_size_and_time_are_the_same(fresh: Project, counted: Counted, name: str) -> None:
    path = fresh.pipeline / name
    status = path.stat()
    data = path.read_bytes()
    path.write_bytes(data.replace(b"M0", b"N0"))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))

    assert path.read_bytes() != data
    assert path.stat().st_size == status.st_size
    assert counted.states()["progress"] == "stale"


def test_what_is_put_right_between_two_looks_is_fresh_again(fresh: Project, counted: Counted) -> None:
    (fresh.pipeline / TARGETS["log"]).unlink()
    assert counted.states() == all_are("fresh") | {"log": "stale"}

    run("compact", "-q", fresh.root)
    assert counted.states() == all_are("fresh")


def test_a_configuration_that_changes_is_read_again(fresh: Project, counted: Counted) -> None:
    set_config(fresh, "compact: {log_recent: 2}\n")
    assert counted.states()["log"] == "stale"

    set_config(fresh, "compact: [\n")
    assert counted().exit_code == ExitCode.BAD_CONFIGURATION

    set_config(fresh, ENGLISH)
    found = counted()
    assert found.settings is not None
    assert found.language == "en"


def test_a_project_that_goes_and_comes_back_is_shown_as_it_is(fresh: Project, counted: Counted, tmp_path: Path) -> None:
    fresh.root.rename(tmp_path / "away")
    assert counted().exit_code == ExitCode.BAD_INPUT

    (tmp_path / "away").rename(fresh.root)
    assert counted.states() == all_are("fresh")


@pytest.mark.parametrize("is_kept", [False, True], ids=["no daemon", "a daemon"])
@pytest.mark.parametrize("configuration", [ENGLISH, "output: {language: zh-CN}\ncompact: {auto: false}\n"])
@pytest.mark.parametrize("arguments", [(), ("--json",)], ids=["for people", "for programs"])
def test_what_the_last_look_left_is_what_a_look_would_say(
    arguments: tuple[str, ...],
    configuration: str,
    is_kept: bool,  # noqa: FBT001 - a row
    fresh: Project,
) -> None:
    set_config(fresh, configuration)
    assert run("compact", "-q", fresh.root).code == ExitCode.OK
    with kept(fresh, held=3, wanted=3) if is_kept else nullcontext():
        assert told(fresh) is not None
        quick = run("status", *arguments, fresh.root)
        (fresh.state_dir / NAME).unlink()
        long = run("status", *arguments, fresh.root)

    assert (quick.code, without_ages(quick.out), quick.err) == (long.code, without_ages(long.out), long.err)


@pytest.mark.parametrize(
    "change",
    [
        {"told": []},
        {"told": {}},
        {"language": "\x1b[2J"},
        {"auto": 1},
        {"knowledge_auto": None},
        {"views": 5},
        {"views": []},
        {"views": [["log", 1, 2]]},
        {"views": [["log", f".pipeline/{TARGETS['log']}", 1, 2]]},
        {"name": "\x1b[2J"},
        {"name": 1},
        {"place": "../other"},
        {"before": "1"},
        {"after": -1},
        {"after": True},
    ],
    ids=str,
)
@pytest.mark.parametrize("arguments", [(), ("--json",)], ids=["for people", "for programs"])
def test_of_what_is_not_as_a_look_leaves_it_nothing_is_believed(
    arguments: tuple[str, ...], change: dict[str, Any], fresh: Project
) -> None:
    expected = run("status", *arguments, fresh.root)
    path = fresh.state_dir / NAME
    record = json.loads(path.read_bytes())
    left = record["told"]
    for key, value in change.items():
        if key == "told":
            record[key] = value
        elif key in left:
            left[key] = value
        else:
            left["views"][0][("name", "place", "before", "after").index(key)] = value
    path.write_text(json.dumps(record))
    found = run("status", *arguments, fresh.root)

    assert told(fresh) is None
    assert (found.code, without_ages(found.out), found.err) == (expected.code, without_ages(expected.out), "")


def test_a_record_that_tells_nothing_is_no_error(fresh: Project) -> None:
    path = fresh.state_dir / NAME
    record = json.loads(path.read_bytes())
    del record["told"]
    path.write_text(json.dumps(record))

    assert told(fresh) is None
    assert run("status", fresh.root).code == ExitCode.OK


def without_ages(text: str) -> str:
    """Return what `status` said without what differs from one second to the next."""
    return re.sub(r'("\w*age_s": )[\d.]+|\d+(?= s\b| 秒)', r"\1", text)
