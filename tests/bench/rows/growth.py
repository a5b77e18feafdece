"""How time and memory grow with the log, the reports and the projects; no limits, only what it is."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from bench.grown import log
from bench.rows import Row, shown
from bench.rows.daemon import project
from bench.rows.processes import PROGRAM
from support.daemon_process import DaemonProcess
from support.process_usage import least_usage

REPORT = (
    "# M{n:02d}：第 {n} 部分\n\n- 结论：通过\n- 评分：diff_score: {d}\n\n## 变更\n\n- 部分 {n} 已完成，42 个测试通过\n"
)


def rows(base: Path, *, full: bool) -> Iterator[Row]:
    """Yield a cold `compact` for ever longer logs and ever more reports, then the daemon's start with more projects."""
    for entries in (1_000, 10_000, 100_000, *((1_000_000,) if full else ())):
        root = project(base, f"log-{entries}", log(entries=entries))
        size = (root / ".pipeline/log.yaml").stat().st_size / 1e6
        yield cold(f"compact from nothing, a log of {entries:,} entries ({size:.1f} MB)", root)
        shutil.rmtree(root)
    for reports in (10, 100, 1_000, *((10_000,) if full else ())):
        root = project(base, f"reports-{reports}")
        for n in range(reports):
            text = REPORT.format(n=n, d=n % 5 + 1)
            (root / f".pipeline/reports/{n:05d}-part.report.md").write_text(text, "utf-8")
        yield cold(f"compact from nothing, {reports:,} reports", root)
        shutil.rmtree(root)
    for projects in (1, 10, 100, *((500,) if full else ())):
        roots = [project(base / "start", f"{projects}-{number}") for number in range(projects)]
        began = time.perf_counter()
        with DaemonProcess(*roots) as daemon:
            daemon.wait_for("ready")
            seconds = time.perf_counter() - began
            daemon.settle(3.0)
            rss = least_usage(daemon.process.pid).rss_kb / 1024
            daemon.stop()
        shutil.rmtree(base / "start")
        yield Row(
            f"start with {projects:,} new projects until all are kept",
            shown(seconds),
            f"{rss:.0f} MB",
            seconds,
            None,
            "s",
        )


_MEASURED = (
    "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, stderr=subprocess.DEVNULL); "
    "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
)
"""A small process in between: the system counts what a child had before it became another program, too."""


def cold(what: str, root: Path) -> Row:
    command = [sys.executable, "-c", _MEASURED, PROGRAM, "compact", "--quiet", os.fspath(root)]
    began = time.perf_counter()
    peak_kb = int(subprocess.check_output(command))
    seconds = time.perf_counter() - began
    return Row(what, shown(seconds), f"{peak_kb / 1024:.0f} MB at most", seconds, None, "s")
