"""The daemon: from a save to the view, after a rename, at rest, in memory, and under a burst of saves."""

from __future__ import annotations

import os
import random
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from bench.grown import entry, log
from bench.latency import QUIET_MS, bare_watch, renamed, view_changed
from bench.rows import Row, percentile, ratio
from example import milestone
from support.daemon_process import DaemonProcess
from support.process_usage import least_usage, schedule

PEER = Path(__file__).parents[1] / "peers/six_views.py"


def project(base: Path, name: str, data: bytes | None = None) -> Path:
    """Return a copy of the example project, with another log if there is one."""
    root = base / name
    shutil.copytree(milestone.PROJECT, root)
    if data is not None:
        (root / ".pipeline/log.yaml").write_bytes(data)
    return root


def saves(base: Path, *, count: int = 100, peers: int = 15) -> Iterator[Row]:
    """Yield how long a save of a real log takes to reach the view, against a script that is started for each."""
    data = log(size=144_000)
    root = project(base, "saves", data)
    path, target = root / ".pipeline/log.yaml", root / ".pipeline/log.compact.yaml"
    chance = random.Random(1)
    taken = []
    with DaemonProcess(root) as daemon:
        daemon.wait_for("ready")
        for number in range(count):
            time.sleep(chance.uniform(0.3, 0.4))
            data += entry(10_000 + number).encode()
            old = target.stat()
            saved = renamed(path, data.decode())
            seen, _ = view_changed(target, (old.st_ino, old.st_mtime_ns))
            taken.append((seen - saved) / 1e9 - QUIET_MS / 1000)
        daemon.stop()
    ours = statistics.median(taken)
    beside = base / "script"
    (beside / ".pipeline").mkdir(parents=True)
    path = beside / ".pipeline/log.yaml"
    path.write_bytes(data)
    out = beside / "out"
    script = [sys.executable, os.fspath(PEER), os.fspath(path.parent), "c", os.fspath(out), "log"]
    subprocess.run(script, check=True)
    watch = [sys.executable, "-m", "watchdog.watchmedo", "shell-command", "--wait", "--drop", "--patterns=**/log.yaml"]
    command = " ".join(script)
    scripted = []
    with subprocess.Popen([*watch, f"--command={command}", os.fspath(path.parent)]) as watching:
        try:
            time.sleep(2)
            for number in range(peers):
                time.sleep(1.5)
                data += entry(20_000 + number).encode()
                old = (out / "log.compact.yaml").stat()
                saved = renamed(path, data.decode())
                seen, _ = view_changed(out / "log.compact.yaml", (old.st_ino, old.st_mtime_ns), wait_s=0)
                scripted.append((seen - saved) / 1e9)
        finally:
            watching.kill()
    beside_it = statistics.median(scripted)
    what = "log of 144 KB, save to view less the quiet period, p50"
    yield ratio(what, ours, beside_it, "watchmedo and a script with CSafeLoader", 1 / 20)
    yield Row("the same, p99", f"{percentile(taken, 99) * 1000:.2f} ms", "", percentile(taken, 99) * 1000, None, "ms")


def renames(base: Path, *, count: int = 60) -> Iterator[Row]:
    """Yield how long a save takes that comes 20 ms after a file was renamed out of the tree."""
    root = project(base, "renames")
    pipeline, away = root / ".pipeline", base / "away"
    away.mkdir()
    path, target = pipeline / "PROGRESS.md", pipeline / "PROGRESS.compact.md"
    text = path.read_text("utf-8")
    taken, bare = [], []
    with DaemonProcess(root) as daemon, bare_watch(pipeline) as handler:
        daemon.wait_for("ready")
        for number in range(count):
            (pipeline / "archived.md").write_text("1")
            time.sleep(0.8)
            old = target.stat()
            (pipeline / "archived.md").rename(away / f"{number}.md")
            time.sleep(0.02)
            saved = renamed(path, f"{text}\n## N\n\n- {number}\n")
            seen, _ = view_changed(target, (old.st_ino, old.st_mtime_ns))
            taken.append((seen - saved) / 1e6 - QUIET_MS)
            bare.append((handler() - saved) / 1e6)
        daemon.stop()
    high = percentile(taken, 99)
    beside = f"{percentile(bare, 99):.0f} ms until watchdog as shipped tells of it"
    yield Row("a save 20 ms after a rename out of the tree, p99", f"{high:.1f} ms", beside, high, 30.0, "ms")


