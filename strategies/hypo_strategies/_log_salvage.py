"""The entries of a log that does not parse: each that parses alone is kept (views.md, rule 5).

One bad entry costs itself, not the other three hundred (formats.md, 11.3). So does an entry with a
line that slipped out of its indentation, and the last one of a log caught half written; the two
sides of a merge conflict are read past its markers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from hypo_strategies.text.phrase import phrase
from hypo_strategies.text.salvage import STRAY, Piece, dedent_item, items, sections
from hypo_strategies.text.yaml import Node, Scalar, YamlError, parse

_MARKER = re.compile(r"(?:<{7}|\|{7}|={7}|>{7})(?!\S)|---|\.\.\.")


def salvage(text: str) -> Iterator[tuple[int, Node | YamlError]]:
    """Yield, in file order, the line of each piece of the log and what it is: an item, or why it is none."""
    for region in _regions(text):
        pieces = items(region.text, line=region.line, to_end=True)
        if pieces:
            yield from _unlisted(region, pieces[0].line)
        for group in _groups(pieces):
            yield from _read(group)


def _regions(text: str) -> list[Piece]:
    """Return the parts of the text that hold the list: below each `entries:`, or all of a top-level list.

    Another key at the margin ends the list when something can stand below it. A key with its value
    on its line is one that slipped out of an entry, as nothing else can be listed after it.
    """
    keys = sections(text)
    if not any(piece.key == "entries" for piece in keys):
        return [] if any(map(_opens, keys)) else [Piece(1, text)]
    regions: list[list[Piece]] = []
    inside = False
    for piece in keys:
        if piece.key == "entries":
            regions.append([piece])
            inside = True
        elif inside and not _opens(piece):
            regions[-1].append(piece)
        else:
            inside = False
    return [_joined(pieces) for pieces in regions]


def _opens(section: Piece) -> bool:
    """Return whether the key's value can go on below its line."""
    value = _first_line(section).partition(":")[2].strip()
    if value[:1] in {'"', "'"}:
        return len(value) < 2 or value[-1] != value[0]
    return not value or value[0] in "#|>&!*[{"


def _unlisted(region: Piece, first: int) -> Iterator[tuple[int, YamlError]]:
    """Yield a problem for content above the list (`first` is its first line), as when a dash is missing."""
    skip = 1 if region.key else 0
    above = region.text.split("\n")[skip : first - region.line]
    for number, raw in enumerate(above, region.line + skip):
        if raw.strip() and not raw.lstrip().startswith(("#", "---", "%")):
            yield number, YamlError(phrase("content above the first entry"), number, 1)
            return


def _groups(pieces: list[Piece]) -> list[list[Piece]]:
    """Return each item with the stray lines that follow it; a dash at another indent begins a group of its own."""
    groups: list[list[Piece]] = []
    for piece in pieces:
        if piece.key == STRAY and dedent_item(piece) == piece.text:
            groups[-1].append(piece)
        else:
            groups.append([piece])
    return groups


def _read(group: list[Piece]) -> Iterator[tuple[int, Node | YamlError]]:
    """Yield the item; markers after it are lines of their own, any other stray line may be a part of it."""
    item, strays = group[0], group[1:]
    if item.key == STRAY:
        yield item.line, YamlError(phrase("an entry outside of the list"), item.line, 1)
        return
    if strays and all(map(_is_marker, strays)):
        yield strays[0].line, YamlError(phrase("a line that belongs to no entry"), strays[0].line, 1)
        strays = []
    yield item.line, _item(_joined([item, *strays]))


def _item(piece: Piece) -> Node | YamlError:
    try:
        return parse(dedent_item(piece), line=piece.line) or Scalar("", line=piece.line)
    except YamlError as error:
        return YamlError(
            phrase("an entry that is not valid YAML: {problem}", problem=error.problem), error.line, error.column
        )


def _is_marker(stray: Piece) -> bool:
    """Return whether a stray line is a conflict or document marker; any other may be a part of the entry above."""
    return bool(_MARKER.match(stray.text)) and "\n" not in stray.text.rstrip()


def _first_line(piece: Piece) -> str:
    return piece.text.split("\n", 1)[0]


def _joined(pieces: list[Piece]) -> Piece:
    return replace(pieces[0], text="\n".join(piece.text for piece in pieces))
