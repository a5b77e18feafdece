"""The Milestones of PROGRESS.md: how many are done, and the rows of those that are not."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from hypo_strategies.text.markdown import plain

_NAME_COLUMN = re.compile(r"milestone|里程碑", re.IGNORECASE)
_STATUS_COLUMN = re.compile(r"状态|status|state", re.IGNORECASE)
_ID = re.compile(r"(?:C\d+[-/])?M\d+(?:\.\d+)?\b", re.IGNORECASE)
_DONE = re.compile(
    r"[✅☑✔]|\[[xX]\]"
    r"|(?:done|completed?|closed|finished|accepted|passed|pass(?:_\w+)?|merged|released)(?!\w)"
    r"|已?(?:完成|通过|验收|关闭|归档|交付|结束)(?!\w)",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"[🔄⏳🚧⬜⏸❌]|\[ \]|[待未]|(?:进行|执行|实施)中|延期|推迟|暂缓|跳过|失败|阻塞|部分"
    r"|(?:pending|planned|to-?do|queued|candidate|ready|running|active|in[_ -]progress|partial(?:ly)?)(?!\w)"
    r"|(?:not|deferred|skipped|failed|blocked|aborted|stopped)(?!\w)",
    re.IGNORECASE,
)
_SHARE = re.compile(r"(\d{1,6})\s*/\s*(\d{1,6})")
_NAME_WITHIN = 300
"""So many characters tell two Milestones, or two statuses, apart."""


@dataclass(slots=True)
class Milestones:
    """What the file says of its Milestones; `lines` shows the unfinished ones under their table's header."""

    total: int = 0
    done: int = 0
    lines: list[str] = field(default_factory=list)
    _seen: set[tuple[str, str]] = field(default_factory=set)
    _header: str = ""

    def add_row(self, raw: str, cells: tuple[str, ...], header: tuple[str, ...], head: list[str]) -> None:
        """Count one table row; `head` holds the lines of its table's header. A Milestone counts once."""
        name = next((index for index, title in enumerate(header) if _NAME_COLUMN.search(title)), 1)
        if not self._is_new(cells[0], cells[name] if name < len(cells) else ""):
            return
        self.total += 1
        if _row_is_done(cells, header):
            self.done += 1
            return
        if head and head[0] != self._header:
            self._header = head[0]
            self.lines += head
        self.lines.append(raw)

    def add_item(self, text: str) -> None:
        """Count one bullet of a list of Milestones; a remark, without number and status, only stays."""
        if not self._is_new(text, ""):
            return
        parts = [text, *re.split(r"\s*[:：|—–（(]\s*|\s+-\s+", text)[1:]]
        if any(map(is_done, parts)) or "✅" in text:
            self.done += 1
            self.total += 1
            return
        self.total += is_id(text) or any(map(_OPEN.match, parts))
        self.lines.append(f"- {text}")

    def _is_new(self, identity: str, name: str) -> bool:
        key = (plain(identity[:_NAME_WITHIN]).casefold(), plain(name[:_NAME_WITHIN]).casefold())
        new = key not in self._seen
        self._seen.add(key)
        return new


def is_id(cell: str) -> bool:
    """Return whether a cell begins with a Milestone's number: `M01`, `C21-M1`, `M4.5`."""
    return bool(_ID.match(plain(cell[:_NAME_WITHIN])))


def names_milestones(header: tuple[str, ...]) -> bool:
    """Return whether a table's header is one of Milestones: it names them and their status."""
    return any(map(_NAME_COLUMN.search, header)) and any(map(_STATUS_COLUMN.search, header))


def is_done(status: str) -> bool:
    """Return whether a status is that of a finished Milestone: `✅ 完成`, `done`, `已完成`; not `完成 3/7`."""
    text = plain(status[:_NAME_WITHIN])
    share = _SHARE.search(text)
    return bool(_DONE.match(text)) and not (share and int(share[1]) < int(share[2]))


def _row_is_done(cells: tuple[str, ...], header: tuple[str, ...]) -> bool:
    column = next((index for index, title in enumerate(header) if _STATUS_COLUMN.search(title)), None)
    if column is not None and column < len(cells) and cells[column]:
        return is_done(cells[column])
    return any(cell.startswith("✅") or (len(cell) < 12 and is_done(cell)) for cell in cells[1:])
