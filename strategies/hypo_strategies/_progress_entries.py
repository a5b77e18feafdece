"""The entries of PROGRESS.md and which of them is newest.

`HH:MM` says nothing across midnight, so it is never sorted: where an entry stands decides, read in
the direction in which its list grows. Only full dates are compared as instants (formats.md 1.5).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from itertools import pairwise
from typing import Literal, TypeAlias

from hypo_strategies.text.times import instant, leading_time

Kind = Literal["row", "item", "line"]
_Parts: TypeAlias = tuple[tuple[int, ...], int]

_MARKS = re.compile(r"[\s*_`~(（【「<]*(?:\[[ xX]\]\s*)?[\s*_`~(（【「<\[]*")
_CLOCK = re.compile(r"(\d{1,2}):(\d{2})")
_DATE = re.compile(r"(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?[Tt ]*")
_HALF_DAY = 12 * 60
_TIME_WITHIN = 80
"""A time that begins an entry ends within so many characters."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One progress entry: its line in the view, its time as spelled, the header of its own timeline table."""

    text: str
    time: str | None = None
    header: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """What two copies of one entry have in common."""
        return " ".join(self.text.split())

    def instant(self, zone: tzinfo) -> datetime | None:
        """Return the instant of an entry with a full date and a clock, None for any other."""
        if not self.time or not _CLOCK.search(self.time):
            return None
        return instant(_DATE.sub(_iso_date, self.time, count=1), zone)


@dataclass(slots=True)
class Segment:
    """Entries that stand together in one section, in the order of the file."""

    kind: Kind
    entries: list[Entry] = field(default_factory=list)


def time_of(text: str) -> str | None:
    """Return the time that an entry begins with as it is spelled, whatever marks stand before it."""
    start = text[:_TIME_WITHIN]
    mark = _MARKS.match(start)
    return leading_time(start[mark.end() :] if mark else start)


def clock_of(text: str) -> str | None:
    """Return the time that a text begins with when it names an hour; a date alone makes no entry."""
    time = time_of(text)
    return time if time and _CLOCK.search(time) else None


def newest_first(segments: Iterable[Segment], updated: str | None, zone: tzinfo) -> list[Entry]:
    """Return all entries, the newest first and each once (views.md, PROGRESS; formats.md 1.5).

    Args:
        segments: in the order of the file.
        updated: the file's "last updated" time, which is that of the newest entry.
        zone: for full dates without a zone.
    """
    ordered = [_newest_first(segment, updated, zone) for segment in _without_copies(segments)]
    ordered.sort(key=lambda entries: not _same_moment(entries[0].time, updated))
    return _by_instant([entry for entries in ordered for entry in entries], zone)


def _without_copies(segments: Iterable[Segment]) -> list[Segment]:
    """Return the segments with each entry once.

    A segment that repeats entries of an earlier one is a copy of it (formats.md 1.6): what only the
    copy has goes into the earlier one, behind the entry that it follows in the copy.
    """
    home: dict[str, int] = {}
    hosts: list[Segment] = []
    before: list[list[Entry]] = []
    behind: dict[str, list[Entry]] = {}
    for segment in segments:
        shared = next((home[entry.key] for entry in segment.entries if entry.key in home), None)
        host = len(hosts) if shared is None else shared
        if shared is None:
            hosts.append(Segment(segment.kind))
            before.append([])
        anchor: str | None = None
        for entry in segment.entries:
            if entry.key in home:
                anchor = entry.key if home[entry.key] == host else anchor
                continue
            home[entry.key] = host
            if shared is None:
                hosts[host].entries.append(entry)
            else:
                (before[host] if anchor is None else behind.setdefault(anchor, [])).append(entry)
    return [
        Segment(host.kind, list(_followed([*first, *host.entries], behind)))
        for host, first in zip(hosts, before, strict=True)
        if first or host.entries
    ]


def _followed(entries: list[Entry], behind: dict[str, list[Entry]]) -> Iterator[Entry]:
    """Yield the entries, each with those that stand behind it."""
    waiting = entries[::-1]
    while waiting:
        entry = waiting.pop()
        yield entry
        waiting.extend(reversed(behind.get(entry.key, ())))


def _newest_first(segment: Segment, updated: str | None, zone: tzinfo) -> list[Entry]:
    return segment.entries[::-1] if _grows_at_the_end(segment, updated, zone) else segment.entries


def _grows_at_the_end(segment: Segment, updated: str | None, zone: tzinfo) -> bool:
    """Return whether the last entry is the newest one.

    Full dates say it; else the end that carries the "last updated" time; else the way most clocks
    go, where a step of more than half a day is one across midnight. Tables grow at their head in
    every project seen, so that they need more evidence than lists.
    """
    instants = [moment for entry in segment.entries if (moment := entry.instant(zone))]
    rising = sum(later > earlier for earlier, later in pairwise(instants))
    falling = sum(later < earlier for earlier, later in pairwise(instants))
    if rising != falling:
        return rising > falling
    timed = [entry.time for entry in segment.entries if entry.time]
    if timed and _same_moment(timed[0], updated) != _same_moment(timed[-1], updated):
        return _same_moment(timed[-1], updated)
    steps = [_step(one, other) for one, other in pairwise([_parts(entry.time) for entry in segment.entries])]
    rising, falling = sum(step > 0 for step in steps), sum(step < 0 for step in steps)
    return rising > 2 * falling + 1 if segment.kind == "row" else rising >= falling


def _parts(time: str | None) -> _Parts | None:
    """Return the numbers of a time's date (none for a bare clock) and its minute of the day (-1 for a bare date)."""
    if not time:
        return None
    clock = _CLOCK.search(time)
    date = tuple(int(number) for number in re.findall(r"\d+", time[: clock.start()] if clock else time))
    return date, int(clock[1]) * 60 + int(clock[2]) if clock else -1


def _step(one: _Parts | None, other: _Parts | None) -> int:
    """Return whether the clock goes forward (1) or back (-1) from one entry to the next, 0 when that is not known."""
    if one is None or other is None or len(one[0]) != len(other[0]):
        return 0
    if one[0]:
        return (other > one) - (other < one)
    forward = (other[1] - one[1]) % (2 * _HALF_DAY)
    return 0 if forward in (0, _HALF_DAY) else 1 if forward < _HALF_DAY else -1


def _same_moment(time: str | None, updated: str | None) -> bool:
    """Return whether two times agree as far as both are written: `18:04` agrees with `2026-04-30 18:04`."""
    one, other = _parts(time), _parts(updated)
    if one is None or other is None or one[1] != other[1]:
        return False
    shared = min(len(one[0]), len(other[0]))
    return not shared or one[0][-shared:] == other[0][-shared:]


def _by_instant(entries: list[Entry], zone: tzinfo) -> list[Entry]:
    """Return the entries sorted by their full dates, newest first; ties stay, and so do entries without.

    An entry without a full date goes with the one before it.
    """
    moments = [entry.instant(zone) for entry in entries]
    last = next((moment for moment in moments if moment), None)
    if last is None:
        return entries
    keys = [last := moment or last for moment in moments]
    order = sorted(range(len(entries)), key=keys.__getitem__, reverse=True)
    return [entries[index] for index in order]


def _iso_date(match: re.Match[str]) -> str:
    return f"{match[1]}-{int(match[2]):02}-{int(match[3]):02}T"
