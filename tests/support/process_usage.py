"""What a process uses, as Linux tells it in `/proc`."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, fields
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Usage:
    """What a process uses at a moment; `cpu_s` is user and system time since its start, in steps of 10 ms."""

    rss_kb: int
    threads: int
    descriptors: int
    inotify_instances: int
    inotify_watches: int
    cpu_s: float


@dataclass(frozen=True, slots=True)
class Schedule:
    """How much a process has run: CPU seconds to the nanosecond, and how often its threads were woken or put aside."""

    cpu_s: float
    wakeups: int


def schedule(pid: int) -> Schedule:
    """Return how much a process has run until now; threads that have ended do not count."""
    nanoseconds = wakeups = 0
    for thread in Path(f"/proc/{pid}/task").iterdir():
        try:
            nanoseconds += int((thread / "schedstat").read_text().split()[0])
            lines = (thread / "status").read_text().splitlines()
        except OSError:
            continue
        wakeups += sum(int(line.split()[1]) for line in lines if "ctxt_switches" in line)
    return Schedule(nanoseconds / 1e9, wakeups)


def can_tell() -> bool:
    """Return whether this system tells."""
    return Path("/proc/self/fdinfo").is_dir()


def usage(pid: int) -> Usage:
    """Return what a process uses now."""
    process = Path("/proc", str(pid))
    status = dict(line.split(":", 1) for line in (process / "status").read_text().splitlines())
    times = (process / "stat").read_text().rpartition(")")[2].split()
    links = _links(process / "fd")
    instances = [number for number, target in links.items() if target == "anon_inode:inotify"]
    return Usage(
        rss_kb=int(status["VmRSS"].split()[0]),
        threads=int(status["Threads"]),
        descriptors=len(links),
        inotify_instances=len(instances),
        inotify_watches=sum(_watches(process / "fdinfo" / number) for number in instances),
        cpu_s=(int(times[11]) + int(times[12])) / os.sysconf("SC_CLK_TCK"),
    )


def least_usage(pid: int, times: int = 20, pause_s: float = 0.02) -> Usage:
    """Return the least of each number over several counts: what is used for a moment only is not held."""
    counts = []
    for _ in range(times):
        counts.append(usage(pid))
        time.sleep(pause_s)
    return Usage(**{one.name: min(getattr(each, one.name) for each in counts) for one in fields(Usage)})


def _links(folder: Path) -> dict[str, str]:
    links = {}
    for name in os.listdir(folder):  # noqa: PTH208 - names are what is wanted
        try:
            links[name] = os.readlink(folder / name)  # noqa: PTH115 - what stands there is no path
        except OSError:  # it was closed meanwhile
            continue
    return links


def _watches(info: Path) -> int:
    try:
        return info.read_text().count("inotify wd:")
    except OSError:
        return 0
