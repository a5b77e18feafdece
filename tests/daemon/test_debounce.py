from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypo_compactd.debounce import MAX_WAIT_MS, PATH_LIMIT, QUIET_MS, Debounce

QUIET_S = QUIET_MS / 1000
MAX_WAIT_S = MAX_WAIT_MS / 1000


def test_nothing_is_due_before_anything_changed() -> None:
    debounce = Debounce()

    assert debounce.deadline() is None
    assert not debounce.due(1e9)


def test_one_change_is_due_exactly_when_the_quiet_period_has_passed() -> None:
    debounce = Debounce(quiet_ms=200)
    debounce.add("a", 0.0)

    assert not debounce.due(0.1999)
    assert debounce.due(0.2)


def test_each_change_starts_the_quiet_period_anew() -> None:
    debounce = Debounce(quiet_ms=500)
    debounce.add("a", 0.0)
    debounce.add("a", 0.375)

    assert debounce.deadline() == 0.875
    assert not debounce.due(0.5)


def test_a_file_that_is_written_without_end_is_due_exactly_after_the_maximum_wait() -> None:
    debounce = Debounce(quiet_ms=500, max_wait_ms=2000)
    for eighth in range(100):
        debounce.add("a", eighth / 8)
        assert debounce.due(eighth / 8) == (eighth / 8 >= 2.0)


def test_a_maximum_wait_below_the_quiet_period_holds() -> None:
    debounce = Debounce(quiet_ms=1000, max_wait_ms=250)
    debounce.add("a", 4.0)

    assert debounce.deadline() == 4.25


def test_changes_that_come_with_an_earlier_time_shorten_no_quiet_period() -> None:
    debounce = Debounce(quiet_ms=500, max_wait_ms=60_000)
    debounce.add("a", 1.0)
    debounce.add("b", 5.0)
    debounce.add("c", 1.0)

    assert debounce.deadline() == 5.5


def test_taking_gives_every_path_once_and_ends_the_batch() -> None:
    debounce = Debounce()
    for path in ("a", "b", "a"):
        debounce.add(path, 1.0)

    assert debounce.take() == frozenset({"a", "b"})
    assert debounce.deadline() is None
    assert debounce.take() == frozenset()


def test_the_next_batch_remembers_nothing_of_the_last_one() -> None:
    debounce = Debounce(quiet_ms=500, max_wait_ms=2000)
    debounce.add("a", 100.0)
    debounce.take()
    debounce.add("b", 3.0)

    assert debounce.deadline() == 3.5
    assert debounce.take() == frozenset({"b"})


@pytest.mark.parametrize(("count", "known"), [(PATH_LIMIT, True), (PATH_LIMIT + 1, False), (100_000, False)])
def test_more_paths_than_can_be_remembered_mean_that_anything_may_have_changed(count: int, known: bool) -> None:  # noqa: FBT001 - a row of a table
    debounce = Debounce()
    for number in range(count):
        debounce.add(f"{number}", 0.0)
    debounce.add("0", 0.0)

    assert len(debounce._paths) <= PATH_LIMIT
    taken = debounce.take()
    assert (taken is not None) == known
    assert taken is None or len(taken) == count


def test_after_an_overflow_paths_are_remembered_again() -> None:
    debounce = Debounce()
    for number in range(PATH_LIMIT + 1):
        debounce.add(f"{number}", 0.0)
    debounce.take()
    debounce.add("a", 1.0)

    assert debounce.take() == frozenset({"a"})


EVENTS = st.lists(
    st.tuples(st.sampled_from("abcdef"), st.floats(min_value=0, max_value=4, allow_nan=False)), min_size=1, max_size=60
)


@given(EVENTS, st.integers(1, 3000), st.integers(1, 3000))
def test_a_batch_is_never_later_than_the_maximum_wait_and_never_earlier_than_the_quiet_period(
    events: list[tuple[str, float]], quiet_ms: int, max_wait_ms: int
) -> None:
    debounce = Debounce(quiet_ms, max_wait_ms)
    now = 0.0
    times = []
    for path, pause in events:
        now += pause
        times.append(now)
        debounce.add(path, now)
        deadline = debounce.deadline()

        assert deadline is not None
        latest = times[0] + max_wait_ms / 1000
        assert deadline <= latest
        assert deadline == latest or deadline >= times[-1] + quiet_ms / 1000
        assert debounce.due(deadline)
        assert not debounce.due(deadline - 1e-3)


@given(EVENTS)
def test_every_change_is_in_exactly_the_batch_that_was_open_when_it_came(events: list[tuple[str, float]]) -> None:
    debounce = Debounce()
    now = 0.0
    came: set[str] = set()
    for path, pause in events:
        now += pause
        if debounce.due(now):
            assert debounce.take() == frozenset(came)
            came = set()
        debounce.add(path, now)
        came.add(path)

    assert debounce.take() == frozenset(came)
