from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypo_compactd.holder import Holder
from hypo_compactd.judge import SILENCE_S, Life, judge
from hypo_compactd.status import BEAT_S, Pulse, Report, Standing

NOW = 1000.0
HOLDER = Holder(7)
REPORT = Report("p", 7, "boot", "1", Standing.OK)
PULSE = Pulse(7, "boot", "1", 10.0, NOW - 1, 1)


@pytest.mark.parametrize(
    ("report", "pulse", "holder", "life"),
    [
        # Nobody holds the project: whatever was left behind does not count.
        (None, None, None, Life.NONE),
        (REPORT, PULSE, None, Life.NONE),
        (REPORT, None, None, Life.NONE),
        (None, PULSE, None, Life.NONE),
        # The holder has said both.
        (REPORT, PULSE, HOLDER, Life.RUNNING),
        (REPORT, PULSE, Holder(None), Life.RUNNING),
        # The holder has not said one of them yet; another process has, or this one in another boot.
        (None, None, HOLDER, Life.STARTING),
        (REPORT, None, HOLDER, Life.STARTING),
        (None, PULSE, HOLDER, Life.STARTING),
        (None, None, Holder(None), Life.STARTING),
        (REPORT, None, Holder(None), Life.STARTING),
        (replace(REPORT, pid=8), PULSE, HOLDER, Life.STARTING),
        (replace(REPORT, pid=8), PULSE, Holder(None), Life.STARTING),
        (replace(REPORT, boot="before"), PULSE, HOLDER, Life.STARTING),
        (REPORT, replace(PULSE, pid=8), HOLDER, Life.STARTING),
        (REPORT, replace(PULSE, boot="before"), HOLDER, Life.STARTING),
        (REPORT, replace(PULSE, boot="before", beat=NOW - 1000), HOLDER, Life.STARTING),
        (REPORT, replace(PULSE, beat=NOW + 0.1), HOLDER, Life.STARTING),
        # The holder has said nothing for too long.
        (REPORT, replace(PULSE, beat=NOW - SILENCE_S), HOLDER, Life.RUNNING),
        (REPORT, replace(PULSE, beat=NOW - SILENCE_S - 0.1), HOLDER, Life.HUNG),
        (None, replace(PULSE, beat=NOW - SILENCE_S - 0.1), HOLDER, Life.HUNG),
        (REPORT, replace(PULSE, beat=NOW - SILENCE_S - 0.1), Holder(None), Life.HUNG),
    ],
)
def test_what_a_daemon_does_follows_from_its_lock_and_what_its_holder_wrote(
    report: Report | None, pulse: Pulse | None, holder: Holder | None, life: str
) -> None:
    assert judge(report, pulse, holder, NOW, "boot").life is life


def test_a_daemon_is_hung_after_three_beats_that_did_not_come() -> None:
    assert SILENCE_S == 3 * BEAT_S


def test_what_is_believed_of_a_running_daemon_is_handed_on() -> None:
    verdict = judge(REPORT, PULSE, HOLDER, NOW, "boot")

    assert (verdict.pid, verdict.report, verdict.pulse, verdict.silent_s) == (7, REPORT, PULSE, 1.0)
    assert verdict.left is None


def test_of_a_daemon_that_is_no_more_only_its_number_is_handed_on() -> None:
    verdict = judge(REPORT, PULSE, None, NOW, "boot")

    assert (verdict.pid, verdict.report, verdict.pulse, verdict.silent_s) == (None, None, None, None)
    assert verdict.left == 7
    assert judge(None, PULSE, None, NOW, "boot").left is None


def test_a_system_that_does_not_tell_its_boots_apart_is_believed_as_far_as_the_clock_allows() -> None:
    report, pulse = replace(REPORT, boot=""), replace(PULSE, boot="")

    assert judge(report, pulse, HOLDER, NOW, "").life is Life.RUNNING
    assert judge(report, pulse, HOLDER, PULSE.beat - 1, "").life is Life.STARTING


pids = st.sampled_from([1, 2])
boots = st.sampled_from(["a", "b"])
times = st.floats(-1e6, 1e6)
reports = st.builds(Report, st.just("p"), pids, boots, st.just("1"), st.sampled_from(Standing.all()))
pulses = st.builds(Pulse, pids, boots, st.just("1"), times, times, st.just(1))
holders = st.none() | st.builds(Holder, st.none() | pids)


@given(st.none() | reports, st.none() | pulses, holders, times, boots)
def test_nothing_is_believed_that_the_holder_did_not_write_in_this_boot(
    report: Report | None, pulse: Pulse | None, holder: Holder | None, now: float, boot: str
) -> None:
    verdict = judge(report, pulse, holder, now, boot)

    assert (verdict.life is Life.NONE) == (holder is None)
    for written in (verdict.report, verdict.pulse):
        if written is not None:
            assert holder is not None
            assert written.boot == boot
            assert written.pid == verdict.pid
            assert holder.pid in {None, written.pid}
    if verdict.life is Life.RUNNING:
        assert verdict.report is not None
        assert verdict.silent_s is not None
        assert 0 <= verdict.silent_s <= SILENCE_S
