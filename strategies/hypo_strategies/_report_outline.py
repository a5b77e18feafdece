"""A report cut into parts of which one knows what they are about.

Reports follow no one template (formats.md, 4.2): the same fact stands under a heading, behind a
label, in a table or in prose, in Chinese or English. So a part is known by the words of its
heading, and a part below one that tells of a phase (a RED run, a validation) stays a phase.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, takewhile

from hypo_strategies._report_headings import Kind, kind_of
from hypo_strategies._report_text import LONGEST_STATEMENT, normal, one_line, plain, says_something
from hypo_strategies.text import markdown
from hypo_strategies.text.limits import ELLIPSIS
from hypo_strategies.text.markdown import Block, Item, Section

_LABEL_LENGTH = 60
"""Characters of a line that may be a heading or a label without being marked as one."""

_BELOW = 20
"""Nested items that are told together with the one above them."""

_FIELD = re.compile(r"(?P<key>[^:：=]{1,60}?)\s*(?:[:：=]|\s[-–—]\s)\s*(?P<value>.*)")
_BOLD_FIELD = re.compile(r"\*\*([^*:：]{1,60})[:：]\s*[^*\s][^*]*\*\*")
_BOLD = re.compile(r"\*\*[^*:：]+\*\*")
_GLUED = re.compile(r"(?<=\S)\n(?=\*\*[^*:：\n]{1,60}[:：][^*\n]*\*\*[ \t]*$)", re.MULTILINE)
"""Before a bold closing line that stands right below a list or a table, to which Markdown would add it."""

_WRAP = re.compile(r"(?<=[\u3000-\u9fff\uff00-\uffef])\n(?=[\u3000-\u9fff\uff00-\uffef])")
"""A line end between two Chinese characters, which is no blank."""


@dataclass(frozen=True, slots=True)
class Part:
    """The blocks below one heading, or below one bold line that serves as one; a list, a table or code ends them.

    `matter` is the heading of the one matter that the part tells of (`## Part 1`), "" when it tells
    of the whole: what a matter concludes is not the report's conclusion.
    """

    kind: Kind
    title: str
    blocks: tuple[Block, ...]
    matter: str = ""


@dataclass(frozen=True, slots=True)
class Field:
    """A label and its value: `- 结果：pass`, `Decision: **PASS**.`, a row of two cells, a heading with a colon.

    `key` is for comparing (lower case, no marks), `value` has no marks, `text` is verbatim.
    """

    key: str
    value: str
    text: str


def outline(text: str) -> tuple[Part, ...]:
    """Return the parts of a report in the order of the file; a report without headings is one part."""
    parts: list[Part] = []
    above: list[tuple[int, Kind, str]] = []
    untitled = True
    for section in markdown.parse(_GLUED.sub("\n\n", text)).sections:
        above = [heading for heading in above if heading[0] < section.level]
        parent, matter = above[-1][1:] if above else ("other", "")
        kind = _kind_below(parent, section.title)
        if untitled and (section.level <= 1 or kind == "other"):
            kind = "head"
        else:
            matter = matter or (section.title if kind == "other" else "")
            above.append((section.level, kind, matter))
        untitled = untitled and section.level == 0
        cuts = _split(section, kind)
        parts.extend(Part(own, title, tuple(blocks), matter) for own, title, blocks in cuts if title or blocks)
    return tuple(parts)


def fields(part: Part) -> Iterator[Field]:
    """Yield the labelled values of a part; those nested below a phase's list item are not among them."""
    for block in part.blocks:
        if block.kind == "list":
            for text in _item_lines(block.items):
                yield from field(text)
        elif block.kind in ("paragraph", "quote"):
            for line in label_lines(block):
                yield from field(line)
        elif block.kind == "table":
            for row in block.rows:
                if len(row.cells) >= 2:
                    yield from field(f"{_closed(row.cells[0])}: {row.cells[1]}")


def field(line: str) -> Iterator[Field]:
    """Yield the field that a line is, if it is one with a value."""
    match = _FIELD.fullmatch(plain(line))
    if match and says_something(match["value"]):
        yield Field(normal(match["key"]), match["value"].strip(), one_line(line))


def statements(part: Part) -> Iterator[str]:
    """Yield what a part says, one line each: paragraphs, list items, table rows, lines of code; no bare labels."""
    pending = ""
    for block, following in pairwise([*part.blocks, None]):
        if block is None:
            return
        said = [text for text in _said(block) if says_something(text)]
        if block.kind in ("paragraph", "quote") and said and _opens(said[-1]):
            if following is not None and following.kind in ("list", "table", "code"):
                yield from said[:-1]
                pending = said[-1]
                continue
            said[-1] = _closed(said[-1])
        if pending:
            yield one_line(f"{pending} {', '.join(said)}") if said else _closed(pending)
        else:
            yield from said


