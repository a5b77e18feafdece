"""The command `completion`: what a shell needs to complete the commands and their options."""

from __future__ import annotations

import argparse
from typing import Any

from hypo_compactd import PROGRAM
from hypo_compactd.console import add_command

SHELLS = ("bash", "zsh", "fish", "tcsh")
"""Those that shtab knows here; a test keeps them among its own."""

_BASH = "~/.local/share/bash-completion/completions"
_FISH = "~/.config/fish/completions"

_FOLDERS = frozenset({"PROJECT", "PATH"})
"""The arguments that are completed with folders, by their name in the help."""

_FILES = frozenset({"FILE", "RESULT"})
"""Those that are completed with files."""


def add(commands: Any) -> None:
    """Add the command to the parser of all."""
    one = add_command(
        commands,
        "completion",
        completion,
        summary="print a completion script for a shell",
        description="Print a script by which a shell completes the commands and their options.",
        examples=f"mkdir -p {_BASH} ~/.zfunc {_FISH}\n"
        f"{PROGRAM} completion bash > {_BASH}/{PROGRAM}\n"
        f"{PROGRAM} completion zsh > ~/.zfunc/_{PROGRAM}\n"
        f"{PROGRAM} completion fish > {_FISH}/{PROGRAM}.fish",
        notes="zsh looks there only if ~/.zshrc says so before compinit: fpath+=~/.zfunc",
    )
    one.add_argument("shell", choices=SHELLS, metavar="SHELL", help=f"one of {', '.join(SHELLS)}")


def completion(arguments: argparse.Namespace) -> int:
    """Print the script."""
    import shtab

    top: argparse.ArgumentParser = arguments.parser()
    for one in _parsers(top):
        for action in one._actions:  # noqa: SLF001 - argparse has no other way
            if action.metavar in _FOLDERS:
                action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]
            elif action.metavar in _FILES:
                action.complete = shtab.FILE  # type: ignore[attr-defined]
    print(shtab.complete(top, shell=arguments.shell))
    return 0


def _parsers(one: argparse.ArgumentParser) -> list[argparse.ArgumentParser]:
    """Return a parser and all below it."""
    found = [one]
    for action in one._actions:  # noqa: SLF001 - as above
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001
            for inner in dict.fromkeys(action.choices.values()):
                found += _parsers(inner)
    return found
