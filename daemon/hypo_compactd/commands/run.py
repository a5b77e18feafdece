"""The command `run`: the daemon, in the foreground."""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import ExitStack, nullcontext
from pathlib import Path
from typing import Any

from hypo_compactd.console import add_command, add_projects, usage
from hypo_strategies.text.phrase import phrase


def add(commands: Any) -> None:
    """Add the command to the parser of all."""
    one = add_command(
        commands,
        "run",
        run,
        summary="keep the views current until stopped",
        description="The daemon, in the foreground: refreshes the views of one or more projects whenever their sources have changed.",
        examples="hypo-compactd run ~/projects/one ~/projects/two\nhypo-compactd run --all",
        notes="SIGTERM and SIGINT stop it, SIGHUP reads the configuration anew.",
    )
    add_projects(one)
    one.add_argument(
        "--all",
        action="store_true",
        help="every registered project, also those that are added later: what a service runs",
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
    one.add_argument(
        "--log-file",
        type=Path,
        metavar="FILE",
        help="log to this file instead of stderr; at 1 MB it is put aside, and the three last ones are kept",
    )
    one.add_argument("-v", "--verbose", action="store_true", help="log looks that found nothing too")


def run(arguments: argparse.Namespace) -> int:
    """Keep the views of projects current until a signal says stop."""
    from hypo_compactd import signals

    # Before the imports that take their time: a signal must not meet a program that does not know it.
    with signals.inbox() as inbox, ExitStack() as outlets:
        return _run(arguments, inbox, outlets)


def _run(arguments: argparse.Namespace, inbox: Any, outlets: ExitStack) -> int:
    from hypo_compactd import logs
    from hypo_compactd.backend import Poll
    from hypo_compactd.bar import Bar
    from hypo_compactd.language import language_of
    from hypo_compactd.lock import all_lock
    from hypo_compactd.memory import keep_small
    from hypo_compactd.messages import message
    from hypo_compactd.notify import Notifier
    from hypo_compactd.outlet import Outlet
    from hypo_compactd.paths import find_project, home
    from hypo_compactd.plan import Policy
    from hypo_compactd.supervisor import Supervisor
    from hypo_compactd.worker import Settings
    from hypo_compactd.writer import abandon

    keep_small()
    home()  # without one nothing can be kept
    given = arguments.projects or ([] if arguments.all else [None])
    if len(given) == 1 and not arguments.all:
        given = [os.fspath(find_project(given[0], must_exist=False).shown)]

    if arguments.max_wait_ms < arguments.quiet_ms:
        return usage("run", phrase("--max-wait-ms must not be less than --quiet-ms"), language_of())
    settings = Settings(
        Policy(arguments.policy), Poll(arguments.poll), arguments.quiet_ms, arguments.max_wait_ms, arguments.sweep_s
    )
    stderr = outlets.enter_context(Outlet(sys.stderr))
    bar = Bar(stderr, message("bar_first_look", language_of()))
    log_to = stderr if arguments.log_file is None else outlets.enter_context(Outlet(logs.LogFile(arguments.log_file)))
    above = bar.above if log_to is stderr else lambda _text: False
    log = logs.setup(arguments.log_format, verbose=arguments.verbose, stream=log_to, above=above)
    unread = "whoever reads the log had stopped reading"
    log_to.on_dropped = lambda count: log.warning("dropped", events=count, hint=unread)
    if arguments.all:
        from hypo_compactd import registry

        hint = "its projects are kept as they were"
        everything = registry.Everything(lambda reason: log.error("registry", reason=reason, hint=hint))

    def wanted() -> list[str]:
        return [*given, *(everything() if arguments.all else ())]

    notifier = Notifier(os.environ, os.getpid())
    files = registry.files() if arguments.all else ()
    supervisor = Supervisor(wanted, settings, log, inbox, notifier, bar, files)
    with all_lock() if arguments.all else nullcontext(), bar:
        code = supervisor.run()
    if not supervisor.ended:
        # A thread still computes; the interpreter would wait for it. What is written is whole, whenever we end.
        abandon(1.0)
        outlets.close()
        os._exit(code)
    return code


def _seconds(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= 3_600:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds from 1 to 3600")
    return int(text)


def _milliseconds(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= 3_600_000:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of milliseconds from 1 to 3600000")
    return int(text)
