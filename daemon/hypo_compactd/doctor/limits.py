"""Limits of the system: what inotify may watch, and how many files may be open; pure."""

from __future__ import annotations

from hypo_compactd.doctor.facts import Machine
from hypo_compactd.doctor.hindrance import Hindrance
from hypo_compactd.inotify import INSTANCES, QUEUE, WATCHES, Limit

QUEUE_LEAST = 4_096
"""Events that may wait. A checkout of a thousand files brings some five thousand, most of which are read at once."""

_ADVISED = {WATCHES: 524_288, INSTANCES: 512, QUEUE: 65_536}
"""Values that leave room for editors and other programs of the same user; more where the projects need more."""

_OWN_WATCHES = 4
"""Folders that are watched for the daemon itself: its canary's, those of the lists of projects and of the configuration."""

_OWN_DESCRIPTORS = 64
"""Files that a daemon holds open beside those of its projects; ten were measured, the rest is for reading sources."""


def inotify_watches(machine: Machine) -> list[Hindrance]:
    """Check how many folders inotify watches for this user."""
    return _limit(machine, WATCHES, machine.folders + _OWN_WATCHES)


def inotify_instances(machine: Machine) -> list[Hindrance]:
    """Check how many inotify instances this user may have; with watchdog 6 each folder takes one."""
    if not machine.watchdog_6:
        return _limit(machine, INSTANCES, 1)
    # The daemon leaves a quarter of them to other programs.
    return _limit(machine, INSTANCES, -(-(machine.folders + _OWN_WATCHES) * 4 // 3))


def inotify_queue(machine: Machine) -> list[Hindrance]:
    """Check how many events may wait to be read."""
    if machine.overflows and (found := machine.limits.get(QUEUE)):
        value = max(_ADVISED[QUEUE], _power(2 * found.value))
        return [_raise("doctor_overflows", found, value, overflows=machine.overflows)]
    return _limit(machine, QUEUE, QUEUE_LEAST)


def open_files(machine: Machine) -> list[Hindrance]:
    """Check how many files the daemon may open."""
    need = _OWN_DESCRIPTORS + machine.projects
    if machine.watchdog_6:
        need += 3 * (machine.folders + _OWN_WATCHES)
    if machine.descriptors >= need:
        return []
    values = {"limit": machine.descriptors, "need": need, "projects": machine.projects}
    return [Hindrance("doctor_descriptors", values, (f"ulimit -n {max(1024, _power(need))}",))]


def _limit(machine: Machine, which: str, need: int) -> list[Hindrance]:
    found = machine.limits.get(which)
    if found is None:
        return []
    value = max(_ADVISED[which], _power(2 * need), _power(2 * found.value) if machine.full == which else 0)
    if machine.full == which:
        return [_raise("doctor_full", found, value)]
    if found.value >= need:
        return []
    values = {"need": need} if which == QUEUE else {"need": need, "projects": machine.projects}
    return [_raise(f"doctor_{which}", found, value, **values)]


def _raise(key: str, limit: Limit, value: int, **values: int) -> Hindrance:
    setting = f"{limit.sysctl}={value}"
    # A file for each, written whole: taken twice, the advice leaves the same.
    commands = (f"sudo sysctl {setting}", f"echo {setting} | sudo tee /etc/sysctl.d/60-{limit.sysctl}.conf")
    return Hindrance(key, {"sysctl": limit.sysctl, "limit": limit.value, **values}, commands)


def _power(number: int) -> int:
    """Return the smallest power of two that is not less."""
    return 1 << max(0, number - 1).bit_length()
