"""What `status` says of views and daemons in every condition: only what is true, whoever is dead, hung or mistaken."""

from __future__ import annotations

import json
import os
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import hypo_compactd
from hypo_compactd.errors import ExitCode
from hypo_compactd.judge import SILENCE_S
from hypo_compactd.paths import Project
from hypo_compactd.status import NAME, Standing, pulse_file, read_pulse, write_pulse
from hypo_strategies.api import Finding
from hypo_strategies.text.phrase import Phrase
from support.daemon_process import DaemonProcess, wait_until
from support.status_runs import Run, all_are, kept, run, says, set_config
from support.views import TARGETS


@pytest.fixture(name="fresh")
def _fresh(project: Project) -> Project:
    """A project whose views are all current."""
    assert run("compact", "-q", project.root).code == 0
    return project


def test_views_that_were_never_made_are_stale(project: Project) -> None:
    stale = run("status", "--json", project.root)

    assert stale.code == ExitCode.STALE
    assert stale.states() == all_are("stale")
    assert stale.project["fresh"] is False
    assert stale.err == ""


def test_views_that_are_current_are_fresh_and_no_daemon_is_no_error(fresh: Project) -> None:
    found = run("status", "--json", fresh.root)

    assert found.code == 0
    assert found.states() == all_are("fresh")
    assert found.project["fresh"] is True
    assert (found.project["state"], found.project["daemon"]) == ("none", None)
    assert found.project["reason"] == "no daemon keeps this project; hypo-compactd run starts one"


def test_a_changed_source_makes_its_views_stale(fresh: Project) -> None:
    with (fresh.pipeline / "PROGRESS.md").open("a", encoding="utf-8") as progress:
        progress.write("\n## 下一步\n\n- sew the second signature\n")
    stale = run("status", "--json", fresh.root)

    assert stale.code == ExitCode.STALE
    assert stale.states() == all_are("fresh") | {"progress": "stale"}


def test_a_view_edited_by_hand_is_stale_even_where_its_size_and_time_are_the_same(fresh: Project) -> None:
    view = fresh.pipeline / TARGETS["log"]
    status = view.stat()
    view.write_bytes(view.read_bytes()[:-2] + b"?\n")
    os.utime(view, ns=(status.st_atime_ns, status.st_mtime_ns))
    stale = run("status", "--json", fresh.root)

    assert view.stat().st_size == status.st_size
    assert stale.code == ExitCode.STALE
    assert stale.states() == all_are("fresh") | {"log": "stale"}


def test_a_view_whose_source_is_gone_is_stale_until_it_is_withdrawn(fresh: Project) -> None:
    (fresh.pipeline / "PROGRESS.md").unlink()
    assert run("status", "--json", fresh.root).states()["progress"] == "stale"

    run("compact", "-q", fresh.root)
    absent = run("status", "--json", fresh.root)
    assert absent.code == 0
    assert absent.states() == all_are("fresh") | {"progress": "absent"}
    assert absent.project["fresh"] is True


@pytest.mark.parametrize("made", [True, False])
def test_a_source_that_is_no_yaml_and_not_utf_8_is_a_failure_with_its_place(project: Project, *, made: bool) -> None:
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


def test_a_warning_alone_leaves_a_view_fresh(project: Project) -> None:
    (project.pipeline / "reports/odd.report.md").mkdir()
    run("compact", "-q", project.root)
    found = run("status", "--json", project.root)

    assert found.code == 0
    assert found.states() == all_are("fresh")
    assert [finding["severity"] for finding in found.view("reports")["findings"]] == ["warning"]


def test_a_folder_in_the_place_of_a_view_is_a_failure(project: Project) -> None:
    (project.pipeline / TARGETS["log"]).mkdir()
    failed = run("status", "--json", project.root)

    assert failed.code == ExitCode.STALE
    assert failed.states()["log"] == "failed"
    assert "is a folder" in failed.view("log")["findings"][0]["message"]


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("fifo", "is a FIFO, not a file"),
        ("folder", "is a folder, not a file"),
        ("large", "is larger than the limit of 2 MiB"),
        ("link", "is a symbolic link that leads out of the project"),
    ],
)
def test_a_source_that_is_no_readable_file_is_a_failure(
    fresh: Project, tmp_path: Path, kind: str, message: str
) -> None:
    path = fresh.pipeline / "state.yaml"
    path.unlink()
    if kind == "fifo":
        os.mkfifo(path)
    if kind == "folder":
        path.mkdir()
    if kind == "large":
        path.write_bytes(b"#" * (2 * 1024 * 1024 + 1))
    if kind == "link":
        (tmp_path / "secret").write_text("a: 1\n")
        path.symlink_to(tmp_path / "secret")
    failed = run("status", "--json", fresh.root)

    assert failed.code == ExitCode.STALE
    assert failed.states()["state"] == "failed"
    (finding,) = [one for one in failed.view("state")["findings"] if one["severity"] == "error"]
    assert (finding["file"], finding["message"]) == (".pipeline/state.yaml", message)


