"""The output as text: sections, bullets, fences and tables, written so that they are read back the same; pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from hypo_strategies.handoff import lines, tables, words
from hypo_strategies.handoff._units import Texts
from hypo_strategies.handoff.blocks import parse
from hypo_strategies.handoff.model import Item
from hypo_strategies.handoff.outline import Node, Outline
from hypo_strategies.handoff.tidy import SECTIONS
from hypo_strategies.handoff.turns import own_turn

_WITH_LEADS = frozenset({"Facts", "Constraints", "References", "Open", "Conflicts"})
"""Sections whose label holds for more than one block."""
_WORDED = frozenset({"bullet", "prose"})
_VERBATIM = frozenset({"fence", "html", "quote"})
_NUMBER = re.compile(r"[(（]?(?:\d{1,3}|[a-z])[.)）、][ \t]|[①-⑳]")
"""A number at the start of a text that is read as that of the item."""
_NO_LEAD = frozenset("#>|`~<")
"""How a line begins that is no sentence."""
_WRAPPED = 50
_WRAPPED_WIDE = 28
"""Characters from which a line has been wrapped; of scripts with wide characters, fewer."""
_HEADING_COLUMN = 4
"""Columns from which a line that begins with `#` is no heading."""


def render(outline: Outline, shortened: Mapping[int, str], source: Sequence[str], texts: Texts) -> str:
    """Return the output.

    Args:
        outline: its tree.
        shortened: of items that lost something, what is left, by index.
        texts: where meanings are read.
        source: the lines of the handoff: rows are written as they are there.
    """
    writer = _Writer(shortened, source, texts)
    for section in SECTIONS:
        if section in outline.sections:
            writer.section(section, outline.sections[section])
    return "\n".join(writer.lines) + "\n" if writer.lines else ""


class _Writer:
    def __init__(self, shortened: Mapping[int, str], source: Sequence[str], texts: Texts) -> None:
        self.shortened = shortened
        self.texts = texts
        self.source = source
        self.lines: list[str] = []
        self.headers: dict[int, int] = {}
        """By the line of a row, that of its table's header; both counted from 1."""

    def section(self, name: str, root: Node) -> None:
        """Write a section: what stands below no heading, and then one heading after the other."""
        if self.lines:
            self.lines.append("")
        self.lines.append(f"{name}:")
        leads = [child for child in root.children if name in _WITH_LEADS and _may_lead(child)]
        lead_ids = {id(child) for child in leads}
        children = [child for child in root.children if id(child) not in lead_ids]
        if name == "Goal" and children and self._is_sentence(children[0]):
            self.lines += self._text(children[0]).split("\n")
            self._below(children[0].children, 0)
            children = children[1:]
        self._below(children, 0)
        for lead in leads:
            if self.lines[-1] != f"{name}:":
                self.lines.append("")
            self.lines.append(_emphasised(lead.text))  # it introduces what is below it: that needs no indentation
            self._below(lead.children, 0)

    def _is_sentence(self, node: Node) -> bool:
        """Return whether a goal is read again without a list marker."""
        if node.unit is None or node.label:
            return False
        text = self._text(node)
        read = parse(f"Goal:\n{text}\n").items
        item = node.unit.item
        return len(read) == 1 and read[0] == Item(
            text=text.removeprefix(f"{item.label}: ") if item.label else text,
            first=2,
            last=2 + text.count("\n"),
            headings=("Goal",),
            label=item.label,
            mark=item.mark,
        )

    def _below(self, nodes: Sequence[Node], column: int) -> None:
        """Write what stands below a line; the stack is one of our own, since no nesting is too deep."""
        waiting = _queued(nodes, column)
        while waiting:
            node, at, before = waiting.pop()
            if _is_row(node):
                rows = [node]
                while waiting and waiting[-1][1] == at and self._is_of_same_table(node, waiting[-1][0]):
                    rows.append(waiting.pop()[0])
                self._table(rows, at)
            else:
                waiting += _queued(node.children, at + self._node(node, at, before))

    def _node(self, node: Node, column: int, before: str) -> int:
        """Write one node; return how many columns further in what stands below it begins."""
        indent = " " * column
        if node.unit is None:
            text = _emphasised(node.text) if node.is_heading and not node.is_label else node.text
            self._bullet("- ", f"{text}:" if node.is_label else text, indent)
            return 2
        item = node.unit.item
        if _is_bare_html(item):
            self._apart()
            self.lines += [f"{indent}{line}".rstrip() for line in item.text.split("\n")]
            return 2
        text = self._text(node)
        if item.shape == "quote":
            text = "\n".join(f"> {line}".rstrip() for line in text.split("\n"))
        kind = _kind(node, before)
        number = f"{item.number} " if item.number else ""
        if kind != "-" and _is_weak(number) and kind != before:
            self._apart()
        marker = f"- {number}" if kind == "-" else number
        self._bullet(marker, text, indent, is_verbatim=item.shape in _VERBATIM)
        return len(marker) if kind != "-" else 2

    def _text(self, node: Node) -> str:
        """Return what is written of an item, with its speaker and label."""
        if node.unit is None:
            return node.text
        item = node.unit.item
        text = self.shortened.get(node.unit.index, item.text)
        if item.shape not in _WORDED and not node.as_bullet:
            return text
        one = _unwrapped(text)
        text = one if one and self.texts.meaning(one) == self.texts.meaning(text) else text
        label = item.label or node.label
        return f"{item.speaker}: " * bool(item.speaker) + f"{label}: " * bool(label) + text

    def _bullet(self, marker: str, text: str, indent: str, *, is_verbatim: bool = False) -> None:
        first, *more = text.split("\n")
        line = f"{indent}{marker}{first}"
        self.lines.append(line if is_verbatim else line.rstrip())
        inner = indent + " " * len(marker)
        for line in more:
            if line.startswith("#") and not is_verbatim:
                self.lines.append(" " * max(_HEADING_COLUMN, len(inner)) + line)
            else:
                self.lines.append(inner + line if line else "")

    def _apart(self) -> None:
        """Set apart what follows from a list item above it."""
        if self.lines[-1] and not self.lines[-1].endswith(":"):
            self.lines.append("")

    # -- tables

    def _is_of_same_table(self, one: Node, other: Node) -> bool:
        if not _is_row(other) or one.unit is None or other.unit is None:
            return False
        return self._header(one.unit.item.first) == self._header(other.unit.item.first)

    def _header(self, line: int) -> int:
        """Return the line of the header above a row; of a header its own."""
        if line in self.headers:
            return self.headers[line]
        if line < len(self.source) and lines.is_table_rule(self.source[line].strip()):
            self.headers[line] = self.headers[line + 1] = line
            return line
        at = line
        while at > 1 and at not in self.headers and not lines.is_table_rule(self.source[at - 1].strip()):
            at -= 1
        header = self.headers.get(at, at - 1)
        for number in range(at, line + 1):
            self.headers[number] = header
        return header

    def _table(self, rows: Sequence[Node], column: int) -> None:
        """Write rows of one table as such: the cells keep their places, and the header is written once."""
        found = [node.unit.item.first for node in rows if node.unit is not None]
        header = self._header(found[0])
        cells = tables.cells(self.source[header - 1])
        indent = " " * column
        self._apart()
        self.lines.append(indent + _row(cells))
        self.lines.append(f"{indent}|{'-|' * len(cells)}")
        self.lines += [indent + _row(tables.cells(self.source[line - 1])) for line in found if line != header]


