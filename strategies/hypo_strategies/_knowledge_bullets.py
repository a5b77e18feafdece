"""A knowledge item as one bullet: its label and its substance, then its record's source (views.md, knowledge)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from hypo_strategies._knowledge_records import SUBSTANCE, Item, Record, labels_of
from hypo_strategies.api import Redaction
from hypo_strategies.text.limits import ELLIPSIS, clip
from hypo_strategies.text.yaml import Mapping, Node, Scalar, Sequence, flow, string

MAX_FIELDS = 20
"""Fields of an item that its bullet shows; real items have three."""

MAX_NESTED = 300
"""Nodes of a value that is a collection; a larger one is left to the record."""

MAX_ORIGIN = 120
MAX_KEY = 40
MAX_LABEL_KEY = 300
"""Characters of a key that names an item; that of any other field needs fewer."""

_UNSHOWABLE = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_RAW_KEY = re.compile(
    r"(?:^|_)(?:raw|value|secrets?|token|api_?key|private_key|access_key|password|passwd|credentials?)$"
)
_DOUBTFUL_KEY = re.compile(r"(?:^|_)key$")
_MASKED = re.compile(r"\.\.\.|…|[*•]{2}|[xX]{3}|\[[^]]+\]|<[^>]+>")
_VARIABLE = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")


@dataclass(frozen=True, slots=True)
class Bullet:
    """What one bullet says: pieces of (the words of ours before it, its text), and the source at the end."""

    pieces: tuple[tuple[str, str], ...]
    origin: str

    @property
    def length(self) -> int:
        """The characters of the bullet when nothing is cut."""
        return sum(len(before) + len(text) for before, text in self.pieces) + len(self.origin) + 3

    def line(self, limit: int) -> str:
        """Return the bullet in at most `limit` characters; the longest texts are cut first, the source stays."""
        end = f" [{self.origin}]"
        room = limit - len(end) - sum(len(before) for before, _ in self.pieces)
        level = _level([len(text) for _, text in self.pieces], room)
        body = "".join(before + clip(text, level) for before, text in self.pieces)
        return clip(body, limit - len(end)) + end


def bullet(item: Item, category: str, record: Record, redaction: Redaction) -> Bullet:
    """Return the bullet of an item.

    Every field of the item is in it: the label, the fields that views.md names for the category,
    then the others under their own names. In `secret-refs` a field that would hold the secret
    itself shows the replacement.
    """
    node = _without_raw_values(item.node, redaction) if category == "secret-refs" else item.node
    origin = f"{record.origin}, {item.part}" if item.part else record.origin
    pieces = _pieces(node, category) if isinstance(node, Mapping) else [("", _text(node))]
    shown = [("- ", pieces[0][1]), *pieces[1:MAX_FIELDS]]
    if len(pieces) > MAX_FIELDS:
        shown.append((f"; {ELLIPSIS} +", str(len(pieces) - MAX_FIELDS)))
    return Bullet(tuple(shown), clip(_one_line(origin), MAX_ORIGIN))


def _pieces(node: Mapping, category: str) -> list[tuple[str, str]]:
    """Return (the words of ours before it, the text) of a mapping's fields, the label first.

    Where no field is a label, the first field's key is: `- retry.max: 3` names what it sets.
    """
    assigned = category == "config-notes"
    fields = {
        _one_line(key): value for key, value in node.items() if not _is_null(value) or (assigned and key == "value")
    }
    label = next((name for name in labels_of(category) if name in fields), None)
    if label is not None:
        pieces = [("", _text(fields.pop(label)))]
        value = fields.pop("value", None) if assigned else None
    else:
        label = next(iter(fields), "")
        pieces = [("", clip(label, MAX_LABEL_KEY))]
        value = fields.pop(label, None)
    if value is not None:
        pieces.append((" = " if assigned else ": ", _text(value) or _nothing(value)))
    separator = "; " if value is not None and not assigned else ": "
    for group in SUBSTANCE[category]:
        name = next((name for name in group if name in fields), None)
        if name is not None:
            pieces.append((separator, _text(fields.pop(name))))
            separator = "; "
    pieces += [(f"; {clip(key, MAX_KEY)}: ", _text(inner)) for key, inner in fields.items()]
    return pieces


def _text(node: Node) -> str:
    if isinstance(node, Scalar):
        return _one_line(node.value)
    return _one_line(flow(node)) if _is_small(node) else ELLIPSIS


def _nothing(node: Node) -> str:
    """Return how a value without characters is written: an empty text is not the same as none."""
    return "null" if isinstance(node, Scalar) and node.is_null else '""'


def _is_small(node: Node) -> bool:
    """Whether a collection has at most `MAX_NESTED` nodes; aliases can make it grow beyond any use."""
    waiting = [node]
    for _ in range(MAX_NESTED):
        if not waiting:
            return True
        last = waiting.pop()
        if isinstance(last, Sequence):
            waiting += last.items[: MAX_NESTED + 1]
        elif isinstance(last, Mapping):
            waiting += [part for pair in last.pairs[: MAX_NESTED + 1] for part in pair]
    return not waiting


def _one_line(text: str) -> str:
    return " ".join(_UNSHOWABLE.sub(" ", text).split())


def _is_null(node: Node) -> bool:
    return isinstance(node, Scalar) and (node.is_null or not node.value.strip())


def _level(lengths: list[int], room: int) -> int:
    """Return the length to which texts must be cut so that together they fit into `room`."""
    for index, length in enumerate(sorted(lengths)):
        share = room // (len(lengths) - index)
        if length > share:
            return max(share, 1)
        room -= length
    return max(lengths, default=1) or 1


def _without_raw_values(node: Node, redaction: Redaction) -> Node:
    """Return an item of `secret-refs` in which no field can hold the secret itself (formats.md, 6.1)."""
    if isinstance(node, Sequence) and _is_small(node):
        return Sequence([_without_raw_values(item, redaction) for item in node.items])
    if not isinstance(node, Mapping):
        return node
    return Mapping(
        [
            (key, string(redaction.replacement) if _is_raw(key, value) else _without_raw_values(value, redaction))
            for key, value in node.pairs
        ]
    )


def _is_raw(key: Node, value: Node) -> bool:
    if not isinstance(key, Scalar):
        return True
    name = re.sub(r"[^a-z0-9]+", "_", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", key.value).lower())
    if name not in ("redacted_value", "masked_value"):
        if _RAW_KEY.search(name):
            return not _is_null(value)
        if not _DOUBTFUL_KEY.search(name):
            return False
    return not (isinstance(value, Scalar) and _is_reference(value.value))


def _is_reference(text: str) -> bool:
    """Whether the text only points at a secret: masked, a variable's name, or its last few characters."""
    return len(text) <= 4 or bool(_MASKED.search(text) or _VARIABLE.fullmatch(text))
