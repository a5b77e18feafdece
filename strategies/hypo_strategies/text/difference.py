"""How much of two byte strings is the same, at the speed at which memory is compared; pure."""

from __future__ import annotations

from collections.abc import Callable

_BLOCK = 1 << 16


def common_prefix(one: bytes, other: bytes) -> int:
    """Return how many bytes both begin with."""
    with memoryview(one) as view:
        return _agreed(min(len(one), len(other)), lambda begin, end: other.startswith(view[begin:end], begin))


def common_suffix(one: bytes, other: bytes, *, least: int = 0) -> int:
    """Return how many bytes both end with, without the `least` ones that they begin with."""
    mine, its = len(one), len(other)
    with memoryview(one) as view:
        return _agreed(
            min(mine, its) - least, lambda begin, end: other.startswith(view[mine - end : mine - begin], its - end)
        )


def _agreed(most: int, agree: Callable[[int, int], bool]) -> int:
    """Return up to where two things agree; `agree` says whether they do from one place to another."""
    at = 0
    while at < most and agree(at, min(at + _BLOCK, most)):
        at = min(at + _BLOCK, most)
    low, high = at, min(at + _BLOCK, most)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if agree(low, middle) else (low, middle - 1)
    return low
