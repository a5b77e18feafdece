"""The facts, gathered in one place; nothing is written, and every look is a short one."""

from __future__ import annotations

import importlib.metadata
import os
import resource
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from hypo_compactd import __version__, git, gitignore, inotify, mounts, paths, registry
from hypo_compactd import config as configuration
from hypo_compactd.config import GLOBAL_FILE, PROJECT_FILE, Config
from hypo_compactd.doctor import unit
from hypo_compactd.doctor.access import blocked, first_closed, own_folder, unusable
from hypo_compactd.doctor.facts import Closed, Machine, OwnFolder, Service, Tree, Unusable
from hypo_compactd.errors import CompactdError, ConfigurationError
from hypo_compactd.folders import interest_of
from hypo_compactd.judge import Life, Verdict
from hypo_compactd.keeper import verdict_of
from hypo_compactd.look import PATTERNS
from hypo_compactd.paths import Project, absent_project
from hypo_compactd.reader import FILE_LIMIT, Snapshot, list_sources, read_file
from hypo_compactd.reconcile import check_root
from hypo_compactd.service import MARKER, UNIT, ServiceError
from hypo_compactd.service_manager import Launchd, Systemd, parse_unit, run_command
from hypo_strategies.registry import STRATEGIES
from hypo_strategies.text.phrase import Phrase

_INSTALLERS = {
    "apt-get": "sudo apt-get install",
    "dnf": "sudo dnf install",
    "pacman": "sudo pacman -S",
    "zypper": "sudo zypper install",
    "apk": "sudo apk add",
    "brew": "brew install",
}

_NO_PROJECT = Path(os.devnull)


class Listed(NamedTuple):
    """The projects on both lists, those on ours that are gone, and why ours cannot be used, None when it can."""

    projects: tuple[Project, ...]
    gone: tuple[str, ...] = ()
    problem: Phrase | None = None


def gathered(projects: Sequence[Project]) -> tuple[Machine, list[Tree]]:
    """Return what is known of this machine and of each project.

    Raises:
        InputError: this user has no home folder.
    """
    on_lists = listed()
    known = machine(projects, on_lists)
    manager = known.service.manager if known.service else ""
    kept = {one.root for one in on_lists.projects}
    return known, [tree(one, manager if one.root in kept else "") for one in projects]


def listed() -> Listed:
    """Return the projects on both lists.

    Raises:
        InputError: this user has no home folder.
    """
    try:
        ours = registry.registered()
        every, problem = registry.everything(), None
    except ConfigurationError as error:
        ours, every, problem = (), registry.hypo_workflow(), error.phrase
    gone = tuple(os.fspath(one) for one in ours if not os.path.isdir(one))  # noqa: PTH112 - it never raises
    return Listed(tuple(absent_project(os.fspath(one)) for one in every), gone, problem)


def machine(projects: Iterable[Project], on_lists: Listed | None = None) -> Machine:
    """Return what is known of this machine and this user.

    Args:
        projects: those that were named, beside those that are listed.
        on_lists: the latter, where they are known.

    Raises:
        InputError: this user has no home folder.
    """
    on_lists = on_lists or listed()
    every = {one.root: one for one in (*on_lists.projects, *projects)}
    verdicts = {root: verdict for root, one in every.items() if (verdict := _verdict(one)) is not None}
    of_lists = {one.root: verdicts[one.root] for one in on_lists.projects if one.root in verdicts}
    theirs = registry.hypo_workflow_list().findings
    installed = _installed()
    return Machine(
        limits={
            which: found
            for which in (inotify.WATCHES, inotify.INSTANCES, inotify.QUEUE)
            if (found := inotify.limit(which))
        },
        full=inotify.lacking(os.sep),
        folders=sum(len(interest_of(one, _config(one)[0]).folders) for one in every.values()),
        projects=len(every),
        overflows=max((one.pulse.overflows for one in verdicts.values() if one.pulse), default=0),
        descriptors=_descriptors(),
        watchdog=_watchdog(),
        python=sys.executable or "python3",
        awk=_awk(),
        gawk=shutil.which("gawk") is not None or _awk() == "gawk",
        installer=next((how for name, how in _INSTALLERS.items() if shutil.which(name)), ""),
        state_folder=_state_folder(every.values()),
        list_folder=own_folder(Path(os.path.realpath(registry.file())).parent),
        configuration=_global_configuration(),
        lists=(
            *((_list(registry.file(), on_lists.problem),) if on_lists.problem else ()),
            *(_list(registry.hypo_workflow_file(), one.phrase) for one in theirs if one.severity == "error"),
        ),
        findings=tuple(one for one in theirs if one.severity != "error"),
        gone=on_lists.gone,
        service=_service(installed) if installed else None,
        kept=_kept(of_lists),
        keepers=tuple(sorted({one.pid for one in of_lists.values() if one.life is not Life.NONE and one.pid})),
    )


