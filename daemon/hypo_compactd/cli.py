"""The commands: arguments, messages, exit codes. stdout is for data, stderr for people."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NoReturn, TextIO

from hypo_compactd import __version__
from hypo_compactd.errors import CompactdError, ExitCode
from hypo_compactd.messages import message, printable

VIEWS = ("progress", "state", "log", "reports", "patches", "knowledge")
"""The names of the views; a test keeps them equal to the registry's, whose import is slow."""

EXIT_CODES = """\
exit codes:
  0   fine
  1   unexpected
  3   stale: a view is not what its sources give, or with --check would change; or the daemon hangs
  64  wrong usage
  65  bad input: no project, or a source that cannot be read
  69  another process holds the project
  78  bad configuration: a file that cannot be read at all
"""


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors end with the exit code for wrong usage."""

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(ExitCode.USAGE, f"{self.prog}: {message}\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    _make_printable()
    parsed = parser().parse_args(arguments)
    try:
        code: int = parsed.command(parsed)
        sys.stdout.flush()
    except CompactdError as error:
        _complain(str(error))
        return error.exit_code
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Whoever read the output has gone; what was done is done.
        _close_stdout()
        return ExitCode.OK
    except OSError as error:
        _complain(printable(f"{error.filename or 'stdout'}: {(error.strerror or str(error)).lower()}"))
        _close_stdout()
        return ExitCode.UNEXPECTED
    return code


def parser() -> argparse.ArgumentParser:
    """Return the parser of all commands."""
    top = Parser(
        prog="hypo-compactd",
        description="Keeps the compact views of a Hypo-Workflow project current.",
        epilog=EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"hypo-compactd {__version__}")
    commands = top.add_subparsers(metavar="COMMAND", required=True, parser_class=Parser)
    _add_compact(commands)
    _add_run(commands)
    _add_status(commands)
    return top


def _add_compact(commands: Any) -> None:
    one = commands.add_parser(
        "compact",
        help="refresh the views once",
        description="Refresh the compact views of a project once; also where compact.auto is false.",
        epilog="example:\n  hypo-compactd compact --check && echo fresh\n\n" + EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    one.add_argument(
        "project",
        nargs="?",
        metavar="PROJECT",
        help="the folder that holds .pipeline/ (default: the nearest one upwards)",
    )
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
    one.set_defaults(command=compact)


def _add_run(commands: Any) -> None:
    one = commands.add_parser(
        "run",
        help="keep the views current until stopped",
        description="The daemon, in the foreground: refreshes the views of one or more projects whenever their sources have changed.",
        epilog="example:\n  hypo-compactd run ~/projects/one ~/projects/two\n\nSIGTERM and SIGINT stop it, SIGHUP reads the configuration anew.\n\n"
        + EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    one.add_argument(
        "projects",
        nargs="*",
        metavar="PROJECT",
        help="folders that hold a .pipeline/ (default: the nearest one upwards)",
    )
    one.add_argument(
        "--policy",
        choices=("fresh", "milestone"),
        default="fresh",
        help="fresh: whenever changes have settled (default); milestone: only when a Milestone becomes final, "
        "knowledge changes or a Cycle is closed",
    )
    one.add_argument(
        "--quiet-ms",
        type=_milliseconds,
        default=200,
        metavar="MS",
        help="how long nothing must have changed (default: 200)",
    )
    one.add_argument(
        "--max-wait-ms",
        type=_milliseconds,
        default=2000,
        metavar="MS",
        help="how long a change may wait at most (default: 2000)",
    )
    one.add_argument(
        "--poll",
        choices=("auto", "always", "never"),
        default="auto",
        help="look at the files every second or a little less often: auto where no native events come (default)",
    )
    one.add_argument(
        "--sweep-s",
        type=_seconds,
        default=30,
        metavar="S",
        help="how often the files are compared though no event came, in seconds (default: 30)",
    )
    one.add_argument(
        "--log-format",
        choices=("auto", "console", "json"),
        default="auto",
        help="auto: JSON under a service manager (default)",
    )
    one.add_argument("-v", "--verbose", action="store_true", help="log looks that found nothing too")
    one.set_defaults(command=run)


def _add_status(commands: Any) -> None:
    one = commands.add_parser(
        "status",
        help="say whether the views are current, and who keeps them so",
        description="Say of each project whether its views are what its sources give, by looking at the files, "
        "and how the daemon keeps it. Exit code 3 when a view is stale, changing or failed, or when the daemon "
        "hangs; with several projects the largest code counts. That no daemon runs is no error.",
        epilog="example:\n  hypo-compactd status --json ~/projects/one ~/projects/two\n\n" + EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    one.add_argument(
        "projects",
        nargs="*",
        metavar="PROJECT",
        help="folders that hold a .pipeline/ (default: the nearest one upwards)",
    )
    one.add_argument("--json", action="store_true", help="print the result as JSON")
    one.set_defaults(command=status)


def _seconds(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= 3_600:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds from 1 to 3600")
    return int(text)


def _milliseconds(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= 3_600_000:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of milliseconds from 1 to 3600000")
    return int(text)


def compact(arguments: argparse.Namespace) -> int:
    """Refresh the views of a project once."""
    from hypo_compactd import config as configuration
    from hypo_compactd.debounce import QUIET_MS
    from hypo_compactd.outcome import Request, State
    from hypo_compactd.paths import find_project
    from hypo_compactd.reconcile import check_root, is_fresh, settled

    project = find_project(arguments.project)
    check_root(project)
    config = configuration.load(project.root)
    for finding in config.findings:
        _complain(str(finding))
    language = config.options.language
    if arguments.if_stale and not arguments.view and is_fresh(project, config):
        if arguments.json:
            print(json.dumps({"schema": 1, "project": printable(str(project.shown)), "fresh": True}))
        return ExitCode.OK
    request = Request(
        views=frozenset(arguments.view) if arguments.view else None,
        by_hand=True,
        check=arguments.check,
    )
    outcome = settled(project, config, request, quiet_ms=QUIET_MS)
    for finding in outcome.findings:
        _complain(printable(f"{project.shown}/{finding}"))
    for name in outcome.names(State.WAITING):
        _complain(f"{name}: a source is being written without pause; the view is as it was")
    if arguments.json:
        print(json.dumps(as_json(project, outcome, check=arguments.check)))
    elif not arguments.quiet:
        print(_check_sentence(outcome, language) if arguments.check else _sentence(outcome, language))
    if outcome.failed or outcome.names(State.WAITING):
        return ExitCode.BAD_INPUT
    if arguments.check and outcome.changed:
        return ExitCode.STALE
    return ExitCode.OK


def run(arguments: argparse.Namespace) -> int:
    """Keep the views of projects current until a signal says stop."""
    from hypo_compactd import signals

    # Before the imports that take their time: a signal must not meet a program that does not know it.
    with signals.inbox() as inbox:
        return _run(arguments, inbox)


def _run(arguments: argparse.Namespace, inbox: Any) -> int:
    from hypo_compactd import logs
    from hypo_compactd.backend import Poll
    from hypo_compactd.errors import InputError
    from hypo_compactd.paths import absent_project, find_project
    from hypo_compactd.plan import Policy
    from hypo_compactd.supervisor import Supervisor
    from hypo_compactd.worker import Settings
    from hypo_compactd.writer import abandon

    given = arguments.projects or [None]
    projects = {}
    for name in given:
        try:
            one = find_project(name, must_exist=False)
        except InputError as error:
            if len(given) == 1:
                raise
            _complain(f"{error}; it is waited for")  # one that is gone must not keep the others from being kept
            one = absent_project(name)
        projects[one.root] = one
    if arguments.max_wait_ms < arguments.quiet_ms:
        return _usage("run", "--max-wait-ms must not be less than --quiet-ms")
    settings = Settings(
        Policy(arguments.policy), Poll(arguments.poll), arguments.quiet_ms, arguments.max_wait_ms, arguments.sweep_s
    )
    log = logs.setup(arguments.log_format, verbose=arguments.verbose)
    supervisor = Supervisor(list(projects.values()), settings, log, inbox)
    code = supervisor.run()
    if not supervisor.ended:
        # A thread still computes; the interpreter would wait for it. What is written is whole, whenever we end.
        abandon(1.0)
        os._exit(code)
    return code


def status(arguments: argparse.Namespace) -> int:
    """Say how the views and the daemon of projects are; writes nothing."""
    from hypo_compactd import status_command
    from hypo_compactd.overview import overviews

    found = overviews(arguments.projects or [None])
    for one in found:
        for finding in one.config.findings if one.config else ():
            _complain(f"{printable(str(one.project.shown))}: {finding}")
    if arguments.json:
        print(json.dumps(status_command.as_json(found)))
    else:
        print("\n".join(status_command.as_lines(found)))
    return status_command.exit_code(found)


def as_json(project: Any, outcome: Any, *, check: bool) -> dict[str, Any]:
    """Return the result of `compact` as data: schema 1, paths relative to the project."""
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


def _usage(command: str, text: str) -> int:
    _complain(text, command)
    return ExitCode.USAGE


def _complain(text: str, *command: str) -> None:
    """Say what is wrong; that nobody listens any more must not stop what was asked for."""
    with suppress(OSError):
        print(" ".join(("hypo-compactd", *command)) + f": {text}", file=sys.stderr)


def _make_printable() -> None:
    """Give the program both streams, and let no character that the terminal lacks end it."""
    sys.stdout = sys.stdout or _nowhere()
    sys.stderr = sys.stderr or _nowhere()  # closed by whoever started us; print() would take stdout in its place
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def _nowhere() -> TextIO:
    return open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123 - no path of a file; open to the end


def _close_stdout() -> None:
    """Send the rest of stdout nowhere: the interpreter writes it once more when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
