"""A handoff read as located items: the smallest parts that can be moved as a whole; pure.

An own scanner of lines, not a parser of Markdown: handoffs hold shapes that CommonMark reads otherwise than their
writers meant them (`Facts:` right below a bullet, `•`, `AC-01:` lines, a numbered title above a rule of dashes), and
hostile ones must cost no more than honest ones. Nothing is dropped: every line with text belongs to one item, or to
the heading, label, table header or rule that the items below carry.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from hypo_strategies.handoff import hidden, lines, tables, turns, verbatim, words
from hypo_strategies.handoff.model import Document, Item, Section, Shape, State
from hypo_strategies.handoff.nesting import LABEL, LEAD, Heading, Nesting, Open

_LONGEST_LABEL = 160
"""Characters: a longer line is a sentence, whatever it ends with."""
_HEAD = 240
"""Characters of an item in which its speaker, mark and label are looked for."""
_CODE_COLUMN = 4
"""Columns from which a line outside of lists is code or a quotation of Markdown, no Markdown of its own."""
_SCOPE_LABEL = re.compile(r"(?:\*\*|__)?(In|Out)(?:\*\*|__)?[ \t]?[:：](?:\*\*|__)?[ \t]*")
_SENTENCE_END = (".", "!", "?", ";", ",", "。", "！", "？", "；", "，", ":", "：")
_LONG_RULE = 8
"""Dashes below `1. Title` that make it a title; fewer are a rule below a list."""


@dataclass(slots=True)
class _Pending:
    """An item whose lines are still coming.

    Attributes:
        entry: what is open for those inside it, None for a paragraph.
        is_alone: nothing but a blank line or a rule stands right above it, and it goes on with no list.
        rule_above: the character of the rule right above it.
        is_turn: it stands on the line that names its speaker.
    """

    first: int
    column: int
    shape: Shape
    parents: tuple[str, ...]
    lines: list[str] = field(default_factory=list)
    number: str = ""
    entry: Open | None = None
    is_alone: bool = False
    rule_above: str = ""
    is_turn: bool = False


def parse(text: str) -> Document:
    """Return the items of a handoff, in order; any text is a handoff.

    Lines may end in LF, CRLF or CR, and a byte order mark may stand before them; in the items they end in LF.
    """
    return _Reader(text).read()


def wording(item: Item) -> str:
    """Return an item's label, where it has one, and its text: what a copy of it says."""
    return f"{item.label}: {item.text}" if item.label else item.text


