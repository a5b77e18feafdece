"""What `status` prints for programs."""

from __future__ import annotations

from hypo_compactd.judge import Life
from hypo_compactd.messages import printable
from hypo_compactd.status_words import reasons

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from hypo_compactd.project_status import Overview, ViewStatus
    from hypo_strategies.api import Finding


def as_json(overviews: Sequence[Overview], tokens: str = "estimate") -> dict[str, Any]:
    r"""Return what `status --json` prints: schema 1, to which keys may be added.

    Every text is one line without control characters and without lone surrogates: a name that is
    not UTF-8 is shown with `\x..` or `\udc..`. Texts for people are English. What only a daemon
    can say is null where none says it. Ages are seconds with one digit behind the point.

    - `schema`: 1.
    - `tokens`: how tokens are counted: `estimate`, or the name of a tokenizer.
    - `projects`: an object for each project, in the order in which they were named; the rest is in these.
    - `project`, `root`: the folder as it was named, and as it really is.
    - `state`: `ok`, `polling`, `partial`, `waiting` or `failed` as the daemon says; `none` without a
      daemon, `hung` when it holds the project and gives no sign of life, `starting` when it has
      not said anything yet. `failed` also where our own folder does not let us see.
    - `reason`: why the project cannot be read, or is not kept as it should be; "" when all is well.
    - `backend`: how its daemon learns of changes: `inotify` or `fsevents` (events; where the state is
      `partial` the other folders are polled), `polling` (no events, the files are looked at every
      second or a little less often), `sweep` (nor that, as `--poll never` wants it).
    - `daemon`: null without one.
    - `daemon.pid`, `daemon.version`: its process, and the program's version.
    - `daemon.beat_age_s`: how long ago it last said that it lives.
    - `daemon.canary_ms`: how long an event takes to come.
    - `daemon.overflows`, `daemon.rebuilds`: how often the system dropped events, and how often
      events were set up anew.
    - `daemon.rss_mb`, `daemon.threads`: its memory in MiB, and its threads.
    - `watches.wanted`, `watches.held`: folders that should be and that are watched.
    - `looks`, `look_age_s`: looks at the project, and how long ago the last one ended.
    - `pending`: whether a look is due.
    - `missed`: changes that only the sweep found.
    - `repaired`: views of another program that were put right.
    - `contested`: names of the views that another program keeps writing.
    - `views`: an object for each view, in a fixed order; empty where the project cannot be read.
    - `views.name`, `views.file`: its name, and its file relative to the project.
    - `views.state`: `fresh`, `stale`, `absent` (there is rightly none), `changing` (a source is being
      written without pause) or `failed` (it cannot be made).
    - `views.age_s`: how long ago its file was last written, or found right though a source had
      changed; null where there is no file.
    - `views.stale_s`: for how long at least it has been stale; null where it is not, or where no
      source is newer than it, since it was changed or removed itself.
    - `views.tokens_before`, `views.tokens_after`: tokens of its sources and of itself.
    - `views.findings`: an object for each thing that is wrong with a source or the view.
    - `views.findings.file`, `views.findings.line`, `views.findings.column`: where; the file is
      relative to the project, line and column count from 1 and are null where they are not known.
    - `views.findings.severity`, `views.findings.message`: `error` or `warning`, and what is wrong.
    - `fresh`: whether every view is fresh or absent.
    """
    return {"schema": 1, "tokens": tokens, "projects": [_project(overview) for overview in overviews]}


def _project(overview: Overview) -> dict[str, Any]:
    verdict = overview.verdict
    report = verdict.report if verdict else None
    return {
        "project": printable(overview.project.shown_place),
        "root": printable(overview.project.real_place),
        "state": overview.state,
        "reason": "; ".join(reasons(overview, "en")),
        "backend": overview.backend,
        "daemon": _daemon(overview),
        "watches": {"wanted": report.wanted if report else None, "held": report.held if report else None},
        "looks": report.looks if report else None,
        "look_age_s": _age(verdict.looked_s if verdict else None),
        "pending": report.pending if report else None,
        "missed": report.missed if report else None,
        "repaired": report.repaired if report else None,
        "contested": [printable(name) for name in report.contested] if report else [],
        "views": [_view(view) for view in overview.views],
        "fresh": overview.fresh,
    }


def _daemon(overview: Overview) -> dict[str, Any] | None:
    verdict = overview.verdict
    if verdict is None or verdict.life is Life.NONE:
        return None
    pulse = verdict.pulse
    version = pulse.version if pulse else verdict.report.version if verdict.report else None
    return {
        "pid": verdict.pid,
        "version": None if version is None else printable(version),
        "beat_age_s": _age(verdict.silent_s),
        "canary_ms": pulse.canary_ms if pulse else None,
        "overflows": pulse.overflows if pulse else None,
        "rebuilds": pulse.rebuilds if pulse else None,
        "rss_mb": pulse.rss_mb if pulse else None,
        "threads": pulse.threads if pulse else None,
    }


def _view(view: ViewStatus) -> dict[str, Any]:
    return {
        "name": view.name,
        "file": printable(view.file),
        "state": str(view.freshness),
        "age_s": _age(view.age_s),
        "stale_s": _age(view.stale_s),
        "tokens_before": view.tokens_before,
        "tokens_after": view.tokens_after,
        "findings": [_finding(finding) for finding in view.findings],
    }


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "file": printable(finding.path),
        "line": finding.line,
        "column": finding.column,
        "severity": finding.severity,
        "message": printable(finding.message),
    }


def _age(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 1)
