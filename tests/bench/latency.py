"""How long a save takes to reach the view, and what the daemon uses while nothing happens.

    python tests/bench/latency.py [--saves 500] [--idle-s 300] [--projects 1 20 200]

Each save in a project that the daemon keeps is followed by the same save in a folder that is
watched by a bare watchdog handler in a process of its own: the two share the machine, the minute
and its load. A save's time is taken when close() or os.replace() has returned. The view's time is
taken by asking for its inode every 0.2 ms (how much later than the change that was at most is in
the table too); the handler's in the handler. Both are of the same monotonic clock.
"""

from __future__ import annotations

import argparse
import os
import platform
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

sys.path.insert(0, os.fspath(Path(__file__).parents[1]))

from example import milestone
from support.daemon_process import DEADLINE_S, DaemonProcess
from support.process_usage import can_tell, least_usage

QUIET_MS = 200.0
POLL_S = 0.0002
SOURCE = "PROGRESS.md"
VIEW = "PROGRESS.compact.md"


@dataclass
class Times:
    """Latencies of one way of saving, in milliseconds."""

    daemon: list[float] = field(default_factory=list)
    bare: list[float] = field(default_factory=list)
    late: list[float] = field(default_factory=list)


def main() -> None:
    parser = argparse.ArgumentParser(description="Latency from save to view, and idle costs, as tables.")
    parser.add_argument("--saves", type=int, default=500, help="saves of each kind; 0 leaves this part out")
    parser.add_argument("--idle-s", type=float, default=300.0, help="seconds at rest for each number of projects")
    parser.add_argument("--projects", type=int, nargs="*", default=[1, 20, 200], help="numbers of projects at rest")
    parser.add_argument("--handler", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.handler:
        handle(given.handler)
        return
    say(f"{platform.platform()}, {os.cpu_count()} processors, load {_load()}, ", end="")
    say(f"Python {platform.python_version()}, watchdog {version('watchdog')}")
    with tempfile.TemporaryDirectory(prefix="hypo-compactd-bench-") as name:
        base = Path(os.path.realpath(name))
        os.environ["HOME"] = os.fspath(base / "home")
        os.environ["HYPO_COMPACTD_STATE_DIR"] = os.fspath(base / "state")
        os.environ.pop("XDG_RUNTIME_DIR", None)
        if given.saves:
            latency(base, given.saves)
        if given.projects:
            idle(base, given.projects, given.idle_s)


# --- latency


def latency(base: Path, saves: int) -> None:
    """Measure and print."""
    roots = [base / name for name in ("kept", "bare")]
    for root in roots:
        shutil.copytree(milestone.PROJECT, root)
    kept, bare = (root / ".pipeline" for root in roots)
    ways: dict[str, Callable[[Path, str], int]] = {"in place": in_place, "temp + rename": renamed}
    times = {name: Times() for name in ways}
    chance = random.Random(1)
    order = [name for name in ways for _ in range(saves)]
    chance.shuffle(order)
    text = (kept / SOURCE).read_text("utf-8")
    with DaemonProcess(roots[0]) as daemon, bare_watch(bare) as told:
        daemon.wait_for("ready")
        for number, name in enumerate(order):
            time.sleep(chance.uniform(0.3, 0.4))  # nothing of the save before is left to do
            changed = text.replace("20:22", f"{number // 60 % 24:02d}:{number % 60:02d}", 1) + f"\n## N\n\n- {number}\n"
            old = (kept / VIEW).stat()
            saved = ways[name](kept / SOURCE, changed)
            seen, late = view_changed(kept / VIEW, (old.st_ino, old.st_mtime_ns))
            times[name].daemon.append((seen - saved) / 1e6)
            times[name].late.append(late / 1e6)
            saved = ways[name](bare / SOURCE, changed)
            times[name].bare.append((told() - saved) / 1e6)
        daemon.stop()
    say(f"\nfrom the end of a save to the renamed view, less the quiet period of {QUIET_MS:.0f} ms, in ms")
    table(
        ("save", "saves", "what", "median", "p95", "p99", "largest"),
        [
            (name, len(one.bare), what, *(f"{value:.2f}" for value in quantiles(numbers)))
            for name, one in times.items()
            for what, numbers in (
                ("hypo-compactd", [each - QUIET_MS for each in one.daemon]),
                ("bare watchdog handler", one.bare),
                ("seen late by at most", one.late),
            )
        ],
    )
    say(f"load {_load()}; less than 0: the event was delivered before the saving call had returned")


def in_place(path: Path, text: str) -> int:
    """Rewrite a file as many editors do; return when close() had returned."""
    with path.open("w", encoding="utf-8") as stream:
        stream.write(text)
    return time.monotonic_ns()


def renamed(path: Path, text: str) -> int:
    """Write a temporary file and rename it; return when that was done."""
    temporary = path.with_name(f"{path.name}.tmp.{os.getpid()}.1")
    temporary.write_text(text, "utf-8")
    os.replace(temporary, path)  # noqa: PTH105 - nothing between it and the clock
    return time.monotonic_ns()


def view_changed(view: Path, old: tuple[int, int], *, wait_s: float = QUIET_MS / 1000 * 0.7) -> tuple[int, int]:
    """Wait until the view is another file; return when that was seen, and how long before it was not yet so.

    An inode may be given again to the next file, so the time of its last change is asked for, too.
    """
    name = os.fspath(view)
    deadline = time.monotonic() + DEADLINE_S
    time.sleep(wait_s)  # it cannot come before; whoever asks all the time takes the daemon's processor
    before = time.monotonic_ns()
    while time.monotonic() < deadline:
        status = os.stat(name)  # noqa: PTH116 - asked for often
        now = time.monotonic_ns()
        if (status.st_ino, status.st_mtime_ns) != old:
            return now, now - before
        before = now
        time.sleep(POLL_S)
    raise AssertionError("the view did not change")


def handle(folder: Path) -> None:
    """Print the time of each call of a watchdog handler that says that the source was saved."""
    from watchdog.events import FileSystemEvent, FileSystemEventHandler
    from watchdog.observers import Observer

    path = os.fspath(folder / SOURCE)

    class Handler(FileSystemEventHandler):
        def on_any_event(self, event: FileSystemEvent) -> None:
            now = time.monotonic_ns()
            if (event.event_type == "closed" and event.src_path == path) or event.dest_path == path:
                say(now)

    observer: Any = Observer()
    observer.schedule(Handler(), os.fspath(folder))
    observer.start()
    say("ready")
    observer.join()


@contextmanager
def bare_watch(folder: Path) -> Iterator[Callable[[], int]]:
    """Watch a folder with a bare handler; give what returns when it was told of the next save of the source."""
    command = [sys.executable, __file__, "--handler", os.fspath(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as handler:
        try:
            stream = handler.stdout
            assert stream is not None
            assert stream.readline() == "ready\n"
            yield lambda: int(stream.readline())
        finally:
            handler.kill()


def quantiles(numbers: Sequence[float]) -> tuple[float, float, float, float]:
    """Return the median, p95, p99 (the nearest rank) and the largest."""
    ordered = sorted(numbers)
    ranks = [min(len(ordered) - 1, max(0, -(-len(ordered) * percent // 100) - 1)) for percent in (50, 95, 99)]
    return ordered[ranks[0]], ordered[ranks[1]], ordered[ranks[2]], ordered[-1]


# --- at rest


def idle(base: Path, numbers: Sequence[int], seconds: float) -> None:
    """Measure and print what the daemon uses while nothing happens."""
    if not can_tell():
        say("\nat rest: not measured, since this system has no /proc that tells what a process uses")
        return
    rows = []
    for number in numbers:
        roots = [base / "idle" / str(number) / f"project-{index:03d}" for index in range(number)]
        for root in roots:
            shutil.copytree(milestone.PROJECT, root)
        with DaemonProcess(*roots) as daemon:
            began = time.monotonic()
            daemon.wait_for("ready")
            took = time.monotonic() - began
            daemon.settle(5.0)
            pid = daemon.process.pid
            first = least_usage(pid)
            began = time.monotonic()
            time.sleep(seconds)
            last = least_usage(pid)
            cpu = (last.cpu_s - first.cpu_s) * 1000 / (time.monotonic() - began)
            daemon.stop()
        shutil.rmtree(base / "idle")
        rows.append(
            (
                number,
                f"{took:.1f}",
                f"{cpu:.2f}",
                f"{first.rss_kb / 1024:.1f}",
                f"{last.rss_kb / 1024:.1f}",
                last.threads,
                last.descriptors,
                last.inotify_instances,
                last.inotify_watches,
            )
        )
    say(f"\nat rest, {seconds:.0f} s each")
    table(("projects", "ready s", "CPU ms/s", "RSS MB", "after", "threads", "descriptors", "inotify", "watches"), rows)


# --- printing


def say(text: object, end: str = "\n") -> None:
    print(text, end=end, flush=True)  # noqa: T201 - what the script is for


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    cells = [[str(cell) for cell in row] for row in (head, *rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(head))]
    for row in cells:
        say("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def _load() -> str:
    return f"{os.getloadavg()[0]:.1f}"


if __name__ == "__main__":
    main()
