"""Markdown read as sections and blocks that remember their lines.

markdown-it-py finds the blocks (CommonMark with tables), so that a status line inside a code fence
is code and a pipe in a paragraph is a pipe. Texts and cells are taken from the source lines, since
a view must show them verbatim.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal

Kind = Literal["paragraph", "list", "table", "code", "quote", "html", "rule"]

_KINDS: dict[str, Kind] = {
    "paragraph_open": "paragraph",
    "bullet_list_open": "list",
    "ordered_list_open": "list",
    "table_open": "table",
    "fence": "code",
    "code_block": "code",
    "blockquote_open": "quote",
    "html_block": "html",
    "hr": "rule",
}
_MARKER = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])(?:\s+|$)")
_TABLE_RULE = re.compile(r"\|(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*")
_CELL_END = re.compile(r"(?<!\\)\|")
_LINK = re.compile(r"!?\[([^\[\]]{0,500})\]\([^()]{0,2000}\)")
"""A link; the bounds keep a text of nothing but brackets linear."""
_MARKS = re.compile(r"[*`~_\[]")
_EMPHASIS = re.compile(r"[*`~]|(?<!\w)_+|(?<!_)_+(?!\w)")


@dataclass(frozen=True, slots=True)
class Item:
    """A list item: its own first paragraph as one line, how deep it stands (0 is the top), its line.

    `raw` is the item's first source line without the indentation.
    """

    text: str
    depth: int
    line: int
    raw: str


@dataclass(frozen=True, slots=True)
class Row:
    """A table row: its cells, stripped, and its line. Cells beyond the header's are there too."""

    cells: tuple[str, ...]
    line: int
    raw: str


@dataclass(frozen=True, slots=True)
class Block:
    """A block at the top level of the document; lines count from 1, `end` is the line after it.

    `text` holds the source lines, stripped. `items` are set for a list, `header` and `rows` for a
    table (the row of dashes is neither).
    """

    kind: Kind
    line: int
    end: int
    text: str
    items: tuple[Item, ...] = ()
    header: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()

    @property
    def lines(self) -> list[str]:
        """The block's source lines without blank ones."""
        return [line.rstrip() for line in self.text.split("\n") if line.strip()]


@dataclass(slots=True)
class Section:
    """A heading and the blocks up to the next heading; level 0 and title "" before the first one."""

    level: int
    title: str
    line: int
    blocks: list[Block] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Document:
    """A Markdown text as sections in the order of the file; the first may be the one without heading."""

    sections: tuple[Section, ...]

    @property
    def title(self) -> str:
        """The text of the first level 1 heading, "" when there is none."""
        return next((section.title for section in self.sections if section.level == 1), "")

    def blocks(self) -> Iterator[Block]:
        """Yield every block of the document."""
        for section in self.sections:
            yield from section.blocks


