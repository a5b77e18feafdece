"""What a text tells of itself without a label: that it asks, doubts, disagrees, decides or is only claimed; pure.

Where a cue would make more of a text than it is (a decision of the user), only unmistakable forms count; where it makes
less of it, many do. The patterns are for folded texts.
"""

from __future__ import annotations

import re

from hypo_strategies.handoff import modality, negation
from hypo_strategies.handoff.folding import LEFT, RIGHT, folded, listed

_OPENING = " \t*_~\"'([-"
_TAIL = 400
"""Characters at the end of a text in which a question is looked for."""
_CLOSING = " \t\n\"'”’」』)）]】*_。."
_ASKS = re.compile(
    r"(?:\?|吗|嗎|呢|么|ですか|ますか|でしょうか|ないか|のか|だろうか|ません?か|べきか|どうか|ไหม|หรือไม่|หรือเปล่า|หรือยัง|อย่างไร|เมื่อไร|เท่าไร)$"
)
_ASKS_AT_START = re.compile(
    rf"{LEFT}(?:(?:should|shall|could|can|may|must|will|would|do|does|did|is|are|was|were|has|have)\s(?:we|i|it|they|the|this|these|there|"
    rf"users?|admins?|staff)|what|which|who|when|where|why|how){RIGHT}[^.!\n]{{0,200}}$"
)
_PROPOSES = re.compile(
    rf"(?:proposed|proposal|suggested|suggestion|draft|consider(?:ing)?|what\sabout|how\sabout|let's\sdiscuss|recommended|recommendation"
    rf"|(?:i|we)(?:\swould|'d)?\s(?:could|might|may\swant|suggest|propose|recommend|should\sprobably|should\sconsider|are\sconsidering|lean)"
    rf"|(?:one|another|an?)\s(?:idea|option|alternative|possibility)){RIGHT}"
    "|(?:建议|建議|提议|提議|提案|考虑|考慮|可以考虑|可考虑|草案|拟定)|(?:提案|案[:、]|検討|候補|おすすめ|推奨)|(?:เสนอ|ข้อเสนอ|แนะนำ|ควรพิจารณา|ร่าง)"
)
"""How a proposal begins."""
_TAGGED = re.compile(
    r"[(\[](?:[^()\[\]\n]{0,40}\s)?(?:proposed|proposal|draft|tentative|recommended|suggested|提案|案|推奨|建议|建議|推荐|推薦|草案|ข้อเสนอ|แนะนำ)"
    r"(?:[\s,;][^()\[\]\n]{0,40})?[)\]]"
)
_GUESSES = re.compile(
    rf"(?:tentative(?:ly)?|maybe|perhaps|possibly|probably|presumably|could|might|it\s(?:might|may|could)"
    rf"|(?:i|we)\s(?:think|guess|believe|hope|plan|intend|want|may)){RIGHT}"
    "|(?:也许|或许|可能|大概|打算|计划|暂定|暫定|初步)|(?:仮に|おそらく|たぶん|できれば|もしかすると)|(?:อาจ|น่าจะ|บางที|คาดว่า|อยากให้)"
)
_STATES = "(?:confirmed|decided|agreed|approved|settled)"
_UNDECIDED = re.compile(
    rf"[(\[—-]\s?(?:[^()\[\]\n]{{0,40}}\s)?(?:tbd|tbc|unconfirmed|undecided|not\s(?:yet\s)?(?:{_STATES}|final)|to\sbe\s(?:confirmed|decided)|待定|待确认"
    rf"|待確認|未确认|未確認|暂定|未確定|未定|要確認|検討中|仮|รอยืนยัน|ยังไม่ยืนยัน)(?:[\s,;][^()\[\]\n]{{0,40}})?(?:[)\]]|$)"
    rf"|^(?:tbd|tbc){RIGHT}|{LEFT}(?:(?:is|are|was|were|has|have|still)\s(?:been\s)?not\s(?:yet\s)?(?:been\s)?{_STATES}|not\syet\s(?:been\s)?{_STATES}"
    rf"|(?:isn't|hasn't|aren't|haven't)\s(?:been\s)?(?:yet\s)?(?:been\s)?{_STATES}|to\sbe\s(?:confirmed|decided|determined)"
    rf"|(?:awaiting|needs?|pending|waiting\sfor)\s(?:the\s)?(?:(?:user|user's|owner's|his|her|their)\s)?(?:confirmation|approval|decision|answer|sign-off)"
    rf"|unconfirmed|undecided|(?:if|once|when|unless)\s(?:the\s)?user\s(?:agrees|approves|confirms|accepts)|up\sfor\sdiscussion){RIGHT}"
    "|待(?:用户|使用者)?(?:确认|確認|决定|決定|批准)|尚未(?:确认|確認|决定|決定|批准|同意)|还没(?:确认|决定|定)|未(?:确认|確認|决定|決定|获批准)|(?:^|[,。;])(?:待定|未定)"
    "|未確定|未決定|未定(?!義)|要確認|確認待ち|承認待ち|検討中|(?:決|き)まっていない|確定していない|確認できていない"
    "|ยังไม่(?:ได้)?(?:ยืนยัน|ตัดสินใจ|อนุมัติ|ตกลง|สรุป)|รอ(?:ผู้ใช้)?(?:ยืนยัน|อนุมัติ|ตัดสินใจ)"
)
_MAYBE_UNDECIDED = re.compile(
    rf"{LEFT}(?:tbd|tbc|(?:we|i)\s(?:could|might)|pending|maybe|perhaps){RIGHT}|待定|かもしれ|と思(?:う|い|われ)|อาจจะ|น่าจะ"
)
"""Words that forbid to take a text for settled, and tell no more than that."""
_DISAGREES = re.compile(
    rf"{LEFT}(?:contradicts?|conflicts?\swith|disagrees?\swith|(?:is|are)\sinconsistent\swith|mismatch\sbetween|discrepancy\sbetween"
    rf"|in\sconflict\swith|does\snot\smatch\sthe\s(?:docs?|spec|code|requirement|adr)){RIGHT}"
    "|(?:与|與|和|跟)[^。\n]{1,40}(?:矛盾|冲突|衝突|不一致|不符)|と(?:は)?(?:矛盾|食い違|一致しない|一致していない)|ขัดแย้งกับ|ไม่ตรงกับ"
)
_SETTLED = re.compile(rf"{LEFT}(?:resolved|fixed|solved|no\slonger){RIGHT}|已解决|已修复|解決済|解消|แก้ไขแล้ว|แก้แล้ว")
_APPROVES = re.compile(
    rf"{LEFT}(?:approv(?:al|ed|es|e)|confirmed|confirms|confirmation|agreed|agrees|agreement|accepted|authori[sz](?:ed|es|ation)|consent(?:ed)?"
    rf"|signed\soff|sign-off|permitted|permission|decided|decision|chose|chosen|selected|picked|allowed){RIGHT}"
    "|批准|同意|确认过|已确认|確認済|承認|許可|合意|決定済|授权|授權|选择了|อนุมัติ|ยืนยันแล้ว|ยืนยันว่า|อนุญาต|ตกลงแล้ว|เห็นชอบ"
)
_CLAIMS_APPROVAL = re.compile(
    rf"{LEFT}(?:(?:(?:users?|owner|team|customer|client|maintainer|lead|everyone|management)"
    rf"(?:\s(?:has|have|had|already|explicitly|also|just|then|now)){{0,3}}|has|have|had)\s(?:already\s|explicitly\s|also\s|now\s)?(?:been\s)?"
    rf"(?:approved|confirmed|agreed|accepted|authori[sz]ed|consented|signed\soff|decided|chose|chosen|selected|allowed|permitted|picked)"
    rf"|(?:is|was|were|are|been|already)\s(?:pre-)?(?:approved|authori[sz]ed|agreed|signed\soff|decided|permitted)|(?:pre-)?approved\s(?:on|by|for|in)"
    rf"|(?:confirmed|agreed|decided|chosen|accepted)\s(?:by|with)\s(?:the\s)?(?:user|owner|team|customer|client)"
    rf"|approval\s(?:was|is|has|from|given|granted|of|by|exists)|(?:with|has|have|got|obtained)\s(?:the\s)?(?:\w+'s\s|full\s)?"
    rf"(?:approval|consent|permission|sign-off)){RIGHT}"
    "|(?:用户|用戶|使用者|负责人|客户|团队)(?:已经?|也)?(?:批准|同意|确认|確認|授权|授權|选择|決定|决定)|已(?:经)?(?:获?批准?|授权|授權|同意)"
    "|(?:ユーザー|オーナー|責任者|顧客)[^。\n]{0,10}(?:承認|同意|許可|確認|決定|合意)|承認済|許可済|承認され"
    "|(?:ผู้ใช้|เจ้าของ|ลูกค้า|ทีม)(?:งาน)?(?:ได้)?(?:อนุมัติ|ยืนยัน|ตกลง|อนุญาต|เห็นชอบ|เลือก)|ได้รับ(?:การ)?อนุมัติ|อนุมัติแล้ว"
)
_BY_USER = re.compile(
    rf"[(\[][^()\[\]\n]{{0,40}}(?:(?:confirmed|approved|agreed|decided|chosen|answered|accepted)\s(?:explicitly\s)?(?:by|with)\s(?:the\s)?user"
    rf"|user\s(?:confirmed|approved|agreed|decided|answered|answer|decision|approval)|user-(?:confirmed|approved)){RIGHT}[^()\[\]\n]{{0,60}}[)\]]"
    rf"|[—;]\s?(?:confirmed|approved|agreed|decided)\s(?:by|with)\s(?:the\s)?user(?:\s(?:on|at)\s[^.\n]{{1,40}})?\.?$"
    rf"|{LEFT}explicit\suser\s(?:answers?|decisions?|approvals?|confirmation){RIGHT}"
    "|\\([^()\n]{0,20}(?:(?:经|與|与|跟|和)(?:用户|用戶|使用者)(?:确认|確認|同意|批准|商定)|(?:用户|用戶|使用者)(?:已)?(?:确认|確認|同意|批准|决定|決定))[^()\n]{0,30}\\)"
    "|\\([^()\n]{0,20}ユーザー(?:確認済|承認済|と合意|の決定|決定|承認|に確認済)[^()\n]{0,30}\\)"
    "|\\([^()\n]{0,20}(?:(?:ยืนยัน|อนุมัติ|ตกลง)(?:แล้ว)?(?:โดย|กับ)ผู้ใช้|ผู้ใช้(?:ยืนยัน|อนุมัติ|ตัดสินใจ|ตกลง)(?:แล้ว)?)[^()\n]{0,30}\\)"
)
_OF_USER = re.compile(r"[(\[](?:user|用户|用戶|使用者|ユーザー|ผู้ใช้)(?=[)\],、;:])")
_PICK = re.compile(
    rf"{LEFT}[a-z]{{1,2}}-?\d{{1,3}}(?:\s?(?:-|–|\.\.)\s?[a-z]{{0,2}}-?\d{{1,3}})?\s{{0,2}}[=:]\s{{0,2}}(?:[a-d]|yes|no|はい|いいえ|ใช่|ไม่|是|否|\"[^\"\n]{{1,60}}\""
    rf"|“[^”\n]{{1,60}}”){RIGHT}"
    rf"|{LEFT}(?:make|set|change)\s[a-z]{{1,2}}-?\d{{1,3}}\s(?:to\s)?[a-d]{RIGHT}"
    rf"|{LEFT}(?:option\s)?[a-d]\sfor\s[a-z]{{1,2}}-?\d{{1,3}}{RIGHT}|{LEFT}[a-z]{{1,2}}-?\d{{1,3}}\s?(?:は|选|選|เลือก|เป็น)\s?[a-d]{RIGHT}"
)
_RECOMMENDED = re.compile(r"recommended|推奨|推荐|推薦|建议|แนะนำ")
_ORDERS = re.compile(
    rf"{LEFT}(?:told|tells|asked|asks|instructs?|instructed|says?\s(?:to|we\s(?:should|must))|wants?\sus|requests?|requested|requires?){RIGHT}"
    r"|要求|让我们|讓我們|叫我们|指示|実行するよう|するよう(?:に)?(?:指示|要求|求)|สั่งให้|ขอให้|บอกให้"
)
_OUTSIDE = re.compile(
    rf"{LEFT}(?:out\sof\sscope|out-of-scope|not\sin\sscope|outside\s(?:the|our)?\s?scope|non-goals?|not\sincluded|excluded){RIGHT}"
    "|(?:不在|超出)(?:本次)?(?:范围|範圍)|范围外|範圍外|不包含|不包括|対象外|スコープ外|範囲外|含まない|含めない|นอกขอบเขต|ไม่(?:อยู่)?ในขอบเขต|ไม่รวม"
)
_INSIDE = re.compile(rf"{LEFT}(?:in\sscope|included|covers?){RIGHT}|范围内|包含|対象(?!外)|ในขอบเขต|รวมถึง")


