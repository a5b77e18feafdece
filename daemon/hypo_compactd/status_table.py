"""What `status` prints for people: the same lines on a terminal and in a pipe, where none is ever broken.

On a terminal a sentence that is too long goes on in the next line, and a table that is too wide loses
its last columns. It is drawn without rich, whose import takes longer than all the rest.
"""

from __future__ import annotations

import os
import sys

from hypo_compactd.messages import message, printable, translated
from hypo_compactd.project_status import Freshness
from hypo_compactd.status_words import facts, lasting, reasons

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import TypeAlias

    from hypo_compactd.project_status import Overview, ViewStatus
    from hypo_strategies.api import Finding, Language

    Line: TypeAlias = tuple[tuple[str, str], ...]
    """Pieces of a line: each a text, and its style (`bold`, `dim`, a colour, or two of them)."""

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
_CODES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}
"""How a terminal is told of them (ECMA-48, SGR)."""

_COLOURS = frozenset({"red", "green", "yellow", "cyan"})
_DUMB = frozenset({"dumb", "unknown"})


def show(overviews: Sequence[Overview]) -> None:
    """Print projects for people: in colours on a terminal that has them, each line whole in a pipe."""
    is_terminal = sys.stdout.isatty()
    columns = terminal_columns() if is_terminal else UNBROKEN
    known = styles(os.environ, is_terminal=is_terminal)
    for line in lines(overviews, columns):
        print("".join(_styled(text, style, known) for text, style in line))  # noqa: T201 - to people


def lines(overviews: Sequence[Overview], columns: int) -> list[Line]:
    """Return a headline for each project, sentences about it, and a table of its views with their findings.

    Args:
        overviews: the projects.
        columns: the terminal's; `UNBROKEN` for a pipe.
    """
    found: list[Line] = []
    for overview in overviews:
        found += [()] if found else []
        for indent, line in _project(overview, max(columns, _NARROW)):
            found += [((indent, ""), *part) for part in _wrapped(line, max(columns, _NARROW) - len(indent))]
    return found


def styles(environment: Mapping[str, str], *, is_terminal: bool) -> frozenset[str]:
    """Return the styles that may be used, as rich has it: no colours where NO_COLOR is set, none at all in a pipe.

    Args:
        environment: where NO_COLOR, TERM and FORCE_COLOR are looked up; the last one says whether the output counts as
            a terminal: it does not where that is empty.
        is_terminal: whether the output is one.
    """
    forced = environment.get("FORCE_COLOR")
    taken = is_terminal if forced is None else bool(forced)
    if not taken or environment.get("TERM", "").lower() in _DUMB:
        return frozenset()
    return frozenset(_CODES) - (_COLOURS if environment.get("NO_COLOR") else frozenset())


def terminal_columns() -> int:
    """Return how wide the terminal is: as COLUMNS says, or as it says itself."""
    try:
        columns = int(os.environ.get("COLUMNS", ""))
    except ValueError:
        columns = 0
    try:
        return columns if columns > 0 else os.get_terminal_size(sys.stdout.fileno()).columns or 80
    except (OSError, ValueError):
        return 80


def cells(text: str) -> int:
    """Return how many columns a text takes on a terminal."""
    if text.isascii():
        return len(text)
    import unicodedata  # noqa: PLC0415 - it takes its time, and many names are plain

    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    return len(text) + wide - sum(unicodedata.category(character) in {"Mn", "Me"} for character in text)


def _styled(text: str, style: str, known: frozenset[str]) -> str:
    codes = [_CODES[one] for one in style.split() if one in known]
    return f"\x1b[{';'.join(codes)}m{text}\x1b[0m" if codes and text else text


