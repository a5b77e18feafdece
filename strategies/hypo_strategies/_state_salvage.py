"""state.yaml put together from the pieces that can be read, when it does not parse as a whole.

What a piece is, is decided by indentation, which in block style is what YAML itself goes by. A piece
that does not parse is cut into smaller ones, so that a bad line costs itself: its key, or its list
item. Where it is not certain to what a line belongs (a list item in the wrong column, say), the line
and those below it are lost rather than given to a neighbour (views.md, rule 5: nothing is guessed).
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field

from hypo_strategies._state_losses import CONFLICT, NO_ITEM, NO_KEY, NOT_UTF8, SECOND, Loss
from hypo_strategies.text.decode import undecodable_lines
from hypo_strategies.text.phrase import Phrase, phrase
from hypo_strategies.text.yaml import Mapping, Node, Scalar, Sequence, YamlError, parse

MAX_DEPTH = 12
"""Pieces inside each other; real files have fewer than eight."""

MAX_PIECES = 20_000
"""Pieces that are tried; a file of noise would otherwise take seconds."""

_COLON = re.compile(r":(?=\s|$)")
_BARE = re.compile(r".*:\s*(?:#.*)?$")
_DASH = re.compile(r"-(?=\s|$)")
_MARKERS = ("<<<<<<<", "|||||||", "=======", ">>>>>>>")
_DOCUMENT = re.compile(r"(?:---|\.\.\.)(?=\s|$)")


@dataclass(frozen=True, slots=True)
class _Piece:
    """Whole lines of the file, from number `line` on; not `sound` when it is not known what they are."""

    line: int
    lines: list[str]
    sound: bool = True

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    @property
    def last(self) -> int:
        """The number of the last line that is not blank."""
        return self.line + max((index for index, raw in enumerate(self.lines) if raw.strip()), default=0)

    def part(self, start: int, end: int | None = None, *, sound: bool = True) -> _Piece:
        return _Piece(self.line + start, self.lines[start:end], sound)

    def first(self, start: int = 0) -> int | None:
        """Return the index of the first line from `start` on that says something."""
        return next((at for at in range(start, len(self.lines)) if not _says_nothing(self.lines[at])), None)


def salvage(text: str, keys: Collection[str]) -> tuple[Mapping | None, list[Loss]]:
    """Return what can be read of these top-level keys of a mapping that does not parse, and what was lost, in no order.

    Shapes: `key: value` and `key:` over an indented mapping or list, nested; a broken flow
    collection or block scalar is lost whole. Lines of a merge conflict or of a second document
    belong to nothing. None when not one of the keys can be read. What is wrong below other keys is
    no loss.
    """
    reader = _Reader(keys)
    lines = text.split("\n")
    for step in (reader.without_bad_comments, reader.without_conflicts, reader.without_other_documents):
        lines = step(lines)
    return reader.mapping(_Piece(1, lines), 0, 0), reader.losses


@dataclass(slots=True)
class _Reader:
    """Reads pieces and notes what was lost."""

    keys: Collection[str]
    losses: list[Loss] = field(default_factory=list)
    pieces: int = 0

    def lose(self, piece: _Piece, problem: Phrase, fault: YamlError | None = None) -> None:
        """Note that a piece is lost, with the place of the fault where one is known to be inside it."""
        start = piece.first()
        if start is None:
            return
        first, last = piece.line + start, piece.last
        line, column = first, _width(piece.lines[start]) + 1
        if fault is not None and first <= fault.line <= last:
            line, column = fault.line, fault.column
        self.losses.append(Loss(first, last, line, column, problem))

    def without_bad_comments(self, lines: list[str]) -> list[str]:
        """Empty the comment lines with bytes that are not UTF-8, so that they cost no key."""
        text = "\n".join(lines)
        bad = {number for number in undecodable_lines(text) if lines[number - 1].lstrip().startswith("#")}
        self.losses += [Loss(number, number, number, 1, NOT_UTF8) for number in sorted(bad)]
        return ["" if number in bad else raw for number, raw in enumerate(lines, 1)]

    def without_conflicts(self, lines: list[str]) -> list[str]:
        """Empty each merge conflict up to the next top-level key: which side holds cannot be known."""
        out = list(lines)
        at = 0
        while at < len(out):
            at += 1
            if not out[at - 1].startswith("<<<<<<<"):
                continue
            start = at - 1
            end = next((n for n in range(at, len(out)) if out[n].startswith(">>>>>>>")), None)
            if end is None:
                break
            at = next((n for n in range(end + 1, len(out)) if _is_key(out[n], 0)), len(out))
            self.lose(_Piece(start + 1, out[start:at]), CONFLICT)
            out[start:at] = [""] * (at - start)
        return out

    def without_other_documents(self, lines: list[str]) -> list[str]:
        """Empty the directives and the marker that begin the document, and all from a second one on."""
        out = list(lines)
        start = _Piece(1, out).first()
        while start is not None and out[start].startswith("%"):
            out[start] = ""
            start = _Piece(1, out).first(start)
        if start is not None and _DOCUMENT.match(out[start]):
            out[start] = out[start][3:]
        second = next((at for at, raw in enumerate(out) if _DOCUMENT.match(raw)), len(out))
        self.lose(_Piece(second + 1, out[second:]), SECOND)
        return out[:second]

    def node(self, piece: _Piece, depth: int) -> Node | None:
        """Return what can be read of a piece that is a value of its own."""
        start = piece.first()
        head = "" if start is None else piece.lines[start]
        width = _width(head)
        try:
            return self.parsed(piece, width)
        except YamlError as error:
            if depth < MAX_DEPTH and _is_dash(head, width):
                return self.sequence(piece, width, depth)
            if depth < MAX_DEPTH and _is_key(head, width):
                return self.mapping(piece, width, depth)
            self.lose(piece, error.problem, error)
            return None

    def mapping(self, piece: _Piece, indent: int, depth: int) -> Mapping | None:
        parts = [part for part in _keys(piece, indent) if depth or not part.sound or self.wanted(part.lines[0])]
        pairs = [pair for part in parts for pair in self.pairs(part, depth)]
        return Mapping(pairs, piece.line) if pairs else None

    def wanted(self, header: str) -> bool:
        """Return whether a line begins a top-level key that is asked for."""
        return header.partition(":")[0].strip(" \"'") in self.keys

    def sequence(self, piece: _Piece, indent: int, depth: int) -> Sequence | None:
        items = [item for part in _items(piece, indent) if (item := self.item(part, indent, depth)) is not None]
        return Sequence(items, piece.line) if items else None

    def item(self, piece: _Piece, indent: int, depth: int) -> Node | None:
        if not piece.sound:
            self.lose(piece, NO_ITEM)
            return None
        head = piece.lines[0]
        undashed = [head[:indent] + " " + head[indent + 1 :], *piece.lines[1:]]
        return self.node(_Piece(piece.line, undashed), depth + 1)

    def pairs(self, piece: _Piece, depth: int) -> list[tuple[Node, Node]]:
        """Return the pair of a piece that begins with a key; none when it cannot be read."""
        if not piece.sound:
            self.lose(piece, NO_KEY)
            return []
        try:
            return self.pairs_of(piece)
        except YamlError as error:
            body = piece.first(1)
            if body is None:
                self.lose(piece, error.problem, error)
                return []
            return self.pair_in_parts(piece, body, depth, error)

    def pair_in_parts(self, piece: _Piece, body: int, depth: int, error: YamlError) -> list[tuple[Node, Node]]:
        """Return the pair whose value, or the lines below whose value, cannot be read whole."""
        try:
            pairs = self.pairs_of(piece.part(0, 1))
        except YamlError:
            pairs = []
        if pairs and _BARE.match(piece.lines[0]):
            value = self.node(piece.part(body), depth + 1)
            return [(pairs[0][0], value)] if value is not None else []
        if pairs and _stands_alone(pairs[0][1], piece.lines[body]):
            self.lose(piece.part(body), error.problem, error)
            return pairs
        self.lose(piece, error.problem, error)
        return []

    def parsed(self, piece: _Piece, indent: int) -> Node | None:
        """Return the tree of a piece, none of whose lines may stand left of its first one.

        A plain scalar at the top of a document could take such a line in; inside the file it could not.

        Raises:
            YamlError: it does not parse, there is such a line, or enough pieces were tried.
        """
        self.pieces += 1
        if self.pieces > MAX_PIECES:
            raise YamlError(phrase("too many faults in one file"), piece.line, 1)
        for number, raw in enumerate(piece.lines, piece.line):
            if _width(raw) < indent and not _says_nothing(raw) and not _closes(raw):
                raise YamlError(NO_KEY, number, _width(raw) + 1)
        return parse(piece.text, line=piece.line)

    def pairs_of(self, piece: _Piece) -> list[tuple[Node, Node]]:
        """Return the pairs of a piece that is a mapping.

        Raises:
            YamlError: it is not.
        """
        node = self.parsed(piece, _width(piece.lines[0]))
        if not isinstance(node, Mapping):
            raise YamlError(phrase("not a key with a value"), piece.line, 1)
        return node.pairs


def _stands_alone(value: Node, below: str) -> bool:
    """Return whether a value that ends with its line is whole, though deeper lines follow."""
    if not isinstance(value, Scalar) or value.style in ("single", "double"):
        return True
    return value.style == "plain" and value.value != "" and _is_key(below, _width(below))


def _width(raw: str) -> int:
    return len(raw) - len(raw.lstrip(" "))


def _says_nothing(raw: str) -> bool:
    stripped = raw.strip()
    return not stripped or stripped.startswith("#")


def _closes(raw: str) -> bool:
    """Return whether a line only closes flow collections; it may stand in any column."""
    return raw.strip(" ]},\t\r") == ""


def _is_dash(raw: str, indent: int) -> bool:
    return _DASH.match(raw, indent) is not None


def _is_key(raw: str, indent: int) -> bool:
    """Return whether a line begins a key in this column; whether the key is good, parsing says."""
    return (
        _width(raw) == indent
        and raw[indent : indent + 1] not in ("#", "\t", "[", "{")
        and not _is_dash(raw, indent)
        and _COLON.search(raw) is not None
    )


def _is_prose(raw: str) -> bool:
    """Return whether a line is certainly neither a key nor an item, nor was one before it was damaged.

    That is a conflict marker, or three words without a colon. One or two words may be a key that
    lost its colon, to which the lines below then belong.
    """
    if undecodable_lines(raw) or ":" in raw or "：" in raw or raw.lstrip().startswith("-"):
        return False
    return raw.startswith(_MARKERS) or len(raw.split(maxsplit=2)) == 3


def _keys(piece: _Piece, indent: int) -> list[_Piece]:
    """Cut a mapping at its keys; a part that begins with something else is not sound.

    A list may stand under its key in the key's own column. Prose in a column left of that of the
    keys (a conflict marker, say) is passed down to be lost alone; any other line there makes the
    rest uncertain.
    """
    starts: list[tuple[int, bool]] = []
    bare = below = False  # whether the last key has its value below it, and whether a line of that was seen
    for index, raw in enumerate(piece.lines):
        if _says_nothing(raw) or _closes(raw):
            continue
        width = _width(raw)
        tab = raw[width] == "\t"
        list_here = width == indent and _is_dash(raw, width)
        prose = (width < indent or indent == 0) and _is_prose(raw)
        if _is_key(raw, indent):
            starts.append((index, True))
            bare, below = _BARE.match(raw) is not None, False
        elif bare and (tab or width > indent or list_here or (prose and below)):
            below = True
        elif starts and width > indent and not tab:
            continue
        else:
            unknown = starts.pop()[0] if bare and not below else index  # a key whose value was on this line
            if not starts or starts[-1][1]:
                starts.append((unknown, False))
            bare = False
            if width < indent and not tab and not prose:
                break
    return _parts(piece, starts)


def _items(piece: _Piece, indent: int) -> list[_Piece]:
    """Cut a list at its dashes; a line that slipped out of an item, up to the next dash, is not sound.

    Prose left of the list's column is passed down; a dash there makes the rest uncertain.
    """
    starts: list[tuple[int, bool]] = []
    begun = False  # whether a line of the last item's content was seen
    for index, raw in enumerate(piece.lines):
        width = _width(raw)
        if _says_nothing(raw) or _closes(raw):
            continue
        if width > indent or raw[width] == "\t" or (begun and width < indent and _is_prose(raw)):
            begun = True
            continue
        dash = _is_dash(raw, width)
        sound = dash and width == indent
        if sound or not starts or starts[-1][1]:
            starts.append((index, sound))
        begun = raw.strip() != "-"
        if dash and width < indent:
            break
    return _parts(piece, starts)


def _parts(piece: _Piece, starts: list[tuple[int, bool]]) -> list[_Piece]:
    if not starts:
        return []
    ends = [start for start, _ in starts[1:]] + [len(piece.lines)]
    return [piece.part(start, end, sound=sound) for (start, sound), end in zip(starts, ends, strict=True)]
