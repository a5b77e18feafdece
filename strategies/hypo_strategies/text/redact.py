"""Secrets never pass into a view (views.md, rule 8).

A secret is known by the key before it (`_secret_values`) or by its look (`_secret_looks`); which keys
count and which values below them are harmless is in `_secret_names`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from hypo_strategies.api import Redaction
from hypo_strategies.text import _secret_names as names
from hypo_strategies.text._secret_looks import closes_key_block, opens_key_block, replace_looks, replace_wrapped
from hypo_strategies.text._secret_names import Kind
from hypo_strategies.text._secret_values import Rules, replace_values, rules_of, value_of
from hypo_strategies.text.yaml import Mapping, Node, Scalar, Sequence, quote

_SHORT = 40
"""Characters of a text that is remembered, with what it is without secrets."""

_MOST_KNOWN = 2_000

_ROUNDS = 6
"""A replaced secret can set free one that was glued to it; more than two rounds take a hostile text."""


def redact_text(text: str, redaction: Redaction) -> str:
    """Return `text` with every secret value replaced; the number of lines stays.

    Secrets are known by the key before them (`password: …`, `TOKEN=…`, the cell or the heading of a
    table) or by their look (views.md, rule 8). Of a private key every line is replaced. Doing it
    twice gives the same. A line break in the replacement becomes a blank.
    """
    return _redact(text, rules_of(redaction))


def redact_tree(node: Node, redaction: Redaction) -> Node:
    """Return the tree with every secret scalar replaced, by its key or by its look.

    The tree that is given stays as it is; unchanged scalars are shared with it. A replaced scalar is
    double-quoted and keeps its line. Where one node stands at several places through aliases, it is
    judged at each by the keys above it.
    """
    return _TreeRedactor(rules_of(redaction)).node(node, None)


def _redact(text: str, rules: Rules) -> str:
    if len(text) > _SHORT:
        return _redacted(text, rules)
    known = rules.known.get(text)
    if known is None:
        if len(rules.known) >= _MOST_KNOWN:
            rules.known.clear()
        known = rules.known[text] = _redacted(text, rules)
    return known


def _redacted(text: str, rules: Rules) -> str:
    for _ in range(_ROUNDS):
        redacted = _redact_once(text, rules)
        if redacted == text:
            break
        text = redacted
    return text


def _redact_once(text: str, rules: Rules) -> str:
    text = replace_values(replace_wrapped(text, rules.replacement), rules)
    return "\n".join([replace_looks(line, rules.replacement) for line in text.split("\n")])


@dataclass(slots=True)
class _TreeRedactor:
    """Replaces secrets in a tree; each node once for each kind of key above it."""

    rules: Rules
    seen: dict[tuple[int, Kind | None], Node] = field(default_factory=dict)

    def node(self, node: Node, kind: Kind | None) -> Node:
        known = self.seen.get((id(node), kind))
        if known is None:
            known = self.seen[id(node), kind] = self._node(node, kind)
        return known

    def _node(self, node: Node, kind: Kind | None) -> Node:
        if isinstance(node, Scalar):
            value = self._value(node.value, kind)
            return node if value == node.value else Scalar(value, "double", quote(value), node.line, node.size)
        if isinstance(node, Sequence):
            return Sequence(self._items(node, kind), node.line, node.size)
        return Mapping(self._pairs(node, kind), node.line, node.size)

    def _items(self, node: Sequence, kind: Kind | None) -> list[Node]:
        """Return the items; one after `--password`, and the lines of a private key, are secret."""
        items: list[Node] = []
        after_flag: Kind | None = None
        in_key = False
        for item in node.items:
            text = item.value if isinstance(item, Scalar) else ""
            after_flag = None if text.startswith("-") else after_flag
            items.append(self.node(item, Kind.SECRET if in_key else after_flag or kind))
            after_flag = self.rules.kind(text) if text.startswith("--") else None
            in_key = opens_key_block(text) or (in_key and not closes_key_block(text))
        return items

    def _pairs(self, node: Mapping, kind: Kind | None) -> list[tuple[Node, Node]]:
        of_value = self._kind_of_value(node)
        pairs: list[tuple[Node, Node]] = []
        for key, value in node.pairs:
            name = key.value if isinstance(key, Scalar) else ""
            below = self.rules.kind(name) or (of_value if name == "value" else None)
            if below is None and not names.is_descriptive(name):
                below = kind
            pairs.append((self.node(key, None), self.node(value, below)))
        return pairs

    def _kind_of_value(self, node: Mapping) -> Kind | None:
        """Return what the other keys say about a key `value`: `{key: API_TOKEN, value: …}`, a secret reference."""
        if node.get("redacted_value", "provider") is not None:
            return Kind.SECRET
        name = node.text("key", "name", "env", "env_var", "setting")
        return self.rules.kind(name) if name else None

    def _value(self, value: str, kind: Kind | None) -> str:
        if kind and self._is_secret(value, kind):
            return self.rules.replacement
        redacted = _redact(value, self.rules)
        return _joined(redacted, self.rules.replacement) if "PRIVATE KEY" in value else redacted

    def _is_secret(self, value: str, kind: Kind) -> bool:
        piece = value_of(value)
        if self.rules.harmless(value, kind) or self.rules.harmless(piece, kind):
            return False
        if kind is not Kind.TOKEN:
            return True
        return not (names.is_sentence(piece) or (piece != value and names.begins_remark(piece)))


def _joined(text: str, replacement: str) -> str:
    """Return the text with the lines of a replaced private key as one."""
    lines: list[str] = []
    for line in text.split("\n"):
        if line != replacement or lines[-1:] != [replacement]:
            lines.append(line)
    return "\n".join(lines)
