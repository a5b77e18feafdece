from __future__ import annotations

import os
import resource
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hypo_compactd.errors import RefusedError
from hypo_compactd.writer import (
    TEMPORARY,
    sweep_temporary,
    touch_view,
    withdraw_view,
    write_private,
    write_view,
)
from support.views import sources

VIEW = ".pipeline/state.compact.yaml"


@pytest.fixture(name="root")
def _root(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / ".pipeline").mkdir(parents=True)
    return root


@pytest.fixture(name="umask")
def _umask() -> Iterator[Callable[[int], int]]:
    before = os.umask(0o022)
    yield os.umask
    os.umask(before)


def write(root: Path, data: bytes, not_before_ns: int = 0) -> None:
    write_view(root, VIEW, data, not_before_ns=not_before_ns)


def names(root: Path) -> list[str]:
    return sorted(path.name for path in (root / ".pipeline").iterdir())


@pytest.mark.parametrize("data", [b"", b"a: 1\n", "中文\n".encode() * 10_000, b"\0\xff"])
def test_a_view_is_written_whole_and_nothing_else_is_left(root: Path, data: bytes) -> None:
    for _ in range(2):
        write(root, data)

        assert (root / VIEW).read_bytes() == data
        assert names(root) == ["state.compact.yaml"]


def test_the_signature_is_that_of_the_file_that_stands(root: Path) -> None:
    signature = write_view(root, VIEW, b"a: 1\n", not_before_ns=0)
    status = (root / VIEW).stat()

    assert signature == (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)


def test_a_reader_that_has_the_old_view_open_keeps_it_whole(root: Path) -> None:
    write(root, b"old")
    with (root / VIEW).open("rb") as stream:
        write(root, b"new and longer")

        assert stream.read() == b"old"


def test_a_reader_never_meets_anything_but_a_whole_view(root: Path) -> None:
    texts = [b"a" * 100_000, b"b" * 50_000]
    write(root, texts[0])
    stop = threading.Event()
    seen: set[bytes] = set()

    def read() -> None:
        while not stop.is_set():
            seen.add((root / VIEW).read_bytes())

    thread = threading.Thread(target=read)
    thread.start()
    for number in range(50):
        write(root, texts[number % 2])
    stop.set()
    thread.join()

    assert seen <= set(texts)


@pytest.mark.parametrize(("mask", "mode"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
def test_a_new_view_has_the_permissions_of_any_new_file(
    root: Path, umask: Callable[[int], int], mask: int, mode: int
) -> None:
    umask(mask)
    write(root, b"x")

    assert (root / VIEW).stat().st_mode & 0o7777 == mode


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o444, 0o755])
def test_an_old_view_keeps_its_permissions(root: Path, umask: Callable[[int], int], mode: int) -> None:
    (root / VIEW).write_text("old")
    (root / VIEW).chmod(mode)
    write(root, b"new")

    assert (root / VIEW).stat().st_mode & 0o7777 == mode
    assert (root / VIEW).read_bytes() == b"new"


def test_another_name_of_the_old_view_keeps_what_it_held(root: Path) -> None:
    other = root / "hard-link"
    other.write_text("not ours")
    os.link(other, root / VIEW)
    write(root, b"new")

    assert other.read_text() == "not ours"


def test_a_view_is_no_older_than_its_sources_and_no_younger_than_now_without_need(root: Path) -> None:
    future = 4_000_000_000 * 10**9 + 123_456_789
    write(root, b"x", future)
    assert (root / VIEW).stat().st_mtime_ns == future

    write(root, b"x", 1)
    assert 1 < (root / VIEW).stat().st_mtime_ns < future


def test_touching_raises_the_time_and_nothing_else(root: Path) -> None:
    (root / VIEW).write_text("x")
    os.utime(root / VIEW, ns=(5, 5))
    before = (root / VIEW).stat()
    signature = touch_view(root, VIEW, not_before_ns=9)
    after = (root / VIEW).stat()

    assert (after.st_ino, after.st_mode, after.st_size) == (before.st_ino, before.st_mode, before.st_size)
    assert after.st_mtime_ns == 9
    assert signature == (after.st_dev, after.st_ino, after.st_size, 9)
    touch_view(root, VIEW, not_before_ns=3)
    assert (root / VIEW).stat().st_mtime_ns == 9


