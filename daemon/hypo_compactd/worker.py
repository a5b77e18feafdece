"""One project's thread: it decides when to look again.

Every reconcile of a project runs here, so no two of them ever meet, and one project's trouble is
never another's. Beside the events, the files themselves are scanned at intervals: every 30 s where
native events come (the sweep), every second or a little less often where they do not (polling).
"""

from __future__ import annotations

import math
import os
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal

from hypo_compactd import __version__, mounts, status
from hypo_compactd import config as configuration
from hypo_compactd.backend import POLL_LEAST_S, POLL_MOST_S, Backend, Poll
from hypo_compactd.canary import Canary
from hypo_compactd.config import Config
from hypo_compactd.contest import Contest
from hypo_compactd.debounce import MAX_WAIT_MS, QUIET_MS, Debounce
from hypo_compactd.errors import BusyError, CompactdError, ConfigurationError, RootError, origin
from hypo_compactd.flood import Flood
from hypo_compactd.folders import NOTHING, interest_of
from hypo_compactd.kept import Kept
from hypo_compactd.missed import Missed
from hypo_compactd.outcome import Outcome, Request
from hypo_compactd.outputs import Outputs
from hypo_compactd.paths import PIPELINE, Project
from hypo_compactd.plan import Policy
from hypo_compactd.reconcile import check_root, reconcile
from hypo_compactd.reporter import Reporter
from hypo_compactd.scan import Scan, changed, interval_s, scan, with_views
from hypo_compactd.status import Report, Standing
from hypo_compactd.watcher import Watcher
from hypo_compactd.writer import write_canary
from hypo_strategies.api import Finding
from hypo_strategies.text.phrase import Phrase, phrase

