"""What one line of a handoff is, by its look: markers, rules, fences, table rows and their like; pure.

People and models write Markdown loosely. So this knows more list markers than CommonMark does, and tells which of
them may be mere text. Every pattern is anchored and bounded: the time is linear in the line.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

COLON = (":", "：")
BLANKS = " \t\u3000\u00a0"

_BULLET = re.compile(rf"[-*+‣◦●▪■◆▶▸➤－](?=[{BLANKS}]|$)|[•・]")
_WEAK_BULLET = re.compile(rf"[–—](?=[{BLANKS}])|→")
"""A dash or an arrow may as well go on with the sentence above."""
_NUMBERS: tuple[tuple[str, re.Pattern[str], str], ...] = (
    ("1.", re.compile(rf"(\d{{1,9}})[.．](?:(?=[{BLANKS}]|$)|(?=[^\W\d_A-Za-z]|[`*「『“【]))"), "1１๑"),
    ("1)", re.compile(rf"(\d{{1,9}})[)）](?=[{BLANKS}]|$)"), "1１๑"),
    ("1、", re.compile(r"(\d{1,3})、"), "1１"),
    ("(1)", re.compile(r"[(（](\d{1,3})[)）]"), "1１๑"),
    ("①", re.compile(r"([①-⑳㉑-㉟])"), "①"),
    ("一、", re.compile(r"([一二三四五六七八九十]{1,3})[、．]"), "一"),
    ("(一)", re.compile(r"[(（]([一二三四五六七八九十]{1,3})[)）]"), "一"),
    ("a)", re.compile(rf"([a-z])\)(?=[{BLANKS}])"), "a"),
    ("(a)", re.compile(rf"[(（]([a-z])[)）](?=[{BLANKS}])"), "a"),
    ("A)", re.compile(rf"([A-Z])\)(?=[{BLANKS}])"), "A"),
    ("a.", re.compile(rf"([a-zA-Z])\.(?=[{BLANKS}])"), ""),
    ("ก.", re.compile(rf"([ก-ฮ])[.)](?=[{BLANKS}])"), "ก"),
)
"""Numbers of items: what siblings share, how they look, and which is the first of a list."""
_NUMBERED = re.compile(r"[(（]?(?:\d{1,9}|[一二三四五六七八九十]{1,3}|[A-Za-zก-ฮ])[.．)）、]|[①-⑳㉑-㉟]")
"""How every number of an item looks: most lines are told by this alone."""

_DECORATION = re.compile(r"([=\-*_#~─━═—–])(?:[ \t]*\1){2,}[ \t]*")
_HEADING = re.compile(r"(#{1,6})(?:[ \t]+|$)")
_CLOSING_MARKS = re.compile(r"(?:^|[ \t])#+[ \t]*$")
_FENCE = re.compile(r"(`{3,}|~{3,})[ \t]*([^\r\n]*)")
_TABLE_RULE = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*")
_TAG = re.compile(r"</?[A-Za-z][A-Za-z0-9-]{0,40}(?=[\s/>]|$)")
_BLOCK_TAG = re.compile(
    r"</?(?:details|summary|div|p|pre|table|thead|tbody|tr|td|th|ul|ol|li|script|style|iframe|section|article|aside"
    r"|header|footer|main|nav|form|h[1-6]|blockquote|center|figure|br|hr|img)(?=[\s/>]|$)",
    re.IGNORECASE,
)
_ID_LINE = re.compile(
    r"(?:\*\*|`)?[A-Z][A-Z0-9]{0,9}[-\u2010\u2011\u2212]?\d{1,6}[a-z]?(?:(?:[-–—~]|\.\.)[A-Z0-9-]{1,12})?(?:\*\*|`)?"
    r"(?:[ \t]{0,8}[:：=＝]|[ \t]{1,8}[-–—][ \t]|[.)][ \t])"
)
_KEY_LINE = re.compile(r"(\*\*|__)[^*_\n]{1,80}(?:[:：]\1|\1[ \t]{0,4}[:：])")
_MARK = re.compile(
    r"(?:(?:\[[ xX~!/✓✔-]\]|[✅☑✔✓❌✗✘✖☒☐⬜⚠🚧🛑⏸⏳⌛⏭🔄🔁🟢🟡🔴🟠⭕🚫⛔❓❗🔒]\uFE0F?)[ \t]{0,4}(?=\S|$)|[○◯×△](?=[ \t]))"
)
"""A check box, or a sign that tells a status."""


@dataclass(frozen=True, slots=True)
class Marker:
    """The list marker at the start of a line.

    Attributes:
        kind: what the markers of siblings share.
        written: the number or arrow as written, "" for a mere bullet, which says no more than that an item begins.
        width: columns from the marker to the text behind it.
        weak: it begins an item only where a block may begin, or after a sibling.
    """

    kind: str
    written: str
    width: int
    weak: bool


@dataclass(frozen=True, slots=True)
class Fence:
    """The line that opens a fenced block."""

    character: str
    length: int

    def is_closed_by(self, line: str) -> bool:
        """Return whether a stripped line closes the block."""
        return len(line) >= self.length and not line.strip(self.character)


def indent(line: str) -> tuple[int, str]:
    """Return how many columns a line is indented, and the line without blanks at both ends."""
    stripped = line.strip()
    if not line or line[0] not in BLANKS:
        return 0, stripped
    column = 0
    for character in line:
        if character == "\t":
            column += 4 - column % 4
        elif character == "\u3000":
            column += 2
        elif character in BLANKS:
            column += 1
        else:
            break
    return column, stripped


def marker(line: str) -> Marker | None:
    """Return the list marker at the start of a stripped line."""
    first = line[:1]
    if found := _BULLET.match(line):
        return Marker(first, "", _width(line, found.end()), weak=False)
    if found := _WEAK_BULLET.match(line):
        written = first if first == "→" else ""
        return Marker(first, written, _width(line, found.end()), weak=True)
    if not _NUMBERED.match(line):
        return None
    for kind, pattern, firsts in _NUMBERS:
        if found := pattern.match(line):
            weak = found[1] not in firsts or not firsts
            return Marker(kind, found[0].strip(), _width(line, found.end()), weak=weak)
    return None


def _width(line: str, end: int) -> int:
    """Return where the text behind a marker begins."""
    while end < len(line) and line[end] in BLANKS:
        end += 1
    return end


def decoration(line: str) -> str:
    """Return the character of which a stripped line of three or more consists, "" for any other line."""
    found = _DECORATION.fullmatch(line)
    return found[1] if found else ""


def heading(line: str) -> tuple[int, str] | None:
    """Return level and text of an ATX heading, from its stripped line."""
    found = _HEADING.match(line)
    if not found:
        return None
    rest = line[found.end() :]
    if rest.endswith("#"):
        rest = _CLOSING_MARKS.sub("", rest)
    return len(found[1]), unmarked(rest)


def fence(line: str) -> Fence | None:
    """Return the fence that a stripped line opens."""
    found = _FENCE.match(line)
    if not found or (found[1][0] == "`" and "`" in found[2]):
        return None
    return Fence(found[1][0], len(found[1]))


def is_table_rule(line: str) -> bool:
    """Return whether a stripped line is the row of dashes below a table's header."""
    return "|" in line and "-" in line and bool(_TABLE_RULE.fullmatch(line))


