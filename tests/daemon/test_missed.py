from __future__ import annotations

import math

from hypo_compactd.missed import GRACE_S, IN_A_ROW, PATH_LIMIT, Missed


def test_a_change_that_the_sweep_found_and_no_event_announced_was_missed() -> None:
    missed = Missed()
    missed.found(["/p/log.yaml"], 100)

    assert missed.deadline() == 100 + GRACE_S
    assert missed.settle(100 + GRACE_S) == 1
    assert missed.total == 1
    assert missed.deadline() == math.inf


def test_an_event_that_comes_a_little_after_the_sweep_is_no_miss() -> None:
    missed = Missed()
    missed.found(["/p/log.yaml"], 100)
    missed.announce("/p/log.yaml")

    assert missed.settle(100 + GRACE_S) == 0
    assert missed.total == 0


def test_nothing_is_judged_before_its_time() -> None:
    missed = Missed()
    missed.found(["/p/log.yaml"], 100)

    assert missed.settle(100 + GRACE_S / 2) == 0
    assert missed.settle(100 + GRACE_S) == 1


def test_an_event_of_another_file_does_not_announce_a_change_but_one_of_its_folder_does() -> None:
    missed = Missed()
    missed.announce("/p/state.yaml")
    missed.announce("/p/reports")
    missed.found(["/p/log.yaml", "/p/reports/a.md", "/p/reports-2/b.md"], 100)

    assert missed.settle(200) == 2


def test_what_was_announced_before_the_last_look_announces_nothing_after_it() -> None:
    missed = Missed()
    missed.announce("/p/log.yaml")
    missed.looked()
    missed.found(["/p/log.yaml"], 100)

    assert missed.settle(200) == 1


def test_a_look_between_a_sweep_and_its_judgement_forgets_nothing() -> None:
    missed = Missed()
    missed.found(["/p/log.yaml"], 100)
    missed.announce("/p/log.yaml")
    missed.looked()

    assert missed.settle(200) == 0


def test_missed_changes_in_several_sweeps_in_a_row_make_events_hopeless() -> None:
    missed = Missed()
    for number in range(IN_A_ROW):
        assert not missed.hopeless()
        missed.found(["/p/a", "/p/b"], 100.0 * number)
        missed.settle(100.0 * number + GRACE_S)

    assert missed.hopeless()
    assert missed.total == 2 * IN_A_ROW


def test_an_event_that_is_in_time_ends_the_row() -> None:
    missed = Missed()
    for number in range(IN_A_ROW * 2):
        missed.found(["/p/a"], 100.0 * number)
        missed.settle(100.0 * number + GRACE_S)
        missed.reset()

    assert not missed.hopeless()


def test_more_events_than_can_be_remembered_announce_everything() -> None:
    missed = Missed()
    for number in range(PATH_LIMIT + 10):
        missed.announce(f"/p/{number}")
    missed.found(["/p/log.yaml"], 100)

    assert missed.settle(200) == 0
