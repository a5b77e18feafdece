"""What `status` says of a project: the daemon by what it has written, the views by their files.

Nothing is written and no lock is held, so that a look does not disturb whoever keeps the project.
Whether a view is fresh is never taken from the daemon, nor from the times that a file bears: all that
a view is made of is read, so that a daemon that is dead, deaf or mistaken cannot make a stale view
look fresh. Who looks again and again may recall a look as long as no file has another mark.
"""

from __future__ import annotations

import os
import stat
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from hypo_compactd import config as configuration
from hypo_compactd.config import Config
from hypo_compactd.debounce import QUIET_MS
from hypo_compactd.errors import CompactdError, ExitCode, InputError, origin
from hypo_compactd.judge import Life, Verdict
from hypo_compactd.keeper import verdict_of
from hypo_compactd.language import language_of
from hypo_compactd.messages import printable
from hypo_compactd.outcome import Outcome, Request, State, ViewOutcome
from hypo_compactd.paths import Project, absent_project, find_project
from hypo_compactd.reader import Snapshot, list_sources
from hypo_compactd.reconcile import check_root, reconcile
from hypo_compactd.scan import Scan, changed, scan
from hypo_compactd.status import Standing
from hypo_strategies.api import Finding, Language, Options
from hypo_strategies.registry import STRATEGIES

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


_EVENTS = {"linux": "inotify", "darwin": "fsevents"}
"""What brings native events on each system."""


@dataclass(frozen=True, slots=True)
class ViewStatus:
    """One view; paths, also those of its findings, are relative to the project.

    `age_s`: seconds since its file was last written, or found right though a source had changed;
    None where there is no file. `stale_s`: for how many seconds at least it has been stale, None where
    no source is newer than it: somebody has changed or removed the view, or an option or the program.
    """

    name: str
    file: str
    freshness: Freshness
    tokens_before: int
    tokens_after: int
    findings: tuple[Finding, ...]
    age_s: float | None = None
    stale_s: float | None = None


@dataclass(frozen=True, slots=True)
class Looked:
    """One project's configuration, and what a look that wrote nothing found."""

    config: Config
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Overview:
    """One project.

    Attributes:
        project: which.
        verdict: its daemon; None where our own folder does not let us see.
        config: what the configuration says; None where it or the project cannot be read.
        views: every view in the registry's order; none where the project cannot be read.
        error: why the project cannot be read, or where the program itself failed.
        language: the project's; that of the global configuration where its own cannot be read.
    """

    project: Project
    verdict: Verdict | None = None
    config: Config | None = None
    views: tuple[ViewStatus, ...] = ()
    error: CompactdError | None = None
    language: Language = Options().language

    @property
    def state(self) -> str:
        """How the project is kept: what its running daemon says, or else why there is none that says it."""
        if self.verdict is None:
            return "failed"
        if self.verdict.life is Life.RUNNING and self.verdict.report is not None:
            return str(self.verdict.report.standing)
        return str(self.verdict.life)

    @property
    def backend(self) -> str | None:
        """How its daemon learns of changes: `inotify`, `fsevents`, `polling`, `sweep`; None where none says it."""
        report = self.verdict.report if self.verdict else None
        if report is None:
            return None
        if report.held:
            return _EVENTS.get(sys.platform, "native")
        # Nothing is watched, and nothing polled either: as `--poll never` wants it.
        return "sweep" if report.standing is Standing.PARTIAL else "polling"

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


def looked(project: Project, pause: Callable[[float], object] = time.sleep) -> Looked:
    """Look until no second look is needed; only the last look counts, since a daemon may work meanwhile.

    Args:
        project: which.
        pause: called with seconds between two looks.

    Raises:
        CompactdError: the project or its configuration cannot be read.
    """
    config = configuration.load(project.root)
    request = Request(check=True, by_hand=True)
    outcome = reconcile(project, config, request, {})
    for _ in range(LOOKS - 1):
        if not outcome.pending:
            break
        pause(QUIET_MS / 1000)
        outcome = reconcile(project, config, request, outcome.pending)
    return Looked(config, outcome)


class Recall:
    """Looks at a project only where something in it has changed since the last look; for who looks often.

    What has changed is seen by the marks of its files, as the daemon's sweep sees it (`scan`).
    """

    def __init__(self, look: Callable[[Project], Looked] = looked) -> None:
        self._look = look
        self._known: dict[Path, tuple[Looked, Scan]] = {}

    def __call__(self, project: Project) -> Looked:
        """Return what a look would find.

        Raises:
            CompactdError: the project or its configuration cannot be read.
        """
        last, before = self._known.pop(project.root, (None, Scan()))
        # Scanned before it is read: a change in between is then seen next time. So are the files to which sources
        # point, since only a look tells which they are.
        config = last.config if last else configuration.load(project.root)
        after = scan(project, config, last.outcome.followed if last else ())
        if last is None or last.outcome.pending or before.racy or changed(before, after):
            last = self._look(project)
        self._known[project.root] = last, after
        return last


