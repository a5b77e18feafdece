"""Which item of a result was made of which item of the source, by what they share; pure.

This decides nothing about the verdict: both are left over, since no key was equal. It only serves to name what
happened. So likeness is enough here, and is measured by shared exact items and words, rare ones counting more.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field

from hypo_strategies.handoff._units import Texts, Unit, is_criterion
from hypo_strategies.handoff.folding import folded

_LIKE = 0.3
"""The share of their features, by weight, that two items must have in common."""
_PART = 0.6
"""The share of an item's features that must stand in another one for it to be a part of it."""
_COMMON = 12
"""A feature of more items than this leads to no candidate, ..."""
_RAREST = 24
"""... and only so many features of an item are followed."""
_CANDIDATES = 6
_LONGEST = 4_000
"""Characters of an item that are read for its features."""
_EXACT = 2.0
"""The weight of an exact item, for one word."""
_MOST = 3_000
"""Items on either side that are paired; what is left of more is dropped or invented."""
_WORD = re.compile(r"[a-z0-9_]+|[^\W\d_a-z]+")

Features = dict[Hashable, float]


@dataclass(slots=True)
class Group:
    """What belongs together: one of each side; or several that became one, or one that became several.

    Attributes:
        source: what was in the source.
        result: what became of it.
        is_copy: the item of the source stands in the result as it should, too.
    """

    source: list[Unit]
    result: list[Unit]
    is_copy: bool = False


@dataclass(slots=True)
class Pairing:
    """What belongs together, and what is left on either side."""

    groups: list[Group] = field(default_factory=list)
    source: list[Unit] = field(default_factory=list)
    result: list[Unit] = field(default_factory=list)


def paired(source: Sequence[Unit], result: Sequence[Unit], matched: Sequence[Unit], texts: Texts) -> Pairing:
    """Return what belongs together.

    Args:
        source: items of the source without an equal in the result.
        result: items of the result without an equal in the source.
        matched: items of the source with one: another form of these may stand in the result beside them.
        texts: where exact items are read.
    """
    found = Pairing(source=list(source), result=list(result))
    for same in (_but_labels, _but_place, _but_all):
        _pair_equal(found, same)
    if found.result:
        _pair_copies(found, matched)
        _pair_alike(found, matched, texts)
    return found


def _but_labels(unit: Unit) -> Hashable:
    return unit.words, unit.around


def _but_place(unit: Unit) -> Hashable:
    return unit.words, unit.labels


def _but_all(unit: Unit) -> Hashable:
    return unit.meaning


def _pair_equal(found: Pairing, same: Callable[[Unit], Hashable]) -> None:
    """Pair what is the same in one way, in order."""
    waiting: dict[Hashable, list[Unit]] = defaultdict(list)
    for unit in reversed(found.source):
        waiting[same(unit)].append(unit)
    taken = set()
    rest = []
    for unit in found.result:
        if ones := waiting.get(same(unit)):
            one = ones.pop()
            taken.add(one.index)
            found.groups.append(Group([one], [unit]))
        else:
            rest.append(unit)
    found.source = [unit for unit in found.source if unit.index not in taken]
    found.result = rest


def _pair_copies(found: Pairing, matched: Sequence[Unit]) -> None:
    """Pair what says the same as an item that stands in the result as it should, too."""
    known = {_but_all(unit): unit for unit in reversed(matched)}
    rest = []
    for unit in found.result:
        if one := known.get(_but_all(unit)):
            found.groups.append(Group([one], [unit], is_copy=True))
        else:
            rest.append(unit)
    found.result = rest


def _pair_alike(found: Pairing, matched: Sequence[Unit], texts: Texts) -> None:
    """Pair what shares much: first one to one, then the parts of a whole on either side."""
    results = found.result[:_MOST]
    likeness = _Likeness((*found.source[:_MOST], *matched[:_MOST]), results, texts)
    open_source = {unit.index for unit in found.source}
    of_source: dict[int, Group] = {}
    of_result: dict[int, Group] = {}
    for score, one, other in likeness.ranked:
        if score < _LIKE or one.index not in open_source or one.index in of_source or other.index in of_result:
            continue
        of_source[one.index] = of_result[other.index] = group = Group([one], [other])
        found.groups.append(group)
    named = _named(results, texts)
    for one in found.source:
        if one.index in of_source:
            continue
        whole = likeness.whole_of_source(one) or next(filter(None, map(named.get, _criteria(one, texts))), None)
        if whole is None:
            continue
        if whole.index not in of_result:
            of_result[whole.index] = Group([], [whole])
            found.groups.append(of_result[whole.index])
        group = of_result[whole.index]
        group.source.append(one)
        of_source[one.index] = group
    for other in results:
        whole = None if other.index in of_result else likeness.whole_of_result(other)
        if whole is None:
            continue
        known = of_source.get(whole.index)
        is_copy = whole.index not in open_source
        group = known if known and len(known.source) == 1 else Group([whole], [], is_copy)
        if group is not known:
            found.groups.append(group)
            if not is_copy:
                of_source[whole.index] = group
        group.result.append(other)
        of_result[other.index] = group
    found.source = [unit for unit in found.source if unit.index not in of_source]
    found.result = [unit for unit in found.result if unit.index not in of_result]


