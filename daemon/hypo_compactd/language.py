"""The language in which people are spoken to."""

from __future__ import annotations

import os
from pathlib import Path

from hypo_compactd import config
from hypo_compactd.errors import CompactdError
from hypo_strategies.api import Language, Options


def language_of(root: Path | None = None) -> Language:
    """Return the language of a project's configuration; the default's where that cannot be read.

    Args:
        root: the real path of the project; None for what concerns no single one: the global configuration counts.
    """
    try:
        return config.load(root or Path(os.devnull)).options.language
    except CompactdError:
        return Options().language
