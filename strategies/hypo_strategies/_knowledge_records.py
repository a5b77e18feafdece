"""Knowledge records and indexes read into items (formats.md, 6.1 and 6.2).

A record's items stand under a category's key (`decisions`, `config-notes`, `secret_refs`, the
singular too) in its details, in a part of them, or at the top of the record.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, tzinfo

from hypo_strategies.api import Redaction
from hypo_strategies.text import salvage, yaml
from hypo_strategies.text.phrase import phrase
from hypo_strategies.text.redact import redact_tree
from hypo_strategies.text.times import instant
from hypo_strategies.text.yaml import Mapping, Node, Scalar, Sequence, YamlError

CATEGORIES = ("decisions", "pitfalls", "dependencies", "config-notes", "secret-refs")
"""The categories that have a section, in the order of the sections; `references` has none."""

MAX_PARTS = 4
"""How deep a category's key may stand inside parts of the details."""

MAX_PROBLEMS = 50
"""Broken pieces of a file after which the rest of it is not tried."""

MAX_NAME = 200
"""Characters of a record's id by which index entries are ordered."""

_SINGULAR = {
    "decision": "decisions",
    "pitfall": "pitfalls",
    "dependency": "dependencies",
    "config-note": "config-notes",
    "secret-ref": "secret-refs",
}

_LABELS = {
    "decisions": ("title", "decision", "name"),
    "pitfalls": ("issue", "title", "pitfall", "name"),
    "dependencies": ("name", "title", "dependency"),
    "config-notes": ("key", "name", "title"),
    "secret-refs": ("provider", "name", "title", "env", "env_var", "key"),
}
_COMMON_LABELS = ("title", "name", "issue", "key", "text", "summary", "description", "note")

SUBSTANCE = {
    "decisions": (("rationale", "reason"),),
    "pitfalls": (("prevention", "mitigation"),),
    "dependencies": (("reason", "purpose"),),
    "config-notes": (("reason", "rationale"),),
    "secret-refs": (("env", "env_var", "name"), ("purpose", "reason"), ("redacted_value",)),
}
"""What an item says beside its name, in the order of views.md; of each group one field."""


@dataclass(frozen=True, slots=True)
class Item:
    """One item of a category; `part` names the parts of the details in which it stands, "" for none."""

    node: Node
    part: str = ""


@dataclass(slots=True)
class Record:
    """What a record (or an index entry) holds for the view.

    `name` is its file's or the id that the index gives it; `origin` what a bullet names as its source.
    """

    name: str
    origin: str
    created: datetime | None
    items: dict[str, list[Item]] = field(default_factory=dict)


def read_record(text: str, name: str, redaction: Redaction, zone: tzinfo) -> tuple[list[Record], list[YamlError]]:
    """Return the record in a file, a list of one, and what is wrong with the file.

    Where the file is not YAML, the record has what stands in those of its parts that are; with
    nothing the list is empty.

    Args:
        text: of the file.
        name: of the file without its suffix: the record's id where it has none.
        redaction: how secrets are hidden.
        zone: for a `created_at` without a zone.
    """
    tree, problems = _read(text)
    if tree is not None:
        tree = redact_tree(tree, redaction)
    if not isinstance(tree, Mapping) or not _is_record(tree):
        return [], problems or [YamlError(phrase("not a knowledge record"), 1, 1)]
    record = _record(tree, name, zone)
    for key, value in tree.items():
        _collect(record, key, value)
    details = tree.get("details")
    if isinstance(details, Mapping):
        _collect_parts(record, details, ())
    elif details is not None:
        _place_uncategorised(record, details, tree.get("categories"))
    return [record], problems


def read_index(text: str, name: str, redaction: Redaction, zone: tzinfo) -> tuple[list[Record], list[YamlError]]:
    """Return the entries of an index file as records of one category, and what is wrong with the file.

    Args:
        text: of the file.
        name: of the file without its suffix: the category where the file names none.
        redaction: how secrets are hidden.
        zone: for a `created_at` without a zone.
    """
    tree, problems = _read(text)
    if tree is not None:
        tree = redact_tree(tree, redaction)
    category = category_of((tree.text("category") if isinstance(tree, Mapping) else None) or name)
    entries = tree.get("entries") if isinstance(tree, Mapping) else tree
    records = []
    for entry in entries.items if isinstance(entries, Sequence) and category else []:
        if isinstance(entry, Mapping):
            record = _record(entry, (entry.text("record_id", "id") or "")[:MAX_NAME], zone)
            _collect(record, category, entry.get("items") or yaml.NULL)
            records.append(record)
    return records, problems


