"""Words that tell how binding a statement is, or limit it, and words of doubt; pure.

As in `negation`, what is unsure counts.
"""

from __future__ import annotations

import re

from hypo_strategies.handoff.folding import alternatives, folded, listed

_STRENGTHS: dict[str, str] = {
    "need not": (
        "need not | needn't | not required | not necessary | not needed | not mandatory | don't have to | do not have to"
        " | does not have to | doesn't have to | doesn't need to | does not need to | do not need to | don't need to"
        " | no need to | not obligatory | 不必 | 不用 | 无需 | 無需 | 不需要 | 不需 | 毋须 | 必要はない | 必要はありません"
        " | 必要ない | 必要なし | なくてもよい | なくてもいい | なくていい | なくてよい | 不要 | ไม่ต้อง | ไม่จำเป็น"
    ),
    "must": (
        "must | shall | required | require | requires | requirement | have to | has to | had to | need to | needs to"
        " | needed | mandatory | always | obligatory | ensure | ensures | is to | are to | essential | it is necessary"
        " | 必须 | 必須 | 务必 | 務必 | 一定要 | 须 | 须要 | 必要 | 需要 | 总是 | 始终 | 只能 | 不得不 | 應當 | 应当 | 确保 | 確保"
        " | 必ず | なければならない | なければなりません | なければいけない | なければいけません | なくてはならない | なくてはいけない"
        " | ねばならない | ないといけない | ざるを得ない | 必要がある | 必要があります | すること | 常に | 厳守 | 要求 | 義務"
        " | ต้อง | จำเป็น | เสมอ | บังคับ | ทุกครั้ง | ให้แน่ใจ"
    ),
    "should": (
        "should | ought to | recommended | recommend | recommends | prefer | preferably | preferred | ideally | advisable"
        " | better to | suggested | 应 | 应该 | 應該 | 應 | 宜 | 最好 | 建议 | 建議 | 推荐 | 推薦 | べき | 望ましい | 推奨"
        " | ほうがよい | ほうがいい | 方がよい | 方が良い | 方がいい | ควร | แนะนำ"
    ),
    "may": (
        "may | might | can | could | allowed | allowed to | allow | allows | permitted | permit | permits | optional"
        " | optionally | possible | possibly | maybe | perhaps | able to | eligible | 可 | 可以 | 可能 | 能 | 能够 | 能夠"
        " | 允许 | 允許 | 也许 | 或许 | できる | できます | でき | 可能 | てもよい | てもいい | かもしれない | かもしれません"
        " | 許可 | 任意 | อาจ | อาจจะ | สามารถ | ได้รับอนุญาต | อนุญาต"
    ),
    "would": "would | will | going to | plan to | plans to | planned | planning to | intend to | intends to | consider | considering"
    " | expected to | supposed to | 打算 | 计划 | 計劃 | 考虑 | 考慮 | 将 | 將 | 会 | 會 | 予定 | つもり | 検討 | จะ | วางแผน | พิจารณา",
    "only": (
        "only | solely | exclusively | merely | just | nothing but | alone | 只 | 仅 | 僅 | 只有 | 只能 | 唯一 | 单独 | のみ"
        " | だけ | しか | に限る | に限り | 限定 | เท่านั้น | เฉพาะ | เพียง | แค่"
    ),
    "except": (
        "except | except for | excepting | excluding | apart from | other than | aside from | save for | but not"
        " | barring | exception | exceptions | 除了 | 除外 | 例外 | 以外 | 除く | 除いて | を除き | ยกเว้น | นอกจาก | ข้อยกเว้น"
    ),
    "unless": "unless | 除非 | ない限り | なければ | ない場合 | เว้นแต่ | เว้นเสียแต่ | นอกเสียจาก",
    "at least": (
        "at least | no fewer than | no less than | not less than | not fewer than | minimum | minimum of | min | or more"
        " | or above | >= | ≥ | 至少 | 最少 | 不少于 | 不低于 | 以上 | 起码 | 少なくとも | 最低 | 最小 | อย่างน้อย | ไม่น้อยกว่า"
        " | ไม่ต่ำกว่า | ขั้นต่ำ | ขึ้นไป"
    ),
    "at most": (
        "at most | up to | no more than | not more than | no longer than | maximum | maximum of | max | not exceed"
        " | or less | or fewer | or below | cap | capped | limit | limited to | <= | ≤ | 最多 | 至多 | 不超过 | 不超過"
        " | 以下 | 以内 | 以內 | 最大 | 上限 | まで | を超えない | ไม่เกิน | มากที่สุด | อย่างมาก | สูงสุด"
    ),
    "more than": "more than | greater than | over | above | exceed | exceeds | exceeding | beyond | > | 超过 | 超過 | 大于 | 高于"
    " | 多于 | 超える | を超え | より大きい | เกิน | มากกว่า",
    "less than": "less than | fewer than | under | below | smaller than | < | 少于 | 小于 | 低于 | 不足 | 未満 | より小さい | น้อยกว่า"
    " | ต่ำกว่า",
    "exactly": "exactly | precisely | equal to | identical | verbatim | as is | 恰好 | 正好 | 完全 | ちょうど | 厳密 | そのまま | พอดี | ตรงตาม",
    "about": "about | approximately | around | roughly | nearly | almost | some | ~ | ≈ | ± | 约 | 約 | 大约 | 左右 | 几乎 | 程度 | ほぼ"
    " | およそ | 前後 | ประมาณ | ราว | เกือบ",
    "before": "before | prior to | ahead of | earlier than | 之前 | 以前 | 前に | より前 | ก่อน",
    "after": "after | once | following | later than | since | as soon as | 之后 | 之後 | 以后 | 以後 | 后再 | 後に | 以降 | てから | た後"
    " | หลัง | หลังจาก | ตั้งแต่",
    "until": "until | till | by | no later than | not later than | deadline | 直到 | 为止 | 截至 | までに | まで待 | จนกว่า | จนถึง | ภายใน",
    "if": "if | when | whenever | whether | in case | provided | provided that | as long as | assuming | depending on | while"
    " | during | where | otherwise | only if | 如果 | 若 | 当 | 當 | 只要 | 一旦 | 否则 | 否則 | 场合 | 場合 | もし | たら | なら"
    " | とき | の時 | ถ้า | หาก | เมื่อ | กรณี | ขณะ | มิฉะนั้น",
    "all": "all | every | each | any | both | entire | whole | either | one of | some of | most | several | many | few | 所有"
    " | 全部 | 每 | 任何 | 一切 | 都 | すべて | 全て | 全部 | 各 | いずれか | どちらか | ทั้งหมด | ทุก | แต่ละ | ใดๆ | ทั้งสอง | บางส่วน",
}
_STRENGTH = {word: strength for strength, words in reversed(_STRENGTHS.items()) for word in listed(words)}
_MODALS = re.compile(alternatives(*_STRENGTHS.values()))

