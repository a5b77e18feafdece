"""Whether all is fresh by the record of the last look, and that the answer costs little."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypo_compactd import config as configuration
from hypo_compactd import freshness, reader
from hypo_compactd.freshness import is_fresh
from hypo_compactd.marks import COARSE_GRANULE_NS, GRANULE_NS, is_racy, mark_of
from hypo_compactd.outcome import Outcome, Request, State
from hypo_compactd.paths import Project, state_dir
from hypo_compactd.plan import Policy
from hypo_compactd.reconcile import settled
from support.views import TARGETS

MILESTONE = Request(policy=Policy.MILESTONE)
CHECK = Request(by_hand=True, check=True)


def let_age() -> None:
    """Let the sources become old enough for their marks alone to be believed."""
    time.sleep(2 * GRANULE_NS / 1e9)


def settle(project: Project, request: Request = Request()) -> Outcome:  # noqa: B008 - frozen
    return settled(project, configuration.load(project.root), request, quiet_ms=0)


def place(project: Project, name: str) -> Path:
    return project.pipeline / TARGETS[name]


def append(path: Path, text: str = "\n# more\n") -> None:
    with path.open("a", encoding="utf-8") as stream:
        stream.write(text)


def replace_text(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


@pytest.mark.parametrize("kind", ["fifo", "folder"])
def test_a_record_that_is_no_file_is_a_no_and_costs_nothing_else(project: Project, kind: str) -> None:
    settle(project)
    known = project.state_dir / freshness.NAME
    known.unlink()
    os.mkfifo(known) if kind == "fifo" else known.mkdir()

    assert not is_fresh(project)
    assert settle(project).names(State.FAILED) == []


def rewrite_keeping_time(path: Path) -> None:
    """Change a file in place, its size and the time of its last write as they were."""
    status = path.stat()
    data = path.read_bytes()
    with path.open("r+b") as stream:
        stream.write(data.swapcase())
    assert data != path.read_bytes()
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def set_config(project: Project, text: str) -> None:
    (project.pipeline / "config.yaml").write_text(text, "utf-8")


def set_global(text: str) -> None:
    path = Path.home() / ".hypo-workflow/config.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def write_new(path: Path, text: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)


def into_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def test_where_other_machines_write_the_content_counts(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """A mark may come from a cache there: a change of the content alone stands for one that the mark does not show."""
    monkeypatch.setattr("hypo_compactd.look.silent_type", lambda _path: "nfs4")
    settle(project)
    assert is_fresh(project)
    record = record_of(project)
    assert all(digest for path, (_, digest) in record["sources"].items() if not path.endswith("/"))

    source = project.pipeline / "PROGRESS.md"
    rewrite_keeping_time(source)
    record["sources"]["PROGRESS.md"][0] = list(mark_of(source.stat()))
    (project.state_dir / freshness.NAME).write_text(json.dumps(record))
    assert not is_fresh(project)


def behind_a_link(path: Path, to: Path) -> None:
    """Move something out of the project and leave a link to it: all below it has the same inodes and times."""
    path.rename(to)
    path.symlink_to(to)


def into_link(path: Path) -> None:
    """Put a link to a copy of a file in its place."""
    shutil.copy2(path, path.with_name("other.yaml"))
    path.unlink()
    path.symlink_to("other.yaml")


def record_of(project: Project) -> Any:
    return json.loads((project.state_dir / freshness.NAME).read_bytes())


def test_before_the_first_look_nothing_is_fresh_and_after_it_everything(project: Project) -> None:
    assert not is_fresh(project)
    settle(project)
    assert is_fresh(project)
    assert is_fresh(project), "asking changes nothing"


def test_a_look_that_writes_nothing_makes_nothing_fresh(project: Project) -> None:
    settle(project, CHECK)

    assert not is_fresh(project)


CHANGES: dict[str, Callable[[Project], object]] = {
    "content": lambda project: append(project.pipeline / "log.yaml", "\n# x\n"),
    "same size": lambda project: replace_text(project.pipeline / "PROGRESS.md", "Milestone", "milestone"),
    "same size and time": lambda project: rewrite_keeping_time(project.pipeline / "PROGRESS.md"),
    "view of the same size and time": lambda project: rewrite_keeping_time(place(project, "progress")),
    "new file": lambda project: (project.pipeline / "reports/09-x.report.md").write_text("# M9\n"),
    "new nested file": lambda project: write_new(project.pipeline / "reports/deep/x.md", "# M9\n"),
    "new archive": lambda project: write_new(project.pipeline / "archives/C9-x/summary.md", "# C9\n"),
    "new empty archive": lambda project: (project.pipeline / "archives/C9-x").mkdir(),
    "removed file": lambda project: (project.pipeline / "patches/P001-spine-rounding-direction.md").unlink(),
    "removed folder": lambda project: shutil.rmtree(project.pipeline / "reports"),
    "removed root": lambda project: shutil.rmtree(project.pipeline),
    "renamed file": lambda project: (project.pipeline / "patches/P001-spine-rounding-direction.md").rename(
        project.pipeline / "patches/P009-spine-rounding-direction.md"
    ),
    "replaced by an older file": lambda project: os.utime(project.pipeline / "state.yaml", ns=(1, 1)),
    "options": lambda project: set_config(project, "compact: {log_recent: 3}\n"),
    "language": lambda project: set_config(project, "output: {language: en}\n"),
    "layout": lambda project: set_config(project, "pipeline: {reports_dir: docs}\n"),
    "view's place": lambda project: set_config(
        project, "knowledge: {compaction: {compact_file: .pipeline/a.compact.md}}\n"
    ),
    "broken configuration": lambda project: set_config(project, "compact: [\n"),
    "removed configuration": lambda project: (project.pipeline / "config.yaml").unlink(),
    "global configuration": lambda _: set_global("compact: {log_recent: 3}\n"),
    "edited view": lambda project: append(place(project, "state"), "# mine\n"),
    "older view": lambda project: os.utime(place(project, "state"), ns=(1, 1)),
    "removed view": lambda project: place(project, "knowledge").unlink(),
    "folder in a view's place": lambda project: into_folder(place(project, "log")),
    "link in a view's place": lambda project: into_link(place(project, "log")),
    "lost memory": lambda _: shutil.rmtree(state_dir()),
    "broken memory": lambda project: (project.state_dir / freshness.NAME).write_text("{"),
    "FIFO among the sources": lambda project: os.mkfifo(project.pipeline / "reports/09-x.report.md"),
    "source behind a link": lambda project: behind_a_link(project.pipeline / "state.yaml", state_dir() / "outside"),
    "folder behind a link": lambda project: behind_a_link(project.pipeline / "reports", state_dir() / "outside"),
    "new folder behind a link": lambda project: (project.pipeline / "reports/out").symlink_to(state_dir().parent),
    "root behind a link": lambda project: behind_a_link(project.pipeline, state_dir() / "outside"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_nothing_is_fresh_after(project: Project, change: str) -> None:
    let_age()
    settle(project)
    CHANGES[change](project)

    assert not is_fresh(project)


def test_whatever_is_not_fresh_is_fresh_after_a_look(project: Project) -> None:
    for change in ("content", "same size and time", "new nested file", "removed folder", "edited view", "lost memory"):
        CHANGES[change](project)
        settle(project)

        assert is_fresh(project), change


def test_nothing_is_fresh_for_another_release(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    settle(project)
    monkeypatch.setattr(freshness, "__version__", "99")

    assert not is_fresh(project)


def test_a_configuration_that_was_only_touched_is_the_same(project: Project) -> None:
    settle(project)
    (project.pipeline / "config.yaml").touch()

    assert is_fresh(project)


def test_the_locale_counts_where_the_configuration_leaves_the_language_to_it(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    settle(project)
    monkeypatch.setenv("LANG", "en_GB.UTF-8")
    assert is_fresh(project), "the configuration says which language"

    set_config(project, "output: {language: auto}\n")
    settle(project)
    assert is_fresh(project)
    monkeypatch.setenv("LC_ALL", "C")
    assert is_fresh(project), "another locale of the same language"
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    assert not is_fresh(project)
    settle(project)
    assert is_fresh(project)


@pytest.mark.parametrize("request_", [Request(), MILESTONE], ids=["without auto", "milestone policy"])
def test_a_view_that_is_held_is_not_fresh(project: Project, request_: Request) -> None:
    settle(project)
    if request_ == Request():
        set_config(project, "compact: {auto: false}\n")
    append(project.pipeline / "PROGRESS.md", "\n- 21:00 | something small\n")
    outcome = settle(project, request_)

    assert outcome.names(State.HELD) == ["progress"]
    assert not is_fresh(project)


def test_a_view_that_failed_is_not_fresh(project: Project) -> None:
    place(project, "log").mkdir()
    settle(project)

    assert not is_fresh(project)


def test_a_source_with_an_error_is_never_fresh_so_that_it_is_reported_each_time(project: Project) -> None:
    (project.pipeline / "state.yaml").write_bytes(b"`x`\n")
    settle(project)

    assert not is_fresh(project)


def test_a_source_that_is_refused_is_never_fresh_so_that_it_is_reported_each_time(project: Project) -> None:
    (project.pipeline / "reports/09-x.report.md").symlink_to("/etc/hostname")
    settle(project)
    settle(project)

    assert not is_fresh(project)


def test_a_source_that_is_rightly_missing_is_fresh(project: Project) -> None:
    settle(project)
    (project.pipeline / "state.yaml").unlink()
    settle(project)
    assert is_fresh(project)

    place(project, "state").write_text("a: 1\n")
    assert not is_fresh(project), "there must be no view"


def test_a_view_that_someone_else_withdrew_with_its_source_is_fresh(project: Project) -> None:
    settle(project)
    (project.pipeline / "state.yaml").unlink()
    place(project, "state").unlink()
    settle(project)

    assert is_fresh(project)


def test_a_source_behind_a_link_inside_the_project_is_fresh_until_it_changes(project: Project) -> None:
    source = project.pipeline / "state.yaml"
    moved = source.rename(project.root / "state.yaml")
    source.symlink_to("../state.yaml")
    settle(project)
    assert is_fresh(project)

    append(moved)
    assert not is_fresh(project)


def test_moved_sources_are_fresh_until_they_change(project: Project) -> None:
    (project.pipeline / "reports").rename(project.root / "docs")
    set_config(project, "pipeline: {reports_dir: docs}\n")
    settle(project)
    assert is_fresh(project)

    append(next((project.root / "docs").glob("*.md")))
    assert not is_fresh(project)


def test_a_source_whose_folder_is_put_behind_a_link_is_not_fresh(project: Project) -> None:
    (project.root / "conf").mkdir()
    (project.pipeline / "state.yaml").rename(project.root / "conf/state.yaml")
    set_config(project, "pipeline: {state_file: conf/state.yaml}\n")
    let_age()
    settle(project)
    assert is_fresh(project)

    behind_a_link(project.root / "conf", state_dir() / "outside")
    assert not is_fresh(project)


# What changes within one tick of the clock


@pytest.mark.parametrize("racy", [False, True], ids=["long before", "just before"])
def test_only_what_was_written_just_before_the_look_is_kept_with_its_digest(
    project: Project,
    racy: bool,  # noqa: FBT001 - a row of a table
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    change = max(path.lstat().st_ctime_ns for path in project.pipeline.rglob("*"))
    monkeypatch.setattr("hypo_compactd.look.time.time_ns", lambda: change + (0 if racy else 10**10))
    append(project.pipeline / "log.yaml") if racy else None
    settle(project)

    kept = {path for path, (mark, digest) in record_of(project)["sources"].items() if mark and digest is not None}
    assert ("log.yaml" in kept) is racy


def test_a_change_that_leaves_the_same_mark_is_seen(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two writes in one tick of the clock bear the same times; whether a real one falls so is chance."""
    source = project.pipeline / "PROGRESS.md"
    source.write_bytes(source.read_bytes())
    monkeypatch.setattr("hypo_compactd.look.time.time_ns", lambda: source.stat().st_ctime_ns + GRANULE_NS // 2)
    settle(project)
    mark = mark_of(source.stat())
    rewrite_keeping_time(source)
    monkeypatch.setattr(reader, "mark_of", lambda status: mark if status.st_ino == mark[1] else mark_of(status))

    assert not is_fresh(project)


@pytest.mark.parametrize(
    ("before_ms", "changed_before_ms", "racy"),
    [
        (0, 0, True),
        (15, 15, True),
        (25, 25, False),
        (60_000, 15, True),
        (60_000, -5, True),
        (-60_000, 60_000, False),
        (15, 60_000, True),
        (-15, 60_000, True),
    ],
)
def test_a_file_is_racy_when_it_changed_within_a_tick_of_the_look(
    before_ms: int,
    changed_before_ms: int,
    racy: bool,  # noqa: FBT001 - a row of a table
) -> None:
    began_ns = 1_700_000_000_123_456_789
    mark = (1, 2, 3, began_ns - before_ms * 10**6, began_ns - changed_before_ms * 10**6)

    assert is_racy(mark, began_ns) is racy


def test_where_the_file_system_keeps_whole_seconds_a_tick_is_as_long() -> None:
    began_ns = 1_700_000_000_123_456_789
    seconds = began_ns // 10**9 * 10**9

    assert is_racy((1, 2, 3, seconds - 10**9, seconds - 10**9), began_ns)
    assert not is_racy((1, 2, 3, seconds - 10**9, seconds - 10**9 + 1), began_ns)
    assert not is_racy((1, 2, 3, seconds - COARSE_GRANULE_NS, seconds - COARSE_GRANULE_NS), began_ns)


@given(st.integers(0, 2**62), st.integers(0, 2**62))
def test_whatever_changed_after_the_look_began_is_racy(began_ns: int, later_ns: int) -> None:
    assert is_racy((1, 2, 3, 4, began_ns + later_ns), began_ns)


# A record that is not what it should be


OTHERS: list[Any] = [None, 7, "x", [], {}, [1], {"a": 1}, ["\0"], {"\0": [1, 2]}, float("inf"), True]


@pytest.mark.parametrize(
    "key", ["schema", "version", "configuration", "locale", "moved", "patterns", "sources", "views"]
)
def test_a_record_with_another_value_is_never_believed(project: Project, key: str) -> None:
    settle(project)
    data = record_of(project)
    for other in OTHERS:
        if other == data[key] or (key in {"moved", "views"} and other == {}):
            continue  # it says the same, or only less
        (project.state_dir / freshness.NAME).write_text(json.dumps(data | {key: other}))

        assert not is_fresh(project), other


@pytest.mark.parametrize(
    "data",
    [b"", b"\0", b"\xff", b"null", b"[]", b"7", b"{}", b'{"schema": 1}', b"[" * 100_000],
    ids=lambda data: repr(data[:9]),
)
def test_a_broken_record_is_none(project: Project, data: bytes) -> None:
    settle(project)
    (project.state_dir / freshness.NAME).write_bytes(data)

    assert not is_fresh(project)


def test_a_record_cut_anywhere_is_none(project: Project) -> None:
    settle(project)
    path = project.state_dir / freshness.NAME
    whole = path.read_bytes()
    for length in range(0, len(whole) - 2, 97):
        path.write_bytes(whole[:length])

        assert not is_fresh(project)


def test_a_record_is_written_anew_only_when_it_says_something_else(project: Project) -> None:
    settle(project)
    let_age()
    settle(project)
    before = (project.state_dir / freshness.NAME).stat()
    settle(project)

    assert (project.state_dir / freshness.NAME).stat().st_ino == before.st_ino
    assert is_fresh(project)


def test_a_name_that_is_no_text_is_a_source_like_any_other(project: Project) -> None:
    report = Path(os.fsdecode(os.fsencode(project.pipeline) + b"/reports/08-\xff.report.md"))
    try:
        report.write_text("# M8\n")
    except OSError:
        pytest.skip("this file system takes only UTF-8 names")
    settle(project)
    assert is_fresh(project)

    append(report)
    assert not is_fresh(project)


# What it costs


SLOW = (
    "_ruamel_yaml",
    "filelock",
    "hypo_compactd.config",
    "hypo_compactd.look",
    "hypo_compactd.manifest",
    "hypo_compactd.writer",
    "hypo_strategies.api",
    "hypo_strategies.registry",
    "hypo_strategies.text.yaml",
    "dataclasses",
    "hashlib",
    "markdown_it",
    "pathlib",
    "platformdirs",
    "rich",
    "ruamel",
    "structlog",
    "typing",
    "watchdog",
)


@pytest.mark.parametrize("state", ["named", "the system's"])
@pytest.mark.parametrize(
    "command",
    [("wait",), ("wait", "--timeout", "2"), ("compact", "--if-stale")],
    ids=" ".join,
)
def test_nothing_slow_is_imported_where_all_is_fresh(project: Project, command: tuple[str, ...], state: str) -> None:
    environment = dict(os.environ)
    if state != "named":
        del environment["HYPO_COMPACTD_STATE_DIR"]
    code = (
        "import sys; from hypo_compactd.cli import main; code = main(sys.argv[1:]); "
        "print(*sys.modules, file=sys.stderr); sys.exit(code)"
    )

    def run() -> set[str]:
        arguments = [sys.executable, "-c", code, *command, os.fspath(project.root)]
        done = subprocess.run(arguments, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return set(done.stderr.split())

    assert "ruamel.yaml" in run(), "the first time there is something to do"
    imported = run()
    assert imported.isdisjoint(SLOW)
