"""YAML read as a tree that remembers how the source spelled each scalar.

A view must spell scalars as its source does: loading and dumping would turn the commit hash
`7e12345` into infinity and `0123456` into another number. So nothing is ever resolved here; a
plain scalar is its characters. The parser is libyaml through ruamel.yaml's C binding; where no
such wheel exists, and for the few texts that it refuses, ruamel.yaml's own parser gives the same
events, only slower.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal, NamedTuple, TypeAlias, cast

from hypo_strategies.text.phrase import Phrase, phrase

MAX_DEPTH = 60
"""Collections inside each other; real files have fewer than ten."""

MAX_ALIASED = 100_000
"""Nodes that aliases may add to a document: the bound against exponential growth."""

MAX_IMPLICIT_KEY = 1_000
"""Characters of a key before its colon; YAML allows 1,024, a longer key needs a `?` before it."""

Style = Literal["plain", "single", "double", "literal", "folded"]

_STYLES: dict[str | None, Style] = {
    None: "plain",
    "": "plain",
    "'": "single",
    '"': "double",
    "|": "literal",
    ">": "folded",
}
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_NUMBER = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?")
_PROPERTIES = re.compile(r"\A(?:[&!]\S*\s+)+")
_STRING_TAG = "tag:yaml.org,2002:str"
_SURROGATE = re.compile("[\ud800-\udfff]")
_NOT_YAML = re.compile("[^\t\n\r -~\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NOT_FOR_LIBYAML = re.compile("[\x85\u2028\u2029]|\\\\u[dD][89abAB]")
_QUOTED = re.compile(r"(?:(?<=character)|(?<=handle)) (?:'[^']*'|\"'\")|,? but (?:found|got) .*", re.DOTALL)
_LIBYAML_ONLY = frozenset({"found unexpected ':'", "did not find expected node content"})
_UNSAFE_PLAIN_IN_FLOW = re.compile(r"[,\[\]{}?\t]|^:|^---|^[.]{3}|:$")
_BREAK = re.compile("[\n\r\x85\u2028\u2029]")
_UNSAFE_IN_DOUBLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


class YamlError(ValueError):
    """The text is not YAML that can be read; `line` and `column` count from 1."""

    def __init__(self, problem: Phrase, line: int, column: int) -> None:
        super().__init__(f"line {line}, column {column}: {problem}")
        self.problem = problem
        self.line = line
        self.column = column


class NotPlainError(Exception):
    """A text cannot be read in the short way, and must be in the long one; nothing is wrong with it for that."""


class EventKinds(NamedTuple):
    """The classes of the parser's events that tell where a document and what is in it begins and ends."""

    document_start: type[Any]
    document_end: type[Any]
    stream_end: type[Any]
    mapping_start: type[Any]
    mapping_end: type[Any]
    sequence_start: type[Any]
    sequence_end: type[Any]
    scalar: type[Any]


@dataclass(slots=True)
class Scalar:
    """A scalar: its value as a string, and how the source wrote it.

    `source` is the scalar exactly as it stands in the source (with its quotes) where that is one
    line, else None. A missing value (`key:`) is a plain scalar with the value "".
    """

    value: str
    style: Style = "double"
    source: str | None = None
    line: int = 0
    size: int = 1

    @property
    def is_null(self) -> bool:
        """Whether a YAML reader takes this for null."""
        return self.style == "plain" and self.value in _NULLS

    @property
    def number(self) -> str | None:
        """The characters of a plain decimal number (`4`, `3.5`), None for anything else."""
        return self.value if self.style == "plain" and _NUMBER.fullmatch(self.value) else None


@dataclass(slots=True)
class Sequence:
    """A list; `line` is where it starts (from 1)."""

    items: list[Node] = field(default_factory=list)
    line: int = 0
    size: int = 1


@dataclass(slots=True)
class Mapping:
    """A mapping in the order of the source; a key that stands twice is kept twice."""

    pairs: list[tuple[Node, Node]] = field(default_factory=list)
    line: int = 0
    size: int = 1

    def get(self, *keys: str) -> Node | None:
        """Return the value of the first of `keys` that is there, None when none is."""
        for key in keys:
            for name, value in self.pairs:
                if isinstance(name, Scalar) and name.value == key:
                    return value
        return None

    def text(self, *keys: str) -> str | None:
        """Return the first value among `keys` that is a scalar, not null and not blank, stripped."""
        for key in keys:
            value = self.get(key)
            if isinstance(value, Scalar) and not value.is_null and value.value.strip():
                return value.value.strip()
        return None

    def items(self) -> Iterator[tuple[str, Node]]:
        """Yield (key, value) of the pairs whose key is a scalar."""
        for name, value in self.pairs:
            if isinstance(name, Scalar):
                yield name.value, value

    def duplicate(self) -> Scalar | None:
        """Return the first key that stands a second time, which YAML forbids."""
        seen: set[str] = set()
        for name, _ in self.pairs:
            if isinstance(name, Scalar):
                if name.value in seen:
                    return name
                seen.add(name.value)
        return None