def asks(text: str) -> bool:
    """Return whether a text ends as a question, or is one as a whole."""
    plain = folded(text[-_TAIL:]).rstrip(_CLOSING)
    if plain.endswith("?") or _ASKS.search(plain):
        return True
    return len(text) <= _TAIL and "?" in plain and bool(_ASKS_AT_START.match(plain))


def proposes(text: str) -> bool:
    """Return whether a text is a proposal; that it mentions one is not enough."""
    plain = folded(text)
    return bool(_PROPOSES.match(plain.lstrip(_OPENING)) or _TAGGED.search(plain))


def is_undecided(text: str) -> bool:
    """Return whether a text says that it still waits for a decision."""
    return bool(_UNDECIDED.search(folded(text).strip(_OPENING)))


def is_unsure(text: str) -> bool:
    """Return whether a text begins as a guess, or holds a word of doubt about itself."""
    plain = folded(text)
    return bool(_GUESSES.match(plain.lstrip(_OPENING)) or _MAYBE_UNDECIDED.search(plain))


def disagrees(text: str) -> bool:
    """Return whether a text tells of two sources that contradict each other, and not that this is over."""
    plain = folded(text)
    return bool(_DISAGREES.search(plain)) and not _SETTLED.search(plain)


def approves(text: str) -> bool:
    """Return whether a text speaks of an approval or a decision."""
    return bool(_APPROVES.search(folded(text)))


