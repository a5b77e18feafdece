"""Where things are: the project, its `.pipeline/`, and the places of our own."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import NamedTuple

from hypo_compactd.errors import InputError
from hypo_compactd.messages import printable
from hypo_compactd.reader import describe

PIPELINE = ".pipeline"
STATE_DIR_VARIABLE = "HYPO_COMPACTD_STATE_DIR"


class Project(NamedTuple):
    """A project: the folder as the user named it, and as it really is (no symbolic links)."""

    shown: Path
    root: Path

    @property
    def pipeline(self) -> Path:
        """The real `.pipeline/` of the project."""
        return self.root / PIPELINE

    @property
    def state_dir(self) -> Path:
        """Our own folder for this project (manifest, locks); two projects never share one."""
        digest = hashlib.sha256(os.fsencode(self.root)).hexdigest()[:16]
        return state_dir() / "projects" / f"{_safe_name(self.root.name)}-{digest}"


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
        try:
            here = Path.cwd()
        except OSError:
            raise InputError("the working directory is gone; name the project") from None
        for folder in (here, *here.parents):
            if _is_folder(folder / PIPELINE):
                return Project(folder, folder.resolve())
        raise InputError(
            "{path}: no .pipeline/ here or in a folder above; name the project, or start it with Hypo-Workflow first",
            path=printable(str(here)),
        )
    shown = Path(given)
    folder = shown.parent if shown.name == PIPELINE and not _is_folder(shown / PIPELINE) else shown
    if not _is_folder(folder):
        raise InputError("{path}: no such folder; give the folder that holds .pipeline/", path=printable(given))
    if must_exist and not _is_folder(folder / PIPELINE):
        raise InputError("{path}: no .pipeline/ in it; give the folder that holds .pipeline/", path=printable(given))
    return Project(folder, folder.resolve())


def any_project(given: str) -> Project:
    """Return the project that the user means, whether its folder is there now or not."""
    try:
        return find_project(given, must_exist=False)
    except InputError:
        return absent_project(given)


def absent_project(given: str) -> Project:
    """Return the project that the user means though its folder is gone: it may come back."""
    shown = Path(given)
    folder = shown.parent if shown.name == PIPELINE else shown
    return Project(folder, Path(os.path.realpath(folder)))


def state_dir() -> Path:
    """Return our folder for manifests and locks; `HYPO_COMPACTD_STATE_DIR` overrides the system's place.

    Raises:
        InputError: it is no absolute path, or this user has no home folder.
    """
    override = place_from(STATE_DIR_VARIABLE)
    if override:
        return override
    home()
    from platformdirs import user_state_path  # noqa: PLC0415 - 15 ms that most commands do not need

    return user_state_path("hypo-compactd", appauthor=False)


def place_from(variable: str) -> Path | None:
    """Return the folder that an environment variable names for our own files; None where it names none.

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
    return Path(named)


def real_place(root: Path, place: str) -> str:
    """Return the path by which events name a view: its folder may be a link inside the project, the view may not."""
    path = root / place
    return os.path.join(os.path.realpath(path.parent), path.name)  # noqa: PTH118 - a string, as events have it


def unusable(path: Path, error: OSError) -> InputError:
    """Return the error that says which of our own files or folders the system refuses, and what to do."""
    return InputError(
        "{path}: {reason}; make it writable, or name another place in {variable}",
        path=printable(str(path)),
        reason=describe(error),
        variable=STATE_DIR_VARIABLE,
    )


def global_configuration() -> Path:
    """Return where Hypo-Workflow keeps its configuration for all projects (seeds/compact.md, Execution Flow).

    Raises:
        InputError: this user has no home folder.
    """
    return home() / ".hypo-workflow" / "config.yaml"


def home() -> Path:
    """Return this user's home folder.

    Raises:
        InputError: there is none.
    """
    try:
        return Path.home()
    except RuntimeError:
        raise InputError("this user has no home folder; name one in HOME") from None


def _is_folder(path: Path) -> bool:
    """Return whether there is a folder that we may look into; `Path.is_dir` raises where the way to it is closed."""
    try:
        return path.is_dir()
    except OSError:
        return False


def _safe_name(name: str) -> str:
    return (
        "".join(char if char.isascii() and (char.isalnum() or char in "-_.") else "_" for char in name)[:40] or "root"
    )
