"""Keys that would make an event of the view invalid YAML."""

from __future__ import annotations

from hypo_strategies._log_shorten import length
from hypo_strategies.text.phrase import Phrase, phrase
from hypo_strategies.text.yaml import Mapping, Node, Scalar, Sequence, YamlError, flow

_MAX_KEY = 400
"""Characters of a key on its line; YAML itself stops at 1,024."""


def unique_keys(node: Mapping) -> tuple[Mapping, list[YamlError]]:
    """Return the mapping with each key once, at any depth, and a problem for each pair left out.

    YAML forbids a key that stands twice, and readers that bear it differ in which value they take.
    The first one stays, as it does for the pairs that merge keys bring in.
    """
    problems: list[YamlError] = []
    cleaned = _mapping(node, problems)
    return cleaned, problems


def _node(node: Node, problems: list[YamlError]) -> Node:
    if isinstance(node, Scalar):
        return node
    if isinstance(node, Sequence):
        return Sequence([_node(item, problems) for item in node.items])
    return _mapping(node, problems)


def _mapping(node: Mapping, problems: list[YamlError]) -> Mapping:
    pairs: list[tuple[Node, Node]] = []
    seen: set[str] = set()
    for key, value in node.pairs:
        problem = _problem(key, seen)
        if problem:
            problems.append(YamlError(problem, key.line, 1))
        else:
            seen.add(_identity(key))
            pairs.append((key, _node(value, problems)))
    return Mapping(pairs, node.line)


def _problem(key: Node, seen: set[str]) -> Phrase | None:
    if length(key, _MAX_KEY) > _MAX_KEY:
        return phrase("a key of more than {limit} characters", limit=_MAX_KEY)
    return phrase("a key that stands a second time in its mapping") if _identity(key) in seen else None


def _identity(key: Node) -> str:
    return key.value if isinstance(key, Scalar) else flow(key)
