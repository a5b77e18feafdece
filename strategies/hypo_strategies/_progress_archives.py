"""The archived Cycles: one line each, from `summary.md`, else `cycle.yaml`, else the folder's name (formats.md 7)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from hypo_strategies._progress_milestones import Milestones, names_milestones
from hypo_strategies._progress_read import not_utf8
from hypo_strategies.api import Finding, Options, Redaction, Sources
from hypo_strategies.text import yaml
from hypo_strategies.text.decode import drop_undecodable
from hypo_strategies.text.labels import label
from hypo_strategies.text.limits import clip
from hypo_strategies.text.lines import one_line_each
from hypo_strategies.text.markdown import Block, Document, Section, parse, plain
from hypo_strategies.text.order import natural_key
from hypo_strategies.text.redact import redact_text, redact_tree
from hypo_strategies.text.salvage import sections

_NUMBER = re.compile(r"c(?:ycle)?[-_ ]?0*(\d{1,9})(?!\d)", re.IGNORECASE)
_NAME_KEYS = ("name", "名称", "cycle name", "cycle 名称", "title", "标题")
_STATUS_KEYS = ("status", "状态", "cycle status", "cycle 状态")
_SUMMARY_KEYS = ("summary", "摘要", "概要", "总结")
_VERDICT_KEYS = ("final decision", "最终结论", "最终决定", "最终决策", "final verdict", "结论", "conclusion")
_CYCLE_KEYS = ("number", "id", "name", "status", "summary")
_SUMMARY_TITLE = re.compile(
    r"[\W\d_]*(?:cycle[ -]?)?(?:summary|overview|摘要|总结|概要|概述|概览|结论|conclusion)\W*", re.IGNORECASE
)
_DETAILS_TITLE = re.compile(
    r"milestone|里程碑|验证|validation|关键|key |警告|warning|延期|deferred|lessons|教训|归档内容|files", re.IGNORECASE
)
_PURPOSE_TITLE = re.compile(
    r"[\W\d_]*(?:cycle |本轮|本期|项目)?"
    r"(?:目标|目的|背景|范围|动机|goals?|objectives?|purpose|background|context|scope|motivation)\W*",
    re.IGNORECASE,
)
"""The heading of what a Cycle was to do, which is not what it did."""

_TITLE_WORDS = re.compile(
    r"^\W*(?:cycle\W*c?\d+\b|c\d+\b)?[\s:：—–-]*"
    r"(?:(?:(?:cycle|archive|summary|report|归档|摘要|总结)\s*)+(?:[:：—–-]\s*|$))?",
    re.IGNORECASE,
)
_PAIR = re.compile(r"([^:：\n]{1,30})[:：](.*)")
_SENTENCE_END = re.compile(r"[。！？]|[.!?](?=\s+[A-Z0-9`\"'(\u4e00-\u9fff])")
_LONG_ENOUGH = 24
"""A shorter first sentence (`C3 完成。`) takes the next one with it."""


@dataclass(frozen=True, slots=True)
class Cycle:
    """One archived Cycle; texts that nothing says are ""."""

    folder: str
    number: int | None = None
    name: str = ""
    status: str = ""
    facts: tuple[str, ...] = ()

    @property
    def line(self) -> str:
        """The Cycle's line in the view; what lies in `archives/` without a status is archived."""
        first = self.folder if self.number is None else f"C{self.number}"
        parts = (first, self.name, self.status or "archived", *self.facts)
        return "- " + " · ".join(part for part in dict.fromkeys(parts) if part)


@dataclass(slots=True)
class _Facts:
    """What one file says of a Cycle."""

    number: int | None = None
    name: str = ""
    status: str = ""
    sentence: str = ""
    verdict: str = ""
    purpose: str = ""
    milestones: Milestones = field(default_factory=Milestones)


