"""What one project's worker says: events in the log, each condition once, and the status file."""

from __future__ import annotations

import math
import threading
from contextlib import suppress
from dataclasses import replace
from typing import Any

from hypo_compactd import status
from hypo_compactd.outcome import Outcome, State
from hypo_compactd.paths import Project
from hypo_compactd.reader import describe
from hypo_compactd.status import Report, Standing
from hypo_strategies.text.phrase import Phrase

REPORT_S = 10.0
"""How often mere counts are written to the status file, in seconds; a change of standing is written at once."""

INTERRUPT_S = 0.2
"""How long another thread waits to write the status file."""


class Reporter:
    """Speaks for one project.

    Args:
        project: which.
        log: a structlog logger that is bound to it.
    """

    def __init__(self, project: Project, log: Any) -> None:
        self._project = project
        self._log = log
        self._said: dict[str, object] = {}
        self._failed: set[str] = set()
        self._standing = Standing.OK
        self._published: Report | None = None
        self._published_at = -math.inf
        self._writing = threading.Lock()

    def say(self, event: str, level: str, **values: object) -> None:
        """Log a condition once, and again only when it changes."""
        if self._said.get(event) != values:
            self._said[event] = values
            getattr(self._log, level)(event, **values)

    def clear(self, *events: str) -> bool:
        """Note that conditions are over; return whether one of them had been said."""
        said = [self._said.pop(event, None) for event in events]
        return any(values is not None for values in said)

    def stand(self, standing: str, reason: Phrase | None) -> None:
        """Log how the project is kept, when that has changed."""
        if standing is Standing.OK:
            if self._standing is not Standing.OK:
                self._log.info("ok", hint="native events for every folder")
        else:
            self.say(standing, "error" if standing is Standing.FAILED else "warning", reason=str(reason))
        self.clear(*(other for other in Standing.all() if other is not standing))
        self._standing = standing

    def batch(self, outcome: Outcome) -> None:
        """Log one event for a look that did or found something; one that found nothing is only for --verbose."""
        before, after = outcome.tokens
        failed = outcome.names(State.FAILED)
        values: dict[str, object] = {
            "moment": list(outcome.moments),
            "written": outcome.names(State.WRITTEN),
            "unchanged": outcome.names(State.UNCHANGED),
            "withdrawn": outcome.names(State.WITHDRAWN),
            "failed": failed,
            "waiting": outcome.names(State.WAITING),
            "tokens_before": before,
            "tokens_after": after,
            "milliseconds": outcome.milliseconds,
        }
        if outcome.swept:
            values["swept"] = outcome.swept
        if outcome.repaired:
            values["repaired"] = list(outcome.repaired)
        failed_anew, self._failed = set(failed) - self._failed, set(failed)
        if outcome.changed or outcome.moments or failed_anew:
            self._log.info("refreshed", **values)
        else:
            self._log.debug("looked", **values)
        findings = [str(one) for view in outcome.views if view.state is not State.WAITING for one in view.findings]
        if findings:
            self.say("findings", "error" if outcome.failed else "warning", findings=list(dict.fromkeys(findings)))
        elif not outcome.names(State.WAITING) and self.clear("findings"):
            self._log.info("mended")

    def contested(self, views: tuple[str, ...]) -> None:
        """Log which views another program keeps writing."""
        if views:
            hint = "another program writes them again and again; they are put right ever more seldom"
            self.say("contested", "warning", views=list(views), hint=hint)
        else:
            self.clear("contested")

    def interrupt(self, report: Report) -> None:
        """Write a report from another thread, while ours is held up; ours is written anew at the next occasion."""
        # Ours may hang just there, and whoever interrupts must not hang with it.
        if not self._writing.acquire(timeout=INTERRUPT_S):
            return
        try:
            self._published = None
            with suppress(OSError):
                status.write_report(self._project, report)
        finally:
            self._writing.release()

    def publish(self, report: Report, now: float) -> None:
        """Write the status file when something has changed that must be seen, or when the counts are old."""
        before = self._published
        if before is not None and now < self._published_at + REPORT_S and _gist(before) == _gist(report):
            return
        if before is not None and replace(before, looked=report.looked) == report:
            return
        try:
            with self._writing:
                status.write_report(self._project, report)
                self._published, self._published_at = report, now
        except OSError as error:
            self.say("status", "error", reason=f"the status file cannot be written: {describe(error)}")
            return
        self.clear("status")


def _gist(report: Report) -> Report:
    """Return a report without what changes at every look."""
    return replace(report, looked=0.0, looks=0, missed=0, repaired=0)
