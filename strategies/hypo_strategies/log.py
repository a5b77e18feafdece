"""log.compact.yaml: the newest events of log.yaml in full, the older ones as counts and notable failures."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from hypo_strategies._log_columns import UNDATED
from hypo_strategies._log_fit import Event, Room, fit
from hypo_strategies._log_index import Index
from hypo_strategies._log_reading import Reading, read_as_tree
from hypo_strategies._log_records import Loss, Record
from hypo_strategies._log_summary import summarize
from hypo_strategies._log_unique import unique_keys
from hypo_strategies.api import Finding, Memory, Options, Redaction, Sources, Strategy, View
from hypo_strategies.text import yaml
from hypo_strategies.text.labels import yaml_header
from hypo_strategies.text.limits import MAX_BYTES, MAX_LINES, clip
from hypo_strategies.text.phrase import phrase
from hypo_strategies.text.redact import redact_tree
from hypo_strategies.text.yaml import NULL, Mapping, Node, NotPlainError, YamlError, integer, string

SOURCE = "log.yaml"

_MAX_NAMED_LINES = 100
"""Line numbers in `unreadable`, and warnings one by one; a log that bad is read in full by people."""

_MAX_NAME = 40
"""Characters of the log's name in the notes of what is left out."""


def render(sources: Sources, options: Options, memory: Memory) -> View:
    """Return the view (views.md, log): `older`, what was unreadable, the newest `log_recent` events.

    A log of which nothing can be read gives no view and an error. Whatever else is lost stands in
    the view by its line, and in a warning.
    """
    name = sources.name(SOURCE)
    try:
        reading = _index(sources, options, memory).reading()
        return _view(reading, name, options)
    except NotPlainError:
        pass
    try:
        reading = read_as_tree(sources.get(SOURCE) or "", options.timezone)
    except YamlError as error:
        return View(None, (Finding(SOURCE, error.problem, error.line, error.column),))
    return _view(reading, name, options)


def _index(sources: Sources, options: Options, memory: Memory) -> Index:
    """Return the index of the log: that of the last time, brought up to date, where there is one.

    Raises:
        NotPlainError: this log has none.
    """
    data = sources.bytes_of(SOURCE)
    wanted = (options.timezone, options.redaction)
    known, memory.log = memory.log, None
    if known is not None and known[0] == wanted:
        index: Index = known[1]
        try:
            index.update(data)
        except NotPlainError:
            index = Index(data, options.timezone)
    else:
        index = Index(data, options.timezone)
    memory.log = (wanted, index)
    return index


def _view(reading: Reading, source: str, options: Options) -> View:
    recent = min(options.log_recent, MAX_LINES)
    places = reading.columns.newest(recent + 1)
    events, dropped = _writable(reading, places[:recent], options.redaction)
    losses = sorted((*reading.losses, *dropped), key=lambda loss: (loss.problem.line, loss.problem.column))
    lines = _lines(reading, places, events, losses, source, options)
    return View("\n".join(lines) + "\n", tuple(_findings(losses)))


def _writable(reading: Reading, places: Sequence[int], redaction: Redaction) -> tuple[list[Event], list[Loss]]:
    """Return the events without secrets and without keys that cannot be written, and which keys those are."""
    events: list[Event] = []
    losses: list[Loss] = []
    for place in places:
        record = reading.record(place)
        event = record.event or _shown(record, redaction)
        event.lines_before = partial(reading.lines_before, place)
        events.append(event)
        for problem in record.problems:
            moved = YamlError(problem.problem, problem.line + reading.lines_before(place), problem.column)
            losses.append(Loss(moved.line, moved))
    return events, losses


def _shown(record: Record, redaction: Redaction) -> Event:
    """Return what is shown of an event; the record keeps it."""
    redacted = redact_tree(record.node, redaction)
    node, problems = unique_keys(redacted if isinstance(redacted, Mapping) else Mapping())
    record.problems = tuple(problems)
    record.event = Event(node)
    return record.event


def _lines(
    reading: Reading,
    places: Sequence[int],
    events: Sequence[Event],
    losses: Sequence[Loss],
    source: str,
    options: Options,
) -> list[str]:
    """Return the view; events for which there is no room are counted among the older ones, and a comment says so."""
    name = clip(" ".join(source.split()), _MAX_NAME)
    wanted = min(len(reading.columns), options.log_recent)
    shown = len(events)
    while True:
        older = _older(reading, places, shown, name, options)
        head = [yaml_header(source), *older, *_unreadable(losses, name)]
        head.append("entries:" if shown else "entries: []")
        tail = [f"# {wanted - shown} more of the newest {wanted} are in {name}"] if shown < wanted else []
        lines, fitted = fit(events[:shown], Room(MAX_LINES, MAX_BYTES).less(head + tail), name)
        if fitted == shown:
            return head + lines + tail
        shown = fitted


def _older(reading: Reading, places: Sequence[int], shown: int, name: str, options: Options) -> list[str]:
    """Return the lines of `older`; what is wholly a timestamp holds no secret and stays as it is spelled."""
    columns = reading.columns
    earliest = latest = summary = None
    if shown < len(columns):
        newest, oldest = places[shown], columns.oldest()
        if oldest is not None and columns.moments[newest] != UNDATED:
            earliest, latest = reading.record(oldest).time, reading.record(newest).time
        summary = summarize(columns, places[:shown], reading.record, name, options.redaction)
    value = yaml.mapping(
        count=integer(len(columns) - shown),
        earliest=earliest or NULL,
        latest=latest or NULL,
        summary=NULL if summary is None else string(summary),
    )
    return ["older:", *yaml.block(value, 2)]


def _unreadable(losses: Sequence[Loss], name: str) -> list[str]:
    """Return the line `unreadable: {count: n, lines: [...]}`, none where nothing is lost."""
    numbers = [loss.line for loss in losses if loss.line is not None]
    if not numbers:
        return []
    named: list[Node] = [integer(number) for number in numbers[:_MAX_NAMED_LINES]]
    if len(numbers) > len(named):
        named.append(string(f"… {len(numbers) - len(named)} more in {name}"))
    return yaml.pair("unreadable", yaml.mapping(count=integer(len(numbers)), lines=yaml.Sequence(named)))


def _findings(losses: Sequence[Loss]) -> list[Finding]:
    findings = [_finding(loss) for loss in losses[:_MAX_NAMED_LINES]]
    if len(losses) > len(findings):
        findings.append(
            Finding(SOURCE, phrase("{count} more like these", count=len(losses) - len(findings)), severity="warning")
        )
    return findings


def _finding(loss: Loss) -> Finding:
    error = loss.problem
    problem = error.problem if loss.line is None else phrase("left out: {problem}", problem=error.problem)
    return Finding(SOURCE, problem, error.line, error.column, "warning")


STRATEGY = Strategy(
    name="log",
    target="log.compact.yaml",
    reads=("log.yaml",),
    needs=("log.yaml",),
    options=("log_recent", "timezone", "redaction"),
    version=1,
    render=render,
)
