"""patches.compact.md: the closed Patches, one table row each; computed from patches/P*.md.

The open ones are not here: SessionStart loads them in full (views.md, patches). What a Patch file
looks like is in formats.md, section 5.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import islice

from hypo_strategies.api import Finding, Language, Options, Sources, Strategy, View
from hypo_strategies.text import yaml
from hypo_strategies.text.decode import drop_undecodable
from hypo_strategies.text.labels import label, markdown_header
from hypo_strategies.text.limits import MAX_LINES, clip, fits
from hypo_strategies.text.markdown import Block, Document, Section, cell, parse, plain, row
from hypo_strategies.text.unreadable import unreadable_note

PATTERN = "patches/P[0-9]*.md"

MAX_ROW = 600
"""Characters of a table row; the full text is in the Patch file."""

MAX_TITLE = 160
MAX_HASHES = 8
"""Commit hashes in a row: so many of full length leave room for the title and the change."""

MAX_HEADER = 32 * 1024
"""Characters of a Patch file in which its header is looked for."""

MAX_BODY = 64 * 1024
"""Characters of a Patch file in which a section on the change is looked for."""

_STATUS = ("状态", "当前状态", "status", "state", "current status", "patch status")
_CHANGE = ("改动", "变更", "修改", "修复内容", "改动内容", "change", "changes", "change summary", "summary", "摘要")
_COMMIT = ("commit", "commits", "commit hash", "commit id", "commit sha", "hash", "sha", "提交", "修复提交")
_TITLE = ("title", "标题")
_KNOWN = (_STATUS, _CHANGE, _COMMIT, _TITLE)

_HASH = re.compile(r"(?<![\w.])[0-9a-f]{7,40}(?!\w)")
_NO_COMMIT = re.compile(r"\W*(?:skipped|skip|not committed|跳过|未提交)", re.IGNORECASE)
_CLOSED = re.compile(
    r"(?:closed|done|resolved|completed|已关闭|关闭|已完成|完成|已解决)"
    r"(?:\s*[(（](?P<note>[^()（）]*)[)）]|[^\w()（）]*(?:\d{4}[-/.年]|\d{1,2}[-月日:])[\d\s:年月日TZ+./-]*)?",
    re.IGNORECASE,
)
_REOPENED = re.compile(r"open|pending|reject|未|待|重新|拒", re.IGNORECASE)
_PLACEHOLDER = re.compile(
    r"[\W_]*(?:(?:待填写|待补充|待定).*|\{.*\}|tbd|todo|none|null|n/?a|无|暂无|pending)?[\W_]*", re.IGNORECASE
)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_EDGES = re.compile(r"^\W+|[^\w)）]+$")
_KEY_PARTS = re.compile(r"\s*[/()（）]\s*")
_FRONT_MATTER = re.compile(r"---[ \t]*\n(.*?\n)(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_HEADING = re.compile(r"^ {0,3}#{1,6}(?:[ \t]|$)", re.MULTILINE)
_SECTION = re.compile(r"^ {0,3}#{2,6}[ \t]+(\S.*)$", re.MULTILINE)
_RULE = re.compile(r"^[ \t]*-{3,}[ \t]*$", re.MULTILINE)
_FIELD = re.compile(r"(?:\[[ xX]\]\s*)?([^:：]{1,60})[:：](.*)", re.DOTALL)
_PATCH_ID = re.compile(
    r"[*_`\[(【（]*(?:patch\s+|补丁\s*)?P([0-9]+)[*_`\])】）]*\s*(?:[:：]|[-—–]+)?\s*", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Field:
    """One line of metadata: its key for comparing, its value, and what is nested below it."""

    key: str
    value: str
    nested: tuple[str, ...] = ()

    @property
    def whole(self) -> str:
        """The value with what is nested below it, on one line."""
        return "; ".join(text for text in (self.value, *self.nested) if text.strip())


@dataclass(frozen=True, slots=True)
class Patch:
    """What a row shows of one Patch."""

    identifier: str
    title: str
    change: str
    hashes: tuple[str, ...]


def render(sources: Sources, options: Options) -> View:
    """Return the table of closed Patches (views.md, patches).

    A Patch without a status in its header, or with statuses that contradict each other, is not
    closed. A file that cannot be read costs its own row; the view and a warning name it.
    """
    findings = [Finding(path, reason, severity="warning") for path, reason in sources.unreadable_matching(PATTERN)]
    patches = []
    for path, source in sources.matching(PATTERN):
        text, bad_lines = drop_undecodable(source)
        if bad_lines:
            message = f"bytes that are not UTF-8; lines left out: {len(bad_lines)}"
            findings.append(Finding(path, message, bad_lines[0], severity="warning"))
        patch = closed_patch(path, text)
        if patch is not None:
            patches.append(patch)
    return View(_page(patches, findings, sources.name("patches"), options.language), tuple(findings))


def closed_patch(path: str, text: str) -> Patch | None:
    """Return what is to be shown of a Patch file, None when its header does not say that it is closed.

    Args:
        path: of the file; its name gives the Patch's number.
        text: of the file, Markdown with or without YAML front matter.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n").lstrip("\n")
    front, body = _front_matter(text)
    header = parse(_head(body))
    fields = [*front, *_header_fields(header)]
    statuses = [field.value for field in _named(fields, _STATUS)]
    if not statuses or not all(map(_is_closed, statuses)):
        return None
    name = path.rpartition("/")[2].removesuffix(".md")
    identifier = (re.match(r"P[0-9]{1,20}", name) or [name[:20]])[0]
    hashes = list(dict.fromkeys(found for field in _named(fields, _COMMIT) for found in _hashes(field.whole)))
    changes = (field.whole for field in _named(fields, _CHANGE))
    return Patch(
        identifier,
        _title(header, fields, identifier) or name.removeprefix(identifier).strip("-_ "),
        next((change for change in changes if not _is_placeholder(change)), "") or _change_in_body(body),
        tuple(hashes),
    )


