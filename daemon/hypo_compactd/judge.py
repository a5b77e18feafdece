"""Whether a project's daemon lives: decided from what it has written and from the lock that it holds.

Only the lock ends with its holder, whatever ends it. What is written counts only where the process
that holds the lock has written it, in this boot: a file that a killed daemon left is never believed,
nor is a process of the same number that is something else today.
"""

from __future__ import annotations

from hypo_compactd.closed_list import ClosedList
from hypo_compactd.status import BEAT_S

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dataclasses import dataclass as record

    from hypo_compactd.holder import Holder
    from hypo_compactd.status import Pulse, Report
else:
    from hypo_compactd.record import record

SILENCE_S = 3 * BEAT_S
"""How long a daemon may say nothing before it counts as hung."""


class Life(ClosedList):
    """What a project's daemon does: one of these words."""

    RUNNING = "running"
    HUNG = "hung"
    """It holds the project and has given no sign of life for too long."""
    STARTING = "starting"
    """It holds the project and has not said yet that it lives and how it keeps the project."""
    NONE = "none"
    """No daemon holds the project."""


@record
class Verdict:
    """What is known of a project's daemon.

    Attributes:
        life: what it does.
        pid: its process; None where it is not known or there is none.
        report: what it says of the project, where that is to be believed.
        pulse: what it says of itself, likewise.
        silent_s: how long ago it last said that it lives; None where it has not.
        looked_s: how long ago its last look at the project ended; None where it does not say so.
        left: the process that left a report behind and keeps the project no more.
    """

    life: str
    pid: int | None = None
    report: Report | None = None
    pulse: Pulse | None = None
    silent_s: float | None = None
    looked_s: float | None = None
    left: int | None = None


def judge(report: Report | None, pulse: Pulse | None, holder: Holder | None, now: float, boot: str) -> Verdict:
    """Return what a project's daemon does; pure.

    Args:
        report: what stands in the project's status file.
        pulse: what stands in the file of the process that holds the project.
        holder: who holds the project as its daemon.
        now: the monotonic clock, read after the files.
        boot: this boot of the machine.
    """
    if holder is None:
        return Verdict(Life.NONE, left=report.pid if report else None)
    pid = holder.pid
    if pid is None and pulse is not None:
        pid = pulse.pid
    # A beat of the future is one of another boot, on a system that does not tell its boots apart.
    if pulse is not None and (pulse.pid != pid or pulse.boot != boot or pulse.beat > now):
        pulse = None
    if report is not None and (report.pid != pid or report.boot != boot):
        report = None
    looked_s = now - report.looked if report is not None and 0 < report.looked <= now else None
    if pulse is None:
        return Verdict(Life.STARTING, pid, report, looked_s=looked_s)
    silent_s = now - pulse.beat
    life = Life.RUNNING if report is not None else Life.STARTING
    return Verdict(life if silent_s <= SILENCE_S else Life.HUNG, pid, report, pulse, silent_s, looked_s)
