"""What `status` prints: the same for programs, as JSON, and for people, as a table; and its exit code."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Any

from hypo_compactd import __version__
from hypo_compactd.errors import ExitCode
from hypo_compactd.judge import Life
from hypo_compactd.messages import message, printable
from hypo_compactd.overview import Overview, ViewStatus
from hypo_strategies.api import Finding, Language, Options


def as_json(overviews: Sequence[Overview]) -> dict[str, Any]:
    r"""Return what `status --json` prints: schema 1.

    Every text is one line without control characters and without lone surrogates: a name that is
    not UTF-8 is shown with `\x..` or `\udc..`. Texts for people are English. What only a daemon
    can say is null where none says it.

    `projects` holds one object for each project, in the order in which they were named:

    - `project`, `root`: the folder as it was named, and as it really is.
    - `state`: `ok`, `polling`, `partial`, `waiting` or `failed` as the daemon says; `none` without a
      daemon, `hung` when it holds the project and gives no sign of life, `starting` when it has
      not said anything yet. `failed` also where our own folder does not let us see.
    - `reason`: why the project cannot be read, or is not kept as it should be; "" when all is well.
    - `daemon`: null without one, else `pid`, `version`, `beat_age_s` (seconds since it last said that
      it lives), `canary_ms`, `overflows`, `rebuilds`, `rss_mb`, `threads`.
    - `watches`: `wanted` and `held`: folders that should be and that are watched.
    - `looks`, `missed`, `repaired`: looks at the project, changes that only the sweep found, views
      of another program that were put right.
    - `contested`: names of the views that another program keeps writing.
    - `views`: for each `name`, `file`, `state` (`fresh`, `stale`, `absent`, `changing`, `failed`),
      `tokens_before`, `tokens_after`, and `findings` of `file`, `line`, `column`, `severity`
      (`error`, `warning`) and `message`; files are relative to the project. Empty where the project
      cannot be read.
    - `fresh`: whether every view is fresh or absent.
    """
    return {"schema": 1, "projects": [_project(overview) for overview in overviews]}


def as_lines(overviews: Sequence[Overview]) -> list[str]:
    """Return what `status` prints for people: a line for each project, each view and each finding."""
    lines = []
    for overview in overviews:
        language = _language(overview)
        lines.append(_headline(overview, language))
        width = max((_width(_word(view, language)) for view in overview.views), default=0)
        for view in overview.views:
            lines.append(_row(view, width, language))
            lines += [f"    {printable(str(finding))}" for finding in view.findings]
    return lines


def exit_code(overviews: Sequence[Overview]) -> int:
    """Return the worst exit code of the projects; a larger one is worse."""
    return max((overview.exit_code for overview in overviews), default=ExitCode.OK)


def _project(overview: Overview) -> dict[str, Any]:
    report = overview.verdict.report if overview.verdict else None
    return {
        "project": printable(str(overview.project.shown)),
        "root": printable(str(overview.project.root)),
        "state": overview.state,
        "reason": "; ".join(reasons(overview, "en")),
        "daemon": _daemon(overview),
        "watches": {"wanted": report.wanted if report else None, "held": report.held if report else None},
        "looks": report.looks if report else None,
        "missed": report.missed if report else None,
        "repaired": report.repaired if report else None,
        "contested": [printable(name) for name in report.contested] if report else [],
        "views": [
            {
                "name": view.name,
                "file": printable(view.file),
                "state": str(view.freshness),
                "tokens_before": view.tokens_before,
                "tokens_after": view.tokens_after,
                "findings": [_finding(finding) for finding in view.findings],
            }
            for view in overview.views
        ],
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
        "beat_age_s": None if verdict.silent_s is None else round(verdict.silent_s, 1),
        "canary_ms": pulse.canary_ms if pulse else None,
        "overflows": pulse.overflows if pulse else None,
        "rebuilds": pulse.rebuilds if pulse else None,
        "rss_mb": pulse.rss_mb if pulse else None,
        "threads": pulse.threads if pulse else None,
    }


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "file": printable(finding.path),
        "line": finding.line,
        "column": finding.column,
        "severity": finding.severity,
        "message": printable(finding.message),
    }


def reasons(overview: Overview, language: Language) -> list[str]:
    """Return why a project cannot be read or is not kept as it should be, the weightiest first."""
    found = [] if overview.error is None else [printable(str(overview.error))]
    verdict = overview.verdict
    if verdict is None:
        return found
    pid = "?" if verdict.pid is None else verdict.pid
    if verdict.left is not None:
        found.append(message("reason_left", language, pid=verdict.left))
    elif verdict.life is Life.NONE and overview.error is None:
        found.append(message("reason_none", language))
    if verdict.life is Life.NONE:
        return found
    if verdict.life is Life.HUNG:
        found.append(message("reason_hung", language, pid=pid, seconds=round(verdict.silent_s or 0)))
    if verdict.life is Life.STARTING:
        found.append(message("reason_starting", language, pid=pid))
    report = verdict.report
    if report is not None and report.reason:
        found.append(printable(report.reason))
    if report is not None and report.contested:
        found.append(message("reason_contested", language, views=printable(", ".join(report.contested))))
    if report is not None and report.version != __version__:
        found.append(message("reason_version", language, version=printable(report.version), own=__version__))
    if overview.config is not None and not overview.config.auto:
        found.append(message("reason_auto", language))
    elif overview.config is not None and not overview.config.knowledge_auto:
        found.append(message("reason_knowledge", language))
    return found


def _headline(overview: Overview, language: Language) -> str:
    verdict = overview.verdict
    parts = [printable(str(overview.project.shown)), message(f"daemon_{overview.state}", language)]
    parts += ["; ".join(reasons(overview, language))]
    if verdict is not None and verdict.life is Life.RUNNING and verdict.pid is not None:
        parts.append(message("daemon", language, pid=verdict.pid, seconds=round(verdict.silent_s or 0)))
    return "  ".join(part for part in parts if part)


def _row(view: ViewStatus, width: int, language: Language) -> str:
    word = _word(view, language)
    parts = [f"  {view.name:10}", word + " " * (width - _width(word)), printable(view.file)]
    if view.tokens_before:
        parts.append(message("tokens", language, before=view.tokens_before, after=view.tokens_after))
    return "  ".join(parts)


def _word(view: ViewStatus, language: Language) -> str:
    return message(f"view_{view.freshness}", language)


def _width(text: str) -> int:
    """Return how many columns a terminal gives a text."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def _language(overview: Overview) -> Language:
    return (overview.config.options if overview.config else Options()).language
