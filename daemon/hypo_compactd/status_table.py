"""What `status` prints for people: the same lines on a terminal and in a pipe, where none is ever broken.

On a terminal a sentence that is too long goes on in the next line, and a table that is too wide loses
its last columns. Imported only where something is printed for people, since rich takes its time.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

from rich.cells import set_cell_size
from rich.console import Console
from rich.text import Text

from hypo_compactd.messages import message, printable, translated
from hypo_compactd.overview import Freshness, Overview, ViewStatus
from hypo_compactd.status_words import facts, lasting, reasons
from hypo_strategies.api import Finding, Language

UNBROKEN = sys.maxsize
"""Columns of what is no terminal."""

_NARROW = 20
"""Columns below which nothing is made narrower; the terminal breaks the lines then."""

_GAP = "  "

_COLUMNS = ("view", "state", "stale", "written", "tokens", "file")

_KEPT_COLUMNS = 2
"""So many of the table's columns, name and state, are shown however narrow the terminal is."""

_STATE_STYLES = {"ok": "green", "none": "dim", "starting": "cyan", "failed": "bold red", "hung": "bold red"}
_VIEW_STYLES = {
    Freshness.FRESH: "green",
    Freshness.STALE: "yellow",
    Freshness.ABSENT: "dim",
    Freshness.CHANGING: "cyan",
    Freshness.FAILED: "bold red",
}

Row = list[Text]


def lines(overviews: Sequence[Overview], console: Console, columns: int) -> list[Text]:
    """Return a headline for each project, sentences about it, and a table of its views with their findings.

    Args:
        overviews: the projects.
        console: by which the text is wrapped.
        columns: the terminal's; `UNBROKEN` for a pipe.
    """
    found: list[Text] = []
    for overview in overviews:
        found += [Text()] if found else []
        for indent, text in _project(overview, max(columns, _NARROW)):
            room = max(columns, _NARROW) - len(indent)
            broken = [text] if text.cell_len <= room else text.wrap(console, room)
            found += [Text(indent) + line for line in broken]
    return found


def _project(overview: Overview, columns: int) -> Iterator[tuple[str, Text]]:
    """Yield the lines of one project, each with what it is indented by."""
    language = overview.language
    name, word = printable(str(overview.project.shown)), message(f"daemon_{overview.state}", language)
    yield "", Text.assemble((name, "bold"), _GAP, (word, _STATE_STYLES.get(overview.state, "yellow")))
    for reason in reasons(overview, language):
        yield _GAP, Text(reason)
    if said := facts(overview, language):
        yield _GAP, Text(message("between", language).join(said), "dim")
    for finding in overview.config.findings if overview.config else ():
        yield _GAP, _told(finding, language)
    if overview.views:
        header, *rows = _table(overview.views, language, columns - len(_GAP))
        yield _GAP, header
        for view, row in zip(overview.views, rows, strict=True):
            yield _GAP, row
            for finding in view.findings:
                yield _GAP * 2, _told(finding, language)


def _table(views: Sequence[ViewStatus], language: Language, columns: int) -> list[Text]:
    """Return the header and a line for each view, as many columns of it as there is room for."""
    header = [Text(message(f"column_{name}", language), "dim") for name in _COLUMNS]
    table = [header, *(_row(view, language) for view in views)]
    if all(view.stale_s is None for view in views):
        table = [row[:2] + row[3:] for row in table]
    widths = [max(cell.cell_len for cell in column) for column in zip(*table, strict=True)]
    while len(widths) > _KEPT_COLUMNS and sum(widths) + len(_GAP) * (len(widths) - 1) > columns:
        widths.pop()
    rows = [_aligned(row, widths) for row in table]
    for row in rows:
        row.truncate(columns)
    return rows


def _row(view: ViewStatus, language: Language) -> Row:
    return [
        Text(view.name),
        Text(message(f"view_{view.freshness}", language), _VIEW_STYLES[view.freshness]),
        Text("-" if view.stale_s is None else lasting(view.stale_s, language)),
        Text("-" if view.age_s is None else lasting(view.age_s, language)),
        Text(
            message("tokens", language, before=view.tokens_before, after=view.tokens_after)
            if view.tokens_before
            else "-"
        ),
        Text(printable(view.file), "dim"),
    ]


def _aligned(row: Row, widths: Sequence[int]) -> Text:
    *others, last = row[: len(widths)]
    padded = [Text(set_cell_size(cell.plain, width), cell.style) for cell, width in zip(others, widths, strict=False)]
    return Text(_GAP).join([*padded, last])


def _told(finding: Finding, language: Language) -> Text:
    return Text(printable(translated(finding.phrase, language)), "red" if finding.severity == "error" else "yellow")
