"""What the daemon says of itself: one file a project and one a process, in our own folder.

Written atomically; read by `status`, which also looks at the files themselves, so that what it says
is right when the daemon is dead or hung. Times are seconds of the monotonic clock, which all
processes of one boot share; `boot` tells one boot from another.

What is read may be of any age and from any program: a file that is not exactly what this version
writes counts as none, and whether the rest is believed is for `judge` to say.
"""

from __future__ import annotations

import os

from hypo_compactd import paths, typed
from hypo_compactd.closed_list import ClosedList
from hypo_compactd.errors import RefusedError, UnstableError
from hypo_compactd.quick_json import loads
from hypo_compactd.reader import read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from dataclasses import dataclass as record
    from pathlib import Path
    from typing import Any, TypeVar

    from hypo_compactd.paths import Project
    from hypo_strategies.api import Finding
    from hypo_strategies.text.phrase import Phrase

    T = TypeVar("T")
else:
    from hypo_compactd.record import record

SCHEMA = 2
NAME = "status.json"

LIMIT = 1024 * 1024
"""Bytes of a status file that are still read; real ones are a few hundred."""

BEAT_S = 15.0
"""How often a daemon says that it lives: when its canary has come back, or where it has none."""


class Standing(ClosedList):
    """How a running daemon keeps one project: one of these words."""

    OK = "ok"
    """Native events, every folder watched."""
    POLLING = "polling"
    """No native events: its files are looked at every second or a little less often."""
    PARTIAL = "partial"
    """Native events for some folders; the others are looked at every second or a little less often."""
    WAITING = "waiting"
    """`.pipeline/` is gone, empty or unreadable; the views are left as they are until it is back."""
    FAILED = "failed"
    """The last look could not be done; it is tried again."""


@record
class Report:
    """One project, as its worker last left it.

    Attributes:
        project: the folder as the user named it.
        pid: the daemon's process.
        boot: which boot of the machine it runs in.
        version: the program's.
        standing: how the project is kept.
        reason: why it is not `ok`; None when it is.
        wanted: folders that should be watched.
        held: folders that are.
        looked: when the last look ended (monotonic seconds).
        pending: whether a look is due: something has changed or a view needs a second look.
        looks: how many there were.
        missed: changes that only the sweep found.
        repaired: views of another writer that were put right, in all.
        contested: views that another program keeps writing; they are put right ever more seldom.
        errors: by view: an error for which it could not be made at the last look.
    """

    project: str
    pid: int
    boot: str
    version: str
    standing: str
    reason: Phrase | None = None
    wanted: int = 0
    held: int = 0
    looked: float = 0.0
    pending: bool = False
    looks: int = 0
    missed: int = 0
    repaired: int = 0
    contested: tuple[str, ...] = ()
    errors: tuple[tuple[str, Finding], ...] = ()


@record
class Pulse:
    """One daemon process.

    Attributes:
        pid: its process.
        boot: which boot of the machine it runs in.
        version: the program's.
        started: when it began (monotonic seconds).
        beat: when it last said that it lives.
        projects: how many it keeps.
        canary_ms: how long the last canary took to come back; None where none has come or can be sent.
        overflows: how often the system dropped events for want of room.
        rebuilds: how often native events were set up anew.
        rss_mb: its memory.
        threads: how many it has.
    """

    pid: int
    boot: str
    version: str
    started: float
    beat: float
    projects: int
    canary_ms: int | None = None
    overflows: int = 0
    rebuilds: int = 0
    rss_mb: float = 0.0
    threads: int = 0


def write_report(project: Project, report: Report) -> None:
    """Write a project's status file.

    Raises:
        OSError: the system's refusal.
    """
    _write(project.state_place, NAME, report)


def write_pulse(pulse: Pulse) -> None:
    """Write the process's own file.

    Raises:
        OSError: the system's refusal.
    """
    _write(*_pulse_place(pulse.pid), pulse)


def read_report(project: Project) -> Report | None:
    """Return a project's status file, None when there is none that can be used."""
    return _read(project.state_place, NAME, _report)


def read_pulse(pid: int) -> Pulse | None:
    """Return the file of one daemon process, None when there is none that can be used."""
    return _read(*_pulse_place(pid), _pulse)


def remove(project: Project) -> None:
    """Remove a project's status file when its daemon ends: what nobody keeps has no status."""
    (project.state_dir / NAME).unlink(missing_ok=True)


def pulse_file(pid: int) -> Path:
    """Return the file of one daemon process."""
    folder, name = _pulse_place(pid)
    return paths.as_path(folder) / name


def boot_id() -> str:
    """Return what tells this boot of the machine from another; "" where the system does not say."""
    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as stream:  # noqa: PTH123 - pathlib takes its time
            return stream.read().strip()
    except OSError:
        return ""


def _pulse_place(pid: int) -> tuple[str, str]:
    return f"{paths.state_place()}/daemons", f"{pid}.json"


def _write(folder: str, name: str, value: Any) -> None:
    # Only a daemon writes; whoever waits for `status` does not wait for these.
    import json  # noqa: PLC0415
    from dataclasses import asdict  # noqa: PLC0415

    from hypo_compactd.writer import write_private  # noqa: PLC0415

    # Names of files may hold bytes that are no text: escaped, they cannot break the file.
    data = json.dumps({"schema": SCHEMA, **asdict(value)}).encode("ascii") + b"\n"
    write_private(paths.as_path(folder) / name, data)


def _read(folder: str, name: str, decode: Callable[[Any], T]) -> T | None:
    try:
        data = loads(read_file(os.path.realpath(folder), name, limit=LIMIT).data)
        return decode(data) if typed.count(data["schema"]) == SCHEMA else None
    except (
        OSError,
        RefusedError,
        UnstableError,
        ValueError,
        KeyError,
        TypeError,
        OverflowError,
        RecursionError,
    ):
        return None


def _report(data: Any) -> Report:
    return Report(
        project=typed.text(data["project"]),
        pid=typed.count(data["pid"]),
        boot=typed.text(data["boot"]),
        version=typed.text(data["version"]),
        standing=Standing.of(data["standing"]),
        reason=None if data["reason"] is None else typed.phrase(data["reason"]),
        wanted=typed.count(data["wanted"]),
        held=typed.count(data["held"]),
        looked=typed.number(data["looked"]),
        pending=typed.boolean(data["pending"]),
        looks=typed.count(data["looks"]),
        missed=typed.count(data["missed"]),
        repaired=typed.count(data["repaired"]),
        contested=tuple(typed.text(name) for name in typed.items(data["contested"])),
        errors=tuple(
            (typed.text(name), typed.finding(error)) for name, error in map(typed.items, typed.items(data["errors"]))
        ),
    )


def _pulse(data: Any) -> Pulse:
    return Pulse(
        pid=typed.count(data["pid"]),
        boot=typed.text(data["boot"]),
        version=typed.text(data["version"]),
        started=typed.number(data["started"]),
        beat=typed.number(data["beat"]),
        projects=typed.count(data["projects"]),
        canary_ms=None if data["canary_ms"] is None else typed.count(data["canary_ms"]),
        overflows=typed.count(data["overflows"]),
        rebuilds=typed.count(data["rebuilds"]),
        rss_mb=typed.number(data["rss_mb"]),
        threads=typed.count(data["threads"]),
    )