def test_a_source_that_may_not_be_read_is_a_failure(unprivileged: Any, project: Project) -> None:
    folder, as_user = unprivileged
    root = shutil.copytree(project.root, folder / "p")
    (root / ".pipeline/state.yaml").chmod(0)
    with as_user():
        failed = run("status", "--json", root)

    assert failed.code == ExitCode.STALE
    assert failed.states()["state"] == "failed"
    assert failed.view("state")["findings"][0]["message"] == "permission denied"


# With a daemon


@pytest.mark.parametrize("pending", [True, False])
def test_a_stale_view_is_stale_also_while_a_daemon_runs(fresh: Project, *, pending: bool) -> None:
    (fresh.pipeline / TARGETS["log"]).unlink()
    with kept(fresh, pending=pending):
        stale = run("status", "--json", fresh.root)

    assert stale.code == ExitCode.STALE
    assert stale.states()["log"] == "stale"
    assert stale.project["state"] == "ok"


def test_why_a_running_daemon_cannot_write_a_view_is_said(fresh: Project) -> None:
    (fresh.pipeline / TARGETS["log"]).unlink()
    place = f".pipeline/{TARGETS['log']}"
    errors = (
        ("log", Finding(place, Phrase("no space left on device"))),
        ("state", Finding(".pipeline/state.yaml", Phrase("of an earlier look"))),
    )
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


def test_what_a_running_daemon_last_said_of_a_source_is_left_to_our_own_look(fresh: Project) -> None:
    (fresh.pipeline / TARGETS["log"]).unlink()
    with kept(fresh, errors=(("log", Finding(".pipeline/log.yaml", Phrase("an entry cannot be read"), 3)),)):
        stale = run("status", "--json", fresh.root)

    assert stale.states()["log"] == "stale"
    assert stale.view("log")["findings"] == []


def test_what_a_hung_daemon_could_not_write_once_is_no_reason_today(fresh: Project) -> None:
    (fresh.pipeline / TARGETS["log"]).unlink()
    error = Finding(f".pipeline/{TARGETS['log']}", Phrase("no space left on device"))
    with kept(fresh, silent_s=SILENCE_S + 5, errors=(("log", error),)):
        stale = run("status", "--json", fresh.root)

    assert stale.states()["log"] == "stale"
    assert stale.view("log")["findings"] == []


def test_views_that_another_program_keeps_writing_are_named(fresh: Project) -> None:
    with kept(fresh, contested=("log", "state")):
        found = run("status", "--json", fresh.root)

    assert found.project["contested"] == ["log", "state"]
    assert found.project["reason"] == "another program keeps writing: log, state"


def test_a_daemon_of_another_version_is_to_be_started_anew(fresh: Project) -> None:
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
    project: Project, text: str, reason: str
) -> None:
    set_config(project, text)
    assert reason not in run("status", "--json", project.root).project["reason"]

    with kept(project):
        stale = run("status", "--json", project.root)
    assert stale.code == ExitCode.STALE
    assert stale.states()["knowledge"] == "stale"
    assert reason in stale.project["reason"]


def test_a_number_that_another_process_has_now_is_no_daemon(fresh: Project) -> None:
    says(fresh, os.getpid())
    (fresh.state_dir / "daemon.json").write_text(json.dumps({"pid": os.getpid()}))
    found = run("status", "--json", fresh.root)

    assert (found.project["state"], found.project["daemon"]) == ("none", None)


