"""Whether what stands one after the other in a source still does in the result; pure.

Steps, answers and corrections mean what they mean by their order and their repetition, and no program can tell them
from mere lists: what comes in another order, or once less, is for a person to judge.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

from hypo_strategies.handoff._payload import is_untrusted
from hypo_strategies.handoff._units import Texts, Unit
from hypo_strategies.handoff.meaning import Meaning
from hypo_strategies.handoff.model import State

_BETWEEN = 200
"""Items between two that say the same; among more of them nobody looks for one that says otherwise."""
_ORDERED = frozenset({State.STATUS, State.DEPENDS})

Disturbed = tuple[str, Unit, Unit]
"""Why, the item of the source, and what it became."""


def disturbed(units: Sequence[Unit], equal: Mapping[int, Unit], texts: Texts) -> Iterator[Disturbed]:
    """Yield what is no longer as it stood.

    Args:
        units: the items of the source, in order.
        equal: index of an item of the source -> its equal in the result; several that became one share it.
        texts: where exact items are read.
    """
    groups: dict[Hashable, list[Unit]] = defaultdict(list)
    merged: list[tuple[Unit, Unit]] = []
    first: dict[int, Unit] = {}
    for unit in units:
        partner = equal.get(unit.index)
        if partner is None:
            continue
        if partner.index in first:
            merged.append((first[partner.index], unit))
        else:
            first[partner.index] = unit
            if is_untrusted(unit):
                continue  # what is told of an injection tells of no step
            groups[unit.item.headings, unit.item.parents, unit.item.speaker, unit.around].append(unit)
    for group in groups.values():
        yield from _turned(group, equal, texts)
        yield from _apart(group, equal)
    first_ones = [group[0] for group in groups.values() if group[0].around and not group[0].item.parents]
    yield from _turned(first_ones, equal, texts)
    for before, unit in merged:
        if may_matter(before, unit, units, texts):
            yield "repetition", unit, equal[unit.index]


def _turned(group: Iterable[Unit], equal: Mapping[int, Unit], texts: Texts) -> Iterator[Disturbed]:
    """Yield what comes before something in its section of the result that it came after."""
    last: dict[str, int] = {}
    for unit in group:
        partner = equal[unit.index]
        section = next((heading for heading in partner.item.headings if texts.is_section(heading)), "")
        if partner.index < last.get(section, -1):
            yield "order", unit, partner
        last[section] = max(partner.index, last.get(section, -1))


def _apart(group: Sequence[Unit], equal: Mapping[int, Unit]) -> Iterator[Disturbed]:
    """Yield the first item that stands below another heading than those before it, where they belong together."""
    run: Unit | None = None
    for unit in group:
        partner = equal[unit.index]
        belongs = bool(unit.around or unit.number or unit.item.shape == "prose")
        if run is not None and belongs and equal[run.index].item.headings != partner.item.headings:
            yield "items that stood together", unit, partner
            return
        run = unit if belongs else None


def may_matter(before: Unit, unit: Unit, units: Sequence[Unit], texts: Texts) -> bool:
    """Return whether saying a thing once more may say more: a step, an answer, or a correction taken back."""
    if unit.item.speaker or before.item.speaker or unit.number or unit.place.state in _ORDERED:
        return True
    if unit.index == before.index + 1:
        return False
    if unit.around:
        return True
    if unit.item.shape not in {"bullet", "prose"} or unit.index - before.index > _BETWEEN:
        return True
    mine, said = {key for _, key in texts.keys(unit)}, _words(unit)
    for other in units[before.index + 1 : unit.index]:
        if other.meaning == unit.meaning:
            continue
        shared = len(said & _words(other))
        if mine & {key for _, key in texts.keys(other)} or 2 * shared >= len(said):
            return True
    return False


def _words(unit: Unit) -> set[str]:
    return set(unit.meaning.words) if isinstance(unit.meaning, Meaning) else set()
