"""How long the program takes to start where there is nothing to do, against Python itself.

    python tests/bench/startup.py [--runs 41]

Each command runs as a whole process on a project whose views are fresh. One run of each, bare Python among them,
makes a round, so that all share the machine, the minute and its load; the ratios are of the medians of one run of
this script. The program is compiled before, as an installer does it.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path

sys.path.insert(0, os.fspath(Path(__file__).parents[1]))

from example import milestone

PROGRAM = Path(sysconfig.get_path("scripts")) / "hypo-compactd"
BARE = "python -c pass"


def main() -> None:
    parser = argparse.ArgumentParser(description="Start-up times as a table: medians, and ratios to bare Python.")
    parser.add_argument("--runs", type=int, default=41, help="how often each command runs")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="hypo-compactd-bench-") as folder:
        base = Path(os.path.realpath(folder))
        environment = {
            "HOME": os.fspath(base / "home"),
            "PATH": os.environ["PATH"],
            "PYTHONPYCACHEPREFIX": os.fspath(base / "compiled"),
        }
        project = base / "project"
        shutil.copytree(milestone.PROJECT, project)
        program = os.fspath(PROGRAM)
        commands = {
            BARE: [sys.executable, "-c", "pass"],
            "--help": [program, "--help"],
            "wait": [program, "wait", os.fspath(project)],
            "compact --if-stale": [program, "compact", "--if-stale", os.fspath(project)],
            "status": [program, "status", os.fspath(project)],
        }
        subprocess.run([program, "compact", "--quiet", os.fspath(project)], env=environment, check=True)
        for command in commands.values():
            seconds(command, environment)
        times: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(given.runs):
            for name, command in commands.items():
                times[name].append(seconds(command, environment))
    say(f"{platform.platform()}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}, ", end="")
    say(f"Python {platform.python_version()}, {given.runs} runs\n")
    bare = statistics.median(times[BARE])
    say(f"{'command':20}{'median ms':>10}{'least ms':>10}{'ratio':>7}")
    for name, taken in times.items():
        median = statistics.median(taken)
        say(f"{name:20}{median * 1000:10.1f}{min(taken) * 1000:10.1f}{median / bare:7.1f}")


def seconds(command: list[str], environment: dict[str, str]) -> float:
    """Return how long a command takes, in seconds; it must succeed."""
    began = time.perf_counter()
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def say(text: str, end: str = "\n") -> None:
    print(text, end=end, flush=True)  # noqa: T201 - what the script is for


if __name__ == "__main__":
    main()
