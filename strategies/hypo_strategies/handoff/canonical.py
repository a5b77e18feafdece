"""Whether a text is a canonical document: one that is the source of truth itself, and must be read in full; pure.

Such a document is never compacted (compact-context, When not to use). It is known by its name, by what its front
matter says, or by its title together with the headings such documents have; a title that speaks of a handoff is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from hypo_strategies.handoff import lines
from hypo_strategies.handoff.folding import folded, listed
from hypo_strategies.text.phrase import Phrase, phrase


class CanonicalDocumentError(ValueError):
    """The text is no temporary handoff.

    Attributes:
        reason: by what it is known.
    """

    def __init__(self, reason: Phrase) -> None:
        super().__init__(str(reason))
        self.reason = reason


_HANDOFF = re.compile("hand-?(?:off|over)|交接|引き?継|ส่งต่อ|ส่งมอบงาน|인수인계")
_NAME = re.compile(
    r"(?:^|/)(?:context\.md|(?:adr|spec|task|req|prd)[-_ ]?\d[^/]*\.(?:md|markdown|txt)"
    r"|(?:requirements?|prd|specification|spec)\.(?:md|markdown))$"
    r"|(?:^|/)(?:docs?|documentation|spec|design)/(?:[^/]+/)?(?:adrs?|specs?|tasks?|requirements?|decisions)/[^/]+$"
    r"|(?:^|/)adrs?/[^/]+\.(?:md|markdown)$"
)
_TITLE_ID = re.compile(
    r"(?P<kind>adr|spec|task|req|prd|architecture decision record|requirement|specification)s?\s?[-#:]?\s?\d{1,5}(?!\d)"
)
_PLAIN_TITLE = frozenset(
    listed(
        "requirements | product requirements | product requirements document | prd | requirements document"
        " | software requirements specification | functional requirements | context.md",
        "需求文档 | 需求規格 | 需求规格 | 需求规格说明书 | 产品需求文档 | 要件定義 | 要件定義書 | 仕様書 | ข้อกำหนดความต้องการ | เอกสารข้อกำหนด",
    )
)
_CONTEXT_TITLE = re.compile(r"CONTEXT(?:\.md)?(?:\s?[:—–-].*)?")
_FRONT = re.compile(
    r"(?:type|kind|doc_type|document)\s*:\s*[\"']?(?:adr|spec|specification|task|requirements?|prd|context)[\"']?\s*"
    r"|id\s*:\s*[\"']?(?:adr|spec|task|req|prd)-?\d{1,5}[\"']?\s*"
)
_STATUS = frozenset(listed("status | state | 状态 | 狀態 | ステータス | 状態 | สถานะ"))
_CONTEXT = frozenset(
    listed("context | context and problem statement | background | 背景 | 上下文 | コンテキスト | บริบท")
)
_DECISION = frozenset(listed("decision | decision outcome | 决策 | 決策 | 决定 | 決定 | การตัดสินใจ"))
_OUTCOME = frozenset(
    listed("consequences | positive consequences | 后果 | 後果 | 影响 | 影響 | 結果 | 帰結 | ผลที่ตามมา | ผลกระทบ")
)
_OF_RECORDS = (
    _STATUS
    | _CONTEXT
    | _DECISION
    | _OUTCOME
    | frozenset(
        listed(
            "acceptance criteria | definition of done | requirements | user stories | dependencies | scope | problem | objective",
            "验收标准 | 驗收標準 | 受け入れ条件 | 受け入れ基準 | 完了条件 | เกณฑ์การยอมรับ | ขอบเขต",
        )
    )
)
_KINDS = {"architecture decision record": "ADR", "specification": "SPEC", "requirement": "REQ"}
_LONGEST_FRONT_MATTER = 60
_LONGEST = 200
"""Characters of a heading that are looked at."""


def refuse_canonical(text: str, name: str) -> None:
    """Raise where a text is a canonical document.

    Args:
        text: with line ends of any kind.
        name: of the file, with its folders where they are known; "" for none.

    Raises:
        CanonicalDocumentError: it is one.
    """
    shown = name.replace("\\", "/")
    if _NAME.search(folded(shown)) and not _HANDOFF.search(folded(shown.rpartition("/")[2])):
        raise CanonicalDocumentError(phrase("its name is that of a canonical document"))
    every = text.removeprefix("\ufeff").splitlines()
    if _says_so(every):
        raise CanonicalDocumentError(phrase("its front matter says that it is a canonical document"))
    headings = list(_headings(every))
    if not headings or _HANDOFF.search(folded(headings[0][1])):
        return
    level, title = headings[0]
    plain = folded(title).strip()
    below = {folded(heading).strip(" .:0123456789") for _, heading in headings[1:]}
    if level == 1 and (_CONTEXT_TITLE.fullmatch(title) or plain in _PLAIN_TITLE):
        raise CanonicalDocumentError(phrase("its title is that of a canonical document"))
    if below & _DECISION and below & _OUTCOME and below & (_CONTEXT | _STATUS):
        raise CanonicalDocumentError(phrase("its headings are those of an ADR"))
    if level == 1 and (found := _TITLE_ID.match(plain)) and below & _OF_RECORDS:
        kind = _KINDS.get(found["kind"], found["kind"].upper())
        raise CanonicalDocumentError(phrase("title and headings are those of a canonical document ({type})", type=kind))


def _says_so(every: list[str]) -> bool:
    if not every or every[0].strip() != "---":
        return False
    for line in every[1:_LONGEST_FRONT_MATTER]:
        if line.strip() in {"---", "..."}:
            return False
        if _FRONT.fullmatch(folded(line[:_LONGEST])):
            return True
    return False


def _headings(every: list[str]) -> Iterator[tuple[int, str]]:
    """Yield level and text of each heading that begins with `#`, or is a title above a rule of `=`."""
    fence: lines.Fence | None = None
    above = ""
    for written in every:
        line = written.strip()[:_LONGEST]
        if fence is not None:
            fence = None if fence.is_closed_by(line) else fence
        elif opened := lines.fence(line):
            fence = opened
        elif heading := lines.heading(line):
            yield heading
        elif above and lines.decoration(line) == "=":
            yield 1, lines.unmarked(above)
        above = line