def claims_approval(text: str) -> bool:
    """Return whether a text says that somebody has approved or decided something."""
    return bool(_CLAIMS_APPROVAL.search(folded(text)))


def is_decided_by_user(text: str) -> bool:
    """Return whether a text says in so many words that the user has decided it."""
    plain = folded(text)
    return bool(_BY_USER.search(plain)) or (bool(_OF_USER.search(plain)) and picks(text))


def picks(text: str) -> bool:
    """Return whether a text names an option and what it decides (`S1=A`); a recommendation is no pick."""
    plain = folded(text)
    return bool(_PICK.search(plain)) and not _RECOMMENDED.search(plain)


def orders(text: str) -> bool:
    """Return whether a text tells that something asked for an action."""
    return bool(_ORDERS.search(folded(text)))


def is_outside(text: str) -> bool:
    """Return whether a text itself says that it is out of scope, and of nothing that it is in it."""
    plain = folded(text)
    return bool(_OUTSIDE.search(plain)) and not _INSIDE.search(_OUTSIDE.sub("", plain))


def binds(text: str) -> str:
    """Return the word that makes a rule of a text, "" for none."""
    if negation.prohibits(text):
        return next(iter(negation.negations(text)), "prohibition")
    strong = (word for word, strength in modality.modals(text) if strength == "must" and word not in _LOOSE)
    word = next(strong, "")
    return "required" if not word and _IS_REQUIRED.search(folded(text)) else word


_IS_REQUIRED = re.compile(rf"{LEFT}(?:is|are)\s(?:always\s)?(?:required|mandatory){RIGHT}")
_LOOSE = frozenset(
    listed(
        "need to | needs to | needed | had to | ensure | ensures | always | require | required | requires | requirement | is to | are to",
        "需要 | 必要 | 要求 | 确保 | 確保 | 始终 | 总是 | 必要がある | 必要があります | すること | 常に | จำเป็น | ให้แน่ใจ | เสมอ",
    )
)
"""They demand something, but mostly of the next step, not for ever."""