def rest(base: Path, *, seconds: float = 60.0) -> Iterator[Row]:
    """Yield what an idle daemon uses."""
    root = project(base, "rest")
    with DaemonProcess(root) as daemon:
        daemon.wait_for("ready")
        daemon.settle(5.0)
        time.sleep(35)  # the first sweep after the start looks once more
        before = schedule(daemon.process.pid)
        time.sleep(seconds)
        after = schedule(daemon.process.pid)
        rss = least_usage(daemon.process.pid).rss_kb / 1024
        daemon.stop()
    cpu, wakes = after.cpu_s - before.cpu_s, (after.wakeups - before.wakeups) * 60 / seconds
    yield Row(f"one project at rest for {seconds:.0f} s: CPU", f"{cpu * 1000:.1f} ms", "", cpu, 0.005, "s")
    yield Row("the same: wakeups a minute", f"{wakes:.0f}", "", wakes, 3.0, "")
    yield Row("memory, one project of real size", f"{rss:.1f} MB", "", rss, 32.0, "MB")


def memory(base: Path) -> Iterator[Row]:
    """Yield the resident memory with many projects, and with a long log that has just grown."""
    roots = [project(base, f"many-{number}") for number in range(20)]
    with DaemonProcess(*roots) as daemon:
        daemon.wait_for("ready")
        daemon.settle(3.0)
        rss = least_usage(daemon.process.pid).rss_kb / 1024
        daemon.stop()
    yield Row("memory, 20 projects", f"{rss:.1f} MB", "", rss, 45.0, "MB")
    data = log(size=10_000_000)
    root = project(base, "long", data)
    target = root / ".pipeline/log.compact.yaml"
    with DaemonProcess(root) as daemon:
        daemon.wait_for("ready")
        for number in range(5):
            old = target.stat()
            data += entry(100_000 + number).encode()
            (root / ".pipeline/log.yaml").write_bytes(data)
            view_changed(target, (old.st_ino, old.st_mtime_ns))
            time.sleep(1)
        rss = least_usage(daemon.process.pid).rss_kb / 1024
        daemon.stop()
    yield Row("memory, a log of 10 MB after five saves", f"{rss:.1f} MB", "", rss, 65.0, "MB")


def burst(base: Path, *, count: int = 2_000) -> Iterator[Row]:
    """Yield what a burst of saves costs the daemon, and how often it refreshes meanwhile."""
    root = project(base, "burst")
    path = root / ".pipeline/PROGRESS.md"
    text = path.read_text("utf-8")
    with DaemonProcess(root, options=("--verbose",)) as daemon:
        daemon.wait_for("ready")
        daemon.settle(3.0)
        before = schedule(daemon.process.pid)
        began = time.monotonic()
        for number in range(count):
            path.write_text(f"{text}\n## N\n\n- {number}\n", "utf-8")
        took = time.monotonic() - began
        looks = [event for event in daemon.settle(4.0) if event["event"] in {"refreshed", "looked"}]
        assert looks
        after = schedule(daemon.process.pid)
        daemon.stop()
    cpu_ms = (after.cpu_s - before.cpu_s) * 1000 / count
    windows = took / (QUIET_MS / 1000) + 2
    yield Row(f"a burst of {count:,} saves: CPU a save", f"{cpu_ms:.3f} ms", f"{took:.1f} s long", cpu_ms, 0.5, "ms")
    yield Row("the same: looks to quiet periods", str(len(looks)), f"{windows:.0f}", len(looks) / windows, 1.0)
