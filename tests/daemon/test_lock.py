from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from hypo_compactd.errors import BusyError, InputError
from hypo_compactd.lock import daemon_lock, writer_lock
from hypo_compactd.paths import Project

HOLD = """
import sys
from pathlib import Path
from hypo_compactd import lock
from hypo_compactd.paths import Project
root = Path(sys.argv[2])
with getattr(lock, sys.argv[1])(Project(root, root)):
    print("held", flush=True)
    sys.stdin.read()
"""


@contextmanager
def holder(kind: str, project: Project) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", HOLD, kind, os.fspath(project.root)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        try:
            yield process
        finally:
            process.kill()


def test_a_second_daemon_is_refused_and_told_which_process_holds_the_project(project: Project) -> None:
    with (
        holder("daemon_lock", project) as process,
        pytest.raises(BusyError, match=rf"project: another .* daemon keeps this project \(process {process.pid}\)"),
        daemon_lock(project),
    ):
        pass


def test_a_second_writer_waits_and_is_told_which_process_writes(project: Project) -> None:
    with (
        holder("writer_lock", project) as process,
        pytest.raises(BusyError, match=rf"being written by another process \(process {process.pid}\); try again"),
        writer_lock(project, wait_s=0.1),
    ):
        pass


def test_a_writer_may_write_while_a_daemon_keeps_the_project(project: Project) -> None:
    with holder("daemon_lock", project), writer_lock(project, wait_s=0):
        pass


def test_two_projects_are_held_at_once(project: Project, tmp_path: Path) -> None:
    other = Project(tmp_path, tmp_path)

    with daemon_lock(project), daemon_lock(other), writer_lock(project), writer_lock(other):
        pass


def test_a_lock_within_one_process_excludes_too(project: Project) -> None:
    with daemon_lock(project), pytest.raises(BusyError, match=f"process {os.getpid()}"), daemon_lock(project):
        pass


@pytest.mark.parametrize("kind", ["daemon_lock", "writer_lock"])
def test_a_lock_ends_with_a_holder_that_is_killed(project: Project, kind: str) -> None:
    with holder(kind, project) as process:
        process.kill()
        process.wait()

        with daemon_lock(project), writer_lock(project, wait_s=0):
            pass


def test_a_lock_can_be_taken_again_after_it_was_given_back_and_after_an_error(project: Project) -> None:
    with pytest.raises(ZeroDivisionError), daemon_lock(project):
        raise ZeroDivisionError
    for _ in range(2):
        with daemon_lock(project):
            pass


@pytest.mark.parametrize("note", [b"", b"{", b"[]", b'{"pid": null}', b'{"pid": "x"}', b"\xff"])
def test_a_holder_s_note_that_cannot_be_read_is_no_trouble(project: Project, note: bytes) -> None:
    with daemon_lock(project):
        (project.state_dir / "daemon.json").write_bytes(note)
        with pytest.raises(BusyError, match="process unknown"), daemon_lock(project):
            pass


def test_nothing_is_made_inside_the_project(project: Project) -> None:
    before = sorted(project.root.rglob("*"))
    with daemon_lock(project), writer_lock(project):
        pass

    assert sorted(project.root.rglob("*")) == before


def test_a_lock_file_is_never_removed_since_another_process_may_wait_on_it(project: Project) -> None:
    with daemon_lock(project):
        before = (project.state_dir / "daemon.lock").stat().st_ino
    with daemon_lock(project):
        assert (project.state_dir / "daemon.lock").stat().st_ino == before
    assert (project.state_dir / "daemon.lock").exists()


def test_our_folder_is_for_its_owner_alone(project: Project) -> None:
    with daemon_lock(project):
        assert project.state_dir.stat().st_mode & 0o077 == 0


def test_a_state_folder_that_cannot_be_made_is_named_with_what_to_do(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("HYPO_COMPACTD_STATE_DIR", os.fspath(tmp_path / "file"))

    with (
        pytest.raises(InputError, match=r"file/projects/.*: not a directory; .*HYPO_COMPACTD_STATE_DIR"),
        daemon_lock(project),
    ):
        pass


def test_a_state_folder_that_may_not_be_written_is_named_with_what_to_do(unprivileged: Any) -> None:
    folder, as_user = unprivileged
    project = Project(folder, folder)
    (folder / "state").mkdir(mode=0o555)

    with (
        as_user(),
        pytest.raises(InputError, match=r"permission denied; .*HYPO_COMPACTD_STATE_DIR"),
        daemon_lock(project),
    ):
        pass


def test_a_note_that_cannot_be_written_costs_no_lock(project: Project) -> None:
    (project.state_dir / "daemon.json").mkdir(parents=True)

    with daemon_lock(project), pytest.raises(BusyError, match="process unknown"), daemon_lock(project):
        pass
