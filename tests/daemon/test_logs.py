from __future__ import annotations

import io
import json
import os
import re
import select
import time
from pathlib import Path

import pytest

from hypo_compactd import logs

HOSTILE = "reports/\x1b[2J\nevil \udcff.md"
SHOWN = "reports/\\x1b[2J\\x0aevil \\xdcff.md"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def lines(form: logs.Format, *, verbose: bool = False) -> list[str]:
    stream = io.StringIO()
    log = logs.setup(form, verbose=verbose, stream=stream)
    log.bind(project="/p").warning("findings", findings=[HOSTILE], reason=HOSTILE, count=3, moment=("a",))
    log.debug("looked")
    return stream.getvalue().splitlines()


def test_under_json_each_event_is_one_object_on_one_line() -> None:
    (line,) = lines("json")
    event = json.loads(line)

    assert event.pop("timestamp")
    assert event == {
        "event": "findings",
        "level": "warning",
        "project": "/p",
        "findings": [SHOWN],
        "reason": SHOWN,
        "count": 3,
        "moment": ["a"],
    }


def test_on_a_console_an_event_is_one_plain_line() -> None:
    (line,) = lines("console")

    assert line.isprintable()
    assert re.search(r"\[warning +\] findings +count=3", line)
    assert "evil" in line


def test_looks_that_found_nothing_are_logged_only_when_asked_for() -> None:
    assert len(lines("json", verbose=True)) == 2
    assert len(lines("json")) == 1


@pytest.mark.parametrize(
    ("variable", "value", "managed"),
    [
        ("INVOCATION_ID", "0123", True),
        ("JOURNAL_STREAM", "8:9", True),
        ("XPC_SERVICE_NAME", "org.example", True),
        ("XPC_SERVICE_NAME", "0", False),
        ("XPC_SERVICE_NAME", "", False),
        ("TERM", "xterm", False),
    ],
)
def test_a_service_manager_is_known_by_its_environment(variable: str, value: str, managed: bool) -> None:  # noqa: FBT001 - a row of a table
    assert logs.managed({variable: value}) == managed


def test_auto_is_json_under_a_service_manager_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XPC_SERVICE_NAME", raising=False)
    assert not lines("auto")[0].startswith("{")

    monkeypatch.setenv("INVOCATION_ID", "1")
    assert lines("auto")[0].startswith("{")


def test_the_journal_stamps_its_lines_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    status = os.fstat(2)
    monkeypatch.setenv("JOURNAL_STREAM", f"{status.st_dev}:{status.st_ino}")

    assert "timestamp" not in json.loads(lines("json")[0])


def test_a_journal_that_is_not_ours_stamps_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JOURNAL_STREAM", "1:1")

    assert "timestamp" in json.loads(lines("json")[0])


def test_only_a_terminal_that_wants_colours_gets_them(monkeypatch: pytest.MonkeyPatch) -> None:
    def line() -> str:
        stream = Terminal()
        logs.setup("console", stream=stream).info("ready")
        return stream.getvalue()

    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b[" in line()
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in line()


def test_without_a_stream_the_log_goes_to_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    logs.setup("json").info("ready")
    captured = capsys.readouterr()

    assert captured.out == ""
    assert json.loads(captured.err)["event"] == "ready"


def test_a_reader_that_has_gone_is_no_error() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w", encoding="utf-8") as stream:
        logs.setup("json", stream=stream).info("ready")


def test_a_reader_that_stopped_reading_keeps_nobody_waiting_for_long() -> None:
    reading, writing = os.pipe()
    while select.select([], [writing], [], 0)[1]:
        os.write(writing, b"x" * 4096)
    started = time.monotonic()
    with os.fdopen(writing, "w", encoding="utf-8") as stream:
        logs.setup("json", stream=stream).info("ready")
    os.close(reading)

    assert time.monotonic() - started < 30, "it would have waited for ever"


def test_a_full_disk_is_no_error() -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("there is no /dev/full")
    with full.open("w", encoding="utf-8") as stream:
        logs.setup("json", stream=stream).info("ready")


def test_a_long_event_is_written_whole(tmp_path: Path) -> None:
    path = tmp_path / "log"
    with path.open("w", encoding="utf-8") as stream:
        logs.setup("json", stream=stream).info("findings", findings=["装" * 10_000])

    assert json.loads(path.read_text("utf-8"))["findings"] == ["装" * 10_000]
