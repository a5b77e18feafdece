"""How much of each kind of thing a result kept; pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from hypo_strategies.handoff._pairing import Group
from hypo_strategies.handoff._units import Side, Texts, Unit, is_criterion
from hypo_strategies.handoff.findings import Counts, KindCount, Share
from hypo_strategies.handoff.meaning import Meaning
from hypo_strategies.handoff.model import Kind, Section, State, Trust


@dataclass(slots=True)
class Fate:
    """What became of the items.

    Attributes:
        equal: index of an item of the source -> its equal in the result.
        known: indices of items of the result that come from the source.
        gone: indices of items of the source that were left out and may be.
        groups: what belongs together without being equal.
        invented: indices of items of the result that come from nowhere.
    """

    equal: dict[int, Unit] = field(default_factory=dict)
    known: set[int] = field(default_factory=set)
    gone: set[int] = field(default_factory=set)
    groups: list[Group] = field(default_factory=list)
    invented: set[int] = field(default_factory=set)


def counted(one: Side, other: Side, fates: Fate, texts: Texts, source: str, result: str) -> Counts:
    """Return what a result kept of the source.

    Args:
        one: the source as read.
        other: the result as read.
        fates: what became of their items.
        texts: where exact items are read.
        source: as it is, for its size.
        result: as it is.
    """
    partners = {unit.index: group.result[0] for group in fates.groups for unit in group.source} | fates.equal
    due = [unit for unit in one.units if unit.index not in fates.gone]

    def share(counts: Callable[[Unit], bool], keeps: Callable[[Unit, Unit], bool]) -> Share:
        wanted = [unit for unit in due if counts(unit)]
        kept = sum(1 for unit in wanted if (partner := partners.get(unit.index)) and keeps(unit, partner))
        return Share(len(wanted), kept)

    return Counts(
        _exact(due, other, texts),
        *_criteria(due, other, fates, texts),
        labels=share(lambda u: u.place.state is not State.NONE, lambda u, p: u.place.state is p.place.state),
        polarity=share(lambda u: bool(_polarity(u)), lambda u, p: len(_polarity(u)) == len(_polarity(p))),
        modality=share(lambda u: bool(_modality(u)), lambda u, p: _modality(u) == _modality(p)),
        provenance=share(lambda u: u.place.trust is not Trust.WRITER, lambda u, p: u.place.trust is p.place.trust),
        questions=share(lambda u: u.place.section is Section.OPEN, lambda _, p: p.place.section is Section.OPEN),
        conflicts=share(lambda u: u.place.section is Section.CONFLICTS, lambda u, _: u.index in fates.equal),
        items=share(lambda _: True, lambda u, _: u.index in fates.equal),
        invented_items=len(fates.invented),
        characters=(len(source), len(result)),
        words=(len(source.split()), len(result.split())),
    )


def _polarity(unit: Unit) -> tuple[str, ...]:
    return unit.meaning.polarity if isinstance(unit.meaning, Meaning) else ()


def _modality(unit: Unit) -> list[str]:
    return sorted(strength for _, strength in unit.meaning.modality) if isinstance(unit.meaning, Meaning) else []


def _exact(due: list[Unit], other: Side, texts: Texts) -> tuple[KindCount, ...]:
    before: dict[Kind, set[str]] = {}
    after: dict[Kind, set[str]] = {}
    for units, found in ((due, before), (other.units, after)):
        for unit in units:
            for kind, key in texts.keys(unit):
                found.setdefault(kind, set()).add(key)
    return tuple(
        KindCount(kind, len(mine), len(mine & theirs), len(mine - theirs), len(theirs - mine))
        for kind in Kind
        if (mine := before.get(kind, set())) | (theirs := after.get(kind, set()))
    )


def _criteria(due: list[Unit], other: Side, fates: Fate, texts: Texts) -> tuple[Share, Share]:
    """Return how many criteria the result names, and how many of them with all that the source says of them."""
    owners: dict[str, list[Unit]] = {}
    for unit in due:
        for kind, key in texts.keys(unit):
            if is_criterion(kind, key):
                owners.setdefault(key, []).append(unit)
    there = {key for unit in other.units for kind, key in texts.keys(unit) if is_criterion(kind, key)}
    named = sum(1 for key in owners if key in there)
    bound = sum(1 for units in owners.values() if all(unit.index in fates.equal for unit in units))
    return Share(len(owners), named), Share(len(owners), bound)