def test_a_view_that_went_away_cannot_be_touched(root: Path) -> None:
    assert touch_view(root, VIEW, not_before_ns=9) is None
    (root / VIEW).mkdir()
    assert touch_view(root, VIEW, not_before_ns=9) is None


def link_to_outside(path: Path) -> None:
    (path.parent.parent.parent / "outside").write_text("theirs")
    path.symlink_to(path.parent.parent.parent / "outside")


def link_to_inside(path: Path) -> None:
    (path.parent / "other.md").write_text("theirs")
    path.symlink_to("other.md")


def folder_with_a_file(path: Path) -> None:
    path.mkdir()
    (path / "theirs").write_text("theirs")


OTHERS: list[tuple[Callable[[Path], object], str]] = [
    (link_to_outside, "is a symbolic link, not a file"),
    (link_to_inside, "is a symbolic link, not a file"),
    (lambda path: path.symlink_to("nowhere"), "is a symbolic link, not a file"),
    (lambda path: path.symlink_to(path.name), "is a symbolic link, not a file"),
    (folder_with_a_file, "is a folder, not a file"),
    (os.mkfifo, "is a FIFO, not a file"),
]


def picture(folder: Path) -> dict[str, tuple[int, int, bytes]]:
    """What stands in a folder, links not followed."""
    found = {}
    for path in folder.rglob("*"):
        status = path.lstat()
        found[os.fspath(path)] = (
            status.st_ino,
            status.st_mtime_ns,
            path.read_bytes() if path.is_file() else b"",
        )
    return found


@pytest.mark.parametrize(
    ("make", "reason"), OTHERS, ids=[f"{number} {reason}" for number, (_, reason) in enumerate(OTHERS)]
)
@pytest.mark.parametrize("act", ["write", "withdraw"])
def test_anything_but_a_file_in_a_view_s_place_is_refused_and_untouched(
    root: Path, tmp_path: Path, make: Callable[[Path], object], reason: str, act: str
) -> None:
    make(root / VIEW)
    before = picture(tmp_path)

    with pytest.raises(RefusedError, match=f"{reason}; it is left as it is, so remove it"):
        write(root, b"new", 2**62) if act == "write" else withdraw_view(root, VIEW)
    after = picture(tmp_path)
    assert {path: state[::2] for path, state in after.items()} == {path: state[::2] for path, state in before.items()}
    assert after.get(os.fspath(tmp_path / "outside")) == before.get(os.fspath(tmp_path / "outside"))


