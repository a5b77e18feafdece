"""The patterns by which a strategy names its sources.

They are matched without regular expressions: hooks ask, and importing `re` would take longer than all the answers.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

Segment = tuple[str, ...]
"""What stands between two `*`: for each character, which ones may stand there."""


def matches(path: str, *patterns: str) -> bool:
    """Return whether a pattern matches the whole path.

    `*` and `[...]` stand for characters inside one part of the path, `**` for any number of parts.
    """
    parts = path.split("/")
    return any(_match(parts, _parts(pattern)) for pattern in patterns)


def matches_name(name: str, pattern: str) -> bool:
    """Return whether a pattern without `/` matches a whole name."""
    return _fits(name, _segments(pattern))


def _match(parts: Sequence[str], pattern: Sequence[str]) -> bool:
    at = 0
    for number, wanted in enumerate(pattern):
        if wanted == "**":
            rest = pattern[number + 1 :]
            return any(_match(parts[skipped:], rest) for skipped in range(at, len(parts) + 1))
        if at == len(parts) or not _fits(parts[at], _segments(wanted)):
            return False
        at += 1
    return at == len(parts)


def _fits(name: str, segments: Sequence[Segment]) -> bool:
    """Return whether a name begins with the first segment, ends with the last one, and has the others in between."""
    first, *between = segments
    if not _stands(name, 0, first):
        return False
    at = len(first)
    if not between:
        return at == len(name)
    *between, last = between
    end = len(name) - len(last)
    for segment in between:
        while at + len(segment) <= end and not _stands(name, at, segment):
            at += 1
        at += len(segment)
    return at <= end and _stands(name, end, last)


def _stands(name: str, at: int, segment: Segment) -> bool:
    return at + len(segment) <= len(name) and all(
        name[at + number] in allowed for number, allowed in enumerate(segment)
    )


_known_parts: dict[str, tuple[str, ...]] = {}
_known_segments: dict[str, tuple[Segment, ...]] = {}


def _parts(pattern: str) -> tuple[str, ...]:
    known = _known_parts.get(pattern)
    if known is None:
        known = _known_parts[pattern] = tuple(pattern.split("/"))
    return known


def _segments(part: str) -> tuple[Segment, ...]:
    known = _known_segments.get(part)
    if known is None:
        known = _known_segments[part] = tuple(_read(part))
    return known


def _read(part: str) -> list[Segment]:
    segments: list[Segment] = []
    segment: list[str] = []
    at = 0
    while at < len(part):
        closed = part.find("]", at + 1) if part[at] == "[" else -1
        if part[at] == "*":
            segments.append(tuple(segment))
            segment = []
        elif closed > 0:
            segment.append(_characters(part[at + 1 : closed]))
            at = closed
        else:
            segment.append(part[at])
        at += 1
    return [*segments, tuple(segment)]


def _characters(inside: str) -> str:
    """Return the characters for which `0-9x` stands."""
    found = []
    at = 0
    while at < len(inside):
        if inside[at + 1 : at + 2] == "-" and at + 2 < len(inside):
            found += [chr(code) for code in range(ord(inside[at]), ord(inside[at + 2]) + 1)]
            at += 3
        else:
            found.append(inside[at])
            at += 1
    return "".join(found)
