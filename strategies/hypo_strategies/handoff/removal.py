"""What a compaction may leave out: filler, rejected proposals without a prohibition, and repetition; pure.

Only what is proved redundant goes (compact-context, Remove). Items merge when all of the canonical key is equal:
section, state, source, exact items, numbers, negations, modals, the other words and what they stand below. A repeated
rationale goes in this way alone: whether other words give the same reason cannot be proved.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from hypo_strategies.handoff import words
from hypo_strategies.handoff._payload import is_untrusted
from hypo_strategies.handoff._units import Unit, may_hold_filler
from hypo_strategies.handoff.model import Section, State

_ORDERED = frozenset({State.STATUS, State.DEPENDS})
"""What may be a step of a plan: the same step twice is no repetition."""
_SHORTEST = 12
"""Characters: less than that (`- pass`) says something only where it stands."""
_SENTENCE = re.compile(r"(?<=[.!。！])(?<!\d\.)\s*|\n")
_LONGEST = 4_000


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


def removal(units: Sequence[Unit], parents: Mapping[int, int], fixed: Iterable[int]) -> Removal:
    """Return what a compaction may leave out.

    Args:
        units: all items.
        parents: by the index of an item, that of the list item it stands below.
        fixed: the indices of items that have another fate already.
    """
    found = Removal()
    fixed = frozenset(fixed)
    holds = {parents[index] for index in fixed if index in parents}
    firsts: dict[Hashable, int] = {}
    for unit in units:
        if unit.index not in fixed and _may_merge(unit):
            firsts.setdefault(_key(unit), unit.index)
    for unit in reversed(units):  # what stands below an item comes before it here
        if unit.index in fixed or unit.index in holds:
            pass
        elif reason := _reason(unit):
            found.removed[unit.index] = reason
            continue
        elif _may_merge(unit) and (first := firsts[_key(unit)]) != unit.index:
            found.merged[unit.index] = first
            continue
        elif rest := _without_greeting(unit):
            found.shortened[unit.index] = rest
        if unit.index in parents:
            holds.add(parents[unit.index])
    return found


def _reason(unit: Unit) -> str:
    """Return why an item may go, "" where it may not."""
    may_go = unit.item.shape == "prose" and may_hold_filler(unit) and not unit.mark
    if may_go and unit.place.section is Section.FACTS and words.filler(unit.said):
        return "filler"
    if unit.place.state is State.REJECTED and not (
        is_untrusted(unit) or words.prohibits(unit.said) or words.negations(unit.said) or words.modals(unit.said)
    ):
        return "rejected proposal"
    return ""


def _may_merge(unit: Unit) -> bool:
    return (
        unit.item.shape in {"bullet", "prose", "row"}
        and not unit.number
        and unit.place.state not in _ORDERED
        and len(unit.said) >= _SHORTEST
    )


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
