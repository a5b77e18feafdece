"""The exact items of a text: what may not change in any character, each with the key that equal ones share; pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import itemgetter

from hypo_strategies.handoff import exact_code, exact_ids, exact_names, exact_places, exact_values
from hypo_strategies.handoff.alike import aligned
from hypo_strategies.handoff.exact_code import TAKEN, Found
from hypo_strategies.handoff.exact_ids import expand
from hypo_strategies.handoff.model import Exact

__all__ = ["exacts", "expand"]

_AS_WRITTEN: tuple[Callable[[str], Iterator[Found]], ...] = (
    exact_code.fences,
    exact_code.code_spans,
    exact_code.commands,
    exact_code.quotes,
    exact_places.urls,
    exact_code.slash_commands,
    exact_ids.issues,
    exact_places.places,
    exact_places.windows_paths,
)
"""Their keys are their characters."""
_ALIGNED: tuple[Callable[[str], Iterator[Found]], ...] = (
    exact_names.shaped,
    exact_ids.ranges,
    exact_ids.picks,
    exact_names.assignments,
    exact_ids.spaced_ids,
    exact_ids.ids,
    exact_ids.issues,
    exact_values.dates,
    exact_ids.commits,
    exact_values.versions,
    exact_names.statuses,
    exact_values.spelt_numbers,
    exact_values.numbers,
    exact_names.signed_names,
    exact_names.names,
)
"""Full-width forms and hyphen look-alikes make no difference."""


def exacts(text: str) -> tuple[Exact, ...]:
    """Return the exact items of a text in order; none overlaps another.

    What an earlier kind has taken is not read again: fence, code span, command, quoted copy, URL, path and route,
    range, pick, identifier, date, commit, version, number, name.
    """
    found: list[Found] = []
    rest = text.replace(TAKEN, "\ufffd")
    for find in _AS_WRITTEN:
        rest = _take(rest, list(find(rest)), found)
    rest = aligned(rest)
    for find in _ALIGNED:
        rest = _take(rest, list(find(rest)), found)
    found.sort(key=itemgetter(1))
    return tuple(Exact(kind, text[start:end], key, start, end) for kind, start, end, key in found)


def _take(rest: str, new: list[Found], found: list[Found]) -> str:
    """Add new items to those found and return what is left to read."""
    if not new:
        return rest
    found += new
    parts = []
    at = 0
    for _, start, end, _ in new:
        parts += [rest[at:start], TAKEN * (end - start)]
        at = end
    return "".join((*parts, rest[at:]))