_HEDGES = re.compile(
    alternatives(
        "could | might | maybe | perhaps | possibly | probably | presumably | likely | seems | seem | appears | appear"
        " | apparently | consider | considering | suggest | suggests | suggested | suggestion | propose | proposes | proposed"
        " | proposal | recommend | recommends | recommended | recommendation | plan to | plans to | planned | planning"
        " | intend | intends | i think | we think | i believe | we believe | i guess | guess | i'd | we'd | would be"
        " | would like | would prefer | tentative | tentatively | draft | tbd | tbc | to be confirmed | to be decided"
        " | to be determined | if possible | not sure | unsure | unclear | assume | assumes | assumed | assuming"
        " | assumption | suspect | suspected | hypothesis | in theory | theoretically | should we | shall we | may be"
        " | what about | how about | optionally | option | options | either | or maybe | idea | ideas | eventually"
        " | at some point | sometime | pending | awaiting | under discussion | under review | unconfirmed"
        " | not confirmed | not yet | expected | hopefully | worth",
        "可能 | 也许 | 或许 | 大概 | 似乎 | 好像 | 估计 | 应该是 | 考虑 | 考慮 | 建议 | 建議 | 提议 | 提議 | 提案 | 打算 | 计划"
        " | 計劃 | 拟 | 暂定 | 暫定 | 初步 | 待定 | 待确认 | 待確認 | 待决定 | 待讨论 | 未定 | 推荐 | 推薦 | 推测 | 推測 | 猜测"
        " | 假设 | 假設 | 不确定 | 不確定 | 尚未 | 还没 | 備選 | 备选 | 是否 | 要不要 | 未确认 | 未確認 | 草案",
        "かもしれない | かもしれません | 可能性 | おそらく | たぶん | 多分 | と思う | と思います | 思われ | 考えられ | 検討 | 案"
        " | 予定 | つもり | 推奨 | 仮に | 仮の | らしい | ようだ | ようです | みたい | はず | でしょう | だろう | 未確定 | 要確認"
        " | 確認待ち | 推測 | 推定 | 想定 | どうする | 候補 | できれば | たい",
        "อาจ | น่าจะ | คง | คาดว่า | พิจารณา | เสนอ | แนะนำ | บางที | ดูเหมือน | วางแผน | สันนิษฐาน | ยังไม่ | รอ | ร่าง | ถ้าเป็นไปได้"
        " | ไม่แน่ใจ | ทางเลือก | หรือไม่ | ไหม | ควรจะ",
    )
)


def modals(text: str) -> tuple[tuple[str, str], ...]:
    """Return the words of a text that tell how binding it is or limit it, each with its strength, in order.

    Words are folded; a longer one hides those inside it. Strengths: `must`, `should`, `may`, `would`, `need not`,
    `only`, `except`, `unless`, `at least`, `at most`, `more than`, `less than`, `exactly`, `about`, `before`, `after`,
    `until`, `if` and `all` (any word of quantity).
    """
    return tuple((word, _STRENGTH[word]) for word in map(_joined, _MODALS.findall(folded(text))))


def hedges(text: str) -> tuple[str, ...]:
    """Return the words of doubt, intention or suggestion in a text, folded and in order."""
    return tuple(map(_joined, _HEDGES.findall(folded(text))))


def _joined(word: str) -> str:
    return " ".join(word.split())
