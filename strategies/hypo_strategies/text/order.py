"""Orders that do not depend on the locale or on how a folder was listed."""

from __future__ import annotations

import re


def natural_key(text: str) -> tuple[tuple[int, int, str], ...]:
    """Return a sort key by which `M2` stands before `M10` and `P999` before `P1000`.

    The text itself ends the key, so that two different texts never tie.
    """
    parts = re.split(r"([0-9]+)", text)
    key = [_number(part) if index % 2 else (1, 0, part) for index, part in enumerate(parts)]
    return (*key, (1, 0, text))


def _number(digits: str) -> tuple[int, int, str]:
    """Return a key for digits; not `int`, which refuses more than some thousand of them."""
    digits = digits.lstrip("0")
    return (0, len(digits), digits)
