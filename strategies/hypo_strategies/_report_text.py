"""The texts of a report, cleaned for comparing and for showing on one line."""

from __future__ import annotations

import re
from functools import lru_cache

from hypo_strategies.text import markdown
from hypo_strategies.text.limits import clip

LONGEST_STATEMENT = 2_000
"""Characters of a statement that are looked at; a line of a view has 500."""

_CONTROL = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x9f\u200b\ufeff]")
_EMPTY = frozenset({"", "-", "–", "—", "…", "...", "tbd", "todo", "n/a", "na", "null", "none", "无", "待定"})
_SIGNS = frozenset("✅✔✓❌✗")
_PLACEHOLDER = re.compile(r"\{[^{}]*\}|<[^<>]*>|待填写")


def says_something(text: str) -> bool:
    """Return whether a text is more than marks, a placeholder that nobody filled, or a word for nothing."""
    words = plain(_PLACEHOLDER.sub("", text)).strip("。.;；()（） ").lower()
    return words not in _EMPTY and any(char.isalnum() or char in _SIGNS for char in words)


def one_line(text: str) -> str:
    """Return a text as one line without control characters, clipped to what is ever looked at."""
    text = text[: 4 * LONGEST_STATEMENT]
    if not text.isprintable() or "  " in text:
        text = " ".join(_CONTROL.sub("", text).split())
    return clip(text.strip(), LONGEST_STATEMENT)


@lru_cache(maxsize=10_000)
def plain(text: str) -> str:
    """Return a text without marks, for comparing; each line of a report is compared several times."""
    return markdown.plain(one_line(text))


def normal(key: str) -> str:
    """Return a label for comparing: lower case, one space between words, no marks around."""
    words = re.sub(r"[\s_]+", " ", plain(key).lower())
    return re.sub(r"^[^\w]+|[^\w)）]+$", "", words)
