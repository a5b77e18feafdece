"""What would hinder the daemon, and the command that puts it right: pure, from facts that are gathered elsewhere.

One small function a check: it is given the facts of this machine or of one project and returns what
hinders, nothing when all is well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeVar

from hypo_compactd import git, shell
from hypo_compactd.inotify import INSTANCES, QUEUE, WATCHES, Limit
from hypo_compactd.judge import Life
from hypo_compactd.messages import printable
from hypo_strategies.api import Finding
from hypo_strategies.text.phrase import Phrase, phrase

QUEUE_LEAST = 4_096
"""Events that may wait. A checkout of a thousand files brings some five thousand, most of which are read at once."""

_ADVISED = {WATCHES: 524_288, INSTANCES: 512, QUEUE: 65_536}
"""Values that leave room for editors and other programs of the same user; more where the projects need more."""

_OWN_WATCHES = 4
"""Folders that are watched for the daemon itself: its canary's, those of the lists of projects and of the configuration."""

_OWN_DESCRIPTORS = 64
"""Files that a daemon holds open beside those of its projects; ten were measured, the rest is for reading sources."""

SHOWN = 10
"""How many files or folders of one project are named that are closed to us."""

_SYSCTL_FILE = "/etc/sysctl.d/60-hypo-compactd.conf"


@dataclass(frozen=True, slots=True)
class Service:
    """The service as it is installed.

    Attributes:
        file: its unit or agent.
        interpreter: the Python that it starts; "" where the file does not say.
        present: whether that is there.
        manager: `systemd` or `launchd`.
    """

    file: str
    interpreter: str
    present: bool
    manager: str


class Remedy(StrEnum):
    """What would make a folder of our own usable."""

    OPEN = "open"
    """It is this user's, and closed."""
    TAKE = "take"
    """It is another user's."""
    MAKE = "make"
    """It is missing, and this user may not make it where it belongs."""
    NONE = ""
    """Nothing that could be advised without knowing more: no folder, a disk that cannot be written."""


@dataclass(frozen=True, slots=True)
class Machine:
    """What is known of this machine and this user.

    Attributes:
        limits: inotify's limits, by `WATCHES`, `INSTANCES` and `QUEUE`; those that the system does not tell are missing.
        full: the limit that keeps us from one more watch at this moment; "" when none does.
        folders: how many folders all listed projects would have watched.
        projects: how many projects are listed.
        overflows: how often events were dropped for want of room since the daemons began.
        descriptors: how many files a process may open.
        watchdog: the version of watchdog; "" when it is not there.
        python: the interpreter that runs this.
        awk: the program behind `awk`; "" when there is none.
        gawk: whether GNU awk is there.
        installer: how a package is installed here, such as `sudo apt-get install`; "" where that is not known.
        state_dir: the first of our folders for manifests and locks that cannot be used, else the one for all.
        state_problem: why it cannot be written; None when it can.
        state_remedy: what would mend that and harm nothing.
        registry_error: why our list of projects cannot be used; None when it can.
        findings: what is wrong with Hypo-Workflow's list of projects.
        gone: projects on our list whose folder is gone.
        service: the service, None when none is installed.
        kept: whether a daemon keeps at least one of the listed projects; None where none is listed.
    """

    limits: Mapping[str, Limit] = field(default_factory=dict)
    full: str = ""
    folders: int = 0
    projects: int = 0
    overflows: int = 0
    descriptors: int = 1024
    watchdog: str = "7.1.0"
    python: str = "python3"
    awk: str = "gawk"
    gawk: bool = True
    installer: str = ""
    state_dir: str = ""
    state_problem: Phrase | None = None
    state_remedy: Remedy = Remedy.NONE
    registry_error: Phrase | None = None
    findings: tuple[Finding, ...] = ()
    gone: tuple[str, ...] = ()
    service: Service | None = None
    kept: bool | None = None

    @property
    def watchdog_6(self) -> bool:
        """Whether each watch takes an inotify instance of its own, and three descriptors."""
        return self.watchdog.partition(".")[0] == "6"


