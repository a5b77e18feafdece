"""PROGRESS.md read into what its view keeps.

The same facts stand under many headings and in many shapes, and upstream's own writer doubles
sections and whole documents; formats.md section 1 lists what was seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from hypo_strategies._progress_entries import Entry, Segment, clock_of, time_of
from hypo_strategies._progress_entries import Kind as EntryKind
from hypo_strategies._progress_milestones import Milestones, is_id, names_milestones
from hypo_strategies.api import Finding
from hypo_strategies.text.markdown import Block, Section, cells, parse, plain
from hypo_strategies.text.phrase import phrase

SectionKind = Literal["preamble", "current", "status", "timeline", "milestones", "patches", "other"]

_KEPT = ("preamble", "current", "status")
_HEADINGS: tuple[tuple[SectionKind, str], ...] = (
    (
        "status",
        r"^(?:下一|后续|接下来|待[办确决]|未决|延期|推迟|暂缓|延后|遗留|已知问题|阻塞|卡点|风险|基本设置|设置|配置|目标)",
    ),
    (
        "status",
        r"^(?:next|to-?do|upcoming|deferred|block(?:ers?|ed)|(?:known )?issues|risks?|open|questions?|settings?|config|goals?)(?![a-z])",
    ),
    ("timeline", r"时间[线轴]|活动|动态|事件|最近进展|(?:进展|进度|执行|更新)记录|日志"),
    ("timeline", r"timeline|recent|activity|events|journal|^(?:work |progress )?log$"),
    ("current", r"^(?:当前|目前|现状|进度|进展|(?:current|now|progress)(?![a-z]))"),
    ("other", r"归档|历史|archive|history"),
    ("patches", r"patch|补丁"),
    ("milestones", r"milestone|里程碑"),
    ("current", r"状态|status|^cycle(?![a-z])"),
    ("status", r"阻塞|门禁|设置|下一步|deferred|blockers?|\bgates?\b|settings?|next steps?"),
)
"""What a heading says its section is; the first that fits holds."""

_PATTERNS = tuple((kind, re.compile(pattern)) for kind, pattern in _HEADINGS)
_HEADING_ONLY = re.compile(r"时间线|timeline|最近活动|recent activity|当前状态|current status")
_NUMBERING = re.compile(r"[\W\d_]+")
_UPDATED = re.compile(
    r"(?:最后更新|最近更新|更新时间|last[ -]?updated?|updated)(?: at)?[ *]{0,4}[:：](.*)", re.IGNORECASE
)
_METADATA = re.compile(
    r"(?:最后更新|最近更新|更新时间|状态|进度|last updated?|status|progress|cycle)[ *]{0,4}[:：]", re.IGNORECASE
)
_TIME_COLUMN = re.compile(r"时间|日期|时刻|(?:time|date|timestamp|when)(?![a-z])", re.IGNORECASE)
_PATCH_COLUMN = re.compile(r"patch|补丁", re.IGNORECASE)
_ITEM = re.compile(r"([ \t]*)(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)")
_NOTHING = frozenset({"无", "暂无", "暂无记录", "none", "na", "n", "a", "tbd", "null"})
ALIKE_BY_CHANCE = 24
"""Two sections may both say so many characters, a bare `- 无` above all."""


@dataclass(slots=True)
class Group:
    """What the view keeps of the sections with one heading; `lines` are the source's."""

    kind: SectionKind
    title: str
    lines: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Board:
    """A PROGRESS.md: its title, the groups that are kept as they stand, its Milestones and its entries."""

    title: str = ""
    groups: list[Group] = field(default_factory=list)
    milestones: Milestones = field(default_factory=Milestones)
    segments: list[Segment] = field(default_factory=list)
    updated: str | None = None
    left_out: dict[str, None] = field(default_factory=dict)


def not_utf8(path: str, lines: list[int]) -> Finding:
    """Return the finding about lines of a file that were left out because they are not UTF-8."""
    numbers = ", ".join(map(str, lines[:10])) + (", …" if len(lines) > 10 else "")
    return Finding(
        path, phrase("left out what is not UTF-8: line {numbers}", numbers=numbers), lines[0], severity="warning"
    )


def read_board(text: str) -> Board:
    """Return what the view keeps of a PROGRESS.md; any text is one, also an empty one."""
    reader = _Reader()
    for section in parse(text).sections:
        reader.section(section)
    return reader.finished()


