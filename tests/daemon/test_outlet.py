"""An outlet: whoever writes never waits, and what is read comes whole and in order."""

from __future__ import annotations

import os
import pty
import termios
import threading
import tty
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from hypo_compactd.outlet import LIMIT, Outlet
from support.daemon_process import DEADLINE_S, wait_until


def read(descriptor: int, count: int) -> str:
    data = b""
    while len(data) < count:
        data += os.read(descriptor, 65536)
    return data.decode()


@pytest.fixture(name="pipe")
def _pipe() -> Iterator[tuple[int, Outlet]]:
    """A pipe with an outlet into it, and the end that is read from."""
    reading, writing = os.pipe()
    with os.fdopen(writing, "w", encoding="utf-8") as stream:
        yield reading, Outlet(stream)
        with suppress(OSError):
            os.close(reading)


@pytest.mark.parametrize("terminal", [False, True], ids=["a pipe", "a terminal"])
def test_a_reader_that_stopped_reading_keeps_nobody_waiting(terminal: bool) -> None:  # noqa: FBT001 - a row of a table
    reading, writing = pty.openpty() if terminal else os.pipe()
    if terminal:
        tty.setraw(writing)
        termios.tcflow(writing, termios.TCOOFF)
    with os.fdopen(writing, "w", encoding="utf-8") as stream:
        outlet = Outlet(stream)
        writer = threading.Thread(target=lambda: [outlet.write("x" * 1000 + "\n") for _ in range(1000)], daemon=True)
        writer.start()
        writer.join(DEADLINE_S)
        assert not writer.is_alive()
        outlet.close(0.1)
        if terminal:
            termios.tcflow(writing, termios.TCOON)
        assert set(read(reading, 100_000)) == {"x", "\n"}
        os.close(reading)


def test_a_reader_that_has_gone_is_no_error(pipe: tuple[int, Outlet]) -> None:
    reading, outlet = pipe
    os.close(reading)
    outlet.write("ready\n")
    outlet.close(DEADLINE_S)
    outlet.write("and later\n")
    outlet.close(DEADLINE_S)


def test_a_full_disk_is_no_error() -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("there is no /dev/full")
    with full.open("w", encoding="utf-8") as stream, Outlet(stream) as outlet:
        outlet.write("ready\n")


def test_a_long_text_is_written_whole_and_all_in_order(pipe: tuple[int, Outlet]) -> None:
    reading, outlet = pipe
    texts = [f"{number} " + "装" * number for number in range(0, 60_000, 20_000)]
    for text in texts:
        outlet.write(text)

    assert read(reading, sum(len(text.encode()) for text in texts)) == "".join(texts)


def test_what_nobody_reads_is_dropped_and_counted(pipe: tuple[int, Outlet]) -> None:
    reading, outlet = pipe
    counts: list[int] = []
    outlet.on_dropped = counts.append
    piece = "x" * 10_000
    for _ in range(2 * LIMIT // len(piece)):
        outlet.write(piece)
    outlet.write("last\n")
    read(reading, 2 * len(piece))

    wait_until(lambda: bool(counts), "the dropped ones are told")
    assert 0 < counts[0] <= LIMIT // len(piece) + 2


def test_closing_waits_until_all_is_written(tmp_path: Path) -> None:
    path = tmp_path / "log"
    with path.open("w", encoding="utf-8") as stream, Outlet(stream) as outlet:
        for number in range(1000):
            outlet.write(f"{number}\n")

    assert path.read_text("utf-8").split() == [str(number) for number in range(1000)]
