"""One look at one project: what its sources are, what that means for each view, and the doing of it."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace

from hypo_compactd import __version__, freshness, plan
from hypo_compactd import manifest as manifests
from hypo_compactd.config import Config
from hypo_compactd.digest import digest_of, digest_of_texts
from hypo_compactd.errors import CompactdError, RefusedError, TooLargeError, UnstableError, origin
from hypo_compactd.kept import Kept
from hypo_compactd.manifest import Entry, Manifest
from hypo_compactd.marks import Signature
from hypo_compactd.mounts import silent_type
from hypo_compactd.outcome import Outcome, Request, State, ViewOutcome
from hypo_compactd.paths import Project, unusable
from hypo_compactd.reader import Snapshot, SourceFile, describe, read_file, take_snapshot
from hypo_compactd.texts import Texts
from hypo_compactd.writer import sweep_temporary, touch_view, withdraw_view, write_private, write_view
from hypo_strategies.api import Finding, Sources, Strategy, View, follows_nothing, matches
from hypo_strategies.lifecycle import REPORTS_FOLDER
from hypo_strategies.registry import STRATEGIES, compute
from hypo_strategies.text.limits import MAX_BYTES
from hypo_strategies.text.phrase import Phrase, phrase
from hypo_strategies.text.tokens import estimate

VIEW_LIMIT = 32 * MAX_BYTES
"""Bytes of a file in a view's place that are still compared; a view of ours is far smaller."""

PATTERNS = tuple(dict.fromkeys(pattern for strategy in STRATEGIES for pattern in strategy.reads))

_OPEN = frozenset({State.FAILED, State.WAITING, State.HELD})
"""What a view is that is not as its sources are now."""


_HINTS = {
    errno.EROFS: phrase("if a confined service writes it, start that anew, since the folder was made anew"),
    errno.ENOSPC: phrase("make room on the disk"),
}
"""What to do where the system refuses to write."""


@dataclass(frozen=True, slots=True)
class _Inputs:
    """One view's part of a snapshot."""

    files: dict[str, SourceFile]
    unreadable: dict[str, Phrase]
    blocked: tuple[Finding, ...]
    unstable: bool
    has_source: bool
    newest_ns: int


