"""Files that are no text, no file at all, or not for us to read: watching.md, cases 22 and 23.

Tested here: each in the place of a source and beside others in a folder of sources, put there while the daemon runs,
and gone again. What the views say of them is left to the tests of the strategies.
"""

from __future__ import annotations

import os
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from support.scene import EVENTS_ALONE, QUICK, Scene
from support.views import views

MEGABYTE = 1024 * 1024

POWERLESS = ("setpriv", "--inh-caps=-all", "--bounding-set=-all", "--")
"""For root: to be bound by the permissions of files like everybody else."""


def fifo(path: Path) -> None:
    os.mkfifo(path)


def socket_file(path: Path) -> None:
    # The path of a socket may have 108 bytes only; from its own folder any will do.
    here = Path.cwd()
    os.chdir(path.parent)
    try:
        with socket.socket(socket.AF_UNIX) as one:
            one.bind(path.name)
    finally:
        os.chdir(here)


def folder(path: Path) -> None:
    path.mkdir()


def fifty_megabytes(path: Path) -> None:
    with path.open("wb") as stream:
        stream.truncate(50 * MEGABYTE)


def nul_bytes(path: Path) -> None:
    path.write_bytes(b"# Board\0\n\n\0\0 12:00 sewn\0\n" + bytes(500))


def no_utf8(path: Path) -> None:
    path.write_bytes(b"# Board\n\n12:00 \xff\xfe caf\xe9 \xed\xa0\x80 sewn\n")


def marked(path: Path) -> None:
    path.write_bytes(b"\xef\xbb\xbf# Board\n\n12:00 sewn\n")


def carriage_returns(path: Path) -> None:
    path.write_bytes(b"# Board\r\n\r\n12:00 sewn\r\n\r12:01 glued\r")


REFUSED: dict[Callable[[Path], None], str] = {
    fifo: "is a FIFO",
    socket_file: "is a socket",
    folder: "is a folder",
    fifty_megabytes: "larger than the limit",
}
TAKEN = (nul_bytes, no_utf8, marked, carriage_returns)
NAMES = (b"caf\xe9", b"new\nline", b"\x1b[2J", "字".encode() * 70, b"' \"$(x)`")


def view_of(found: dict[str, Any], name: str) -> dict[str, Any]:
    (one,) = (view for view in found["views"] if view["name"] == name)
    return dict(one)


def lives(scene: Scene) -> None:
    """Make sure that the daemon still follows the other sources."""
    scene.append(
        '  - id: ODD\n    type: step\n    status: done\n    timestamp: "2031-01-01T00:00:00+08:00"\n', file="log.yaml"
    )
    scene.settle()


@pytest.mark.parametrize("make", REFUSED, ids=lambda make: make.__name__)
def test_what_is_no_source_is_refused_with_the_reason_and_costs_no_other_view(
    scene: Scene, make: Callable[[Path], None]
) -> None:
    """Case 22: in the place of a source, and among others."""
    board = scene.pipeline / "PROGRESS.md"
    away = scene.scratch / "board"
    others = [scene.pipeline / "reports" / "98-odd.report.md", scene.pipeline / "knowledge" / "records" / "odd.yaml"]
    with scene.daemon(*EVENTS_ALONE) as daemon:
        board.rename(away)
        for path in (board, *others):
            make(path)
        lives(scene)
        progress = view_of(scene.expect("ok", missed=0), "progress")

        assert progress["state"] == "failed"
        assert REFUSED[make] in progress["findings"][0]["message"]
        assert REFUSED[make] in str(daemon.wait_for("findings")["findings"])

        for path in (board, *others):
            path.rmdir() if make is folder else path.unlink()
        away.rename(board)
        scene.settle()
        scene.expect("ok", fresh=True, missed=0)


def test_bytes_that_are_no_clean_text_are_taken(scene: Scene) -> None:
    """Case 22: NUL bytes, no UTF-8, byte order mark, carriage returns; in the place of a source, and among others."""
    inside = ("PROGRESS.md", "reports/98-odd.report.md", "knowledge/records/odd.yaml", "patches/P900-odd.md")
    with scene.daemon(*EVENTS_ALONE):
        for make in TAKEN:
            for name in inside:
                make(scene.pipeline / name)
            scene.settle()
        lives(scene)
        found = scene.expect("ok", fresh=True, missed=0)

        assert "sewn" in views(scene.root)["progress"].decode()
        assert view_of(found, "progress")["state"] == "fresh"


def test_names_that_are_no_text_or_would_break_a_terminal_break_neither_views_nor_log_nor_status(scene: Scene) -> None:
    """Case 22."""
    with scene.daemon(*EVENTS_ALONE) as daemon:
        for number, name in enumerate(NAMES):
            reports = os.fsencode(scene.pipeline / "reports")
            path = Path(os.fsdecode(reports + b"/%02d-" % (50 + number) + name + b".report.md"))
            path.write_text("# Report\n\n- **Result**: passed\n", "utf-8")
            path.with_suffix(".yaml").write_bytes(b"\xff: [\n")
            (scene.pipeline / "knowledge" / "records" / path.with_suffix(".yaml").name).write_bytes(b"\xff: [\n")
        lives(scene)
        found = scene.expect("ok", missed=0)

        assert view_of(found, "reports")["state"] == "fresh"
        assert b"\x1b" not in views(scene.root)["reports"]
        assert "not JSON" not in [event["event"] for event in daemon.events]
        assert all(text.isprintable() for text in strings(found))


def strings(value: Any) -> list[str]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [text for one in value for text in strings(one)]
    return [value] if isinstance(value, str) else []


@pytest.fixture(name="bound")
def _bound(scene: Scene) -> Scene:
    """The project, whose daemon is bound by permissions."""
    if os.geteuid() == 0:
        if subprocess.run([*POWERLESS, "true"], capture_output=True, check=False).returncode != 0:
            pytest.skip("the tests run as root, which may read everything, and cannot give that up")
        scene.within = POWERLESS
    return scene


@pytest.mark.parametrize(
    ("names", "view"),
    [(("PROGRESS.md", "reports/01-sewing-template-rendering.report.md"), "progress"), (("reports",), "reports")],
    ids=["files", "folder"],
)
def test_a_source_that_may_not_be_read_is_named_and_comes_back_when_it_may(
    bound: Scene, names: tuple[str, ...], view: str
) -> None:
    """Case 23: of a change of permissions alone no event need come, so a sweep may have to find it."""
    paths = {bound.pipeline / name: (bound.pipeline / name).stat().st_mode for name in names}
    with bound.daemon(*QUICK) as daemon:
        for path in paths:
            path.chmod(0)
        try:
            lives(bound)
            (finding, *_) = view_of(bound.status(), view)["findings"]
            assert finding["message"] == "permission denied"
            assert daemon.process.poll() is None
        finally:
            for path, mode in paths.items():
                path.chmod(mode)
        bound.settle()
        bound.expect("ok", fresh=True)


@pytest.mark.parametrize("name", [".pipeline", "."])
def test_a_root_that_may_not_be_read_is_waited_for_and_its_views_are_left_alone(bound: Scene, name: str) -> None:
    """Case 23."""
    path = bound.root / name
    mode = path.stat().st_mode
    with bound.daemon("--sweep-s", "1"):
        before = views(bound.root)
        path.chmod(0)
        try:
            found = bound.expect("waiting", fresh=False)
            assert "permission denied" in found["reason"]
        finally:
            path.chmod(mode)
        assert views(bound.root) == before

        bound.change()
        bound.settle()
        bound.expect("ok", fresh=True)
