"""Values of a JSON file of ours, taken for what they must be: whatever wrote it, nothing else gets through.

All raise TypeError, or ValueError for a number out of range.
"""

from __future__ import annotations

from hypo_strategies.text.phrase import Phrase, places

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hypo_strategies.api import Finding

COUNT_LIMIT = 2**63
"""No count, no process and no memory size of ours is as large."""

_LARGEST = 1.7976931348623157e308
"""The largest finite number."""

DEPTH_LIMIT = 8
"""Phrases inside each other; ours have four at most."""


def text(value: Any) -> str:
    """Return a text."""
    if not isinstance(value, str):
        raise TypeError
    return value


def boolean(value: Any) -> bool:
    """Return true or false."""
    if not isinstance(value, bool):
        raise TypeError
    return value


def integer(value: Any) -> int:
    """Return a whole number of any size and sign."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError
    return value


def count(value: Any) -> int:
    """Return a whole number that may count something."""
    if not 0 <= integer(value) < COUNT_LIMIT:
        raise ValueError
    return int(value)


def number(value: Any) -> float:
    """Return a finite number."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise TypeError
    if not -_LARGEST <= float(value) <= _LARGEST:
        raise ValueError
    return float(value)


def phrase(value: Any, *, depth: int = 0) -> Phrase:
    """Return a phrase: a template whose places all have a value, and no value that has no place."""
    template, values = items(value)
    if depth > DEPTH_LIMIT:
        raise ValueError
    named = tuple(
        (text(name), phrase(one, depth=depth + 1) if isinstance(one, list) else _plain(one))
        for name, one in map(items, items(values))
    )
    if named and places(template) != {name for name, _ in named}:
        raise ValueError
    return Phrase(text(template), named)


def finding(value: Any) -> Finding:
    """Return a finding."""
    from hypo_strategies.api import Finding  # noqa: PLC0415 - there mostly is none, and hooks wait for the start-up

    return Finding(
        path=text(value["path"]),
        problem=phrase(value["problem"]),
        line=None if value["line"] is None else integer(value["line"]),
        column=None if value["column"] is None else integer(value["column"]),
        severity="warning" if value["severity"] == "warning" else "error",
    )


def _plain(value: Any) -> str | int:
    return integer(value) if isinstance(value, int) else text(value)


def items(value: Any) -> list[Any]:
    """Return a list."""
    if not isinstance(value, list):
        raise TypeError
    return value