def tree(project: Project, service: str = "") -> Tree:
    """Return what is known of one project.

    Args:
        project: which.
        service: the manager of an installed service that keeps it; "" where none does.
    """
    config, problem = _config(project)
    targets = [config.target(strategy) for strategy in STRATEGIES]
    root = project.root
    root_error = ignore_error = None
    unignored: tuple[gitignore.Unignored, ...] = ()
    try:
        check_root(project)
    except CompactdError as error:
        root_error = error.phrase
    try:
        unignored = gitignore.unignored(root, targets)
    except CompactdError as error:
        ignore_error = error.phrase
    tracked = git.tracked(root, targets) if git.work_tree(root) else ()
    in_the_way = [] if root_error else [blocked(root, target) for target in targets]
    verdict = _verdict(project)
    pulse = verdict.pulse if verdict else None
    return Tree(
        shown=os.fspath(project.shown),
        root=os.fspath(root),
        root_error=root_error,
        configuration=unusable(root, PROJECT_FILE, problem) if problem else None,
        findings=tuple(finding.phrase for finding in config.findings),
        closed=tuple(_closed(project, config, targets)),
        blocked=tuple(dict.fromkeys(one for one in in_the_way if one)),
        silent=mounts.silent_type(os.path.realpath(project.pipeline)),
        foreign=os.fspath((git.foreign(root) if tracked is None else None) or ""),
        gitignore=ignore_error,
        unignored=unignored,
        tracked=tracked or (),
        life=verdict.life if verdict else None,
        pid=(verdict.pid or verdict.left) if verdict else None,
        silent_s=verdict.silent_s if verdict else None,
        left=verdict is not None and verdict.left is not None,
        version=pulse.version if pulse else "",
        own_version=__version__,
        service=service,
    )


def _kept(verdicts: Mapping[Path, Verdict]) -> bool | None:
    """Return whether a daemon keeps one of the listed projects; None where there is none that it could keep."""
    there = [one.life for root, one in verdicts.items() if root.is_dir()]
    return any(life is not Life.NONE for life in there) if there else None


def _config(project: Project) -> tuple[Config, Phrase | None]:
    """Return the configuration; where it cannot be read the defaults, and why if that is the project's own fault."""
    try:
        return configuration.load(project.root), None
    except CompactdError as error:
        return Config(), None if dict(error.phrase.values).get("path") == GLOBAL_FILE else error.phrase


def _global_configuration() -> Unusable | None:
    try:
        configuration.load(_NO_PROJECT)
    except CompactdError as error:
        return _of_user(paths.global_configuration(), error.phrase)
    return None


def _list(file: Path, problem: Phrase) -> Unusable:
    one = _of_user(file, problem)
    # One of a newer version is right as it is; the sentence says what to do.
    return Unusable(one.path, problem) if "schema" in dict(problem.values) else one


def _of_user(file: Path, problem: Phrase) -> Unusable:
    """Return what would mend a file of the user's own, which may be a link."""
    real = Path(os.path.realpath(file))
    return unusable(Path(real.anchor), os.fspath(real.relative_to(real.anchor)), problem)


def _verdict(project: Project) -> Verdict | None:
    try:
        return verdict_of(project)
    except CompactdError:  # our own folder does not let us see; a check of its own says so
        return None


def _closed(project: Project, config: Config, targets: Iterable[str]) -> Iterator[Closed]:
    """Yield what of a project is closed to this user, each once."""
    snapshot = Snapshot()
    places = {place.rstrip("/"): False for _, place in list_sources(project.root, config.layout, PATTERNS, snapshot)}
    places |= {config.layout.place(folder): False for folder in (*snapshot.folders, *snapshot.problems)}
    places |= {str(Path(target).parent): True for target in targets}
    seen = set()
    for place, write in sorted(places.items()):
        found = first_closed(project.root, place, write=write)
        if found is not None and found not in seen:
            seen.add(found)
            yield found


def _state_folder(projects: Iterable[Project]) -> OwnFolder | None:
    """Return the first of our folders for manifests and locks that cannot be written."""
    if found := own_folder(paths.state_dir()):
        return found
    return next((found for one in projects if (found := own_folder(one.state_dir, ours=True))), None)


def _descriptors() -> int:
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return sys.maxsize if limit == resource.RLIM_INFINITY else limit


def _watchdog() -> str:
    try:
        return importlib.metadata.version("watchdog")
    except importlib.metadata.PackageNotFoundError:
        return ""


def _awk() -> str:
    """Return the name of the program behind `awk`; Debian's alternatives lead to it by links."""
    found = shutil.which("awk")
    return os.path.basename(os.path.realpath(found)) if found else ""  # noqa: PTH119 - of a string


class _Installed(NamedTuple):
    manager: str
    file: Path
    text: str


def _installed() -> _Installed | None:
    home = paths.home()
    for name, file in (
        ("systemd", Systemd(home, os.environ).file),
        ("launchd", Launchd(home, os.getuid()).file),
    ):
        real = Path(os.path.realpath(file))
        try:
            text = read_file(real.parent, real.name, limit=FILE_LIMIT).text
        except (OSError, CompactdError):
            continue
        if MARKER in text:
            return _Installed(name, file, text)
    return None


def _service(one: _Installed) -> Service:
    python = unit.interpreter(one.text)
    enabled, state = _asked() if one.manager == "systemd" else (None, "")
    return Service(
        file=os.fspath(one.file),
        interpreter=python,
        present=not python or os.access(python, os.X_OK),
        manager=one.manager,
        outdated=unit.outdated(one.text, os.fspath(paths.home())),
        enabled=enabled,
        state=state,
    )


def _asked() -> tuple[bool | None, str]:
    """Return whether systemd starts the unit at login and what it does now; None and "" where that is not said."""
    try:
        answer = run_command(("systemctl", "--user", "show", UNIT, "--property=ActiveState,UnitFileState"))
    except ServiceError:
        return None, ""
    # Where there is no manager, as in a chroot, it may say nothing and yet succeed.
    if answer.code != 0 or "UnitFileState=" not in answer.out:
        return None, ""
    told = parse_unit(answer.out)
    return told.enabled == "enabled", told.active
