"""Small damages of wording in four languages: what to look for, and what takes its place."""

from __future__ import annotations

import re

Rule = tuple[re.Pattern[str], str]


def _rules(*pairs: tuple[str, str]) -> tuple[Rule, ...]:
    return tuple((re.compile(pattern), replacement) for pattern, replacement in pairs)


NEGATIONS = _rules(
    (r"\b[Mm]ust not\b", "must"),
    (r"\b[Dd]o not\b ?", ""),
    (r"\bdoes not\b", "does"),
    (r"\bcannot\b", "can"),
    (r"\b[Nn]ever\b", "always"),
    (r"\bnobody\b", "everybody"),
    (r"\b(is|are|was|has|may|will|should|could|would)(?: not|n't)\b", r"\1"),
    (r"\b([Dd]o|[Dd]id)n't\b", r"\1"),
    (r"\bwithout\b", "with"),
    (r"\b[Nn]o (?=[a-z])", "any "),
    (r"\bmust (?!not)", "must not "),
    (r"\bcan (?!not)", "cannot "),
    (r"\bis (?!not)", "is not "),
    (r"不得|不能|不可以|不要|请勿|切勿", "应当"),
    (r"禁止", "允许"),
    (r"必须(?!不)", "不必"),
    (r"没有|沒有", "有"),
    (r"尚未|未(?=[完决驗验确確])", "已"),
    (r"不(?=[会會是再接做发發包含])", ""),
    (r"できない", "できる"),
    (r"(?:して|送っ|保存して)はならない", "してよい"),
    (r"しない", "する"),
    (r"ません", "ます"),
    (r"らない", "る"),
    (r"できる", "できない"),
    (r"ต้องไม่", "ต้อง"),
    (r"ห้าม|อย่า", "ให้"),
    (r"ยังไม่", "แล้ว"),
    (r"(?<!ต้อง)(?<!ยัง)ไม่(?!เกิน)", ""),
    (r"ต้อง(?!ไม่|การ)", "ต้องไม่"),
)

MODALS = _rules(
    (r"\b[Mm]ust\b", "should"),
    (r"\b[Ss]hould\b", "may"),
    (r"\b[Nn]eeds?\b", "may have"),
    (r"必须|必須(?=使用)", "应该"),
    (r"なければならない", "たほうがよい"),
    (r"必ず", "なるべく"),
    (r"必須である", "望ましい"),
    (r"ต้อง", "ควร"),
)

LIMITS = _rules(
    (r"\bonly (?=\w)", ""),
    (r"\bOnly (?=\w)", ""),
    (r" only\b", ""),
    (r",? except\b[^.;|]*", ""),
    (r",? unless\b[^.;|]*", ""),
    (r"只有|仅|只(?=接受)", ""),
    (r"，除非[^。；|]*", ""),
    (r"のみ", "が"),
    (r"だけ", ""),
    (r"以外", ""),
    (r"เท่านั้น|เฉพาะ", ""),
    (r" ?เว้นแต่.*", ""),
)

COMPARATORS = _rules(
    (r"\b[Aa]t (?:most|least) ", ""),
    (r"\b(?:larger|smaller|less|more|older) than ", "of "),
    (r"\babove ", ""),
    (r"<= ?", ""),
    (r"\bwithin ", "after "),
    (r"\bafter (?=\d)", "before "),
    (r"最多", ""),
    (r"不超过|不超過", ""),
    (r"以内|以下|まで", ""),
    (r"最大", ""),
    (r"ไม่เกิน|ภายใน", ""),
)

UNITS = _rules(
    (r"(?<=\d) ?minutes?\b", " seconds"),
    (r"(?<=\d) ?seconds?\b", " minutes"),
    (r"(?<=\d) ?hours?\b", " days"),
    (r"(?<=\d) ?days?\b", " hours"),
    (r"(?<=\d)(?P<gap> ?)ms\b", r"\g<gap>s"),
    (r"(?<=\d)(?P<gap> ?)(?P<big>[MGK])i?B\b", r"\g<gap>\g<big>b"),
    (r"(?<=\d) ?分钟|(?<=\d) ?分鐘", " 秒"),
    (r"(?<=\d) ?秒", " 分"),
    (r"(?<=\d) ?分(?![钟鐘])", " 秒"),
    (r"(?<=\d) ?天", " 小时"),
    (r"(?<=\d) ?日(?=[残間])", " 時間"),
    (r"(?<=\d) ?นาที", " วินาที"),
    (r"(?<=\d) ?วินาที", " นาที"),
    (r"(?<=\d) ?วัน", " ชั่วโมง"),
    (r"(?<=\d) ?%", ""),
    (r"(?<=\d) (?:THB|บาท)", " USD"),
)

LABELS = _rules(
    (
        r"(?<![^\s|*])(?:\*\*)?(?:Observed|Verified|Measured|Inferred|Unproven|Research needed|Proposal|Agreed)[:：](?:\*\*)? ?",
        "",
    ),
    (r"(?<![^\s|])(?:实测|推断|已验证|已驗證|未验证|未驗證|观察|観察|推測|検証済み|未検証|実測|合意|提案)[:：] ?", ""),
    (r"(?<![^\s|])(?:สมมติฐาน|ข้อเสนอ): ", ""),
    (r"คาดว่า ", ""),
)

SOURCES = _rules(
    (r" ?[(（](?:user|tool output|与使用者|與使用者|用户|ユーザー|ツール出力|run of)[^()（）]*[)）]", ""),
    (r"\b(?:Subagent|Agent) reported: ", ""),
    (r"\bPer docs, ", ""),
    (r"\b[Tt]he docs page says ", ""),
    (r"; not confirmed by the user", ""),
    (r"(?:子代理报告|エージェントの報告)：", ""),
    (r"ตัวแทนรายงานว่า ", ""),
    (r"，尚未验证", ""),
    (r", explicit user answer\b", ""),
)

HEDGES = _rules(
    (r"\bWe could (?=\w)", "Then "),
    (r"\bConsider ", "Use "),
    (r"\bIt might be worth ", "Start "),
    (r"\bplan to ", ""),
    (r"\bprobably |\blikely |\bmay (?!not)", ""),
    (r"可以考虑", ""),
)

COPY = _rules(
    (r"“[^“”\n]{2,80}”", "“Another text”"),
    (r"「[^「」\n]{2,80}」", "「別の文面」"),
    (r"『[^『』\n]{2,80}』", "『別の文面』"),
)

IDENTIFIERS = _rules(
    (r" ?`[^`\n]+`", ""),
    (r"(?<![A-Za-z0-9`/-])[A-Z]{1,9}-\d{1,6}(?![A-Za-z0-9`])[:：]? ?", ""),
    (r" ?https?://[^\s)<>）`]+", ""),
    (r"(?<![\w`/.])(?:[\w.-]+/)+[\w-]+\.[a-z]{2,5}(?![\w`])", ""),
)

CASES = _rules((r"(?<=`)[a-z](?=[\w.-]{2,}[^`\n]*`)", "Q"), (r"(?<![\w`])[A-Z]{4,}(?=[_\s→])", "Xyz"))
YEARS = _rules((r"(?<!\d)20\d\d-(?=\d\d-\d\d)", ""), (r"(?<!\d)20\d\d年", ""))
