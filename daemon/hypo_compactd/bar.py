"""A bar on a terminal while people wait for a long first run: nothing in pipes, nothing for what is done at once."""

from __future__ import annotations

import os
import threading
from types import TracebackType
from typing import Any, Self, TextIO, cast

from hypo_compactd.outlet import Sink

PATIENCE_S = 0.5
"""How long something may take before a bar is shown for it."""


class Bar:
    """A bar that appears when the work takes long and is gone when it is done.

    Steps may come from any thread. What else is printed to the terminal meanwhile goes through
    `above`, so that it does not stand in the middle of the bar.

    Args:
        stream: the terminal; on anything else there is never a bar.
        label: what is being done, in the language of whoever looks.
        patience_s: after how many seconds it appears.
    """

    def __init__(self, stream: Sink, label: str, *, patience_s: float = PATIENCE_S) -> None:
        self._stream = stream
        self._label = label
        self._lock = threading.RLock()
        self._done, self._total, self._what = 0, 0, ""
        self._shown: Any = None
        self._task: Any = None
        self._timer: threading.Timer | None = None
        if stream.isatty() and os.environ.get("TERM") != "dumb":
            self._timer = threading.Timer(patience_s, self._show)
            self._timer.daemon = True

    def __enter__(self) -> Self:
        if self._timer is not None:
            self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def step(self, done: int, total: int, what: str = "") -> None:
        """Show that `done` of `total` steps are done, and what is being worked on."""
        with self._lock:
            self._done, self._total, self._what = done, total, what
            if self._shown is not None:
                self._shown.update(self._task, completed=done, total=total, what=what)

    def close(self) -> None:
        """Take the bar away; it does not come again."""
        with self._lock:
            timer, self._timer = self._timer, None
            if timer is not None:
                timer.cancel()
            shown, self._shown = self._shown, None
            if shown is not None:
                shown.stop()

    def above(self, text: str) -> bool:
        """Print a text above the bar; return False, with nothing printed, where there is none."""
        with self._lock:
            if self._shown is None:
                return False
            self._shown.console.out(text, end="", highlight=False)
            return True

    def _show(self) -> None:
        from rich.console import Console  # noqa: PLC0415 - slow to import, and most runs end before
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn  # noqa: PLC0415

        with self._lock:
            if self._timer is None:
                return  # closed in the meantime
            columns = (
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                TextColumn("{task.fields[what]}"),
            )
            console = Console(file=cast("TextIO", self._stream), markup=False, emoji=False)
            self._shown = Progress(*columns, console=console, transient=True)
            self._task = self._shown.add_task(
                self._label, completed=self._done, total=self._total or None, what=self._what
            )
            self._shown.start()
