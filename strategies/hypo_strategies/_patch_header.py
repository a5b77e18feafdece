"""The header of a Patch file: its title, and the metadata that stand right after it (formats.md, section 5)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import islice

from hypo_strategies.text import yaml
from hypo_strategies.text.markdown import Block, Document, Section, parse, plain

MAX_HEADER = 32 * 1024
"""Characters of a Patch file in which its header is looked for."""

STATUS = ("状态", "当前状态", "status", "state", "current status", "patch status")
CHANGE = (
    *("改动", "变更", "修改", "修复内容", "改动内容", "变更内容", "改动摘要", "变更摘要", "修复方案", "修复"),
    *("change", "changes", "change summary", "fix", "summary", "摘要"),
)
COMMIT = ("commit", "commits", "commit hash", "commit id", "commit sha", "hash", "sha", "提交", "修复提交")
TITLE = ("title", "标题")
_KNOWN = (STATUS, CHANGE, COMMIT, TITLE)

_KEY_PARTS = re.compile(r"\s*[/()（）]\s*")
_FRONT_MATTER = re.compile(r"---[ \t]*\n(.*?\n)(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_HEADING = re.compile(r"^ {0,3}#{1,6}(?:[ \t]|$)", re.MULTILINE)
_RULE = re.compile(r"^[ \t]*-{3,}[ \t]*$", re.MULTILINE)
_FIELD = re.compile(r"(?:\[[ xX]\]\s*)?([^:：]{1,60})[:：](.*)", re.DOTALL)
PATCH_ID = re.compile(r"[*_`\[(【（]*(?:patch\s+|补丁\s*)?P([0-9]+)[*_`\])】）]*\s*(?:[:：]|[-—–]+)?\s*", re.IGNORECASE)


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
class Header:
    """The text of the heading that is the Patch's title ("" without one), and the metadata in file order."""

    heading: str
    fields: tuple[Field, ...]

    def named(self, names: tuple[str, ...]) -> list[Field]:
        """Return the fields with one of the names (`状态/Status` has two), in the order of the names."""
        return _named(self.fields, names)


def read_header(text: str) -> tuple[Header, str]:
    """Return the header of a Patch file, Markdown with or without YAML front matter, and the text after the latter."""
    front, body = _front_matter(text)
    document = parse(_head(body))
    heading = next((section.title for section in document.sections if _is_title(section)), "")
    return Header(heading, (*front, *_header_fields(document))), body


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
        return Field(key_of(key), "", tuple(item.value for item in value.items if isinstance(item, yaml.Scalar)))
    return Field(key_of(key), value.value if isinstance(value, yaml.Scalar) and not value.is_null else "")


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
    return section.level == 1 or (section.level > 1 and PATCH_ID.match(section.title) is not None)


def _block_fields(block: Block) -> list[Field]:
    if block.kind == "list":
        return _list_fields(block)
    if block.kind in ("paragraph", "quote"):
        fields = [field for line in block.lines if (field := _field(line.lstrip("> \t-")))]
        return fields if any(_named(fields, names) for names in _KNOWN) else []  # else it is prose
    if block.kind == "table" and len(block.header) == 2:
        rows = (block.header, *(line.cells for line in block.rows))
        return [Field(key_of(cells[0]), cells[1]) for cells in rows if len(cells) > 1]
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
    return Field(key_of(key), value.strip())


def key_of(text: str) -> str:
    """Return a key as it is compared: without marks, in lower case, its words parted by single blanks."""
    return " ".join(re.sub(r"[_-]+", " ", plain(text[:60])).casefold().split())


def _named(fields: Iterable[Field], names: tuple[str, ...]) -> list[Field]:
    return [field for name in names for field in fields if name in _KEY_PARTS.split(field.key)]
