"""What `status` says of a project: the daemon by what it has written, the views by their files.

Nothing is written and no lock is held, so that a look does not disturb whoever keeps the project.
Whether a view is fresh is never taken from the daemon, nor from the files' times: all that a view is
made of is read, so that a daemon that is dead, deaf or mistaken cannot make a stale view look fresh.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from hypo_compactd import config as configuration
from hypo_compactd.config import Config
from hypo_compactd.debounce import QUIET_MS
from hypo_compactd.errors import CompactdError, ExitCode, InputError
from hypo_compactd.judge import Life, Verdict, judge
from hypo_compactd.lock import holder
from hypo_compactd.outcome import Outcome, Request, State, ViewOutcome
from hypo_compactd.paths import Project, absent_project, find_project
from hypo_compactd.reconcile import check_root, reconcile
from hypo_compactd.status import boot_id, read_pulse, read_report
from hypo_strategies.api import Finding

LOOKS = 3
"""How often the files are looked at while something in them has to be seen twice."""


class Freshness(StrEnum):
    """What a view is, compared with what its sources give."""

    FRESH = "fresh"
    STALE = "stale"
    """Its sources give something else, or nothing; it would be written or withdrawn."""
    ABSENT = "absent"
    """There is rightly none."""
    CHANGING = "changing"
    """A source is being written without pause."""
    FAILED = "failed"
    """It cannot be made; the findings say why."""


_STATES = {
    State.UNCHANGED: Freshness.FRESH,
    State.WRITTEN: Freshness.STALE,
    State.WITHDRAWN: Freshness.STALE,
    State.HELD: Freshness.STALE,
    State.ABSENT: Freshness.ABSENT,
    State.WAITING: Freshness.CHANGING,
    State.FAILED: Freshness.FAILED,
}


@dataclass(frozen=True, slots=True)
class ViewStatus:
    """One view; paths, also those of its findings, are relative to the project."""

    name: str
    file: str
    freshness: Freshness
    tokens_before: int
    tokens_after: int
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Overview:
    """One project.

    Attributes:
        project: which.
        verdict: its daemon; None where our own folder does not let us see.
        config: what the configuration says; None where it or the project cannot be read.
        views: every view in the registry's order; none where the project cannot be read.
        error: why the project cannot be read.
    """

    project: Project
    verdict: Verdict | None = None
    config: Config | None = None
    views: tuple[ViewStatus, ...] = ()
    error: CompactdError | None = None

    @property
    def state(self) -> str:
        """How the project is kept: what its running daemon says, or else why there is none that says it."""
        if self.verdict is None:
            return "failed"
        if self.verdict.life is Life.RUNNING and self.verdict.report is not None:
            return str(self.verdict.report.standing)
        return str(self.verdict.life)

    @property
    def fresh(self) -> bool:
        """Whether every view is what its sources give."""
        return self.error is None and all(view.freshness in (Freshness.FRESH, Freshness.ABSENT) for view in self.views)

    @property
    def exit_code(self) -> int:
        """The exit code for this project alone; that no daemon runs does not count, that one hangs does."""
        if self.error is not None:
            return self.error.exit_code
        hung = self.verdict is not None and self.verdict.life is Life.HUNG
        return ExitCode.OK if self.fresh and not hung else ExitCode.STALE


def overviews(given: Iterable[str | None], pause: Callable[[float], object] = time.sleep) -> list[Overview]:
    """Return what `status` says of each project, each only once.

    Args:
        given: the projects as the user named them; None for the nearest one upwards.
        pause: called with seconds between two looks at one project.

    Raises:
        InputError: there is no project here or upwards.
    """
    found: dict[Path, Overview] = {}
    for name in given:
        project, error = _find(name)
        if project.root not in found:
            found[project.root] = _overview(project, error, pause)
    return list(found.values())


def freshness(view: ViewOutcome) -> Freshness:
    """Return what a look that wrote nothing says of a view."""
    state = _STATES[view.state]
    # What is being written may well be wrong half-way.
    if state is not Freshness.CHANGING and any(one.severity == "error" for one in view.findings):
        return Freshness.FAILED
    return state


def _find(given: str | None) -> tuple[Project, InputError | None]:
    """Return the project that the user means, also one whose folder is gone: a daemon may still wait for it."""
    try:
        return find_project(given, must_exist=False), None
    except InputError as error:
        if given is None:
            raise
        return absent_project(given), error


def _overview(project: Project, error: InputError | None, pause: Callable[[float], object]) -> Overview:
    overview = Overview(project)
    try:
        overview = replace(overview, verdict=_verdict(project))
        if error is not None:
            raise error
        check_root(project)
        config = configuration.load(project.root)
        views = _looked(project, config, pause).views
    except CompactdError as refusal:
        return replace(overview, error=refusal)
    return replace(overview, config=config, views=tuple(_view(view, overview.verdict) for view in views))


def _verdict(project: Project) -> Verdict:
    report = read_report(project)
    held_by = holder(project)
    pid = None
    if held_by is not None:
        pid = held_by.pid if held_by.pid is not None or report is None else report.pid
    pulse = None if pid is None else read_pulse(pid)
    return judge(report, pulse, held_by, time.monotonic(), boot_id())


def _looked(project: Project, config: Config, pause: Callable[[float], object]) -> Outcome:
    """Look until no second look is needed; only the last look counts, since a daemon may work meanwhile."""
    request = Request(check=True, by_hand=True)
    outcome = reconcile(project, config, request, {})
    for _ in range(LOOKS - 1):
        if not outcome.pending:
            break
        pause(QUIET_MS / 1000)
        outcome = reconcile(project, config, request, outcome.pending)
    return outcome


def _view(view: ViewOutcome, verdict: Verdict | None) -> ViewStatus:
    state, findings = freshness(view), view.findings
    # A look that writes nothing does not meet a disk that is full; the daemon did. What it said of a source may be
    # mended since, and our own look has just seen that.
    if state is Freshness.STALE and verdict is not None and verdict.life is Life.RUNNING and verdict.report is not None:
        file, _, reason = dict(verdict.report.errors).get(view.name, "").partition(": ")
        if file == view.file:
            state, findings = Freshness.FAILED, (*findings, Finding(file, reason))
    return ViewStatus(view.name, view.file, state, view.tokens_before, view.tokens_after, findings)