def _head(body: str) -> str:
    """Return the part of the file that can hold the title and the metadata: up to the second heading."""
    body = body[:MAX_HEADER]
    headings = [match.start() for match in islice(_HEADING.finditer(body), 2)]
    head = body[: headings[1]] if len(headings) == 2 else body
    return _RULE.sub("", head)  # a rule right below a line would make a heading of it


def _front_matter(text: str) -> tuple[list[Field], str]:
    """Return the fields of YAML front matter and the text after it; where it is not YAML, those of its lines."""
    front = _FRONT_MATTER.match(text[:MAX_HEADER])
    if not front:
        return [], text
    try:
        tree = yaml.parse(front[1])
    except yaml.YamlError:
        fields = [field for line in front[1].split("\n") if (field := _field(line))]
    else:
        fields = [_front_field(key, value) for key, value in tree.items()] if isinstance(tree, yaml.Mapping) else []
    return (fields, text[front.end() :]) if fields else ([], text)


def _front_field(key: str, value: yaml.Node) -> Field:
    if isinstance(value, yaml.Sequence):
        return Field(_key(key), "", tuple(item.value for item in value.items if isinstance(item, yaml.Scalar)))
    return Field(_key(key), value.value if isinstance(value, yaml.Scalar) and not value.is_null else "")


def _header_fields(header: Document) -> list[Field]:
    """Return the fields that stand right after the title, before anything that is not metadata.

    They are bullets, lines `key: value`, or a table of two columns. A status in the body or inside
    a code fence does not count.
    """
    fields: list[Field] = []
    for block in _blocks_after_title(header):
        found = _block_fields(block) if block.kind != "paragraph" or not fields else []
        if not found and block.kind != "html":
            break
        fields += found
    return fields


def _blocks_after_title(header: Document) -> list[Block]:
    untitled = [section for section in header.sections if not section.level]
    titled = [section for section in header.sections if _is_title(section)]
    return [block for section in (titled or untitled)[:1] for block in section.blocks]


def _is_title(section: Section) -> bool:
    return section.level == 1 or (section.level > 1 and _PATCH_ID.match(section.title) is not None)


def _block_fields(block: Block) -> list[Field]:
    if block.kind == "list":
        return _list_fields(block)
    if block.kind in ("paragraph", "quote"):
        fields = [field for line in block.lines if (field := _field(line.lstrip("> \t-")))]
        return fields if any(_named(fields, names) for names in _KNOWN) else []  # else it is prose
    if block.kind == "table" and len(block.header) == 2:
        rows = (block.header, *(line.cells for line in block.rows))
        return [Field(_key(cells[0]), cells[1]) for cells in rows if len(cells) > 1]
    return []


def _list_fields(block: Block) -> list[Field]:
    fields: list[Field] = []
    nested: list[str] = []
    for item in reversed(block.items):
        if item.depth:
            nested.append(item.text)
            continue
        field = _field(item.text)
        if field:
            fields.append(replace(field, nested=tuple(reversed(nested))))
        nested = []
    return fields[::-1]


