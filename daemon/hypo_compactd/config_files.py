"""The configuration files as they are read, and the locale beside them: all that a configuration is made of.

This much needs neither YAML nor the strategies, so that whether anything has changed costs little to see.
"""

from __future__ import annotations

import os

from hypo_compactd import paths
from hypo_compactd.errors import ConfigurationError, RefusedError, UnstableError
from hypo_compactd.reader import FILE_LIMIT, describe, read_settled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypo_compactd.reader import SourceFile
    from hypo_strategies.api import Language

PROJECT_FILE = ".pipeline/config.yaml"
GLOBAL_FILE = "~/.hypo-workflow/config.yaml"


def read_files(root: str | os.PathLike[str]) -> dict[str, SourceFile | None]:
    """Return both files by name, None for a missing one, in the order in which they count.

    Args:
        root: the real path of the project.

    Raises:
        ConfigurationError: a file exists and cannot be read.
        InputError: this user has no home folder.
    """
    # The global file is the user's own and may well be a link into a folder of dotfiles; a project's is not trusted.
    folder, _, name = os.path.realpath(paths.global_place()).rpartition("/")
    return {
        PROJECT_FILE: _read(os.fspath(root), PROJECT_FILE, PROJECT_FILE),
        GLOBAL_FILE: _read(folder, name, GLOBAL_FILE),
    }


def digests(files: Mapping[str, SourceFile | None]) -> dict[str, str | None]:
    """Return what tells these files from others, by name."""
    return {name: None if file is None else file.digest for name, file in files.items()}


def locale_language(environment: Mapping[str, str]) -> Language:
    """Return the language that the locale asks for: what `output.language: auto` stands for."""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        value = environment.get(variable)
        if value:
            return "zh-CN" if value.lower().startswith("zh") else "en"
    return "en"


def _read(root: str, path: str, name: str) -> SourceFile | None:
    try:
        return read_settled(os.path.realpath(root), path, limit=FILE_LIMIT)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (RefusedError, UnstableError) as error:
        raise ConfigurationError("{path}: {reason}", path=name, reason=error) from None
    except OSError as error:
        raise ConfigurationError("{path}: {reason}", path=name, reason=describe(error)) from None
