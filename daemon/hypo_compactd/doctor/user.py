"""What belongs to the user and to no single project: our own folders, the lists, the global configuration; pure."""

from __future__ import annotations

from hypo_compactd import shell
from hypo_compactd.doctor.facts import Machine
from hypo_compactd.doctor.hindrance import Hindrance, mended, usable
from hypo_compactd.messages import printable


def state_folder(machine: Machine) -> list[Hindrance]:
    """Check that our own folder can be written: without it nothing is remembered, and no project is locked."""
    one = machine.state_folder
    if one is None:
        return []
    values = {"path": printable(one.path), "reason": one.problem}
    return [Hindrance("doctor_state", values, mended(one.path, one.remedy))]


def list_folder(machine: Machine) -> list[Hindrance]:
    """Check that the folder of our list of projects can be written: without it no project is added or removed."""
    one = machine.list_folder
    if one is None:
        return []
    values = {"path": printable(one.path), "reason": one.problem}
    return [Hindrance("doctor_list_folder", values, mended(one.path, one.remedy))]


def projects(machine: Machine) -> list[Hindrance]:
    """Check the lists of projects."""
    # Where the folder itself is closed, that is told with what opens it.
    folder = machine.list_folder.path if machine.list_folder else None
    found = [usable(one) for one in machine.lists if one.closed is None or one.closed.path != folder]
    found += [Hindrance("doctor_plain", {"text": finding.phrase}) for finding in machine.findings]
    return found + [
        Hindrance("doctor_gone", {"path": printable(one)}, (shell.line(["hypo-compactd", "projects", "remove", one]),))
        for one in machine.gone
    ]


def global_configuration(machine: Machine) -> list[Hindrance]:
    """Check that the configuration for all projects can be used."""
    return [usable(machine.configuration)] if machine.configuration else []