def _queued(nodes: Sequence[Node], column: int) -> list[tuple[Node, int, str]]:
    """Return nodes, the last first, each with its column and the kind of list marker before it."""
    before = ""
    entries = []
    for node in nodes:
        entries.append((node, column, before))
        before = _kind(node, before)
    return entries[::-1]


def _kind(node: Node, before: str) -> str:
    """Return the kind of list marker that a node is written with: its own number, or `-`, maybe with the number behind.

    A number that begins no list, such as `3.`, is no marker right below other text.
    """
    if node.unit is None or not node.unit.item.number:
        return "-"
    number = f"{node.unit.item.number} "
    marker = lines.marker(f"{number}x")
    if marker is None:
        return "-"
    may_follow_bullet = not node.children and node.unit.item.shape in _WORDED and _NUMBER.match(number)
    return "-" if marker.weak and marker.kind != before and may_follow_bullet else marker.kind


def _is_weak(number: str) -> bool:
    marker = lines.marker(f"{number}x")
    return marker is not None and marker.weak


def _is_row(node: Node) -> bool:
    return node.unit is not None and node.unit.item.shape == "row" and not node.as_bullet


def _is_bare_html(item: Item) -> bool:
    return item.shape == "html" and not item.text.startswith("<!--")


def _row(cells: Sequence[str]) -> str:
    """Return a row of a table; a backslash at the end of a cell must not touch the bar."""
    return "".join(("|", *(f"{cell} |" if cell.endswith("\\") else f"{cell}|" for cell in cells)))


def _may_lead(node: Node) -> bool:
    """Return whether a heading is read again as the sentence that introduces all that is below it."""
    if not node.is_heading or node.is_label or not node.children or "\n" in node.text:
        return False
    text = _emphasised(node.text)
    begins_otherwise = (
        text[0] in _NO_LEAD
        or lines.marker(text)
        or lines.decoration(text)
        or lines.begins_with_id(text)
        or lines.begins_with_key(text)
        or words.label(text)
        or own_turn(text)
    )
    if begins_otherwise or any(
        _is_row(child) or (child.unit and _is_bare_html(child.unit.item)) for child in node.children
    ):
        return False
    first = node.children[0]
    return _kind(first, "") == "-" or first.unit is None or not _is_weak(first.unit.item.number)


def _emphasised(heading: str) -> str:
    """Return a heading so that a number at its start stays in it, and is not taken for that of a list item."""
    is_numbered = lines.marker(heading) or _NUMBER.match(heading)
    return f"**{heading}**" if is_numbered and "*" not in heading else heading


def _unwrapped(text: str) -> str:
    """Return a text whose lines have been wrapped at some width as one line, "" where the lines mean something."""
    parts = text.split("\n")
    if len(parts) < 2:
        return ""
    for line, after in pairwise(parts):
        widest = _WRAPPED if line.isascii() else _WRAPPED_WIDE
        if len(line) < widest or not line[-1:].isascii() or not after[:1].isascii() or line.endswith("\\"):
            return ""
    return " ".join(parts)
