"""What the commands share: the parser and its errors, exit codes in words, complaints on stderr.

Help and what argparse itself says of a wrong call are English, as it has no other language.
"""

from __future__ import annotations

import argparse
import sys
from contextlib import suppress

from hypo_compactd import PROGRAM
from hypo_compactd.errors import ExitCode
from hypo_compactd.messages import printable, translated
from hypo_strategies.text.phrase import Phrase

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

    from hypo_strategies.api import Language

EXIT_CODES = """\
exit codes:
  0   fine
  1   unexpected
  3   stale or findings: a view is not what its sources give, the daemon hangs, doctor or compact-context found something
  4   a person must look: compact-context --check cannot prove that nothing is lost
  64  wrong usage
  65  bad input: no project, or a source that cannot be read
  69  another process holds the project
  78  bad configuration: a file, or the list of projects, that cannot be read at all
"""


class Help(argparse.RawDescriptionHelpFormatter):
    """Wraps a text of one line, leaves one of several as it is."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        wrap = argparse.HelpFormatter._fill_text  # noqa: SLF001 - argparse has no other way
        return super()._fill_text(text, width, indent) if "\n" in text else wrap(self, text, width, indent)


class Parser(argparse.ArgumentParser):
    """An argument parser that takes options wherever they stand; its errors end with the exit code for wrong usage."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Do as argparse does, in two goes where there are no commands below: the options, then the places.

        In one go it fills the places with what stands before the first option behind one of them, and finds no use
        for what comes later. Its own `parse_intermixed_args` takes no commands, and on 3.11 forgets a `--`.
        """
        if self._subparsers is not None or args is None:
            return super().parse_known_args(args, namespace)
        options = Parser.__new__(type(self))  # what copy.copy gives, for a millisecond of every start
        vars(options).update(vars(self), _actions=self._get_optional_actions())
        vars(options).update(error=self.error, print_help=self.print_help)  # errors and the help show the places too
        end = args.index("--") if "--" in args else len(args)
        namespace, places = super(Parser, options).parse_known_args(args[:end], namespace)
        places += args[end:]
        if "" in places:  # a variable of a script that is not set; pathlib would take it for the working directory
            self.error("an argument is empty; the working directory is called .")
        return super().parse_known_args(places, namespace)

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(ExitCode.USAGE, f"{self.prog}: {message}\n")


def add_command(
    commands: Any, name: str, command: Any, *, summary: str, description: str, examples: str, notes: str = ""
) -> argparse.ArgumentParser:
    """Add a command to the parser of all and return its own parser.

    Args:
        commands: what `ArgumentParser.add_subparsers` gave.
        name: what the user types.
        command: called with the parsed arguments; returns the exit code.
        summary: its line in the list of commands.
        description: what it does.
        examples: lines as they are typed.
        notes: a paragraph before the exit codes.
    """
    lines = "".join(f"  {line}\n" for line in examples.splitlines())
    label = "examples" if examples.count("\n") else "example"
    one: argparse.ArgumentParser = commands.add_parser(
        name,
        help=summary,
        description=description,
        epilog=f"{label}:\n{lines}\n" + (f"{notes}\n\n" if notes else "") + EXIT_CODES,
        formatter_class=Help,
    )
    one.set_defaults(command=command)
    return one


def add_project(one: argparse.ArgumentParser) -> None:
    """Add the argument for one project."""
    one.add_argument(
        "project",
        nargs="?",
        metavar="PROJECT",
        help="the folder that holds .pipeline/ (default: the nearest one upwards)",
    )


def add_projects(one: argparse.ArgumentParser) -> None:
    """Add the argument for any number of projects."""
    one.add_argument(
        "projects",
        nargs="*",
        metavar="PROJECT",
        help="folders that hold a .pipeline/ (default: the nearest one upwards)",
    )


def complain(said: Phrase, language: Language, *command: str) -> None:
    """Say what is wrong in one language."""
    try:
        sentence = translated(said, language)
    except (ImportError, OSError, MemoryError):  # where no file can be opened, the catalogue cannot be loaded either
        sentence = str(said)
    tell(sentence, *command)


def tell(sentence: str, *command: str) -> None:
    """Print a sentence for people; that nobody listens any more must not stop what was asked for."""
    with suppress(OSError):
        print(" ".join((PROGRAM, *command)) + f": {printable(sentence)}", file=sys.stderr)  # noqa: T201 - to people


def usage(command: str, said: Phrase, language: Language) -> int:
    """Say what is wrong with how a command was called where argparse sees nothing wrong; return the exit code for it."""
    complain(said, language, command)
    return ExitCode.USAGE