class _Reader:
    """Reads line by line."""

    def __init__(self, text: str) -> None:
        text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
        self.lines = text.split("\n")
        if not self.lines[-1]:
            self.lines.pop()
        self.items: list[Item] = []
        self.notes = hidden.hidden(self.lines)
        self.furniture: list[tuple[int, str]] = []
        """The lines of no item: their numbers, and what each is."""
        self.open = Nesting(self._ended)
        self.pending: _Pending | None = None
        self.blank = True
        """Whether nothing stands right above, so that a block may begin."""
        self.after: Open | None = None
        """The list item that has just ended."""
        self.after_colon = False
        self.first_heading: Heading | None = None
        self.is_transcript = turns.is_transcript(self.lines)
        self.speaker = ""
        self.speaker_ends: int | None = None
        """The level of heading that ends a turn; None when its own paragraph does."""
        self.silent_turn = 0
        """The line that began a turn in which nothing has been said yet, 0 for none."""
        self.last_comment_end = max((n for n, line in enumerate(self.lines) if "-->" in line), default=-1)
        self.scope_of: tuple[tuple[str, ...], bool] = ((), False)

    # -- the whole

    def read(self) -> Document:
        at = self._front_matter()
        while at < len(self.lines):
            at = self._line(at)
        self._flush()
        self._end_turn()
        title = self._title()
        self.open.close_headings(2 if title else 1)
        if title:
            self._take_out_title(title)
        return Document(tuple(self.items), title.text if title else "", tuple(sorted(self.notes)), len(self.lines))

    def _title(self) -> Heading | None:
        """Return the first heading where it is a title: the only one of its level, and no known section."""
        first = self.first_heading
        if first is None or first.level != 1 or first not in self.open.headings:
            return None
        if words.heading(first.text) is not None:
            return None
        self.furniture.append((first.line, "title"))
        return first

    def _take_out_title(self, title: Heading) -> None:
        shorter: dict[tuple[str, ...], tuple[str, ...]] = {}
        for index, item in enumerate(self.items):
            if item.first > title.line and item.headings[:1] == (title.text,):
                trail = shorter.setdefault(item.headings, item.headings[1:])
                self.items[index] = replace(item, headings=trail)

    def _front_matter(self) -> int:
        """Read the keys between `---` lines at the very top; return the first line after them."""
        keys = verbatim.front_matter(self.lines)
        for first, last in keys:
            text = "\n".join(line.rstrip() for line in self.lines[first : last + 1]).strip()
            if first in {0, keys[-1][0]}:
                self.furniture.append((first + 1, "rule"))
            elif text:
                self._emit(Item(text, first + 1, last + 1))
        return keys[-1][1] + 1 if keys else 0

    def _line(self, at: int) -> int:
        """Read the line `at`, and return which one is next."""
        column, line = lines.indent(self.lines[at])
        if not line:
            self._flush()
            self.blank = True
            return at + 1
        first = line[0]
        is_block = column < _CODE_COLUMN or bool(self.open.stack)
        if first in "`~" and is_block and (fence := lines.fence(line)):
            return self._fence(at, column, fence)
        if line.startswith("<!--") and at <= self.last_comment_end:
            return self._comment(at, column)
        if rule := lines.decoration(line):
            self._rule(at, column, line, rule)
            return at + 1
        if first == "#" and column < _CODE_COLUMN and (heading := lines.heading(line)):
            if self.is_transcript and (turn := turns.turn(line)):
                return self._turn(at, column, line, turn)
            self._flush()
            self._heading(*heading, at + 1)
            return at + 1
        if first == ">" and is_block:
            return self._quote(at, column)
        marker = lines.marker(line)
        if marker is not None and (not marker.weak or self._may_begin(marker, column)):
            return self._item(at, column, line, marker)
        if "|" in line and lines.is_table_rule(line):
            self._flush()
            self.furniture.append((at + 1, "rule"))
            return at + 1
        if "|" in line and lines.is_table_rule(self._stripped(at + 1)):
            return self._table(at, column)
        return self._text(at, column, line)

    def _stripped(self, at: int) -> str:
        return self.lines[at].strip() if 0 <= at < len(self.lines) else ""

    def _may_begin(self, marker: lines.Marker, column: int) -> bool:
        """Return whether what may be a list marker is one here: where a block may begin, or after a sibling."""
        if self.blank or self.pending is None:
            return True
        for entry in reversed(self.open.stack):
            if entry.column < column - 1:
                break
            if entry.kind == marker.kind and abs(entry.column - column) <= 1:
                return True
        return False

    # -- what becomes of items

    def _emit(self, item: Item) -> None:
        self.items.append(item)
        if self.silent_turn and item.first != self.silent_turn:
            self.furniture.append((self.silent_turn, "speaker"))
        self.silent_turn = 0
        for heading in self.open.open_headings():
            heading.filled = True

    def _ended(self, heading: Heading) -> None:
        """End a heading; one below which nothing stood says something itself, and is an item."""
        if heading.filled:
            self.furniture.append((heading.line, "heading"))
        else:
            trail = (*self.open.trail(), heading.text)
            self._emit(Item(heading.text, heading.line, heading.line, headings=trail, speaker=self.speaker))

    def _begin_anew(self) -> None:
        """Note that a block may begin on the next line, and belongs to no item above."""
        self.blank = True
        self.after = None
        self.after_colon = False

    def _in_scope(self) -> bool:
        """Return whether the scope is told here, where `In` and `Out` are labels."""
        trail = self.open.trail()
        if trail is not self.scope_of[0]:
            known = words.heading(trail[-1]) if trail else None
            is_scope = known is not None and known.section in {Section.SCOPE_IN, Section.SCOPE_OUT}
            self.scope_of = (trail, is_scope)
        return self.scope_of[1]

    # -- headings, labels, rules, turns

    def _heading(self, level: int, text: str, line: int) -> None:
        if self.speaker_ends is None or level <= self.speaker_ends:
            self._end_turn()
        self.open.close_headings(level)
        self._begin_anew()
        if not text:
            self.furniture.append((line, "rule"))
            return
        heading = Heading(level, text, line)
        self.open.push_heading(heading)
        self.first_heading = self.first_heading or heading

    def _rule(self, at: int, column: int, line: str, sign: str) -> None:
        """Read a line of decoration: the rule below a title, the bottom of a banner, or a mere rule."""
        pending = self.pending
        if pending and not self.blank and column < _CODE_COLUMN and _is_title(pending, line, sign):
            self.pending = None
            if pending.entry:
                self.open.pop()
            title = lines.unmarked(f"{pending.number} {pending.lines[0]}")
            self._heading(2 if sign == "-" else 1, title, pending.first)
        else:
            self._flush()
            self.open.close(column)
        self.furniture.append((at + 1, "rule"))
        self.blank = True

    def _label_line(self, line: str) -> str:
        """Return the label of which a line consists, "" for any other line: a known one, or `In:` below `Scope:`."""
        if len(line) > _LONGEST_LABEL or not (lines.ends_with_colon(line) or lines.is_emphasised(line)):
            return ""
        text = lines.unmarked(line)
        return text if self._is_in_or_out(text) or words.heading(text) is not None else ""

    def _is_in_or_out(self, text: str) -> bool:
        return text in {"In", "Out"} and self._in_scope()

    def _label(self, at: int, column: int, text: str) -> None:
        self._flush()
        self.open.close_to_label(column)
        heading = Heading(LABEL, text, at + 1, once=_is_promise(text))
        self.open.push_label(heading, column, is_part=self._is_in_or_out(text))
        self._begin_anew()

    def _turn(self, at: int, column: int, line: str, turn: turns.Turn) -> int:
        """Begin a turn of a transcript.

        A turn whose line only names the speaker goes on to the next one, or out of the section it stands in. One that
        begins on the line itself does so for an agent; for the user it is its paragraph, since what follows may be
        the writer's again, and only the user can confirm.
        """
        self._flush()
        self.open.close_label()
        if self.speaker:
            self.open.close_headings((self.speaker_ends or 6) + 1)
        if turn.level:
            self.open.close_headings(turn.level)
        self._end_turn()
        self.speaker = turn.who
        self._begin_anew()
        if len(line) <= turn.end:
            self.speaker_ends = self.open.headings[-1].level if self.open.headings else 1
            self.silent_turn = at + 1
        else:
            self.speaker_ends = None if turn.is_user else 6
            self._paragraph(at, column, line[turn.end :]).is_turn = True
        return at + 1

    def _end_turn(self) -> None:
        if line := self.silent_turn:
            self._emit(Item(self.speaker, line, line, headings=self.open.trail(), speaker=self.speaker))
        self.speaker = ""

    # -- text

    def _text(self, at: int, column: int, line: str) -> int:
        """Read a line that begins no other block: a label, a turn, the beginning of a paragraph, or more of one."""
        if self.is_transcript and column < _CODE_COLUMN and (turn := turns.turn(line[:_HEAD])):
            return self._turn(at, column, line, turn)
        pending = self.pending
        goes_on = pending is not None and not self.blank
        if (label := self._label_line(line)) and not (goes_on and _is_lower(line)):
            self._label(at, column, label)
        elif kind := self._line_kind(line, goes_on=goes_on):
            self._flush()
            self._start(at, column, line, lines.Marker(kind, "", 2, weak=True), "prose")
        elif pending is None or self.blank or self._introduces(at, column, line, pending):
            self._flush()
            self._paragraph(at, column, line)
        else:
            pending.lines.append(line)
        return at + 1

    def _line_kind(self, line: str, *, goes_on: bool) -> str:
        """Return with what a line begins an item although it has no list marker, "" for any other line."""
        head = line[:_HEAD]
        if lines.begins_with_id(head):
            return "id"
        if lines.begins_with_key(head):
            return "key"
        if goes_on and _is_lower(line):
            return ""
        return "label" if words.label(head) is not None else ""

    def _introduces(self, at: int, column: int, line: str, pending: _Pending) -> bool:
        """Return whether a line right below a list item is no more of it, but introduces what comes next."""
        if pending.entry is None or column >= pending.entry.inner or not lines.ends_with_colon(line):
            return False
        if len(line) > _LONGEST_LABEL or _is_lower(line):
            return False
        below = next((text for text in self.lines[at + 1 : at + 3] if text.strip()), "")
        below_column, below = lines.indent(below)
        begins_block = lines.marker(below) or lines.fence(below) or below.startswith(("|", ">"))
        return below_column <= column + 1 and bool(begins_block)

    def _paragraph(self, at: int, column: int, line: str) -> _Pending:
        self.after = None
        self.open.make_room(column)
        shape: Shape = "html" if lines.is_html(line) else "prose"
        pending = self.pending = _Pending(at + 1, column, shape, self.open.parents(), [line], is_alone=self.blank)
        pending.rule_above = lines.decoration(self._stripped(at - 1))
        self.blank = False
        return pending

    def _item(self, at: int, column: int, line: str, marker: lines.Marker) -> int:
        """Begin a list item."""
        self._flush(touching=not self.blank)
        content = line[marker.width :]
        inner = column + marker.width
        if content[:1] in {"`", "~"} and (fence := lines.fence(content)):
            self._start(at, column, "", marker, "fence")
            return self._fence(at, inner, fence, content)
        if content.startswith(">"):
            self._start(at, column, "", marker, "quote")
            return self._quote(at, inner, content)
        if content.startswith("<!--") and at <= self.last_comment_end:
            self._start(at, column, "", marker, "html")
            return self._comment(at, inner, content)
        self._start(at, column, content, marker, "bullet")
        return at + 1

    def _start(self, at: int, column: int, content: str, marker: lines.Marker, shape: Shape) -> None:
        """Begin an item that others may be inside of."""
        goes_on = any(entry.kind == marker.kind and entry.column == column for entry in self.open.stack)
        self.after = None
        self.open.make_room(column, marker.kind)
        parents = self.open.parents()
        entry = Open(marker.kind, column, column + marker.width)
        self.open.stack.append(entry)
        pending = self.pending = _Pending(at + 1, column, shape, parents, [content], marker.written, entry)
        pending.is_alone = self.blank and not goes_on
        pending.rule_above = lines.decoration(self._stripped(at - 1))
        self.blank = False

    def _flush(self, *, touching: bool = False) -> None:
        """End the item whose lines were coming.

        Args:
            touching: a list, table, fence or quotation begins on the line right below it.
        """
        pending, self.pending = self.pending, None
        if pending is None:
            return
        entry = pending.entry
        raw = "\n".join(pending.lines).strip()
        if not raw and not pending.number:
            self.furniture.append((pending.first, "marker"))
            return
        if not raw:
            raw, pending.number = pending.number, ""
        if pending.shape == "bullet" and entry and (label := self._bullet_label(pending)):
            self.open.turn_into_label(entry, Heading(LABEL, f"{pending.number} {label}".strip(), pending.first))
            return
        self._emit(self._built(pending, raw))
        self.after_colon = lines.ends_with_colon(raw)
        if pending.shape == "prose" and (touching or self.after_colon):
            was = self.open.pop().kind if entry else ""
            self.open.push_lead(raw, pending.column, was)
        elif entry:
            entry.wording = raw
            self.after = entry
        if self.speaker and self.speaker_ends is None:
            self.speaker = ""

    def _bullet_label(self, pending: _Pending) -> str:
        """Return the label of which a list item consists (`- Out:`), "" for any other item."""
        line = pending.lines[0]
        return self._label_line(line) if len(pending.lines) == 1 and lines.ends_with_colon(line) else ""

    def _built(self, pending: _Pending, raw: str) -> Item:
        """Return the item that a paragraph or list item is, its speaker and label apart from its text."""
        text, speaker, label, mark = raw, self.speaker, "", ""
        if pending.shape != "html":
            if not speaker and (own := turns.own_turn(text[:_HEAD])):
                speaker, text = own[0], text[own[1] :]
            label, text = self._labelled(text)
            mark = lines.mark(text[:_HEAD])
        return Item(
            text,
            pending.first,
            pending.first + len(pending.lines) - 1,
            pending.shape,
            self.open.trail(),
            label,
            pending.parents,
            speaker,
            mark,
            len(pending.parents),
            pending.number,
        )

    def _labelled(self, text: str) -> tuple[str, str]:
        """Return the label at the start of a text, and the text without it; a mark before the label stays."""
        mark = lines.mark(text[:_HEAD])
        bare = text.removeprefix(mark).lstrip() if mark else text
        head = bare[:_HEAD]
        if (found := _SCOPE_LABEL.match(head)) and self._in_scope():
            label, end = found[1], found.end()
        elif (known := words.label(head)) is not None:
            end = len(head) - len(known[0])
            label = lines.unmarked(head[:end].rstrip(" \t-–—"))
        else:
            return "", text
        rest = bare[end:].lstrip()
        if not rest:
            return "", text
        return label, f"{mark} {rest}" if mark else rest

    # -- fences, comments, quotations, tables

    def _open_block(self, column: int) -> int:
        """Make room for a fence, comment, quotation or table; return the column it counts as.

        One that touches the list item above it, or that the item introduces with a colon, belongs to it, however far
        it is indented.
        """
        touching = not self.blank
        self._flush(touching=touching)
        holder, self.after = self.after, None
        if holder and self.open.stack and self.open.stack[-1] is holder and (touching or self.after_colon):
            column = max(column, holder.inner)
        self.open.make_room(column)
        return column

    def _take(self, column: int, content: str) -> _Pending | None:
        """Return the list item that a block itself is; make room for a block that is none.

        Args:
            column: where the block begins.
            content: of the list item, from the block on; "" for a block on lines of its own.
        """
        if not content:
            self._open_block(column)
        item, self.pending = self.pending, None
        return item

    def _fence(self, at: int, column: int, fence: lines.Fence, content: str = "") -> int:
        item = self._take(column, content)
        around = next((entry.column for entry in reversed(self.open.stack) if entry.kind != LEAD), None)
        end, is_closed = verbatim.fence_end(self.lines, at, fence, column, around)
        if not is_closed:
            self.notes.append((at + 1, "unclosed fence"))
        return self._verbatim(at, end, column, item, "fence", content)

    def _comment(self, at: int, column: int, content: str = "") -> int:
        item = self._take(column, content)
        return self._verbatim(at, verbatim.comment_end(self.lines, at), column, item, "html", content)

    def _quote(self, at: int, column: int, content: str = "") -> int:
        item = self._take(column, content)
        end, text = verbatim.quotation(self.lines, at, content or self.lines[at])
        if text.strip():
            return self._block_item(text, at, end, item, "quote")
        self.furniture += [(number, "rule") for number in range(at + 1, end + 2)]
        return end + 1

    def _verbatim(self, at: int, end: int, column: int, item: _Pending | None, shape: Shape, content: str) -> int:
        """Take lines as they are, without the indentation of the first."""
        first = content or self.lines[at].lstrip(lines.BLANKS)
        rest = (verbatim.dedented(line, column) for line in self.lines[at + 1 : end + 1])
        return self._block_item("\n".join((first, *rest)).rstrip("\n"), at, end, item, shape)

    def _block_item(self, text: str, at: int, end: int, item: _Pending | None, shape: Shape) -> int:
        parents = item.parents if item else self.open.parents()
        self._emit(
            Item(
                text,
                at + 1,
                end + 1,
                shape,
                self.open.trail(),
                parents=parents,
                speaker=self.speaker,
                depth=len(parents),
                number=item.number if item else "",
            )
        )
        self._begin_anew()
        return end + 1

    def _table(self, at: int, column: int) -> int:
        """Read a table: each row is an item, with the header's words before its cells."""
        self._open_block(column)
        end = at + 2
        while end < len(self.lines) and not tables.ends_table(self._stripped(end)):
            end += 1
        header, rows = tables.rows(self.lines[at], self.lines[at + 2 : end])
        self.furniture.append((at + 2, "rule"))
        if header.text or not rows:
            self._row(header, at)
        else:
            self.furniture.append((at + 1, "table header"))
        for number, row in enumerate(rows, at + 2):
            self._row(row, number)
        self._begin_anew()
        return end

    def _row(self, row: tables.Row, at: int) -> None:
        if not row.text:
            self.furniture.append((at + 1, "rule"))
            return
        label, text = self._labelled(row.text)
        parents = self.open.parents()
        trail = self.open.trail()
        self._emit(Item(text, at + 1, at + 1, "row", trail, label, parents, self.speaker, row.mark, len(parents)))


def _is_title(pending: _Pending, line: str, sign: str) -> bool:
    """Return whether a stripped line of decoration makes the one line above it a title."""
    text = pending.lines[0].strip()
    if len(pending.lines) > 1 or not text or " " in line or pending.is_turn:
        return False
    if pending.rule_above != sign and sign not in {"=", "-"}:
        return False
    if sign == "-" and pending.rule_above != sign and len(line) == 3 and text.endswith(_SENTENCE_END):
        return False
    if pending.number:
        return pending.is_alone and len(line) >= _LONG_RULE
    return pending.shape == "prose" and pending.entry is None


def _is_lower(line: str) -> bool:
    """Return whether a line begins like the middle of a sentence."""
    return line[0].isascii() and line[0].islower()


def _is_promise(label: str) -> bool:
    """Return whether what stands under a label would be taken for settled."""
    known = words.heading(label)
    return known is not None and (known.section in {Section.GOAL, Section.CONFIRMED} or known.state is State.CONFIRMED)