SWEEP_S = 30.0
RETRY_S = (0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
"""How long to wait for the next look while a source does not settle, a view cannot be written or a look fails."""

BUSY_S = 1.0
"""How long to wait when another process is writing this project's views."""

KEEP_S = 600.0
"""How long what was read is kept after the last change of a view: idle projects are to cost nothing."""

WATCH_TRIES = 5
"""How often folders are listed anew in one look while more of them appear."""

Trouble = tuple[str, Phrase]


@dataclass(frozen=True, slots=True)
class Settings:
    """How the daemon runs: policy, polling, quiet period and maximum wait in milliseconds, sweep in seconds."""

    policy: Policy = Policy.FRESH
    poll: Poll = Poll.AUTO
    quiet_ms: int = QUIET_MS
    max_wait_ms: int = MAX_WAIT_MS
    sweep_s: float = SWEEP_S


class Worker(threading.Thread):
    """Keeps one project current; every reconcile of the project runs on this thread.

    Attributes:
        ended: set when it will not touch the project any more.
        ready: set after the first reconcile and cleared until that after a `reload`, whatever came of them.
        standing: how the project is kept; None before the first reconcile.
        failing: how many of its views could not be made at the last look.
        busy_since: when the look that is running began, None between looks (monotonic seconds).
    """

    def __init__(
        self, project: Project, settings: Settings, watcher: Watcher, log: Any, on_news: Callable[[], None]
    ) -> None:
        super().__init__(name=f"project {project.root.name}", daemon=True)
        self.project = project
        self.ended = threading.Event()
        self.ready = threading.Event()
        self.standing: str | None = None
        self.failing = 0
        self.busy_since: float | None = None
        self._on_news = on_news
        self._owner = os.fspath(project.root)
        self._inside = f"{project.pipeline}/"
        self._settings = settings
        self._watcher = watcher
        self._log = log.bind(project=os.fspath(project.shown))
        self._reporter = Reporter(project, self._log)
        self._wake = threading.Condition()
        # What other threads bring, under `_wake`.
        self._stopping = False
        self._reload = True
        self._doubted = False
        self._heard = False
        self._debounce = Debounce(settings.quiet_ms, settings.max_wait_ms)
        self._missed = Missed()
        self._canary = _no_canary()
        self._touched: set[str] = set()
        self._flood = Flood()
        # When to look and to scan again (monotonic seconds), and what that takes.
        self._next_look = math.inf
        self._next_scan = math.inf
        self._changed_at = time.monotonic()
        self._cost_s = 0.0
        # What is known of the project.
        self._config = Config()
        self._configured: Mapping[str, str | None] | None = None
        self._usable = False
        self._pending: dict[str, str] = {}
        self._kept = Kept()
        self._keeps = False
        self._tries = 0
        self._seen: Scan | None = None
        self._own = Outputs()
        self._interest = NOTHING
        self._followed: tuple[str, ...] = ()
        self._backend = Backend(settings.poll)
        self._place: tuple[int, int, str] | None = None
        self._unproven = False
        self._contest = Contest()
        self._trouble: Trouble | None = None
        self._looks = 0
        self._looked = 0.0
        self._errors: tuple[tuple[str, Finding], ...] = ()

    # --- called from other threads

    def notice(self, path: str) -> None:
        """Take note of an event; called from the watcher's thread, so nothing on the disk is touched here."""
        now = time.monotonic()
        with self._wake:
            self._missed.announce(path)
            if path.startswith(self._inside):
                self._canary.came(now)
            if self._flood.add(now) or path in self._interest.outputs:
                # Whether a view is as we left it is for our own thread to see, when no reconcile runs.
                self._touched.add(path if path in self._interest.outputs else "")
                self._wake.notify()
                return
        if self._interest.matters(path):
            self._heard = True
            self._dirty(path)

    def overflowed(self) -> None:
        """Look at everything when the quiet period is over: the system dropped events."""
        self._dirty("overflow")

    def doubt(self) -> None:
        """Watch anew and look at everything: events may have been lost."""
        with self._wake:
            self._doubted = True
            self._wake.notify()

    def reload(self) -> None:
        """Read the configuration anew and look at everything."""
        with self._wake:
            self._reload = True
            self.ready.clear()
            self._wake.notify()

    def report_stuck(self, seconds: int) -> None:
        """Write into the status file that a look does not end; its own thread cannot."""
        reason = phrase("a look has been running for {seconds} s", seconds=seconds)
        self._reporter.interrupt(self._as_report(Standing.FAILED, reason))

    def stop(self) -> None:
        """End after the reconcile that is running, if any."""
        with self._wake:
            self._stopping = True
            self._wake.notify()

    # --- the loop

    def run(self) -> None:
        """Look once, then whenever there is a reason, until stopped."""
        try:
            self._look()
            while (reason := self._sleep()) is not None:
                if reason == "look":
                    self._look()
                else:
                    self._check()
            with suppress(OSError):
                status.remove(self.project)
        finally:
            self.ended.set()
            self._on_news()

    def _sleep(self) -> Literal["look", "check"] | None:
        """Wait for a reason to look or to check without looking; None when stopping."""
        with self._wake:
            while not self._stopping:
                now = time.monotonic()
                settled = self._debounce.deadline()
                if self._reload or self._doubted or self._debounce.due(now):
                    return "look"
                # An open batch goes first: a look in the middle of a save would be for nothing.
                look = self._next_look if settled is None else settled
                if now >= look:
                    return "look"
                check = min(self._next_scan, self._canary.deadline(), self._missed.deadline())
                if now >= check or self._touched:
                    return "check"
                self._wake.wait(min(look, check) - now)
        return None

    def _look(self) -> None:
        """Reconcile, and say when to look again."""
        self.busy_since = began = time.monotonic()
        with self._wake:
            anew = self._reload or self._doubted
            self._reload = self._doubted = False
            heard, self._heard = self._heard, False
            self._debounce.take()
        self._next_look = math.inf
        self._stand(self._attempt(began, anew=anew, heard=heard))
        now = time.monotonic()
        self._cost_s = now - began
        if self._trouble:
            self._tries += 1
        if self._pending or (self._trouble and self._trouble[0] is Standing.FAILED):
            self._next_look = min(self._next_look, now + RETRY_S[min(self._tries, len(RETRY_S) - 1)])
        self._next_look = min(self._next_look, self._contest.deadline(now))
        self._next_scan = now + self._interval(now)
        self.busy_since = None
        self._publish()
        with self._wake:
            news = not self._reload and not self.ready.is_set()
            if news:
                self.ready.set()
        if news:
            self._on_news()

    def _attempt(self, began: float, *, anew: bool, heard: bool) -> Trouble | None:
        """Look; return what was in the way. Nothing is raised: a worker that ended would leave its project stale."""
        # What two looks have to find is found again after a look that failed, too.
        pending, seen, self._seen = self._pending, self._seen, None
        try:
            # Watched before it is read: a change in between is then an event, not a loss.
            self._watch(anew=anew)
            check_root(self.project)
            before = self._config
            if not self._configure(anew=anew):
                return Standing.FAILED, phrase(
                    "the configuration cannot be read, and nothing is known of what it asks for"
                )
            if self._config is not before:  # it may have moved the sources
                self._watch()
            outcome = self._reconcile(pending, began)
        except RootError as error:
            return Standing.WAITING, error.phrase
        except BusyError as error:
            self._seen = seen
            self._next_look = time.monotonic() + BUSY_S
            return Standing.FAILED, error.phrase
        except CompactdError as error:
            return Standing.FAILED, error.phrase
        except Exception as error:  # noqa: BLE001 - see above
            return Standing.FAILED, origin(error)
        if outcome.changed:
            self._changed_at = began
            self._keeps = self._looks > 1  # many projects are looked at once, at the start, and never again
        if not self._keeps:
            self._kept.forget()
            if heard:
                with self._wake:
                    self._missed.reset()
        self._reporter.batch(outcome)
        self._prove()
        return None

    def _reconcile(self, pending: dict[str, str], began: float) -> Outcome:
        with self._wake:
            self._missed.looked()
        seen = scan(self.project, self._config, self._followed)
        request = Request(policy=self._settings.policy, leave=self._contest.left(began))
        outcome = reconcile(self.project, self._config, request, pending, kept=self._kept)
        if configuration.present(self.project.root) != self._configured:
            self._dirty("configuration")  # what is watched goes by the older one
        self._seen = with_views(seen, self._own.keep(outcome, self.project))
        self._pending = dict(outcome.pending)
        self._tries = self._tries + 1 if self._pending and self._pending == pending else 0
        self._looks += 1
        self._looked = time.monotonic()
        self._contest.repaired(outcome.repaired, self._looked)
        errors = {view.name: one for view in outcome.views for one in view.findings if one.severity == "error"}
        self._errors = tuple(errors.items())
        if self.failing != len(errors):
            self.failing = len(errors)
            self._on_news()
        self._follow(outcome.followed)
        return outcome

    def _configure(self, *, anew: bool) -> bool:
        """Read the configuration when it changed or is asked for anew; return whether there is one to go by."""
        present = configuration.present(self.project.root)
        if not anew and self._usable and present is not None and present == self._configured:
            return True
        self._configured = present
        say, clear = self._reporter.say, self._reporter.clear
        try:
            self._config = configuration.load(self.project.root)
        except ConfigurationError as error:
            kept = "the last good values are kept" if self._usable else "nothing is written until it is mended"
            say("configuration", "error", reason=f"{error}; {kept}")
            return self._usable
        self._usable = True
        clear("configuration")
        if self._config.findings:
            say("configuration_values", "warning", findings=[str(finding) for finding in self._config.findings])
        else:
            clear("configuration_values")
        if self._config.auto:
            clear("auto_off")
        else:
            say("auto_off", "info", hint="compact.auto is false: nothing is written")
        return True

    # --- without events

    def _check(self) -> None:
        """Judge what was sent or suspected, and compare the files with what they were when that is due."""
        now = time.monotonic()
        with self._wake:
            touched, self._touched = self._touched & self._interest.outputs, set()
            flooded = self._flood.over(now)
            lost = self._canary.lost(now)
            missed = self._missed.settle(now)
            hopeless = self._missed.hopeless()
        if missed:
            self._log.warning("missed", changes=missed, total=self._missed.total, hint="no event came of them")
        for path in sorted(touched):
            if not self._own.ours(path):
                self._heard = True
                self._dirty(path)
        if flooded:
            self._give_up(phrase("more events come than can be listened to"))
        elif lost:
            self._give_up(phrase("no event came of a file that was made in .pipeline/"))
        elif hopeless:
            self._give_up(phrase("again and again a change is found of which no event came"))
        if now >= self._next_scan:
            self.busy_since = now
            try:
                self._compare(now)
            except CompactdError as error:
                self._stand((Standing.FAILED, error.phrase))
                self._dirty("scan")
            except Exception as error:  # noqa: BLE001 - a worker that ended would leave its project stale
                self._stand((Standing.FAILED, origin(error)))
                self._dirty("scan")
            self.busy_since = None
            now = time.monotonic()
            self._next_scan = now + self._interval(now)
            self._stand(self._trouble)
        self._publish()

    def _compare(self, now: float) -> None:
        """Scan, and ask for a look when something has changed since the last one, or may have."""
        if self._trouble is not None:
            # What is in the way may be gone; whether the root is back is cheap to see.
            if self._trouble[0] is not Standing.WAITING or self._root_is_back():
                self._dirty("trouble")
            return
        if now - self._changed_at > KEEP_S:
            self._keeps = False
            self._kept.forget()
        self._watch()
        self._prove()
        before, after = self._seen, scan(self.project, self._config, self._followed)
        self._cost_s = time.monotonic() - now
        if before is None:
            self._dirty("scan")
            return
        found = changed(before, after)
        if found:
            self._changed_at = now
            if not self._backend.refused and self._settings.poll is not Poll.ALWAYS:
                watched = set(self._interest.folders) - set(self._backend.gaps)
                with self._wake:
                    self._missed.found((path for path in found if os.path.dirname(path) in watched), now)  # noqa: PTH120
        if found or before.racy:
            self._dirty("scan")
        else:
            with self._wake:
                self._missed.looked()

    def _root_is_back(self) -> bool:
        try:
            check_root(self.project)
        except RootError as error:
            self._stand((Standing.WAITING, error.phrase))
            return False
        return True

    def _interval(self, now: float) -> float:
        """Return how long to wait for the next scan, in seconds."""
        sweep_s = self._settings.sweep_s
        if not (self._backend.polls or (self._trouble and self._trouble[0] is Standing.WAITING)):
            return sweep_s
        idle_s = now - self._changed_at
        return interval_s(idle_s, self._cost_s, least_s=POLL_LEAST_S, most_s=POLL_MOST_S, sweep_s=sweep_s)

    # --- what is watched

    def _watch(self, *, anew: bool = False) -> None:
        """Watch what is to be watched, or nothing where no native events come."""
        now = time.monotonic()
        self._inside = f"{os.path.realpath(self.project.pipeline)}/"
        place = _identity(self.project)
        if anew or place != self._place:
            self._place = place
            self._unproven = True
            self._watcher.watch(self._owner, ())  # the same numbers may stand for another folder: a remount
            self._backend.forget()
            kind = mounts.silent_type(os.path.realpath(self.project.pipeline))
            if kind is not None and self._settings.poll is Poll.AUTO:
                reason = phrase(
                    ".pipeline/ is on a file system of type {type}, which brings no events of what others write",
                    type=kind,
                )
                self._backend.give_up(reason, now, again=False)
        if not self._backend.native(now):
            self._interest = interest_of(self.project, self._config, self._followed)
            self._watcher.watch(self._owner, ())
            return
        self._unproven |= bool(self._backend.refused)
        for _ in range(WATCH_TRIES):
            self._interest = interest_of(self.project, self._config, self._followed)
            watched = self._watcher.watch(self._owner, self._interest.folders)
            if not watched.begun:
                break
            # A folder made in another between the listing and the watch brought no event: list again.
        else:
            self._dirty("folders")
        self._backend.watched(len(self._interest.folders), watched.failed, self._interest.beyond, now)
        if self._backend.refused:
            self._watcher.watch(self._owner, ())

    def _prove(self) -> None:
        """Once for each place: make a file of which an event must come, where any come at all (watching.md, 1.5)."""
        if not self._unproven or self._backend.refused or self._settings.poll is not Poll.AUTO or not self._config.auto:
            return
        if self._inside.rstrip("/") in self._backend.gaps:
            return  # not watched, and that is known
        self._unproven = False
        with self._wake:
            self._canary.send(time.monotonic())
        try:
            write_canary(self.project.root, PIPELINE)
        except (OSError, CompactdError):  # nothing can be written there: the looks say so
            with self._wake:
                self._canary = _no_canary()

    def _give_up(self, reason: Phrase) -> None:
        """Poll from now on, unless that is never to be done, and try native events again after a while."""
        with self._wake:
            self._missed.reset()
            self._flood = Flood()
            self._canary = _no_canary()
        if self._settings.poll is Poll.AUTO:
            self._backend.give_up(reason, time.monotonic())
            self._watcher.watch(self._owner, ())
            self._stand(self._trouble)
        self._dirty("polling")

    def _follow(self, followed: tuple[str, ...]) -> None:
        """Watch the files to which sources point, too, and look once more at what changed before that."""
        if followed != self._followed:
            self._followed = followed
            self._watch()
            self._dirty("followed")

    def _dirty(self, path: str) -> None:
        """Note that something may have changed; a look follows when the quiet period is over."""
        with self._wake:
            self._debounce.add(path, time.monotonic())
            self._wake.notify()

    # --- what is said

    def _stand(self, trouble: Trouble | None) -> None:
        self._trouble = trouble
        standing, reason = trouble or self._backend.standing()
        self._reporter.stand(standing, reason)
        if standing is not self.standing:
            self.standing = standing
            self._on_news()

    def _publish(self) -> None:
        now = time.monotonic()
        self._reporter.contested(self._contest.contested(now))
        self._reporter.publish(self._as_report(*(self._trouble or self._backend.standing())), now)

    def _as_report(self, standing: str, reason: Phrase | None) -> Report:
        return Report(
            project=os.fspath(self.project.shown),
            pid=os.getpid(),
            boot=status.boot_id(),
            version=__version__,
            standing=standing,
            reason=reason,
            wanted=self._backend.wanted,
            held=self._backend.held,
            looked=self._looked,
            pending=bool(self._pending) or self._debounce.deadline() is not None,
            looks=self._looks,
            missed=self._missed.total,
            repaired=self._contest.total,
            contested=self._contest.contested(time.monotonic()),
            errors=self._errors,
        )


def _no_canary() -> Canary:
    """Return a canary that is never due: one is sent to each place once."""
    return Canary(period_s=math.inf, next_at=math.inf)


def _identity(project: Project) -> tuple[int, int, str] | None:
    """Return which folder of which mount `.pipeline/` is now, None when there is none."""
    try:
        found = project.pipeline.stat()
    except OSError:
        return None
    return (found.st_dev, found.st_ino, mounts.mount_of(os.path.realpath(project.pipeline)))
