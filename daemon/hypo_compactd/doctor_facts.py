"""What `doctor` goes by, gathered in one place; nothing is written, and every look is a short one."""

from __future__ import annotations

import importlib.metadata
import os
import plistlib
import re
import resource
import shutil
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from xml.parsers.expat import ExpatError

from hypo_compactd import __version__, git, gitignore, inotify, mounts, paths, registry, typed
from hypo_compactd import config as configuration
from hypo_compactd.config import Config
from hypo_compactd.doctor import Closed, Machine, Remedy, Service, Tree
from hypo_compactd.errors import CompactdError, ConfigurationError
from hypo_compactd.folders import interest_of
from hypo_compactd.judge import Life, Verdict
from hypo_compactd.keeper import verdict_of
from hypo_compactd.look import PATTERNS
from hypo_compactd.paths import Project, absent_project
from hypo_compactd.reader import FILE_LIMIT, Snapshot, list_sources, read_file
from hypo_compactd.reconcile import check_root
from hypo_compactd.service import MARKER
from hypo_compactd.service_manager import Launchd, Systemd
from hypo_strategies.registry import STRATEGIES
from hypo_strategies.text.phrase import Phrase, phrase

_INSTALLERS = {
    "apt-get": "sudo apt-get install",
    "dnf": "sudo dnf install",
    "pacman": "sudo pacman -S",
    "zypper": "sudo zypper install",
    "apk": "sudo apk add",
    "brew": "brew install",
}

_WORD = re.compile(r'"((?:[^"\\]|\\.)*)"|(\S+)')


def listed() -> tuple[list[Project], Phrase | None]:
    """Return the projects on both lists, and why ours cannot be used, None when it can.

    Raises:
        InputError: this user has no home folder.
    """
    try:
        return [absent_project(os.fspath(one)) for one in registry.everything()], None
    except ConfigurationError as error:
        return [absent_project(os.fspath(one)) for one in registry.hypo_workflow()], error.phrase


def machine(projects: Iterable[Project]) -> Machine:
    """Return what is known of this machine and this user.

    Args:
        projects: those that were named, beside those that are listed.

    Raises:
        InputError: this user has no home folder.
    """
    on_lists, registry_error = listed()
    every = {one.root: one for one in (*on_lists, *projects)}
    verdicts = {root: verdict for root, one in every.items() if (verdict := _verdict(one)) is not None}
    state, problem, remedy = _state_dir(every.values())
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
        state_dir=state,
        state_problem=problem,
        state_remedy=remedy,
        registry_error=registry_error,
        findings=registry.hypo_workflow_list().findings,
        gone=() if registry_error else _gone(registry.registered()),
        service=_service(),
        kept=_kept(on_lists, verdicts),
    )


def tree(project: Project) -> Tree:
    """Return what is known of one project."""
    config, problems = _config(project)
    targets = [config.target(strategy) for strategy in STRATEGIES]
    root = project.root
    repository = git.work_tree(root) is not None
    root_error = None
    try:
        check_root(project)
    except CompactdError as error:
        root_error = error.phrase
    verdict = _verdict(project)
    pulse = verdict.pulse if verdict else None
    return Tree(
        shown=os.fspath(project.shown),
        root=os.fspath(root),
        root_error=root_error,
        configuration=problems,
        closed=tuple(_closed(project, config, targets)),
        silent=mounts.silent_type(os.path.realpath(project.pipeline)),
        repository=repository,
        unignored=_unignored(root, targets) if repository else (),
        tracked=git.tracked(root, targets) or () if repository else (),
        life=verdict.life if verdict else None,
        pid=(verdict.pid or verdict.left) if verdict else None,
        silent_s=verdict.silent_s if verdict else None,
        left=verdict is not None and verdict.left is not None,
        version=pulse.version if pulse else "",
        own_version=__version__,
        service=_keeper(project),
    )


def interpreter(text: str) -> str:
    """Return the Python that a unit or an agent of ours starts, "" where it does not say; pure."""
    if text.lstrip().startswith("<?xml"):
        try:
            words = typed.items(plistlib.loads(text.encode()).get("ProgramArguments"))
        except (ExpatError, plistlib.InvalidFileException, ValueError, TypeError, AttributeError):
            return ""
    else:
        line = next((line for line in text.split("\n") if line.startswith("ExecStart=")), "")
        words = [
            re.sub(r"\\(.)", r"\1", quoted).replace("%%", "%") if quoted else plain
            for quoted, plain in _WORD.findall(line.removeprefix("ExecStart="))
        ]
    # What is named before Python's own options; it stands behind a shell where systemd cannot start it by itself.
    before = [word for word in words[: words.index("-m")] if word != "-P"] if "-m" in words else words[:1]
    return str(before[-1]).removeprefix(":") if before else ""


