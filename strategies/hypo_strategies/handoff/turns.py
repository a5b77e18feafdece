"""Who speaks in a transcript: the lines with which a turn begins; pure.

The speaker is provenance: only a turn of the user can confirm something. So a line is taken for a turn only with a
closed list of words, and for the user with more care than for others.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from hypo_strategies.handoff.lines import begins_with_key

_HEAD = 200
_USERS = "user|human|用户|用戶|使用者|ユーザー|ユーザ|利用者|ผู้ใช้งาน|ผู้ใช้|사용자"
_OTHERS = (
    "assistant|agent|subagent|ai|bot|model|system|tool|claude code|claude|codex|chatgpt|gpt|gemini|copilot|cursor"
    "|助手|助理|模型|系统|工具|アシスタント|エージェント|ツール|ผู้ช่วย|เอเจนต์|ระบบ|어시스턴트"
)
_TURN = re.compile(
    r"(?P<heading>#{1,6}[ \t]+)?(?P<marks>[_*]{0,4}[\[【]?)"
    rf"(?P<who>(?:(?P<user>{_USERS})|{_OTHERS})(?:[ \t]?\d{{1,3}})?(?:[ \t]{{0,4}}[(（][^()（）\n]{{0,120}}[)）])?)"
    r"[\]】]?(?P<colon>[:：])?(?P<end>[_*]{0,4})[ \t]{0,4}(?P<colon2>[:：])?[_*]{0,4}[ \t]*",
    re.IGNORECASE,
)
_FEW = re.compile(r"\S+\s+\S|[\u0E01-\u0E3A\u0E40-\u0E4E\u3040-\u30FF\u3400-\u9FFF\uAC00-\uD7AF]{4}")
"""More than one word: a sentence, not the value of a key."""


@dataclass(frozen=True, slots=True)
class Turn:
    """The beginning of a turn.

    Attributes:
        who: the speaker as written, with what stands in brackets behind it.
        end: where the line goes on behind the name.
        is_user: whether the user speaks.
        level: of the heading that names the speaker, 0 for none.
    """

    who: str
    end: int
    is_user: bool
    level: int = 0


def turn(line: str) -> Turn | None:
    """Return the turn that a stripped line begins, as it would in a transcript."""
    found = _TURN.match(line)
    if not found:
        return None
    is_alone = found.end() >= len(line)
    has_colon = bool(found["colon"] or found["colon2"])
    is_marked = bool(found["heading"] or ("*" in found["marks"] and "*" in found["end"]))
    if not has_colon and not (is_alone and is_marked):
        return None
    level = (found["heading"] or "").count("#")
    return Turn(found["who"].strip(), found.end(), bool(found["user"]), level)


def own_turn(text: str) -> tuple[str, int] | None:
    """Return who speaks in an item that names its speaker (`User: keep the old theme`), and where the rest begins.

    A key with a short value (`Agent: codex`) tells no speaker.
    """
    found = _TURN.match(text)
    if not found or found["heading"] or "*" in found["marks"] or not (found["colon"] or found["colon2"]):
        return None
    return (found["who"].strip(), found.end()) if _FEW.match(text, found.end()) else None


def is_transcript(source: list[str]) -> bool:
    """Return whether the user and somebody else take turns here."""
    speakers = set()
    fenced = False
    for number, line in enumerate(source):
        start = line.strip()[:_HEAD]
        if start.startswith(("```", "~~~")):
            fenced = not fenced
        elif not fenced and start and (found := turn(start)) and not _is_among_keys(source, number):
            speakers.add(found.is_user)
            if len(speakers) == 2:
                return True
    return False


def _is_among_keys(source: list[str], number: int) -> bool:
    """Return whether a line touches a bold key: `**Agent:** some-model` beside `**Branch:** main` is no turn."""
    beside = (line.strip()[:_HEAD] for line in (*source[max(number - 1, 0) : number], *source[number + 1 : number + 2]))
    return any(begins_with_key(line) and not turn(line) for line in beside)
