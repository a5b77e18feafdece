"""What `status --watch` puts on the screen, live until it is told to stop."""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Callable, Sequence

from rich.console import Console
from rich.live import Live
from rich.text import Text

from hypo_compactd import signals
from hypo_compactd.errors import CompactdError
from hypo_compactd.language import language_of
from hypo_compactd.messages import message, translated
from hypo_compactd.project_status import Overview
from hypo_compactd.status_table import lines

_END = signals.STOP | {signal.SIGHUP}
"""The last one comes when the terminal is closed."""


def watch(look: Callable[[], Sequence[Overview]], interval_s: float) -> None:
    """Show projects until Ctrl-C, SIGTERM, or the terminal is closed; it is then as it was before.

    Args:
        look: gives the projects as they are now.
        interval_s: how often it is asked, in seconds.
    """
    console = _console()
    with signals.inbox() as inbox, Live(console=console, screen=True, auto_refresh=False) as live:
        for number in (signal.SIGWINCH, signal.SIGTSTP):
            signal.signal(number, _take)
        while True:
            live.update(_screen(look, console, interval_s), refresh=True)
            came = inbox.received(interval_s)
            if came & _END:
                return
            if signal.SIGTSTP in came:
                live.stop()
                os.kill(os.getpid(), signal.SIGSTOP)
                live.start()


def is_live() -> bool:
    """Return whether stdout is a terminal on which a picture can be replaced by the next."""
    return sys.stdout.isatty() and not _console().is_dumb_terminal


def _screen(look: Callable[[], Sequence[Overview]], console: Console, interval_s: float) -> Text:
    """Return what fits on the screen, a line about the rest, and one that says how to leave."""
    columns, rows = shutil.get_terminal_size()
    try:
        found = look()
    except CompactdError as error:  # such as a list of projects that is being edited
        language = language_of()
        shown = list(Text(translated(error.phrase, language), "red").wrap(console, columns))
    else:
        language = found[0].language if found else language_of()
        shown = [Text.assemble(*line) for line in lines(found, columns)]
    room = max(1, rows - 2)
    if len(shown) > room:
        more = message("more_lines", language, count=len(shown) - room + 1)
        shown = [*shown[: room - 1], Text(more, "yellow")]
    leave = message("leave", language, seconds=f"{interval_s:g}")
    return Text("\n", no_wrap=True, overflow="crop").join([*shown, Text(), Text(leave, "dim")])


def _console() -> Console:
    return Console(file=sys.stdout, highlight=False)


def _take(_number: int, _frame: object) -> None:
    """Do nothing: the inbox has the signal's number."""