def _field(text: str) -> Field | None:
    """Return the field of a line such as `**状态：** closed`, None when it is none."""
    match = _FIELD.match(text.strip())
    if not match:
        return None
    key, value = match[1].strip(), match[2].strip()
    for mark in ("**", "__", "*", "`", "_"):
        if key.startswith(mark) and not key.endswith(mark):  # the mark that opens here closes in the value
            value = value.removeprefix(mark) if value.startswith(mark) else value.removesuffix(mark)
            break
    return Field(_key(key), value.strip())


def _key(text: str) -> str:
    return " ".join(re.sub(r"[_-]+", " ", plain(text[:60])).casefold().split())


def _named(fields: Iterable[Field], names: tuple[str, ...]) -> list[Field]:
    """Return the fields with one of the names (`状态/Status` has two), in the order of the names."""
    return [field for name in names for field in fields if name in _KEY_PARTS.split(field.key)]


def _is_closed(value: str) -> bool:
    text = _EDGES.sub("", plain(_COMMENT.sub("", value[:200])))
    match = _CLOSED.fullmatch(text)
    return match is not None and len(value) <= 200 and not _REOPENED.search(match["note"] or "")


def _is_placeholder(text: str) -> bool:
    return not text.strip() or (len(text) <= 80 and _PLACEHOLDER.fullmatch(text) is not None)


def _hashes(value: str) -> list[str]:
    return [] if _NO_COMMIT.match(value) else _HASH.findall(value)


def _title(header: Document, fields: list[Field], identifier: str) -> str:
    """Return the heading without the Patch's number; without a heading, the title that the metadata has."""
    heading = next((section.title for section in header.sections if _is_title(section)), "")
    match = _PATCH_ID.match(heading)
    if match and match[1].lstrip("0") == identifier[1:].lstrip("0"):
        heading = heading[match.end() :]
    return heading.strip() or next((field.value for field in _named(fields, _TITLE)), "")


def _change_in_body(body: str) -> str:
    """Return the first line of the section on the change, "" when there is none."""
    body = body[:MAX_BODY]
    if not any(_key(match[1]) in _CHANGE for match in _SECTION.finditer(body)):
        return ""
    for section in parse(body).sections:
        if section.level < 2 or _key(section.title) not in _CHANGE:
            continue
        for block in section.blocks:
            text = block.items[0].text if block.items else " ".join(block.lines)
            if block.kind in ("list", "paragraph") and not _is_placeholder(text):
                return text
    return ""


def _page(patches: list[Patch], findings: list[Finding], folder: str, language: Language) -> str:
    """Return the view: as many of the newest rows as fit, and what it does not hold."""
    head = [
        markdown_header(f"{folder}/P*.md", language),
        f"# {label('patches', language)}",
        "",
        row(*(label(name, language) for name in ("patch", "title", "change", "commit"))),
        "| --- | --- | --- | --- |",
    ]
    tail = unreadable_note(findings, language)
    rows = [_row(patch, language) for patch in patches[-MAX_LINES:]]
    while True:
        notes = _notes(len(patches) - len(rows), sum(is_cut for _, is_cut in rows), f"{folder}/", language)
        lines = [*head, *(text for text, _ in rows), *notes, *tail]
        if fits(lines) or not rows:
            return "\n".join(lines) + "\n"
        rows = rows[1:]


def _notes(left_out: int, cut: int, source: str, language: Language) -> list[str]:
    """Return what the table does not hold: older Patches, and the ends of rows that are too long."""
    notes = [label("more_patches", language, count=left_out, source=source)] if left_out else []
    notes += [label("lines_cut", language, count=cut, source=source)] if cut else []
    return ["", *notes] if notes else []


def _row(patch: Patch, language: Language) -> tuple[str, bool]:
    """Return the row, and whether its title or change is cut.

    The last cell holds hashes alone, so what it has no room for is said in the one before.
    """
    title = clip(cell(patch.title), MAX_TITLE)
    hashes = ", ".join(patch.hashes[:MAX_HASHES])
    left_out = len(patch.hashes) - MAX_HASHES
    more = label("more_hashes", language, count=left_out, source=patch.identifier) if left_out > 0 else ""
    room = MAX_ROW - len(row(patch.identifier, title, more, hashes)) - 1
    change = clip(cell(patch.change), room)
    is_cut = title != cell(patch.title) or change != cell(patch.change)
    return row(patch.identifier, title, f"{change} {more}", hashes), is_cut


STRATEGY = Strategy(
    name="patches",
    target="patches.compact.md",
    reads=(PATTERN,),
    needs=(PATTERN,),
    options=("language", "redaction"),
    version=1,
    render=render,
)
