"""What a compaction may leave out: filler, rejected proposals without a prohibition, and repetition; pure.

Only what is proved redundant goes (compact-context, Remove). Items merge when all of the canonical key is equal:
section, state, source, exact items, numbers, negations, modals, the other words and what they stand below; and when
nothing between them could have made the second one say more: a step done again, an answer changed back. A repeated
rationale goes in this way alone: whether other words give the same reason cannot be proved.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from hypo_strategies.handoff import words
from hypo_strategies.handoff._sequence import may_matter
from hypo_strategies.handoff._units import Texts, Unit, may_hold_filler
from hypo_strategies.handoff.folding import folded, listed
from hypo_strategies.handoff.model import Section, State
from hypo_strategies.handoff.proposals import is_mere_proposal

_SHORTEST = 12
"""Characters: less than that (`- pass`) says something only where it stands."""
_SENTENCE = re.compile(r"(?<=[.!。！])(?<!\d\.)\s*|\n")
_LONGEST = 4_000
_REASONS = frozenset(
    listed(
        "rationale | reason | reasons | why | background",
        "理由 | 原因 | 背景 | 根拠 | เหตุผล | ที่มา",
    )
)
"""Headings of no section below which nothing is done: what is said twice there is one reason."""


@dataclass(slots=True)
class Removal:
    """What goes, by the index of the item.

    Attributes:
        merged: items that say what an earlier one says, and the index of that one.
        removed: items that go, and why.
        shortened: items that lose the greeting before what they say, and what is left.
    """

    merged: dict[int, int] = field(default_factory=dict)
    removed: dict[int, str] = field(default_factory=dict)
    shortened: dict[int, str] = field(default_factory=dict)


def removal(units: Sequence[Unit], parents: Mapping[int, int], fixed: Iterable[int], texts: Texts) -> Removal:
    """Return what a compaction may leave out.

    Args:
        units: all items.
        parents: by the index of an item, that of the list item it stands below.
        fixed: the indices of items that have another fate already.
        texts: where exact items and headings are read.
    """
    found = Removal()
    fixed = frozenset(fixed)
    holds = {parents[index] for index in fixed if index in parents}
    firsts: dict[Hashable, Unit] = {}
    again: dict[int, int] = {}
    for unit in units:
        if unit.index not in fixed and _may_merge(unit, texts):
            first = firsts.setdefault(_key(unit), unit)
            if first is not unit and not may_matter(first, unit, units, texts):
                again[unit.index] = first.index
    for unit in reversed(units):  # what stands below an item comes before it here
        if unit.index in fixed or unit.index in holds:
            pass
        elif reason := _reason(unit, texts):
            found.removed[unit.index] = reason
            continue
        elif unit.index in again:
            found.merged[unit.index] = again[unit.index]
            continue
        elif rest := _without_greeting(unit):
            found.shortened[unit.index] = rest
        if unit.index in parents:
            holds.add(parents[unit.index])
    return found


def _reason(unit: Unit, texts: Texts) -> str:
    """Return why an item may go, "" where it may not."""
    may_go = unit.item.shape == "prose" and may_hold_filler(unit) and not unit.mark
    if may_go and unit.place.section is Section.FACTS and words.filler(unit.said):
        return "filler"
    if unit.place.state is State.REJECTED and is_mere_proposal(unit, texts):
        return "rejected proposal"
    return ""


def _may_merge(unit: Unit, texts: Texts) -> bool:
    """Return whether an item says nothing by its place: it stands in a plain list of facts, rules or reasons."""
    return (
        unit.item.shape in {"bullet", "prose"}
        and not unit.number
        and not unit.item.speaker
        and len(unit.said) >= _SHORTEST
        and all(_is_plain(text, texts) for text in unit.item.headings)
    )


def _is_plain(heading: str, texts: Texts) -> bool:
    """Return whether a heading says no more than in which section its items are, or that they are reasons."""
    known = texts.heading(heading)
    return not known.says_more if known else folded(heading) in _REASONS


def _key(unit: Unit) -> Hashable:
    """Return the canonical key, with all that stands above an item."""
    return unit.key, unit.place.section, unit.item.headings, unit.item.parents, unit.item.speaker


def _without_greeting(unit: Unit) -> str:
    """Return an item's text without the filler before what it says, "" where there is none."""
    if unit.item.shape != "prose" or not may_hold_filler(unit) or unit.mark or len(unit.said) > _LONGEST:
        return ""
    parts = [part for part in _SENTENCE.split(unit.item.text) if part and part.strip()]
    filler = [words.filler(part) for part in parts]
    if not filler[0] or all(filler):
        return ""
    return unit.item.text[unit.item.text.index(parts[filler.index(False)]) :]
