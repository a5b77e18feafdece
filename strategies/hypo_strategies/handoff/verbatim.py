"""Where fences, comments, quotations and front matter end, and their text as it is written; pure."""

from __future__ import annotations

import re

from hypo_strategies.handoff import lines

_CODE_COLUMN = 4
_QUOTE_MARK = re.compile(r"[ \t]*>[ \t]?")
_FRONT_MATTER = re.compile(r"[A-Za-z_][\w .-]{0,60}:(?:\s|$)|[ \t]|- |#|$")
_LONGEST_FRONT_MATTER = 200


def fence_end(source: list[str], at: int, fence: lines.Fence, column: int, item_column: int | None) -> tuple[int, bool]:
    """Return the last line of a fence, and whether it closes it.

    A fence inside a list item ends with the item at the latest. But where the code is indented less than its fence,
    and the next fence line closes it, that is what its writer meant.

    Args:
        source: all lines.
        at: the line that opens the fence.
        fence: what it opens.
        column: where the fence begins.
        item_column: where the list item around it begins, None for no list item.
    """
    inside = item_column is not None and column > 0
    least = min(column, (item_column or 0) + 2)
    dedented: int | None = None
    for number in range(at + 1, len(source)):
        here, line = lines.indent(source[number])
        if line[:1] == fence.character and fence.is_closed_by(line) and (here < _CODE_COLUMN or inside):
            if dedented is None or here == column:
                return number, True
            return dedented - 1, False
        if not inside or not line or here >= least:
            continue
        dedented = number if dedented is None else dedented
        marker = lines.marker(line)
        is_sibling = marker is not None and not marker.weak and here <= (item_column or 0)
        if is_sibling or lines.fence(line):
            return dedented - 1, False
    return (len(source) if dedented is None else dedented) - 1, False


def comment_end(source: list[str], at: int) -> int:
    """Return the line on which the comment ends that begins on a line; there is one."""
    return next(number for number in range(at, len(source)) if "-->" in source[number])


def quotation(source: list[str], at: int, first: str) -> tuple[int, str]:
    """Return the last line of a quotation and its text without the marks.

    Args:
        source: all lines.
        at: the line on which it begins.
        first: that line, from the mark on.
    """
    quoted = [_QUOTE_MARK.sub("", first, count=1).rstrip()]
    end = at
    while end + 1 < len(source) and (line := source[end + 1].strip()).startswith(">"):
        quoted.append(_QUOTE_MARK.sub("", line, count=1))
        end += 1
    return end, "\n".join(quoted).strip("\n")


def front_matter(source: list[str]) -> list[tuple[int, int]]:
    """Return first and last line of each key of the front matter, with the two `---` around them; [] for none."""
    if not source or source[0].strip() != "---":
        return []
    keys = [(0, 0)]
    for number in range(1, min(len(source), _LONGEST_FRONT_MATTER)):
        line = source[number]
        if line.strip() in {"---", "..."}:
            return [*keys, (number, number)]
        if not _FRONT_MATTER.match(line):
            return []
        if len(keys) == 1 or line[:1].isalpha():
            keys.append((number, number))
        else:
            keys[-1] = (keys[-1][0], number)
    return []


def dedented(line: str, column: int) -> str:
    """Return a line without so many columns of its indentation."""
    at = taken = 0
    while at < len(line) and taken < column and line[at] in lines.BLANKS:
        taken += 4 - taken % 4 if line[at] == "\t" else 2 if line[at] == "\u3000" else 1
        at += 1
    return line[at:]
