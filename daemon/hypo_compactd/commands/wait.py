"""The command `wait`: return when all that was written before is in the views."""

from __future__ import annotations

import os
import sys

from hypo_compactd.errors import CompactdError, ExitCode
from hypo_strategies.text.phrase import phrase

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable
    from typing import Any, TypeAlias, TypeVar

    from hypo_strategies.text.phrase import Phrase

    T = TypeVar("T")
    Answer: TypeAlias = tuple[int, list[str]]
    """The exit code, and what is to be said."""

LIMIT_S = 10.0
"""How long a hook may wait, unless it says otherwise; with nothing in the way it is a fraction of a second."""

LEEWAY_S = 0.5
"""How much longer than the limit a look may take that is under way: it is seldom better to have none."""

WORDS_S = 0.3
"""How long finding out the language may take when the time is up: that of the project, and then the global one."""

ABANDON_S = 0.5
"""How long removing a half-written temporary file may take where a file system hangs."""


def add(commands: Any) -> None:
    """Add the command to the parser of all."""
    from hypo_compactd.console import add_command, add_project

    one = add_command(
        commands,
        "wait",
        wait,
        summary="return when all that was written before is in the views",
        description="Return when everything that was written into the sources before the call is in the views, with "
        "or without a daemon: what a hook runs before it reads them. Where compact.auto is false nothing is written.",
        examples="hypo-compactd wait\nhypo-compactd wait --timeout 2 ~/projects/tide || echo behind",
        notes="Exit code 3 when a view is still behind: the time is up, compact.auto is false, another process "
        "holds the lock. 65 when a source has an error: what can be made of it is in the views.",
    )
    add_project(one)
    one.add_argument(
        "--timeout",
        type=_seconds,
        default=LIMIT_S,
        metavar="S",
        help="how long to wait at most, in seconds; 0 only looks and writes nothing (default: 10)",
    )
    one.add_argument("-q", "--quiet", action="store_true", help="do not say what is behind; the exit code tells it")


def wait(arguments: argparse.Namespace) -> int:
    """Return when all that was written before is in the views; the exit code says whether it is."""
    limit_s = arguments.timeout + LEEWAY_S
    try:
        answer = _within(limit_s, lambda: _wait(arguments.project, arguments.timeout))
    except CompactdError as error:
        _tell(_words(error.phrase, arguments, limit_s))
        return error.exit_code
    if answer is None:
        if not arguments.quiet:
            said = phrase(
                "{project}: its files could not be seen within {seconds} s; allow more with --timeout, or check its file system",
                project=os.fspath(arguments.project or "."),
                seconds=f"{arguments.timeout:g}",
            )
            _tell(_words(said, arguments, WORDS_S))
        _abandon()
        os._exit(ExitCode.STALE)  # a thread still works; the interpreter would wait for what it writes
    code, lines = answer
    for line in () if arguments.quiet else lines:
        _tell(line)
    return code


def _tell(sentence: str) -> None:
    from hypo_compactd.console import tell

    tell(sentence)


def _wait(given: str | None, limit_s: float) -> Answer:
    from hypo_compactd.freshness import is_fresh
    from hypo_compactd.paths import find_project

    project = find_project(given)
    if is_fresh(project):
        return ExitCode.OK, []
    from hypo_compactd.catch_up import catch_up

    return catch_up(project, limit_s)


def _words(said: Phrase, arguments: argparse.Namespace, limit_s: float) -> str:
    """Return a sentence in the user's language; in English where that, or our own catalogue, is not read in time.

    Args:
        said: what is to be said.
        arguments: what names the project.
        limit_s: how long reading the project's configuration may take, and then the global one, in seconds.
    """

    def words(*, of_project: bool) -> str:
        from hypo_compactd.language import language_for, language_of
        from hypo_compactd.messages import translated

        return translated(said, language_for(arguments) if of_project else language_of())

    return (
        _within(limit_s, lambda: words(of_project=True))
        or _within(limit_s, lambda: words(of_project=False))
        or str(said)
    )


def _within(limit_s: float, work: Callable[[], T]) -> T | None:
    """Return what some work gives, None when it has not ended in time: a file system that hangs holds only a thread."""
    import _thread  # `threading` waits at the end for what hangs, and hooks wait for its import

    answers: list[T] = []
    errors: list[BaseException] = []

    ended = _thread.allocate_lock()
    ended.acquire()

    def run() -> None:
        try:
            answers.append(work())
        except BaseException as error:  # noqa: BLE001 - it is raised again where the command is
            errors.append(error)
        finally:
            ended.release()

    _thread.start_new_thread(run, ())
    try:
        ended.acquire(timeout=limit_s)
    except KeyboardInterrupt:
        _abandon()
        raise
    if errors:
        raise errors[0]
    return answers[0] if answers else None


def _abandon() -> None:
    # It is not imported here: that could wait for the very thread that hangs. Without it no view is being written.
    abandon = getattr(sys.modules.get("hypo_compactd.writer"), "abandon", None)
    if abandon is not None:
        abandon(ABANDON_S)


def _seconds(text: str) -> float:
    import argparse
    import math

    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds <= 3600:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds from 0 to 3600")
    return seconds
