"""Values of a JSON file of ours, taken for what they must be: whatever wrote it, nothing else gets through.

All raise TypeError, or ValueError for a number out of range.
"""

from __future__ import annotations

import math
from typing import Any

COUNT_LIMIT = 2**63
"""No count, no process and no memory size of ours is as large."""


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
    if not math.isfinite(float(value)):
        raise ValueError
    return float(value)


def items(value: Any) -> list[Any]:
    """Return a list."""
    if not isinstance(value, list):
        raise TypeError
    return value
