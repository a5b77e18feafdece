"""Greetings, thanks and transitions: texts that hold nothing to keep; pure.

The lists are closed, and a text is filler only when it consists of their phrases and punctuation alone. So no exact
item, number, negation, modal or label can stand in it.
"""

from __future__ import annotations

import re

from hypo_strategies.handoff.folding import alternatives, folded

_LONGEST = 200
PHRASES = (
    "hi | hi there | hi team | hello | hello there | hello everyone | hello team | hey | hey there"
    " | hey team | dear team | good morning | good afternoon | good evening | greetings | welcome"
    " | welcome back | thanks | thanks a lot | thanks again | thanks so much | thanks in advance"
    " | thank you | thank you so much | thank you very much | thank you for your help"
    " | thanks for your help | thanks for reading | cheers | best | best regards | kind regards | regards"
    " | yours | sincerely | good luck | have fun | happy coding | happy hacking | enjoy | have a nice day"
    " | have a great day | see you | see you tomorrow | bye | goodbye | take care | hope this helps"
    " | i hope this helps | hope that helps | let's get started | let's dive in | let's begin"
    " | here we go | here is the handoff | here's the handoff | here is the summary | here's the summary"
    " | here is the compacted handoff | here's the compacted handoff | as you know | as discussed"
    " | as mentioned | moving on | that said | with that said | that's it | end of handoff"
    " | end of summary | phew | oh | well | anyway | to be continued | 你好 | 您好 | 大家好 | 嗨 | 早上好 | 下午好 | 晚上好 | 谢谢"
    " | 謝謝 | 谢谢你 | 谢谢您 | 谢谢大家 | 多谢 | 多謝 | 感谢 | 感謝 | 非常感谢 | 辛苦了 | 大家辛苦了 | 祝好 | 祝你好运 | 祝好运 | 再见 | 如上所述"
    " | 如前所述 | 总而言之 | 话说回来 | 接下来 | 那么 | 希望对你有帮助 | 希望有帮助 | 加油 | こんにちは | おはようございます | こんばんは | はじめまして"
    " | お疲れ様です | お疲れ様でした | お世話になっております | お世話になります | よろしくお願いします | よろしくお願いいたします | よろしくお願い致します | ありがとう"
    " | ありがとうございます | ありがとうございました | 有難うございます | では | それでは | さて | ところで | 前述の通り | 上述の通り | 頑張ってください"
    " | がんばってください | 皆さん | みなさん | สวัสดี | สวัสดีครับ | สวัสดีค่ะ | ขอบคุณ | ขอบคุณครับ | ขอบคุณค่ะ"
    " | ขอบคุณมาก | ขอบคุณมากครับ | ขอบคุณมากค่ะ | ยินดีต้อนรับ | โชคดี | โชคดีครับ | โชคดีค่ะ"
    " | แล้วเจอกัน | ดังที่กล่าวไว้ข้างต้น | ดังที่กล่าวมา | จบเอกสาร"
    " | 안녕하세요 | 감사합니다 | 고맙습니다 | 수고하셨습니다"
)
_FILLER = re.compile(rf"(?:(?:{alternatives(PHRASES)})[\s,.!;、。…~\-–—]{{0,8}}){{1,8}}")
_DECORATION = re.compile(
    "[*_#\u2600-\u2604\u2728\U0001f389\U0001f38a\U0001f44b\U0001f44d\U0001f600-\U0001f64f\U0001f680\ufe0f]+"
)


def filler(text: str) -> bool:
    """Return whether a text is nothing but greetings, thanks and transitions of the closed lists."""
    if len(text) > _LONGEST:
        return False
    plain = _DECORATION.sub(" ", folded(text)).strip(" \t\n\"'()")
    return bool(_FILLER.fullmatch(plain))
