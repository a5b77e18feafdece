"""The patterns by which a strategy names its sources.

They are matched without regular expressions: hooks ask, and importing `re` would take longer than all the answers.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    Segment: TypeAlias = str | tuple[str, ...]
    """What stands between two `*`: a text, or for each character which ones may stand there."""


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
    first = segments[0]
    if len(segments) == 1:
        return len(name) == len(first) and _stands(name, 0, first)
    last = segments[-1]
    at, end = len(first), len(name) - len(last)
    if at > end or not _stands(name, 0, first) or not _stands(name, end, last):
        return False
    for segment in segments[1:-1]:
        at = _found(name, at, end, segment)
        if at < 0:
            return False
        at += len(segment)
    return True


def _found(name: str, at: int, end: int, segment: Segment) -> int:
    """Return where a segment stands between two places, -1 for nowhere."""
    if isinstance(segment, str):
        return name.find(segment, at, end)
    return next((place for place in range(at, end - len(segment) + 1) if _stands(name, place, segment)), -1)


def _stands(name: str, at: int, segment: Segment) -> bool:
    if isinstance(segment, str):
        return name.startswith(segment, at)
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
            segments.append(_plain(segment))
            segment = []
        elif closed > 0:
            segment.append(_characters(part[at + 1 : closed]))
            at = closed
        else:
            segment.append(part[at])
        at += 1
    return [*segments, _plain(segment)]


def _plain(segment: Sequence[str]) -> Segment:
    """Return a segment as a text where each of its characters is one certain."""
    return "".join(segment) if all(len(allowed) == 1 for allowed in segment) else tuple(segment)


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
