"""Texts made alike before words are looked for in them, and lists of words as fast patterns; pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

LEFT = r"(?<![a-z0-9_])"
RIGHT = r"(?![a-z0-9_])"
"""Where a word of a folded text begins and ends: `\\b` finds no border between a Latin and a Thai or Han letter."""

_HIDDEN = re.compile(
    "[\u00ad\u034f\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff]"
)
_APOSTROPHES = "’‘ʼ´`"
_SHORT = 4_000
"""Characters of a text that is remembered: several questions in a row are asked of the same one."""
_ROW = re.compile(r"[^\x00-\x7f\w\s]{30}")
"""A row of combining marks that no language has: sorting a long one takes quadratic time, so it is divided (UAX #15, 13)
by a character that is hidden and goes with the others."""
_HYPHENS = re.compile("[\u2010-\u2013\u2212]")


def folded(text: str) -> str:
    """Return a text in one form of its letters: full-width forms, case, apostrophes and hyphens do not matter.

    Hidden characters go, so that none of them hides a word. Offsets into it are none into the text.
    """
    return _remembered(text) if len(text) <= _SHORT else _folded(text)


def _folded(text: str) -> str:
    if text.isascii():
        return text.lower().replace("`", "'")
    for apostrophe in _APOSTROPHES:
        text = text.replace(apostrophe, "'")
    return _HYPHENS.sub(
        "-", _HIDDEN.sub("", unicodedata.normalize("NFKC", _ROW.sub("\\g<0>\u034f", text)).casefold())
    ).replace("`", "'")


_remembered = lru_cache(maxsize=256)(_folded)


def listed(*tables: str) -> tuple[str, ...]:
    """Return the words of tables, divided by `|` or line ends, folded and in order."""
    return tuple(folded(word.strip()) for table in tables for word in re.split(r"[|\n]", table) if word.strip())


def alternatives(*tables: str) -> str:
    """Return the words of tables, divided by `|` or line ends, as one pattern for a folded text; the longest wins.

    The words are literals; a word that begins or ends with a Latin letter or digit begins or ends there. No first
    character is looked at twice, so that the pattern costs little in a text that holds none of them.
    """
    words = sorted(set(listed(*tables)), key=lambda word: (-len(word), word))
    return _tree(words, is_start=True)


def _tree(words: Iterable[str], *, is_start: bool = False) -> str:
    """Return a pattern for words, longest first, with those together that begin with the same character."""
    branches: dict[str, list[str]] = {}
    ends = False
    for word in words:
        if word:
            branches.setdefault(word[0], []).append(word[1:])
        else:
            ends = True
    parts = []
    for first in sorted(branches, key=lambda character: (not character.isascii(), character)):
        literal = r"\s{1,3}" if first == " " else re.escape(first)
        is_latin = first.isascii() and first.isalnum()
        if is_start and is_latin:
            literal += rf"(?<![a-z0-9_]{literal})"
        rests = branches[first]
        after = RIGHT if is_latin else ""
        if rests == [""]:
            parts.append(literal + after)
        elif "" in rests:
            parts.append(f"{literal}(?:{_tree(rest for rest in rests if rest)}|{after})")
        else:
            parts.append(literal + _tree(rests))
    pattern = "|".join(parts)
    return pattern if len(parts) == 1 and not ends and not is_start else f"(?:{pattern})"
