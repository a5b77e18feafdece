"""Values of state.compact.yaml on lines that are not too long (views.md, rule 6)."""

from __future__ import annotations

from hypo_strategies.text.limits import ELLIPSIS, MAX_YAML_LINE
from hypo_strategies.text.yaml import Mapping, Node, Scalar, Sequence, flow, pair, quote

WIDEST = 3_600
"""Characters of a value that stands on a line of its own, with room for its key and indentation."""

_MAX_KEY = 120


def value_lines(key: Node, value: Node, indent: int, width: int) -> list[str]:
    """Return `key: value` on one line; a collection too long for that is broken between its items.

    A string of more than `width` characters is cut. Below `WIDEST` that holds for a collection too,
    which then stands as a cut string.
    """
    name, text = short(key, _MAX_KEY), _cut_strings(value, width)
    if width < WIDEST:
        text = short(text, width)
    lines = pair(name, text, indent)
    if len(lines[0]) <= MAX_YAML_LINE:
        return lines
    return _broken(f"{flow(name)}: ", text, indent)


def item_lines(item: Node, indent: int, width: int) -> list[str]:
    """Return a list item: a mapping with a line for each key, anything else on the line of its dash."""
    if not isinstance(item, Mapping) or not item.pairs:
        return _broken("- ", short(item, width), indent)
    lines = [line for key, value in item.pairs for line in value_lines(key, value, indent + 2, width)]
    return [f"{' ' * indent}- {lines[0].lstrip()}", *lines[1:]]


def short(node: Node, width: int) -> Node:
    """Return the node itself when it takes at most `width` characters in flow style, else the start of it."""
    text = flow(node)
    return node if len(text) <= width else _cut(node.value if isinstance(node, Scalar) else text, width)


def _cut_strings(node: Node, width: int) -> Node:
    if isinstance(node, Scalar):
        return short(node, width)
    if isinstance(node, Sequence):
        return Sequence([_cut_strings(item, width) for item in node.items])
    return Mapping([(short(key, _MAX_KEY), _cut_strings(value, width)) for key, value in node.pairs])


def _cut(text: str, width: int) -> Scalar:
    """Return the start of a text as a string of at most `width` characters that says how much is missing.

    No character takes more than six when it is quoted, so `count` stays above 0 for the widths there are.
    """
    count = width
    while True:
        kept = text[:count].rstrip()
        cut = f"{kept}{ELLIPSIS} ({len(text) - len(kept)} more characters in the source)"
        over = len(quote(cut)) - width
        if over <= 0:
            return Scalar(cut)
        count -= max(1, over // 6)


def _broken(prefix: str, node: Node, indent: int) -> list[str]:
    """Return `prefix` and the node in flow style, on as many lines as its items need."""
    line = f"{' ' * indent}{prefix}{flow(node)}"
    if len(line) <= MAX_YAML_LINE or isinstance(node, Scalar):
        return [line]
    if isinstance(node, Sequence):
        opening, closing = "[", "]"
        inner = [_broken("", item, indent + 2) for item in node.items]
    else:
        opening, closing = "{", "}"
        inner = [_broken(f"{flow(key)}: ", value, indent + 2) for key, value in node.pairs]
    for lines in inner[:-1]:
        lines[-1] += ","
    inner[-1][-1] += closing
    return [f"{' ' * indent}{prefix}{opening}", *(line for lines in inner for line in lines)]
