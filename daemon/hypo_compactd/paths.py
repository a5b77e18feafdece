"""Where things are: the project, its `.pipeline/`, and the places of our own."""

from __future__ import annotations

import os
import sys

from hypo_compactd.digest import digest_of
from hypo_compactd.errors import InputError
from hypo_compactd.messages import printable
from hypo_compactd.reader import describe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

PIPELINE = ".pipeline"
STATE_DIR_VARIABLE = "HYPO_COMPACTD_STATE_DIR"


class Project:
    """A project: the folder as the user named it, and as it really is (no symbolic links).

    Attributes:
        shown_place, real_place: both as texts; hooks wait for the start-up, and `pathlib` takes its time.
    """

    __slots__ = ("_root", "_shown", "real_place", "shown_place")

    def __init__(self, shown: str | os.PathLike[str], root: str | os.PathLike[str]) -> None:
        self.shown_place = os.fspath(shown)
        self.real_place = os.fspath(root)
        self._shown: Path | None = None
        self._root: Path | None = None

    def __eq__(self, other: object) -> bool:
        """Return whether both are the same folder, named in the same way."""
        return isinstance(other, Project) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return f"Project({self.shown_place!r}, {self.real_place!r})"

    @property
    def shown(self) -> Path:
        """The folder as the user named it."""
        if self._shown is None:
            self._shown = as_path(self.shown_place)
        return self._shown

    @property
    def root(self) -> Path:
        """The folder as it really is."""
        if self._root is None:
            self._root = as_path(self.real_place)
        return self._root

    @property
    def pipeline(self) -> Path:
        """The real `.pipeline/` of the project."""
        return self.root / PIPELINE

    @property
    def state_dir(self) -> Path:
        """Our own folder for this project (manifest, locks); two projects never share one."""
        return as_path(self.state_place)

    @property
    def state_place(self) -> str:
        """The same as a text."""
        digest = digest_of(os.fsencode(self.real_place))[:16]
        name = _safe_name(self.real_place.rpartition("/")[2])
        return f"{state_place().rstrip('/')}/projects/{name}-{digest}"

    def _key(self) -> tuple[str, str]:
        return self.shown_place, self.real_place


def find_project(given: str | None, *, must_exist: bool = True) -> Project:
    """Return the project that the user means.

    Args:
        given: the project's folder or its `.pipeline/`; None for the nearest folder upwards from
            the working directory that holds a `.pipeline/`.
        must_exist: whether a missing `.pipeline/` is an error (the daemon waits for it instead).

    Raises:
        InputError: no such folder, or no `.pipeline/` in it.
    """
    if given is None:
        return _nearest()
    shown = _plain(given)
    folder = _above(shown) if _name(shown) == PIPELINE and not _is_folder(f"{shown}/{PIPELINE}") else shown
    if not _is_folder(folder):
        raise InputError("{path}: no such folder; give the folder that holds .pipeline/", path=printable(given))
    if must_exist and not _is_folder(f"{folder}/{PIPELINE}"):
        raise InputError("{path}: no .pipeline/ in it; give the folder that holds .pipeline/", path=printable(given))
    return Project(folder, os.path.realpath(folder))


def any_project(given: str) -> Project:
    """Return the project that the user means, whether its folder is there now or not."""
    try:
        return find_project(given, must_exist=False)
    except InputError:
        return absent_project(given)


def absent_project(given: str) -> Project:
    """Return the project that the user means though its folder is gone: it may come back."""
    shown = _plain(given)
    folder = _above(shown) if _name(shown) == PIPELINE else shown
    return Project(folder, os.path.realpath(folder))


def state_dir() -> Path:
    """Return our folder for manifests and locks; `HYPO_COMPACTD_STATE_DIR` overrides the system's place.

    Raises:
        InputError: it is no absolute path, or this user has no home folder.
    """
    return as_path(state_place())