def quoted(block: Block) -> list[str]:
    """Return the lines of a paragraph or of a block quote, without the quote's marks."""
    return [line.lstrip("> \t") for line in block.lines]


def label_lines(block: Block) -> Iterator[str]:
    """Yield the lines of a paragraph or quote; one that ends in a colon goes on in the next."""
    label = ""
    for line in quoted(block):
        if _opens(line) and len(line) <= _LABEL_LENGTH and not label:
            label = f"{line} "
            continue
        yield label + line
        label = ""


def _kind_below(parent: Kind, title: str) -> Kind:
    own = kind_of(title)
    if parent in ("phase", "aside"):
        return parent
    return own if own != "other" else parent


def _split(section: Section, kind: Kind) -> list[tuple[Kind, str, list[Block]]]:
    """Cut a section at the paragraphs that serve as headings (`**Improvements applied**:`, `RED：`).

    What such a line announces ends with the first list, table or code below it. Bold closing lines
    are a part of their own.
    """
    cuts: list[tuple[Kind, str, list[Block]]] = [(kind, section.title, [])]
    for block in section.blocks:
        label = _label(block)
        announced = kind_of(label)
        if _closes(block):
            cuts += [("evaluation", "", [block]), (kind, "", [])]
        elif announced in ("phase", "change") or (announced != "other" and block.text.startswith("**")):
            cuts.append((_kind_below(kind, label), label, []))
        else:
            cuts[-1][2].append(block)
            if block.kind in ("list", "table", "code"):
                cuts.append((kind, "", []))
    return cuts


def _closes(block: Block) -> bool:
    """Return whether a paragraph is bold lines that give a score or a decision (`**Decision: continue**`).

    Templates close a report with them, whatever its last heading tells of.
    """
    labels = [_BOLD_FIELD.fullmatch(line) for line in quoted(block)] if block.kind == "paragraph" else []
    return all(labels) and any(kind_of(label[1]) in ("decision", "evaluation") for label in labels if label)


def _label(block: Block) -> str:
    """Return the text of a paragraph that is one short bold line, or one that ends in a colon; else ""."""
    text = block.text
    if block.kind != "paragraph" or "\n" in text or len(text) > _LABEL_LENGTH:
        return ""
    return _closed(plain(text)) if _opens(text) or _BOLD.fullmatch(text) else ""


def _opens(text: str) -> bool:
    """Return whether a text ends in a colon and so belongs to what follows."""
    return plain(text).endswith((":", "："))


def _closed(text: str) -> str:
    """Return a text without a colon at its end."""
    return text.rstrip(":： ")


def _said(block: Block) -> list[str]:
    if block.kind == "paragraph":
        lines = quoted(block)
        separate = all(_FIELD.fullmatch(plain(line)) for line in lines)
        return [one_line(line) for line in lines] if separate else [_joined(lines)]
    if block.kind == "quote":
        return [one_line(line) for line in quoted(block)]
    if block.kind == "list":
        return list(_item_statements(block.items))
    if block.kind == "table":
        return [one_line(" — ".join(cell for cell in row.cells if cell)) for row in block.rows]
    if block.kind == "code":
        return [one_line(line) for line in block.lines if not line.startswith(("```", "~~~"))]
    return []


def _joined(lines: list[str]) -> str:
    """Return wrapped prose as one line."""
    return one_line(_WRAP.sub("", "\n".join(lines)[: 4 * LONGEST_STATEMENT]))


def _item_statements(items: tuple[Item, ...]) -> Iterator[str]:
    """Yield the items at the top; what stands below one that ends in a colon belongs to it."""
    for position, item in enumerate(items):
        if item.depth == 0:
            yield _with_below(items, position)


def _item_lines(items: tuple[Item, ...]) -> Iterator[str]:
    """Yield every item but those below one that tells of a phase."""
    phase_depth: int | None = None
    for position, item in enumerate(items):
        if phase_depth is not None and item.depth > phase_depth:
            continue
        label = re.split("[:：]", item.text[:_LABEL_LENGTH])[0]
        phase_depth = item.depth if kind_of(label) == "phase" else None
        yield _with_below(items, position)


def _with_below(items: tuple[Item, ...], position: int) -> str:
    """Return an item's text, with those right below it where it ends in a colon."""
    item = items[position]
    text = one_line(item.text)
    if not _opens(text):
        return text
    nested = takewhile(lambda other: other.depth > item.depth, items[position + 1 : position + 2 + _BELOW])
    below = [other.text[:LONGEST_STATEMENT].rstrip(";；,， ") for other in nested]
    if len(below) > _BELOW:
        below[-1] = ELLIPSIS
    return one_line(f"{text} {', '.join(below)}") if below else _closed(text)
