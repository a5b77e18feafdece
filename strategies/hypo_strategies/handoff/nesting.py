"""What is open while a handoff is read: headings, labels, list items and sentences that introduce something; pure.

All of it lies on explicit stacks, so that no nesting is too deep. People indent loosely: a list item belongs to the
one above it when it stands two columns further in, whatever CommonMark asks for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

LEAD = "lead-in"
LABEL = 7
"""The level of a label on a line of its own: below every heading."""
_STARTS = frozenset({"id", "key", "label"})


@dataclass(slots=True)
class Heading:
    """A heading or label that holds for what follows.

    Attributes:
        level: 1–6 for headings, more for labels.
        text: as written, without its marks.
        line: where it stands, counted from 1.
        once: it holds for one block only: what it says would be a promise for the next one (`Confirmed:`).
        used: what that block is, "" as long as nothing has come.
        filled: an item stands below it.
    """

    level: int
    text: str
    line: int
    once: bool = False
    used: str = ""
    filled: bool = False


@dataclass(slots=True)
class Open:
    """A list item, or a sentence with a colon, that what follows may belong to.

    Attributes:
        kind: of a list marker; `id`, `key` or `label` for an item that begins with one of these; `lead-in`; "" for a
            label on a line of its own inside a list.
        column: where it begins.
        inner: where the text behind its marker begins.
        wording: what it says, with its label.
        heading: the label, where it says nothing else.
        used: what a lead-in introduces: the kind of its list, or `block`; "" as long as nothing has come.
        was: the kind a lead-in had as an item: a sibling ends it.
    """

    kind: str
    column: int
    inner: int
    wording: str = ""
    heading: Heading | None = None
    used: str = ""
    was: str = ""

    @property
    def is_label(self) -> bool:
        """Whether it is a label on a line of its own, not a list item."""
        return self.heading is not None and not self.kind


def list_kind(kind: str) -> str:
    """Return what the items of one list share: how each is numbered does not matter."""
    return kind if kind in _STARTS else "list"


class Nesting:
    """What is open, from the outside in: headings, one label, and the stack of list items and lead-ins.

    Args:
        ended: called with each heading or label that has ended.
    """

    def __init__(self, ended: Callable[[Heading], None]) -> None:
        self.headings: list[Heading] = []
        self.label: Heading | None = None
        self.stack: list[Open] = []
        self._ended = ended
        self._trail: tuple[str, ...] | None = None

    def trail(self) -> tuple[str, ...]:
        """Return the texts of the headings and labels that hold here, outermost first."""
        if self._trail is None:
            self._trail = tuple(heading.text for heading in self.open_headings())
        return self._trail

    def parents(self) -> tuple[str, ...]:
        """Return the wordings of the list items and lead-ins that hold here, outermost first."""
        return tuple([entry.wording for entry in self.stack if entry.wording])

    def open_headings(self) -> Iterator[Heading]:
        """Yield the headings and labels that hold here, outermost first."""
        yield from self.headings
        if self.label:
            yield self.label
        for entry in self.stack:
            if entry.heading:
                yield entry.heading

    def push_heading(self, heading: Heading) -> None:
        """Begin a heading; what it ends has been closed before."""
        self.headings.append(heading)
        self._trail = None

    def push_label(self, heading: Heading, column: int, *, is_part: bool) -> None:
        """Begin a label on a line of its own.

        It holds inside the list item around it; without one, in place of the label before, or as a part of it.
        """
        if self.stack or is_part:
            self.stack.append(Open("", column, column, heading=heading))
        else:
            self.close_label()
            self.label = heading
        self._trail = None

    def turn_into_label(self, entry: Open, heading: Heading) -> None:
        """Take a list item for a label of those inside it."""
        entry.heading = heading
        self._trail = None

    def push_lead(self, wording: str, column: int, was: str = "") -> None:
        """Begin a sentence that introduces what comes next; a third one in a row stands for itself."""
        column = column if self.stack else 0
        if len(self.stack) > 1 and self.stack[-1].kind == self.stack[-2].kind == LEAD:
            del self.stack[-2:]
        self.stack.append(Open(LEAD, column, column, wording, was=was))

    def make_room(self, column: int, kind: str = "") -> None:
        """Close what a block is not inside of, and note it where it is the first of its kind.

        Args:
            column: where the block begins.
            kind: of its list marker, "" for a block that is no list item.
        """
        self.close(column, kind)
        how = list_kind(kind) if kind else "block"
        if self.stack:
            if self.stack[-1].kind == LEAD:
                self.stack[-1].used = how
        elif label := self.label:
            if label.once and label.used and (how != label.used or how == "block"):
                self.close_label()
            else:
                label.used = how

    def close(self, column: int, kind: str = "") -> None:
        """Close what a block is not inside of; the arguments are those of `make_room`."""
        while self.stack and not _holds(self.stack[-1], column, kind):
            self.pop()

    def close_to_label(self, column: int) -> None:
        """Close what a label on a line of its own is not inside of."""
        self.close(column)
        while self.stack and (
            self.stack[-1].kind == LEAD or (self.stack[-1].is_label and self.stack[-1].column >= column)
        ):
            self.pop()

    def close_label(self) -> None:
        """Close the label that holds, and all lists."""
        while self.stack:
            self.pop()
        label, self.label = self.label, None
        if label:
            self._end(label)

    def close_headings(self, level: int) -> None:
        """Close the label and the headings of this level and deeper ones."""
        self.close_label()
        while self.headings and self.headings[-1].level >= level:
            self._end(self.headings.pop())

    def pop(self) -> Open:
        """Close the innermost list item, lead-in or label inside a list."""
        entry = self.stack.pop()
        if entry.heading:
            self._end(entry.heading)
        return entry

    def _end(self, heading: Heading) -> None:
        self._trail = None
        self._ended(heading)


def _holds(entry: Open, column: int, kind: str) -> bool:
    """Return whether a block is inside of an entry; the arguments are those of `Nesting.make_room`."""
    if entry.kind == LEAD:
        is_more = not entry.used or (bool(kind) and entry.used == list_kind(kind))
        return column >= entry.column and is_more and not (entry.was and entry.was == kind)
    if entry.is_label:
        return column >= entry.column
    if kind:
        return column >= entry.column + 2 or (column == entry.column + 1 and kind != entry.kind)
    return column >= min(entry.inner, entry.column + 2)
