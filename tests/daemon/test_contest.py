from __future__ import annotations

import math

from hypo_compactd.contest import BACK_OFF_S, FREE, WINDOW_S, Contest


def test_the_first_repairs_are_done_at_once() -> None:
    contest = Contest()
    for number in range(FREE - 1):
        contest.repaired(["log"], 100 + number)

    assert contest.left(100 + FREE) == frozenset()
    assert contest.contested(100 + FREE) == ()
    assert contest.deadline(100 + FREE) == math.inf
    assert contest.total == FREE - 1


def test_a_view_that_is_written_again_and_again_is_put_right_ever_more_seldom() -> None:
    contest, now, waits = Contest(), 100.0, []
    for _ in range(FREE + len(BACK_OFF_S) + 2):
        contest.repaired(["log"], now)
        wait = contest.deadline(now) - now
        waits.append(0.0 if wait == math.inf else wait)
        now += waits[-1]

    assert waits == [0.0] * (FREE - 1) + [*BACK_OFF_S, *[BACK_OFF_S[-1]] * 3]
    assert contest.contested(now) == ("log",)


def test_a_contested_view_is_left_alone_until_its_time_and_the_others_are_not() -> None:
    contest = Contest()
    for _ in range(FREE):
        contest.repaired(["log", "state"], 100)
    contest.repaired(["progress"], 100)

    assert contest.left(100 + BACK_OFF_S[0] - 0.01) == {"log", "state"}
    assert contest.left(100 + BACK_OFF_S[0]) == frozenset()


def test_a_contest_that_has_ended_is_forgotten() -> None:
    contest = Contest()
    for _ in range(FREE + 4):
        contest.repaired(["log"], 100)
    later = 100 + WINDOW_S + 1

    assert contest.contested(later) == ()
    contest.repaired(["log"], later)
    assert contest.left(later) == frozenset()
    assert contest.total == FREE + 5


def test_no_view_waits_longer_than_a_lost_event_may_take() -> None:
    assert max(BACK_OFF_S) <= 30
