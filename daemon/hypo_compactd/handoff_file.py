"""Reading one text that somebody names on the command line: a file or standard input; the only place that does."""

from __future__ import annotations

import codecs
import os
import re
import stat
import sys
from contextlib import suppress

from hypo_compactd.errors import InputError, RefusedError, TooLargeError
from hypo_compactd.messages import printable
from hypo_compactd.reader import describe

STDIN = "-"
LIMIT = 64 * 1024 * 1024
"""Bytes of a handoff; real ones are a few kilobytes."""

_CHUNK = 1024 * 1024
_OPEN_ALREADY = re.compile(r"/dev/(?:stdin|fd/\d+)|/proc/self/fd/\d+")
"""What the shell has opened for us, as in `<(command)`: reading it waits for a program that is there."""
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def read(given: str, encoding: str) -> str:
    """Return a text, without a byte order mark.

    Args:
        given: the path of a file; `-` is standard input.
        encoding: of its bytes.

    Raises:
        InputError: it is not there, is no text, or has another encoding; `RefusedError` where it is no file,
            `TooLargeError` where it is larger than `LIMIT`.
    """
    shown = "stdin" if given == STDIN else printable(given)
    data = _bytes(given, shown)
    for mark, name in _BOMS:
        if data.startswith(mark) and codecs.lookup(name).name != codecs.lookup(encoding).name and name != "utf-8":
            raise InputError("{path}: a text in {name}; give --encoding {name}", path=shown, name=name)
    if b"\0" in data and not codecs.lookup(encoding).name.startswith(("utf-16", "utf-32")):
        raise InputError(
            "{path}: byte {place} is zero: a binary file, no text", path=shown, place=data.index(b"\0") + 1
        )
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        raise InputError(
            "{path}: byte {place} (line {line}) is not {encoding}; say which encoding it has with --encoding NAME",
            path=shown,
            place=error.start + 1,
            line=data.count(b"\n", 0, error.start) + 1,
            encoding=encoding,
        ) from None
    return text.removeprefix("\ufeff")


def is_stdin(given: str) -> bool:
    """Return whether a name means standard input, which can be read only once."""
    return given == STDIN or re.fullmatch(r"/dev/stdin|/dev/fd/0+|/proc/self/fd/0+", given) is not None


def are_both_stdin(one: str, other: str) -> bool:
    """Return whether two names mean standard input, also where one of them is a link to it or a copy of its descriptor.

    A regular file there can be read twice.
    """
    if is_stdin(one) and is_stdin(other):
        return True
    stream = _stream(one)
    return (is_stdin(one) or is_stdin(other)) and stream is not None and stream == _stream(other)


def _stream(given: str) -> tuple[int, int] | None:
    """Return what tells apart what can be read only once; None for a file, and for what is not there."""
    try:
        status = os.fstat(sys.stdin.fileno()) if given == STDIN and sys.stdin is not None else os.stat(given)  # noqa: PTH116 - no Path of what may be no path
    except (OSError, ValueError):
        return None  # it is told when it is read
    is_file = stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)
    return None if is_file else (status.st_dev, status.st_ino)


def is_terminal() -> bool:
    """Return whether standard input is a terminal: nobody has given a text there yet."""
    try:
        return sys.stdin is not None and sys.stdin.isatty()
    except ValueError:
        return False


def _bytes(given: str, shown: str) -> bytes:
    try:
        if given == STDIN:
            if sys.stdin is None or sys.stdin.closed:
                raise InputError("stdin is closed; give a file")
            return _read(sys.stdin.fileno(), shown)
        descriptor = _opened(given, shown)
        try:
            return _read(descriptor, shown)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise InputError("{path}: {reason}", path=shown, reason=describe(error)) from None
    except ValueError:  # a path with a null character
        raise InputError("{path}: no name of a file", path=shown) from None


def _opened(given: str, shown: str) -> int:
    """Open a file; nobody may have to wait for a program at the other end of a FIFO."""
    if _OPEN_ALREADY.fullmatch(given):
        return os.open(given, os.O_RDONLY | os.O_CLOEXEC)
    descriptor = os.open(given, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY)
    kind = os.fstat(descriptor).st_mode
    if stat.S_ISREG(kind):
        return descriptor
    os.close(descriptor)
    if stat.S_ISDIR(kind):
        raise RefusedError("{path}: a folder; give a file", path=shown)
    raise RefusedError("{path}: a FIFO or a device; to read it, redirect it to stdin and give -", path=shown)


def _read(descriptor: int, shown: str) -> bytes:
    parts = []
    size = 0
    with suppress(BlockingIOError):
        os.set_blocking(descriptor, True)
    while part := os.read(descriptor, _CHUNK):
        parts.append(part)
        size += len(part)
        if size > LIMIT:
            raise TooLargeError("{path}: larger than {limit} MiB", path=shown, limit=LIMIT // (1024 * 1024))
    return b"".join(parts)
