"""`make run`: the daemon on a copy of the example project, while a Milestone completes.

Everything happens in a scratch folder that is removed at the end: the project, the daemon's own
state and an empty home folder, so that nobody's configuration changes what is shown.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

sys.path.insert(0, os.fspath(Path(__file__).parent.parent))

from example import milestone
from hypo_compactd.debounce import QUIET_MS

DEADLINE_S = 30.0
"""How long to wait for a batch; it comes after a quarter of a second."""

console = Console(highlight=False)


def main() -> int:
    """Play the scene; return 0 when every batch came."""
    with tempfile.TemporaryDirectory(prefix="hypo-compactd-example-") as scratch:
        root = Path(scratch)
        project = root / "project"
        shutil.copytree(milestone.PROJECT, project)
        console.print("[bold]hypo-compactd[/] on a copy of the example project\n")
        with daemon(root, project) as events:
            first = wait_for(events, "refreshed")
            wait_for(events, "ready")
            console.print("The daemon is up; its first look wrote the views:")
            show(project, first)
            console.print("\n[bold]Milestone M03 completes[/]: the agent writes, file by file")
            for step in milestone.completion():
                play(step, project)
            tell(wait_for(events, "refreshed"))
            console.print("\n[bold]A knowledge record is added[/]")
            play(milestone.knowledge(), project)
            last = wait_for(events, "refreshed")
            tell(last)
            console.print("\nWhat the next session of an agent loads instead of the full files:")
            show(project, last)
        console.print("\nThe daemon has stopped. On a project of yours: [bold]make run PROJECT=/path/to/project[/]")
    return 0


@contextmanager
def daemon(root: Path, project: Path) -> Iterator[Iterator[dict[str, Any]]]:
    """Run the daemon on the project and give its log events; it is stopped at the end."""
    environment = os.environ | {"HOME": os.fspath(root), "HYPO_COMPACTD_STATE_DIR": os.fspath(root / "state")}
    command = [sys.executable, "-m", "hypo_compactd", "run", os.fspath(project), "--log-format", "json"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, env=environment, text=True) as process:
        try:
            assert process.stderr is not None
            yield (json.loads(line) for line in process.stderr)
        finally:
            process.send_signal(signal.SIGTERM)


def play(step: milestone.Step, project: Path) -> None:
    """Write one file as the agent does, and print which."""
    milestone.apply(step, project / ".pipeline")
    console.print(f"  {step.what}: [dim]{step.path}[/]", no_wrap=True, overflow="ellipsis")


def wait_for(events: Iterator[dict[str, Any]], name: str) -> dict[str, Any]:
    """Return the next event called `name`.

    Raises:
        SystemExit: the daemon ended, or nothing came in time.
    """
    started = time.monotonic()
    for event in events:
        if event["event"] == name:
            return event
        if event["level"] == "error" or time.monotonic() - started > DEADLINE_S:
            raise SystemExit(f"the daemon says: {event}")
    raise SystemExit("the daemon ended")


def tell(event: dict[str, Any]) -> None:
    """Print what a batch did."""
    moment = f" at the moment [bold]{', '.join(event['moment'])}[/]" if event["moment"] else ""
    console.print(f"→ one batch{moment} wrote {', '.join(event['written'])}")
    console.print(f"  in {event['milliseconds']} ms, {QUIET_MS} ms after the last change")


def show(project: Path, event: dict[str, Any]) -> None:
    """Print the views with the tokens that they save, as `compact --json` counts them."""
    command = [sys.executable, "-m", "hypo_compactd", "compact", os.fspath(project), "--json", "--check"]
    environment = os.environ | {
        "HOME": os.fspath(project.parent),
        "HYPO_COMPACTD_STATE_DIR": os.fspath(project.parent / "state"),
    }
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    table = Table(box=None, pad_edge=False, header_style="dim")
    for heading in ("view", "tokens before", "after", "saved"):
        table.add_column(heading, justify="left" if heading == "view" else "right")
    for view in json.loads(result.stdout)["views"]:
        before, after = view["tokens_before"], view["tokens_after"]
        saved = f"{100 * (before - after) / before:.0f} %" if before else ""
        table.add_row(view["file"].removeprefix(".pipeline/"), f"{before:,}", f"{after:,}", saved)
    before, after = event["tokens_before"], event["tokens_after"]
    table.add_row(
        "[bold]all", f"{before:,}", f"{after:,}", f"[bold]{100 * (before - after) / before:.0f} %", style="bold"
    )
    console.print(table)


if __name__ == "__main__":
    sys.exit(main())
