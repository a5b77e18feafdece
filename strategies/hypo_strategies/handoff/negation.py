"""Words that deny or forbid, in English, Chinese, Japanese and Thai (and the plainest of Korean); pure.

What is unsure counts: a word too many makes a reader look, a word too few hides that a rule was turned round. So only
a closed list of words that merely look like a denial is left out (不同, 未来, なければならない, อย่าง).
"""

from __future__ import annotations

import re

from hypo_strategies.handoff.folding import LEFT, RIGHT, folded

_ENGLISH = re.compile(
    rf"{LEFT}(?:"
    r"(?P<not>not|cannot|(?:is|are|was|were|do|does|did|has|have|had|ca|could|would|should|wo|must|need|may|might|sha|ai)"
    r"n't|(?:do|does|did|ca|wo|is|are|was|were|should|must|could|would|have|has)nt)"
    r"|no(?!\.\s?\d)|nor|none|never|nothing|nobody|nowhere|neither|without|cease[sd]?|stop(?:s|ped|ping)?"
    r"|forbid(?:s|den)?|prohibit(?:s|ed)?|disallow(?:s|ed)?|avoid(?:s|ed|ing)?|refus(?:e|es|ed|ing)"
    r"|den(?:y|ies|ied|ying)|reject(?:s|ed|ing)?|prevent(?:s|ed|ing)?|exclud(?:e|es|ed|ing)|omit(?:s|ted)?"
    r"|lack(?:s|ed|ing)?|missing|absent|fail(?:s|ed|ing|ure|ures)?|disabl(?:e|es|ed|ing)|unable|impossible|hardly"
    r"|barely|rarely|rather\s{1,3}than|instead|off-limits|non-[a-z]{2,20}|non"
    r"|non(?:zero|empty|null|existent|standard|blocking|canonical|interactive|deterministic|fatal)"
    r"|un(?:approved|authenticated|authori[sz]ed|available|changed|checked|clear|confirmed|done|encrypted|expected"
    r"|finished|fixed|known|limited|necessary|needed|paid|proven|proved|published|related|reliable|resolved|reviewed"
    r"|safe|set|signed|stable|supported|tested|touched|tracked|trusted|used|validated|verified|wanted)"
    r"|in(?:accurate|active|capable|complete|consistent|correct|secure|sufficient|valid|visible)"
    r"|immutable|irrelevant|irreversible|disagree[sd]?|disconnected|discontinued"
    rf"){RIGHT}"
)
_HAN = re.compile(
    "(?P<no>不[同断斷仅僅只但光过過管论論少久错錯]|未[来來]|[无無][论論限料線线]|无非|非常|[特区區级級类類分识識个個性差種判日月年][别別]"
    "|[别別](?:人|的|名|途|件|紙|々|の|に|で|ファイル)|否[则則]|[是能可]否)"
    "|不同意|禁止|[严嚴厳]禁|拒[绝絕否]|排除|除外|避免|防止|缺[少失乏]|失[败敗]|停止|取消|[废廢廃][弃棄止]|却下"
    "|[不未没沒勿无無非别別莫否毋]"
)
_KANA = re.compile(
    "(?P<no>なければ(?:なら|いけ)(?:ない|ず|ぬ|ません|なかった)|なくては(?:なら|いけ)(?:ない|ません)"
    "|ないと(?:いけ|なら)(?:ない|ません)|ねばなら(?:ない|ず|ぬ|ません)|ざるを得(?:ない|ません)"
    "|か(?:も|もし)[れ知](?:れ)?(?:ない|ません)|に違い(?:ない|ありません)|少な[いくけか]|すくな[いくけ]|危ない)"
    "|な(?:い|く|かっ|けれ|さそう|し)|ません|ざる|べからず|ぬ(?=よう|こと|$|[、。])|まい(?=[、。\\s]|$)"
    "|(?:(?<=[せらわかがたばされけべえめてげねみきちじ])|(?<=[\u3400-\u9fff]ま))ず(?!つ|らす|れ|っと)"
    "|[ダだ駄](?:メ|め|目)|やめ|止め|避け|除[いく]|外[すし]"
)
_THAI = re.compile("(?P<no>อย่าง|มิถุน|มิเตอร์|มิติ|มิตร)|ไม่|ห้าม|อย่า|มิ|ไร้|ปราศจาก|งด|หลีกเลี่ยง|ยกเลิก|ปฏิเสธ|ล้มเหลว|ขาด|เลิก|ป้องกัน")
_KOREAN = re.compile("않|없|못|금지|말\\s?것|아니|안\\s")

