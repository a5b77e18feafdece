"""What git knows of a project's views. A repository is as hostile as all else in a project.

Its configuration may name programs: those that git would run for what is asked here (the monitor of
the file system, hooks, the transport of a missing object) are switched off, and it may take a few
seconds only. What git does not say is unknown, which is no error.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from hypo_compactd import shell
from hypo_compactd.messages import printable

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
    "LC_ALL": "C",
}

_FOREIGN = re.compile(rb"dubious ownership|unsafe repository")
"""What git complains of where a repository belongs to another user; before 2.36 the latter."""


class Rule(NamedTuple):
    """A line that decides whether git ignores a file.

    Attributes:
        file: the file that has it; absolute.
        line: its number, from 1.
        pattern: what stands there.
    """

    file: str
    line: int
    pattern: str

    @property
    def ignores(self) -> bool:
        """Whether it ignores the file; else it takes back what another one ignores."""
        return not self.pattern.startswith("!")

    def __str__(self) -> str:
        return printable(f"{self.file}:{self.line} ({self.pattern[:80]})")


def work_tree(root: Path) -> Path | None:
    """Return the top of the work tree that a folder (a real path) is in, None when it is in none."""
    return next((folder for folder in (root, *root.parents) if os.path.lexists(folder / ".git")), None)


def foreign(root: Path) -> Path | None:
    """Return the top of the work tree that a folder is in, where git says nothing of it since it is another user's."""
    top = work_tree(root)
    done = None if top is None else _run(root, "rev-parse", "--git-dir")
    return top if done is not None and done.returncode != 0 and _FOREIGN.search(done.stderr) else None


def tracked(root: Path, places: Iterable[str]) -> tuple[str, ...] | None:
    """Return which of these files are in the repository, in git's order; None when git does not say.

    Args:
        root: the real path of the project.
        places: paths relative to it.
    """
    done = _run(root, "--literal-pathspecs", "ls-files", "-z", "--", *places)
    if done is None or done.returncode != 0:
        return None
    return tuple(os.fsdecode(name) for name in done.stdout.split(b"\0") if name)


def rules(root: Path, places: Iterable[str]) -> dict[str, Rule | None] | None:
    """Return the rule that decides about each of these files, also where they are in the repository; None for none.

    None in place of all when git does not say. Arguments are those of `tracked`.
    """
    top = work_tree(root)
    told = b"".join(os.fsencode(place) + b"\0" for place in places)
    done = _run(root, "check-ignore", "--no-index", "--stdin", "-z", "--verbose", "--non-matching", told=told)
    if top is None or done is None or done.returncode not in (0, 1):  # 1 - no rule matches
        return None
    fields = [os.fsdecode(field) for field in done.stdout.split(b"\0")[:-1]]
    found: dict[str, Rule | None] = {}
    try:
        # Four for each file: the file that has the rule, its line, the pattern, what was asked for.
        for file, line, pattern, place in zip(*(fields[begin::4] for begin in range(4)), strict=True):
            found[place] = Rule(os.fspath(top / file), int(line), pattern) if file else None
    except ValueError:
        return None
    return found


def untrack(root: str, places: Iterable[str]) -> str:
    """Return the command for a shell that takes files out of the repository and leaves them on the disk.

    Without `--force` git refuses where a view was refreshed since it was staged.
    """
    return shell.line(["git", "-C", root, "rm", "--cached", "--force", "--quiet", "--", *places])


def _run(root: Path, *words: str, told: bytes = b"") -> subprocess.CompletedProcess[bytes] | None:
    """Return how git ended, None when there is none or it took too long; `told` is what it reads."""
    program = shutil.which("git")
    if program is None or not os.path.isabs(program):  # noqa: PTH117 - of a string
        return None
    # Variables of git's own would have it look at another repository, as they do in a hook.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | _ENVIRONMENT
    command = [program, "--no-pager", *_CONFIGURATION, "-C", os.fspath(root), *words]
    try:
        return subprocess.run(  # noqa: S603 - no shell, and no program but git
            command, env=environment, input=told, capture_output=True, timeout=WAIT_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
