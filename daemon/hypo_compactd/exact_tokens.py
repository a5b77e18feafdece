"""The tokens of sources and views as a real tokenizer counts them, for those who want exact figures.

The tokenizer is no dependency: its vocabularies take 75 MB, and it counts for the models of one maker alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from hypo_compactd import config as configuration
from hypo_compactd.errors import CompactdError, InputError
from hypo_compactd.look import VIEW_LIMIT
from hypo_compactd.project_status import Overview, ViewStatus
from hypo_compactd.reader import FILE_LIMIT, LOG_LIMIT, Snapshot, list_sources, read_file
from hypo_strategies.registry import get_strategy

NAMES = ("o200k_base", "cl100k_base")
"""The vocabularies that can be asked for; a test keeps them among the tokenizer's own."""

Count = Callable[[str], int]


def counter(name: str) -> Count:
    """Return what counts the tokens of a text.

    Raises:
        InputError: the tokenizer is not installed.
    """
    try:
        from bpe_openai import get_encoding  # noqa: PLC0415 - an extra
    except ImportError:
        raise InputError(
            "no tokenizer is installed; pip install 'hypo-compactd[tokens]' brings one, and without --tokenizer "
            "the tokens are estimated"
        ) from None
    encoding = get_encoding(name)
    return lambda text: len(encoding.encode_ordinary(text))


def recounted(overview: Overview, count: Count) -> Overview:
    """Return a project with the tokens of its sources and views counted; one that cannot be read stays as it is."""
    try:
        return replace(overview, views=tuple(_view(overview, view, count) for view in overview.views))
    except (CompactdError, OSError):
        return overview


def _view(overview: Overview, view: ViewStatus, count: Count) -> ViewStatus:
    root = overview.project.root
    config = configuration.load(root)
    before = 0
    for path, place in list_sources(root, config.layout, get_strategy(view.name).needs, Snapshot()):
        try:
            limit = LOG_LIMIT if path == "log.yaml" else FILE_LIMIT
            before += count(read_file(root, place, limit=limit).data.decode("utf-8", "replace"))
        except FileNotFoundError:
            continue
    try:
        after = count(read_file(root, view.file, limit=VIEW_LIMIT).data.decode("utf-8", "replace"))
    except FileNotFoundError:
        return view
    return replace(view, tokens_before=before, tokens_after=after)