def archived_cycles(sources: Sources, options: Options) -> tuple[list[Cycle], list[Finding]]:
    """Return the archived Cycles in the order of their numbers, and what of their files was lost."""
    findings: list[Finding] = []
    files: dict[str, dict[str, str]] = {}
    for path, text in sources.matching("archives/*/**/*"):
        files.setdefault(path.split("/")[1], {})[path] = text
    for path, reason in sources.unreadable_matching("archives/*/**/*"):
        files.setdefault(path.split("/")[1], {})
        findings.append(Finding(path, reason, severity="warning"))
    cycles = [_cycle(folder, files[folder], options, findings) for folder in files]
    last = max((cycle.number or 0 for cycle in cycles), default=0) + 1
    cycles.sort(key=lambda cycle: (last if cycle.number is None else cycle.number, natural_key(cycle.folder)))
    return cycles, sorted(findings, key=lambda finding: natural_key(finding.path))


def _cycle(folder: str, files: dict[str, str], options: Options, findings: list[Finding]) -> Cycle:
    summary = _from_summary(f"archives/{folder}/summary.md", files, findings)
    recorded = _from_cycle_yaml(f"archives/{folder}/cycle.yaml", files, options.redaction, findings)
    shown = redact_text(_line(folder), options.redaction)
    number = _NUMBER.match(shown)
    slug = shown[number.end() :].lstrip(" _-") if number else shown
    return Cycle(
        folder=shown,
        number=int(number[1]) if number else recorded.number,
        name=summary.name or recorded.name or slug,
        status=summary.status or recorded.status,
        facts=_substance(summary, recorded, options),
    )


def _substance(summary: _Facts, recorded: _Facts, options: Options) -> tuple[str, ...]:
    """Return what the Cycle did: a sentence; a bare verdict (`pass.`) takes the sentence of cycle.yaml with it."""
    if summary.sentence:
        return (summary.sentence,)
    facts = [summary.verdict] if summary.verdict else []
    if not _is_sentence(summary.verdict) and recorded.sentence:
        facts.append(recorded.sentence)
    if not facts and summary.milestones.total:
        done, total = summary.milestones.done, summary.milestones.total
        facts.append(label("cycle_milestones", options.language, done=done, total=total))
    return tuple(facts) or tuple(filter(None, [summary.purpose]))


def _from_cycle_yaml(path: str, files: dict[str, str], redaction: Redaction, findings: list[Finding]) -> _Facts:
    """Return what cycle.yaml says, with or without its wrapper `cycle:`; of a broken one, the lines that parse."""
    text = files.get(path)
    if text is None:
        return _Facts()
    try:
        root = yaml.parse(text)
    except yaml.YamlError as error:
        findings.append(Finding(path, error.problem, error.line, error.column, "warning"))
        root = _salvaged(text)
    wrapped = root.get("cycle") if isinstance(root, yaml.Mapping) else None
    node = wrapped if isinstance(wrapped, yaml.Mapping) else root
    node = redact_tree(node, redaction) if node is not None else None
    if not isinstance(node, yaml.Mapping):
        return _Facts()
    number = re.search(r"\d{1,9}", node.text("number", "id") or "")
    return _Facts(
        number=int(number[0]) if number else None,
        name=_line(node.text("name", "title")),
        status=_line(node.text("status")),
        sentence=_sentence(_line(node.text("summary"))),
    )


def _salvaged(text: str) -> yaml.Mapping:
    """Return the scalars of a broken cycle.yaml whose own lines parse."""
    found = yaml.Mapping()
    for piece in (piece for indent in (2, 0) for piece in sections(text, indent=indent)):
        if piece.key in _CYCLE_KEYS:
            try:
                node = yaml.parse(piece.text)
            except yaml.YamlError:
                continue
            if isinstance(node, yaml.Mapping):
                found.pairs += [pair for pair in node.pairs if isinstance(pair[1], yaml.Scalar)]
    return found


def _from_summary(path: str, files: dict[str, str], findings: list[Finding]) -> _Facts:
    text = files.get(path)
    if text is None:
        return _Facts()
    text, bad = drop_undecodable(text)
    if bad:
        findings.append(not_utf8(path, bad))
    document = parse(text)
    said = _pairs(document)
    facts = _Facts(
        name=_first(said, _NAME_KEYS) or _name_in(document.title),
        status=plain(clip(_first(said, _STATUS_KEYS), 100)),
        sentence=_sentence(_prose(document) or _first(said, _SUMMARY_KEYS)),
        purpose=_sentence(_purpose(document)),
    )
    value, whole = next((said[key] for key in _VERDICT_KEYS if key in said), ("", ""))
    if plain(value[:100]).strip(" .。").casefold() != facts.status.casefold():
        facts.verdict = _sentence(value if _is_sentence(value) else whole)
    for block in document.blocks():
        if block.kind == "table" and names_milestones(block.header):
            for row in block.rows:
                if row.cells:
                    facts.milestones.add_row(row.raw, row.cells, block.header, [])
    return facts


