"""What a look that writes nothing finds: whether each view is what its sources give.

Who looks again and again may recall a look as long as no file has another mark.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from hypo_compactd import config as configuration
from hypo_compactd.config import Config
from hypo_compactd.debounce import QUIET_MS
from hypo_compactd.judge import Life, Verdict
from hypo_compactd.outcome import Outcome, Request, State, ViewOutcome
from hypo_compactd.paths import Project
from hypo_compactd.project_status import Freshness, Overview, Settings, ViewStatus, age_s, written
from hypo_compactd.reader import Snapshot, list_sources
from hypo_compactd.reconcile import check_root, reconcile
from hypo_compactd.scan import Scan, changed, scan
from hypo_strategies.registry import STRATEGIES

LOOKS = 3
"""How often the files are looked at while something in them has to be seen twice."""


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
class Looked:
    """One project's configuration, and what a look that wrote nothing found."""

    config: Config
    outcome: Outcome


def inspected(project: Project, verdict: Verdict, look: Callable[[Project], Looked]) -> Overview:
    """Return what a look at a project finds.

    Args:
        project: which.
        verdict: what its daemon does.
        look: looks at it.

    Raises:
        CompactdError: the project or its configuration cannot be read.
    """
    check_root(project)
    found = look(project)
    now_ns = time.time_ns()
    views = [_view(view, verdict) for view in found.outcome.views]
    dated = tuple(_dated(view, project, found, now_ns) for view in views)
    config = found.config
    settings = Settings(config.auto, config.knowledge_auto, tuple(config.findings))
    return Overview(project, verdict, settings, dated, language=config.spoken)


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


def freshness(view: ViewOutcome) -> str:
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


def _view(view: ViewOutcome, verdict: Verdict) -> ViewStatus:
    state, findings = freshness(view), view.findings
    # A look that writes nothing does not meet a disk that is full; the daemon did. What it said of a source may be
    # mended since, and our own look has just seen that.
    if state is Freshness.STALE and verdict.life is Life.RUNNING and verdict.report is not None:
        error = dict(verdict.report.errors).get(view.name)
        if error is not None and error.path == view.file:
            state, findings = Freshness.FAILED, (*findings, error)
    return ViewStatus(view.name, view.file, state, view.tokens_before, view.tokens_after, findings)


def _dated(view: ViewStatus, project: Project, found: Looked, now_ns: int) -> ViewStatus:
    """Return a view with its age."""
    written_ns = written(project, view.file)
    if written_ns is None:
        return view
    since_ns = None
    if view.freshness not in (Freshness.FRESH, Freshness.ABSENT):
        strategy = next(one for one in STRATEGIES if one.name == view.name)
        places = list_sources(project.root, found.config.layout, strategy.reads, Snapshot())
        times = (written(project, place) for _, place in places)
        since_ns = stale_since_ns(written_ns, (one for one in times if one is not None))
    return replace(view, age_s=age_s(written_ns, now_ns), stale_s=age_s(since_ns, now_ns))
