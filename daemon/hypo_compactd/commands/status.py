"""The command `status`: whether the views are current, and who keeps them so."""

from __future__ import annotations

import os

from hypo_compactd.errors import ExitCode, InputError
from hypo_strategies.text.phrase import phrase

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable
    from typing import Any

TOKENIZERS = ("o200k_base", "cl100k_base")
"""A test keeps them equal to those that can be counted with."""

INTERVAL_S = 2.0
"""How often --watch looks, unless it is told otherwise."""


def add(commands: Any) -> None:
    """Add the command to the parser of all."""
    from hypo_compactd.console import add_command, add_projects

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
    one.add_argument(
        "--tokenizer",
        choices=TOKENIZERS,
        metavar="NAME",
        help=f"count tokens with a real tokenizer, {' or '.join(TOKENIZERS)}, in place of estimating them; "
        "pip install 'hypo-compactd[tokens]' brings it",
    )
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
    from hypo_compactd.overview import exit_code, overviews

    given = _given(arguments)
    if arguments.watch:
        from hypo_compactd import status_screen
        from hypo_compactd.console import usage
        from hypo_compactd.inspection import Recall
        from hypo_compactd.language import language_for

        if not status_screen.is_live():
            said = phrase("--watch needs a terminal; --json is for programs")
            return usage("status", said, language_for(arguments))
        recall = Recall()
        given()  # what is wrong with the command is said before the screen is taken
        status_screen.watch(lambda: overviews(given(), recall), arguments.interval)
        return ExitCode.OK
    found = overviews(given())
    if arguments.tokenizer:
        from hypo_compactd.exact_tokens import counter, recounted

        count = counter(arguments.tokenizer)
        found = [recounted(one, count) for one in found]
    if arguments.json:
        import json

        from hypo_compactd.status_json import as_json

        for one in found:
            for finding in one.settings.findings if one.settings else ():
                said = phrase("{path}: {reason}", path=one.project.shown_place, reason=finding.phrase)
                _complain(said, one.language)
        print(json.dumps(as_json(found, arguments.tokenizer or "estimate")))
    elif found:
        from hypo_compactd.status_table import show

        show(found)
    if not found:
        from hypo_compactd.language import language_of

        _complain(phrase("no project is registered; hypo-compactd init PROJECT registers one"), language_of())
    return exit_code(found)


def _given(arguments: argparse.Namespace) -> Callable[[], Iterable[str]]:
    """Return what gives the projects that the user means now; the registered ones may be others the next time."""
    from hypo_compactd.paths import find_project

    named = arguments.projects
    if arguments.all:
        from hypo_compactd import registry
        from hypo_compactd.language import language_of

        for finding in registry.hypo_workflow_list().findings:
            _complain(finding.phrase, language_of())
        return lambda: [*named, *map(os.fspath, registry.everything())]
    if not named:
        try:
            named = [find_project(None).shown_place]
        except InputError as error:
            raise InputError("{reason}; or give --all for every registered project", reason=error) from None
    return lambda: named


def _complain(said: Any, language: Any) -> None:
    from hypo_compactd.console import complain

    complain(said, language)


def _interval(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0.1 <= seconds <= 3600:
        import argparse

        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds from 0.1 to 3600")
    return seconds
