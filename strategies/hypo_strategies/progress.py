"""PROGRESS.compact.md: computed from PROGRESS.md and archives/*/."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from hypo_strategies._progress_archives import Cycle, archived_cycles
from hypo_strategies._progress_entries import Entry, newest_first
from hypo_strategies._progress_read import ALIKE_BY_CHANCE, Board, Group, not_utf8, read_board
from hypo_strategies.api import Finding, Language, Memory, Options, Sources, Strategy, View
from hypo_strategies.text.decode import drop_undecodable
from hypo_strategies.text.labels import label, markdown_header
from hypo_strategies.text.limits import MAX_BYTES, MAX_LINES, MAX_MARKDOWN_LINE, clip

MAX_OTHER_LINES = 60
"""Lines that are neither an entry nor an archived Cycle's, blank ones too (views.md, PROGRESS)."""

_AROUND = 12
"""Those of them around the entries, the Cycles and the notes."""

_NOTES_BYTES = 1_024
_CYCLES_BYTES = 10 * 1024
"""What the archived Cycles are sure to get of a view that is too long."""

_CYCLES_LINES = 60
_WIDTHS = (MAX_MARKDOWN_LINE, 700, 500, 350, 250, 180, 120)
_CYCLE_WIDTHS = (600, 400, 250, 160, 120)
_LEVELS = (12, 10, 8, 6, 5, 4, 3, 2, 1)
"""Lines of each section that is kept as it stands; the Milestones get twice as many."""

_MAX_GROUPS = 8
_MAX_NAMES = 300
_MAX_FILES = 5


def render(sources: Sources, options: Options, _memory: Memory) -> View:
    """Return the view of PROGRESS.md and the archived Cycles (views.md, PROGRESS).

    There is always one: any text is a PROGRESS.md, and what cannot be read of the archives costs
    its Cycle's facts alone. The findings name undecodable lines and unreadable archive files.
    """
    text, bad = drop_undecodable(sources.get("PROGRESS.md") or "")
    findings = [not_utf8("PROGRESS.md", bad)] if bad else []
    board = read_board(text)
    entries = newest_first(board.segments, board.updated, options.timezone)
    cycles, lost = archived_cycles(sources, options)
    page = _Page(board, entries, cycles, options, sources, len(bad), tuple(lost))
    return View("".join(f"{line}\n" for line in page.lines()), (*findings, *lost))


