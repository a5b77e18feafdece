"""Who keeps a project: what its daemon has written and the lock that it holds, looked at and judged."""

from __future__ import annotations

import time

from hypo_compactd.holder import holder
from hypo_compactd.judge import judge
from hypo_compactd.status import boot_id, read_pulse, read_report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hypo_compactd.judge import Verdict
    from hypo_compactd.paths import Project


def verdict_of(project: Project) -> Verdict:
    """Return what a project's daemon does.

    Raises:
        InputError: our own folder does not let us see.
    """
    report = read_report(project)
    held_by = holder(project)
    pid = None
    if held_by is not None:
        pid = held_by.pid if held_by.pid is not None or report is None else report.pid
    pulse = None if pid is None else read_pulse(pid)
    return judge(report, pulse, held_by, time.monotonic(), boot_id())
