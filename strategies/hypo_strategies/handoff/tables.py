"""The rows of a table as texts that stand for themselves; pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from hypo_strategies.handoff import lines

_WIDEST = 8
"""The header is written before the cells of each row unless that makes the table this many times longer."""
_HEAD = 240
_TICKS = re.compile(r"`+")
_CELL_MARK = re.compile(r"\\\||`+|\|")


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table.

    Attributes:
        text: `header: cell; header: cell`; "" where no cell holds anything.
        mark: the sign of a status with which a cell begins, "" for none.
    """

    text: str
    mark: str = ""


def ends_table(line: str) -> bool:
    """Return whether a stripped line no more belongs to the table above it."""
    if line.startswith("|"):
        return False
    return "|" not in line or bool(lines.fence(line) or lines.heading(line) or lines.marker(line))


def rows(header_line: str, row_lines: list[str]) -> tuple[Row, list[Row]]:
    """Return a table's header and rows.

    The header's text is "" where the rows hold its words. A pipe inside a code span ends no cell.
    """
    header = cells(header_line)
    body = [cells(line) for line in row_lines]
    size = len(header_line) + sum(map(len, row_lines))
    if not body or len(body) * sum(map(len, header)) > _WIDEST * size:
        return _row("; ".join(filter(None, header)), header), [_row("; ".join(row), row) for row in body]
    return Row(""), [_row(_joined(header, row, pads=index == 0), row) for index, row in enumerate(body)]


def cells(line: str) -> tuple[str, ...]:
    """Return the cells of a row as written; an escaped pipe, or one inside a code span, ends none."""
    row = line.strip().removeprefix("|")
    if not row.endswith("\\|"):
        row = row.removesuffix("|")
    if "`" not in row and "\\" not in row:
        return tuple(cell.strip() for cell in row.split("|"))
    span_ends: dict[int, int] = {}
    later: dict[int, int] = {}
    for ticks in reversed(list(_TICKS.finditer(row))):
        length = ticks.end() - ticks.start()
        if length in later:
            span_ends[ticks.start()] = later[length]
        later[length] = ticks.end()
    found = []
    start = end = 0
    for sign in _CELL_MARK.finditer(row):
        if sign.start() < end:
            continue
        if sign[0].startswith("`"):
            end = span_ends.get(sign.start(), 0)
        elif sign[0] == "|":
            found.append(row[start : sign.start()].strip())
            start = sign.end()
    return (*found, row[start:].strip())


def _row(text: str, row: tuple[str, ...]) -> Row:
    mark = next(filter(None, (lines.mark(cell[:_HEAD]) for cell in row)), "")
    return Row(text if text.strip("; ") else "", mark)


def _joined(header: tuple[str, ...], row: tuple[str, ...], *, pads: bool) -> str:
    """Return a row as one text; the first one names also the columns for which it has no cell."""
    pairs = []
    for index in range(max(len(row), len(header) if pads else 0)):
        name = header[index] if index < len(header) else ""
        cell = row[index] if index < len(row) else ""
        if name or cell:
            pairs.append(f"{name}: {cell}".rstrip() if name else cell)
    return "; ".join(pairs)
