"""Cutting a YAML file that does not parse into pieces of which most do.

One bad line must cost that line, not the file (views.md, rule 5). A piece counts as proved only
when it parses alone; where a piece begins is decided by indentation, which in block style is what
YAML itself goes by: it requires the further lines of a quoted scalar to stand deeper than its key,
so none of them begins a piece.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

_KEY = re.compile(r"""(\w[\w.-]*|"[^"\n]*"|'[^'\n]*')[ ]*:(?=\s|$)""")
_DASH = re.compile(r"( *)-(?=\s|$)")

STRAY = "?"
"""The key of a piece of `items` that is no item: a line that slipped out of the list's indentation."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Some whole lines of a file: `line` is the number of the first (from 1), `text` the lines.

    `key` is the mapping key that the piece begins with, "" for a list item.
    """

    line: int
    text: str
    key: str = ""


def sections(text: str, *, line: int = 1, indent: int = 0) -> list[Piece]:
    """Cut at the lines that begin a key at the column `indent`; what stands before the first is left out."""
    return _cut(text, line, lambda raw: _key_at(raw, indent))


def items(text: str, *, line: int = 1, to_end: bool = False) -> list[Piece]:
    """Cut at the dashes of the first block list in `text`; what stands before the first dash is left out.

    A line that is indented less than the dashes, blank lines and comments aside, ends the list. With
    `to_end` it does not (a conflict marker, say); such a line begins a piece with the key `STRAY`.
    """
    lines = text.split("\n")
    first = next((index for index, raw in enumerate(lines) if _DASH.match(raw)), None)
    if first is None:
        return []
    dash = _DASH.match(lines[first])
    indent = len(dash[1]) if dash else 0
    end = next((index for index in range(first, len(lines)) if _outdented(lines[index], indent)), len(lines))
    body = "\n".join(lines[first:] if to_end else lines[first:end])

    def begins(raw: str) -> str | None:
        if (hit := _DASH.match(raw)) and len(hit[1]) == indent:
            return ""
        return STRAY if _outdented(raw, indent) else None

    return _cut(body, line + first, begins)


def dedent_item(piece: Piece) -> str:
    """Return the piece's item as a document of its own: the dash becomes a blank."""
    dash = _DASH.match(piece.text.split("\n", 1)[0])
    return dash[1] + " " + piece.text[dash.end() :] if dash else piece.text


def _outdented(raw: str, indent: int) -> bool:
    stripped = raw.strip()
    if not stripped or stripped.startswith("#"):
        return False
    width = len(raw) - len(raw.lstrip(" "))
    return width < indent or (width == indent and not _DASH.match(raw))


def _key_at(raw: str, indent: int) -> str | None:
    if raw[:indent].strip(" "):
        return None
    hit = _KEY.match(raw, indent)
    return hit[1].strip("\"'") if hit else None


def _cut(text: str, line: int, begins: Callable[[str], str | None]) -> list[Piece]:
    pieces: list[tuple[int, str, list[str]]] = []
    for number, raw in enumerate(text.split("\n"), line):
        key = begins(raw)
        if key is not None:
            pieces.append((number, key, [raw]))
        elif pieces:
            pieces[-1][2].append(raw)
    return [Piece(number, "\n".join(lines), key) for number, key, lines in pieces]
