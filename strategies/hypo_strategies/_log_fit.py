"""The newest events as lines that fit into a view (views.md, rule 6).

As the source has them, one line a key, while there is room. Where there is not, the newest stay as
they are for as long as possible: first the oldest are put on one line each, then their values are
shortened, then they lose keys.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from hypo_strategies._log_shorten import SMALLEST, length, more_keys, shorten
from hypo_strategies.text import yaml
from hypo_strategies.text.limits import MAX_BYTES, MAX_YAML_LINE, bytes_of
from hypo_strategies.text.yaml import Mapping, Node, Scalar

_MAX_VALUE = MAX_YAML_LINE - 1_000
"""Characters of a value, so that its key has room on the same line."""

_VALUE_STEPS = ((MAX_BYTES // 4, 600), (0, 200), (0, SMALLEST))
"""Which events are shortened, from one round to the next, and how: those of more characters than
the first number, their values to the second. An event that alone fills a quarter of the view comes
before all others, whatever its age."""

_EVENT_LIMITS = (3_500, 1_000, 500, 250)
"""Characters of an event that is too long although its values are short."""

_NAMING_KEYS = frozenset({"id", "type", "status", "timestamp", "time"})
_INDENT = 4
_DASH = "  - "


@dataclass(frozen=True, slots=True)
class Room:
    """A number of lines and of UTF-8 bytes."""

    lines: int
    bytes: int

    def less(self, lines: list[str]) -> Room:
        """Return what is left when the lines are in it."""
        return Room(self.lines - len(lines), self.bytes - bytes_of(lines))

    def plus(self, lines: list[str]) -> Room:
        """Return what is left when the lines are taken out again."""
        return Room(self.lines + len(lines), self.bytes + bytes_of(lines))

    @property
    def enough(self) -> bool:
        """Whether nothing stands over."""
        return self.lines >= 0 and self.bytes >= 0


@dataclass(slots=True)
class Event:
    """What is shown of one event of a log, and how it looks; that is worked out once.

    `node` is redacted, and no key stands twice in a mapping of it. Its lines are those of the log less what
    `lines_before` gives.
    """

    node: Mapping
    lines_before: Callable[[], int] = int
    _draft: Mapping | None = None
    _block: list[str] | None = None
    _flow: list[str] | None = None

    def place(self, source: str) -> str:
        """Return where it stands, for the note of what is left out."""
        return f"{source} line {self.node.line + self.lines_before()}"

    def draft(self, source: str) -> Mapping:
        """Return it with values that have room on a line each."""
        if self._draft is not None:
            return self._draft
        if all(length(value, _MAX_VALUE) <= _MAX_VALUE for _, value in self.node.pairs):
            self._draft = self.node
            return self.node
        return self.shortened(_MAX_VALUE, source)  # what is cut tells the place in the log, and that moves

    def block(self, source: str) -> list[str]:
        """Return it as one line a key."""
        if self._block is None or self._draft is None:
            self._block = _block(self.draft(source))
        return self._block

    def flow(self, source: str) -> list[str]:
        """Return it on one line."""
        if self._flow is None or self._draft is None:
            self._flow = _one_line(self.draft(source))
        return self._flow

    def shortened(self, limit: int, source: str) -> Mapping:
        """Return it with values of so many characters at most."""
        place = self.place(source)
        return Mapping([(key, shorten(value, limit, place)) for key, value in self.node.pairs], self.node.line)


def fit(events: Sequence[Event], room: Room, source: str) -> tuple[list[str], int]:
    """Return the lines of the events and how many of them there are room for: the first ones.

    Args:
        events: newest first.
        room: what the view has left for them.
        source: how the log is called where something is left out.
    """
    events = events[: max(room.lines, 0)]
    texts = [event.block(source) for event in events]
    left = room.less(_flat(texts))
    if not left.enough:
        for index, lines in _smaller(events, source):
            left = left.plus(texts[index]).less(lines)
            texts[index] = lines
            if left.enough:
                break
    while texts and not left.enough:
        left = left.plus(texts.pop())
    return _flat(texts), len(texts)


def _smaller(events: Sequence[Event], source: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the place and the lines of one event after the other, made smaller, the oldest first.

    Each cut of a value is made on the event itself, so that it counts all that is left out.
    """
    oldest_first = range(len(events) - 1, -1, -1)
    for index in oldest_first:
        yield index, events[index].flow(source)
    drafts = [event.draft(source) for event in events]
    for size, limit in _VALUE_STEPS:
        for index in oldest_first:
            if length(drafts[index], size) > size:
                drafts[index] = events[index].shortened(limit, source)
                yield index, _one_line(drafts[index])
    for size in _EVENT_LIMITS:
        for index in oldest_first:
            if length(drafts[index], size) > size:
                yield index, _one_line(_with_few_keys(drafts[index], size, events[index].place(source)))


def _with_few_keys(event: Mapping, limit: int, place: str) -> Mapping:
    """Return the event with the keys that name it, and as many of the others as there is room for."""
    room = limit - SMALLEST - sum(_cost(pair) for pair in event.pairs if _names(pair))
    pairs = []
    for pair in event.pairs:
        if not _names(pair):
            room -= _cost(pair)
        if _names(pair) or room >= 0:
            pairs.append(pair)
    return Mapping(pairs + more_keys(len(event.pairs) - len(pairs), place))


def _names(pair: tuple[Node, Node]) -> bool:
    return isinstance(pair[0], Scalar) and pair[0].value in _NAMING_KEYS


def _cost(pair: tuple[Node, Node]) -> int:
    return length(pair[0], _MAX_VALUE) + length(pair[1], _MAX_VALUE) + 4


def _block(event: Mapping) -> list[str]:
    lines = yaml.block(event, _INDENT)
    return [_DASH + lines[0][_INDENT:], *lines[1:]] if lines else [_DASH + "{}"]


def _one_line(event: Mapping) -> list[str]:
    """Return the event on one line, one line a key where that line would be endless."""
    line = _DASH + yaml.flow(event)
    return [line] if len(line) <= MAX_YAML_LINE else _block(event)


def _flat(texts: list[list[str]]) -> list[str]:
    return [line for lines in texts for line in lines]
