"""One project's thread: it decides when to look again, and says what came of it.

Every reconcile of a project runs here, so no two of them ever meet. The sweep looks at the files
every 30 s whether or not an event came, so that nothing lost stays lost.
"""

from __future__ import annotations

import os
import threading
import time
from dataclasses import dataclass
from typing import Any

from hypo_compactd import config as configuration
from hypo_compactd.config import Config
from hypo_compactd.debounce import MAX_WAIT_MS, QUIET_MS, Debounce
from hypo_compactd.errors import BusyError, CompactdError, ConfigurationError, origin
from hypo_compactd.folders import interest_of
from hypo_compactd.outcome import Outcome, Request, State
from hypo_compactd.outputs import Outputs
from hypo_compactd.paths import Project
from hypo_compactd.plan import Policy
from hypo_compactd.reconcile import reconcile
from hypo_compactd.watcher import Watcher

SWEEP_S = 30.0
RETRY_S = (0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
"""How long to wait for the next look while a source does not settle or a view cannot be written."""

BUSY_S = 1.0
"""How long to wait when another process is writing this project's views."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How the daemon runs: policy, quiet period and maximum wait in milliseconds, sweep in seconds."""

    policy: Policy = Policy.FRESH
    quiet_ms: int = QUIET_MS
    max_wait_ms: int = MAX_WAIT_MS
    sweep_s: float = SWEEP_S


class Worker(threading.Thread):
    """Keeps one project current; every reconcile of the project runs on this thread.

    Attributes:
        ready: set after the first reconcile, whatever came of it.
    """

    def __init__(self, project: Project, settings: Settings, watcher: Watcher, log: Any) -> None:
        super().__init__(name=f"project {project.root.name}", daemon=True)
        self.project = project
        self.ready = threading.Event()
        self._settings = settings
        self._watcher = watcher
        self._log = log.bind(project=os.fspath(project.shown))
        self._wake = threading.Condition()
        self._debounce = Debounce(settings.quiet_ms, settings.max_wait_ms)
        self._stopping = False
        self._reload = True
        self._config = Config()
        self._usable = False
        self._pending: dict[str, str] = {}
        self._tries = 0
        self._next_look = 0.0
        self._own = Outputs()
        self._interest = interest_of(project, self._config)
        self._followed: tuple[str, ...] = ()
        self._said: dict[str, object] = {}
        self._failed: set[str] = set()

    def notice(self, path: str) -> None:
        """Take note of an event; called from the watcher's thread."""
        if path in self._interest.outputs:
            if self._own.wrote(path):
                return
        elif not self._interest.matters(path):
            return
        with self._wake:
            self._debounce.add(path, time.monotonic())
            self._wake.notify()

    def reload(self) -> None:
        """Read the configuration anew and look at everything."""
        with self._wake:
            self._reload = True
            self._wake.notify()

    def stop(self) -> None:
        """End after the reconcile that is running, if any."""
        with self._wake:
            self._stopping = True
            self._wake.notify()

    def run(self) -> None:
        """Look once, then whenever there is a reason, until stopped."""
        self._look()
        self.ready.set()
        while self._sleep():
            self._look()

    def _sleep(self) -> bool:
        """Wait for a reason to look; return False when stopping."""
        with self._wake:
            while not self._stopping:
                now = time.monotonic()
                # An open batch goes before the sweep: a look in the middle of a save would be for nothing.
                settled = self._debounce.deadline()
                if self._reload or self._debounce.due(now) or (settled is None and now >= self._next_look):
                    self._debounce.take()
                    return True
                self._wake.wait((self._next_look if settled is None else settled) - now)
        return False

    def _look(self) -> None:
        self._next_look = time.monotonic() + self._settings.sweep_s
        with self._wake:
            reload, self._reload = self._reload, False
        try:
            # Watched before it is read: a change in between is then an event, not a loss.
            self._watch()
            if self._configure(anew=reload):
                self._watch()
                self._report(self._reconcile())
        except BusyError as error:
            self._next_look = time.monotonic() + BUSY_S
            self._say("waiting", "warning", reason=str(error))
        except CompactdError as error:
            self._pending = {}
            self._say("waiting", "warning", reason=str(error))
        except Exception as error:  # noqa: BLE001 - a worker that ends would leave its project stale for ever
            self._pending = {}
            self._say("failed", "error", reason=f"{origin(error)}; looking again at the next sweep")
        if self._pending:
            self._next_look = min(self._next_look, time.monotonic() + RETRY_S[min(self._tries, len(RETRY_S) - 1)])

    def _reconcile(self) -> Outcome:
        request = Request(policy=self._settings.policy)
        self._own.begin()
        outcome: Outcome | None = None
        try:
            outcome = reconcile(self.project, self._config, request, self._pending)
        finally:
            for path in self._own.end(outcome, self.project):
                self.notice(path)
        again = dict(outcome.pending)
        self._tries = self._tries + 1 if again and again == self._pending else 0
        self._pending = again
        self._clear("waiting", "failed")
        self._follow(outcome.followed)
        return outcome

    def _follow(self, followed: tuple[str, ...]) -> None:
        """Watch the files to which sources point, too, and look once more at what changed before that."""
        if followed != self._followed:
            self._followed = followed
            self._watch()
            with self._wake:
                self._debounce.add("followed", time.monotonic())

    def _configure(self, *, anew: bool) -> bool:
        """Read the configuration when it changed or is asked for anew; return whether there is one to go by."""
        present = configuration.signatures(self.project.root)
        if not anew and self._usable and present == dict(self._config.signatures):
            return True
        try:
            self._config = configuration.load(self.project.root)
        except ConfigurationError as error:
            kept = "the last good values are kept" if self._usable else "nothing is written until it is mended"
            self._say("configuration", "error", reason=f"{error}; {kept}")
            return self._usable
        self._usable = True
        self._clear("configuration")
        if self._config.findings:
            findings = [str(finding) for finding in self._config.findings]
            self._say("configuration_values", "warning", findings=findings)
        else:
            self._clear("configuration_values")
        if self._config.auto:
            self._clear("auto_off")
        else:
            self._say("auto_off", "info", hint="compact.auto is false: nothing is written")
        return True

    def _watch(self) -> None:
        self._interest = interest_of(self.project, self._config, self._followed)
        failed = self._watcher.watch(os.fspath(self.project.root), self._interest.folders)
        if failed:
            first, reason = next(iter(failed.items()))
            hint = f"they are looked at every {self._settings.sweep_s:.0f} s"
            self._say("not_watched", "warning", folders=len(failed), first=first, reason=reason, hint=hint)
        else:
            self._clear("not_watched")

    def _report(self, outcome: Outcome) -> None:
        """Log one event for a batch that did or found something; a look that found nothing is only for --verbose."""
        before, after = outcome.tokens
        failed = outcome.names(State.FAILED)
        values = {
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
        failed_anew, self._failed = set(failed) - self._failed, set(failed)
        if outcome.changed or outcome.moments or failed_anew:
            self._log.info("refreshed", **values)
        else:
            self._log.debug("looked", **values)
        findings = [str(one) for view in outcome.views if view.state is not State.WAITING for one in view.findings]
        if findings:
            self._say("findings", "error" if outcome.failed else "warning", findings=list(dict.fromkeys(findings)))
        elif not outcome.names(State.WAITING) and self._clear("findings"):
            self._log.info("mended")

    def _say(self, event: str, level: str, **values: object) -> None:
        """Log a condition once, and again only when it changes."""
        if self._said.get(event) != values:
            self._said[event] = values
            getattr(self._log, level)(event, **values)

    def _clear(self, *events: str) -> bool:
        """Note that conditions are over; return whether one of them had been said."""
        said = [self._said.pop(event, None) for event in events]
        return any(values is not None for values in said)
