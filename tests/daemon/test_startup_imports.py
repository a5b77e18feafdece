"""What a command that hooks wait for imports, as a whole process on a project whose views are fresh."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest

from hypo_compactd.errors import ExitCode
from hypo_compactd.paths import Project
from support.status_runs import kept, run
from support.views import TARGETS

SLOW = frozenset(
    {
        "dataclasses",
        "hypo_compactd.config",
        "hypo_compactd.look",
        "hypo_strategies.registry",
        "inspect",
        "rich",
        "ruamel",
        "structlog",
        "watchdog",
    }
)

COMMANDS = [("status",), ("status", "--json")]

CALL = """
import sys
from hypo_compactd.cli import main
code = main(sys.argv[1:])
print(*sys.modules, file=sys.stderr)
sys.exit(code)
"""


def imported(*called: str | Path, code: int) -> set[str]:
    """Return the modules and the packages that a command has loaded when it ends."""
    line = [sys.executable, "-c", CALL, *(os.fspath(one) for one in called)]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    modules = set(done.stderr.split())
    return modules | {module.partition(".")[0] for module in modules}


@pytest.fixture(name="fresh")
def _fresh(project: Project) -> Project:
    """A project whose views are all current."""
    assert run("compact", "-q", project.root).code == 0
    return project


@pytest.mark.parametrize("is_kept", [False, True], ids=["no daemon", "a daemon"])
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_nothing_slow_is_imported(fresh: Project, command: tuple[str, ...], is_kept: bool) -> None:  # noqa: FBT001 - a row
    with kept(fresh) if is_kept else nullcontext():
        assert SLOW & imported(*command, fresh.root, code=ExitCode.OK) == set()


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_where_something_is_stale_there_is_more_to_do(fresh: Project, command: tuple[str, ...]) -> None:
    (fresh.pipeline / TARGETS["log"]).unlink()

    assert "hypo_strategies.registry" in imported(*command, fresh.root, code=ExitCode.STALE)