class _Reader:
    """Puts each block of the file where it belongs, section by section."""

    def __init__(self) -> None:
        self.board = Board()
        self._groups: dict[tuple[SectionKind, str], Group] = {}
        self._above: list[tuple[int, SectionKind, str]] = []
        self._segments: dict[EntryKind, Segment] = {}
        self._shown: set[str] = set()
        self._kind: SectionKind = "preamble"
        self._group = self._group_of("preamble", "")
        self._header: tuple[str, ...] = ()
        self._left_out = ""

    def finished(self) -> Board:
        self.board.groups = [group for group in self._groups.values() if group.lines]
        self.board.updated = next(self._updated(), None)
        return self.board

    def section(self, section: Section) -> None:
        self._segments, self._header = {}, ()
        self._enter(section)
        for block in section.blocks:
            self._block(block)

    def _enter(self, section: Section) -> None:
        """Set kind and group for a heading; one that says nothing itself belongs to the one above it."""
        while self._above and self._above[-1][0] >= section.level:
            self._above.pop()
        title, kind = section.title, section_kind(section.title)
        if section.level == 1 and self._is_title(title):
            self.board.title, kind = title, "preamble"
        elif clock_of(title) and kind is None:
            self._entry("item", Entry(title, clock_of(title)))
            kind = "other"
        elif _METADATA.match(plain(title[:200])):
            kind = "preamble"
            self._keep(self._group_of("preamble", ""), [title])
        elif kind is None:
            self._inherit(section)
            return
        self._become(section.level, kind or "preamble", title if kind != "preamble" else "")

    def _is_title(self, title: str) -> bool:
        return title == self.board.title or not (self.board.title or _HEADING_ONLY.fullmatch(title.casefold()))

    def _inherit(self, section: Section) -> None:
        above = self._above[-1] if self._above else None
        if above and above[1] != "preamble":
            self._become(section.level, above[1], above[2])
            if above[1] in _KEPT:
                self._keep(self._group, [f"{'#' * section.level} {section.title}"])
            return
        if section.level <= 1:
            if section.title:
                self._keep(self._group_of("preamble", ""), [f"# {section.title}"])
            self._become(section.level, "preamble", "")
            return
        self._become(section.level, "timeline" if time_of(section.title) else "other", section.title)

    def _become(self, level: int, kind: SectionKind, title: str) -> None:
        self._above.append((level, kind, title))
        self._kind = kind
        if kind in _KEPT:
            self._group = self._group_of(kind, title)
        self._left_out = title if kind == "other" and not clock_of(title) else ""

    def _group_of(self, kind: SectionKind, title: str) -> Group:
        return self._groups.setdefault((kind, title.casefold()), Group(kind, title))

    def _block(self, block: Block) -> None:
        if block.kind == "table":
            self._table(block.header, block.lines[:2], [(row.raw, row.cells) for row in block.rows if row.cells])
        elif block.kind == "list":
            self._list(block)
        elif block.kind == "paragraph":
            self._paragraph(block.lines)
        elif block.kind == "quote" and _UPDATED.match(plain(block.text[:200].lstrip("> "))):
            self._keep(self._group_of("preamble", ""), block.lines)  # also that of a second copy, below the first's end
        elif block.kind != "rule" and not block.text.startswith("<!--"):
            self._keep_or_leave(block.lines)

    def _table(self, header: tuple[str, ...], head: list[str], rows: list[tuple[str, tuple[str, ...]]]) -> None:
        self._header = header
        kind = self._table_kind(header, rows)
        kept = []
        for raw, row in rows:
            time = time_of(row[0]) if kind == "timeline" else clock_of(row[0])
            if time or (kind == "timeline" and not is_id(row[0])):
                if not _says_nothing(" ".join(row)):
                    self._entry("row", Entry(raw, time, header if kind == "timeline" else ()))
            elif kind in ("timeline", "milestones"):
                own = header if kind == "milestones" else ()
                self.board.milestones.add_row(raw, row, own, head if own else [])
            elif kind in _KEPT or kind == "other":
                kept.append(raw)
        if kept or (not rows and kind in _KEPT):
            self._keep_or_leave([*head, *kept])

    def _table_kind(self, header: tuple[str, ...], rows: list[tuple[str, tuple[str, ...]]]) -> SectionKind:
        """Return what the rows are: the header says it, else the section."""
        if header and _TIME_COLUMN.match(plain(header[0][:80])):
            return "timeline"
        if header and _PATCH_COLUMN.match(plain(header[0][:80])):
            return "patches"
        if names_milestones(header) and (self._kind not in _KEPT or any(is_id(row[0]) for _, row in rows)):
            return "milestones"
        return self._kind

    def _list(self, block: Block) -> None:
        kept = []
        for first, text, lines in _items(block):
            time = clock_of(text)
            if self._kind == "timeline" or (time and self._kind not in ("status", "patches")):
                if not _says_nothing(text):
                    self._entry("item" if first else "line", Entry(f"- {text}" if first else text, time_of(text)))
            elif self._kind == "milestones":
                self.board.milestones.add_item(text)
            else:
                kept += lines
        if kept:
            self._keep_or_leave(kept)

    def _paragraph(self, lines: list[str]) -> None:
        """Take a paragraph line by line: bare entries, rows without their table, and what is left."""
        kept: list[str] = []
        rows: list[str] = []
        entries: list[list[str]] = []
        for line in lines:
            if line.lstrip().startswith("|"):
                rows.append(line.strip())
            elif self._kind not in ("status", "patches") and clock_of(line):
                entries.append([line.strip()])
            elif entries:
                entries[-1].append(line.strip())
            else:
                kept.append(line)
        for text in map(" ".join, entries):
            self._entry("line", Entry(text, clock_of(text)))
        if kept:
            self._keep_or_leave(kept)
        if rows:
            self._loose_rows(rows)

    def _loose_rows(self, raws: list[str]) -> None:
        """Take rows that a blank line, or a rule of the wrong width, has parted from their table."""
        head = raws[:2] if len(raws) > 1 and _is_rule(raws[1]) else []
        header = cells(head[0]) if head else self._header
        rows = [(raw, cells(raw, len(header))) for raw in raws[len(head) :] if not _is_rule(raw)]
        self._table(header, head, [(raw, row) for raw, row in rows if row])

    def _entry(self, kind: EntryKind, entry: Entry) -> None:
        if kind not in self._segments:
            self._segments[kind] = Segment(kind)
            self.board.segments.append(self._segments[kind])
        self._segments[kind].entries.append(entry)

    def _keep_or_leave(self, lines: list[str]) -> None:
        """Keep lines of a section that the view has, or note that it leaves some of this section out."""
        if self._kind in _KEPT:
            self._keep(self._group, lines)
        elif self._left_out:
            self.board.left_out[self._left_out] = None

    def _keep(self, group: Group, lines: list[str]) -> None:
        """Add lines to a group; what was shown already is not shown again (formats.md 1.6)."""
        waiting: list[str] = []
        new: bool | None = None
        for line in lines:
            words = " ".join(line.split())
            if re.search(r"\w", words):
                key = words if len(words) > ALIKE_BY_CHANCE else f"{group.kind} {group.title} {words}"
                new = key not in self._shown
                self._shown.add(key)
                group.lines += [*waiting, line] if new else []
                waiting = []
            elif new is None:  # a code fence opens: it goes with what it holds
                waiting.append(line)
            elif new:
                group.lines.append(line)

    def _updated(self) -> Iterator[str]:
        """Yield the times that the file says it was last updated at."""
        for group in self.board.groups:
            for line in group.lines if group.kind in ("preamble", "current") else ():
                said = _UPDATED.search(plain(line[:500]))
                if said and (time := time_of(said[1])):
                    yield time


