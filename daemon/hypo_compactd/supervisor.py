"""The daemon: the signals, whether events still come, and what the service manager is told."""

from __future__ import annotations

import math
import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from hypo_compactd import __version__, status
from hypo_compactd.backend import Poll
from hypo_compactd.bar import Bar
from hypo_compactd.canary import PERIOD_S, Canary
from hypo_compactd.canary_file import CanaryFile
from hypo_compactd.errors import ExitCode, origin
from hypo_compactd.language import GlobalLanguage
from hypo_compactd.memory import give_back_all
from hypo_compactd.messages import message
from hypo_compactd.notify import Notifier
from hypo_compactd.process import rss_mb
from hypo_compactd.reader import describe
from hypo_compactd.roster import Roster
from hypo_compactd.signals import STOP, Inbox
from hypo_compactd.status import Pulse
from hypo_compactd.watcher import Watcher
from hypo_compactd.worker import Settings, Worker
from hypo_strategies.api import Language
from hypo_strategies.text.phrase import Phrase

STOP_WAIT_S = 0.5
"""How long threads may take to end; a reconcile that is running is left to its atomic writes."""

END_WAIT_S = 0.2
"""How long to wait for a thread that has failed to end."""

REBUILD_LIMIT = 3
REBUILD_WINDOW_S = 60.0
"""When the observer is put in doubt so many times within so many seconds, the service manager must help."""

LATE_LIMIT = 15
"""So many canaries in a row may be late while other events do come: there is much to deliver, and that is no doubt."""

LATE_AND_DEAD = 3
"""So many, where a thread of watchdog has ended too."""

OVERFLOW_S = 5.0
"""How often at most every project is looked at since the system dropped events."""

STUCK_S = 60.0
"""How long one look may take before the log says so, and the others no longer wait for it to be ready."""

FEEDINGS = 3
"""How often at least the service manager's watchdog is fed within its patience."""

_CANARY = "canary"
"""The owner of the canary's folder; that of a project's folders is its path."""


