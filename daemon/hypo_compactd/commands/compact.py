"""The command `compact`: refresh the views of a project once."""

from __future__ import annotations

import sys

from hypo_compactd.errors import ExitCode
from hypo_compactd.messages import message, printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any

VIEWS = ("progress", "state", "log", "reports", "patches", "knowledge")
"""The names of the views; a test keeps them equal to the registry's, whose import is slow."""


def add(commands: Any) -> None:
    """Add the command to the parser of all."""
    from hypo_compactd.console import add_command, add_project

    one = add_command(
        commands,
        "compact",
        compact,
        summary="refresh the views once",
        description="Refresh the compact views of a project once; also where compact.auto is false.",
        examples="hypo-compactd compact --check && echo fresh",
    )
    add_project(one)
    one.add_argument(
        "--view",
        action="append",
        choices=VIEWS,
        metavar="VIEW",
        help=f"only this view, may be repeated: {', '.join(VIEWS)}",
    )
    one.add_argument("--if-stale", action="store_true", help="do nothing when no file has changed since the last time")
    one.add_argument("--check", action="store_true", help="write nothing; exit code 3 when a view would change")
    output = one.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true", help="print the result as JSON")
    output.add_argument("-q", "--quiet", action="store_true", help="print nothing on stdout; errors stay on stderr")


def compact(arguments: argparse.Namespace) -> int:
    """Refresh the views of a project once."""
    from hypo_compactd.freshness import is_fresh
    from hypo_compactd.paths import find_project

    project = find_project(arguments.project)
    if arguments.if_stale and not arguments.view and is_fresh(project):
        if arguments.json:
            import json

            print(json.dumps({"schema": 1, "project": printable(project.shown_place), "fresh": True}))
        return ExitCode.OK
    return _compact(project, arguments)


def _compact(project: Any, arguments: argparse.Namespace) -> int:
    import gc
    import json
    from dataclasses import replace

    from hypo_compactd import config as configuration
    from hypo_compactd.bar import Bar
    from hypo_compactd.console import complain
    from hypo_compactd.debounce import QUIET_MS
    from hypo_compactd.outcome import Request, State, changing
    from hypo_compactd.reconcile import check_root, settled

    gc.disable()  # what one run makes is freed as it is left; looking for cycles costs a twentieth of its time
    check_root(project)
    config = configuration.load(project.root)
    language = config.spoken
    for finding in config.findings:
        complain(finding.phrase, language)
    with Bar(sys.stderr, message("bar_compact", language)) as bar:
        request = Request(
            views=frozenset(arguments.view) if arguments.view else None,
            by_hand=True,
            check=arguments.check,
            on_view=bar.step,
        )
        outcome = settled(project, config, request, quiet_ms=QUIET_MS)
    for finding in outcome.findings:
        complain(replace(finding, path=f"{project.shown}/{finding.path}").phrase, language)
    if waiting := outcome.names(State.WAITING):
        complain(changing(waiting), language)
    if arguments.json:
        print(json.dumps(as_json(project, outcome, check=arguments.check)))
    elif not arguments.quiet:
        print(_check_sentence(outcome, language) if arguments.check else _sentence(outcome, language))
    if outcome.failed or outcome.names(State.WAITING):
        return ExitCode.BAD_INPUT
    if arguments.check and outcome.changed:
        return ExitCode.STALE
    return ExitCode.OK


def as_json(project: Any, outcome: Any, *, check: bool) -> dict[str, Any]:
    """Return the result of `compact` as data: schema 1, paths relative to the project, texts for people in English."""
    before, after = outcome.tokens
    return {
        "schema": 1,
        "project": printable(str(project.shown)),
        "check": check,
        "views": [
            {
                "name": view.name,
                "file": view.file,
                "state": str(view.state),
                "tokens_before": view.tokens_before,
                "tokens_after": view.tokens_after,
                "findings": [
                    {
                        "file": one.path,
                        "line": one.line,
                        "column": one.column,
                        "severity": one.severity,
                        "message": one.message,
                    }
                    for one in view.findings
                ],
            }
            for view in outcome.views
        ],
        "moments": [str(moment) for moment in outcome.moments],
        "tokens_before": before,
        "tokens_after": after,
        "saved_percent": _percent(before, after),
        "milliseconds": outcome.milliseconds,
    }


def _sentence(outcome: Any, language: Any) -> str:
    """Return the specification's sentence (seeds/compact.md, Execution Flow 6)."""
    from hypo_compactd.outcome import State

    written, unchanged = len(outcome.names(State.WRITTEN)), len(outcome.names(State.UNCHANGED))
    if not outcome.names(*(state for state in State if state is not State.ABSENT)) and not outcome.failed:
        return message("nothing", language)
    key = "generated_one" if written == 1 else "generated"
    text = message(key, language, written=written, percent=_percent(*outcome.tokens))
    if unchanged:
        text += message("unchanged", language, count=unchanged)
    gone = [view.file for view in outcome.views if view.state is State.WITHDRAWN]
    if gone:
        text += message("withdrawn", language, files=", ".join(gone))
    return text


def _check_sentence(outcome: Any, language: Any) -> str:
    from hypo_compactd.outcome import State

    files = [view.file for view in outcome.views if view.state in (State.WRITTEN, State.WITHDRAWN)]
    return message("would_change", language, files=", ".join(files)) if files else message("fresh", language)


def _percent(before: int, after: int) -> int:
    return max(0, round(100 * (1 - after / before))) if before else 0