def state_place() -> str:
    """Return the same as a text; a test keeps the system's place equal to that of platformdirs, which takes its time.

    Raises:
        InputError: it is no absolute path, or this user has no home folder.
    """
    override = named_place(STATE_DIR_VARIABLE)
    if override:
        return override
    folder = home_place()
    if sys.platform == "darwin":
        return f"{folder}/Library/Application Support/hypo-compactd"
    base = os.environ.get("XDG_STATE_HOME", "")
    return f"{base if os.path.isabs(base) else folder + '/.local/state'}/hypo-compactd"  # noqa: PTH117 - a string


def place_from(variable: str) -> Path | None:
    """Return the folder that an environment variable names for our own files; None where it names none.

    Raises:
        InputError: it is no absolute path.
    """
    named = named_place(variable)
    return None if named is None else as_path(named)


def named_place(variable: str) -> str | None:
    """Return the same as a text.

    Raises:
        InputError: it is no absolute path. Two programs with other working directories would each have a folder of
            their own, and not see each other's locks.
    """
    named = os.environ.get(variable)
    if not named:
        return None
    if not os.path.isabs(named):  # noqa: PTH117 - a string, as it was given
        raise InputError(
            "{variable}: {given} is not an absolute path; give one that begins with /",
            variable=variable,
            given=printable(named),
        )
    return _plain(named)


def real_place(root: Path, place: str) -> str:
    """Return the path by which events name a view: its folder may be a link inside the project, the view may not."""
    path = root / place
    return os.path.join(os.path.realpath(path.parent), path.name)  # noqa: PTH118 - a string, as events have it


def unusable(path: str | os.PathLike[str], error: OSError) -> InputError:
    """Return the error that says which of our own files or folders the system refuses, and what to do."""
    return InputError(
        "{path}: {reason}; make it writable, or name another place in {variable}",
        path=printable(os.fspath(path)),
        reason=describe(error),
        variable=STATE_DIR_VARIABLE,
    )


def global_configuration() -> Path:
    """Return where Hypo-Workflow keeps its configuration for all projects (seeds/compact.md, Execution Flow).

    Raises:
        InputError: this user has no home folder.
    """
    return as_path(global_place())


def global_place() -> str:
    """Return the same as a text.

    Raises:
        InputError: this user has no home folder.
    """
    return f"{home_place()}/.hypo-workflow/config.yaml"


def home() -> Path:
    """Return this user's home folder.

    Raises:
        InputError: there is none.
    """
    return as_path(home_place())


def home_place() -> str:
    """Return the same as a text.

    Raises:
        InputError: there is none.
    """
    folder = os.path.expanduser("~")  # noqa: PTH111 - a string; pathlib takes its time
    if folder.startswith("~"):
        raise InputError("this user has no home folder; name one in HOME")
    return folder.rstrip("/") or "/"


def _nearest() -> Project:
    try:
        here = folder = os.getcwd()  # noqa: PTH109 - a string
    except OSError:
        raise InputError("the working directory is gone; name the project") from None
    while not _is_folder(f"{folder}/{PIPELINE}"):
        if folder == "/":
            raise InputError(
                "{path}: no .pipeline/ here or in a folder above; name the project, or start it with Hypo-Workflow first",
                path=printable(here),
            )
        folder = folder.rpartition("/")[0] or "/"
    return Project(folder, os.path.realpath(folder))


def _plain(given: str) -> str:
    """Return a path without what says nothing in it, as `pathlib` gives it."""
    parts = [part for part in given.split("/") if part not in {"", "."}]
    return ("/" if given.startswith("/") else "") + "/".join(parts) or "."


def _above(path: str) -> str:
    folder = path.rpartition("/")[0]
    return folder or ("/" if path.startswith("/") else ".")


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def as_path(place: str) -> Path:
    """Return a place as `pathlib` has it."""
    from pathlib import Path  # noqa: PLC0415 - see above

    return Path(place)


def _is_folder(path: str) -> bool:
    """Return whether there is a folder that we may look into; a name with a NUL in it is none."""
    try:
        return os.path.isdir(path)  # noqa: PTH112 - a string
    except ValueError:
        return False


def _safe_name(name: str) -> str:
    return (
        "".join(char if char.isascii() and (char.isalnum() or char in "-_.") else "_" for char in name)[:40] or "root"
    )
