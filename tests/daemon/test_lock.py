from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from hypo_compactd import holder as holders
from hypo_compactd.errors import BusyError, InputError
from hypo_compactd.holder import Holder, listed_holder
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
def test_a_holder_s_note_that_cannot_be_read_is_no_trouble(
    project: Project, note: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(holders, "LOCKS", tmp_path / "missing")
    with daemon_lock(project):
        (project.state_dir / "daemon.json").write_bytes(note)
        with pytest.raises(BusyError, match=r"process \?"), daemon_lock(project):
            pass


def test_the_language_of_a_daemon_s_locale_is_known_while_it_holds_the_project(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    assert holders.keeper_language(project) is None
    with daemon_lock(project):
        monkeypatch.setenv("LC_ALL", "C.UTF-8")
        assert holders.keeper_language(project) == "zh-CN"
        for note in (b"{}", b'{"pid": 1, "language": ["en"]}', b'{"pid": 1, "language": "tlh"}'):
            (project.state_dir / "daemon.json").write_bytes(note)
            assert holders.keeper_language(project) is None, "a note that says nothing of use"
    assert holders.keeper_language(project) is None


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


def test_a_note_that_cannot_be_written_costs_no_lock(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(holders, "LOCKS", tmp_path / "missing")
    (project.state_dir / "daemon.json").mkdir(parents=True)

    with daemon_lock(project), pytest.raises(BusyError, match=r"process \?"), daemon_lock(project):
        pass


# Who holds the daemon's lock


@pytest.fixture(name="source", params=["list", "probe"])
def _source(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """How the holder is found: by the system's list of locks, or without one."""
    if request.param == "probe":
        monkeypatch.setattr(holders, "LOCKS", tmp_path / "missing")
    elif not Path(holders.LOCKS).exists():
        pytest.skip("the system has no list of locks")
    return str(request.param)


def test_a_project_that_no_daemon_has_ever_kept_has_no_holder(project: Project, source: str) -> None:
    assert holders.holder(project) is None
    assert not project.state_dir.exists()


def test_the_holder_is_known_while_it_lives_and_not_after_it_was_killed(project: Project, source: str) -> None:
    with holder("daemon_lock", project) as process:
        for _ in range(3):
            assert holders.holder(project) == Holder(process.pid)
        process.kill()
        process.wait()

        assert (project.state_dir / "daemon.json").exists()
        assert holders.holder(project) is None


def test_a_daemon_of_this_very_process_is_its_holder(project: Project, source: str) -> None:
    with daemon_lock(project):
        assert holders.holder(project) == Holder(os.getpid())
    assert holders.holder(project) is None


def test_a_note_of_a_process_that_lives_is_not_believed_where_the_lock_is_free(project: Project, source: str) -> None:
    with daemon_lock(project):
        pass
    (project.state_dir / "daemon.json").write_text(f'{{"pid": {os.getppid()}}}')

    assert holders.holder(project) is None


def test_the_system_is_believed_more_than_the_note(project: Project) -> None:
    if not Path(holders.LOCKS).exists():
        pytest.skip("the system has no list of locks")
    with daemon_lock(project):
        (project.state_dir / "daemon.json").write_text('{"pid": 1}')

        assert holders.holder(project) == Holder(os.getpid())


@pytest.mark.parametrize(
    "note", [b"", b"{", b"[]", b"[" * 100_000, b'{"pid": null}', b'{"pid": 0}', b'{"pid": 1e999}', b'{"pid": -1}']
)
def test_a_holder_without_a_note_is_a_holder_all_the_same(
    project: Project, note: bytes, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(holders, "LOCKS", tmp_path / "missing")
    with daemon_lock(project):
        (project.state_dir / "daemon.json").write_bytes(note)

        assert holders.holder(project) == Holder(None)


def test_a_writer_is_no_daemon(project: Project, source: str) -> None:
    with daemon_lock(project):
        pass
    with writer_lock(project):
        assert holders.holder(project) is None


def test_two_who_ask_at_once_do_not_take_each_other_for_a_daemon(project: Project, source: str) -> None:
    import fcntl

    with daemon_lock(project):
        pass
    with (project.state_dir / "daemon.lock").open() as other:
        fcntl.flock(other, fcntl.LOCK_SH)

        assert holders.holder(project) is None


def test_a_daemon_that_starts_while_somebody_asks_is_not_turned_away(project: Project) -> None:
    import fcntl
    import threading

    with daemon_lock(project):
        pass
    with (project.state_dir / "daemon.lock").open() as other:
        fcntl.flock(other, fcntl.LOCK_SH)
        with pytest.raises(BusyError), daemon_lock(project):
            pass
        threading.Timer(0.1, lambda: fcntl.flock(other, fcntl.LOCK_UN)).start()
        with daemon_lock(project):
            assert holders.holder(project) == Holder(os.getpid())


def test_asking_without_pause_turns_no_daemon_away(
    project: Project, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    import threading

    monkeypatch.setattr(holders, "LOCKS", tmp_path / "missing")
    with daemon_lock(project):
        pass
    done = threading.Event()

    def ask() -> None:
        while not done.is_set():
            holders.holder(project)

    asking = threading.Thread(target=ask)
    asking.start()
    try:
        for _ in range(200):
            with daemon_lock(project):
                pass
    finally:
        done.set()
        asking.join()


def test_a_lock_that_may_not_be_looked_at_is_said_and_not_taken_for_a_free_one(
    unprivileged: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder, as_user = unprivileged
    monkeypatch.setattr(holders, "LOCKS", tmp_path / "missing")
    project = Project(folder, folder)
    with daemon_lock(project):
        (project.state_dir / "daemon.lock").chmod(0)
        for path in (project.state_dir, *project.state_dir.parents[:2]):
            path.chmod(0o755)

        with as_user(), pytest.raises(InputError, match=r"daemon\.lock: permission denied; .*HYPO_COMPACTD_STATE_DIR"):
            holders.holder(project)


LIST = """\
1: POSIX  ADVISORY  WRITE 11 fe:00:5 0 EOF
2: FLOCK  ADVISORY  READ 12 fe:00:5 0 EOF
3: FLOCK  ADVISORY  WRITE 13 fe:00:6 0 EOF
3: -> FLOCK  ADVISORY  WRITE 14 fe:00:5 0 EOF
4: FLOCK  ADVISORY  WRITE 15 fe:01:5 0 EOF
5: FLOCK  ADVISORY  WRITE 16 103:10000:7 0 EOF
6: FLOCK  ADVISORY  WRITE -1 fe:00:8 0 EOF
7: FLOCK  ADVISORY  WRITE 0 fe:00:9 0 EOF
8: FLOCK
"""


@pytest.mark.parametrize(
    ("major", "minor", "inode", "pid"),
    [
        (0xFE, 0, 5, None),
        (0xFE, 0, 6, 13),
        (0xFE, 1, 5, 15),
        (0xFD, 0, 6, None),
        (0xFE, 1, 6, None),
        (0x103, 0x10000, 7, 16),
        (0xFE, 0, 8, None),
        (0xFE, 0, 9, None),
        (0xFE, 0, 66, None),
    ],
)
def test_only_the_exclusive_lock_of_that_very_file_counts(major: int, minor: int, inode: int, pid: int | None) -> None:
    assert listed_holder(LIST.splitlines(), os.makedev(major, minor), inode) == pid
