"""What a report concludes: its result, its decision, its verdict, in its own words.

A report tells of many outcomes: of a RED run that failed as it should, of test files, of a review.
None of them is the report's (views.md, reports), so a label counts only where a report speaks of
itself: below its title, in its summary, its result, its decision, its evaluation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from hypo_strategies._report_headings import Kind
from hypo_strategies._report_outline import Field, Part, field, fields, statements
from hypo_strategies._report_scores import gives_score
from hypo_strategies._report_text import plain

_MATTERS = 40
"""Headings of single matters that are looked at."""

_OF_THE_REPORT: frozenset[Kind] = frozenset({"head", "result", "decision", "conclusion", "summary", "evaluation"})
_OF_A_MATTER: frozenset[Kind] = frozenset({*_OF_THE_REPORT, "other"})

_WHOSE = (
    r"(?:final |overall |current |milestone |cycle |prompt |execution |evaluation |acceptance |gate |audit "
    r"|最终|总体|整体|当前|里程碑|执行|评估|验收|审计|本轮|本次)?"
)
_RESULT = re.compile(_WHOSE + r"(?:results?|outcome|结果)")
_DECISION = re.compile(_WHOSE + r"(?:decision|决策|决定)")
_VERDICT = re.compile(_WHOSE + r"(?:verdict|conclusion|结论|总结|判定|判断)")
_STATUS = re.compile(_WHOSE + r"(?:status|状态|完成状态|完成情况)|overall|总体")
_BESIDE_RESULT: tuple[tuple[re.Pattern[str], Kind], ...] = ((_DECISION, "decision"), (_VERDICT, "conclusion"))

_PHASE_OUTCOME = re.compile(
    r"^\W*(?:red|green|refactor)\s*(?:phase|阶段|tests?\b|[:：])"
    r"|^(?:(?:(?!完成|complet|通过|pass)[^:：。]){0,80}[:：—–>-]\s*)?\W*\d{1,6}\s*/\s*\d{1,6}\s*(?:\w{1,20}\s+){0,3}(?:pass|test|通过|个测试)"
    r"|^\W*\d{1,6}\s+(?:tests?\s+)?pass"
    r"|^\W*\d{1,6}\s*/\s*\d{1,6}\s*(?:$|[-–—(（])"
    r"|失败符合预期|符合预期的?失败|预期内?的?失败|fail\w{0,3} as expected|expected(?:ly)? (?:to )?fail",
    re.IGNORECASE,
)
_METADATA = re.compile(
    r"prompt|cycle|feature|milestone|phase|阶段|(?:开始|结束|完成|更新|创建)?时间|started|finished|completed|updated|created"
    r"|dates?|日期|time|duration|耗时|executor|执行者|author|作者|branch|分支|commit|mode|模式|preset|预设|version|版本"
    r"|tooling|tests?|测试|regressions?|回归(?:问题)?|.*(?:score|code quality|评分)",
)
_BARE_VERDICT = re.compile(
    r"\W*(?:all )?(?:pass|fail|blocked|completed|全部通过|未?通过|失败)(?:ed)?\W*", re.IGNORECASE
)
_NUMBER = re.compile(r"\d+(?:\.\d+)?(?:\s*/\s*\d+)?$")
_NUMBER_ROW = re.compile(r".{1,80}? — [*`]{0,2}\d{1,6}(?:\.\d{1,4})?(?:\s*/\s*\d{1,6})?[*`]{0,2}")
"""A table's row of a name and a number, as it is told: a measure, whatever it measures."""

_WORD = re.compile(r"(?:pass|fail|ok|yes|no|done|complete|通过|失败|未|无|完成|✅|❌)\w{0,20}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Conclusion:
    """What was found: verbatim pieces, strongest first, and where they are from.

    `labelled` pieces begin with the report's own label (`Result: pass`).
    """

    pieces: tuple[str, ...] = ()
    origin: Literal["labelled", "conclusion", "summary"] = "labelled"


def conclusion(parts: tuple[Part, ...]) -> Conclusion:
    """Return what the report concludes, nothing when it does not say.

    What it says outright comes first: result or status, decision, verdict. Else its summary with the
    checks of its evaluation. What is said of one matter counts only while it is the only one.
    """
    whole = tuple(part for part in parts if not part.matter)
    told = _stated(whole, _OF_THE_REPORT) or _summarised(whole)
    if told is not None:
        return told
    matters = dict.fromkeys(part.matter for part in parts if part.matter)
    of_matters = [
        _stated(tuple(part for part in parts if part.matter == matter), _OF_A_MATTER)
        for matter in islice(matters, _MATTERS)
    ]
    found = [told for told in of_matters if told is not None]
    return found[0] if len(found) == 1 else Conclusion()


def _stated(parts: tuple[Part, ...], kinds: frozenset[Kind]) -> Conclusion | None:
    found = [each for part in parts if part.kind in kinds for each in _fields(part)]
    result = _first(found, _RESULT)
    labelled = result or _first(found, _STATUS)
    said = list(labelled)
    if not result or any(part.title == result[0] for part in parts):
        said += prose(parts, "result")
    for labels, kind in _BESIDE_RESULT:
        beside = _first(found, labels)
        labelled += beside
        said += beside
        said += [part.title for part in parts if part.kind == kind and _BARE_VERDICT.fullmatch(plain(part.title))]
        said += prose(parts, kind)
    if not said:
        return None
    return Conclusion(tuple(dict.fromkeys(said)), "labelled" if said[0] in labelled else "conclusion")


def _summarised(parts: tuple[Part, ...]) -> Conclusion | None:
    summary = tuple(prose(parts, "summary"))
    evaluated = [found for part in parts if part.kind == "evaluation" for found in _fields(part)]
    checks = tuple(found.text for found in evaluated if _WORD.match(found.value))
    if summary:
        return Conclusion((*summary[:1], *checks, *summary[1:]), "summary")
    return Conclusion(checks) if checks else None


def is_phase_outcome(text: str) -> bool:
    """Return whether a statement tells how a phase went: `17/17 focused tests passed`, a failure as expected."""
    return bool(_PHASE_OUTCOME.search(plain(text)))


def is_metadata(text: str) -> bool:
    """Return whether a statement is a value of which the conclusion says nothing (`Prompt：00 — …`)."""
    return any(_METADATA.fullmatch(found.key) for found in field(text))


def is_conclusion(text: str) -> bool:
    """Return whether a statement is a result, a decision, a verdict or a status behind its label."""
    labels = (_RESULT, _DECISION, _VERDICT, _STATUS)
    return any(label.fullmatch(found.key) for found in field(text) for label in labels)


def _fields(part: Part) -> Iterator[Field]:
    """Yield a part's labelled values, its heading's first (`## Verdict: accepted`), without a phase's outcome."""
    if part.kind != "head":
        yield from field(part.title)
    for found in fields(part):
        if not is_phase_outcome(found.value) and not _NUMBER.match(found.value):
            yield found


def _first(found: list[Field], labels: re.Pattern[str]) -> list[str]:
    """Return the text of the first field with such a label, if there is one."""
    return [each.text for each in found if labels.fullmatch(each.key)][:1]


def prose(parts: tuple[Part, ...], kind: Kind) -> Iterator[str]:
    """Yield the statements of the parts of one kind that are no phase's outcome, no metadata and no measure."""
    for part in parts:
        if part.kind == kind:
            yield from (text for text in statements(part) if _concludes(text))


def _concludes(text: str) -> bool:
    return not (is_phase_outcome(text) or is_metadata(text) or gives_score(text) or _NUMBER_ROW.fullmatch(text[:200]))