def category_of(name: str) -> str:
    """Return the category that a key or a name means (`config_notes`, `decision`), "" for none of ours."""
    name = _folded(name)
    name = _SINGULAR.get(name, name)
    return name if name in CATEGORIES else ""


def _folded(name: str) -> str:
    return re.sub(r"[_\s]+", "-", name.strip().casefold())


def labels_of(category: str) -> tuple[str, ...]:
    """Return the fields that can name an item of the category, by preference."""
    return _LABELS[category] + _COMMON_LABELS


def _read(text: str) -> tuple[Node | None, list[YamlError]]:
    """Return the tree of a file, or of those parts of it that are YAML, and what is wrong with the file."""
    try:
        return yaml.parse(text), []
    except YamlError as error:
        tree, problems = _salvaged(text)
        return tree, problems or [error]


def _salvaged(text: str) -> tuple[Mapping, list[YamlError]]:
    """Return what of a file is YAML by itself (top-level keys, else their keys and list items), and what is not."""
    problems: list[YamlError] = []
    tree = Mapping(_pairs(salvage.sections(text), 0, problems))
    duplicate = tree.duplicate()
    if duplicate is not None and duplicate.value in ("id", "details"):  # two records: whose is what?
        return Mapping(), problems
    return tree, problems


def _pairs(pieces: list[salvage.Piece], depth: int, problems: list[YamlError]) -> list[tuple[Node, Node]]:
    pairs: list[tuple[Node, Node]] = []
    for piece in pieces:
        if len(problems) >= MAX_PROBLEMS:
            break
        try:
            tree = yaml.parse(piece.text, line=piece.line)
        except YamlError as error:
            nested = _nested(piece, depth, problems)
            if nested is None:
                problems.append(error)
            else:
                pairs.append((yaml.string(piece.key), nested))
        else:
            pairs += tree.pairs if isinstance(tree, Mapping) else []
    return pairs


def _nested(piece: salvage.Piece, depth: int, problems: list[YamlError]) -> Node | None:
    """Return what can be read below the key with which the piece begins, None when nothing stands there."""
    body = piece.text.partition("\n")[2]
    first = next((line for line in body.split("\n") if line.strip() and not line.strip().startswith("#")), "")
    if first.lstrip().startswith("-"):
        return Sequence(_list_items(salvage.items(body, line=piece.line + 1), problems))
    indent = len(first) - len(first.lstrip(" "))
    if not indent or depth == MAX_PARTS:
        return None
    return Mapping(_pairs(salvage.sections(body, line=piece.line + 1, indent=indent), depth + 1, problems))


def _list_items(pieces: list[salvage.Piece], problems: list[YamlError]) -> list[Node]:
    items = []
    for piece in pieces:
        if len(problems) >= MAX_PROBLEMS:
            break
        try:
            item = yaml.parse(salvage.dedent_item(piece), line=piece.line)
        except YamlError as error:
            problems.append(error)
        else:
            items += [item] if item is not None else []
    return items


def _is_record(tree: Mapping) -> bool:
    return any(key in ("details", "categories") or category_of(key) for key, _ in tree.items())


def _record(tree: Mapping, name: str, zone: tzinfo) -> Record:
    created = tree.text("created_at", "created", "timestamp", "time", "date")
    origin = _origin(tree.get("source")) or tree.text("id", "record_id") or name
    return Record(name, origin, instant(created, zone) if created else None)


def _origin(source: Node | None) -> str:
    """Return the source's short fields (`C4/F001/M05`), "" when it has none: paths and prose say too little."""
    if isinstance(source, Scalar):
        return "" if source.is_null else source.value.strip()
    if not isinstance(source, Mapping):
        return ""
    fields = [(key, value.value) for key, value in source.items() if isinstance(value, Scalar) and not value.is_null]
    short = [(key, value) for key, value in fields if re.fullmatch(r"[^\s/]{1,40}", value)]
    return "/".join(f"{key} {value}" if value.isdigit() else value for key, value in short)