def section_kind(title: str) -> SectionKind | None:
    """Return what a heading says its section is, in either language, None when it says nothing of use."""
    text = title[:200].casefold()
    bare = _NUMBERING.sub("", text, count=1) if _NUMBERING.match(text) else text
    return next((kind for kind, pattern in _PATTERNS if pattern.search(bare)), None)


def _items(block: Block) -> Iterator[tuple[bool, str, list[str]]]:
    """Yield the top-level items of a list: whether it has a marker, its text on one line, its source lines.

    Nested items follow the text they belong to. A bare line with a time right below the list is an
    item of its own, though Markdown takes it for the continuation of the last one.
    """
    starts = {item.line - block.line for item in block.items if item.depth == 0}
    found: list[tuple[bool, list[str]]] = []
    for index, line in enumerate(block.text.split("\n")):
        if index in starts or not found:
            found.append((True, [line]))
        elif line[:1].strip() and not _ITEM.match(line) and clock_of(line):
            found.append((False, [line]))
        elif line.strip():
            found[-1][1].append(line.rstrip())
    for marked, lines in found:
        yield marked, _on_one_line(lines), lines


def _on_one_line(lines: list[str]) -> str:
    first = _ITEM.sub("", lines[0], count=1)
    rest = [f"· {line[mark.end() :]}" if (mark := _ITEM.match(line)) else line for line in lines[1:]]
    return " ".join(" ".join([first, *rest]).split())


def _is_rule(row: str) -> bool:
    """Return whether a row is the line of dashes below a table's header."""
    return "-" in row and not row.strip(" \t|:-")


def _says_nothing(text: str) -> bool:
    """Return whether a row or item is a placeholder: `—`, `无`, `n/a`."""
    return _NOTHING.issuperset(re.findall(r"\w+", text[:80].casefold()))
