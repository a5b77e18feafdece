"""Whole processes: the commands where there is nothing to do, and all six views from nothing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterator
from pathlib import Path

from bench.rows import Row, ratio, side_by_side
from example import milestone

PROGRAM = os.fspath(Path(sysconfig.get_path("scripts")) / "hypo-compactd")
PEER = Path(__file__).parents[1] / "peers/six_views.py"
COMMANDS: tuple[tuple[tuple[str, ...], float | None], ...] = (
    (("--version",), 3.0),
    (("status",), 3.0),
    (("status", "--json"), None),
    (("wait",), 3.0),
    (("compact", "--if-stale"), None),
    (("--help",), None),
)


def rows(base: Path, *, tree: Path, rounds: int = 31) -> Iterator[Row]:
    """Yield the start-up rows, then those of a whole tree."""
    environment = {
        "HOME": os.fspath(base / "home"),
        "PATH": os.environ["PATH"],
        "PYTHONPYCACHEPREFIX": os.fspath(base / "compiled"),  # compiled before, as an installer does it
    }

    def process(*command: str) -> Callable[[], object]:
        return lambda: subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)

    project = base / "project"
    shutil.copytree(milestone.PROJECT, project)
    process(PROGRAM, "compact", "--quiet", os.fspath(project))()
    works = [process(sys.executable, "-c", "pass")]
    for command, _ in COMMANDS:
        place = () if command[0].startswith("-") else (os.fspath(project),)
        works.append(process(PROGRAM, *command, *place))
    for work in works:
        work()
    bare, *taken = side_by_side(rounds, *works)
    for (command, limit), seconds in zip(COMMANDS, taken, strict=True):
        yield ratio(f"{' '.join(command)}, all fresh: the process", seconds, bare, "python -c pass", limit)

    copy = base / "tree"
    shutil.copytree(tree, copy, copy_function=shutil.copyfile)
    for folder in (copy, *copy.rglob("*/")):
        folder.chmod(0o755)

    def cold() -> None:
        shutil.rmtree(base / "home", ignore_errors=True)  # nothing is remembered
        for old in copy.rglob("*.compact.*"):
            old.unlink()
        process(PROGRAM, "compact", "--quiet", os.fspath(copy))()

    out = os.fspath(base / "out")
    peers = [process(sys.executable, os.fspath(PEER), os.fspath(copy / ".pipeline"), one, out) for one in ("safe", "c")]
    for work in (cold, *peers):
        work()
    ours, safe, c = side_by_side(9, cold, *peers)
    yield ratio(
        f"six views of {tree.name} from nothing: the process", ours, safe, "a script with yaml.safe_load", 1 / 2
    )
    yield ratio("the same", ours, c, "a script with yaml.CSafeLoader", None)
