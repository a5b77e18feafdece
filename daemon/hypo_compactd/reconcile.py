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

from hypo_compactd import manifest as manifests
from hypo_compactd.config import Config
from hypo_compactd.errors import RootError
from hypo_compactd.lock import writer_lock
from hypo_compactd.look import PATTERNS, Look, basis
from hypo_compactd.messages import printable
from hypo_compactd.outcome import Outcome, Request, merged
from hypo_compactd.paths import Project
from hypo_compactd.reader import FOLDER, Signature, Snapshot, check_shortage, describe, list_sources, signature_of
from hypo_strategies.registry import STRATEGIES


def reconcile(project: Project, config: Config, request: Request, pending: Mapping[str, str]) -> Outcome:
    """Make every view what its sources give.

    Args:
        project: which.
        config: its checked configuration.
        request: what is asked for.
        pending: the `pending` of the look before, when that one asked for a second look.

    Raises:
        RootError: `.pipeline/` is missing, empty or cannot be read: nothing is done then, since a
            root that vanished must never cost a view.
        InputError: our own folder cannot be written: the views are right then, only not remembered.
        BusyError: another process is writing this project's views.
    """
    started = time.monotonic()
    with nullcontext() if request.check else writer_lock(project):
        check_root(project)
        outcome = Look(project, config, request, pending).run()
    return replace(outcome, milliseconds=round((time.monotonic() - started) * 1000))


def is_fresh(project: Project, config: Config) -> bool:
    """Return whether nothing has changed since the last reconcile, by the files' signatures alone.

    A cheap «yes» for hooks; anything odd is a «no», which costs a reconcile.
    """
    known = manifests.load(project.state_dir)
    if not known.sources or known.basis != basis(config):
        return False
    snapshot = Snapshot()
    found: dict[str, Signature] = {}
    for path, place in list_sources(project.root, config.layout, (*PATTERNS, *known.followed), snapshot):
        signature = FOLDER.signature if path.endswith("/") else _signature(project, place)
        if signature is not None:
            found[path] = signature
    if snapshot.problems or found != known.sources:
        return False
    return all(
        (entry := known.entries.get(strategy.name)) is not None
        and not any(finding.severity == "error" for finding in entry.findings)
        and entry.signature == _signature(project, config.target(strategy))
        for strategy in STRATEGIES
    )


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
                raise RootError(f"{shown}: is a symbolic link that leads out of the project; it is not followed")
        with os.scandir(project.pipeline) as entries:
            empty = next(entries, None) is None
    except FileNotFoundError:
        raise RootError(f"{shown}: no such folder; start the project with Hypo-Workflow first") from None
    except OSError as error:
        check_shortage(error)
        raise RootError(f"{shown}: {describe(error)}; make the folder readable for this user") from None
    if empty:
        raise RootError(f"{shown}: is empty; nothing is done, in case it is only unmounted")


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


def _signature(project: Project, place: str) -> Signature | None:
    try:
        return signature_of((project.root / place).stat())
    except OSError:
        return None
