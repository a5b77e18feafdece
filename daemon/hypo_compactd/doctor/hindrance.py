"""What a check gives back, and the commands that several of them advise; pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from hypo_compactd import shell
from hypo_compactd.doctor.facts import Closed, Remedy, Unusable


@dataclass(frozen=True, slots=True)
class Hindrance:
    """One thing that hinders: the key of its sentence in the catalogue, what stands in it, and what to type."""

    key: str
    values: Mapping[str, Any] = field(default_factory=dict)
    commands: tuple[str, ...] = ()


def opened(one: Closed) -> str:
    """Return the command that opens a file or folder to this user."""
    if not one.own:
        return f'sudo chown "$(id -un)" {shell.quoted(one.path)}'
    return shell.line(["chmod", "u+rwx" if one.folder else "u+r", one.path])


def mended(path: str, remedy: Remedy) -> tuple[str, ...]:
    """Return the command for a remedy, none for `NONE`."""
    place = shell.quoted(path)
    commands = {
        Remedy.OPEN: (f"chmod u+rwx {place}",),
        Remedy.TAKE: (f'sudo chown -R "$(id -un)" {place}',),
        Remedy.MAKE: (f'sudo install -d -m 700 -o "$(id -un)" {place}',),
        Remedy.EDIT: (f"${{EDITOR:-vi}} {place}",),
        Remedy.REMOVE: (f"rm {place}",),
        Remedy.MOVE: (shell.line(["mv", path, f"{path}.moved"]),),
        Remedy.NONE: (),
    }
    return commands[remedy]


def usable(one: Unusable) -> Hindrance:
    """Return what hinders where a configuration or a list cannot be used."""
    commands = (opened(one.closed),) if one.closed else mended(one.path, one.remedy)
    return Hindrance("doctor_plain", {"text": one.problem}, commands)