def _pairs(document: Document) -> dict[str, tuple[str, str]]:
    """Return the `key: value` facts of a summary, the first of each key: its value, and the whole text.

    They stand in bullets, plain and quoted lines and table rows of two cells.
    """
    said: dict[str, tuple[str, str]] = {}
    for block in document.blocks():
        for key, value, whole in _pairs_of(block):
            if value.strip(" *"):
                said.setdefault(plain(key[:60]).casefold(), (value.strip(" *"), whole))
    return said


def _pairs_of(block: Block) -> Iterator[tuple[str, str, str]]:
    if block.kind == "table":
        for row in (block.header, *(row.cells for row in block.rows)):
            if len(row) == 2:
                yield row[0], row[1], row[1]
        return
    lines = [item.text for item in block.items if item.depth == 0]
    if block.kind == "paragraph":
        lines = block.lines
    elif block.kind == "quote":  # `> 状态：completed | Milestone：3/3`
        lines = [part for line in block.lines for part in line.lstrip("> \t").split(" | ")]
    for line in lines:
        if pair := _PAIR.match(line):
            yield pair[1], pair[2], line


def _prose(document: Document) -> str:
    """Return the paragraph that sums the Cycle up, "" when there is none.

    It stands under a heading of its own, else somewhere before the Milestones.
    """
    for section in document.sections:
        if section.level > 1 and _SUMMARY_TITLE.fullmatch(section.title[:100]):
            text = _first_text(section, with_items=True)
            if text:
                return text
    for section in document.sections:
        if section.level > 1 and _DETAILS_TITLE.search(section.title[:200]):
            break
        text = "" if _tells_purpose(section) else _first_text(section, with_items=False)
        if text:
            return text
    return ""


def _purpose(document: Document) -> str:
    """Return what the Cycle was for: better than nothing where no file says what it did."""
    texts = (_first_text(section, with_items=True) for section in document.sections if _tells_purpose(section))
    return next(filter(None, texts), "")


def _tells_purpose(section: Section) -> bool:
    return section.level > 1 and _PURPOSE_TITLE.fullmatch(section.title[:100]) is not None


def _first_text(section: Section, *, with_items: bool) -> str:
    for block in section.blocks:
        if block.kind == "paragraph" and (with_items or not _is_metadata(block.lines)):
            return _line(block.text)
        if block.kind == "list" and with_items and block.items:
            return block.items[0].text
    return ""


def _is_metadata(lines: list[str]) -> bool:
    """Return whether a paragraph is `key: value` lines; a sentence with a colon is none."""
    return all(map(_PAIR.match, lines)) and not (len(lines) == 1 and _is_sentence(lines[0]))


def _is_sentence(text: str) -> bool:
    return len(text) > _LONG_ENOUGH and text.rstrip().endswith(("。", "！", "？", ".", "!", "?"))


def _name_in(title: str) -> str:
    """Return the Cycle's name in a heading like `C3 归档摘要：name`, `C13 — name`, "" when it holds none."""
    name = _TITLE_WORDS.sub("", clip(title, 500), count=1).strip()
    return name if re.search(r"\w\w", name) else ""


def _sentence(text: str) -> str:
    """Return the first sentence of a text; a very short one with the next."""
    for end in _SENTENCE_END.finditer(text):
        if end.end() >= _LONG_ENOUGH:
            return text[: end.end()]
    return text


def _first(said: dict[str, tuple[str, str]], keys: tuple[str, ...]) -> str:
    return next((said[key][0] for key in keys if key in said), "")


def _line(text: str | None) -> str:
    return " ".join(one_line_each(text or "").split())