@dataclass(frozen=True, slots=True)
class Closed:
    """A file or folder that is closed to this user.

    Attributes:
        path: where it is.
        folder: whether it is a folder.
        write: whether it is to be written; else it is to be read.
        own: whether it belongs to this user.
        read_only: whether its whole file system cannot be written.
    """

    path: str
    folder: bool = True
    write: bool = False
    own: bool = True
    read_only: bool = False


@dataclass(frozen=True, slots=True)
class Tree:
    """What is known of one project.

    Attributes:
        shown: the folder as the user named it.
        root: the folder as it really is.
        root_error: why nothing of it can be kept, such as a `.pipeline/` that is a link out of the project.
        configuration: what is wrong with its configuration.
        closed: what of it is closed to this user.
        silent: the type of its file system when that brings no events of changes made elsewhere.
        repository: whether it is in a git repository.
        unignored: its views that no rule of git's ignores.
        tracked: its views that are in the repository.
        life: what its daemon does; None where our own folder does not let us see.
        pid: the daemon's process, or that of one that was killed.
        silent_s: how long ago the daemon last said that it lives.
        left: whether `pid` has ended without taking leave.
        version: the version of its daemon; "" where none runs.
        own_version: the version of this program.
        service: the manager of an installed service that keeps the project, `systemd` or `launchd`; "" where none does.
    """

    shown: str
    root: str
    root_error: Phrase | None = None
    configuration: tuple[Phrase, ...] = ()
    closed: tuple[Closed, ...] = ()
    silent: str | None = None
    repository: bool = False
    unignored: tuple[str, ...] = ()
    tracked: tuple[str, ...] = ()
    life: Life | None = Life.NONE
    pid: int | None = None
    silent_s: float | None = None
    left: bool = False
    version: str = ""
    own_version: str = ""
    service: str = ""


@dataclass(frozen=True, slots=True)
class Hindrance:
    """One thing that hinders: the key of its sentence in the catalogue, what stands in it, and what to type."""

    key: str
    values: Mapping[str, Any] = field(default_factory=dict)
    commands: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Examined:
    """One check of the machine, or of the project `where`, and what it found."""

    check: str
    where: str
    hindrances: tuple[Hindrance, ...]


Facts = TypeVar("Facts")
Checks = Mapping[str, Callable[[Facts], Iterable[Hindrance]]]


def examine(machine: Machine, trees: Iterable[Tree]) -> list[Examined]:
    """Return the result of every check, the machine's first; those of a project name it."""
    done = [Examined(name, "", tuple(check(machine))) for name, check in MACHINE_CHECKS.items()]
    for tree in trees:
        done += [Examined(name, tree.shown, tuple(check(tree))) for name, check in TREE_CHECKS.items()]
    return done


def watches(machine: Machine) -> list[Hindrance]:
    """Check how many folders inotify watches for this user."""
    return _limit(machine, WATCHES, machine.folders + _OWN_WATCHES)


