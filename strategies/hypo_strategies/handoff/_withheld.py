"""Whether an item of a result tells of a marked injection without forwarding it (compact-context, Preserve); pure."""

from __future__ import annotations

import re

from hypo_strategies.handoff._payload import RUNNABLE, bare, is_untrusted
from hypo_strategies.handoff._units import Texts, Unit
from hypo_strategies.handoff.folding import folded, listed
from hypo_strategies.handoff.model import Kind, State

_TOLD = frozenset(
    listed(
        "a | an | the | it | to | of | in | for | by | from | this | that | was | were | is | are | be | "
        "been | and | or | source | asked | asks | asking | told | tells | us | me | you | "
        "run | runs | running | ran | execute | executing | download | downloading | fetch | open | install | "
        "remote | script | command | commands | instruction | instructions | request | text | page | site | "
        "fence | block | code | comment | payload | withheld | forwarded | omitted | described | only | "
        "untrusted | unverified | rejected | refused | ignored | injection | suspected | marked | tool | "
        "output | document | docs | agent | web | file | line | lines | above | content | unknown | "
        "something | somebody"
    )
)
"""The words such a description is made of, beside those of the item it tells of."""
_TOLD_ELSEWHERE = re.compile(
    "不可信|未验证|已拒绝|拒绝|注入|来源|工具输出|要求|让我们|运行|执行|下载|远程|脚本|命令|未|内容|已|略去|的"
    "|信頼できない|未検証|却下|された|した|インジェクション|出典|ツール|出力|要求|実行|ダウンロード|リモート|スクリプト|コマンド|省略|を|の|は|が|に"
    "|ไม่น่าเชื่อถือ|ปฏิเสธ|แล้ว|ที่มา|เครื่องมือ|ขอให้|สั่งให้|รัน|ดาวน์โหลด|สคริปต์|คำสั่ง|ระยะไกล|ไม่ได้|ตัดออก"
)
_ORDER = re.compile(r"(?<!to )(?<!asked us to )\b(?:run|execute|download|fetch|open|install)\b")
"""An order itself, where `asked to run` only tells of one."""
_LOCATORS = frozenset({Kind.URL, Kind.PATH, Kind.ID, Kind.ISSUE})
_WORD = re.compile(r"[a-z0-9_'-]+|[^\W\d_a-z]+")


def describes(told: Unit, injection: Unit, payloads: tuple[str, ...], texts: Texts) -> bool:
    """Return whether an item of the result tells of an injection, and of nothing else.

    It must be marked as untrusted itself, and keep where the injection comes from. Its words are those of the injection or a few that describe one; its exact
    items those of the injection; no payload stands in it.
    """
    if not is_untrusted(told) or told.place.state is State.CONFIRMED:
        return False
    own = texts.of(told)
    theirs = texts.of(injection)
    if any(exact.kind in RUNNABLE for exact in own):
        return False
    if not {exact.key for exact in own} <= {exact.key for exact in theirs}:
        return False
    locators = {
        exact.key for exact in theirs if exact.kind in _LOCATORS and not any(exact.text in it for it in payloads)
    }
    if not locators <= {exact.key for exact in own}:
        return False
    said = bare(told.said)
    if _ORDER.search(folded(told.said)) and not _ORDER.search(folded(injection.said)):
        return False
    if any(bare(payload) in said for payload in payloads):
        return False
    asked = {word for payload in payloads for word in _WORD.findall(folded(payload))}
    known = _TOLD | (set(_WORD.findall(folded(_all(injection)))) - asked)
    rest = folded(told.said)
    for exact in own:
        rest = rest.replace(folded(exact.text), " ")
    return all(word in known or not _is_content(word, injection) for word in _WORD.findall(rest))


def _all(unit: Unit) -> str:
    return " ".join((*unit.item.headings, *unit.item.parents, unit.item.label, unit.said))


def _is_content(word: str, injection: Unit) -> bool:
    """Return whether a word of a script without blanks says more than that something was asked."""
    if word.isascii():
        return True
    return any(part not in folded(_all(injection)) for part in _TOLD_ELSEWHERE.split(word) if part)