def is_html(line: str) -> bool:
    """Return whether a stripped line begins a block of HTML; `<owner> must accept` is prose."""
    if not line.startswith("<"):
        return False
    return bool(_BLOCK_TAG.match(line) or (line.endswith(">") and _TAG.match(line)))


def begins_with_id(line: str) -> bool:
    """Return whether a stripped line begins with an identifier of its own (`AC-01: …`, `S1=A`)."""
    return bool(_ID_LINE.match(line))


def begins_with_key(line: str) -> bool:
    """Return whether a stripped line begins with a bold key (`**Branch:** …`)."""
    return bool(_KEY_LINE.match(line))


def mark(text: str) -> str:
    """Return the check box or sign of a status at the start of a text."""
    found = _MARK.match(text)
    return found[0].strip() if found else ""


def ends_with_colon(text: str) -> bool:
    """Return whether a text introduces what follows it."""
    return text[-12:].rstrip("*_` \t").endswith(COLON)


def is_emphasised(line: str) -> bool:
    """Return whether a stripped line is bold as a whole."""
    return len(line) > 4 and line[:2] in {"**", "__"} and line.endswith(line[:2]) and line.count(line[:2]) == 2


def unmarked(text: str) -> str:
    """Return a heading or lead-in label as written, without the emphasis around it and the colon behind it."""
    text = original = text.strip()
    before = ""
    while text != before:
        before = text
        if text.endswith(COLON):
            text = text[:-1].rstrip()
        for sign in ("**", "__", "*", "_"):
            inner = text[len(sign) : -len(sign)]
            if len(text) > 2 * len(sign) and text.startswith(sign) and text.endswith(sign) and sign[0] not in inner:
                text = inner.strip()
    return text or original
