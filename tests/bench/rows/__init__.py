"""The rows of `make bench`: what was measured, beside what, and the limit that it must not pass."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One line of the table.

    `value` is what counts: a ratio where there is a peer, else a number of `unit`. It must not be above `limit`; None
    for a row that only tells.
    """

    what: str
    ours: str
    peer: str
    value: float
    limit: float | None = None
    unit: str = "x"

    @property
    def is_over(self) -> bool:
        return self.limit is not None and self.value > self.limit


def ratio(what: str, ours: float, peer: float, beside: str, limit: float | None) -> Row:
    """Return a row of two times in seconds."""
    return Row(what, shown(ours), f"{shown(peer)} {beside}", ours / peer, limit)


def shown(seconds: float) -> str:
    return f"{seconds * 1000:.2f} ms" if seconds < 1 else f"{seconds:.2f} s"


def side_by_side(rounds: int, *works: Callable[[], object]) -> list[float]:
    """Return the median seconds of each work; one of each makes a round, so that all share the machine's load."""
    taken: list[list[float]] = [[] for _ in works]
    for _ in range(rounds):
        for work, times in zip(works, taken, strict=True):
            began = time.perf_counter()
            work()
            times.append(time.perf_counter() - began)
    return [statistics.median(times) for times in taken]


def percentile(numbers: Sequence[float], percent: int) -> float:
    """Return the nearest rank."""
    ordered = sorted(numbers)
    return ordered[min(len(ordered) - 1, max(0, -(-len(ordered) * percent // 100) - 1))]
