"""What state.compact.yaml is made of: the kept keys of state.yaml, each once, read as far as they can be."""

from __future__ import annotations

from dataclasses import dataclass, field

from hypo_strategies._state_losses import JOINED, REPEATED, Loss
from hypo_strategies._state_salvage import salvage
from hypo_strategies.text.phrase import phrase
from hypo_strategies.text.yaml import Mapping, Node, Scalar, Sequence, YamlError, mapping, parse

MIRRORS = ("pipeline", "current", "last_heartbeat", "acceptance", "continuation", "chat")
"""The top-level keys that the view keeps complete, the most important first."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The kept top-level keys, whether the file had to be salvaged, and what was lost, in no order."""

    top: Mapping
    salvaged: bool
    losses: tuple[Loss, ...]


def read(text: str) -> Reading:
    """Return what can be read of state.yaml; of a key that stands twice the first value.

    Of several `history` keys the first that has completed prompts holds where the file parses. In
    one that does not, the second key is the bad line, and the items below it are read too.

    Raises:
        YamlError: nothing can be read, the text is empty, or it is not a mapping.
    """
    kept = {*MIRRORS, "milestones", "history"}
    losses: list[Loss] = []
    failed: YamlError | None = None
    try:
        root = parse(text)
    except YamlError as error:
        failed = error
        root, losses = salvage(text, kept)
    if root is None:
        raise failed or YamlError(phrase("it holds nothing"), 1, 1)
    if not isinstance(root, Mapping):
        raise YamlError(phrase("it is not a mapping at its top level"), root.line, 1)
    pairs = [pair for pair in root.pairs if isinstance(pair[0], Scalar) and pair[0].value in kept]
    if failed and not pairs:
        raise failed
    if failed and not losses:
        losses = [Loss(failed.line, failed.line, failed.line, failed.column, failed.problem)]
    distinct = _Distinct(losses)
    top = distinct.mapping(Mapping(_with_one_history(pairs, losses, join=failed is not None)))
    return Reading(top, failed is not None, tuple(losses))


def _with_one_history(pairs: list[tuple[Node, Node]], losses: list[Loss], *, join: bool) -> list[tuple[Node, Node]]:
    """Return the pairs with one `history`, where the first stands, that holds the completed prompts alone."""
    histories = [pair for pair in pairs if isinstance(pair[0], Scalar) and pair[0].value == "history"]
    if not histories:
        return pairs
    losses += [Loss(key.line, key.line, key.line, None, JOINED if join else REPEATED) for key, _ in histories[1:]]
    filled = [value for _, value in histories if _completed(value)]
    kept = (filled or [histories[0][1]])[0]
    if join and len(filled) > 1:
        items = [item for value in filled for item in _completed(value)]
        kept = mapping(completed_prompts=Sequence(items))
    elif isinstance(kept, Mapping):
        done = [pair for pair in kept.pairs if isinstance(pair[0], Scalar) and pair[0].value == "completed_prompts"]
        kept = Mapping(done)
    repeated = {id(key) for key, _ in histories[1:]}
    return [(pair[0], kept) if pair is histories[0] else pair for pair in pairs if id(pair[0]) not in repeated]


def _completed(history: Node) -> list[Node]:
    done = history.get("completed_prompts") if isinstance(history, Mapping) else None
    return done.items if isinstance(done, Sequence) else []


@dataclass(slots=True)
class _Distinct:
    """Drops what repeats a key of its mapping, at every depth; a node that aliases share is seen once."""

    losses: list[Loss]
    seen: dict[int, Node] = field(default_factory=dict)

    def node(self, node: Node) -> Node:
        if isinstance(node, Scalar):
            return node
        if id(node) not in self.seen:
            self.seen[id(node)] = self.mapping(node) if isinstance(node, Mapping) else self.sequence(node)
        return self.seen[id(node)]

    def sequence(self, node: Sequence) -> Sequence:
        return Sequence([self.node(item) for item in node.items], node.line)

    def mapping(self, node: Mapping) -> Mapping:
        pairs: list[tuple[Node, Node]] = []
        names: set[str] = set()
        for key, value in node.pairs:
            if isinstance(key, Scalar) and key.value in names:
                self.losses.append(Loss(key.line, key.line, key.line, None, REPEATED))
                continue
            if isinstance(key, Scalar):
                names.add(key.value)
            pairs.append((key, self.node(value)))
        return Mapping(pairs, node.line)
