"""What each item stands below: which heading of several with the same words, and which list item; pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from hypo_strategies.handoff import lines, words
from hypo_strategies.handoff._units import Texts, Unit
from hypo_strategies.handoff.headings import Heading


@dataclass(frozen=True, slots=True)
class Step:
    """A heading or list item that an item stands below.

    Attributes:
        text: as written.
        is_label: it is written as a label, with a colon, and read as a heading again.
        is_heading: it is a heading, and no list item.
        number: tells apart those with the same words.
        known: what it announces, None for one that is not known.
        is_mere: it says no more than section, state and source do, and holds no exact item.
    """

    text: str
    is_label: bool = False
    is_heading: bool = False
    number: int = 0
    known: Heading | None = field(default=None, compare=False)
    is_mere: bool = False


class Trails:
    """What items stand below.

    Args:
        units: all items of the handoff, in order.
        source: its lines.
        texts: where exact items are read.

    Attributes:
        parents: by the index of an item, that of the list item it stands right below.
    """

    def __init__(self, units: Sequence[Unit], source: Sequence[str], texts: Texts) -> None:
        self._units = units
        self._source = source
        self._texts = texts
        self._headings: list[tuple[Step, ...]] = []
        self.parents: dict[int, int] = {}
        self._number = 0
        self._follow()

    def steps(self, unit: Unit) -> tuple[Step, ...]:
        """Return all that an item stands below, outermost first: headings, and copies of list items."""
        copies = []
        at = self.parents.get(unit.index)
        for text in reversed(unit.item.parents):
            copies.append(Step(text, number=-1 if at is None else at))
            at = None if at is None else self.parents.get(at)
        return (*self._headings[unit.index], *reversed(copies))

    def inside(self, unit: Unit, parent: Unit) -> tuple[Step, ...]:
        """Return the labels between a list item and an item below it."""
        return self._headings[unit.index][len(self._headings[parent.index]) :]

    def _follow(self) -> None:
        last: dict[tuple[str, ...], int] = {}
        before: tuple[Step, ...] = ()
        end = 0
        for unit in self._units:
            item = unit.item
            trail = () if item.headings[-1:] == (item.text,) else item.headings
            gap = self._gap(end, item.first) if before else frozenset()
            before = self._steps(trail, before, gap)
            self._headings.append(before)
            end = max(end, item.last)
            if item.parents:
                self._link(unit, last)
            last[item.parents] = unit.index

    def _gap(self, end: int, first: int) -> frozenset[str]:
        """Return the headings that stand between two items."""
        found = set()
        for line in self._source[end : first - 1]:
            if shown := line.strip():
                found.add(lines.unmarked(shown.lstrip("#- \t")))
        return frozenset(found)

    def _steps(self, trail: tuple[str, ...], before: tuple[Step, ...], gap: frozenset[str]) -> tuple[Step, ...]:
        steps: list[Step] = []
        same = True
        for depth, text in enumerate(trail):
            same = same and depth < len(before) and before[depth].text == text and text not in gap
            if same:
                steps.append(before[depth])
                continue
            self._number += 1
            known = words.heading(text)
            is_label = known is not None or text in {"In", "Out"}
            is_mere = known is not None and not known.says_more and not self._texts.exacts(text)
            steps.append(Step(text, is_label, is_heading=True, number=self._number, known=known, is_mere=is_mere))
        return tuple(steps)

    def _link(self, unit: Unit, last: dict[tuple[str, ...], int]) -> None:
        """Find the list item that an item stands right below: the last one at that place, if its words fit."""
        *outer, text = unit.item.parents
        index = last.get(tuple(outer))
        if index is None:
            return
        parent = self._units[index]
        tail = parent.item.text
        headings = self._headings[index]
        if text.endswith(tail) and self._headings[unit.index][: len(headings)] == headings:
            self.parents[unit.index] = index
