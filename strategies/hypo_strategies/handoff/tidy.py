"""White space made regular where it means nothing, and whether a handoff has the output shape already; pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hypo_strategies.handoff.model import Document

SECTIONS = ("Goal", "Confirmed", "Facts", "Constraints", "Scope", "References", "Open", "Conflicts")
"""The labels of the output, in its order (compact-context, Output)."""

_SECTION = re.compile(rf"({'|'.join(SECTIONS)}):")
_ADDED = re.compile(r"\s{0,3}\+(?!\+)")
_TAKEN_AWAY = re.compile(r"\s{0,3}-(?!-)")
_VERBATIM = frozenset({"fence", "html"})


def tidied(source: Sequence[str], document: Document) -> str:
    """Return a handoff without blanks at line ends and without blank lines that only repeat one; LF ends its lines.

    Fences and comments stay as they are.

    Args:
        source: its lines.
        document: the same, read.
    """
    as_is: set[int] = set()
    for item in document.items:
        if item.shape in _VERBATIM:
            as_is.update(range(item.first, item.last + 1))
    kept: list[str] = []
    for number, line in enumerate(source, 1):
        if number in as_is:
            kept.append(line)
        elif shown := line.rstrip(" \t"):
            kept.append(shown)
        elif kept and kept[-1]:
            kept.append("")
    while kept and not kept[-1]:
        kept.pop()
    return "\n".join(kept) + "\n" if kept else ""


def is_diff(source: Sequence[str], document: Document) -> bool:
    """Return whether lines outside of fences begin with `+` and others with `-`: these signs mean something.

    Args:
        source: the lines of a handoff.
        document: the same, read.
    """
    inside: set[int] = set()
    for item in document.items:
        if item.shape in _VERBATIM:
            inside.update(range(item.first, item.last + 1))
    own = [line for number, line in enumerate(source, 1) if number not in inside]
    return any(map(_ADDED.match, own)) and any(map(_TAKEN_AWAY.match, own))


def has_output_shape(source: Sequence[str], document: Document) -> bool:
    """Return whether a handoff has the sections of the output alone, in its order, each at most once.

    Args:
        source: its lines.
        document: the same, read.
    """
    tops = [item.headings[0] if item.headings else "" for item in document.items]
    if not tops or document.title or any(top not in SECTIONS for top in tops):
        return False
    inside: set[int] = set()
    for item in document.items:
        inside.update(range(item.first, item.last + 1))
    labels = [
        found[1]
        for number, line in enumerate(source, 1)
        if number not in inside and (found := _SECTION.fullmatch(line.rstrip()))
    ]
    places = [SECTIONS.index(label) for label in labels]
    return places == sorted(set(places)) and set(tops) == set(labels)
