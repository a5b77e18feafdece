from __future__ import annotations

import pytest

from hypo_compactd.outcome import Outcome, State, ViewOutcome, merged
from hypo_compactd.plan import Moment
from hypo_strategies.api import Finding
from hypo_strategies.text.phrase import Phrase

ERROR = Finding("state.yaml", Phrase("wrong"), 1, 2)
WARNING = Finding("log.yaml", Phrase("lost"), severity="warning")


def view(name: str, state: State, *findings: Finding, before: int = 0, after: int = 0) -> ViewOutcome:
    return ViewOutcome(name, f".pipeline/{name}", state, before, after, findings)


def test_names_come_in_order_and_by_state() -> None:
    outcome = Outcome((view("a", State.WRITTEN), view("b", State.FAILED), view("c", State.WRITTEN)))

    assert outcome.names(State.WRITTEN) == ["a", "c"]
    assert outcome.names(State.FAILED, State.WRITTEN) == ["a", "b", "c"]
    assert outcome.names(State.HELD) == []


def test_a_finding_of_two_views_counts_once_and_in_order() -> None:
    outcome = Outcome((view("a", State.WRITTEN, WARNING, ERROR), view("b", State.ABSENT, ERROR)))

    assert outcome.findings == (WARNING, ERROR)


@pytest.mark.parametrize(
    ("one", "failed"),
    [
        (view("a", State.FAILED), True),
        (view("a", State.WITHDRAWN, ERROR), True),
        (view("a", State.UNCHANGED, ERROR), True),
        (view("a", State.WRITTEN, WARNING), False),
        (view("a", State.WAITING), False),
        (view("a", State.HELD), False),
    ],
)
def test_an_error_is_a_failure_and_a_warning_is_none(one: ViewOutcome, failed: bool) -> None:  # noqa: FBT001 - a row of a table
    assert Outcome((view("b", State.UNCHANGED), one)).failed == failed


@pytest.mark.parametrize("state", State)
def test_only_writing_and_withdrawing_change_something(state: State) -> None:
    assert Outcome((view("a", state),)).changed == (state in {State.WRITTEN, State.WITHDRAWN})


def test_tokens_are_those_of_all_views() -> None:
    outcome = Outcome((view("a", State.WRITTEN, before=10, after=3), view("b", State.UNCHANGED, before=5, after=4)))

    assert outcome.tokens == (15, 7)
    assert Outcome(()).tokens == (0, 0)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (State.WRITTEN, State.UNCHANGED, State.WRITTEN),
        (State.WITHDRAWN, State.ABSENT, State.WITHDRAWN),
        (State.WAITING, State.WRITTEN, State.WRITTEN),
        (State.WAITING, State.WAITING, State.WAITING),
        (State.UNCHANGED, State.UNCHANGED, State.UNCHANGED),
        (State.WRITTEN, State.FAILED, State.FAILED),
        (State.WRITTEN, State.WITHDRAWN, State.WITHDRAWN),
        (State.FAILED, State.WRITTEN, State.WRITTEN),
        (State.WRITTEN, State.WAITING, State.WAITING),
    ],
)
def test_two_looks_together_say_what_both_did(first: State, second: State, expected: State) -> None:
    both = merged(Outcome((view("a", first),)), Outcome((view("a", second),)))

    assert both.views[0].state == expected


def test_two_looks_together_keep_moments_times_and_what_is_pending() -> None:
    both = merged(
        Outcome((), (Moment.MILESTONE_FINAL,), {"a": "x"}, 3, 1),
        Outcome((), (Moment.MILESTONE_FINAL, Moment.KNOWLEDGE_CHANGED), {}, 4, 2),
    )

    assert both == Outcome((), (Moment.MILESTONE_FINAL, Moment.KNOWLEDGE_CHANGED), {}, 7, 3)
