"""The program's own streams: whoever started it may have closed them, and whoever reads them may go."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO


def make_printable() -> None:
    """Give the program both streams, and let no character that the terminal lacks end it."""
    sys.stdout = sys.stdout or _nowhere()
    sys.stderr = sys.stderr or _nowhere()  # closed by whoever started us; print() would take stdout in its place
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def close_stdout() -> None:
    """Send the rest of stdout nowhere: the interpreter writes it once more when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _nowhere() -> TextIO:
    return open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123 - no path of a file; open to the end
