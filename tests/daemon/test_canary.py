from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hypo_compactd.canary import STEP_S, Canary


def lost_at(canary: Canary) -> float | None:
    """Ask at every deadline; return when the one that flies is lost, None when it was not in time to come."""
    for _ in range(100):
        at = canary.deadline()
        if canary.lost(at):
            return at
        if canary.due(at):
            return None
    raise AssertionError("it flies for ever")


def test_the_first_canary_is_due_at_once_and_the_next_one_a_period_after_it_was_sent() -> None:
    canary = Canary(period_s=15)
    assert canary.due(100)

    canary.send(100)
    assert not canary.due(100)
    assert canary.came(100.25)

    assert canary.round_trip_ms == 250
    assert not canary.due(114.9)
    assert canary.due(115)


def test_a_canary_that_does_not_come_back_in_time_is_lost_once() -> None:
    canary = Canary(period_s=15, patience_s=2)
    canary.send(100)

    assert lost_at(canary) == 102
    assert not canary.lost(103)
    assert not canary.ever


def test_who_stood_still_waits_on_before_a_canary_is_lost() -> None:
    canary = Canary(period_s=15, patience_s=2)
    canary.send(100)

    assert not canary.lost(3_700)
    assert canary.deadline() == 3_700 + STEP_S
    assert lost_at(canary) == 3_701.5


def test_what_comes_too_late_or_unasked_is_no_canary() -> None:
    canary = Canary(patience_s=2)
    assert not canary.came(99)

    canary.send(100)
    assert lost_at(canary) == 102
    assert not canary.came(103)
    assert not canary.ever


def test_one_event_is_enough_and_others_of_the_same_canary_count_no_more() -> None:
    canary = Canary()
    canary.send(100)

    assert canary.came(100.001)
    assert not canary.came(100.002)
    assert not canary.lost(200)
    assert canary.ever


@given(st.lists(st.tuples(st.sampled_from(["send", "came", "lost"]), st.floats(0, 100)), max_size=30))
def test_there_is_always_something_to_wait_for_and_it_is_done_at_its_deadline(steps: list[tuple[str, float]]) -> None:
    canary, now = Canary(), 0.0
    for step, later in steps:
        now += later
        if step == "send" and canary.due(now):
            canary.send(now)
        elif step == "came":
            canary.came(now)
        else:
            canary.lost(now)
        if lost_at(canary) is not None:
            assert canary.due(canary.deadline())
