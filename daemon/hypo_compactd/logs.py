"""The log: structlog, one event a batch, for people on a terminal and as JSON under a service manager.

Never content of a file: only names, counts, sizes and reasons of our own wording.
"""

from __future__ import annotations

import logging
import os
import select
import sys
from collections.abc import Callable, MutableMapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, TextIO, cast

import structlog

from hypo_compactd.errors import InputError
from hypo_compactd.messages import printable
from hypo_compactd.reader import describe

Format = Literal["auto", "console", "json"]

WRITE_WAIT_S = 0.2
"""How long an event waits for whoever reads the log; then it is dropped."""


_PRIORITIES = {"critical": 2, "error": 3, "warning": 4, "info": 6, "debug": 7}

FILE_BYTES = 1_000_000
OLD_FILES = 3
"""A log file that would grow beyond this is put aside; so many older ones are kept."""


def setup(
    form: Format,
    *,
    verbose: bool = False,
    stream: TextIO | None = None,
    file: Path | None = None,
    above: Callable[[str], bool] = lambda _text: False,
) -> structlog.stdlib.BoundLogger:
    """Configure the log and return the logger.

    Args:
        form: `auto` chooses JSON under a service manager, the console form elsewhere.
        verbose: whether looks that found nothing are logged too.
        stream: where to; stderr when None, so that stdout stays for data.
        above: prints an event where the stream shows something else now, and returns whether it did.
        file: where to in place of a stream; it is kept short, for who redirects stderr to a file may not do so.

    Raises:
        InputError: the file cannot be opened.
    """
    stream = stream if stream is not None else sys.stderr
    json = form == "json" or (form == "auto" and managed(os.environ))
    colours = not json and file is None and stream.isatty() and not os.environ.get("NO_COLOR")
    renderer: Any = (
        structlog.processors.JSONRenderer(ensure_ascii=False)
        if json
        else structlog.dev.ConsoleRenderer(
            colors=colours, pad_event_to=18, exception_formatter=structlog.dev.plain_traceback
        )
    )
    processors: list[Any] = [structlog.processors.add_log_level, _printable]
    if file is None and _journal(os.environ):
        renderer = _with_priority(renderer)
    else:
        processors.insert(0, structlog.processors.TimeStamper(fmt="iso", utc=False))
    structlog.configure(
        processors=[*processors, renderer],
        wrapper_class=structlog.make_filtering_bound_logger(logging.DEBUG if verbose else logging.INFO),
        logger_factory=structlog.WriteLoggerFactory(
            cast("TextIO", _File(file) if file is not None else _Stream(stream, above))
        ),
        cache_logger_on_first_use=True,
    )
    logger: structlog.stdlib.BoundLogger = structlog.get_logger()
    return logger


class _Stream:
    """Where the log goes; it never raises and never waits for long.

    Whoever reads the log may have gone (`run 2>&1 | head`), stopped reading, or run out of space;
    neither may end a worker nor keep a signal waiting: the views matter more than the log.
    """

    def __init__(self, stream: TextIO, above: Callable[[str], bool]) -> None:
        self._stream = stream
        self._above = above
        self._descriptor: int | None = None
        with suppress(OSError, ValueError):  # a stream in memory has none
            self._descriptor = stream.fileno()

    def write(self, text: str) -> None:
        with suppress(OSError, ValueError):
            if self._above(text):
                return
            if self._descriptor is None:
                self._stream.write(text)
                return
            left = text.encode(self._stream.encoding or "utf-8", "backslashreplace")
            # In pieces that a pipe that can be written to takes whole, so that none of them blocks.
            while left and select.select([], [self._descriptor], [], WRITE_WAIT_S)[1]:
                left = left[os.write(self._descriptor, left[: select.PIPE_BUF]) :]

    def flush(self) -> None:
        with suppress(OSError, ValueError):
            self._stream.flush()


class _File:
    """A log file that is put aside before it grows too long; like `_Stream` it never raises."""

    def __init__(self, path: Path) -> None:
        from logging.handlers import RotatingFileHandler  # noqa: PLC0415 - 10 ms that only a log file needs

        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._handler = RotatingFileHandler(
                path, maxBytes=FILE_BYTES, backupCount=OLD_FILES, encoding="utf-8", errors="backslashreplace"
            )
        except OSError as error:
            raise InputError(
                "{path}: {reason}; name another file with --log-file",
                path=printable(os.fspath(path)),
                reason=describe(error),
            ) from None
        self._handler.terminator = ""
        self._handler.handleError = lambda _record: None  # type: ignore[assignment,method-assign]

    def write(self, text: str) -> None:
        self._handler.handle(logging.makeLogRecord({"msg": text}))

    def flush(self) -> None:
        """Do nothing: the handler has flushed what it wrote."""


def managed(environment: MutableMapping[str, str] | os._Environ[str]) -> bool:
    """Return whether a service manager started this process."""
    service = environment.get("XPC_SERVICE_NAME", "0")
    return bool(environment.get("INVOCATION_ID") or environment.get("JOURNAL_STREAM") or service not in {"", "0"})


def _journal(environment: MutableMapping[str, str] | os._Environ[str]) -> bool:
    """Return whether stderr is the journal, which stamps each line itself."""
    stream = environment.get("JOURNAL_STREAM", "")
    try:
        status = os.fstat(2)
    except OSError:
        return False
    return stream == f"{status.st_dev}:{status.st_ino}"


def _with_priority(renderer: Any) -> Any:
    """Return a renderer whose lines begin with what the journal takes for their priority (sd-daemon(3))."""

    def render(logger: Any, method: str, event: MutableMapping[str, Any]) -> str:
        priority = _PRIORITIES.get(event.get("level", ""), 6)
        return f"<{priority}>{renderer(logger, method, event)}"

    return render


def _printable(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Make every text safe to print: a file's name may hold anything."""
    return {key: _safe(value) for key, value in event.items()}


def _safe(value: Any) -> Any:
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, list | tuple):
        return [_safe(item) for item in value]
    return value
