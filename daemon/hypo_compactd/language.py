"""The language in which people are spoken to."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from hypo_compactd import config
from hypo_compactd.errors import CompactdError
from hypo_compactd.paths import find_project
from hypo_strategies.api import Language, Options

_NO_PROJECT = Path(os.devnull)


def language_of(root: Path | None = None) -> Language:
    """Return the language of a project's configuration.

    That of the global configuration counts where the project's cannot be read, and the default where neither can.

    Args:
        root: the real path of the project; None for what concerns no single one.
    """
    for place in (_NO_PROJECT,) if root is None else (root, _NO_PROJECT):
        with suppress(CompactdError):
            return config.load(place).spoken
    return Options().language


def language_for(arguments: argparse.Namespace) -> Language:
    """Return the language of the one project that a command was called for, else that of the global configuration."""
    if hasattr(arguments, "project"):
        named = [arguments.project]
    elif hasattr(arguments, "all"):
        named = arguments.projects or ([] if arguments.all else [None])
    else:
        named = []
    if len(named) != 1:
        return language_of()
    try:
        return language_of(find_project(named[0], must_exist=False).root)
    except CompactdError:
        return language_of()


class GlobalLanguage:
    """Gives the language of the global configuration, which is read anew only when it has changed."""

    def __init__(self) -> None:
        self._known: Mapping[str, str | None] | None = None
        self._language = Options().language

    def __call__(self) -> Language:
        """Return the language."""
        with suppress(CompactdError):
            present = config.present(_NO_PROJECT)
            if present is None or present != self._known:
                self._known, self._language = present, language_of()
        return self._language
