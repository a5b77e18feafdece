"""What the headings of a report announce, in the words of both languages."""

from __future__ import annotations

import re
from typing import Literal

from hypo_strategies._report_text import plain

Kind = Literal[
    "head",
    "result",
    "decision",
    "conclusion",
    "summary",
    "evaluation",
    "change",
    "deliverable",
    "phase",
    "aside",
    "other",
]

_TITLE_LENGTH = 200
"""Characters of a heading by which it is known."""

_TITLES: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    # what comes later is no result of this report, also where it speaks of decisions and changes
    (
        "aside",
        re.compile(
            r"\bnext\b|follow-?up|to-?do\b|\bfuture|下一|后续|待办|未来|计划|推荐|待(?:修|改)|propos|recommended|planned"
            r"|(?:变更|改动|修改|修复|改进|实现).{0,6}建议|建议.{0,4}(?:变更|改动|修改|修复|改进|实现)"
        ),
    ),
    (
        "change",
        re.compile(
            r"\bchange|变更|改动|变化|修改|修复|完成(?:内容|项|工作|事项)|已完成|(?:更新|新增|执行|落地)内容|实现(?:内容|摘要|概要|说明)"
            r"|(?:主要|核心)(?:实现|工作|内容)|(?:实施|工作)内容|^实现$|^implementation(?: summary| details| notes)?$"
            r"|implemented|what (?:was|we|has been) (?:done|did|built|delivered|added)|completed work"
            r"|work (?:done|completed|performed)|highlights|accomplish|\bfix(?:es|ed)\b"
            r"|^(?:主要|关键)?改进(?:内容|项|点|摘要)?$|^(?:key |main )?improvements?(?: applied| made)?$"
        ),
    ),
    (
        "phase",
        re.compile(
            r"\b(?:red|green|refactor)\b|\btest|测试|validat|验证|verif|核验|smoke|regress|回归|\bsteps?\b|步骤"
            r"|evidence|证据|\bcommands?\b|命令|\bci\b|\bbuild\b|\blint\b|代码审查|code review"
        ),
    ),
    (
        "decision",
        re.compile(
            r"^(?:final |overall |milestone |cycle |gate |acceptance |最终|总体|验收|结论(?:与|和|/| / )?)?"
            r"(?:decision|决策|决定)$"
        ),
    ),
    (
        "conclusion",
        re.compile(
            r"结论|总结|conclusion|verdict|判定|最终判断|final (?:judge?ment|assessment)|outcome"
            r"|^(?:all )?(?:pass(?:ed)?|fail(?:ed)?|blocked|completed)$|^(?:全部|未)?通过$|^失败$"
        ),
    ),
    (
        "result",
        re.compile(
            r"^(?:final |overall |execution |milestone |current |最终|执行|总体|整体|当前)?"
            r"(?:results?|status|结果|状态|完成情况|完成状态)$|^(?:overall|final|总体|整体)$"
        ),
    ),
    ("summary", re.compile(r"摘要|概要|概述|概览|小结|summary|overview|tl;?dr|abstract|synopsis")),
    ("deliverable", re.compile(r"deliver|产出|交付|产物|成果|\boutputs?\b|\bartifacts?\b|文件清单|\bfiles\b")),
    (
        "evaluation",
        re.compile(r"evaluat|评估|评分|(?<![a-z])scor|评价|打分|验收|acceptance|\bgrade|\bchecks?\b|检查|质量门"),
    ),
    (
        "aside",
        re.compile(
            r"review|审查|评审|复查|风险|\brisks?\b|\bissues?\b|问题|限制|limit|背景|background|context|\bscope\b|范围"
            r"|\bnotes?\b|备注|附录|appendix|参考|referenc|建议|recommend|设计|design"
        ),
    ),
)
_TELLS: frozenset[Kind] = frozenset({"result", "decision", "conclusion"})
_LABEL = re.compile(r"(?!(?:all )?(?:pass|fail|block|complet)|[全未]?部?通过|失败)([^:：]{1,40}?)\s*[:：]\s*\S")
"""The label of a heading that has a value; `Passed: the login` is a matter with its outcome."""

_NUMBERING = re.compile(r"^(?:\d{1,3}(?:\.\d{1,3})*[.)、]?\s+|\d{1,3}[.)、]|[一二三四五六七八九十]{1,3}[、.])\s*")


def kind_of(title: str) -> Kind:
    """Return what a heading announces."""
    words = _NUMBERING.sub("", plain(title[:_TITLE_LENGTH])).lower()
    words = re.sub(r"^[^\w]+|[^\w]+$", "", words)
    label = _LABEL.match(words)
    if label and (announced := _kind_of_words(label[1])) in _TELLS:
        return announced  # `Result: pass, 1 follow-up` is a result
    return _kind_of_words(words)


def _kind_of_words(words: str) -> Kind:
    return next((kind for kind, pattern in _TITLES if pattern.search(words)), "other")