@pytest.mark.parametrize("change", [{"boot": "another"}, {"pid": 1}])
def test_a_report_of_another_boot_or_process_is_not_believed_of_the_one_that_runs(
    fresh: Project, change: dict[str, Any]
) -> None:
    with kept(fresh, standing=Standing.PARTIAL, **change) as process:
        found = run("status", "--json", fresh.root)

    assert found.code == 0
    assert (found.project["state"], found.project["daemon"]["pid"]) == ("starting", process.pid)
    assert found.project["looks"] is None


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"schema": 2}', b"\xff", b"[" * 100_000])
def test_status_files_that_cannot_be_used_cost_nothing_but_what_they_say(fresh: Project, data: bytes) -> None:
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
    fresh: Project, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("hypo_compactd.holder.LOCKS", tmp_path / "missing")
    with kept(fresh) as process:
        assert run("status", "--json", fresh.root).project["daemon"]["pid"] == process.pid

        (fresh.state_dir / "daemon.json").unlink()
        found = run("status", "--json", fresh.root)
        assert (found.project["state"], found.project["daemon"]["pid"]) == ("ok", process.pid)


def test_our_own_folder_that_does_not_let_us_see_is_bad_input(
    unprivileged: Any, project: Project, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder, as_user = unprivileged
    monkeypatch.setattr("hypo_compactd.holder.LOCKS", tmp_path / "missing")
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


def test_a_project_that_was_removed_while_a_daemon_keeps_it_is_told_of_as_the_daemon_sees_it(fresh: Project) -> None:
    with kept(fresh, standing=Standing.WAITING, reason=Phrase("no such folder")):
        shutil.rmtree(fresh.root)
        for name in (fresh.root, fresh.pipeline):
            gone = run("status", "--json", name)

            assert gone.code == ExitCode.BAD_INPUT
            assert gone.project["state"] == "waiting"
            assert gone.project["daemon"]["threads"] == 6
            assert gone.project["reason"].startswith(f"{name}: no such folder; give")


# With the real daemon: what is done, and what is true then


@contextmanager
def running(project: Project) -> Iterator[DaemonProcess]:
    """The real daemon keeps the project, and has said so."""
    with DaemonProcess(project.root) as daemon:
        daemon.wait_for("ready")
        wait_until(lambda: seen(project).project["state"] == "ok", "the daemon says that it keeps the project")
        yield daemon


@contextmanager
def standing_still(project: Project, silent_s: float = 0.0) -> Iterator[DaemonProcess]:
    """The real daemon stands still, as if it had for `silent_s` seconds."""
    with running(project) as daemon:
        daemon.signal(signal.SIGSTOP)
        pulse = read_pulse(daemon.process.pid)
        assert pulse is not None
        write_pulse(replace(pulse, beat=pulse.beat - silent_s))
        yield daemon


@contextmanager
def stopped(project: Project) -> Iterator[DaemonProcess]:
    with running(project) as daemon:
        assert daemon.stop() == 0
        yield daemon


@contextmanager
def killed(project: Project) -> Iterator[DaemonProcess]:
    with running(project) as daemon:
        daemon.process.kill()
        daemon.process.wait()
        yield daemon


@contextmanager
def hung(project: Project) -> Iterator[DaemonProcess]:
    with standing_still(project, SILENCE_S + 1) as daemon:
        yield daemon


def seen(project: Project) -> Run:
    return run("status", "--json", project.root)


def nothing(_: Project, _pid: int) -> None:
    pass


def a_source_changes(project: Project, _: int) -> None:
    with (project.pipeline / "PROGRESS.md").open("a", encoding="utf-8") as progress:
        progress.write("\n## 下一步\n\n- sew the second signature\n")


def a_view_is_edited(project: Project, _: int) -> None:
    (project.pipeline / TARGETS["log"]).write_text("edited: true\n")


def the_project_is_removed(project: Project, _: int) -> None:
    shutil.rmtree(project.root)


def the_pipeline_is_moved_away(project: Project, _: int) -> None:
    project.pipeline.rename(project.root / "away")


def the_pipeline_is_emptied(project: Project, _: int) -> None:
    shutil.rmtree(project.pipeline)
    project.pipeline.mkdir()


def a_source_becomes_a_fifo(project: Project, _: int) -> None:
    (project.pipeline / "state.yaml").unlink()
    os.mkfifo(project.pipeline / "state.yaml")


def the_status_file_is_cut(project: Project, _: int) -> None:
    path = project.state_dir / NAME
    path.write_bytes(path.read_bytes()[:40])


def the_status_file_is_gone(project: Project, _: int) -> None:
    (project.state_dir / NAME).unlink()


def the_files_are_an_older_version_s(project: Project, pid: int) -> None:
    """It did not know of all that this one writes, and says which version it is."""
    for path, left_out in ((project.state_dir / NAME, "contested"), (pulse_file(pid), "")):
        data = json.loads(path.read_bytes()) | {"version": "0.0.1"}
        path.write_text(json.dumps({key: value for key, value in data.items() if key != left_out}))


TRUTH = [
    # the daemon, what is done then, exit code, state, whether all views are fresh, words of the reason
    (running, nothing, 0, "ok", True, ""),
    (running, a_source_changes, 0, "ok", True, ""),
    (running, a_view_is_edited, 0, "ok", True, ""),
    (running, a_source_becomes_a_fifo, 3, "ok", False, ""),
    (running, the_pipeline_is_moved_away, 65, "waiting", False, ".pipeline: no such folder"),
    (running, the_pipeline_is_emptied, 65, "waiting", False, ".pipeline: is empty"),
    (running, the_project_is_removed, 65, "waiting", False, "no such folder; give the folder that holds .pipeline/"),
    (stopped, nothing, 0, "none", True, "no daemon keeps this project"),
    (stopped, a_source_changes, 3, "none", False, "no daemon keeps this project"),
    (stopped, the_project_is_removed, 65, "none", False, "no such folder"),
    (killed, nothing, 0, "none", True, "(process {pid}) was killed or died"),
    (killed, a_source_changes, 3, "none", False, "(process {pid}) was killed or died"),
    (killed, a_view_is_edited, 3, "none", False, "(process {pid}) was killed or died"),
    (killed, the_status_file_is_cut, 0, "none", True, "no daemon keeps this project"),
    (hung, nothing, 3, "hung", True, "(process {pid}) has given no sign of life for"),
    (hung, a_source_changes, 3, "hung", False, "(process {pid}) has given no sign of life for"),
    (hung, the_project_is_removed, 65, "hung", False, "(process {pid}) has given no sign of life for"),
    (standing_still, nothing, 0, "ok", True, ""),
    (standing_still, a_source_changes, 3, "ok", False, ""),
    (standing_still, a_view_is_edited, 3, "ok", False, ""),
    (standing_still, the_status_file_is_cut, 0, "starting", True, "(process {pid}) has just started, or its status"),
    (standing_still, the_status_file_is_gone, 0, "starting", True, "(process {pid}) has just started, or its status"),
    (standing_still, the_files_are_an_older_version_s, 0, "starting", True, "the daemon is version 0.0.1"),
]


@pytest.mark.parametrize(
    ("daemon", "change", "code", "state", "is_fresh", "reason"),
    TRUTH,
    ids=[f"{daemon.__name__}-{change.__name__}" for daemon, change, *_ in TRUTH],
)
def test_with_the_daemon(
    project: Project, daemon: Any, change: Any, code: int, state: str, reason: str, *, is_fresh: bool
) -> None:
    with daemon(project) as process:
        pid = process.process.pid
        change(project, pid)
        found = seen(project)

        def holds() -> bool:
            nonlocal found
            found = seen(project)
            one = found.project
            return (found.code, one["state"], one["fresh"]) == (code, state, is_fresh)

        # Only a daemon that runs does anything; of all others the truth is there at once.
        if daemon is running:
            wait_until(holds, f"status says {state}")
        assert holds(), found.out
        assert reason.format(pid=pid) in found.project["reason"]
        assert found.project["reason"] or not reason
        assert (found.project["daemon"] or {}).get("pid") == (None if state == "none" else pid)


def test_what_the_daemon_counts_is_told_while_it_runs_and_nothing_is_left_when_it_stops(project: Project) -> None:
    with running(project) as daemon:
        found = seen(project)
        assert found.states() == all_are("fresh")
        assert found.project["reason"] == ""
        assert found.project["daemon"]["version"] == hypo_compactd.__version__
        assert found.project["watches"]["wanted"] == found.project["watches"]["held"] > 0
        assert found.project["backend"] not in {None, "polling", "sweep"}
        assert found.project["looks"] >= 1

        assert daemon.stop() == 0
    assert not (project.state_dir / NAME).exists()
    assert not pulse_file(daemon.process.pid).exists()


def test_a_daemon_that_may_not_write_says_so_beside_the_stale_view(project: Project) -> None:
    set_config(project, "compact: {auto: false}\n")
    with DaemonProcess(project.root) as daemon:
        daemon.wait_for("ready")
        wait_until(lambda: read_pulse(daemon.process.pid) is not None, "the daemon says that it lives")
        stale = seen(project)

    assert (stale.code, stale.states()) == (ExitCode.STALE, all_are("stale"))
    assert "compact.auto is false" in stale.project["reason"]
