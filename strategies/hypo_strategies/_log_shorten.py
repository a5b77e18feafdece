"""Values cut to a length, so that what is left is valid YAML and says how much it lost, and where that is."""

from __future__ import annotations

from collections.abc import Iterable

from hypo_strategies.text.yaml import Mapping, Node, Scalar, Sequence, flow, quote

SMALLEST = 100
"""Characters that a value is never shortened below: what the note of what is left out takes at most."""


def length(node: Node, limit: int) -> int:
    """Return how many characters the node takes in flow style; anything above `limit` where it takes more.

    Stops at the limit: aliases can make a short source immensely long.
    """
    return limit - _room_left(node, limit)


def shorten(node: Node, limit: int, where: str) -> Node:
    """Return the node so that it takes about `limit` characters in flow style at most.

    A scalar keeps its beginning; a list or a mapping keeps its first members.

    Args:
        node: any; what is short enough is returned as it is.
        limit: at least `SMALLEST`.
        where: the place in the source, short, for the note of what is left out.
    """
    if length(node, limit) <= limit:
        return node
    if isinstance(node, Scalar):
        return _clipped(node, limit, where)
    if isinstance(node, Sequence):
        items = [item for _, item in _first(((None, item) for item in node.items), limit, where)]
        left_out = len(node.items) - len(items)
        return Sequence([*items, Scalar(f"… {left_out} more, {where}")] if left_out else items)
    pairs = [(key, value) for key, value in _first(node.pairs, limit, where) if key is not None]
    return Mapping(pairs + more_keys(len(node.pairs) - len(pairs), where))


def more_keys(count: int, where: str) -> list[tuple[Node, Node]]:
    """Return the pair that says that a mapping has lost `count` keys, no pair where that is none."""
    return [(Scalar("…"), Scalar(f"{count} more keys, {where}"))] if count else []


def _first(members: Iterable[tuple[Node | None, Node]], limit: int, where: str) -> list[tuple[Node | None, Node]]:
    """Return the members that fit, the last of them shortened where that leaves something to read."""
    room = limit - SMALLEST
    kept: list[tuple[Node | None, Node]] = []
    for key, value in members:
        room -= 2 if key is None else length(key, limit) + 4
        taken = length(value, max(room, 0))
        if taken > room:
            if room >= SMALLEST:
                kept.append((key, shorten(value, room, where)))
            break
        kept.append((key, value))
        room -= taken
    return kept


def _clipped(scalar: Scalar, limit: int, where: str) -> Scalar:
    """Return the beginning of a scalar; what quoting adds (escapes) counts."""
    keep = limit - len(_cut(scalar.value, 0, where))
    while keep and len(quote(_cut(scalar.value, keep, where))) > limit:
        keep = keep * 3 // 4
    return Scalar(_cut(scalar.value, keep, where))


def _cut(text: str, keep: int, where: str) -> str:
    kept = text[:keep].rstrip()
    return f"{kept}… {len(text) - len(kept)} more characters, {where}"


def _room_left(node: Node, room: int) -> int:
    if isinstance(node, Scalar):
        return room - (len(node.value) if len(node.value) > room else len(flow(node)))
    if isinstance(node, Sequence):
        for item in node.items:
            room = _room_left(item, room - 2)
            if room < 0:
                break
        return room if node.items else room - 2
    for key, value in node.pairs:
        room = _room_left(value, _room_left(key, room - 4))
        if room < 0:
            break
    return room if node.pairs else room - 2