def _kept(listed: Iterable[Project], verdicts: Mapping[Path, Verdict]) -> bool | None:
    """Return whether a daemon keeps one of the listed projects; None where there is none that it could keep."""
    there = [verdicts[one.root].life for one in listed if one.root in verdicts and one.root.is_dir()]
    return any(life is not Life.NONE for life in there) if there else None


def _gone(listed: Iterable[Path]) -> tuple[str, ...]:
    return tuple(os.fspath(one) for one in listed if not os.path.isdir(one))  # noqa: PTH112 - it never raises


def _config(project: Project) -> tuple[Config, tuple[Phrase, ...]]:
    """Return the configuration and what is wrong with it; the defaults where it cannot be read."""
    try:
        config = configuration.load(project.root)
    except CompactdError as error:
        return Config(), (error.phrase,)
    return config, tuple(finding.phrase for finding in config.findings)


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
        found = _first_closed(project.root, place, write=write)
        if found is not None and found not in seen:
            seen.add(found)
            yield found


def _first_closed(root: Path, place: str, *, write: bool) -> Closed | None:
    """Return the first folder on the way to a place, or that place, which is closed to us; None when none is there."""
    parts = Path(place).parts
    for count in range(len(parts) + 1):
        path = root.joinpath(*parts[:count])
        last = count == len(parts)
        try:
            status = path.stat()
        except OSError:
            return None
        if not Path(os.path.realpath(path)).is_relative_to(root):
            return None  # what a link leads to outside the project is never read nor written
        folder = stat.S_ISDIR(status.st_mode)
        needed = (os.R_OK if last else 0) | (os.X_OK if folder else 0) | (os.W_OK if last and write and folder else 0)
        if not _may(path, needed):
            # A folder that cannot even be entered is opened for reading first.
            only_write = last and write and _may(path, needed & ~os.W_OK)
            own = status.st_uid == os.geteuid()
            return Closed(os.fspath(path), folder, only_write, own, only_write and _read_only(path))
    return None


def _may(path: Path | str, mode: int) -> bool:
    return os.access(path, mode, effective_ids=os.access in os.supports_effective_ids)


def _read_only(path: Path) -> bool:
    try:
        return bool(os.statvfs(path).f_flag & os.ST_RDONLY)
    except OSError:
        return False


def _unignored(root: Path, targets: list[str]) -> tuple[str, ...]:
    ignored = git.ignored(root, targets)
    if ignored is not None:
        return tuple(target for target in targets if target not in ignored)
    try:
        return () if gitignore.lists_views(root) else tuple(targets)
    except CompactdError:
        return tuple(targets)


def _keeper(project: Project) -> str:
    """Return the manager of the service that keeps a project; "" where none is installed or it is on no list."""
    service = _service()
    return service.manager if service and project.root in {one.root for one in listed()[0]} else ""


def _state_dir(projects: Iterable[Project]) -> tuple[str, Phrase | None, Remedy]:
    """Return the first of our own folders that cannot be written, why, and what would help."""
    for folder in (paths.state_dir(), *(one.state_dir for one in projects)):
        folder = folder.absolute()  # noqa: PLW2901 - the same one
        there = next((one for one in (folder, *folder.parents) if os.path.lexists(one)), folder)
        if not there.is_dir():
            return os.fspath(there), phrase("not a folder"), Remedy.NONE
        if _may(there, os.W_OK | os.X_OK):
            continue
        if _read_only(there):
            return os.fspath(folder), phrase("read-only file system"), Remedy.NONE
        if there != folder:
            return os.fspath(folder), phrase("permission denied"), Remedy.MAKE
        own = there.stat().st_uid == os.geteuid()
        return os.fspath(folder), phrase("permission denied"), Remedy.OPEN if own else Remedy.TAKE
    return os.fspath(paths.state_dir()), None, Remedy.NONE


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


def _service() -> Service | None:
    home = paths.global_configuration().parents[1]
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
            python = interpreter(text)
            return Service(os.fspath(file), python, not python or os.access(python, os.X_OK), name)
    return None
