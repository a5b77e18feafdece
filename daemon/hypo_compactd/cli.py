"""The program: its commands, and how it ends. stdout is for data, stderr for people.

Hooks wait for the start-up, so nothing is imported here that only some commands need.
"""

from __future__ import annotations

import sys

from hypo_compactd import PROGRAM, __version__, plain_calls
from hypo_compactd.streams import close_stdout, make_printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from typing import Any

    from hypo_strategies.api import Language
    from hypo_strategies.text.phrase import Phrase

COMMANDS = (
    "run",
    "compact",
    "status",
    "wait",
    "init",
    "projects",
    "service",
    "doctor",
    "compact-context",
    "completion",
)
"""In the order of the help; each stands in the module of its name."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    make_printable()
    given = sys.argv[1:] if arguments is None else list(arguments)
    from hypo_compactd.errors import CompactdError, ExitCode  # noqa: PLC0415 - see above

    parsed: Any = None
    try:
        if given == ["--version"]:
            print(PROGRAM, __version__)  # noqa: T201 - what was asked for; no parser is needed for it
            code: int = ExitCode.OK
        else:
            parsed = plain_calls.parsed(given) or parser(*given[:1]).parse_args(given)
            code = parsed.command(parsed)
        sys.stdout.flush()
    except CompactdError as error:
        _complain(error.phrase, parsed)
        return error.exit_code
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Whoever read the output has gone; what was done is done.
        close_stdout()
        return ExitCode.OK
    except OSError as error:
        from hypo_strategies.text.phrase import Phrase, phrase  # noqa: PLC0415 - see above

        reason = Phrase((error.strerror or str(error)).lower())
        _complain(phrase("{path}: {reason}", path=str(error.filename or "stdout"), reason=reason), parsed)
        close_stdout()
        return ExitCode.UNEXPECTED
    return code


def _complain(said: Phrase, parsed: Any) -> None:
    from hypo_compactd.console import complain  # noqa: PLC0415 - see above

    complain(said, "en" if parsed is None else _language(parsed))


def _language(parsed: Any) -> Language:
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
    import importlib  # noqa: PLC0415 - see above

    from hypo_compactd.console import EXIT_CODES, Help, Parser  # noqa: PLC0415 - see above

    top = Parser(
        prog=PROGRAM,
        description="Keeps the compact views of a Hypo-Workflow project current.",
        epilog=EXIT_CODES,
        formatter_class=Help,
    )
    top.add_argument("--version", action="version", version=f"{PROGRAM} {__version__}")
    top.set_defaults(parser=parser)
    # Without `prog` argparse would work it out, which takes longer than all the rest here.
    commands = top.add_subparsers(metavar="COMMAND", required=True, parser_class=Parser, prog=PROGRAM)
    for name in (called,) if called in COMMANDS else COMMANDS:
        importlib.import_module(f"hypo_compactd.commands.{name.replace('-', '_')}").add(commands)
    return top
