"""A log read: its events in file order, and what of it could not be read.

A log that is what nearly all are, one block list of mappings, is read as events of the parser (`_log_index`). All
others are read as trees here. Both shapes of a log are read (formats.md, 3.1): a mapping with `entries`, and a
top-level list. The two ways give the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import tzinfo

from hypo_strategies._log_columns import Columns
from hypo_strategies._log_records import MAX_ENTRY_NODES, Loss, Record, moment_of, record_of, strength
from hypo_strategies._log_salvage import salvage
from hypo_strategies.text.phrase import phrase
from hypo_strategies.text.yaml import Mapping, Node, Scalar, Sequence, YamlError, parse


@dataclass(frozen=True, slots=True)
class Reading:
    """What a log holds.

    Attributes:
        columns: of all its events, in file order.
        losses: what of it could not be read.
        record: gives the record of the event at a position.
        lines_before: gives by how much the lines of its node are less than those of the log.
    """

    columns: Columns
    losses: tuple[Loss, ...]
    record: Callable[[int], Record]
    lines_before: Callable[[int], int]


def read_as_tree(text: str, zone: tzinfo) -> Reading:
    """Return the events of a log, whatever shape it has; an empty file, or one without entries, has none.

    Args:
        text: the log.
        zone: for timestamps without a zone.

    Raises:
        YamlError: the text is no log, or it has entries but none that can be read.
    """
    records: list[Record] = []
    losses: list[Loss] = []
    for found in _entries(text):
        checked = _checked(found)
        if isinstance(checked, Mapping):
            records.append(record_of(checked))
        else:
            losses.append(checked)
    if losses and not records:
        raise losses[0].problem
    columns = Columns()
    columns.splice(
        0,
        0,
        [moment_of(one.time.value if one.time else None, zone) for one in records],
        [one.kind for one in records],
        bytes(strength(one.status, one.kind) for one in records),
    )
    return Reading(columns, tuple(losses), records.__getitem__, lambda _: 0)


def _entries(text: str) -> list[Node | Loss]:
    try:
        root = parse(text)
    except YamlError as error:
        return _salvaged(text, error)
    return list(_listed(root))


def _salvaged(text: str, error: YamlError) -> list[Node | Loss]:
    """Return the entries of a text that does not parse, and a loss at least.

    Raises:
        YamlError: no entry is seen; it is the text's own problem.
    """
    found: list[Node | Loss] = [Loss(line, got) if isinstance(got, YamlError) else got for line, got in salvage(text)]
    if not any(isinstance(node, Mapping) for node in found):
        raise error
    if not any(isinstance(node, Loss) for node in found):
        found.append(
            Loss(
                error.line,
                YamlError(phrase("what is not valid YAML: {problem}", problem=error.problem), error.line, error.column),
            )
        )
    return found


def _listed(root: Node | None) -> Iterator[Node | Loss]:
    """Yield the events of a parsed log.

    A second `entries` is forbidden in YAML, and readers that bear it differ in which of the two they
    take. Both hold events, so both are read.
    """
    if root is None or (isinstance(root, Scalar) and root.is_null):
        return
    if isinstance(root, Sequence):
        yield from root.items
        return
    if isinstance(root, Scalar):
        raise YamlError(phrase("neither a list of entries nor a mapping with `entries`"), root.line, 1)
    lists = [(key, value) for key, value in root.pairs if isinstance(key, Scalar) and key.value == "entries"]
    for key, value in lists:
        if isinstance(value, Sequence):
            yield from value.items
        elif not (isinstance(value, Scalar) and value.is_null):
            raise YamlError(phrase("`entries` is not a list"), key.line, 1)
    for key, _ in lists[1:]:
        yield Loss(None, YamlError(phrase("`entries` stands a second time; both lists are read"), key.line, 1))


def _checked(found: Node | Loss) -> Mapping | Loss:
    if isinstance(found, Loss):
        return found
    if not isinstance(found, Mapping):
        return Loss(found.line, YamlError(phrase("an entry that is not a mapping"), found.line, 1))
    if found.size > MAX_ENTRY_NODES:
        problem = phrase("an entry of more than {limit} values", limit=f"{MAX_ENTRY_NODES:,}")
        return Loss(found.line, YamlError(problem, found.line, 1))
    return found
