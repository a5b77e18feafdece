"""`make bench`: what the program costs, each thing beside something measured in the same run.

    python -m bench.bench [--full] [--tree FOLDER] [--json FILE] [--readme]

Exits with 1 where a row is above its limit.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from bench.rows import Row, daemon, growth, processes, refresh
from example import milestone

README = Path(__file__).parents[2] / "README.md"
BEGIN, END = "<!-- benchmarks: make bench README=1 -->\n", "<!-- /benchmarks -->\n"


def main() -> int:
    parser = argparse.ArgumentParser(description="Benchmarks as ratios, with limits.")
    parser.add_argument("--full", action="store_true", help="the largest sizes, too")
    parser.add_argument("--tree", type=Path, default=milestone.PROJECT, help="a project for the six views")
    parser.add_argument("--only", nargs="*", default=[], help="parts: refresh, processes, daemon, growth")
    parser.add_argument("--json", type=Path, help="where the rows go as JSON")
    parser.add_argument("--readme", action="store_true", help="write the table into the README")
    given = parser.parse_args()
    head = f"{platform.machine()}, {os.cpu_count()} processors, Python {platform.python_version()}"
    say(f"{head}, load {os.getloadavg()[0]:.1f}")
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="hypo-compactd-bench-") as name:
        base = Path(os.path.realpath(name))
        os.environ["HOME"] = os.fspath(base / "own")
        os.environ["HYPO_COMPACTD_STATE_DIR"] = os.fspath(base / "state")
        os.environ.pop("XDG_RUNTIME_DIR", None)
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = os.fspath(base / "compiled")  # compiled once, as an installer does it
        for row in measured(base, given):
            say(line(row))
            rows.append(row)
    over = [row for row in rows if row.is_over]
    say(f"{len(over)} of {len(rows)} rows are above their limit")
    if given.json:
        given.json.write_text(json.dumps({"machine": head, "rows": [asdict(row) for row in rows]}, indent=1), "utf-8")
    if given.readme:
        write(rows, head)
    return 1 if over else 0


def measured(base: Path, given: argparse.Namespace) -> Iterator[Row]:
    wanted = given.only or ["processes", "refresh", "daemon", "growth"]
    if "processes" in wanted:
        yield from processes.rows(base, tree=given.tree)
    if "refresh" in wanted:
        yield from refresh.rows(base, full=given.full)
    if "daemon" in wanted:
        for part in (daemon.saves, daemon.renames, daemon.rest, daemon.memory, daemon.burst):
            yield from part(base)
    if "growth" in wanted:
        yield from growth.rows(base, full=given.full)


def line(row: Row) -> str:
    limit = "" if row.limit is None else f"limit {number(row.limit)}{row.unit}"
    mark = "ABOVE " if row.is_over else ""
    return f"{mark}{row.what:72} {row.ours:>11}  {row.peer:46} {number(row.value)}{row.unit:3} {limit}".rstrip()


def number(value: float) -> str:
    return f"{value:.3g}" if value < 100 else f"{value:,.0f}"


def write(rows: list[Row], head: str) -> None:
    text = README.read_text("utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    lines = [
        f"Measured on {head}.\n\n",
        "| what | measured | beside | ratio or value | limit |\n|---|---|---|---|---|\n",
        *(
            f"| {row.what} | {row.ours} | {row.peer} | {number(row.value)} {row.unit} | "
            f"{'' if row.limit is None else number(row.limit)} |\n"
            for row in rows
        ),
    ]
    README.write_text(before + BEGIN + "".join(lines) + END + after, "utf-8")


def say(text: str) -> None:
    print(text, flush=True)  # noqa: T201 - what the script is for


if __name__ == "__main__":
    sys.exit(main())
