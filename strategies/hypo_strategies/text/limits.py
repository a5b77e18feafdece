"""The size that a view may have, and how to cut a text so that the cut is seen (views.md, rule 6)."""

from __future__ import annotations

MAX_LINES = 240
"""The SessionStart hook reads this many lines of each file."""

MAX_BYTES = 32 * 1024
"""UTF-8 bytes of a whole view."""

MAX_MARKDOWN_LINE = 1_000
"""Characters of a line in a Markdown view."""

MAX_YAML_LINE = 4_000
"""Characters of a line in a YAML view."""

ELLIPSIS = "…"


def clip(text: str, limit: int) -> str:
    """Return `text` in at most `limit` characters; a cut ends with `…`.

    Args:
        text: one line.
        limit: in characters, the `…` included; at least 1.
    """
    if len(text) <= limit:
        return text
    return text[: limit - 1].rstrip() + ELLIPSIS


def fits(lines: list[str]) -> bool:
    """Return whether the lines make a view that is short enough (lines and bytes)."""
    return len(lines) <= MAX_LINES and bytes_of(lines) <= MAX_BYTES


def bytes_of(lines: list[str]) -> int:
    """Return how many UTF-8 bytes the lines take, each with its line break."""
    return sum(len(line.encode("utf-8", "replace")) + 1 for line in lines)
