"""Which event of a log is the newer one.

Logs are in no order: helpers of upstream prepend, others append, so that one file often has a
newest-first stretch above an oldest-first one (formats.md, 3.2). Only the instant decides; position
decides between equal instants alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import groupby, pairwise

from hypo_strategies._log_records import Record


def newest_first(records: Sequence[Record]) -> list[Record]:
    """Return the records (given in file order) from the newest to the oldest.

    1. By instant. Records without one are the oldest; they stay in file order.
    2. Neighbours with one instant (those without an instant are looked through) are ordered by the
       direction of their stretch: where the instants fall from line to line, the earlier line is the
       later event; where they rise, the later line is. Where they fall on one side of the neighbours
       and rise on the other, the side that keeps its direction for more steps decides. Where nothing
       decides, they rise, as a log is a thing that is appended to.
    3. Equal instants that are not neighbours: the later line is the later event.
    """
    dated = [(record.moment, record) for record in records if record.moment is not None]
    plateaus = [(moment, [record for _, record in group]) for moment, group in groupby(dated, key=lambda pair: pair[0])]
    falling = _falling([moment for moment, _ in plateaus])
    ordered = [
        (moment, plateau if falls else plateau[::-1])
        for (moment, plateau), falls in zip(plateaus, falling, strict=True)
    ]
    ordered.reverse()
    ordered.sort(key=lambda pair: pair[0], reverse=True)
    newest = [record for _, plateau in ordered for record in plateau]
    return newest + [record for record in records if record.moment is None]


def _falling(moments: list[datetime]) -> list[bool]:
    """Return for each moment whether it stands in a falling stretch; neighbours differ."""
    falls = [after < before for before, after in pairwise(moments)]
    above = _run_lengths(falls)
    below = _run_lengths(falls[::-1])[::-1]
    result = []
    for index in range(len(moments)):
        into = above[index - 1] if index > 0 else 0
        out = below[index] if index < len(falls) else 0
        weight = (into if into and falls[index - 1] else -into) + (out if out and falls[index] else -out)
        result.append(weight > 0)
    return result


def _run_lengths(falls: list[bool]) -> list[int]:
    """Return for each step how many steps in its direction end with it."""
    lengths: list[int] = []
    for index, step in enumerate(falls):
        same = index > 0 and falls[index - 1] == step
        lengths.append(lengths[-1] + 1 if same else 1)
    return lengths
