"""The errors that end a command, each with its exit code; `str(error)` is the sentence for the user."""

from __future__ import annotations

import traceback
from enum import IntEnum
from pathlib import PurePath


class ExitCode(IntEnum):
    """What the program's exit status says (the numbers above 63 are those of sysexits.h)."""

    OK = 0
    UNEXPECTED = 1
    STALE = 3
    USAGE = 64
    BAD_INPUT = 65
    BUSY = 69
    BAD_CONFIGURATION = 78


class CompactdError(Exception):
    """The base of all errors that are reported without a traceback."""

    exit_code = ExitCode.UNEXPECTED


class InputError(CompactdError):
    """What was given cannot be worked on: no project there, a folder that cannot be read."""

    exit_code = ExitCode.BAD_INPUT


class RootError(InputError):
    """`.pipeline/` is gone, empty or cannot be read: nothing is done until it is back."""


class BusyError(CompactdError):
    """Another process holds the project."""

    exit_code = ExitCode.BUSY


class ConfigurationError(CompactdError):
    """A configuration file cannot be read at all, so nothing is known of what it asks for."""

    exit_code = ExitCode.BAD_CONFIGURATION


class RefusedError(CompactdError):
    """A path is not what it must be (a symbolic link out of the project, a FIFO, too large)."""

    exit_code = ExitCode.BAD_INPUT


class TooLargeError(RefusedError):
    """A file is larger than what may be read of it."""


class ShortageError(CompactdError):
    """No more files can be opened, or there is no memory: nothing is known of the sources then."""


class UnstableError(CompactdError):
    """A file changed while it was read; another look is needed."""


def origin(error: Exception) -> str:
    """Return an unexpected error's kind and where it was raised: its own text could hold content of a source."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" at {PurePath(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{place}; please report it"
