"""The command `status`: whether the views are current, and who keeps them so."""

from __future__ import annotations

import argparse
import json
from typing import Any

from hypo_compactd.console import add_command, add_projects, complain
from hypo_compactd.messages import printable


def add(commands: Any) -> None:
    """Add the command to the parser of all."""
    one = add_command(
        commands,
        "status",
        status,
        summary="say whether the views are current, and who keeps them so",
        description="Say of each project whether its views are what its sources give, by looking at the files, "
        "and how the daemon keeps it. Exit code 3 when a view is stale, changing or failed, or when the daemon "
        "hangs; with several projects the largest code counts. That no daemon runs is no error.",
        examples="hypo-compactd status --json ~/projects/one ~/projects/two",
    )
    add_projects(one)
    one.add_argument("--json", action="store_true", help="print the result as JSON")


def status(arguments: argparse.Namespace) -> int:
    """Say how the views and the daemon of projects are; writes nothing."""
    from hypo_compactd import status_output
    from hypo_compactd.overview import overviews

    found = overviews(arguments.projects or [None])
    for one in found:
        for finding in one.config.findings if one.config else ():
            complain(f"{printable(str(one.project.shown))}: {finding}")
    if arguments.json:
        print(json.dumps(status_output.as_json(found)))
    else:
        print("\n".join(status_output.as_lines(found)))
    return status_output.exit_code(found)