def overviews(given: Iterable[str | None], look: Callable[[Project], Looked] = looked) -> list[Overview]:
    """Return what `status` says of each project, each only once.

    Args:
        given: the projects as the user named them; None for the nearest one upwards.
        look: looks at one project that is there.

    Raises:
        InputError: there is no project here or upwards.
    """
    found: dict[Path, Overview] = {}
    for name in given:
        project, error = _find(name)
        if project.root not in found:
            found[project.root] = _overview(project, error, look)
    return list(found.values())


def exit_code(overviews: Sequence[Overview]) -> int:
    """Return the worst exit code of the projects; a larger one is worse."""
    return max((overview.exit_code for overview in overviews), default=ExitCode.OK)


def freshness(view: ViewOutcome) -> Freshness:
    """Return what a look that wrote nothing says of a view."""
    state = _STATES[view.state]
    # What is being written may well be wrong half-way.
    if state is not Freshness.CHANGING and any(one.severity == "error" for one in view.findings):
        return Freshness.FAILED
    return state


def stale_since_ns(written_ns: int, sources_ns: Iterable[int]) -> int | None:
    """Return since when at the latest a view has been stale: the first change of a source that is newer than it.

    Args:
        written_ns: when the view was last written, in nanoseconds since the epoch.
        sources_ns: when each of its sources was.
    """
    return min((one for one in sources_ns if one > written_ns), default=None)


def _find(given: str | None) -> tuple[Project, InputError | None]:
    """Return the project that the user means, also one whose folder is gone: a daemon may still wait for it."""
    try:
        return find_project(given, must_exist=False), None
    except InputError as error:
        if given is None:
            raise
        return absent_project(given), error


def _overview(project: Project, error: CompactdError | None, look: Callable[[Project], Looked]) -> Overview:
    overview = Overview(project)
    try:
        overview = replace(overview, verdict=verdict_of(project))
        if error is None:
            return _looked_at(overview, look)
    except CompactdError as refusal:
        error = refusal
    except Exception as surprise:  # noqa: BLE001 - one project's fault must not hide how the others are
        shown = printable(os.fspath(project.shown))
        error = CompactdError("{path}: {reason}", path=shown, reason=origin(surprise))
    return replace(overview, error=error, language=_language(project))


def _looked_at(overview: Overview, look: Callable[[Project], Looked]) -> Overview:
    project = overview.project
    check_root(project)
    found = look(project)
    now_ns = time.time_ns()
    views = [_view(view, overview.verdict) for view in found.outcome.views]
    dated = tuple(_dated(view, project, found, now_ns) for view in views)
    return replace(overview, config=found.config, views=dated, language=found.config.spoken)


def _language(project: Project) -> Language:
    """Return the project's language; the default where the very configuration is what the program fails at."""
    with suppress(Exception):
        return language_of(project.root)
    return Options().language


def _view(view: ViewOutcome, verdict: Verdict | None) -> ViewStatus:
    state, findings = freshness(view), view.findings
    # A look that writes nothing does not meet a disk that is full; the daemon did. What it said of a source may be
    # mended since, and our own look has just seen that.
    if state is Freshness.STALE and verdict is not None and verdict.life is Life.RUNNING and verdict.report is not None:
        error = dict(verdict.report.errors).get(view.name)
        if error is not None and error.path == view.file:
            state, findings = Freshness.FAILED, (*findings, error)
    return ViewStatus(view.name, view.file, state, view.tokens_before, view.tokens_after, findings)


def _dated(view: ViewStatus, project: Project, found: Looked, now_ns: int) -> ViewStatus:
    """Return a view with its age."""
    written_ns = _written_ns(project, view.file)
    if written_ns is None:
        return view
    since_ns = None
    if view.freshness not in (Freshness.FRESH, Freshness.ABSENT):
        strategy = next(one for one in STRATEGIES if one.name == view.name)
        places = list_sources(project.root, found.config.layout, strategy.reads, Snapshot())
        times = (_written_ns(project, place) for _, place in places)
        since_ns = stale_since_ns(written_ns, (one for one in times if one is not None))
    return replace(view, age_s=_age_s(written_ns, now_ns), stale_s=_age_s(since_ns, now_ns))


def _written_ns(project: Project, place: str) -> int | None:
    """Return when a file was last written, None where there is none."""
    try:
        status = os.lstat(project.root / place)
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns if stat.S_ISREG(status.st_mode) else None


def _age_s(since_ns: int | None, now_ns: int) -> float | None:
    """Return seconds; a time in the future, which any program can give a file, is now."""
    return None if since_ns is None else max(0, now_ns - since_ns) / 1e9
