"""The scores that a report gives, under their own names (views.md, reports).

A score is a number: `code_quality：pass` is a check. A number counts where it is the whole value of
a line that names a score, so prose about scores and counts of tests give none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from hypo_strategies._report_outline import Part, quoted
from hypo_strategies._report_text import normal, plain
from hypo_strategies.text.limits import clip
from hypo_strategies.text.markdown import Block

_NAMES = {
    "diff score": "diff_score",
    "diff 评分": "diff_score",
    "差异评分": "diff_score",
    "code quality": "code_quality",
    "code quality score": "code_quality",
    "quality score": "code_quality",
    "质量评分": "code_quality",
    "代码质量": "code_quality",
    "代码质量评分": "code_quality",
    "test coverage": "test_coverage",
    "测试覆盖": "test_coverage",
    "测试覆盖评分": "test_coverage",
    "complexity": "complexity",
    "复杂度": "complexity",
    "复杂度评分": "complexity",
    "architecture drift": "architecture_drift",
    "架构漂移": "architecture_drift",
    "架构漂移评分": "architecture_drift",
    "overall": "overall",
    "overall score": "overall",
    "总体": "overall",
    "总体评分": "overall",
    "综合评分": "overall",
    "总评": "overall",
}
"""A label, as `normal` leaves it, and the name of the score."""

_KNOWN = frozenset(_NAMES.values())

_DIGIT = re.compile("[0-9]")
_OVERALL = re.compile(
    r"(?:overall|final|total|总体|最终|整体|综合)\s*"
    r"(?=diff|code|quality|质量|代码|test|测试|complexity|复杂|architecture|架构|overall)"
)
_SCORE_WORD = re.compile(r".{0,40}(?:scores?|评分|得分)", re.IGNORECASE)
_SCORE_COLUMN = re.compile(r"(?:scores?|评分|得分|分数|分值)(?![a-z])", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![\d.])(\d{1,4}(?:\.\d{1,4})?)(?:\s*/\s*(\d{1,4}))?(?![\d.]*\d)")
_AFTER_NUMBER = re.compile(r"\s*(?:$|[^\w\s%/+~:=-]|[-–—]\s|分(?!钟)|points?\b|pts\b|out of \d)")
_COUNT = re.compile(r"\W*(?:\w{1,20}\s+){0,3}(?:pass|test|fail|通过|个|项)", re.IGNORECASE)
_PAIR = re.compile(
    r"\s*([A-Za-z_一-鿿][\w ]{0,40}?)\s*[:：=]?\s*(\d{1,4}(?:\.\d{1,4})?)(?:\s*/\s*\d{1,4})?(?![\w.%/])[\s,，;；、|·]*"
)
_LABEL = re.compile(r"([^:：=]{1,60})[:：=]\s*(.*)")
_ROW = re.compile(r"(.{1,60}?) — (.*)")
_YAML_LINE = re.compile(r"\s*[\"']?([\w-]{1,60})[\"']?\s*:\s*(.*?),?")


def scores(parts: tuple[Part, ...]) -> dict[str, str]:
    """Return the scores in the order in which they are given; where one is given twice, the evaluation's."""
    found: dict[str, str] = {}
    evaluated: dict[str, str] = {}
    for part in parts:
        for name, number in _scores(part):
            found.setdefault(name, number)
            if part.kind == "evaluation":
                evaluated.setdefault(name, number)
    return found | evaluated


def gives_score(line: str) -> bool:
    """Return whether a line says nothing but a score, also a table's row told as one (`代码质量 — 4`)."""
    row = _ROW.fullmatch(line[:300])
    return any(_of_line(line)) or (row is not None and any(_named(row[1], row[2])))


def _scores(part: Part) -> Iterator[tuple[str, str]]:
    for block in part.blocks:
        if block.kind == "list":
            for item in block.items:
                yield from _of_line(item.text)
        elif block.kind in ("paragraph", "quote"):
            for line in quoted(block):
                yield from _of_line(line)
        elif block.kind == "table":
            yield from _of_table(block)
        elif block.kind == "code" and part.kind == "evaluation":
            for line in block.lines:
                match = _YAML_LINE.fullmatch(line[:200])
                if match:
                    yield from _named(match[1], match[2])


def _of_line(line: str) -> Iterator[tuple[str, str]]:
    """Yield the scores of `- Diff Score：2/5`, `**Overall diff_score: 2/5**` or `diff_score=1 code_quality=4`."""
    if not _DIGIT.search(line):
        return
    text = plain(line[:1_000])
    match = _LABEL.fullmatch(text)
    pairs = list(_pairs(text)) or (list(_pairs(match[2])) if match else [])
    if pairs:
        yield from pairs
    elif match:
        yield from _named(match[1], match[2])


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    """Yield the scores of a line that holds nothing but scores with known names."""
    found: list[tuple[str, str]] = []
    position = 0
    while position < len(text):
        match = _PAIR.match(text, position)
        name = name_of(match[1]) if match else None
        if match is None or name is None or name not in _KNOWN:
            return
        found.append((name, _trimmed(match[2])))
        position = match.end()
    yield from found


def _named(label: str, value: str) -> Iterator[tuple[str, str]]:
    name = name_of(label)
    number = number_of(value)
    if name is not None and number is not None:
        yield name, number


def _of_table(table: Block) -> Iterator[tuple[str, str]]:
    """Yield the scores of a table: those in its Score column, else those of rows and columns with known names.

    A row of a Score column goes by its own name; only `质量评分` is `code_quality` everywhere.
    """
    header = [plain(cell) for cell in table.header]
    column = next((index for index, cell in enumerate(header) if index and _SCORE_COLUMN.match(cell)), None)
    if column is None and len(table.rows) == 1:
        for label, value in zip(header, table.rows[0].cells, strict=False):
            if name_of(label) in _KNOWN:
                yield from _named(label, value)
    for row in table.rows:
        cells = [plain(cell) for cell in row.cells]
        label = next((cell for cell in cells[: column or 1] if cell and number_of(cell) is None), "")
        number = number_of(cells[column or 1]) if len(cells) > (column or 1) else None
        name = name_of(label)
        if number is None or not label:
            continue
        if name is not None and name in _KNOWN and (column is None or label.isascii() or "质量评分" in label):
            yield name, number
        elif column is not None:
            yield clip(label, 60), number


def name_of(label: str) -> str | None:
    """Return the name of the score that a label names, None when it names none."""
    words = re.sub(r"\s*[(（][^()（）]{0,40}[)）]$", "", normal(label)).strip()
    words = _OVERALL.sub("", words).replace("-", " ")
    if words in _NAMES:
        return _NAMES[words]
    return plain(label).strip() if _SCORE_WORD.fullmatch(words) else None


def number_of(value: str) -> str | None:
    """Return the number that a value is (`2`, `2/5`, `**4**`, `4 — good`), None when it is a word or a count."""
    text = plain(value[:300])
    match = _NUMBER.match(text)
    if match is None:
        return None
    rest = text[match.end() :]
    fits = _AFTER_NUMBER.match(rest) or (match[2] is not None and not re.match(r"\s*[%/]", rest))
    return _trimmed(match[1]) if fits and not _COUNT.match(rest) else None


def _trimmed(number: str) -> str:
    """Return a number without a fraction of nothing: `2.0` is read as 2."""
    return re.sub(r"\.0+$", "", number)
