"""Text whose bytes were not all UTF-8.

The reader decodes a source with `errors="surrogateescape"`: a byte that is not UTF-8 becomes a
lone surrogate. A line that holds one is not known, so it never enters a view; the other lines do.
"""

from __future__ import annotations

import re

_LONE = re.compile("[\ud800-\udfff]")


def undecodable_lines(text: str) -> list[int]:
    """Return the numbers (from 1) of the lines that hold bytes which are not UTF-8."""
    if not _LONE.search(text):
        return []
    return [number for number, line in enumerate(text.split("\n"), 1) if _LONE.search(line)]


def drop_undecodable(text: str) -> tuple[str, list[int]]:
    """Return the text with the undecodable lines emptied (line numbers stay) and their numbers."""
    bad = set(undecodable_lines(text))
    if not bad:
        return text, []
    lines = ["" if number in bad else line for number, line in enumerate(text.split("\n"), 1)]
    return "\n".join(lines), sorted(bad)