Node: TypeAlias = "Scalar | Sequence | Mapping"


def parse(text: str, *, line: int = 1) -> Node | None:
    """Return the tree of the one document in `text`, None when it is empty.

    Args:
        text: the whole document. Anchors, aliases and merge keys are followed.
        line: the number of the text's first line in its file, for error places.

    Raises:
        YamlError: not YAML, more than one document, nested too deep, or an alias that grows
            without bound.
    """
    bad = _NOT_YAML.search(text)
    if bad:
        is_byte = _SURROGATE.match(bad[0])
        problem = phrase("bytes that are not UTF-8") if is_byte else phrase("a control character")
        at = bad.start()
        raise YamlError(problem, line + text.count("\n", 0, at), at - text.rfind("\n", 0, at))
    try:
        return _read(text, line)
    except YamlError as error:
        raise YamlError(error.problem, error.line, error.column) from None
    except RecursionError:
        raise YamlError(phrase("nested too deep"), line, 1) from None


def events(data: bytes) -> Callable[[], Any]:
    """Return what gives the next event of a text each time it is called, and raises whatever the parser does.

    Anything that the two parsers see differently is for `parse`.

    Raises:
        NotPlainError: it is not UTF-8.
    """
    libyaml = _c_parser()
    if libyaml is not None:
        return cast("Callable[[], Any]", libyaml(data).get_event)
    try:
        return cast("Callable[[], Any]", _pure_parser(data.decode()).get_event)
    except UnicodeDecodeError:
        raise NotPlainError from None


@cache
def event_kinds() -> EventKinds:
    """Return the classes of the events that `events` gives."""
    from ruamel.yaml import events as kinds  # noqa: PLC0415 - slow to import; not needed where nothing is read

    return EventKinds(
        kinds.DocumentStartEvent,
        kinds.DocumentEndEvent,
        kinds.StreamEndEvent,
        kinds.MappingStartEvent,
        kinds.MappingEndEvent,
        kinds.SequenceStartEvent,
        kinds.SequenceEndEvent,
        kinds.ScalarEvent,
    )


def holds(event: Any) -> bool:
    """Return whether a scalar event has a value: it is neither null nor blank, as `Scalar.is_null` says."""
    value = event.value
    is_plain = not event.style and event.tag != _STRING_TAG
    return not (is_plain and value in _NULLS) and bool(value.strip())


def _read(text: str, line: int) -> Node | None:
    """Return the tree as libyaml reads it, where there is one that can; else as ruamel.yaml's own parser does.

    libyaml reads YAML 1.1: it takes U+0085, U+2028 and U+2029 for line breaks, refuses the escaped
    surrogate pairs of JSON, and in flow style also `[http://host]` and `{at: 12:30}`.
    """
    libyaml = _c_parser()
    if libyaml is not None and not _NOT_FOR_LIBYAML.search(text):
        try:
            return _Builder(text, line, libyaml).document()
        except _LibyamlOnlyError:
            pass
    return _Builder(text, line, _pure_parser).document()


def _pure_parser(text: str) -> Any:
    from ruamel.yaml import YAML  # noqa: PLC0415 - slow to import; not needed where libyaml is
    from ruamel.yaml.compat import StringIO  # noqa: PLC0415
    from ruamel.yaml.docinfo import DocInfo  # noqa: PLC0415

    yaml = YAML(typ="safe", pure=True)
    yaml.doc_infos.append(DocInfo())  # as its own load() does; a `%YAML` line is noted there
    return yaml.get_constructor_parser(StringIO(text))[1]


@cache
def _c_parser() -> Any:
    try:
        from _ruamel_yaml import CParser  # noqa: PLC0415 - ruamel.yaml.clib may have no wheel here
    except ImportError:
        return None
    return CParser


class _LibyamlOnlyError(YamlError):
    """What only YAML 1.1 forbids: a colon or a question mark inside a plain scalar in flow style."""