def _collect(record: Record, key: str, value: Node, parts: tuple[str, ...] = ()) -> bool:
    """Add the items below a category's key to the record; return whether the key is one."""
    category = category_of(key)
    if not category:
        return False
    single = _folded(key) in _SINGULAR
    items = record.items.setdefault(category, [])
    items += [Item(node, "/".join(parts)) for node in _items(value, category, single=single)]
    return True


def _items(value: Node, category: str, *, single: bool) -> Iterator[Node]:
    """Yield the items of a category's value: a list of them, one, or a mapping from names to them."""
    if isinstance(value, Sequence):
        yield from (item for item in value.items if not _is_empty(item))
    elif isinstance(value, Scalar) or single or _is_item(value, category):
        if not _is_empty(value):
            yield value
    else:
        for key, inner in value.pairs:
            yield _named_item(key, inner, category)


def _is_item(node: Mapping, category: str) -> bool:
    known = {*labels_of(category), *(name for group in SUBSTANCE[category] for name in group)}
    return any(key in known for key, _ in node.items())


def _named_item(key: Node, value: Node, category: str) -> Node:
    """Return the item that a mapping from names to items means by one pair (`retry.max: 3`)."""
    name = yaml.string(_LABELS[category][0])
    if isinstance(value, Mapping):
        return Mapping([(name, key), *value.pairs])
    what = "value" if category == "config-notes" else SUBSTANCE[category][-1][0]
    return Mapping([(name, key), (yaml.string(what), value)])


def _is_empty(node: Node) -> bool:
    if isinstance(node, Scalar):
        return node.is_null or not node.value.strip()
    if isinstance(node, Sequence):
        return not node.items
    return all(_is_empty(value) for _, value in node.pairs)


def _collect_parts(record: Record, node: Node, parts: tuple[str, ...]) -> None:
    """Add the items below every category's key inside the details."""
    if isinstance(node, Sequence):
        for item in node.items:
            if isinstance(item, Mapping):
                _collect_parts(record, item, parts)
    elif isinstance(node, Mapping):
        for key, value in _with_statement(node).items():
            if not _collect(record, key, value, parts) and len(parts) < MAX_PARTS:
                _collect_parts(record, value, (*parts, key))


def _with_statement(node: Mapping) -> Mapping:
    """Return the mapping; where it says `decision: text`, what stands beside it are the fields of that item."""
    statement = next((key for key, value in node.pairs if _is_statement(key, value)), None)
    if not isinstance(statement, Scalar):
        return node
    name = yaml.string(_LABELS[category_of(statement.value)][0])
    fields = [(key, value) for key, value in node.pairs if not _is_listed_elsewhere(key, value)]
    return Mapping(
        [(key, Mapping([(name, value), *fields]) if key is statement else value) for key, value in node.pairs]
    )


def _is_statement(key: Node, value: Node) -> bool:
    if not isinstance(key, Scalar) or not isinstance(value, Scalar):
        return False
    return _folded(key.value) in _SINGULAR and not _is_empty(value)


def _is_listed_elsewhere(key: Node, value: Node) -> bool:
    """Return whether a pair of the details is no field of an item: it holds items or references itself."""
    if isinstance(key, Scalar) and (category_of(key.value) or _folded(key.value) == "references"):
        return True
    if isinstance(value, Sequence):
        return any(_is_listed_elsewhere(yaml.NULL, item) for item in value.items)
    return isinstance(value, Mapping) and any(_is_listed_elsewhere(*pair) for pair in value.pairs)


def _place_uncategorised(record: Record, details: Node, categories: Node | None) -> None:
    """Add details that are a text or a list to the first of our categories that the record names.

    One that has no item of its own goes before one that has; without any, the details stay out.
    """
    nodes = categories.items if isinstance(categories, Sequence) else [categories]
    named = [category_of(node.value) for node in nodes if isinstance(node, Scalar)]
    ours = [category for category in named if category]
    category = next((name for name in ours if not record.items.get(name)), ours[0] if ours else "")
    if category:
        _collect(record, category, details)
