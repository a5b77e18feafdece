"""What the checks go by: of this machine and its user, and of each project."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from hypo_compactd.gitignore import Unignored
from hypo_compactd.inotify import Limit
from hypo_compactd.judge import Life
from hypo_strategies.api import Finding
from hypo_strategies.text.phrase import Phrase


class Remedy(StrEnum):
    """What would make a file or folder usable."""

    OPEN = "open"
    """It is this user's, and closed."""
    TAKE = "take"
    """It is another user's."""
    MAKE = "make"
    """It is missing, and this user may not make it where it belongs."""
    EDIT = "edit"
    """What stands in it is wrong."""
    REMOVE = "remove"
    """It is a link, a FIFO or the like: nothing is lost with it."""
    MOVE = "move"
    """It is a folder where a file belongs, or the other way round: somebody may want what is in it."""
    NONE = ""
    """Nothing that could be advised without knowing more: no folder, a disk that cannot be written."""


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
class OwnFolder:
    """A folder of ours that cannot be written: which, why, and what would mend that and harm nothing."""

    path: str
    problem: Phrase
    remedy: Remedy = Remedy.NONE


@dataclass(frozen=True, slots=True)
class Unusable:
    """A configuration or a list of projects that cannot be used.

    Attributes:
        path: where it is.
        problem: why; a sentence that names it.
        remedy: what would mend it.
        closed: what on the way to it, or of itself, is closed to this user.
    """

    path: str
    problem: Phrase
    remedy: Remedy = Remedy.NONE
    closed: Closed | None = None


@dataclass(frozen=True, slots=True)
class Blocked:
    """Something that is in the place of a view, or of the folder for it.

    Attributes:
        path: where it is.
        kind: what it is, such as `a FIFO`.
        folder: whether a folder belongs there; else a view.
        remedy: what gives the place free.
    """

    path: str
    kind: Phrase
    folder: bool = False
    remedy: Remedy = Remedy.REMOVE


@dataclass(frozen=True, slots=True)
class Service:
    """The service as it is installed.

    Attributes:
        file: its unit or agent.
        interpreter: the Python that it starts; "" where the file does not say.
        present: whether that is there.
        manager: `systemd` or `launchd`.
        outdated: whether the file is not what this version writes.
        enabled: whether it starts at login; None where the manager does not say.
        state: what the manager says that it does, in systemd's words (`active`, `failed` …); "" where it does not say.
    """

    file: str
    interpreter: str
    present: bool
    manager: str
    outdated: bool = False
    enabled: bool | None = None
    state: str = ""


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
        state_folder: the first of our folders for manifests and locks that cannot be written; None when all can.
        list_folder: the folder of our list of projects, where that cannot be written; None when it can.
        configuration: the global configuration, where it cannot be used; None when it can.
        lists: the lists of projects that cannot be used, ours and Hypo-Workflow's.
        findings: what is left out of Hypo-Workflow's list.
        gone: projects on our list whose folder is gone.
        service: the service, None when none is installed.
        kept: whether a daemon keeps at least one of the listed projects; None where none is listed.
        keepers: the processes of the daemons that keep listed projects.
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
    state_folder: OwnFolder | None = None
    list_folder: OwnFolder | None = None
    configuration: Unusable | None = None
    lists: tuple[Unusable, ...] = ()
    findings: tuple[Finding, ...] = ()
    gone: tuple[str, ...] = ()
    service: Service | None = None
    kept: bool | None = None
    keepers: tuple[int, ...] = ()

    @property
    def watchdog_6(self) -> bool:
        """Whether each watch takes an inotify instance of its own, and three descriptors."""
        return self.watchdog.partition(".")[0] == "6"


@dataclass(frozen=True, slots=True)
class Tree:
    """What is known of one project.

    Attributes:
        shown: the folder as the user named it.
        root: the folder as it really is.
        root_error: why nothing of it can be kept, such as a `.pipeline/` that is a link out of the project.
        configuration: its configuration, where that cannot be used; None when it can.
        findings: the values of it that cannot.
        closed: what of it is closed to this user.
        blocked: what is in the place of a view.
        silent: the type of its file system when that brings no events of changes made elsewhere.
        foreign: the top of the repository that it is in, where git says nothing of that since it is another user's;
            "" elsewhere.
        gitignore: why its `.gitignore` cannot be used.
        unignored: its views that git does not ignore.
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
    configuration: Unusable | None = None
    findings: tuple[Phrase, ...] = ()
    closed: tuple[Closed, ...] = ()
    blocked: tuple[Blocked, ...] = ()
    silent: str | None = None
    foreign: str = ""
    gitignore: Phrase | None = None
    unignored: tuple[Unignored, ...] = ()
    tracked: tuple[str, ...] = ()
    life: str | None = Life.NONE
    pid: int | None = None
    silent_s: float | None = None
    left: bool = False
    version: str = ""
    own_version: str = ""
    service: str = ""
