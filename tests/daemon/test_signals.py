from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest

from hypo_compactd import signals


@pytest.fixture(autouse=True)
def _handlers() -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in signals.SIGNALS}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def test_a_signal_can_be_read_once() -> None:
    with signals.inbox() as inbox:
        assert inbox.received(0) == set()

        os.kill(os.getpid(), signal.SIGHUP)

        assert inbox.received(5) == {signal.SIGHUP}
        assert inbox.received(0) == set()


def test_a_storm_of_one_signal_is_that_signal_once() -> None:
    with signals.inbox() as inbox:
        for _ in range(500):
            os.kill(os.getpid(), signal.SIGHUP)
        os.kill(os.getpid(), signal.SIGTERM)

        assert inbox.received(5) == {signal.SIGHUP, signal.SIGTERM}
        assert inbox.received(0) == set()


@pytest.mark.parametrize("number", sorted(signals.SIGNALS))
def test_afterwards_a_signal_changes_nothing_any_more(number: signal.Signals) -> None:
    with signals.inbox():
        pass
    os.kill(os.getpid(), number)


def test_ringing_wakes_whoever_waits_and_is_no_signal() -> None:
    with signals.inbox() as inbox:
        inbox.ring()
        inbox.ring()

        assert inbox.received(None) == set()
        assert inbox.received(0) == set()


def test_ringing_never_blocks_and_never_raises() -> None:
    with signals.inbox() as inbox:
        for _ in range(100_000):
            inbox.ring()

        assert inbox.received(5) == set()
    inbox.ring()
