"""The events of a log, in file order: what selection and the summary need of each, and where it stands.

Both shapes of a log are read (formats.md, 3.1): a mapping with `entries`, and a top-level list.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from hypo_strategies._log_salvage import salvage
from hypo_strategies.api import Options
from hypo_strategies.text.phrase import phrase
from hypo_strategies.text.times import instant
from hypo_strategies.text.yaml import Mapping, Node, Scalar, Sequence, YamlError, parse

MAX_ENTRY_NODES = 20_000
"""Nodes of one event, its aliases followed; real ones have fewer than a hundred."""

_TIME_KEYS = ("timestamp", "time", "date", "at", "created_at", "completed_at", "finished_at", "started_at")
"""The first that an event has; logs are known to use the first two (formats.md, 3.2)."""


@dataclass(frozen=True, slots=True)
class Record:
    """One event. The texts are one line each, None where there is none.

    `moment` is the instant that the event's timestamp names, None when it names none; `time` is the
    timestamp as the source spells it, `node` the whole event. Nothing here is redacted, as only few
    records of a long log are shown; what is shown goes through `redact_tree`.
    """

    moment: datetime | None
    time: Scalar | None
    kind: str | None
    status: str | None
    id: str | None
    node: Mapping


@dataclass(frozen=True, slots=True)
class Loss:
    """What could not be read, and why. `line` is where it begins, None where nothing is lost by the problem."""

    line: int | None
    problem: YamlError


@dataclass(frozen=True, slots=True)
class Log:
    """What a log holds, in file order, and what of it could not be read."""

    records: list[Record]
    losses: list[Loss]


def read_log(text: str, options: Options) -> Log:
    """Return the events of a log; an empty file, or one without entries, has none.

    Raises:
        YamlError: the text is no log, or it has entries but none that can be read.
    """
    log = Log([], [])
    for found in _entries(text):
        checked = _checked(found)
        if isinstance(checked, Mapping):
            log.records.append(_record(checked, options))
        else:
            log.losses.append(checked)
    if log.losses and not log.records:
        raise log.losses[0].problem
    return log


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


def _record(node: Mapping, options: Options) -> Record:
    values: dict[str, Scalar] = {}
    for key, value in node.items():
        if isinstance(value, Scalar) and not value.is_null and value.value.strip():
            values.setdefault(key, value)
    time = next((values[key] for key in _TIME_KEYS if key in values), None)
    return Record(
        moment=instant(time.value, options.timezone) if time else None,
        time=time,
        kind=_one_line(values.get("type")),
        status=_one_line(values.get("status")),
        id=_one_line(values.get("id")),
        node=node,
    )


def _one_line(scalar: Scalar | None) -> str | None:
    return " ".join(scalar.value.split()) if scalar else None