@dataclass(frozen=True, slots=True)
class _Page:
    """All that the view is made of; its methods cut it to size."""

    board: Board
    entries: list[Entry]
    cycles: list[Cycle]
    options: Options
    sources: Sources
    undecodable: int
    lost: tuple[Finding, ...]

    def lines(self) -> list[str]:
        """Return the view's lines: what matters most first, and everything within the limits."""
        top, cut = self._top()
        archived, more_cut = self._archived(MAX_LINES - len(top) - 3, MAX_BYTES - _size(top) - _NOTES_BYTES)
        notes = self._notes(cut + more_cut)
        return [*top, *archived, *([""] if notes else []), *notes]

    @property
    def _language(self) -> Language:
        return self.options.language

    @property
    def _source(self) -> str:
        return self.sources.name("PROGRESS.md")

    @property
    def _archives(self) -> str:
        return f"{self.sources.name('archives').rstrip('/')}/"

    def _top(self) -> tuple[list[str], int]:
        """Return everything before the archived Cycles, in the widest form that fits, and the lines cut short."""
        space = MAX_BYTES - _NOTES_BYTES - min(_CYCLES_BYTES, _size(clip(cycle.line, 160) for cycle in self.cycles))
        shown = min(
            len(self.entries),
            self.options.progress_recent,
            MAX_LINES - MAX_OTHER_LINES - min(len(self.cycles), _CYCLES_LINES),
        )
        head = self._head(shown)
        for width in _WIDTHS:
            lines, cut = _clipped(_each_once(head, self._recent(shown)), width)
            if _size(lines) <= space:
                return lines, cut
        head = self._bounded_head(_LEVELS[-1], 1)
        while True:
            lines, cut = _clipped(_each_once(head, self._recent(shown)), _WIDTHS[-1])
            if _size(lines) <= space or not shown:
                return lines, cut
            shown -= 1

    def _head(self, shown: int) -> list[str]:
        """Return what stands before the entries, in the most lines that may be neither entry nor Cycle."""
        undated = sum(entry.time is None for entry in self.entries[:shown])
        limit = MAX_OTHER_LINES - _AROUND - min(undated, 15)
        sizes = [(level, _MAX_GROUPS) for level in _LEVELS] + [(1, groups) for groups in range(_MAX_GROUPS - 1, 0, -1)]
        heads = (self._bounded_head(level, groups) for level, groups in sizes)
        return next((head for head in heads if len(head) <= limit), self._bounded_head(1, 0))

    def _bounded_head(self, level: int, max_groups: int) -> list[str]:
        """Return the head with `level` lines a section and the first `max_groups` sections."""
        kinds = ("preamble", "current", "status")
        groups = sorted(self.board.groups, key=lambda group: kinds.index(group.kind))
        lines = [markdown_header(self._derived_from(), self._language)]
        lines += [f"# {self.board.title}"] if self.board.title else []
        for group in groups[:max_groups]:
            lines += self._group(group, level)
        left = sum(len(group.lines) for group in groups[max_groups:])
        lines += [self._label("more_lines", count=left)] if left else []
        if self.undecodable:
            lines.append(self._label("unreadable_lines", count=self.undecodable))
        milestones = self.board.milestones
        if milestones.total:
            done = self._label("milestones_done", done=milestones.done, total=milestones.total)
            lines += ["", f"## {self._label('milestones')} · {done}"]
            lines += self._bounded(milestones.lines, 2 * level)
        return lines

    def _derived_from(self) -> str:
        return f"{self._source}, {self._archives}" if self.cycles else self._source

    def _group(self, group: Group, limit: int) -> list[str]:
        heading = ["", f"## {group.title}"] if group.title else []
        return [*heading, *self._bounded(group.lines, limit)]

    def _bounded(self, lines: list[str], limit: int) -> list[str]:
        """Return at most `limit` of the lines and how many there are more; a cut code fence is closed."""
        if len(lines) <= limit + 1:
            return lines
        kept = lines[:limit]
        fences = [line.strip()[:3] for line in kept if line.strip()[:3] in ("```", "~~~")]
        if len(fences) % 2:
            kept = [*kept[:-1], fences[-1]]
        return [*kept, self._label("more_lines", count=len(lines) - limit)]

    def _recent(self, shown: int) -> list[str]:
        """Return the newest entries below "k of n"; rows stand below the header of the first timeline."""
        count = self._label("recent_count", shown=shown, total=len(self.entries))
        entries = self.entries[:shown]
        header = next((entry.header for entry in entries if entry.header), ())
        lines = ["", f"## {self._label('recent')} · {count}"]
        if header and entries[0].text.startswith("|"):
            lines += [f"| {' | '.join(header)} |", "|---" * len(header) + "|"]
        return lines + [entry.text for entry in entries]

    def _archived(self, max_lines: int, max_bytes: int) -> tuple[list[str], int]:
        """Return the archived Cycles' lines, the oldest left out where not all have room, and the lines cut short."""
        if not self.cycles:
            return [], 0
        heading = ["", f"## {self._label('archived')}"]
        lost = self._lost()
        space = max_bytes - _size([*heading, *lost])
        room = max(max_lines - len(heading) - len(lost), 0)
        lines = [cycle.line for cycle in self.cycles]
        for width in _CYCLE_WIDTHS:
            clipped, cut = _clipped(lines, width)
            if len(clipped) <= room and _size(clipped) <= space:
                return [*heading, *clipped, *lost], cut
        clipped, _ = _clipped(lines, _CYCLE_WIDTHS[-1])
        first, taken = len(clipped), 200
        while first and len(clipped) - first < room - 1:
            taken += _size(clipped[first - 1 : first])
            if taken > space:
                break
            first -= 1
        more = label("more_cycles", self._language, count=first, source=self._archives)
        cut = sum(one != other for one, other in zip(clipped[first:], lines[first:], strict=True))
        return [*heading, *([more] if first else []), *clipped[first:], *lost], cut

    def _lost(self) -> list[str]:
        """Return the line that names the archive files that could not be read, none when all could."""
        paths = list(dict.fromkeys(finding.path for finding in self.lost))
        names = ", ".join(clip(path, 60) for path in paths[:_MAX_FILES])
        names += f" … (+{len(paths) - _MAX_FILES})" if len(paths) > _MAX_FILES else ""
        return [label("unreadable_files", self._language, files=names)] if paths else []

    def _notes(self, cut: int) -> list[str]:
        names = clip(" · ".join(clip(name, 60) for name in islice(self.board.left_out, 40)), _MAX_NAMES)
        notes = [self._label("left_out", names=names)] if names else []
        return notes + ([self._label("lines_cut", count=cut)] if cut else [])

    def _label(self, key: str, **values: object) -> str:
        return label(key, self._language, source=self._source, **values)


def _each_once(head: list[str], recent: list[str]) -> list[str]:
    """Return both, without the rows and bullets of the head that stand among the entries, or twice in the head."""
    seen = set(recent)
    lines = []
    for line in head:
        fact = line.strip()
        if fact.startswith(("|", "- ")) and len(fact) > ALIKE_BY_CHANCE:
            if fact in seen:
                continue
            seen.add(fact)
        lines.append(line)
    return lines + recent


def _clipped(lines: list[str], width: int) -> tuple[list[str], int]:
    """Return the lines in at most `width` characters each, and how many were longer."""
    return [_clip(line, width) for line in lines], sum(len(line) > width for line in lines)


def _clip(line: str, width: int) -> str:
    """Return one line cut to `width`; a table row stays one."""
    if len(line) > width and line.startswith("|") and line.endswith("|"):
        return f"{clip(line, width - 2)} |"
    return clip(line, width)


def _size(lines: Iterable[str]) -> int:
    """Return the UTF-8 bytes that lines take in the view."""
    return sum(len(line.encode("utf-8", "replace")) + 1 for line in lines)


STRATEGY = Strategy(
    name="progress",
    target="PROGRESS.compact.md",
    reads=("PROGRESS.md", "archives/*/", "archives/*/summary.md", "archives/*/cycle.yaml"),
    needs=("PROGRESS.md",),
    options=("progress_recent", "language", "timezone", "redaction"),
    version=1,
    render=render,
)
