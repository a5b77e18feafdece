"""What a reconcile is asked for, and what it answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from hypo_compactd.marks import Signature
from hypo_compactd.plan import Moment, Policy
from hypo_strategies.api import Finding
from hypo_strategies.text.phrase import Phrase, phrase


class State(StrEnum):
    """What became of one view."""

    WRITTEN = "written"
    UNCHANGED = "unchanged"
    WITHDRAWN = "withdrawn"
    ABSENT = "absent"
    """There is rightly no view: it has no source, or nothing in its sources is its matter."""
    FAILED = "failed"
    WAITING = "waiting"
    """A second look is needed; the view is as it was."""
    HELD = "held"
    """It is dirty, and the policy, the configuration or a back-off does not let it be refreshed now."""


@dataclass(frozen=True, slots=True)
class ViewOutcome:
    """One view after a reconcile; paths, also those of its findings, are relative to the project.

    Under `check`, `written` and `withdrawn` mean «would be». `repaired`: it was written or withdrawn
    though no source had changed, since another program had changed or removed it.
    """

    name: str
    file: str
    state: State
    tokens_before: int = 0
    tokens_after: int = 0
    findings: tuple[Finding, ...] = ()
    signature: Signature | None = None
    repaired: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a reconcile found and did.

    Attributes:
        views: all that were asked for, in the registry's order.
        moments: the specification's moments that this look recognised.
        pending: what a second look must find again, by view; empty when all is settled.
        milliseconds: how long it took.
        swept: temporary files of a killed process that were removed.
        followed: canonical paths beside the patterns' to which sources point, there or not.
    """

    views: tuple[ViewOutcome, ...]
    moments: tuple[Moment, ...] = ()
    pending: Mapping[str, str] = field(default_factory=dict)
    milliseconds: int = 0
    swept: int = 0
    followed: tuple[str, ...] = ()

    def names(self, *states: State) -> list[str]:
        """Return the names of the views in any of these states."""
        return [view.name for view in self.views if view.state in states]

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings, each once (several views may read one source)."""
        return tuple(dict.fromkeys(finding for view in self.views for finding in view.findings))

    @property
    def failed(self) -> bool:
        """Whether a view could not be made: its sources or its place are at fault."""
        return any(view.state is State.FAILED for view in self.views) or any(
            finding.severity == "error" for finding in self.findings
        )

    @property
    def repaired(self) -> tuple[str, ...]:
        """Names of the views that were put right after another program had changed or removed them."""
        return tuple(view.name for view in self.views if view.repaired)

    @property
    def changed(self) -> bool:
        """Whether a view was written or withdrawn."""
        return bool(self.names(State.WRITTEN, State.WITHDRAWN))

    @property
    def tokens(self) -> tuple[int, int]:
        """Estimated tokens of the sources of all standing views, and of those views."""
        return sum(view.tokens_before for view in self.views), sum(view.tokens_after for view in self.views)


@dataclass(frozen=True, slots=True)
class Request:
    """What a reconcile is asked for.

    Attributes:
        views: names of the views to look at; None for all.
        policy: when dirty views may be refreshed.
        by_hand: whether a person asked, so that `compact.auto: false` does not matter.
        check: whether only to say what would be done; nothing is written then, not even our memory.
        leave: names of the views that are not to be put right now where another program changed them.
        on_view: called before each view with how many are done, how many there are, and its name.
    """

    views: frozenset[str] | None = None
    policy: Policy = Policy.FRESH
    by_hand: bool = False
    check: bool = False
    leave: frozenset[str] = frozenset()
    on_view: Callable[[int, int, str], None] = lambda _done, _all, _name: None


def changing(views: Iterable[str]) -> Phrase:
    """Return what is said of views whose sources do not settle."""
    return phrase(
        "{views}: a source is being written without pause, so the view is as it was; try again when it has settled",
        views=", ".join(views),
    )


def merged(first: Outcome, second: Outcome) -> Outcome:
    """Return a second look's outcome with what the first look had already written or withdrawn."""
    done = {view.name: view for view in first.views if view.state in (State.WRITTEN, State.WITHDRAWN)}
    views = tuple(
        done[view.name] if view.name in done and view.state in (State.UNCHANGED, State.ABSENT) else view
        for view in second.views
    )
    moments = tuple(dict.fromkeys((*first.moments, *second.moments)))
    milliseconds = first.milliseconds + second.milliseconds
    return replace(second, views=views, moments=moments, milliseconds=milliseconds, swept=first.swept + second.swept)
