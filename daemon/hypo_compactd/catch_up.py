"""Bringing every view up to date within a time limit, with or without a daemon.

It is not left to a daemon that runs: one that keeps the views fresh waits for a quiet period first, so it is no
faster; and whether it hangs, keeps the views only at Milestones or is of another version need not be found out.
Both may look, under the writer's lock, and whoever comes second finds nothing to write.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

from hypo_compactd import config as configuration
from hypo_compactd.config import Config
from hypo_compactd.debounce import QUIET_MS
from hypo_compactd.errors import BusyError, ExitCode
from hypo_compactd.freshness import is_fresh
from hypo_compactd.messages import translated
from hypo_compactd.outcome import Outcome, Request, State, changing
from hypo_compactd.paths import Project
from hypo_compactd.reconcile import reconcile
from hypo_strategies.text.phrase import Phrase, phrase


def catch_up(project: Project, limit_s: float) -> tuple[int, list[str]]:
    """Bring every view up to date; return the exit code and what is to be said to people.

    Args:
        project: which.
        limit_s: how long to wait, in seconds, for sources to settle and for another writer. 0: only look.

    Raises:
        ConfigurationError: the configuration cannot be read at all.
        RootError: `.pipeline/` is empty or cannot be read.
        InputError: our own folder cannot be written.
    """
    deadline = time.monotonic() + limit_s
    config = configuration.load(project.root)
    language = config.spoken
    if is_fresh(project):
        return ExitCode.OK, []  # a daemon has done it while the rest of the program was loaded
    request = Request(check=not limit_s)
    try:
        outcome = reconcile(project, config, request, {}, lock_wait_s=_left(deadline))
        while outcome.names(State.WAITING) and _left(deadline):
            time.sleep(min(QUIET_MS / 1000, _left(deadline)))
            outcome = reconcile(project, config, request, outcome.pending, lock_wait_s=_left(deadline))
    except BusyError as error:
        return ExitCode.STALE, [translated(error.phrase, language)]
    behind = [translated(one, language) for one in _behind(outcome, config, check=request.check)]
    errors = [
        translated(replace(one, path=f"{project.shown}/{one.path}").phrase, language)
        for one in outcome.findings
        if one.severity == "error"
    ]
    if behind:
        return ExitCode.STALE, [*behind, *errors]
    return ExitCode.BAD_INPUT if outcome.failed else ExitCode.OK, errors


def _behind(outcome: Outcome, config: Config, *, check: bool) -> Iterator[Phrase]:
    """Yield each reason why views are not what their sources give."""
    if waiting := outcome.names(State.WAITING):
        yield changing(waiting)
    held = ", ".join(outcome.names(State.HELD))
    if held and not config.auto:
        yield phrase(
            "{views}: behind; compact.auto is false, so nothing was written; hypo-compactd compact refreshes",
            views=held,
        )
    elif held:
        yield phrase(
            "{views}: behind; knowledge.enabled or knowledge.compaction.auto is false; hypo-compactd compact refreshes",
            views=held,
        )
    stale = ", ".join(outcome.names(State.WRITTEN, State.WITHDRAWN)) if check else ""
    if stale:
        yield phrase("{views}: behind; hypo-compactd compact refreshes", views=stale)


def _left(deadline: float) -> float:
    return max(0.0, deadline - time.monotonic())
