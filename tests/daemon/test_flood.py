from __future__ import annotations

from hypo_compactd.flood import LIMIT, WINDOW_S, Flood


def test_a_burst_below_the_limit_is_none_and_one_above_it_is() -> None:
    flood = Flood()

    assert not any(flood.add(100) for _ in range(LIMIT))
    assert not flood.over(100)
    assert flood.add(100)
    assert flood.over(100 + WINDOW_S / 2)


def test_events_that_keep_coming_at_a_bearable_pace_are_never_too_many() -> None:
    flood = Flood()
    for second in range(60):
        for _ in range(int(LIMIT / WINDOW_S) - 1):
            assert not flood.add(100.0 + second)


def test_what_is_over_is_over() -> None:
    flood = Flood()
    for _ in range(LIMIT + 1):
        flood.add(100)

    assert not flood.over(100 + WINDOW_S)
    assert not flood.add(100 + WINDOW_S)
