"""The program: its commands, and how it ends. stdout is for data, stderr for people."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hypo_compactd import __version__
from hypo_compactd.commands import (
    compact,
    compact_context,
    completion,
    doctor,
    init,
    projects,
    run,
    service,
    status,
    wait,
)
from hypo_compactd.console import EXIT_CODES, PROGRAM, Help, Parser, close_stdout, complain, make_printable
from hypo_compactd.errors import CompactdError, ExitCode
from hypo_strategies.text.phrase import Phrase, phrase

if TYPE_CHECKING:
    from hypo_strategies.api import Language

COMMANDS = (run, compact, status, wait, init, projects, service, doctor, compact_context, completion)
"""In the order of the help."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    make_printable()
    given = sys.argv[1:] if arguments is None else arguments
    parsed = parser(*given[:1]).parse_args(given)
    try:
        code: int = parsed.command(parsed)
        sys.stdout.flush()
    except CompactdError as error:
        complain(error.phrase, _language(parsed))
        return error.exit_code
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Whoever read the output has gone; what was done is done.
        close_stdout()
        return ExitCode.OK
    except OSError as error:
        reason = Phrase((error.strerror or str(error)).lower())
        complain(phrase("{path}: {reason}", path=str(error.filename or "stdout"), reason=reason), _language(parsed))
        close_stdout()
        return ExitCode.UNEXPECTED
    return code


def _language(parsed: argparse.Namespace) -> Language:
    """Return the language for what ends a command; English where no file can be opened, not even one of ours."""
    try:
        from hypo_compactd.language import language_for  # noqa: PLC0415 - slow to import, and most runs end well

        return language_for(parsed)
    except (ImportError, OSError, MemoryError):
        return "en"


def parser(called: str | None = None) -> argparse.ArgumentParser:
    """Return the parser of all commands.

    Args:
        called: the first argument. Where it is a command, the others are left out: hooks wait for the start-up, and
            neither help nor errors of one command speak of another.
    """
    top = Parser(
        prog=PROGRAM,
        description="Keeps the compact views of a Hypo-Workflow project current.",
        epilog=EXIT_CODES,
        formatter_class=Help,
    )
    top.add_argument("--version", action="version", version=f"{PROGRAM} {__version__}")
    top.set_defaults(parser=parser)
    commands = top.add_subparsers(metavar="COMMAND", required=True, parser_class=Parser)
    wanted = [command for command in COMMANDS if command.__name__.rpartition(".")[2].replace("_", "-") == called]
    for command in wanted or COMMANDS:
        command.add(commands)
    return top