class Look:
    """One look at one project, and what follows from it; the arguments are those of `reconcile`."""

    def __init__(
        self, project: Project, config: Config, request: Request, pending: Mapping[str, str], kept: Kept
    ) -> None:
        self.project = project
        self.kept = kept
        self.config = config
        self.request = request
        self.pending = pending
        self.again: dict[str, str] = {}
        self.known = manifests.load(project.state_dir)
        self.snapshot = Snapshot()
        self.silent = False
        self.known_files: Mapping[str, SourceFile] = {}
        self.followed: dict[str, frozenset[str]] = {}
        self.moments: tuple[plan.Moment, ...] = ()

    def run(self) -> Outcome:
        """Look, decide, compute, write; the time that it took is for the caller to say.

        Raises:
            InputError: our own folder cannot be written: the views are right then, only not remembered.
        """
        began_ns = time.time_ns()
        swept = 0
        if not self.request.check:
            folders = {self.config.target(strategy).rpartition("/")[0] for strategy in STRATEGIES}
            swept = sweep_temporary(self.project.root, folders)
        # Marks come from a cache where other machines write to the file system; what is read does not.
        self.silent = silent_type(os.path.realpath(self.project.pipeline)) is not None
        self.known_files = {} if self.silent else self.kept.files
        self.snapshot = take_snapshot(self.project.root, self.config.layout, PATTERNS, known=self.known_files)
        self._follow()
        self.kept.keep(self.snapshot.files)
        facts = self._facts()
        self.moments = plan.moments(self.known.facts, facts)
        wanted = [one for one in STRATEGIES if self.request.views is None or one.name in self.request.views]
        complete = len(wanted) == len(STRATEGIES)
        # A look at some views only must not take a moment from the look at all of them.
        updated = replace(self.known, facts=facts) if complete else self.known
        outcomes = []
        for number, strategy in enumerate(wanted):
            self.request.on_view(number, len(wanted), strategy.name)
            outcome, entry = self._view(strategy)
            outcomes.append(outcome)
            updated = updated.with_entry(strategy.name, entry)
            owed = outcome.state in {State.FAILED, State.WAITING} and self._allowed(strategy)
            names = {*updated.owed, strategy.name} if owed else {*updated.owed} - {strategy.name}
            updated = replace(updated, owed=tuple(sorted(names)))
        if not self.request.check:
            self._remember(updated)
            if complete and all(outcome.state not in _OPEN for outcome in outcomes):
                self._vouch(updated, began_ns)
        return Outcome(tuple(outcomes), self.moments, self.again, swept=swept, followed=self._all_followed())

    def _follow(self) -> None:
        """Read the files beside the patterns' to which sources point, under the same rules."""
        for strategy in STRATEGIES:
            if strategy.follows is not follows_nothing:
                wanted = {path: one for path, one in self.snapshot.files.items() if strategy.wants(path)}
                self.followed[strategy.name] = frozenset(strategy.follows(Sources(Texts(wanted), names=self._names())))
        more = take_snapshot(self.project.root, self.config.layout, (), self._all_followed(), self.known_files)
        self.snapshot.files |= more.files
        self.snapshot.problems |= more.problems
        self.snapshot.unstable |= more.unstable

    def _names(self) -> dict[str, str]:
        """Return what the configuration moved, and where it really is."""
        return {name: place for path, place in self.config.layout.moved for name in (path, f"{path}/")}

    def _all_followed(self) -> tuple[str, ...]:
        return tuple(sorted(frozenset().union(*self.followed.values())))

    def _facts(self) -> plan.Facts:
        if self.snapshot.unstable and self.known.facts is not None:
            return self.known.facts  # what is being written is neither gone nor there: the next look will tell
        digests = {path: str(reason) for path, reason in self.snapshot.problems.items()}
        digests |= {path: source.digest for path, source in self.snapshot.files.items()}
        state = self.snapshot.files.get("state.yaml")
        folder = self._names().get(REPORTS_FOLDER, REPORTS_FOLDER)
        return plan.facts_of(digests, state.text if state else None, self.known.facts, folder)

    def _remember(self, updated: Manifest) -> None:
        if updated != self.known:
            try:
                manifests.save(self.project.state_dir, updated)
            except OSError as error:
                raise unusable(self.project.state_dir / manifests.NAME, error) from None

    def _vouch(self, updated: Manifest, began_ns: int) -> None:
        """Leave a record that every view is what its sources give; none where an error is to be told each time."""
        entries = {self.config.target(strategy): updated.entries[strategy.name] for strategy in STRATEGIES}
        findings = [one for entry in entries.values() for one in entry.findings]
        if self.snapshot.problems or self.snapshot.unstable or any(one.severity == "error" for one in findings):
            return
        views = {}
        for place, entry in entries.items():
            if entry.output is not None and entry.signature is None:
                return  # another program has just put something else there
            views[place] = None if entry.output is None or entry.signature is None else (entry.signature, entry.output)
        data = freshness.record(
            self.config,
            PATTERNS,
            self._all_followed(),
            self.snapshot.files,
            views,
            began_ns,
            told=None if findings or self.config.findings else self._told(entries),
            silent=self.silent,
        )
        with suppress(OSError, CompactdError):
            if freshness.known(self.project.state_dir) == data:
                return
        with suppress(OSError):  # one that cannot be written costs a look the next time
            write_private(self.project.state_dir / freshness.NAME, data)

    def _told(self, entries: Mapping[str, Entry]) -> dict[str, object]:
        """Return what `status` says while all of this holds."""
        return {
            "language": self.config.spoken,
            "auto": self.config.auto,
            "knowledge_auto": self.config.knowledge_auto,
            "views": [
                (strategy.name, place, entry.tokens_before, entry.tokens_after)
                for strategy, (place, entry) in zip(STRATEGIES, entries.items(), strict=True)
            ],
        }

    def _view(self, strategy: Strategy) -> tuple[ViewOutcome, Entry | None]:
        """Bring one view up to date; return what became of it and what to remember."""
        place = self.config.target(strategy)
        entry = self.known.entries.get(strategy.name)
        if entry is not None and entry.place not in ("", place):
            self._leave(entry)
            entry = None
        inputs = self._inputs(strategy)
        try:
            standing = self._standing(place)
        except UnstableError:
            return self._waiting(strategy, place, "unstable", entry)
        except (RefusedError, OSError) as error:
            return self._failed(
                strategy, place, phrase("{reason}; the view is not written", reason=_reason(error))
            ), entry
        digests = {path: source.digest for path, source in inputs.files.items()}
        names = {path: name for path, name in self.config.layout.moved if _concerns(path, strategy.reads)}
        digest = plan.inputs_digest(strategy, self.config.options, digests, inputs.unreadable, names, __version__)
        seen = plan.Seen(
            inputs=digest if inputs.has_source else "",
            has_source=inputs.has_source,
            unstable=inputs.unstable,
            emptied=bool(entry and entry.tokens_before) and self._empty(strategy, inputs),
            on_disk=standing.digest if standing else None,
            marks=digest_of_texts(*(f"{path}={inputs.files[path].mark}" for path in sorted(inputs.files))),
        )
        known = plan.Known(entry.inputs, entry.output) if entry else None
        step, fingerprint = plan.decide(seen, known, self.pending.get(strategy.name))
        if step is plan.Step.KEEP:
            return self._kept(strategy, place, inputs, standing, entry)
        repair = plan.is_repair(seen, known)
        if self._held(strategy, inputs) or (repair and strategy.name in self.request.leave):
            return self._outcome(strategy, place, State.HELD, entry), entry
        if step is plan.Step.WAIT:
            return self._waiting(strategy, place, fingerprint, entry)
        if step is plan.Step.WITHDRAW:
            outcome, entry = self._withdrawn(strategy, place, Entry("", None))
        else:
            outcome, entry = self._render(strategy, place, inputs, standing, entry, seen)
        return replace(outcome, repaired=repair and outcome.state in {State.WRITTEN, State.WITHDRAWN}), entry

    def _leave(self, entry: Entry) -> None:
        """Remove a view from where an earlier configuration had it, unless somebody has changed it since."""
        if self.request.check or not (self.request.by_hand or self.config.auto):
            return
        try:
            standing = self._standing(entry.place)
            if standing is not None and standing.digest == entry.output:
                withdraw_view(self.project.root, entry.place)
        except (RefusedError, UnstableError, OSError):
            return  # it is no file of ours any more

    def _standing(self, place: str) -> SourceFile | None:
        """Return the file in a view's place, None when there is none."""
        if (self.project.root / place).is_symlink():
            raise RefusedError("is a symbolic link, not a file")
        try:
            return read_file(self.project.root, place, limit=VIEW_LIMIT)
        except FileNotFoundError:
            return None
        except TooLargeError:
            return SourceFile(b"too large to be a view of ours", (0, 0, 0, 0))

    def _inputs(self, strategy: Strategy) -> _Inputs:
        found = self.snapshot
        followed = self.followed.get(strategy.name, frozenset())
        files = {path: source for path, source in found.files.items() if strategy.wants(path) or path in followed}
        unreadable = {
            path: reason
            for path, reason in found.problems.items()
            if _concerns(path, strategy.reads) or _lead_into(strategy.reads, path) or path in followed
        }
        blocked = tuple(
            Finding(path, reason, severity="error" if _concerns(path, strategy.needs) else "warning")
            for path, reason in unreadable.items()
            if not strategy.wants(path)
        )
        unstable = any(strategy.wants(path) or path in followed for path in found.unstable)
        needed = [path for path in (*files, *unreadable, *found.unstable) if _concerns(path, strategy.needs)]
        folders = [
            mtime
            for folder, mtime in found.folders.items()
            if any(one.startswith(f"{folder}/") for one in strategy.reads)
        ]
        newest = max((*(source.mtime_ns for source in files.values()), *folders), default=0)
        return _Inputs(files, unreadable, blocked, unstable, bool(needed), newest)

    def _empty(self, strategy: Strategy, inputs: _Inputs) -> bool:
        return any(not source.data for path, source in inputs.files.items() if matches(path, *strategy.needs))

    def _held(self, strategy: Strategy, inputs: _Inputs) -> bool:
        """Return whether a dirty view must stay as it is for now."""
        if self.request.by_hand or self.request.check:
            return False
        auto = self.config.auto and (strategy.name != "knowledge" or self.config.knowledge_auto)
        allowed = self._allowed(strategy)
        settling = not inputs.has_source or inputs.unstable
        return plan.held(auto=auto, allowed=allowed, settling=settling, pending=self.pending.get(strategy.name))

    def _allowed(self, strategy: Strategy) -> bool:
        """Return whether a view may be refreshed: a moment says so, or an earlier one whose work is still owed."""
        return plan.allowed(self.request.policy, self.moments, strategy) or strategy.name in self.known.owed

    def _kept(
        self,
        strategy: Strategy,
        place: str,
        inputs: _Inputs,
        standing: SourceFile | None,
        entry: Entry | None,
    ) -> tuple[ViewOutcome, Entry]:
        if not inputs.has_source or entry is None:
            entry = Entry("", None)
        if standing is None:
            return self._outcome(strategy, place, State.ABSENT, entry), entry
        touch = self.request.by_hand or self.config.auto
        entry = replace(entry, signature=self._touched(place, inputs, standing) if touch else standing.signature)
        return self._outcome(strategy, place, State.UNCHANGED, entry), entry

    def _touched(self, place: str, inputs: _Inputs, standing: SourceFile) -> Signature | None:
        if self.request.check or standing.mtime_ns >= inputs.newest_ns:
            return standing.signature
        try:
            return touch_view(self.project.root, place, not_before_ns=inputs.newest_ns)
        except OSError:
            return standing.signature  # another user's file, or a read-only disk: its bytes are right all the same

    def _waiting(
        self,
        strategy: Strategy,
        place: str,
        fingerprint: str | None,
        entry: Entry | None,
        findings: tuple[Finding, ...] = (),
    ) -> tuple[ViewOutcome, Entry | None]:
        self.again[strategy.name] = fingerprint or "again"
        return self._outcome(strategy, place, State.WAITING, entry, findings), entry

    def _withdrawn(self, strategy: Strategy, place: str, entry: Entry) -> tuple[ViewOutcome, Entry | None]:
        if not self.request.check:
            try:
                withdraw_view(self.project.root, place)
            except (OSError, RefusedError) as error:
                problem = phrase("the view cannot be withdrawn: {reason}", reason=_reason(error))
                return self._failed(strategy, place, problem), None
        return self._outcome(strategy, place, State.WITHDRAWN, entry), entry

    def _render(
        self,
        strategy: Strategy,
        place: str,
        inputs: _Inputs,
        standing: SourceFile | None,
        entry: Entry | None,
        seen: plan.Seen,
    ) -> tuple[ViewOutcome, Entry | None]:
        try:
            view = self._compute(strategy, inputs)
        except Exception as error:  # noqa: BLE001 - one view's fault must not cost the others
            problem = phrase("the view could not be computed: {error}", error=origin(error))
            return self._failed(strategy, place, problem), entry
        ready, fingerprint = plan.settle(seen, self.pending.get(strategy.name), degraded=view.degraded)
        if not ready:
            return self._waiting(strategy, place, fingerprint, entry, view.findings)
        if view.text is None:
            made = Entry(seen.inputs, None, findings=view.findings)
            if standing is None:
                return self._outcome(strategy, place, State.ABSENT, made), made
            return self._withdrawn(strategy, place, made)
        data = view.text.encode("utf-8", "replace")  # a file's name in it need not be UTF-8
        needed = {path: one.data for path, one in inputs.files.items() if matches(path, *strategy.needs)}
        made = Entry(
            seen.inputs,
            digest_of(data),
            place=place,
            tokens_before=sum(self.kept.tokens(path, one) for path, one in needed.items()),
            tokens_after=estimate(data),
            findings=view.findings,
        )
        if standing is not None and standing.data == data:
            made = replace(made, signature=self._touched(place, inputs, standing))
            return self._outcome(strategy, place, State.UNCHANGED, made), made
        if not self.request.check:
            try:
                signature = write_view(self.project.root, place, data, not_before_ns=inputs.newest_ns)
            except (OSError, RefusedError) as error:
                return self._failed(strategy, place, _unwritten(error)), entry
            made = replace(made, signature=signature)
        return self._outcome(strategy, place, State.WRITTEN, made), made

    def _compute(self, strategy: Strategy, inputs: _Inputs) -> View:
        if any(finding.severity == "error" for finding in inputs.blocked):
            return View(None, inputs.blocked)
        unreadable = {path: reason for path, reason in inputs.unreadable.items() if strategy.wants(path)}
        data = {path: source.data for path, source in inputs.files.items()}
        sources = Sources(Texts(inputs.files), unreadable, self._names(), data)
        view = compute(strategy, sources, self.config.options, self.kept.memory)
        return View(view.text, (*view.findings, *inputs.blocked))

    def _failed(self, strategy: Strategy, place: str, problem: Phrase) -> ViewOutcome:
        """Return the outcome of what could not be done now; the daemon tries again, a person sees it at once."""
        if not self.request.by_hand:
            self.again[strategy.name] = plan.after_failure(self.pending.get(strategy.name))
        return ViewOutcome(strategy.name, place, State.FAILED, findings=(Finding(place, problem),))

    def _outcome(
        self, strategy: Strategy, place: str, state: State, entry: Entry | None, findings: tuple[Finding, ...] = ()
    ) -> ViewOutcome:
        if entry is None:
            entry = Entry("", None)
        layout = self.config.layout
        found = tuple(replace(one, path=layout.place(one.path)) for one in findings or entry.findings)
        return ViewOutcome(strategy.name, place, state, entry.tokens_before, entry.tokens_after, found, entry.signature)


def _reason(error: OSError | RefusedError) -> Phrase:
    return describe(error) if isinstance(error, OSError) else error.phrase


def _unwritten(error: OSError | RefusedError) -> Phrase:
    hint = _HINTS.get(error.errno or 0) if isinstance(error, OSError) else None
    if hint is None:
        return phrase("the view cannot be written: {reason}", reason=_reason(error))
    return phrase("the view cannot be written: {reason}; {hint}", reason=_reason(error), hint=hint)


def _concerns(path: str, patterns: tuple[str, ...]) -> bool:
    """Return whether a path is a source of these patterns, or a folder that they look into."""
    return matches(path, *patterns) or any(pattern.startswith(f"{path}/") for pattern in patterns)


def _lead_into(patterns: tuple[str, ...], folder: str) -> bool:
    """Return whether a wildcard of these patterns stands for a folder, so that what is in it would be looked at."""
    for pattern in patterns:
        parts = pattern.split("/")[:-1]
        for count, part in enumerate(parts, 1):
            above = "/".join(parts[:count])
            if matches(folder, f"{above}/*" if part == "**" else above):
                return True
    return False