def _project(overview: Overview, columns: int) -> Iterator[tuple[str, Line]]:
    """Yield the lines of one project, each with what it is indented by."""
    language = overview.language
    name, word = printable(overview.project.shown_place), message(f"daemon_{overview.state}", language)
    yield "", ((name, "bold"), (_GAP, ""), (word, _STATE_STYLES.get(overview.state, "yellow")))
    for reason in reasons(overview, language):
        yield _GAP, ((reason, ""),)
    if said := facts(overview, language):
        yield _GAP, ((message("between", language).join(said), "dim"),)
    for finding in overview.settings.findings if overview.settings else ():
        yield _GAP, _told(finding, language)
    if overview.views:
        header, *rows = _table(overview.views, language, columns - len(_GAP))
        yield _GAP, header
        for view, row in zip(overview.views, rows, strict=True):
            yield _GAP, row
            for finding in view.findings:
                yield _GAP * 2, _told(finding, language)


def _table(views: Sequence[ViewStatus], language: Language, columns: int) -> list[Line]:
    """Return the header and a line for each view, as many columns of it as there is room for."""
    header = tuple((message(f"column_{name}", language), "dim") for name in _COLUMNS)
    table = [header, *(_row(view, language) for view in views)]
    if all(view.stale_s is None for view in views):
        table = [row[:2] + row[3:] for row in table]
    widths = [max(cells(text) for text, _ in column) for column in zip(*table, strict=True)]
    while len(widths) > _KEPT_COLUMNS and sum(widths) + len(_GAP) * (len(widths) - 1) > columns:
        widths.pop()
    return [_cut(_aligned(row[: len(widths)], widths), columns) for row in table]


def _row(view: ViewStatus, language: Language) -> Line:
    tokens = message("tokens", language, before=view.tokens_before, after=view.tokens_after)
    return (
        (view.name, ""),
        (message(f"view_{view.freshness}", language), _VIEW_STYLES[view.freshness]),
        ("-" if view.stale_s is None else lasting(view.stale_s, language), ""),
        ("-" if view.age_s is None else lasting(view.age_s, language), ""),
        (tokens if view.tokens_before else "-", ""),
        (printable(view.file), "dim"),
    )


def _aligned(row: Line, widths: Sequence[int]) -> Line:
    *others, last = row
    padded = ((text + " " * (width - cells(text)), style) for (text, style), width in zip(others, widths, strict=False))
    return (*(piece for cell in padded for piece in (cell, (_GAP, ""))), last)


def _cut(line: Line, room: int) -> Line:
    """Return as much of a line as there is room for."""
    found = []
    for text, style in line:
        shown = text
        while cells(shown) > room:
            shown = shown[:-1]
        found.append((shown, style))
        room -= cells(shown)
    return tuple(found)


def _wrapped(line: Line, room: int) -> list[Line]:
    """Return a line as several, divided at blanks; a word that has no room on a line of its own goes on in the next."""
    if sum(cells(text) for text, _ in line) <= room:
        return [line]
    found: list[list[tuple[str, str]]] = [[]]
    left = room
    for text, style in line:
        for word in _words(text):
            if cells(word.rstrip()) > left and left < room:
                found.append([])
                left = room
            while cells(word.rstrip()) > left:
                (head, _), *_ = _cut(((word, style),), left) or (("", ""),)
                head = head or word[:1]
                found[-1].append((head, style))
                found.append([])
                word, left = word[len(head) :], room  # noqa: PLW2901 - the rest of it
            found[-1].append((word, style))
            left -= cells(word)
    return [_without_end(part) for part in found if any(text.strip() for text, _ in part)]


def _words(text: str) -> Iterator[str]:
    """Yield the words of a text, each with the blanks behind it."""
    word = ""
    for character in text:
        if word and word[-1] == " " and character != " ":
            yield word
            word = ""
        word += character
    if word:
        yield word


def _without_end(line: Sequence[tuple[str, str]]) -> Line:
    """Return a line without the blanks at its end."""
    *others, (text, style) = line
    return (*others, (text.rstrip(), style))


def _told(finding: Finding, language: Language) -> Line:
    return ((printable(translated(finding.phrase, language)), "red" if finding.severity == "error" else "yellow"),)
