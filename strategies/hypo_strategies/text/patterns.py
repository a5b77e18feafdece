"""The patterns by which a strategy names its sources."""

from __future__ import annotations

import re
from functools import cache


def matches(path: str, *patterns: str) -> bool:
    """Return whether a pattern matches the whole path.

    `*` and `[...]` stand for characters inside one part of the path, `**` for any number of parts.
    """
    return any(_regex(pattern).fullmatch(path) for pattern in patterns)


@cache
def _regex(pattern: str) -> re.Pattern[str]:
    out = []
    for piece in re.findall(r"\*\*/|\*|\[[^\]]*\]|[^*\[]+", pattern):
        if piece == "**/":
            out.append("(?:[^/]+/)*")
        elif piece == "*":
            out.append("[^/]*")
        else:
            out.append(piece if piece.startswith("[") else re.escape(piece))
    return re.compile("".join(out), re.DOTALL)
