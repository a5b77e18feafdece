"""`hypo-compactd status`: what it says of projects in every condition, and that it changes nothing."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

import hypo_compactd
from hypo_compactd.cli import main
from hypo_compactd.errors import ExitCode
from hypo_compactd.judge import SILENCE_S, Life
from hypo_compactd.lock import writer_lock
from hypo_compactd.messages import _MESSAGES
from hypo_compactd.outcome import State, ViewOutcome
from hypo_compactd.overview import Freshness, freshness, overviews
from hypo_compactd.paths import Project, state_dir
from hypo_compactd.status import (
    NAME,
    Pulse,
    Report,
    Standing,
    boot_id,
    pulse_file,
    read_pulse,
    write_pulse,
    write_report,
)
from hypo_strategies.api import Finding
from support.daemon_process import DaemonProcess, wait_until
from support.views import TARGETS

ENGLISH = "output: {language: en}\n"

HOLD = """
import sys
from pathlib import Path
from hypo_compactd.lock import daemon_lock
from hypo_compactd.paths import Project
root = Path(sys.argv[1])
with daemon_lock(Project(root, root)):
    print("held", flush=True)
    sys.stdin.read()
"""


class Run:
    """One command in this process: its exit code and what it printed."""

    def __init__(self, capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> None:
        capsys.readouterr()
        try:
            self.code = main([os.fspath(argument) for argument in arguments])
        except SystemExit as end:
            self.code = end.code  # type: ignore[assignment]
        captured = capsys.readouterr()
        self.out, self.err = captured.out, captured.err

    @cached_property
    def project(self) -> Any:
        """The only project of the JSON."""
        (one,) = json.loads(self.out)["projects"]
        return one

    def states(self) -> dict[str, str]:
        return {view["name"]: view["state"] for view in self.project["views"]}

    def view(self, name: str) -> Any:
        (one,) = [view for view in self.project["views"] if view["name"] == name]
        return one


@pytest.fixture(name="run")
def _run(capsys: pytest.CaptureFixture[str]) -> Any:
    return lambda *arguments: Run(capsys, *arguments)


@pytest.fixture(name="fresh")
def _fresh(project: Project, run: Any) -> Project:
    """A project whose views are all current."""
    assert run("compact", "-q", project.root).code == 0
    return project


def set_config(project: Project, text: str) -> None:
    (project.pipeline / "config.yaml").write_text(text, "utf-8")


def everything(*folders: Path) -> dict[str, tuple[int, int, bytes]]:
    """Return every file below folders, with its mtime, inode and bytes."""
    return {
        os.fspath(path): (path.stat().st_mtime_ns, path.stat().st_ino, path.read_bytes())
        for folder in folders
        for path in folder.rglob("*")
        if path.is_file()
    }


@contextmanager
def kept(project: Project, *, silent_s: float = 1.0, **changes: Any) -> Iterator[subprocess.Popen[str]]:
    """Another process holds the project as its daemon; what it says is written for it."""
    command = [sys.executable, "-c", HOLD, os.fspath(project.root)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        says(project, process.pid, silent_s=silent_s, **changes)
        try:
            yield process
        finally:
            process.kill()


def says(project: Project, process: int, *, silent_s: float = 1.0, **changes: Any) -> None:
    now = time.monotonic()
    version = hypo_compactd.__version__
    report = Report(os.fspath(project.shown), process, boot_id(), version, Standing.OK, "", 12, 12, now, looks=3)
    write_report(project, replace(report, **changes))
    write_pulse(
        Pulse(process, boot_id(), changes.get("version", version), now - 100, now - silent_s, 1, 2, 3, 4, 20.5, 6)
    )


def all_are(state: str) -> dict[str, str]:
    return dict.fromkeys(TARGETS, state)


# Without a daemon


def test_views_that_were_never_made_are_stale(project: Project, run: Any) -> None:
    stale = run("status", "--json", project.root)

    assert stale.code == ExitCode.STALE
    assert stale.states() == all_are("stale")
    assert stale.project["fresh"] is False
    assert stale.err == ""


def test_views_that_are_current_are_fresh_and_no_daemon_is_no_error(fresh: Project, run: Any) -> None:
    found = run("status", "--json", fresh.root)

    assert found.code == 0
    assert found.states() == all_are("fresh")
    assert found.project["fresh"] is True
    assert (found.project["state"], found.project["daemon"]) == ("none", None)
    assert found.project["reason"] == "no daemon keeps this project; hypo-compactd run starts one"


def test_the_json_has_every_field(fresh: Project, run: Any) -> None:
    found = run("status", "--json", fresh.root)

    assert found.out.count("\n") == 1
    assert json.loads(found.out)["schema"] == 1
    assert set(json.loads(found.out)) == {"schema", "projects"}
    assert {name: value for name, value in found.project.items() if name not in {"views", "reason"}} == {
        "project": os.fspath(fresh.root),
        "root": os.fspath(fresh.root),
        "state": "none",
        "daemon": None,
        "watches": {"wanted": None, "held": None},
        "looks": None,
        "missed": None,
        "repaired": None,
        "contested": [],
        "fresh": True,
    }
    assert [view["name"] for view in found.project["views"]] == list(TARGETS)
    for view in found.project["views"]:
        assert set(view) == {"name", "file", "state", "tokens_before", "tokens_after", "findings"}
        assert (fresh.root / view["file"]).is_file()
        assert view["tokens_before"] > view["tokens_after"] > 0


def test_nothing_is_written_by_looking(project: Project, fresh: Project, run: Any) -> None:
    for stale in (False, True):
        if stale:
            (project.pipeline / "state.yaml").unlink()
        before = everything(project.root, state_dir())
        run("status", project.root)
        run("status", "--json", project.root)

        assert everything(project.root, state_dir()) == before


def test_a_project_of_which_nothing_is_known_gets_no_folder_of_ours(project: Project, run: Any) -> None:
    run("status", project.root)

    assert not state_dir().exists()


def test_no_lock_is_needed(fresh: Project, run: Any) -> None:
    with writer_lock(fresh):
        assert run("status", fresh.root).code == 0


def test_a_view_edited_by_hand_is_stale_even_where_its_size_and_time_are_the_same(fresh: Project, run: Any) -> None:
    view = fresh.pipeline / TARGETS["log"]
    status = view.stat()
    view.write_bytes(view.read_bytes()[:-2] + b"?\n")
    os.utime(view, ns=(status.st_atime_ns, status.st_mtime_ns))
    stale = run("status", "--json", fresh.root)

    assert view.stat().st_size == status.st_size
    assert stale.code == ExitCode.STALE
    assert stale.states() == all_are("fresh") | {"log": "stale"}


def test_a_changed_source_makes_its_views_stale(fresh: Project, run: Any) -> None:
    with (fresh.pipeline / "PROGRESS.md").open("a", encoding="utf-8") as progress:
        progress.write("\n## 下一步\n\n- sew the second signature\n")
    stale = run("status", "--json", fresh.root)

    assert stale.code == ExitCode.STALE
    assert stale.states() == all_are("fresh") | {"progress": "stale"}


def test_a_view_whose_source_is_gone_is_stale_until_it_is_withdrawn(fresh: Project, run: Any) -> None:
    (fresh.pipeline / "PROGRESS.md").unlink()
    assert run("status", "--json", fresh.root).states()["progress"] == "stale"

    run("compact", "-q", fresh.root)
    absent = run("status", "--json", fresh.root)
    assert absent.code == 0
    assert absent.states() == all_are("fresh") | {"progress": "absent"}
    assert absent.project["fresh"] is True


@pytest.mark.parametrize("made", [True, False])
def test_a_source_that_is_no_yaml_is_a_failure_with_its_place(project: Project, run: Any, *, made: bool) -> None:
    run("compact", "-q", project.root)
    (project.pipeline / "state.yaml").write_bytes(b"a: \xff [\n`x`\n")
    if made:
        run("compact", "-q", project.root)
    failed = run("status", "--json", project.root)
    finding = failed.view("state")["findings"][0]

    assert failed.code == ExitCode.STALE
    assert failed.states()["state"] == "failed"
    assert (finding["file"], finding["severity"]) == (".pipeline/state.yaml", "error")
    assert finding["line"] >= 1
    assert finding["message"]
    shown = run("status", project.root)
    assert f"    .pipeline/state.yaml:{finding['line']}:" in shown.out


def test_a_warning_alone_leaves_a_view_fresh(project: Project, run: Any) -> None:
    (project.pipeline / "reports/odd.report.md").mkdir()
    run("compact", "-q", project.root)
    found = run("status", "--json", project.root)

    assert found.code == 0
    assert found.states() == all_are("fresh")
    assert [finding["severity"] for finding in found.view("reports")["findings"]] == ["warning"]


def test_a_folder_in_the_place_of_a_view_is_a_failure(project: Project, run: Any) -> None:
    (project.pipeline / TARGETS["log"]).mkdir()
    failed = run("status", "--json", project.root)

    assert failed.code == ExitCode.STALE
    assert failed.states()["log"] == "failed"
    assert "is a folder" in failed.view("log")["findings"][0]["message"]


def test_a_source_that_may_not_be_read_is_a_failure(unprivileged: Any, run: Any, project: Project) -> None:
    folder, as_user = unprivileged
    root = shutil.copytree(project.root, folder / "p")
    (root / ".pipeline/state.yaml").chmod(0)
    with as_user():
        failed = run("status", "--json", root)

    assert failed.code == ExitCode.STALE
    assert failed.states()["state"] == "failed"
    assert failed.view("state")["findings"][0]["message"] == "permission denied"


def test_a_source_that_is_written_without_pause_makes_its_view_changing(fresh: Project) -> None:
    path = fresh.pipeline / "state.yaml"
    path.unlink()
    looks = 0

    def pause(seconds: float) -> None:
        nonlocal looks
        looks += 1
        path.write_text(f"pipeline: `{looks}\n")

    (one,) = overviews([os.fspath(fresh.root)], pause)

    assert looks == 2
    assert {view.name: view.freshness for view in one.views}["state"] is Freshness.CHANGING
    assert (one.fresh, one.exit_code) == (False, ExitCode.STALE)


def test_what_a_daemon_puts_right_while_we_look_is_fresh(fresh: Project, run: Any) -> None:
    (fresh.pipeline / "PROGRESS.md").unlink()
    (fresh.pipeline / TARGETS["log"]).unlink()
    (one,) = overviews([os.fspath(fresh.root)], lambda _: run("compact", "-q", fresh.root))

    assert {view.freshness for view in one.views} == {Freshness.FRESH, Freshness.ABSENT}


@pytest.mark.parametrize("state", State)
@pytest.mark.parametrize("severity", ["error", "warning", None])
def test_what_a_look_says_of_a_view_follows_from_its_state_and_its_errors(state: State, severity: Any) -> None:
    findings = (Finding("a", "b", severity=severity),) if severity else ()
    expected = {
        State.UNCHANGED: "fresh",
        State.ABSENT: "absent",
        State.WAITING: "changing",
        State.FAILED: "failed",
    }.get(state, "stale")
    if severity == "error" and state is not State.WAITING:
        expected = "failed"

    assert freshness(ViewOutcome("log", "log.compact.yaml", state, findings=findings)) == expected


# With a daemon


def test_a_running_daemon_is_told_of(fresh: Project, run: Any) -> None:
    with kept(fresh, missed=2, repaired=5) as process:
        found = run("status", "--json", fresh.root)

    assert found.code == 0
    assert (found.project["state"], found.project["reason"]) == ("ok", "")
    assert found.project["daemon"].pop("beat_age_s") >= 1.0
    assert found.project["daemon"] == {
        "pid": process.pid,
        "version": hypo_compactd.__version__,
        "canary_ms": 2,
        "overflows": 3,
        "rebuilds": 4,
        "rss_mb": 20.5,
        "threads": 6,
    }
    assert found.project["watches"] == {"wanted": 12, "held": 12}
    assert [found.project[name] for name in ("looks", "missed", "repaired")] == [3, 2, 5]


@pytest.mark.parametrize("standing", Standing)
def test_a_running_daemon_is_asked_how_it_keeps_the_project(fresh: Project, run: Any, standing: Standing) -> None:
    with kept(fresh, standing=standing, reason="the limit\nis reached", wanted=12, held=3):
        found = run("status", "--json", fresh.root)

    assert found.code == 0
    assert (found.project["state"], found.project["reason"]) == (standing, "the limit\\x0ais reached")
    assert found.project["watches"] == {"wanted": 12, "held": 3}


@pytest.mark.parametrize("pending", [True, False])
def test_a_stale_view_is_stale_also_while_a_daemon_runs(fresh: Project, run: Any, *, pending: bool) -> None:
    (fresh.pipeline / TARGETS["log"]).unlink()
    with kept(fresh, pending=pending):
        stale = run("status", "--json", fresh.root)

    assert stale.code == ExitCode.STALE
    assert stale.states()["log"] == "stale"
    assert stale.project["state"] == "ok"


def test_why_a_running_daemon_cannot_write_a_view_is_said(fresh: Project, run: Any) -> None:
    (fresh.pipeline / TARGETS["log"]).unlink()
    place = f".pipeline/{TARGETS['log']}"
    errors = (("log", f"{place}: no space left on device"), ("state", "of an earlier look"))
    with kept(fresh, errors=errors):
        failed = run("status", "--json", fresh.root)

    assert failed.states() == all_are("fresh") | {"log": "failed"}
    assert failed.view("log")["findings"][-1] == {
        "file": place,
        "line": None,
        "column": None,
        "severity": "error",
        "message": "no space left on device",
    }


def test_what_a_running_daemon_last_said_of_a_source_is_left_to_our_own_look(fresh: Project, run: Any) -> None:
    (fresh.pipeline / TARGETS["log"]).unlink()
    with kept(fresh, errors=(("log", ".pipeline/log.yaml:3: an entry cannot be read"),)):
        stale = run("status", "--json", fresh.root)

    assert stale.states()["log"] == "stale"
    assert stale.view("log")["findings"] == []


def test_what_a_hung_daemon_could_not_write_once_is_no_reason_today(fresh: Project, run: Any) -> None:
    (fresh.pipeline / TARGETS["log"]).unlink()
    with kept(fresh, silent_s=SILENCE_S + 5, errors=(("log", f".pipeline/{TARGETS['log']}: no space left on device"),)):
        stale = run("status", "--json", fresh.root)

    assert stale.states()["log"] == "stale"
    assert stale.view("log")["findings"] == []


def test_views_that_another_program_keeps_writing_are_named(fresh: Project, run: Any) -> None:
    with kept(fresh, contested=("log", "state")):
        found = run("status", "--json", fresh.root)

    assert found.project["contested"] == ["log", "state"]
    assert found.project["reason"] == "another program keeps writing: log, state"


def test_a_daemon_of_another_version_is_to_be_started_anew(fresh: Project, run: Any) -> None:
    with kept(fresh, version="0.0.0"):
        assert "the daemon is version 0.0.0" in run("status", "--json", fresh.root).project["reason"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("compact: {auto: false}\n", "compact.auto is false: the daemon writes nothing"),
        ("knowledge: {enabled: false}\n", "the daemon does not write the knowledge view"),
        ("knowledge: {compaction: {auto: false}}\n", "the daemon does not write the knowledge view"),
    ],
)
def test_a_configuration_that_keeps_a_running_daemon_from_writing_is_said(
    project: Project, run: Any, text: str, reason: str
) -> None:
    set_config(project, text)
    assert reason not in run("status", "--json", project.root).project["reason"]

    with kept(project):
        stale = run("status", "--json", project.root)
    assert stale.code == ExitCode.STALE
    assert stale.states()["knowledge"] == "stale"
    assert reason in stale.project["reason"]


def test_what_a_killed_daemon_left_behind_is_not_believed(fresh: Project, run: Any) -> None:
    with kept(fresh, standing=Standing.PARTIAL, contested=("log",)) as process:
        process.kill()
        process.wait()
        found = run("status", "--json", fresh.root)

    assert (fresh.state_dir / NAME).exists()
    assert pulse_file(process.pid).exists()
    assert found.code == 0
    assert (found.project["state"], found.project["daemon"]) == ("none", None)
    assert (found.project["contested"], found.project["looks"]) == ([], None)
    assert f"the daemon (process {process.pid}) was killed or died" in found.project["reason"]


def test_a_number_that_another_process_has_now_is_no_daemon(fresh: Project, run: Any) -> None:
    says(fresh, os.getpid())
    (fresh.state_dir / "daemon.json").write_text(json.dumps({"pid": os.getpid()}))
    found = run("status", "--json", fresh.root)

    assert (found.project["state"], found.project["daemon"]) == ("none", None)


@pytest.mark.parametrize("change", [{"boot": "another"}, {"pid": 1}])
def test_a_report_of_another_boot_or_process_is_not_believed_of_the_one_that_runs(
    fresh: Project, run: Any, change: dict[str, Any]
) -> None:
    with kept(fresh, standing=Standing.PARTIAL, **change) as process:
        found = run("status", "--json", fresh.root)

    assert found.code == 0
    assert (found.project["state"], found.project["daemon"]["pid"]) == ("starting", process.pid)
    assert found.project["looks"] is None


def test_a_daemon_that_gives_no_sign_of_life_is_hung_and_that_is_code_3(fresh: Project, run: Any) -> None:
    with kept(fresh, silent_s=SILENCE_S + 5) as process:
        hung = run("status", "--json", fresh.root)

    assert hung.code == ExitCode.STALE
    assert hung.project["state"] == "hung"
    assert hung.project["fresh"] is True
    assert hung.project["daemon"]["beat_age_s"] >= SILENCE_S + 5
    assert f"the daemon (process {process.pid}) has given no sign of life for" in hung.project["reason"]


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"schema": 2}', b"\xff", b"[" * 100_000])
def test_status_files_that_cannot_be_used_cost_nothing_but_what_they_say(fresh: Project, run: Any, data: bytes) -> None:
    with kept(fresh) as process:
        (fresh.state_dir / NAME).write_bytes(data)
        found = run("status", "--json", fresh.root)
        assert (found.code, found.project["state"]) == (0, "starting")
        assert found.project["reason"] == (
            f"the daemon (process {process.pid}) has just started, or its status cannot be written or read"
        )
        assert found.project["daemon"]["threads"] == 6

        pulse_file(process.pid).write_bytes(data)
        found = run("status", "--json", fresh.root)
        assert (found.code, found.project["state"]) == (0, "starting")
        assert found.project["daemon"] == {"pid": process.pid} | dict.fromkeys(
            ("version", "beat_age_s", "canary_ms", "overflows", "rebuilds", "rss_mb", "threads")
        )


def test_a_daemon_whose_number_is_only_in_its_note_is_found_by_it(
    fresh: Project, run: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("hypo_compactd.lock.LOCKS", tmp_path / "missing")
    with kept(fresh) as process:
        assert run("status", "--json", fresh.root).project["daemon"]["pid"] == process.pid

        (fresh.state_dir / "daemon.json").unlink()
        found = run("status", "--json", fresh.root)
        assert (found.project["state"], found.project["daemon"]["pid"]) == ("ok", process.pid)


def test_our_own_folder_that_does_not_let_us_see_is_bad_input(
    unprivileged: Any, run: Any, project: Project, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder, as_user = unprivileged
    monkeypatch.setattr("hypo_compactd.lock.LOCKS", tmp_path / "missing")
    root = shutil.copytree(project.root, folder / "p")
    (root / ".pipeline").chmod(0o755)
    with kept(Project(root, root)):
        state = Project(root, root).state_dir
        (state / "daemon.lock").chmod(0)
        for path in (state, *state.parents[:2]):
            path.chmod(0o755)
        with as_user():
            broken = run("status", "--json", root)

    assert broken.code == ExitCode.BAD_INPUT
    assert (broken.project["state"], broken.project["daemon"], broken.project["fresh"]) == ("failed", None, False)
    assert "HYPO_COMPACTD_STATE_DIR" in broken.project["reason"]


# Projects


def test_several_projects_are_told_of_in_order_and_each_only_once(fresh: Project, run: Any, tmp_path: Path) -> None:
    shutil.copytree(fresh.root, tmp_path / "other", ignore=shutil.ignore_patterns("*.compact.*"))
    (tmp_path / "link").symlink_to(fresh.root)
    found = run("status", "--json", tmp_path / "link", tmp_path / "other", fresh.root, fresh.pipeline)
    projects = json.loads(found.out)["projects"]

    assert found.code == ExitCode.STALE
    assert [one["project"] for one in projects] == [os.fspath(tmp_path / "link"), os.fspath(tmp_path / "other")]
    assert projects[0]["root"] == os.fspath(fresh.root)
    assert [one["fresh"] for one in projects] == [True, False]


def test_without_a_name_the_project_is_the_nearest_one_upwards(
    fresh: Project, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(fresh.pipeline / "reports")

    assert run("status").code == 0
    assert run("status", "--json").project["project"] == os.fspath(fresh.root)


def test_no_project_is_bad_input_with_what_to_do(tmp_path: Path, run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    missing = run("status", "--json")

    assert (missing.code, missing.out) == (ExitCode.BAD_INPUT, "")
    assert "; name the project" in missing.err


@pytest.mark.parametrize("kind", ["nothing", "no pipeline", "empty", "file", "link"])
def test_a_project_that_cannot_be_read_is_code_65_and_costs_no_other(
    fresh: Project, run: Any, tmp_path: Path, kind: str
) -> None:
    bad = tmp_path / "bad"
    if kind in {"no pipeline", "empty", "link"}:
        bad.mkdir()
    if kind == "link":
        (bad / ".pipeline").symlink_to(fresh.pipeline)
    if kind == "empty":
        (bad / ".pipeline").mkdir()
    if kind == "file":
        bad.touch()
    found = run("status", "--json", bad, fresh.root)
    first, second = json.loads(found.out)["projects"]

    assert found.code == ExitCode.BAD_INPUT
    assert (first["fresh"], first["views"], first["state"]) == (False, [], "none")
    assert first["reason"].startswith(os.fspath(bad))
    assert "no daemon" not in first["reason"]
    assert second["fresh"] is True

    shown = run("status", bad, fresh.root)
    assert (shown.code, shown.err) == (ExitCode.BAD_INPUT, "")
    assert first["reason"] in shown.out


def test_a_project_that_was_removed_while_a_daemon_keeps_it_is_told_of_as_the_daemon_sees_it(
    fresh: Project, run: Any
) -> None:
    with kept(fresh, standing=Standing.WAITING, reason="no such folder"):
        shutil.rmtree(fresh.root)
        for name in (fresh.root, fresh.pipeline):
            gone = run("status", "--json", name)

            assert gone.code == ExitCode.BAD_INPUT
            assert gone.project["state"] == "waiting"
            assert gone.project["daemon"]["threads"] == 6
            assert gone.project["reason"].startswith(f"{name}: no such folder; give")


def test_a_root_that_vanishes_between_two_looks_is_bad_input(fresh: Project) -> None:
    (fresh.pipeline / "PROGRESS.md").unlink()
    (one,) = overviews([os.fspath(fresh.root)], lambda _: shutil.rmtree(fresh.root))

    assert (one.exit_code, one.views, one.fresh) == (ExitCode.BAD_INPUT, (), False)


def test_a_configuration_that_cannot_be_read_is_code_78_with_its_place(fresh: Project, run: Any) -> None:
    set_config(fresh, "compact: [\n")
    broken = run("status", "--json", fresh.root)

    assert broken.code == ExitCode.BAD_CONFIGURATION
    assert broken.project["reason"].startswith(".pipeline/config.yaml:2:1: ")
    assert (broken.project["views"], broken.project["fresh"]) == ([], False)


def test_values_of_the_configuration_that_cannot_be_used_are_said_on_stderr(fresh: Project, run: Any) -> None:
    set_config(fresh, "compact: {log_recent: none}\n")
    found = run("status", "--json", fresh.root)

    assert found.err.startswith(f"hypo-compactd: {fresh.root}: .pipeline/config.yaml:1: compact.log_recent: ")
    assert found.project["fresh"] is True


@pytest.mark.parametrize("arguments", [("--nonsense",), ("--json=1",), ("--view", "log")])
def test_wrong_usage_is_code_64(run: Any, arguments: tuple[str, ...]) -> None:
    wrong = run("status", *arguments)

    assert (wrong.code, wrong.out) == (ExitCode.USAGE, "")
    assert wrong.err.startswith("usage: hypo-compactd")


# What is printed


def test_the_table_has_a_line_for_the_project_and_one_for_each_view(fresh: Project, run: Any) -> None:
    set_config(fresh, ENGLISH)
    run("compact", "-q", fresh.root)
    (fresh.pipeline / TARGETS["log"]).unlink()
    with kept(fresh, standing=Standing.PARTIAL, reason="9 of 12 folders are watched") as process:
        lines = run("status", fresh.root).out.splitlines()

    assert lines[0].startswith(f"{fresh.root}  partial  9 of 12 folders are watched  daemon {process.pid}, last sign")
    assert [line.split()[:3] for line in lines[1:]] == [
        [name, "stale" if name == "log" else "fresh", f".pipeline/{place}"] for name, place in TARGETS.items()
    ]
    assert len({line.index(".pipeline") for line in lines[1:]}) == 1


def test_the_table_is_chinese_where_the_project_is(project: Project, run: Any) -> None:
    lines = run("status", project.root).out.splitlines()

    assert "没有守护进程" in lines[0]
    assert [line.split()[1] for line in lines[1:]] == ["过期"] * 6


def test_every_word_for_a_state_is_there() -> None:
    assert {f"daemon_{one}" for one in (*Standing, *Life) if one is not Life.RUNNING} <= set(_MESSAGES)
    assert {f"view_{one}" for one in Freshness} <= set(_MESSAGES)


def test_every_project_of_the_table_speaks_its_own_language(fresh: Project, run: Any, tmp_path: Path) -> None:
    other = shutil.copytree(fresh.root, tmp_path / "other")
    (other / ".pipeline/config.yaml").write_text(ENGLISH)
    shown = run("status", fresh.root, other).out

    assert "最新" in shown
    assert "fresh" in shown


def test_hostile_names_neither_break_the_json_nor_move_a_cursor(run: Any, project: Project, tmp_path: Path) -> None:
    root = Path(os.fsdecode(os.fsencode(tmp_path) + b"/p\xff\x1b[2J\n"))
    shutil.copytree(project.root, root)
    (root / ".pipeline" / os.fsdecode(b"reports/r\xff\x1b]0;.report.md")).mkdir()
    hostile: dict[str, Any] = {"reason": "\x1b[31m\ud800", "contested": ("\x1b[2J\udcff",), "version": "\n\udcff"}
    with kept(Project(root, root), **hostile):
        data = run("status", "--json", root)
        shown = run("status", root)

    assert data.out.isascii()
    assert data.project["daemon"]["version"] == "\\x0a\\xdcff"
    assert "\\ud" not in data.out.replace("\\\\ud", "").lower()
    assert json.loads(data.out)["projects"][0]["project"].endswith("p\\xdcff\\x1b[2J\\x0a")
    assert any("\\x1b]0;" in finding["file"] for finding in data.view("reports")["findings"])
    assert "\x1b" not in shown.out
    assert all(line.isprintable() for line in shown.out.splitlines())
    assert len(shown.out.splitlines()) == 1 + 6 + len(data.view("reports")["findings"])


def test_a_closed_stdout_is_no_error(fresh: Project) -> None:
    line = f'"{sys.executable}" -m hypo_compactd status "{fresh.root}" >&- 2>&-'

    assert subprocess.run(["/bin/sh", "-c", line], check=False).returncode == 0


def test_the_start_of_other_commands_does_not_pay_for_this_one() -> None:
    code = "import sys, hypo_compactd.cli; print([one for one in sys.modules if one.startswith('hypo_')])"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout

    assert "overview" not in loaded
    assert "hypo_compactd.status" not in loaded


def test_the_worst_code_is_the_largest(fresh: Project, run: Any, tmp_path: Path) -> None:
    unreadable = shutil.copytree(fresh.root, tmp_path / "unreadable")
    (unreadable / ".pipeline/config.yaml").write_text("compact: [\n")
    (fresh.pipeline / TARGETS["log"]).unlink()

    assert run("status", fresh.root).code == ExitCode.STALE
    assert run("status", tmp_path / "missing", fresh.root).code == ExitCode.BAD_INPUT
    assert run("status", unreadable, tmp_path / "missing", fresh.root).code == ExitCode.BAD_CONFIGURATION


# The daemon itself


def test_the_daemon_says_how_it_keeps_a_project_until_it_stops(project: Project, run: Any) -> None:
    def keeps() -> bool:
        return bool(run("status", "--json", project.root).project["state"] == "ok")

    with DaemonProcess(project.root) as daemon:
        daemon.wait_for("ready")
        wait_until(keeps, "the daemon says that it keeps the project")
        found = run("status", "--json", project.root)
        assert (found.code, found.states()) == (0, all_are("fresh"))
        assert found.project["daemon"]["pid"] == daemon.process.pid
        assert found.project["daemon"]["version"] == hypo_compactd.__version__
        assert found.project["watches"]["wanted"] == found.project["watches"]["held"] > 0
        assert found.project["looks"] >= 1
        assert found.project["reason"] == ""

        daemon.stop()
    found = run("status", "--json", project.root)
    assert (found.code, found.project["state"]) == (0, "none")
    assert found.project["reason"] == "no daemon keeps this project; hypo-compactd run starts one"
    assert not (project.state_dir / NAME).exists()
    assert not pulse_file(daemon.process.pid).exists()


def test_a_daemon_that_was_killed_is_no_more_and_one_that_stands_still_is_hung(project: Project, run: Any) -> None:
    with DaemonProcess(project.root) as daemon:
        daemon.wait_for("ready")
        pid = daemon.process.pid
        wait_until(lambda: read_pulse(pid) is not None, "the daemon says that it lives")
        daemon.signal(signal.SIGSTOP)
        # As if it had stood still for a while.
        pulse = read_pulse(pid)
        assert pulse is not None
        write_pulse(replace(pulse, beat=pulse.beat - SILENCE_S - 1))
        hung = run("status", "--json", project.root)
        assert (hung.code, hung.project["state"], hung.project["fresh"]) == (ExitCode.STALE, "hung", True)

        daemon.process.kill()
        daemon.process.wait()
        killed = run("status", "--json", project.root)
        assert (killed.code, killed.project["state"], killed.project["daemon"]) == (0, "none", None)
        assert f"the daemon (process {pid}) was killed" in killed.project["reason"]


def test_a_daemon_that_may_not_write_says_so_beside_the_stale_view(project: Project, run: Any) -> None:
    set_config(project, "compact: {auto: false}\n")
    with DaemonProcess(project.root) as daemon:
        daemon.wait_for("ready")
        wait_until(lambda: read_pulse(daemon.process.pid) is not None, "the daemon says that it lives")
        stale = run("status", "--json", project.root)

    assert (stale.code, stale.states()) == (ExitCode.STALE, all_are("stale"))
    assert "compact.auto is false" in stale.project["reason"]


def test_a_project_that_vanishes_under_the_daemon_is_waited_for(project: Project, run: Any) -> None:
    with DaemonProcess(project.root) as daemon:
        daemon.wait_for("ready")
        project.pipeline.rename(project.root / "away")
        wait_until(
            lambda: run("status", "--json", project.root).project["state"] == "waiting", "the daemon says that it waits"
        )
        gone = run("status", "--json", project.root)

    assert gone.code == ExitCode.BAD_INPUT
    assert ".pipeline: no such folder" in gone.project["reason"]