class Supervisor:
    """Runs the workers of several projects until it is told to stop.

    Args:
        wanted: gives the names of the projects to keep current; asked again when `files` change and at SIGHUP.
        settings: how.
        log: a structlog logger.
        inbox: where signals come in.
        notifier: what the service manager is told through.
        bar: where people see how far the first looks are.
        files: the files from which `wanted` takes the projects, if any.

    Attributes:
        ended: whether every worker has ended; one that still computes would keep the process for as long.
    """

    def __init__(
        self,
        wanted: Callable[[], Sequence[str]],
        settings: Settings,
        log: Any,
        inbox: Inbox,
        notifier: Notifier,
        bar: Bar,
        files: Sequence[Path] = (),
    ) -> None:
        self.ended = True
        self._log = log
        self._inbox = inbox
        self._notifier = notifier
        self._bar = bar
        self._watcher = Watcher(self._on_event, self._on_failure, self._on_overflow)
        self._roster = Roster(
            wanted,
            files,
            lambda one: Worker(one, settings, self._watcher, log, inbox.ring),
            self._watcher,
            log,
            inbox.ring,
        )
        self._period_s = min(PERIOD_S, (notifier.watchdog_s or math.inf) / FEEDINGS)
        self._started = time.monotonic()
        self._native = settings.poll is not Poll.ALWAYS
        self._overflows = 0
        self._rebuilt: list[float] = []
        self._stuck: set[str] = set()
        self._late = 0
        self._heard = 0
        self._no_events = False
        self._overflow_look = -math.inf
        self._file: CanaryFile | None = None
        self._language = GlobalLanguage()
        self._ready = False
        self._told_ready = False
        # What other threads bring.
        self._lock = threading.Lock()
        self._canary = Canary(self._period_s)
        self._came = False
        self._overflowed = False
        self._news = False
        self._failed: list[threading.Thread] = []
        self._suspects: frozenset[str] = frozenset()

    def run(self) -> int:
        """Take the projects, keep them current, return when SIGTERM or SIGINT came.

        SIGHUP reads the configuration anew and looks at every project.

        Returns:
            `OK` when asked to stop; `UNEXPECTED` when native events fail again and again, or a
            worker has ended: a service manager then starts the daemon anew.

        Raises:
            BusyError: another daemon keeps the only project.
            ConfigurationError: what says which projects are wanted cannot be read.
            InputError: our own folder cannot be made or written.
        """
        code = ExitCode.OK
        try:
            self._roster.take_first()
            if not self._inbox.received(0) & STOP:
                before, threading.excepthook = threading.excepthook, self._on_thread_failure
                try:
                    # The canary first: the projects may take all the room there is for watches.
                    self._beat(time.monotonic())
                    self._roster.start()
                    code = self._serve()
                    self._notifier.stopping()
                    self._end()
                finally:
                    threading.excepthook = before
        finally:
            self._roster.release()
        self._log.info("stopped")
        return code

    def _serve(self) -> int:
        """Obey signals until one says stop, and see to it that events come."""
        while True:
            code = self._beat(time.monotonic())
            if code is not ExitCode.OK:
                return code
            due = min(self._canary.deadline(), self._roster.deadline())
            came = self._inbox.received(max(0.0, due - time.monotonic()))
            if came & STOP:
                return ExitCode.OK
            if came:
                self._reload()

    def _beat(self, now: float) -> int:
        """Do what is due; return `UNEXPECTED` when nothing but a new start will help."""
        self._roster.update(now)
        with self._lock:
            failed, self._failed = self._failed, []
            came, self._came = self._came, False
            news, self._news = self._news, False
            overflowed, self._overflowed = self._overflowed, False
            lost = self._canary.lost(now)
        doubt = ""
        for thread in failed:
            thread.join(END_WAIT_S)  # it tells of its failure before it has ended
        if failed and (dead := self._watcher.dead()):
            doubt = f"ended: {', '.join(sorted(dead))}"
        elif came and (dead := self._watcher.dead() & self._suspects):
            # Dead before the canary flew, and dead still: no event of a deleted folder explains it.
            doubt = f"ended: {', '.join(sorted(dead))}"
        elif lost and self._canary.ever and not self._is_late(overflowed=overflowed):
            doubt = "the canary did not come back"
        if doubt:
            return self._rebuild(doubt, now)
        if overflowed:
            self._look_at_everything(now)
        if lost and self._canary.ever:
            with self._lock:
                self._canary.next_at = now
        elif lost and not self._no_events:
            self._no_events = True
            self._log.warning(
                "no_events", hint="no event comes even of a file of our own; projects find out themselves"
            )
        if came:
            self._late = 0
        if came or (lost and not self._canary.ever):
            self._notifier.alive()
        if came or news or (lost and not self._canary.ever):
            self._publish(now)
        if self._canary.due(now):
            self._send(now)
        self._tell(now)
        return self._look_after_workers(now)

    def _reload(self) -> None:
        """Read the configuration anew and look at every project; ready again when all have been looked at."""
        self._log.info("reloading")
        now = time.monotonic()
        self._notifier.reloading(now)
        self._told_ready = False
        for worker in self._workers.values():
            worker.reload()
        self._roster.update(now, anew=True)

    def _tell(self, now: float) -> None:
        """Tell the service manager how the projects are, and once they have all been looked at, that we are ready."""
        waited_for = [worker for worker in self._workers.values() if not worker.ready.is_set()]
        # A project whose file system hangs must not keep the others from being served.
        if all(worker.busy_since is not None and now - worker.busy_since >= STUCK_S for worker in waited_for):
            if not self._ready:
                self._bar.close()
                self._log.info("ready", projects=len(self._workers), pid=os.getpid())
                give_back_all()
            self._ready = True
            self._told_ready = self._told_ready or self._notifier.ready()
        elif not self._ready:
            self._notifier.starting(now)
            self._bar.step(len(self._workers) - len(waited_for), len(self._workers))
        workers = self._workers.values()
        self._notifier.status(
            summary(
                [worker.standing for worker in workers],
                sum(worker.failing for worker in workers),
                self._language(),
            )
        )

    def _rebuild(self, doubt: str, now: float) -> int:
        self._rebuilt = [*(time for time in self._rebuilt if time > now - REBUILD_WINDOW_S), now]
        if len(self._rebuilt) >= REBUILD_LIMIT:
            self._log.error("giving_up", reason=doubt, rebuilds=len(self._rebuilt), seconds=REBUILD_WINDOW_S)
            return ExitCode.UNEXPECTED
        self._log.error("rebuilding", reason=doubt, hint="events are set up anew and every project is looked at")
        self._watcher.rebuild()
        with self._lock:
            self._canary = Canary(self._period_s, next_at=now, ever=True)
        self._late = 0
        self._send(now)
        for worker in self._workers.values():
            worker.doubt()
        self._inbox.ring()
        return ExitCode.OK

    def _is_late(self, *, overflowed: bool) -> bool:
        """Return whether a canary that did not come back may still be on its way, since other events do come."""
        self._late += 1
        if self._late >= LATE_AND_DEAD and self._watcher.dead() & self._suspects:
            return False
        return self._late < LATE_LIMIT and (overflowed or self._watcher.heard != self._heard)

    def _look_at_everything(self, now: float) -> None:
        """Look at every project since the system dropped events, but not at each drop of a storm."""
        if now < self._overflow_look + OVERFLOW_S:
            with self._lock:
                self._overflowed = True  # at the next beat
                self._canary.next_at = min(self._canary.next_at, self._overflow_look + OVERFLOW_S)
            return
        self._overflow_look = now
        self._log.warning(
            "overflow", total=self._overflows, hint="the system dropped events; every project is looked at"
        )
        for worker in self._workers.values():
            worker.overflowed()

    def _send(self, now: float) -> None:
        """Send a canary, or say that we live where there is nothing to send one with."""
        self._suspects, self._heard = self._watcher.dead(), self._watcher.heard
        with self._lock:
            self._canary.send(now)
        self._roster.listen(native=self._native)
        if not self._fly():
            # No room for a watch, no place for a file: the projects poll, and that is no reason to start anew.
            with self._lock:
                self._canary = Canary(self._period_s, next_at=self._canary.next_at)
            self._notifier.alive()
            self._publish(now)

    def _fly(self) -> bool:
        """Make the event that must come; return whether that could be done."""
        if not self._native:
            return False
        try:
            if self._file is None or not os.path.isdir(self._file.folder):  # noqa: PTH112 - never raises
                self._file = CanaryFile()
            if not self._watcher.holds(self._file.folder) and self._watcher.watch(_CANARY, (self._file.folder,)).failed:
                return False
            self._file.fly()
        except OSError:
            return False
        return True

    def _look_after_workers(self, now: float) -> int:
        for worker in self._workers.values():
            name = os.fspath(worker.project.shown)
            if worker.ident is not None and not worker.is_alive():
                self._log.error("worker_ended", project=name)
                return ExitCode.UNEXPECTED
            since = worker.busy_since
            if since is None or now - since < STUCK_S:
                self._stuck.discard(name)
            elif name not in self._stuck:
                self._stuck.add(name)
                self._log.error("stuck", project=name, seconds=round(now - since), hint="its file system may hang")
                worker.report_stuck(round(now - since))
        return ExitCode.OK

    def _publish(self, now: float) -> None:
        pulse = Pulse(
            pid=os.getpid(),
            boot=status.boot_id(),
            version=__version__,
            started=self._started,
            beat=now,
            projects=len(self._workers),
            canary_ms=self._canary.round_trip_ms,
            overflows=self._overflows,
            rebuilds=self._watcher.rebuilds,
            rss_mb=rss_mb(),
            threads=threading.active_count(),
        )
        try:
            status.write_pulse(pulse)
        except OSError as error:
            self._log.error("status", reason=f"the daemon's own status file cannot be written: {describe(error)}")

    def _end(self) -> None:
        workers = self._roster.end()
        deadline = time.monotonic() + STOP_WAIT_S
        for worker in workers:
            worker.join(max(0.0, deadline - time.monotonic()))
        self._watcher.stop(max(0.0, deadline - time.monotonic()))
        self.ended = not any(worker.is_alive() for worker in workers)
        if self._file is not None:
            self._file.remove()
        with suppress(OSError):
            status.pulse_file(os.getpid()).unlink(missing_ok=True)

    @property
    def _workers(self) -> Mapping[str, Worker]:
        """The workers, from any thread."""
        return self._roster.workers

    # --- called from other threads

    def _on_event(self, owner: str, path: str) -> None:
        if owner == _CANARY:
            with self._lock:
                self._came |= self._canary.came(time.monotonic())
            self._inbox.ring()
            return
        worker = self._workers.get(owner)
        if worker is not None:
            worker.notice(path)
        elif self._roster.heard(owner, path):
            self._inbox.ring()

    def _on_failure(self, origin: Phrase) -> None:
        self._log.error("event_lost", reason=str(origin), hint="every project is looked at")
        for worker in self._workers.values():
            worker.doubt()

    def _on_overflow(self) -> None:
        with self._lock:
            self._overflows += 1
            self._overflowed = self._news = True
        self._inbox.ring()

    def _on_thread_failure(self, failure: threading.ExceptHookArgs) -> None:
        name = failure.thread.name if failure.thread is not None else "unknown"
        error = failure.exc_value
        reason = str(origin(error)) if isinstance(error, Exception) else failure.exc_type.__name__
        self._log.error("thread_ended", thread=name, reason=reason)
        if failure.thread is not None:
            with self._lock:
                self._failed.append(failure.thread)
        self._inbox.ring()


def summary(standings: Iterable[str | None], failing: int, language: Language) -> str:
    """Return one line on the projects and the views that cannot be made; pure.

    For instance `3 projects: 2 ok, 1 polling; 1 view failed`.
    """
    counts = Counter("starting" if one is None else str(one) for one in standings)
    total = sum(counts.values())
    line = message("summary_one" if total == 1 else "summary", language, count=total)
    if counts:
        words = [
            message("summary_kept", language, count=count, state=message(f"daemon_{state}", language))
            for state, count in counts.most_common()
        ]
        line += message("colon", language) + message("comma", language).join(words)
    if failing:
        line += message("between", language)
        line += message("summary_failed_one" if failing == 1 else "summary_failed", language, count=failing)
    return line
