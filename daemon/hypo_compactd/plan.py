"""What a look at a project means: which views are dirty, which are withdrawn, which moment this is.

Pure: the caller brings what it saw and what it remembers. The rules are those of views.md
(Rules 4 and 5, When views are refreshed).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from enum import StrEnum

from hypo_compactd.digest import digest_of_texts
from hypo_strategies.api import Options, Strategy, matches
from hypo_strategies.lifecycle import REPORTS_FOLDER, final_milestones
from hypo_strategies.text import yaml
from hypo_strategies.text.phrase import Phrase


class Moment(StrEnum):
    """The three moments that the specification names (seeds/compact.md, Auto Generation)."""

    MILESTONE_FINAL = "milestone_final"
    KNOWLEDGE_CHANGED = "knowledge_changed"
    CYCLE_CLOSED = "cycle_closed"


class Policy(StrEnum):
    """When dirty views are refreshed: whenever changes have settled, or only at the three moments."""

    FRESH = "fresh"
    MILESTONE = "milestone"


class Step(StrEnum):
    """What is to be done about one view."""

    KEEP = "keep"
    """It is what its inputs give; nothing to compute."""
    RENDER = "render"
    """It is dirty: compute it, and write it when its bytes differ."""
    WITHDRAW = "withdraw"
    """Its sources are gone: it goes too."""
    WAIT = "wait"
    """Look again before doing anything."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What the moments are told by.

    Attributes:
        final: keys of the Milestones in a final state that have a report.
        knowledge: digest of the knowledge records and indexes.
        archives: folders of archived Cycles that hold a summary or a cycle.yaml.
    """

    final: frozenset[str]
    knowledge: str
    archives: frozenset[str]


@dataclass(frozen=True, slots=True)
class Seen:
    """One view as it was found: its inputs' digest, whether its sources exist, its file.

    Attributes:
        inputs: digest of all that its text depends on; "" when it has no source.
        has_source: whether a source without which it cannot be exists, readable or not.
        unstable: whether a source changed while it was read.
        emptied: whether a source is empty that was not before: editors truncate, then write.
        on_disk: digest of the bytes of its file, None when there is none.
        marks: digest of its sources' marks: it tells whether one was written again, though the same stands in it.
    """

    inputs: str
    has_source: bool
    unstable: bool
    emptied: bool
    on_disk: str | None
    marks: str = ""


@dataclass(frozen=True, slots=True)
class Known:
    """One view as it was left: the digests of its inputs and of its bytes (None: rightly no view)."""

    inputs: str
    output: str | None


def facts_of(
    digests: Mapping[str, str], state: str | None, before: Facts | None, reports_folder: str = REPORTS_FOLDER
) -> Facts:
    """Return the facts of a look.

    Args:
        digests: of every readable source, by canonical path.
        state: the text of state.yaml, None when it is missing or cannot be read now: then, and when
            it is no YAML, no Milestone is taken to have lost its final state, which would
            announce it twice.
        before: the facts of the look before.
        reports_folder: where the configuration has reports/, for the state points there.
    """
    final = final_milestones(state, digests, reports_folder)
    if before is not None and not before.final <= final and not _readable(state):
        final |= before.final
    records = sorted(
        (path, digest)
        for path, digest in digests.items()
        if matches(path, "knowledge/records/*.yaml", "knowledge/index/*.yaml")
    )
    archives = {
        path.split("/")[1] for path in digests if matches(path, "archives/*/summary.md", "archives/*/cycle.yaml")
    }
    return Facts(final, digest_of_texts(*(part for pair in records for part in pair)), frozenset(archives))


def moments(before: Facts | None, after: Facts) -> tuple[Moment, ...]:
    """Return the moments between two looks, the widest first; the first look of all is none."""
    if before is None:
        return ()
    found = []
    if after.archives - before.archives:
        found.append(Moment.CYCLE_CLOSED)
    if after.final - before.final:
        found.append(Moment.MILESTONE_FINAL)
    if after.knowledge != before.knowledge:
        found.append(Moment.KNOWLEDGE_CHANGED)
    return tuple(found)


def allowed(policy: Policy, found: Iterable[Moment], strategy: Strategy) -> bool:
    """Return whether a dirty view may be refreshed now."""
    if policy is Policy.FRESH:
        return True
    found = set(found)
    if found & {Moment.CYCLE_CLOSED, Moment.MILESTONE_FINAL}:
        return True
    return Moment.KNOWLEDGE_CHANGED in found and any(pattern.startswith("knowledge/") for pattern in strategy.needs)


def held(*, auto: bool, allowed: bool, settling: bool, pending: str | None) -> bool:
    """Return whether the daemon must leave a dirty view as it is for now.

    Args:
        auto: whether the configuration lets the daemon write this view.
        allowed: whether the policy lets it be refreshed at this look.
        settling: whether its source is gone or being written: the next look will tell whether the
            view may be refreshed.
        pending: what the look before asked to see again; what that one was allowed to refresh needs
            no moment of its own at the second look.
    """
    if not auto:
        return True
    return not (allowed or settling or pending not in {None, "unstable"})


def decide(seen: Seen, known: Known | None, pending: str | None) -> tuple[Step, str | None]:
    """Return what to do about a view, and what a second look must find again before it is done.

    Args:
        seen: the view at this look.
        known: what was left there, None when nothing is remembered.
        pending: what the look before asked to see again, None when it asked for nothing.

    Returns:
        The step, and with `Step.WAIT` the fingerprint to remember for the next look.
    """
    if not seen.has_source:
        if seen.on_disk is None:
            return Step.KEEP, None
        return _confirmed(Step.WITHDRAW, "gone", pending)
    if seen.unstable:
        return Step.WAIT, "unstable"
    if known is not None and known.inputs == seen.inputs and known.output == seen.on_disk:
        return Step.KEEP, None
    if seen.emptied:
        return _confirmed(Step.RENDER, _same(seen), pending)
    return Step.RENDER, None


def is_repair(seen: Seen, known: Known | None) -> bool:
    """Return whether a view is dirty only since another program changed or removed its file."""
    return known is not None and known.inputs == seen.inputs and known.output != seen.on_disk


def settle(seen: Seen, pending: str | None, *, degraded: bool) -> tuple[bool, str | None]:
    """Return whether a computed view may be written, and else what a second look must find again.

    A view whose source has faults is written (or withdrawn) only when two looks find the same
    bytes, and nobody has written them in between: the source may have been caught half written,
    and one that is saved without pause is caught empty more than once.
    """
    fingerprint = _same(seen)
    if not degraded or pending == fingerprint:
        return True, None
    return False, fingerprint


def after_failure(pending: str | None) -> str:
    """Return what the next look must find when what this one decided could not be done.

    What two looks have confirmed stays confirmed: it would else be doubted anew at every other look.
    """
    return "failed" if pending in {None, "unstable"} else str(pending)


def inputs_digest(
    strategy: Strategy,
    options: Options,
    digests: Mapping[str, str],
    unreadable: Mapping[str, Phrase],
    names: Mapping[str, str],
    release: str,
) -> str:
    """Return the digest of all that a view's text depends on.

    Args:
        strategy: the view's.
        options: the configuration's; only those that the strategy names count.
        digests: of the view's readable sources, by path.
        unreadable: the reason for each of its sources that cannot be read.
        names: how the view calls sources that the configuration moved.
        release: the program's version: a new one may compute another text from the same sources.
    """
    given = [f"{one.name}={getattr(options, one.name)}" for one in fields(options) if one.name in strategy.options]
    files = [f"{path}={digests[path]}" for path in sorted(digests)]
    bad = [f"{path}!{unreadable[path]}" for path in sorted(unreadable)]
    called = [f"{path}>{names[path]}" for path in sorted(names)]
    return digest_of_texts(strategy.name, str(strategy.version), release, *given, *files, *bad, *called)


def _confirmed(step: Step, fingerprint: str, pending: str | None) -> tuple[Step, str | None]:
    return (step, None) if pending == fingerprint else (Step.WAIT, fingerprint)


def _same(seen: Seen) -> str:
    """Return the fingerprint that only a second look at the same inputs has: whatever the first look doubted, it is so."""
    return f"same:{seen.inputs}:{seen.marks}"


def _readable(state: str | None) -> bool:
    if state is None:
        return False
    try:
        return yaml.parse(state) is not None
    except yaml.YamlError:
        return False
