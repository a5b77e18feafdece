"""What git knows of a project's views. A repository is as hostile as all else in a project.

Its configuration may name programs: those that git would run for what is asked here (the monitor of
the file system, hooks, the transport of a missing object) are switched off, and it may take a few
seconds only. What git does not say is unknown, which is no error.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

from hypo_compactd import shell

WAIT_S = 5.0
"""How long git may take; with an index of 100,000 files it takes some tenths of a second."""

_CONFIGURATION = (
    *("-c", "core.fsmonitor=false"),
    *("-c", f"core.hooksPath={os.devnull}"),
    *("-c", "protocol.allow=never"),
    *("-c", "safe.bareRepository=explicit"),
)

_ENVIRONMENT = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_TERMINAL_PROMPT": "0",
}


def work_tree(root: Path) -> Path | None:
    """Return the top of the work tree that a folder (a real path) is in, None when it is in none."""
    return next((folder for folder in (root, *root.parents) if os.path.lexists(folder / ".git")), None)


def tracked(root: Path, places: Iterable[str]) -> tuple[str, ...] | None:
    """Return which of these files are in the repository, in git's order; None when git does not say.

    Args:
        root: the real path of the project.
        places: paths relative to it.
    """
    return _asked(root, "--literal-pathspecs", "ls-files", "-z", "--", *places)


def ignored(root: Path, places: Iterable[str]) -> tuple[str, ...] | None:
    """Return which of these files a rule ignores, whichever file has it, also where they are in the repository.

    None when git does not say. Arguments are those of `tracked`.
    """
    return _asked(root, "check-ignore", "--no-index", "--stdin", "-z", none=1, told=places)


def untrack(root: str, places: Iterable[str]) -> str:
    """Return the command for a shell that takes files out of the repository and leaves them on the disk.

    Without `--force` git refuses where a view was refreshed since it was staged.
    """
    return shell.line(["git", "-C", root, "rm", "--cached", "--force", "--quiet", "--", *places])


def _asked(root: Path, *words: str, none: int = 0, told: Iterable[str] = ()) -> tuple[str, ...] | None:
    """Return the names that git prints; `none` is its exit code when it finds none, `told` what it reads."""
    program = shutil.which("git")
    if program is None or not os.path.isabs(program):  # noqa: PTH117 - of a string
        return None
    # Variables of git's own would have it look at another repository, as they do in a hook.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | _ENVIRONMENT
    command = [program, "--no-pager", *_CONFIGURATION, "-C", os.fspath(root), *words]
    try:
        done = subprocess.run(  # noqa: S603 - no shell, and no program but git
            command,
            env=environment,
            input=b"".join(os.fsencode(name) + b"\0" for name in told),
            capture_output=True,
            timeout=WAIT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    if done.returncode not in (0, none):
        return None
    return tuple(os.fsdecode(name) for name in done.stdout.split(b"\0") if name)
