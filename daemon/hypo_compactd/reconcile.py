"""The one operation: look at the sources, decide, compute, write, say what happened.

Start-up, a settled batch of events, the sweep, SIGHUP and `compact` all run it. It is idempotent:
run twice, the second run writes nothing. Events are hints; the files are the truth.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

from hypo_compactd import config as configuration
from hypo_compactd.config import Config
from hypo_compactd.errors import RootError
from hypo_compactd.kept import Kept
from hypo_compactd.lock import WRITER_WAIT_S, writer_lock
from hypo_compactd.look import Look
from hypo_compactd.messages import printable
from hypo_compactd.outcome import Outcome, Request, merged
from hypo_compactd.paths import Project
from hypo_compactd.reader import check_shortage, describe


def reconcile(
    project: Project,
    config: Config,
    request: Request,
    pending: Mapping[str, str],
    *,
    lock_wait_s: float = WRITER_WAIT_S,
    kept: Kept | None = None,
) -> Outcome:
    """Make every view what its sources give.

    Args:
        project: which.
        config: its checked configuration; one that has changed since is read anew.
        request: what is asked for.
        pending: the `pending` of the look before, when that one asked for a second look.
        lock_wait_s: how long to wait for another process that is writing this project's views.
        kept: what this process keeps of the project since its last look, and what that is after this one.

    Raises:
        RootError: `.pipeline/` is missing, empty or cannot be read: nothing is done then, since a
            root that vanished must never cost a view.
        InputError: our own folder cannot be written: the views are right then, only not remembered.
        BusyError: another process is writing this project's views.
    """
    started = time.monotonic()
    with nullcontext() if request.check else writer_lock(project, wait_s=lock_wait_s):
        check_root(project)
        # It may have changed while another process wrote; what is written last must go by what is said last.
        outcome = Look(project, configuration.up_to_date(project.root, config), request, pending, kept or Kept()).run()
    return replace(outcome, milliseconds=round((time.monotonic() - started) * 1000))


def check_root(project: Project) -> None:
    """Make sure that `.pipeline/` is there, a real folder, readable and not empty.

    Raises:
        RootError: it is not; the message says why.
        ShortageError: it cannot be seen now.
    """
    shown = printable(str(project.shown / ".pipeline"))
    try:
        if project.pipeline.is_symlink():
            inside = os.path.realpath(project.pipeline)
            if not Path(inside).is_relative_to(project.root):
                raise RootError(
                    "{path}: is a symbolic link that leads out of the project; it is not followed", path=shown
                )
        with os.scandir(project.pipeline) as entries:
            empty = next(entries, None) is None
    except FileNotFoundError:
        raise RootError("{path}: no such folder; start the project with Hypo-Workflow first", path=shown) from None
    except OSError as error:
        check_shortage(error)
        raise RootError(
            "{path}: {reason}; make the folder readable for this user", path=shown, reason=describe(error)
        ) from None
    if empty:
        raise RootError("{path}: is empty; nothing is done, in case it is only unmounted", path=shown)


def settled(
    project: Project, config: Config, request: Request, *, quiet_ms: int, pause: Callable[[float], object] = time.sleep
) -> Outcome:
    """Reconcile until no second look is needed, three looks at most; the last outcome, with what all of them did."""
    outcome = reconcile(project, config, request, {})
    for _ in range(2):
        if not outcome.pending:
            break
        pause(quiet_ms / 1000)
        outcome = merged(outcome, reconcile(project, config, request, outcome.pending))
    return outcome
