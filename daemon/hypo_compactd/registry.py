"""Which projects `run --all` keeps: ours, in a file of our own, and those that Hypo-Workflow lists itself.

Ours is `projects.json` in the user's configuration folder: `{"schema": 1, "projects": ["/home/you/projects/tide"]}`,
real absolute paths. A byte of a path that is not UTF-8 stands as JSON's escape of a lone surrogate. A file that is
not exactly this was changed by hand or comes from a newer version, so it is refused and never written over.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from hypo_compactd import paths
from hypo_compactd.errors import BusyError, ConfigurationError, InputError, RefusedError, UnstableError
from hypo_compactd.messages import printable
from hypo_compactd.reader import SourceFile, describe, read_settled
from hypo_compactd.writer import sweep_temporary, write_view
from hypo_strategies.api import Finding
from hypo_strategies.text import yaml
from hypo_strategies.text.phrase import Phrase, phrase

SCHEMA = 1
NAME = "projects.json"
CONFIG_DIR_VARIABLE = "HYPO_COMPACTD_CONFIG_DIR"
HYPO_WORKFLOW_FILE = "~/.hypo-workflow/projects.yaml"

LIMIT = 1024 * 1024
"""Bytes of a list of projects that are still read; real ones are a few hundred."""

LOCK_WAIT_S = 10.0
"""How long a change waits for another one; one takes some milliseconds."""


@dataclass(frozen=True, slots=True)
class Listed:
    """What Hypo-Workflow lists: the projects in its order, and every entry that was left out with the reason."""

    projects: tuple[Path, ...] = ()
    findings: tuple[Finding, ...] = ()


def file() -> Path:
    """Return where our list is; `HYPO_COMPACTD_CONFIG_DIR` overrides the system's place.

    Raises:
        InputError: it is no absolute path, or this user has no home folder.
    """
    override = paths.place_from(CONFIG_DIR_VARIABLE)
    if override:
        return override / NAME
    paths.home()  # it says so where there is none
    from platformdirs import user_config_path  # noqa: PLC0415 - 15 ms that most commands do not need

    return user_config_path("hypo-compactd", appauthor=False) / NAME


def hypo_workflow_file() -> Path:
    """Return where Hypo-Workflow lists its projects.

    Raises:
        InputError: this user has no home folder.
    """
    return paths.global_configuration().with_name("projects.yaml")


def files() -> tuple[Path, Path]:
    """Return the files by which `everything` goes, ours first; neither needs to exist.

    Raises:
        InputError: this user has no home folder.
    """
    return file(), hypo_workflow_file()


def registered() -> tuple[Path, ...]:
    """Return our projects in the file's order, each once; none when there is no file.

    Raises:
        ConfigurationError: the file is not what we write, or cannot be read.
        InputError: this user has no home folder.
    """
    return _registered(file())


def add(folder: Path) -> bool:
    """Put a project on our list by its real path; return whether it was not there before.

    Raises:
        BusyError: another process keeps the list locked.
        ConfigurationError: the file is not what we write, or cannot be read; it is left as it is.
        InputError: it cannot be written, or this user has no home folder.
    """
    with _held() as where:
        before = _registered(where)
        real = Path(os.path.realpath(folder))
        if real in before:
            return False
        _write(where, (*before, real))
    return True


def remove(folder: Path) -> bool:
    """Take a project off our list; return whether it was there. Its folder may be gone.

    Raises:
        BusyError: another process keeps the list locked.
        ConfigurationError: the file is not what we write, or cannot be read; it is left as it is.
        InputError: it cannot be written, or this user has no home folder.
    """
    with _held() as where:
        before = _registered(where)
        # As it is listed, and where that is now: a folder above it may have become a link since.
        given = {os.path.abspath(folder), os.path.realpath(folder)}  # noqa: PTH100 - it must not follow links
        left = tuple(one for one in before if not {os.fspath(one), os.path.realpath(one)} & given)
        if left == before:
            return False
        _write(where, left)
    return True


def hypo_workflow() -> tuple[Path, ...]:
    """Return the projects that Hypo-Workflow lists, as it names them; a list that cannot be used gives none.

    Raises:
        InputError: this user has no home folder.
    """
    return hypo_workflow_list().projects


def hypo_workflow_list() -> Listed:
    """Return what Hypo-Workflow lists: `projects:`, a list of mappings that have a `path`. It is never written.

    Raises:
        InputError: this user has no home folder.
    """
    try:
        source = _read(hypo_workflow_file())
    except (OSError, RefusedError, UnstableError) as error:
        reason = describe(error) if isinstance(error, OSError) else error.phrase
        return Listed(findings=(Finding(HYPO_WORKFLOW_FILE, reason),))
    if source is None:
        return Listed()
    try:
        return listed(yaml.parse(source.text))
    except yaml.YamlError as error:
        return Listed(findings=(Finding(HYPO_WORKFLOW_FILE, error.problem, error.line, error.column),))


def listed(root: yaml.Node | None) -> Listed:
    """Return what the tree of Hypo-Workflow's file lists; `~` stands for this user's home folder."""
    if root is None or (isinstance(root, yaml.Scalar) and root.is_null):
        return Listed()
    entries = root.get("projects") if isinstance(root, yaml.Mapping) else root
    if entries is None or (isinstance(entries, yaml.Scalar) and entries.is_null):
        return Listed()
    if not isinstance(root, yaml.Mapping) or not isinstance(entries, yaml.Sequence):
        problem = phrase("the file must hold a mapping with the list `projects:`")
        return Listed(findings=(Finding(HYPO_WORKFLOW_FILE, problem, entries.line or None),))
    found: dict[Path, None] = {}
    findings = []
    for index, entry in enumerate(entries.items):
        name = entry.text("path") if isinstance(entry, yaml.Mapping) else None
        where = os.path.expanduser(name) if name is not None else ""  # noqa: PTH111 - pathlib raises for ~stranger
        if os.path.isabs(where) and _usable(where):  # noqa: PTH117 - a text that may be no path
            found[Path(where)] = None
        else:
            problem = (
                phrase("projects[{index}] has no path; it is left out", index=index)
                if name is None
                else phrase(
                    "projects[{index}] path: {given} is not an absolute path; it is left out",
                    index=index,
                    given=repr(printable(name[:80])),
                )
            )
            findings.append(Finding(HYPO_WORKFLOW_FILE, problem, entry.line or None, None, "warning"))
    return Listed(tuple(found), tuple(findings))


def everything() -> tuple[Path, ...]:
    """Return our projects and then Hypo-Workflow's, each once by its real path.

    Raises:
        ConfigurationError: our file is not what we write, or cannot be read.
        InputError: this user has no home folder.
    """
    return _each_once((*registered(), *hypo_workflow()))


def contents(files: Iterable[Path]) -> tuple[object, ...]:
    """Return what tells whether one of the lists has changed: by its bytes, since times may lie."""

    def content(one: Path) -> object:
        try:
            source = _read(one)
        except (OSError, RefusedError, UnstableError) as error:
            return str(error)
        return source and source.data

    return tuple(map(content, files))


class Everything:
    """Gives the names on both lists, again and again: where Hypo-Workflow's cannot be used, its last good one.

    Nothing is asked of the folders that they name, since a file system may hang.

    Args:
        complain: called with why it cannot be used, once for each reason.
    """

    def __init__(self, complain: Callable[[str], object]) -> None:
        self._complain = complain
        self._said = ""
        self._theirs: tuple[Path, ...] = ()

    def __call__(self) -> tuple[str, ...]:
        """Return the names, a folder perhaps by more than one.

        Raises:
            ConfigurationError: our file is not what we write, or cannot be read.
            InputError: this user has no home folder.
        """
        listed = hypo_workflow_list()
        unusable = "; ".join(str(one) for one in listed.findings if one.severity == "error")
        if not unusable:
            self._theirs = listed.projects
        elif unusable != self._said:
            self._complain(unusable)
        self._said = unusable
        return tuple(map(os.fspath, (*registered(), *self._theirs)))


def _each_once(projects: Iterable[Path]) -> tuple[Path, ...]:
    found: dict[str, Path] = {}
    for one in projects:
        found.setdefault(os.path.realpath(one), one)
    return tuple(found.values())


@contextmanager
def _held() -> Iterator[Path]:
    """Hold our list for one change; gives its real place, as it may be a link into a folder of dotfiles."""
    from filelock import FileLock, Timeout  # noqa: PLC0415 - slow to import

    where = Path(os.path.realpath(file()))
    try:
        where.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = FileLock(where.with_name("projects.lock"), thread_local=False)
        lock.acquire(timeout=LOCK_WAIT_S, poll_interval=0.02)
    except Timeout:
        shown = printable(os.fspath(where))
        raise BusyError("{path}: another process keeps it locked; try again", path=shown) from None
    except OSError as error:
        raise _unusable(where, error) from None
    try:
        yield where
    finally:
        lock.release()


def _write(where: Path, projects: tuple[Path, ...]) -> None:
    data = json.dumps({"schema": SCHEMA, "projects": [os.fspath(one) for one in projects]}, indent=2)
    try:
        sweep_temporary(where.parent, {"."})
        write_view(where.parent, where.name, data.encode("ascii") + b"\n", not_before_ns=0)
    except OSError as error:
        raise _unusable(where, error) from None


def _registered(where: Path) -> tuple[Path, ...]:
    shown = printable(os.fspath(where))
    try:
        source = _read(where)
        return () if source is None else _projects(source.data.decode("utf-8"), shown)
    except (RefusedError, UnstableError) as error:
        raise ConfigurationError("{path}: {reason}", path=shown, reason=error) from None
    except OSError as error:
        raise ConfigurationError("{path}: {reason}", path=shown, reason=describe(error)) from None
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise _broken(shown, line, phrase("bytes that are not UTF-8")) from None


def _projects(text: str, shown: str) -> tuple[Path, ...]:
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise _broken(shown, error.lineno, phrase("not JSON: {problem}", problem=Phrase(error.msg.lower()))) from None
    except (ValueError, RecursionError):
        raise _broken(shown, 1, phrase("not JSON that can be read")) from None
    schema = data.get("schema") if isinstance(data, dict) else None
    if isinstance(schema, int) and schema > SCHEMA:
        raise ConfigurationError(
            "{path}:{line}: schema {schema} is a newer version's, this one knows schema {own}; install that version",
            path=shown,
            line=_line(text, '"schema"'),
            schema=schema,
            own=SCHEMA,
        )
    entries = data.get("projects") if isinstance(data, dict) else None
    if schema != SCHEMA or isinstance(schema, bool | float) or not isinstance(entries, list):
        wanted = '{"schema": 1, "projects": […]}'
        raise _broken(shown, _line(text, '"schema"'), phrase("it must hold {wanted}", wanted=wanted))
    for entry in entries:
        if not isinstance(entry, str) or not os.path.isabs(entry) or not _usable(entry):  # noqa: PTH117 - a text
            written = json.dumps(entry)
            problem = phrase("{given} is not an absolute path", given=printable(written[:80]))
            raise _broken(shown, _line(text, written), problem)
    return tuple(dict.fromkeys(map(Path, entries)))


def _read(where: Path) -> SourceFile | None:
    """Return the content of a list of projects, None when there is none; the user's own, so it may be a link."""
    real = Path(os.path.realpath(where))
    try:
        return read_settled(real.parent, real.name, limit=LIMIT)
    except FileNotFoundError:
        return None


def _usable(path: str) -> bool:
    """Return whether the system can take a text for a path at all."""
    try:
        return b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:
        return False


def _line(text: str, wanted: str) -> int:
    """Return the line (from 1) where something stands first; 1 when it is written in another way."""
    return text.count("\n", 0, max(0, text.find(wanted))) + 1


def _broken(shown: str, line: int, problem: Phrase) -> ConfigurationError:
    return ConfigurationError(
        "{path}:{line}: {problem}; mend the file, or remove it and add the projects anew",
        path=shown,
        line=line,
        problem=problem,
    )


def _unusable(where: Path, error: OSError) -> InputError:
    return InputError(
        "{path}: {reason}; make its folder writable, or name another one in {variable}",
        path=printable(os.fspath(where)),
        reason=describe(error),
        variable=CONFIG_DIR_VARIABLE,
    )