class _Builder:
    """Turns the parser's events into nodes."""

    def __init__(self, text: str, line: int, parser: Callable[[str], Any]) -> None:
        self.text = text
        self.offset = line
        self.max_size = len(text) + MAX_ALIASED
        self.anchors: dict[str, Node | None] = {}
        self.heights: dict[str, int] = {}
        self.deepest = 0
        self.event: Any = None
        try:
            self.parser = parser(text)
        except Exception as error:  # noqa: BLE001 - the two parsers' errors share no class
            raise self._unreadable(error) from None

    def document(self) -> Node | None:
        self._next("StreamStartEvent")
        if self._advance() == "StreamEndEvent":
            return None
        self._advance()
        root = self._node(0)
        self._next("DocumentEndEvent")
        if self._advance() != "StreamEndEvent":
            raise self._error(phrase("a second YAML document"))
        return root

    def _advance(self) -> str:
        try:
            self.event = self.parser.get_event()
        except Exception as error:  # noqa: BLE001 - the two parsers' errors share no class
            raise self._unreadable(error) from None
        return type(self.event).__name__

    def _unreadable(self, error: Exception) -> YamlError:
        """Return what a parser complained of; the errors of the two share no class of their own."""
        mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
        problem = str(getattr(error, "problem", None) or type(error).__name__)
        problem = _QUOTED.sub("", problem)  # never content of the source
        if mark is None:
            return YamlError(Phrase(problem), self.offset, 1)
        kind = YamlError
        at = self.text[mark.index : mark.index + 1]
        if at == "?" or (at == ":" and problem in _LIBYAML_ONLY):
            kind = _LibyamlOnlyError
        return kind(Phrase(problem), mark.line + self.offset, mark.column + 1)

    def _next(self, kind: str) -> None:
        if self._advance() != kind:
            raise self._error(phrase("unexpected structure"))

    def _error(self, problem: Phrase) -> YamlError:
        mark = self.event.start_mark
        return YamlError(problem, mark.line + self.offset, mark.column + 1)

    def _node(self, depth: int) -> Node:
        kind = type(self.event).__name__
        if depth > MAX_DEPTH:
            raise self._error(phrase("nested too deep"))
        if kind == "AliasEvent":
            return self._alias(depth)
        outer, self.deepest = self.deepest, depth
        anchor = self.event.anchor
        if anchor:
            self.anchors[anchor] = None
        if kind == "ScalarEvent":
            node: Node = self._scalar()
        elif kind == "SequenceStartEvent":
            node = self._sequence(depth)
        else:
            node = self._mapping(depth)
        if node.size > self.max_size:
            raise self._error(phrase("aliases that expand without bound"))
        if anchor:
            self.anchors[anchor] = node
            self.heights[anchor] = self.deepest - depth
        self.deepest = max(outer, self.deepest)
        return node

    def _alias(self, depth: int) -> Node:
        node = self.anchors.get(self.event.anchor)
        if node is None:
            raise self._error(phrase("an alias to nothing"))
        reached = depth + self.heights[self.event.anchor]
        if reached > MAX_DEPTH:  # a chain of aliases is as deep as what each of them stands for
            raise self._error(phrase("nested too deep"))
        self.deepest = max(self.deepest, reached)
        return node

    def _scalar(self) -> Scalar:
        event = self.event
        style = _STYLES.get(event.style, "double")
        value = _paired(event.value)
        source: str | None = None
        if style == "plain" and event.tag == _STRING_TAG:
            style = "double"  # `!!str 12` is a string; without its tag only quotes say so
        elif style == "plain":
            source = None if _BREAK.search(value) else value
        elif style in ("single", "double"):
            raw = _PROPERTIES.sub("", self.text[event.start_mark.index : event.end_mark.index], count=1)
            source = raw if not _BREAK.search(raw) and raw.startswith(("'", '"')) else None
        return Scalar(value, style, source, event.start_mark.line + self.offset)

    def _sequence(self, depth: int) -> Sequence:
        node = Sequence(line=self.event.start_mark.line + self.offset)
        while self._advance() != "SequenceEndEvent":
            item = self._node(depth + 1)
            node.items.append(item)
            node.size += item.size
        return node

    def _mapping(self, depth: int) -> Mapping:
        node = Mapping(line=self.event.start_mark.line + self.offset)
        merged: list[Node] = []
        while self._advance() != "MappingEndEvent":
            key = self._node(depth + 1)
            self._advance()
            value = self._node(depth + 1)
            if isinstance(key, Scalar) and key.style == "plain" and key.value == "<<":
                merged.append(value)
                continue
            node.pairs.append((key, value))
            node.size += key.size + value.size
        return _with_merged(node, merged) if merged else node


