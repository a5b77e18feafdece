"""What selection and the summary need of every event of a log: a few numbers and names, in file order.

They stand in columns, not in an object for each event: a log grows for ever, and what is kept of a long one must
be small and quick to look through. Which of two events is the newer one is decided here.

Logs are in no order: helpers of upstream prepend, others append, so that one file often has a newest-first stretch
above an oldest-first one (formats.md, 3.2). Only the instant decides; position decides between equal instants alone.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right, insort
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import compress, groupby, islice

UNDATED = -(1 << 63)
"""The moment of an event that names no instant: it is older than all others."""

STRONG, MEDIUM = 2, 1
"""How notable a failure is; 0 for an event that is none."""

_FEW = 64
"""Moments that are put in their places one by one; more are sorted anew."""

_MOST_NOTABLE = 400
"""Failures of each strength that are put in order; a summary has room for far fewer (views.md, log)."""


class Columns:
    """The events of a log, in file order.

    Attributes:
        moments: the instant that each event's timestamp names, in microseconds since the epoch, or `UNDATED`.
        kinds: the type of each, None where there is none.
        strengths: `STRONG`, `MEDIUM` or 0 for each.
        counts: how many events there are of each type.
    """

    __slots__ = ("_dated", "_notable", "counts", "kinds", "moments", "strengths")

    def __init__(self) -> None:
        self.moments = array("q")
        self.kinds: list[str | None] = []
        self.strengths = bytearray()
        self.counts: Counter[str | None] = Counter()
        # The instants alone, sorted: of all events, and of the failures of each strength.
        self._dated = array("q")
        self._notable = {STRONG: array("q"), MEDIUM: array("q")}

    def __len__(self) -> int:
        return len(self.moments)

    def splice(
        self, start: int, stop: int, moments: Sequence[int], kinds: Sequence[str | None], strengths: bytes | bytearray
    ) -> None:
        """Put events in the place of those from `start` to `stop`."""
        before = self.moments[start:stop]
        self._dated = _resorted(self._dated, before, moments)
        for level, known in self._notable.items():
            self._notable[level] = _resorted(
                known, _of_level(level, before, self.strengths[start:stop]), _of_level(level, moments, strengths)
            )
        self.counts.subtract(self.kinds[start:stop])
        self.counts.update(kinds)
        for kind in {*self.kinds[start:stop]}:
            if not self.counts[kind]:
                del self.counts[kind]
        self.moments[start:stop] = array("q", moments)
        self.kinds[start:stop] = kinds
        self.strengths[start:stop] = strengths

    def newest(self, count: int) -> list[int]:
        """Return the positions of the newest events, the newest first.

        1. By instant. Events without one are the oldest; they stay in file order.
        2. Neighbours with one instant (those without an instant are looked through) are ordered by the direction of
           their stretch: where the instants fall from line to line, the earlier line is the later event; where they
           rise, the later line is. Where they fall on one side of the neighbours and rise on the other, the side
           that keeps its direction for more steps decides. Where nothing decides, they rise, as a log is a thing
           that is appended to.
        3. Equal instants that are not neighbours: the later line is the later event.
        """
        dated = min(count, len(self._dated))
        least = self._dated[-dated] if dated else 0
        found = compress(range(len(self.moments)), map(least.__le__, self.moments)) if dated else ()
        ordered = list(islice(self._newest_first(found), dated))
        if count > dated:
            undated = (at for at, moment in enumerate(self.moments) if moment == UNDATED)
            ordered += islice(undated, count - dated)
        return ordered

    def oldest(self) -> int | None:
        """Return the position of the oldest event with an instant, None where there is none."""
        if not self._dated:
            return None
        least = self._dated[0]
        found: list[int] = []
        for _ in range(bisect_right(self._dated, least)):
            found.append(self.moments.index(least, found[-1] + 1 if found else 0))
        return list(self._newest_first(found))[-1]

    def notable(self, besides: Iterable[int]) -> tuple[int, Iterator[int]]:
        """Return how many failures there are besides some positions, and where the newest of them are.

        Strong ones come first, each strength with the newest first; not all of them where there are very many.
        """
        besides = frozenset(besides)
        count = sum(map(self.strengths.count, (STRONG, MEDIUM)))
        count -= sum(self.strengths[at] > 0 for at in besides)
        return count, (at for level in (STRONG, MEDIUM) for at in self._newest_of(level, besides))

    def _newest_of(self, level: int, besides: frozenset[int]) -> Iterator[int]:
        """Yield where failures of one strength are, the newest first."""
        dated = self._notable[level]
        most = _MOST_NOTABLE + len(besides)
        least = dated[-most] if len(dated) > most else UNDATED
        places = (hit.start() for hit in re.finditer(bytes([level]), self.strengths))
        return self._newest_first([at for at in places if self.moments[at] >= least and at not in besides])

    def _newest_first(self, positions: Iterable[int]) -> Iterator[int]:
        """Yield positions (given in file order) from the newest event to the oldest."""
        moments = self.moments
        for moment, group in groupby(sorted(positions, key=lambda at: -moments[at]), key=moments.__getitem__):
            if moment == UNDATED:
                yield from group
                continue
            for plateau in reversed(list(self._plateaus(group))):
                yield from plateau if len(plateau) > 1 and self._falls(plateau) else plateau[::-1]

    def _plateaus(self, positions: Iterable[int]) -> Iterator[list[int]]:
        """Yield those of some positions with one instant together between which no other instant stands."""
        plateau: list[int] = []
        for at in positions:
            if plateau and any(
                self.moments[between] not in (UNDATED, self.moments[at]) for between in range(plateau[-1] + 1, at)
            ):
                yield plateau
                plateau = []
            plateau.append(at)
        if plateau:
            yield plateau

    def _falls(self, plateau: list[int]) -> bool:
        """Return whether neighbours with one instant stand in a falling stretch."""
        moment = self.moments[plateau[0]]
        before = next(self._others(plateau[0], -1), None)
        after = next(self._others(plateau[-1], 1), None)
        if before is None or after is None:
            return (after is not None and self.moments[after] < moment) or (
                before is not None and self.moments[before] > moment
            )
        falls_into, falls_out = self.moments[before] > moment, self.moments[after] < moment
        if falls_into == falls_out:
            return falls_into
        into, out = self._steps(before, -1, falls=falls_into), self._steps(after, 1, falls=falls_out)
        while True:
            is_into, is_out = next(into, False), next(out, False)
            if not (is_into and is_out):
                return is_into if falls_into else is_out

    def _steps(self, at: int, step: int, *, falls: bool) -> Iterator[bool]:
        """Yield True for each further step in one direction, going up or down the file from a position."""
        here = self.moments[at]
        for other in self._others(at, step):
            there = self.moments[other]
            if (there > here if step < 0 else there < here) != falls:
                return
            yield True
            here = there

    def _others(self, at: int, step: int) -> Iterator[int]:
        """Yield the positions up or down the file at which the instant becomes another one."""
        here = self.moments[at]
        for other in range(at + step, len(self.moments) if step > 0 else -1, step):
            there = self.moments[other]
            if there not in (UNDATED, here):
                yield other
                here = there


def _of_level(level: int, moments: Sequence[int], strengths: bytes | bytearray) -> list[int]:
    return [moment for moment, strength in zip(moments, strengths, strict=True) if strength == level]


def _resorted(known: array[int], old: Sequence[int], new: Sequence[int]) -> array[int]:
    """Return sorted instants of which some are replaced by others."""
    if len(old) + len(new) <= _FEW:
        for moment in old:
            if moment != UNDATED:
                del known[bisect_left(known, moment)]
        for moment in new:
            if moment != UNDATED:
                insort(known, moment)
        return known
    left = Counter(known)
    left.subtract(moment for moment in old if moment != UNDATED)
    return array("q", sorted([*left.elements(), *(moment for moment in new if moment != UNDATED)]))
