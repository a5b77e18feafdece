"""The command `doctor`: what would hinder the daemon, and what to type about it."""

from __future__ import annotations

import argparse
import json
from typing import Any

from hypo_compactd.console import add_command
from hypo_compactd.errors import ExitCode
from hypo_compactd.messages import message, printable


def add(commands: Any) -> None:
    """Add the command to the parser of all."""
    one = add_command(
        commands,
        "doctor",
        doctor,
        summary="say what would hinder the daemon, and what to type about it",
        description="Check this machine (inotify limits, open files, watchdog, gawk, our own folders, the service) and "
        "the project (permissions, file system, .gitignore, tracked views, configuration, its daemon). Prints nothing "
        "when all is well; else exit code 3, and for each hindrance a line and the commands that put it right.",
        examples="hypo-compactd doctor ~/projects/tide",
        notes="Nothing is changed.",
    )
    one.add_argument(
        "project",
        nargs="?",
        metavar="PROJECT",
        help="the folder that holds .pipeline/ (default: the nearest one upwards; without one, every listed project)",
    )
    output = one.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true", help="print the result as JSON")
    output.add_argument("-v", "--verbose", action="store_true", help="name the checks that found nothing too")


def doctor(arguments: argparse.Namespace) -> int:
    """Say what would hinder the daemon; writes nothing."""
    from hypo_compactd.doctor.checks import examine
    from hypo_compactd.doctor.gather import gathered
    from hypo_compactd.language import language_of

    projects = _projects(arguments.project)
    language = language_of(projects[0].root if len(projects) == 1 else None)
    done = examine(*gathered(projects))
    if arguments.json:
        print(json.dumps(as_json(done)))
    else:
        for one in done:
            if arguments.verbose and not one.hindrances:
                key = "doctor_fine_in" if one.where else "doctor_fine"
                print(printable(message(key, language, check=message(f"check_{one.check}", language), where=one.where)))
            for hindrance in one.hindrances:
                print(printable(message(hindrance.key, language, **hindrance.values)))
                for command in hindrance.commands:
                    print(f"    {printable(command)}")
    return ExitCode.STALE if any(one.hindrances for one in done) else ExitCode.OK


def as_json(done: Any) -> dict[str, Any]:
    """Return what `doctor --json` prints: schema 1.

    `checks` holds one object for each check: its name `check`, `project` (null for what concerns the
    machine), and `findings`, each with an English `message` and the `commands` that put it right.
    """
    return {
        "schema": 1,
        "checks": [
            {
                "check": one.check,
                "project": printable(one.where) or None,
                "findings": [
                    {
                        "message": printable(message(found.key, "en", **found.values)),
                        "commands": list(map(printable, found.commands)),
                    }
                    for found in one.hindrances
                ],
            }
            for one in done
        ],
    }


def _projects(given: str | None) -> list[Any]:
    """Return the project that is meant; where none is named and there is none upwards, all that are listed."""
    from hypo_compactd.doctor.gather import listed
    from hypo_compactd.errors import InputError
    from hypo_compactd.paths import find_project

    try:
        return [find_project(given, must_exist=False)]
    except InputError:
        if given is not None:
            raise
        return [one for one in listed().projects if one.root.is_dir()]