def _with_merged(node: Mapping, merged: list[Node]) -> Mapping:
    """Return the mapping with the pairs of its merge keys (`<<: *base`), ordered as PyYAML and ruamel.yaml do.

    The merged pairs stand first; what the mapping has itself replaces them where they stand.
    """
    parts = [part for source in merged for part in (source.items if isinstance(source, Sequence) else [source])]
    pairs: list[tuple[Node, Node]] = []
    place: dict[str, int] = {}
    for part in [*reversed(parts), node]:
        if not isinstance(part, Mapping):
            raise YamlError(phrase("a merge key without a mapping"), part.line, 1)
        new: dict[str, int] = {}
        for key, value in part.pairs:
            name = key.value if isinstance(key, Scalar) else None
            if name in place and name not in new:
                pairs[place[name]] = (key, value)
                new[name] = place[name]
                continue
            if name is not None:
                new[name] = len(pairs)
            pairs.append((key, value))
        place |= new
    return Mapping(pairs, node.line, 1 + sum(key.size + value.size for key, value in pairs))


def _paired(value: str) -> str:
    """Return the value with JSON's surrogate pairs joined; half a pair is an unknown character."""
    if not _SURROGATE.search(value):
        return value
    return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def flow(node: Node) -> str:
    """Return the node on one line, in flow style; scalars keep the source's spelling where they can."""
    if isinstance(node, Scalar):
        return spell(node, in_flow=True)
    if isinstance(node, Sequence):
        return "[" + ", ".join(flow(item) for item in node.items) + "]"
    return "{" + ", ".join(f"{_key(key)}: {flow(value)}" for key, value in node.pairs) + "}"


def _key(node: Node) -> str:
    text = flow(node)
    return text if len(text) <= MAX_IMPLICIT_KEY else f"? {text} "


def block(node: Mapping, indent: int = 0) -> list[str]:
    """Return the mapping as block style lines, one line a key, each value in flow style."""
    return [line for key, value in node.pairs for line in pair(key, value, indent)]


def pair(key: Node | str, value: Node, indent: int = 0) -> list[str]:
    """Return the line `key: value`, indented by `indent` spaces; a null stays as the source has it.

    Only a key that is too long to stand before a colon takes two lines (`? key`, `: value`).
    """
    name = flow(key if not isinstance(key, str) else string(key))
    text = spell(value, in_flow=False) if isinstance(value, Scalar) else flow(value)
    lines = [f"{name}: {text}"] if len(name) <= MAX_IMPLICIT_KEY else [f"? {name}", f": {text}"]
    return [" " * indent + line.rstrip(" ") for line in lines]


def spell(scalar: Scalar, *, in_flow: bool) -> str:
    """Return the scalar as YAML text on one line, as the source spelled it wherever that is valid here."""
    if scalar.source is None:
        return quote(scalar.value)
    if scalar.style != "plain":
        return scalar.source
    if not in_flow:
        return scalar.source
    if scalar.source == "":
        return "null"
    if _UNSAFE_PLAIN_IN_FLOW.search(scalar.source) and scalar.number is None:
        return quote(scalar.source)
    return scalar.source


def quote(text: str) -> str:
    """Return `text` as a double-quoted YAML scalar on one line."""
    out = json.dumps(text, ensure_ascii=False)
    return _UNSAFE_IN_DOUBLE.sub(lambda match: f"\\u{ord(match[0]):04x}", out)


def string(text: str) -> Scalar:
    """Return a scalar for text of ours: plain where every YAML reader takes it for that string."""
    if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_-]*", text) and text.lower() not in _WORDS:
        return Scalar(text, "plain", text)
    return Scalar(text, "double", quote(text))


_WORDS = frozenset({"null", "true", "false", "yes", "no", "on", "off", "y", "n"})

NULL = Scalar("null", "plain", "null")
"""The null that our own keys hold."""


def integer(value: int) -> Scalar:
    """Return a scalar for a count of ours."""
    return Scalar(str(value), "plain", str(value))


def mapping(**values: Node) -> Mapping:
    """Return a mapping of ours in the order of the arguments."""
    return Mapping([(string(key), value) for key, value in values.items()])