def instances(machine: Machine) -> list[Hindrance]:
    """Check how many inotify instances this user may have; with watchdog 6 each folder takes one."""
    if not machine.watchdog_6:
        return _limit(machine, INSTANCES, 1)
    # The daemon leaves a quarter of them to other programs.
    return _limit(machine, INSTANCES, -(-(machine.folders + _OWN_WATCHES) * 4 // 3))


def queue(machine: Machine) -> list[Hindrance]:
    """Check how many events may wait to be read."""
    if machine.overflows and (found := machine.limits.get(QUEUE)):
        value = max(_ADVISED[QUEUE], _power(2 * found.value))
        return [_raise("doctor_overflows", found, value, overflows=machine.overflows)]
    return _limit(machine, QUEUE, QUEUE_LEAST)


def descriptors(machine: Machine) -> list[Hindrance]:
    """Check how many files the daemon may open."""
    need = _OWN_DESCRIPTORS + machine.projects
    if machine.watchdog_6:
        need += 3 * (machine.folders + _OWN_WATCHES)
    if machine.descriptors >= need:
        return []
    values = {"limit": machine.descriptors, "need": need, "projects": machine.projects}
    return [Hindrance("doctor_descriptors", values, (f"ulimit -n {max(1024, _power(need))}",))]


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


def state_dir(machine: Machine) -> list[Hindrance]:
    """Check that our own folder can be written: without it nothing is remembered, and no project is locked."""
    if machine.state_problem is None:
        return []
    values: dict[str, Any] = {"path": printable(machine.state_dir), "reason": machine.state_problem}
    folder = shell.quoted(machine.state_dir)
    # Never a folder above ours: that may be the whole system's.
    commands = {
        Remedy.OPEN: (f"chmod u+rwx {folder}",),
        Remedy.TAKE: (f'sudo chown -R "$(id -un)" {folder}',),
        Remedy.MAKE: (f'sudo install -d -m 700 -o "$(id -un)" {folder}',),
        Remedy.NONE: (),
    }
    return [Hindrance("doctor_state", values, commands[machine.state_remedy])]


def registry(machine: Machine) -> list[Hindrance]:
    """Check the lists of projects."""
    found = [Hindrance("doctor_plain", {"text": machine.registry_error})] if machine.registry_error else []
    found += [Hindrance("doctor_plain", {"text": finding.phrase}) for finding in machine.findings]
    return found + [
        Hindrance("doctor_gone", {"path": printable(one)}, (shell.line(["hypo-compactd", "projects", "remove", one]),))
        for one in machine.gone
    ]


def service(machine: Machine) -> list[Hindrance]:
    """Check that an installed service can start, and keeps what is listed."""
    one = machine.service
    if one is None:
        return []
    values = {"file": printable(one.file), "interpreter": printable(one.interpreter)}
    if not one.present:
        return [Hindrance("doctor_interpreter", values, ("hypo-compactd service install",))]
    if machine.kept is not False:
        return []
    look = {"systemd": ("systemctl --user status hypo-compactd.service",)}.get(one.manager, ())
    return [Hindrance("doctor_idle_service", values, (*look, "hypo-compactd service install"))]


def pipeline(tree: Tree) -> list[Hindrance]:
    """Check that there is something to keep: `.pipeline/`, in the project, not empty."""
    # What is closed is named by another check, with the command that opens it.
    return [Hindrance("doctor_plain", {"text": tree.root_error})] if tree.root_error and not tree.closed else []


def configuration(tree: Tree) -> list[Hindrance]:
    """Check that every value of the configuration can be used."""
    shown = printable(tree.shown)
    return [
        Hindrance("doctor_plain", {"text": phrase("{path}: {reason}", path=shown, reason=problem)})
        for problem in tree.configuration
    ]


def permissions(tree: Tree) -> list[Hindrance]:
    """Check that this user may read the sources and write where the views stand."""
    found = [_closed(one) for one in tree.closed[:SHOWN]]
    more = len(tree.closed) - SHOWN
    if more > 0:
        found.append(Hindrance("doctor_more_closed", {"path": printable(tree.shown), "count": more}))
    return found


def file_system(tree: Tree) -> list[Hindrance]:
    """Check that the file system tells of changes, whoever makes them."""
    if tree.silent is None:
        return []
    return [Hindrance("doctor_silent", {"path": printable(tree.shown), "type": printable(tree.silent)})]


def gitignore(tree: Tree) -> list[Hindrance]:
    """Check that git ignores the views (seeds/compact.md, Git Tracking)."""
    if not tree.repository or not tree.unignored:
        return []
    values = {"path": printable(tree.shown), "views": printable(", ".join(tree.unignored))}
    return [Hindrance("doctor_unignored", values, (shell.line(["hypo-compactd", "init", tree.root]),))]


def tracked(tree: Tree) -> list[Hindrance]:
    """Check that no view is in the repository: a refresh would show as a change of it."""
    if not tree.tracked:
        return []
    values = {"path": printable(tree.shown), "views": printable(", ".join(tree.tracked))}
    return [Hindrance("doctor_tracked", values, (git.untrack(tree.root, tree.tracked),))]


def daemon(tree: Tree) -> list[Hindrance]:
    """Check that whoever holds the project lives, and is this version."""
    path = printable(tree.shown)
    # A service is started anew as a whole: a daemon in the terminal would keep one project and leave the others.
    begin = ("hypo-compactd service install",) if tree.service else (f"hypo-compactd run {shell.quoted(tree.root)}",)
    if tree.life is Life.HUNG:
        seconds = round(tree.silent_s or 0)
        commands = () if tree.pid is None else (f"kill -KILL {tree.pid}", *begin)
        pid = "?" if tree.pid is None else tree.pid
        return [Hindrance("doctor_hung", {"path": path, "pid": pid, "seconds": seconds}, commands)]
    if tree.life is Life.NONE and tree.left:
        return [Hindrance("doctor_left", {"path": path, "pid": tree.pid}, begin)]
    if tree.version and tree.version != tree.own_version:
        values = {"path": path, "pid": tree.pid, "version": printable(tree.version), "own": tree.own_version}
        return [Hindrance("doctor_version", values, _RESTART.get(tree.service, (f"kill {tree.pid}", *begin)))]
    return []


_RESTART = {
    "systemd": ("systemctl --user restart hypo-compactd.service",),
    "launchd": ("launchctl kickstart -k gui/$(id -u)/io.github.hypo-compactd",),
}


MACHINE_CHECKS: Checks[Machine] = {
    "inotify watches": watches,
    "inotify instances": instances,
    "inotify queue": queue,
    "open files": descriptors,
    "watchdog": watchdog,
    "gawk": gawk,
    "state folder": state_dir,
    "projects": registry,
    "service": service,
}
TREE_CHECKS: Checks[Tree] = {
    ".pipeline": pipeline,
    "configuration": configuration,
    "permissions": permissions,
    "file system": file_system,
    ".gitignore": gitignore,
    "tracked views": tracked,
    "daemon": daemon,
}


def _limit(machine: Machine, which: str, need: int) -> list[Hindrance]:
    found = machine.limits.get(which)
    if found is None:
        return []
    value = max(_ADVISED[which], _power(2 * need), _power(2 * found.value) if machine.full == which else 0)
    if machine.full == which:
        return [_raise("doctor_full", found, value)]
    if found.value < need:
        return [_raise(f"doctor_{which}", found, value, need=need, projects=machine.projects)]
    return []


def _raise(key: str, limit: Limit, value: int, **values: int) -> Hindrance:
    setting = f"{limit.sysctl}={value}"
    commands = (f"sudo sysctl {setting}", f"echo {setting} | sudo tee -a {_SYSCTL_FILE}")
    return Hindrance(key, {"sysctl": limit.sysctl, "limit": limit.value, **values}, commands)


def _power(number: int) -> int:
    """Return the smallest power of two that is not less."""
    return 1 << max(0, number - 1).bit_length()


def _closed(one: Closed) -> Hindrance:
    values = {"path": printable(one.path)}
    if one.write and one.read_only:
        return Hindrance("doctor_read_only", values)
    key = "doctor_unwritable" if one.write else "doctor_unreadable"
    if not one.own:
        return Hindrance(key, values, (_own(one.path),))
    mode = "u+rwx" if one.folder else "u+r"
    return Hindrance(key, values, (shell.line(["chmod", mode, one.path]),))


def _own(path: str) -> str:
    return f'sudo chown "$(id -un)" {shell.quoted(path)}'