def test_a_folder_outside_the_project_is_refused(root: Path, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/state.compact.yaml").write_text("theirs")
    (root / ".pipeline").rmdir()
    (root / ".pipeline").symlink_to(tmp_path / "outside")

    with pytest.raises(RefusedError, match="leads out of the project"):
        write(root, b"new")
    with pytest.raises(RefusedError, match="leads out of the project"):
        withdraw_view(root, VIEW)
    assert touch_view(root, VIEW, not_before_ns=2**62) is None
    assert sweep_temporary(root, {".pipeline"}) == 0
    assert (tmp_path / "outside/state.compact.yaml").read_text() == "theirs"


def test_a_missing_folder_is_not_made(root: Path) -> None:
    with pytest.raises(FileNotFoundError):
        write_view(root, ".pipeline/knowledge/knowledge.compact.md", b"x", not_before_ns=0)
    assert withdraw_view(root, ".pipeline/knowledge/knowledge.compact.md") is False
    assert names(root) == []


def test_withdrawing_removes_the_view_once(root: Path) -> None:
    write(root, b"x")

    assert withdraw_view(root, VIEW) is True
    assert withdraw_view(root, VIEW) is False
    assert names(root) == []


LIMITED = """
import resource, sys
from pathlib import Path
from hypo_compactd.writer import write_view
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    write_view(Path(sys.argv[1]), sys.argv[2], b"n" * 100_000, not_before_ns=0)
except OSError as error:
    sys.exit(f"refused: {error.errno}")
"""


def test_a_view_that_does_not_fit_leaves_the_old_one_and_no_temporary_file(root: Path) -> None:
    assert hasattr(resource, "RLIMIT_FSIZE")
    write(root, b"old")
    command = [sys.executable, "-c", LIMITED, os.fspath(root), VIEW]
    result = subprocess.run(command, capture_output=True, text=True, check=False)

    assert result.stderr.startswith("refused: ")
    assert (root / VIEW).read_bytes() == b"old"
    assert names(root) == ["state.compact.yaml"]


def test_a_folder_that_may_not_be_written_leaves_the_old_view(unprivileged: Any) -> None:
    folder, as_user = unprivileged
    (folder / ".pipeline").mkdir()
    write(folder, b"old")
    (folder / ".pipeline").chmod(0o555)

    with as_user():
        with pytest.raises(PermissionError):
            write(folder, b"new")
        with pytest.raises(PermissionError):
            withdraw_view(folder, VIEW)
    assert (folder / VIEW).read_bytes() == b"old"
    assert names(folder) == ["state.compact.yaml"]


@pytest.mark.parametrize("call", ["write", "fsync", "rename", "utime", "fchmod"])
@pytest.mark.parametrize(
    "error", [OSError(28, "No space left on device"), KeyboardInterrupt()], ids=["full", "stopped"]
)
def test_whatever_fails_half_way_leaves_the_old_view_and_no_temporary_file(
    root: Path, call: str, error: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(root, b"old")

    def fail(*_: object, **__: object) -> None:
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(os, call, fail)
        with pytest.raises(type(error)):
            write(root, b"new", 2**62)
    assert (root / VIEW).read_bytes() == b"old"
    assert names(root) == ["state.compact.yaml"]


def test_a_system_that_takes_only_some_bytes_at_a_time_gets_them_all(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_some = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: write_some(descriptor, data[:7]))
    write(root, b"0123456789" * 10)

    assert (root / VIEW).read_bytes() == b"0123456789" * 10


def test_temporary_files_of_killed_processes_are_swept_and_nothing_else(root: Path) -> None:
    folder = root / ".pipeline"
    for name in (f"{TEMPORARY}1-ab.tmp", f"{TEMPORARY}2-cd.tmp"):
        (folder / name).write_text("half")
    kept = ["state.yaml", f"{TEMPORARY}notes.md", "x.tmp", ".other-1.tmp", "state.compact.yaml"]
    for name in kept:
        (folder / name).write_text("theirs")
    (folder / f"{TEMPORARY}folder.tmp").mkdir()
    before = sources(root)

    assert sweep_temporary(root, {".pipeline", ".pipeline/missing"}) == 2
    assert names(root) == sorted([*kept, f"{TEMPORARY}folder.tmp"])
    assert sweep_temporary(root, {".pipeline"}) == 0
    assert {path for path in before if "tmp" not in path} <= set(sources(root))


def test_a_temporary_name_is_one_that_no_reader_takes_for_a_source(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from fnmatch import fnmatchcase

    from hypo_compactd.reader import IGNORED

    made: list[str] = []
    rename = os.rename

    def note(old: str, new: str, **folders: int) -> None:
        made.append(old)
        rename(old, new, **folders)

    monkeypatch.setattr(os, "rename", note)
    write(root, b"x")

    (name,) = made
    assert name.startswith(TEMPORARY)
    assert any(fnmatchcase(name, ignored) for ignored in IGNORED)


def test_our_own_files_are_replaced_whole(tmp_path: Path) -> None:
    path = tmp_path / "a/b/manifest.json"
    write_private(path, b"old")
    write_private(path, b"new")

    assert path.read_bytes() == b"new"
    assert [each.name for each in path.parent.iterdir()] == ["manifest.json"]


def test_our_own_file_that_cannot_be_written_stays_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "manifest.json"
    write_private(path, b"old")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OSError, match="No space"):
        write_private(path, b"new")
    assert path.read_bytes() == b"old"
    assert [each.name for each in tmp_path.iterdir()] == ["manifest.json"]