_SCRIPTS = (
    (re.compile("[a-z]"), _ENGLISH),
    (re.compile("[\u3400-\u9fff]"), _HAN),
    (re.compile("[\u3040-\u30ff]"), _KANA),
    (re.compile("[\u0e00-\u0e7f]"), _THAI),
    (re.compile("[\uac00-\ud7af]"), _KOREAN),
)

_FORBIDS = re.compile(
    rf"{LEFT}(?:"
    r"(?:must|shall|should|may|can|will|need|ought)(?:\s{1,3}(?:also|still|therefore|only|ever|to))?(?:\s{1,3}not|n't)"
    r"|cannot|(?:must|should|can|sha|wo)nt|never|not\s{1,3}(?:be\s{1,3})?(?:allowed|permitted|acceptable|authori[sz]ed)"
    r"|(?:is|are)\s{1,3}not\s{1,3}to|not\s{1,3}to\s{1,3}be|forbid(?:s|den)?|prohibit(?:s|ed)?|disallow(?:s|ed)?|ban(?:s|ned)?"
    r"|avoid|refuse|off-limits|fail-closed|non-negotiable"
    rf"){RIGHT}"
    rf"|(?:^|[.!?;:,(\n\-–—|>*]\s{{0,3}}|{LEFT}(?:please|and|but|so|then|or|to|also|always)\s{{1,3}})"
    rf"(?:do\s{{1,3}}not|don't|dont|no(?!\s{{0,3}}[,.!;]|$)|not|without|stop){RIGHT}"
    rf"|{LEFT}with\s{{1,3}}no{RIGHT}|{LEFT}without{RIGHT}|{LEFT}no\s{{1,3}}(?:new|other|more|direct|public|raw|further)\s"
)
_FORBIDS_ELSEWHERE = re.compile(
    '禁止|[严嚴厳]禁|不[得许許准可能应應该該宜允]|不要(?=[ a-z`"“\u3400-\u9fff])|切?勿|绝不|絕不|绝对不'
    "|(?<![特区區级級类類分识識个個性差種判])[别別](?![人的名途件紙々のにで])|[务務]必不|免得"
    "|ては(?:いけ|なら|だめ|ダメ)|じゃ(?:だめ|ダメ|いけ)|ないこと|ないで|ぬこと|べからず|べきで(?:は)?(?:ない|ありません)|べきではな"
    "|ないよう|させない|しないし?(?=[。、\n]|$)|しません|許(?:さ|可し)ない|許可しません|避け"
    "|ห้าม|อย่า(?!ง)|ต้องไม่|ไม่ควร|ไม่อนุญาต|ไม่ให้|ไม่ได้รับอนุญาต|งด|หลีกเลี่ยง|ไม่ต้อง|ไม่สามารถ|금지|말\\s?것|안\\s?된"
)


def negations(text: str) -> tuple[str, ...]:
    """Return the words of a text that deny or forbid, folded and in order; `not` for all its contractions."""
    plain = folded(text)
    found: list[tuple[int, str]] = []
    for script, words in _SCRIPTS:
        if script.search(plain):
            is_more = bool(found)
            found += [(word.start(), _name(word)) for word in words.finditer(plain) if word.lastgroup != "no"]
            if is_more:
                found.sort()
    return tuple([name for _, name in found])


def prohibits(text: str) -> bool:
    """Return whether a text may forbid something; a mere denial (`it does not fail`) forbids nothing."""
    plain = folded(text)
    return bool(_FORBIDS.search(plain) or (not plain.isascii() and _FORBIDS_ELSEWHERE.search(plain)))


def _name(word: re.Match[str]) -> str:
    if word.lastgroup == "not":
        return "not"
    return " ".join(word[0].split()) if len(word[0]) > 8 else word[0]
