"""Programs and libraries that are needed; pure."""

from __future__ import annotations

from hypo_compactd import shell
from hypo_compactd.doctor.facts import Machine
from hypo_compactd.doctor.hindrance import Hindrance
from hypo_compactd.messages import printable
from hypo_strategies.text.phrase import phrase


def watchdog(machine: Machine) -> list[Hindrance]:
    """Check that the library for native events is there, in a version that was tested."""
    major = machine.watchdog.partition(".")[0]
    if major in {"6", "7"}:
        return []
    command = shell.line([machine.python, "-m", "pip", "install", "watchdog>=6.0,<8"])
    if not machine.watchdog:
        return [Hindrance("doctor_no_watchdog", {}, (command,))]
    return [Hindrance("doctor_watchdog", {"version": printable(machine.watchdog)}, (command,))]


def gawk(machine: Machine) -> list[Hindrance]:
    """Check that Hypo-Workflow's SessionStart hook, which loads the views, finds the awk that it is written for."""
    if machine.gawk:
        return []
    commands = (f"{machine.installer} gawk",) if machine.installer else ()
    return [Hindrance("doctor_gawk", {"awk": printable(machine.awk) if machine.awk else phrase("none")}, commands)]
