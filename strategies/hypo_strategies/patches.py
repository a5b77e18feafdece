"""patches.compact.md: the closed Patches, one table row each; computed from patches/P*.md.

The open ones are not here: SessionStart loads them in full (views.md, patches). What a Patch file
looks like is in formats.md, section 5.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial

from hypo_strategies._patch_header import CHANGE, COMMIT, PATCH_ID, STATUS, TITLE, Header, key_of, read_header
from hypo_strategies.api import Finding, Language, Memory, Options, Sources, Strategy, View
from hypo_strategies.text.decode import drop_undecodable
from hypo_strategies.text.labels import label, markdown_header
from hypo_strategies.text.limits import MAX_LINES, clip, fits
from hypo_strategies.text.markdown import cell, parse, plain, row
from hypo_strategies.text.phrase import phrase
from hypo_strategies.text.unreadable import unreadable_note

PATTERN = "patches/P[0-9]*.md"

MAX_ROW = 600
"""Characters of a table row; the full text is in the Patch file."""

MAX_TITLE = 160
MAX_HASHES = 8
"""Commit hashes in a row: so many of full length leave room for the title and the change."""

MAX_BODY = 64 * 1024
"""Characters of a Patch file in which a section on the change is looked for."""

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
_SECTION = re.compile(r"^ {0,3}#{2,6}[ \t]+(\S.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Patch:
    """What a row shows of one Patch."""

    identifier: str
    title: str
    change: str
    hashes: tuple[str, ...]


def render(sources: Sources, options: Options, memory: Memory) -> View:
    """Return the table of closed Patches (views.md, patches).

    A Patch without a status in its header, or with statuses that contradict each other, is not
    closed. A file that cannot be read costs its own row; the view and a warning name it.
    """
    findings = [Finding(path, reason, severity="warning") for path, reason in sources.unreadable_matching(PATTERN)]
    patches = []
    for path, source in sources.matching(PATTERN):
        text, bad_lines = drop_undecodable(source)
        if bad_lines:
            problem = phrase("bytes that are not UTF-8; lines left out: {count}", count=len(bad_lines))
            findings.append(Finding(path, problem, bad_lines[0], severity="warning"))
        patch = memory.recall("patches", path, text, partial(closed_patch, path))
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
    header, body = read_header(text)
    statuses = [field.value for field in header.named(STATUS)]
    if not statuses or not all(map(_is_closed, statuses)):
        return None
    name = path.rpartition("/")[2].removesuffix(".md")
    identifier = (re.match(r"P[0-9]{1,20}", name) or [name[:20]])[0]
    hashes = list(dict.fromkeys(found for field in header.named(COMMIT) for found in _hashes(field.whole)))
    changes = (field.whole for field in header.named(CHANGE))
    return Patch(
        identifier,
        _title(header, identifier) or name.removeprefix(identifier).strip("-_ "),
        next((change for change in changes if not _is_placeholder(change)), "") or _change_in_body(body),
        tuple(hashes),
    )


def _is_closed(value: str) -> bool:
    text = _EDGES.sub("", plain(_COMMENT.sub("", value[:200])))
    match = _CLOSED.fullmatch(text)
    return match is not None and len(value) <= 200 and not _REOPENED.search(match["note"] or "")


def _is_placeholder(text: str) -> bool:
    return not text.strip() or (len(text) <= 80 and _PLACEHOLDER.fullmatch(text) is not None)


def _hashes(value: str) -> list[str]:
    return [] if _NO_COMMIT.match(value) else _HASH.findall(value)


def _title(header: Header, identifier: str) -> str:
    """Return the heading without the Patch's number; without a heading, the title that the metadata has."""
    match = PATCH_ID.match(header.heading)
    is_number = match is not None and match[1].lstrip("0") == identifier[1:].lstrip("0")
    title = header.heading[match.end() :] if match and is_number else header.heading
    return title.strip() or next((field.value for field in header.named(TITLE)), "")


def _change_in_body(body: str) -> str:
    """Return the first line of the section on the change, "" when there is none."""
    body = body[:MAX_BODY]
    if not any(key_of(match[1]) in CHANGE for match in _SECTION.finditer(body)):
        return ""
    for section in parse(body).sections:
        if section.level < 2 or key_of(section.title) not in CHANGE:
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