def _named(results: Sequence[Unit], texts: Texts) -> dict[str, Unit]:
    """Return which item of the result names an acceptance criterion, where one names several."""
    found: dict[str, Unit] = {}
    for unit in results:
        keys = _criteria(unit, texts)
        if len(keys) > 1:
            found |= dict.fromkeys(keys, unit)
    return found


def _criteria(unit: Unit, texts: Texts) -> list[str]:
    return [key for kind, key in texts.keys(unit) if is_criterion(kind, key)]


class _Likeness:
    """How much items of both sides share."""

    def __init__(self, source: Sequence[Unit], result: Sequence[Unit], texts: Texts) -> None:
        ones = [(unit, _features(unit, texts)) for unit in source]
        others = [(unit, _features(unit, texts)) for unit in result]
        times = Counter(feature for _, features in (*ones, *others) for feature in features)
        rarity = {feature: math.log(1 + (len(ones) + len(others)) / count) for feature, count in times.items()}
        index: dict[Hashable, list[int]] = defaultdict(list)
        weighed = []
        for at, (_, features) in enumerate(ones):
            weighed.append({feature: weight * rarity[feature] for feature, weight in features.items()})
            for feature in features:
                index[feature].append(at)
        self.ranked: list[tuple[float, Unit, Unit]] = []
        self._whole_of_source: dict[int, tuple[float, Unit]] = {}
        self._whole_of_result: dict[int, tuple[float, Unit]] = {}
        for unit, features in others:
            weights = {feature: weight * rarity[feature] for feature, weight in features.items()}
            near: Counter[int] = Counter()
            for feature in sorted(weights, key=lambda feature: -weights[feature])[:_RAREST]:
                for at in index.get(feature, ())[:_COMMON]:
                    near[at] += 1
            for at, _ in near.most_common(_CANDIDATES):
                self._compare(ones[at][0], weighed[at], unit, weights)
        self.ranked.sort(key=lambda found: (-found[0], found[1].index, found[2].index))

    def _compare(self, one: Unit, mine: Features, other: Unit, theirs: Features) -> None:
        shared = sum(min(weight, theirs[feature]) for feature, weight in mine.items() if feature in theirs)
        whole, total = sum(mine.values()), sum(theirs.values())
        nearness = 0.02 * (one.place.section is other.place.section) + 0.02 * (one.around == other.around)
        self.ranked.append((2 * shared / (whole + total) + nearness, one, other))
        if shared >= _PART * whole:
            best = self._whole_of_source.get(one.index, (0.0, other))
            self._whole_of_source[one.index] = max(best, (shared / whole, other), key=lambda pair: pair[0])
        if shared >= min(_PART * total, _LIKE * (whole + total) / 2):
            best = self._whole_of_result.get(other.index, (0.0, one))
            self._whole_of_result[other.index] = max(best, (shared / total, one), key=lambda pair: pair[0])

    def whole_of_source(self, unit: Unit) -> Unit | None:
        """Return the item of the result that an item of the source is a part of."""
        found = self._whole_of_source.get(unit.index)
        return found[1] if found else None

    def whole_of_result(self, unit: Unit) -> Unit | None:
        """Return the item of the source that an item of the result is a part or another form of."""
        found = self._whole_of_result.get(unit.index)
        return found[1] if found else None


def _features(unit: Unit, texts: Texts) -> Features:
    """Return exact items and words; of scripts without blanks, every two characters."""
    found: Features = {key: _EXACT for _, key in texts.keys(unit)}
    for word in _WORD.findall(folded(unit.said[:_LONGEST])):
        if word.isascii() or len(word) < 3:
            found.setdefault(word, 1.0)
        else:
            for at in range(len(word) - 1):
                found.setdefault(word[at : at + 2], 0.5)
    return found or {unit.said[:_LONGEST]: 1.0}
