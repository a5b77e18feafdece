from __future__ import annotations

import io
import json
import os
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from hypo_compactd import logs
from hypo_compactd.errors import InputError

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


@pytest.mark.parametrize(("level", "priority"), [("error", 3), ("warning", 4), ("info", 6), ("debug", 7)], ids=str)
def test_the_journal_is_told_the_priority_and_stamps_the_time_itself(
    level: str, priority: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = tmp_path / "journal"
    with journal.open("w", encoding="utf-8") as stream:
        status = os.fstat(stream.fileno())
        monkeypatch.setenv("JOURNAL_STREAM", f"{status.st_dev}:{status.st_ino}")
        getattr(logs.setup("json", verbose=True, stream=stream), level)("held")
    prefix, _, line = journal.read_text("utf-8").partition(">")

    assert prefix == f"<{priority}"
    assert json.loads(line) == {"event": "held", "level": level}


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


@pytest.fixture(name="log_to")
def _log_to() -> Iterator[Callable[[Path], Any]]:
    """Log to a file, which is closed in the end."""
    with ExitStack() as opened:
        yield lambda path: logs.setup("json", stream=opened.enter_context(closing(logs.LogFile(path))))


def events_in(path: Path) -> list[str]:
    return [json.loads(line)["event"] for line in path.read_text("utf-8").splitlines()]


def test_a_log_file_takes_all_events_and_stderr_none(
    log_to: Callable[[Path], Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "Library" / "Logs" / "log"
    path.parent.mkdir(parents=True)
    path.write_text('{"event": "of the last time"}\n', "utf-8")
    log = log_to(path)
    log.warning("findings", findings=[HOSTILE])
    log.info("装")

    assert events_in(path) == ["of the last time", "findings", "装"]
    assert json.loads(path.read_text("utf-8").splitlines()[1])["findings"] == [SHOWN]
    assert capsys.readouterr().err == ""


def test_a_log_file_has_times_though_stderr_be_the_journal(
    log_to: Callable[[Path], Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    status = os.fstat(2)
    monkeypatch.setenv("JOURNAL_STREAM", f"{status.st_dev}:{status.st_ino}")
    log_to(tmp_path / "log").info("ready")

    assert json.loads((tmp_path / "log").read_text("utf-8"))["timestamp"]


def test_a_log_file_is_put_aside_before_it_grows_too_long(log_to: Callable[[Path], Any], tmp_path: Path) -> None:
    path = tmp_path / "logs" / "log"
    log = log_to(path)
    filler = "x" * 100_000
    for number in range(60):
        log.info("line", number=number, filler=filler)
    files = sorted(path.parent.iterdir())

    assert [one.name for one in files] == ["log", "log.1", "log.2", "log.3"]
    assert all(one.stat().st_size <= logs.FILE_BYTES for one in files)
    kept = [json.loads(line)["number"] for one in reversed(files) for line in one.read_text("utf-8").splitlines()]
    assert kept == list(range(60 - len(kept), 60)), "the newest ones, none lost in between"
    assert len(kept) > 30


def test_a_log_file_that_cannot_be_opened_is_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"is a directory; name another file with --log-file"):
        logs.LogFile(tmp_path)


def test_a_full_disk_is_no_error_for_a_log_file_either(
    log_to: Callable[[Path], Any], capsys: pytest.CaptureFixture[str]
) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("there is no /dev/full")
    log_to(full).info("ready")

    assert capsys.readouterr().err == ""
