"""The log: structlog, one event a batch, for people on a terminal and as JSON under a service manager.

Never content of a file: only names, counts, sizes and reasons of our own wording.
"""

from __future__ import annotations

import errno
import logging
import os
import sys
from collections.abc import Callable, MutableMapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, TextIO, cast

from hypo_compactd.errors import InputError
from hypo_compactd.light_structlog import structlog
from hypo_compactd.messages import printable
from hypo_compactd.outlet import Sink
from hypo_compactd.reader import describe

Format = Literal["auto", "console", "json"]

_PRIORITIES = {"critical": 2, "error": 3, "warning": 4, "info": 6, "debug": 7}

FILE_BYTES = 1_000_000
OLD_FILES = 3
"""A log file that would grow beyond this is put aside; so many older ones are kept."""


def setup(
    form: Format,
    *,
    verbose: bool = False,
    stream: Sink | None = None,
    above: Callable[[str], bool] = lambda _text: False,
) -> structlog.stdlib.BoundLogger:
    """Configure the log and return the logger.

    Args:
        form: `auto` chooses JSON under a service manager, the console form elsewhere.
        verbose: whether looks that found nothing are logged too.
        stream: where to; stderr when None, so that stdout stays for data.
        above: prints an event where the stream shows something else now, and returns whether it did.
    """
    stream = stream if stream is not None else sys.stderr
    json = form == "json" or (form == "auto" and managed(os.environ))
    colours = not json and stream.isatty() and not os.environ.get("NO_COLOR")
    renderer: Any = (
        structlog.processors.JSONRenderer(ensure_ascii=False)
        if json
        else structlog.dev.ConsoleRenderer(
            colors=colours, pad_event_to=18, exception_formatter=structlog.dev.plain_traceback
        )
    )
    processors: list[Any] = [structlog.processors.add_log_level, _printable]
    if _journal(os.environ, stream):
        renderer = _with_priority(renderer)
    else:
        processors.insert(0, structlog.processors.TimeStamper(fmt="iso", utc=False))
    structlog.configure(
        processors=[*processors, renderer],
        wrapper_class=structlog.make_filtering_bound_logger(logging.DEBUG if verbose else logging.INFO),
        logger_factory=structlog.WriteLoggerFactory(cast("TextIO", _Above(stream, above))),
        cache_logger_on_first_use=True,
    )
    logger: structlog.stdlib.BoundLogger = structlog.get_logger()
    return logger


class _Above:
    """Passes what is logged to the stream, or above what the stream shows now."""

    def __init__(self, stream: Sink, above: Callable[[str], bool]) -> None:
        self._stream = stream
        self._above = above

    def write(self, text: str) -> None:
        with suppress(OSError, ValueError):
            if not self._above(text):
                self._stream.write(text)

    def flush(self) -> None:
        with suppress(OSError, ValueError):
            self._stream.flush()


class LogFile:
    """A log file that is put aside before it grows too long, for who redirects stderr to a file may not do so.

    Args:
        path: where; its folder is made.

    Raises:
        InputError: it cannot be opened.
    """

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
        """Add a text; one that cannot be written is lost."""
        self._handler.handle(logging.makeLogRecord({"msg": text}))

    def flush(self) -> None:
        """Do nothing: the handler has flushed what it wrote."""

    def isatty(self) -> bool:
        """Return that it is no terminal."""
        return False

    def fileno(self) -> int:
        """Raise OSError: which file it is changes as they are put aside."""
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))

    def close(self) -> None:
        """Close the file."""
        with suppress(OSError):  # what is still to be written to a full disk
            self._handler.close()


def managed(environment: MutableMapping[str, str] | os._Environ[str]) -> bool:
    """Return whether a service manager started this process."""
    service = environment.get("XPC_SERVICE_NAME", "0")
    return bool(environment.get("INVOCATION_ID") or environment.get("JOURNAL_STREAM") or service not in {"", "0"})


def _journal(environment: MutableMapping[str, str] | os._Environ[str], stream: Sink) -> bool:
    """Return whether a stream is the journal, which stamps each line itself."""
    try:
        status = os.fstat(stream.fileno())
    except (OSError, ValueError):
        return False
    return environment.get("JOURNAL_STREAM", "") == f"{status.st_dev}:{status.st_ino}"


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
