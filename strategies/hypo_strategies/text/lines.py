"""What counts as a line, and which characters may stand on one."""

from __future__ import annotations

_NOT_ON_A_LINE = dict.fromkeys((*range(9), *range(11, 32), 127, *range(128, 160), 0x2028, 0x2029), " ")


def one_line_each(text: str) -> str:
    """Return the text with line feeds as its only line ends.

    Blanks stand for the characters at which some readers end a line (form feed, NEL, LS …) and for
    control characters, which could move a terminal's cursor.
    """
    return text.replace("\r\n", "\n").replace("\r", "\n").translate(_NOT_ON_A_LINE)
