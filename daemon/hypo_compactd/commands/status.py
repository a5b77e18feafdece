"""The command `status`: whether the views are current, and who keeps them so."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable, Iterable
from typing import Any

from hypo_compactd.console import add_command, add_projects, complain, usage
from hypo_compactd.errors import ExitCode, InputError
from hypo_strategies.text.phrase import phrase

INTERVAL_S = 2.0
"""How often --watch looks, unless it is told otherwise."""


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
        examples="hypo-compactd status --json ~/projects/one ~/projects/two\nhypo-compactd status --all --watch",
        notes="Colours are left out in a pipe and where NO_COLOR is set. --watch ends with Ctrl-C and exit code 0.",
    )
    add_projects(one)
    one.add_argument("--all", action="store_true", help="every registered project")
    how = one.add_mutually_exclusive_group()
    how.add_argument("--json", action="store_true", help="print the result as JSON")
    how.add_argument("--watch", action="store_true", help="show it live until Ctrl-C; needs a terminal")
    one.add_argument(
        "--interval",
        type=_interval,
        default=INTERVAL_S,
        metavar="S",
        help="how often --watch looks, in seconds (default: 2)",
    )


def status(arguments: argparse.Namespace) -> int:
    """Say how the views and the daemon of projects are; writes nothing."""
    from hypo_compactd.language import language_for, language_of
    from hypo_compactd.overview import Recall, exit_code, overviews

    given = _given(arguments)
    if arguments.watch:
        from hypo_compactd import status_screen

        if not status_screen.is_live():
            said = phrase("--watch needs a terminal; --json is for programs")
            return usage("status", said, language_for(arguments))
        recall = Recall()
        given()  # what is wrong with the command is said before the screen is taken
        status_screen.watch(lambda: overviews(given(), recall), arguments.interval)
        return ExitCode.OK
    found = overviews(given())
    if arguments.json:
        from hypo_compactd.status_json import as_json

        for one in found:
            for finding in one.config.findings if one.config else ():
                said = phrase("{path}: {reason}", path=str(one.project.shown), reason=finding.phrase)
                complain(said, one.language)
        print(json.dumps(as_json(found)))
    elif found:
        from hypo_compactd.status_screen import show

        show(found)
    if not found:
        complain(phrase("no project is registered; hypo-compactd init PROJECT registers one"), language_of())
    return exit_code(found)


def _given(arguments: argparse.Namespace) -> Callable[[], Iterable[str]]:
    """Return what gives the projects that the user means now; the registered ones may be others the next time."""
    from hypo_compactd.language import language_of
    from hypo_compactd.paths import find_project

    named = arguments.projects
    if arguments.all:
        from hypo_compactd import registry

        for finding in registry.hypo_workflow_list().findings:
            complain(finding.phrase, language_of())
        return lambda: [*named, *map(os.fspath, registry.everything())]
    if not named:
        try:
            named = [os.fspath(find_project(None).shown)]
        except InputError as error:
            raise InputError("{reason}; or give --all for every registered project", reason=error) from None
    return lambda: named


def _interval(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0.1 <= seconds <= 3600:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds from 0.1 to 3600")
    return seconds
