"""A log read as events of the parser: only the few values that the view needs, and where each entry stands.

A log grows for ever, so the cost of a refresh must follow the size of the change. What the parser said of the bytes
that the log shares with the last ones, before and after what has changed, still holds; only the window between is
read. That holds where each entry is independent of all others: one document, one block list at one column, no
anchors, aliases, merge keys or directives. Any other log has no index, and is read as a tree.

Entries are told from each other by their dashes. In a block list each entry's dash begins a line at the column of
the list; a line that looks so and is none (inside of quotes, say) makes one line too many, and then there is no index.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from dataclasses import dataclass, field
from datetime import tzinfo
from itertools import pairwise
from typing import Any

from hypo_strategies._log_columns import Columns
from hypo_strategies._log_reading import Reading
from hypo_strategies._log_records import MAX_ENTRY_NODES, TIME_KEYS, Record, moment_of, one_line, record_of, strength
from hypo_strategies.text import yaml
from hypo_strategies.text.difference import common_prefix, common_suffix
from hypo_strategies.text.yaml import MAX_DEPTH, Mapping, NotPlainError, Sequence, YamlError

_WANTED = frozenset({"type", "status", *TIME_KEYS})
_MARK = b"\xef\xbb\xbf"
_OTHER_BREAKS = (b"\xc2\x85", b"\xe2\x80\xa8", b"\xe2\x80\xa9")
"""Line breaks of YAML 1.1 that are none of YAML 1.2 (U+0085, U+2028, U+2029)."""
_SURROGATE = re.compile(rb"\\u[dD][89abAB]")
_DEEPEST = MAX_DEPTH - 3
"""Collections inside of each other in a value; what is deeper may be too deep for a tree."""
_MOST_KEPT = 512
"""Records of single entries that are kept beside those of the last render."""


@dataclass(slots=True)
class Window:
    """What the parser said of some whole entries.

    Attributes:
        breaks: how many lines each takes.
        moments, kinds, strengths: as in `Columns`.
    """

    breaks: array[int] = field(default_factory=lambda: array("q"))
    moments: array[int] = field(default_factory=lambda: array("q"))
    kinds: list[str | None] = field(default_factory=list)
    strengths: bytearray = field(default_factory=bytearray)


class Index:
    """A log, read; `data` are its bytes, without a byte order mark."""

    __slots__ = ("_breaks", "_column", "_columns", "_kept", "_starts", "_used", "_zone", "data")

    def __init__(self, data: bytes, zone: tzinfo) -> None:
        """Read a log.

        Args:
            data: the log.
            zone: for timestamps without a zone.

        Raises:
            NotPlainError: it is not one block list of mappings that are independent of each other.
        """
        self.data = data.removeprefix(_MARK)
        self._zone = zone
        line, self._column, window = _read(self.data, zone, is_whole=True)
        self._starts = _measure(self.data, _start_of(self.data, line), len(self.data), self._column, window)
        self._columns = Columns()
        self._columns.splice(0, 0, window.moments, window.kinds, window.strengths)
        self._breaks = window.breaks
        self._kept: dict[bytes, Record] = {}
        self._used: dict[bytes, Record] = {}

    def update(self, data: bytes) -> None:
        """Read the log again, of which only a part has changed.

        Raises:
            NotPlainError: what has changed cannot be read by itself; the index is as it was.
        """
        data = data.removeprefix(_MARK)
        old = self.data
        same = common_prefix(old, data)
        if same == len(old) == len(data):
            return
        after = common_suffix(old, data, least=same)
        starts, entries = self._starts, len(self._breaks)
        # An entry is what it was if its dash and what follows that still stand, and all up to the next dash.
        start = bisect_right(starts, same - self._column - 2, 0, entries) - 1
        if start < 0:
            raise NotPlainError
        stop = bisect_right(starts, len(old) - after, 0, entries)
        moved = len(data) - len(old)
        begin, end = starts[start], starts[stop] + moved
        line, column, window = _read(data[begin:end], self._zone, is_whole=stop == entries)
        if line or column != self._column:
            raise NotPlainError
        new = _measure(data, begin, end, column, window)
        self._columns.splice(start, stop, window.moments, window.kinds, window.strengths)
        self._breaks[start:stop] = window.breaks
        self._starts = [*starts[:start], *new[:-1], *(at + moved for at in starts[stop:])]
        self.data = data

    def reading(self) -> Reading:
        """Return what the log holds, until the next update."""
        self._kept = dict(list(self._used.items())[-_MOST_KEPT:])
        self._used = {}
        return Reading(self._columns, (), self._record, self._lines_before)

    def _record(self, at: int) -> Record:
        entry = self.data[self._starts[at] : self._starts[at + 1]]
        known = self._used.get(entry) or self._kept.get(entry) or _record(entry)
        self._used[entry] = known
        return known

    def _lines_before(self, at: int) -> int:
        return self.data.count(b"\n", 0, self._starts[0]) + sum(self._breaks[:at])


def _record(entry: bytes) -> Record:
    """Return the record of one entry by itself; its lines begin with 1.

    Raises:
        NotPlainError: it is none by itself.
    """
    try:
        root = yaml.parse(entry.decode())
    except YamlError:
        raise NotPlainError from None
    if not isinstance(root, Sequence) or len(root.items) != 1 or not isinstance(root.items[0], Mapping):
        raise NotPlainError
    return record_of(root.items[0])


def _start_of(data: bytes, line: int) -> int:
    """Return where a line begins; lines count from 0."""
    at = 0
    for _ in range(line):
        at = data.index(b"\n", at) + 1
    return at


def _measure(data: bytes, begin: int, end: int, column: int, window: Window) -> list[int]:
    """Add how many lines each entry takes; return where they begin, and where the last one ends.

    Raises:
        NotPlainError: there are more or fewer lines that begin like an entry than there are entries.
    """
    dash = re.compile(rb"\n" + b" " * column + rb"-(?=[ \r\n])")
    starts = [begin, *(hit.start() + 1 for hit in dash.finditer(data, begin, end))]
    if len(starts) != len(window.kinds):
        raise NotPlainError
    starts.append(end)
    window.breaks.extend(data.count(b"\n", start, stop) for start, stop in pairwise(starts))
    return starts


def _read(data: bytes, zone: tzinfo, *, is_whole: bool) -> tuple[int, int, Window]:
    """Return the line (from 0) and the column of the first dash, and what the entries hold.

    Args:
        data: a log, or some entries of one.
        zone: for timestamps without a zone.
        is_whole: whether nothing follows.

    Raises:
        NotPlainError: they are not what an index can be made of.
    """
    if data.count(b"\r") != data.count(b"\r\n"):
        raise NotPlainError
    if not data.isascii() and any(one in data for one in _OTHER_BREAKS):
        raise NotPlainError
    if b"\\u" in data and _SURROGATE.search(data):
        raise NotPlainError
    try:
        return _Reader(data, zone).read(is_whole=is_whole)
    except Exception:  # noqa: BLE001 - the two parsers' errors share no class; whoever reads the tree tells of them
        raise NotPlainError from None


class _Reader:
    """Reads the parser's events; what is not looked for is counted and passed by."""

    def __init__(self, data: bytes, zone: tzinfo) -> None:
        self._next = yaml.events(data)
        self._kinds = yaml.event_kinds()
        self._zone = zone
        self._names: dict[str, str] = {}
        self._strengths: dict[tuple[str | None, str | None], int] = {}
        self._last: Any = None

    def read(self, *, is_whole: bool) -> tuple[int, int, Window]:
        kinds = self._kinds
        self._next()
        start = self._next()
        if type(start) is not kinds.document_start or start.version or start.tags:
            raise NotPlainError
        root = self._next()
        is_mapping = type(root) is kinds.mapping_start
        first = self._entries(root) if is_mapping else root
        window = self._list(first)
        if is_mapping and type(self._next()) is not kinds.mapping_end:
            raise NotPlainError  # something follows the list, whose bytes would be taken for the last entry's
        end = self._next()
        if type(end) is not kinds.document_end or end.explicit or type(self._next()) is not kinds.stream_end:
            raise NotPlainError
        if not is_whole and self._last is not None and self._last.style in {"|", ">"} and not self._last.value.strip():
            raise NotPlainError  # blank lines at its end belong to a block scalar, and to what follows
        return first.start_mark.line, first.start_mark.column, window

    def _entries(self, root: Any) -> Any:
        """Return the event with which the value of `entries` begins."""
        if root.anchor:
            raise NotPlainError
        while type(key := self._next()) is self._kinds.scalar:
            self._check(key)
            value = self._next()
            if key.value == "entries":
                return value
            self._pass(value)
        raise NotPlainError

    def _list(self, first: Any) -> Window:
        mapping_start, mapping_end, scalar = self._kinds.mapping_start, self._kinds.mapping_end, self._kinds.scalar
        get = self._next
        window = Window()
        if type(first) is not self._kinds.sequence_start or first.flow_style or first.anchor:
            raise NotPlainError
        while type(entry := get()) is not self._kinds.sequence_end:
            if type(entry) is not mapping_start or entry.anchor:
                raise NotPlainError
            values: dict[str, str] = {}
            size = 1
            while type(key := get()) is not mapping_end:
                if type(key) is not scalar:
                    size += self._pass(key) + self._pass(get())
                    continue
                name = key.value
                if key.anchor or (name == "<<" and not key.style):
                    raise NotPlainError
                value = get()
                if type(value) is not scalar:
                    size += 1 + self._pass(value)
                    continue
                size += 2
                if value.anchor:
                    raise NotPlainError
                if name in _WANTED and yaml.holds(value):
                    values.setdefault(name, value.value)
                self._last = value
            if size > MAX_ENTRY_NODES:
                raise NotPlainError
            self._add(values, window)
        return window

    def _add(self, values: dict[str, str], window: Window) -> None:
        kind, status = values.get("type"), values.get("status")
        kind = None if kind is None else self._names.setdefault(kind, one_line(kind))
        level = self._strengths.get((status, kind))
        if level is None:
            one = None if status is None else one_line(status)
            level = self._strengths[status, kind] = strength(one, kind)
        time = next((values[key] for key in TIME_KEYS if key in values), None)
        window.moments.append(moment_of(time, self._zone))
        window.kinds.append(kind)
        window.strengths.append(level)

    def _check(self, key: Any) -> None:
        if key.anchor or (key.value == "<<" and not key.style):
            raise NotPlainError

    def _pass(self, event: Any) -> int:
        """Pass by a value; return how many nodes it has."""
        kinds = self._kinds
        get = self._next
        depth = size = 0
        while True:
            kind = type(event)
            if kind is kinds.scalar:
                size += 1
                self._check(event)
                self._last = event
            elif kind in {kinds.mapping_start, kinds.sequence_start}:
                size += 1
                depth += 1
                if event.anchor or depth > _DEEPEST:
                    raise NotPlainError
            elif kind in {kinds.mapping_end, kinds.sequence_end}:
                depth -= 1
            else:
                raise NotPlainError  # an alias
            if not depth:
                return size
            event = get()