def parse(text: str) -> Document:
    """Return the sections and blocks of a Markdown text; any text is a document."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    sections = [Section(0, "", 1)]
    tokens = _tokens(lines)
    for index, token in enumerate(tokens):
        if token.level or token.map is None:
            continue
        start, end = token.map
        if token.type == "heading_open":
            title = tokens[index + 1].content.strip()
            sections.append(Section(int(token.tag[1:]), " ".join(title.split()), start + 1))
        elif token.type in _KINDS:
            sections[-1].blocks.append(_block(_KINDS[token.type], start, end, lines, tokens, index))
    return Document(tuple(section for section in sections if section.level or section.blocks))


def cells(row: str, width: int | None = None) -> tuple[str, ...]:
    """Return the cells of a table row, stripped and as the source spells them; an escaped pipe does not end a cell.

    Where a row has more cells than its table's `width`, a pipe in inline code ends none either: who
    wrote `a|b` there did not mean two cells.
    """
    row = row.strip()
    parts = _CELL_END.split(row.removeprefix("|"))
    if parts and not parts[-1].strip() and row.endswith("|"):
        parts.pop()
    if width and len(parts) > width:
        parts = _code_kept_whole(parts)
    return tuple(part.strip() for part in parts)


def cell(text: str) -> str:
    """Return `text` as the content of one table cell: one line, its pipes escaped."""
    return re.sub(r"(?<!\\)\|", r"\\|", " ".join(text.split()))


def row(*texts: str) -> str:
    """Return a table row of ours."""
    return "| " + " | ".join(cell(text) for text in texts) + " |"


def plain(text: str) -> str:
    """Return `text` without emphasis, code marks and link targets: for comparing, not for showing."""
    if not _MARKS.search(text):
        return text.strip()
    return _EMPHASIS.sub("", _LINK.sub(r"\1", text)).strip()


def _code_kept_whole(parts: list[str]) -> list[str]:
    """Return the parts of a row, those between the two marks of inline code put together again."""
    whole: list[list[str]] = []
    is_open = False
    for part in parts:
        if is_open:
            whole[-1].append(part)
        else:
            whole.append([part])
        is_open ^= part.count("`") % 2 == 1
    return parts if is_open else ["|".join(pieces) for pieces in whole]


@cache
def _parser() -> Any:
    from markdown_it import MarkdownIt  # noqa: PLC0415 - slow to import; YAML views need none

    return MarkdownIt("commonmark").enable("table").disable("inline")


def _tokens(lines: list[str]) -> list[Any]:
    """Return the parser's tokens; a table begins a block also right below a list or a quotation.

    Markdown takes its rows for more of the item above. Who wrote them meant a table.
    """
    given: list[str] = []
    origin: list[int] = []
    for number, line in enumerate(lines):
        if number and line.startswith("|") and _TABLE_RULE.fullmatch("".join(lines[number + 1 : number + 2])):
            given.append("")
            origin.append(number - 1)
        given.append(line)
        origin.append(number)
    tokens = _parser().parse("\n".join(given))
    for token in tokens:
        if token.map is not None:
            start, end = token.map
            token.map = [origin[start], origin[end - 1] + 1]
    return list(tokens)


def _block(kind: Kind, start: int, end: int, lines: list[str], tokens: list[Any], index: int) -> Block:
    while end > start + 1 and not lines[end - 1].strip():
        end -= 1
    text = "\n".join(lines[start:end]).strip("\n")
    if kind == "list":
        return Block(kind, start + 1, end + 1, text, items=tuple(_items(tokens, index, lines)))
    if kind == "table":
        header = cells(lines[start])
        rows = (
            Row(cells(raw, len(header)), number, raw.strip())
            for number, raw in enumerate(lines[start + 2 : end], start + 3)
        )
        return Block(kind, start + 1, end + 1, text, header=header, rows=tuple(rows))
    return Block(kind, start + 1, end + 1, text.strip())


def _items(tokens: list[Any], index: int, lines: list[str]) -> Iterator[Item]:
    """Yield the items of the list that opens at `tokens[index]`, nested ones too."""
    depth = -1
    waiting: tuple[int, int] | None = None
    for position in range(index, len(tokens)):
        token = tokens[position]
        if token.type.endswith("list_open"):
            depth += 1
        elif token.type.endswith("list_close"):
            depth -= 1
            if depth < 0:
                break
        elif token.type == "list_item_open" and token.map:
            if waiting is not None:
                yield _item("", waiting, lines)
            waiting = (depth, token.map[0])
        elif token.type == "inline" and waiting is not None:
            yield _item(token.content, waiting, lines)
            waiting = None
    if waiting is not None:
        yield _item("", waiting, lines)


def _item(content: str, place: tuple[int, int], lines: list[str]) -> Item:
    depth, line = place
    raw = lines[line].strip()
    return Item(" ".join(content.split()) or _MARKER.sub("", raw, count=1), depth, line + 1, raw)
