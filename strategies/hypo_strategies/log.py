"""log.compact.yaml: the newest events of log.yaml in full, the older ones as counts and notable failures."""

from __future__ import annotations

from collections.abc import Sequence

from hypo_strategies._log_fit import Room, fit
from hypo_strategies._log_order import newest_first
from hypo_strategies._log_records import Loss, Record, read_log
from hypo_strategies._log_summary import summarize
from hypo_strategies._log_unique import unique_keys
from hypo_strategies.api import Finding, Options, Redaction, Sources, Strategy, View
from hypo_strategies.text import yaml
from hypo_strategies.text.labels import yaml_header
from hypo_strategies.text.limits import MAX_BYTES, MAX_LINES, clip
from hypo_strategies.text.phrase import phrase
from hypo_strategies.text.redact import redact_tree
from hypo_strategies.text.yaml import NULL, Mapping, Node, YamlError, integer, string

SOURCE = "log.yaml"

_MAX_NAMED_LINES = 100
"""Line numbers in `unreadable`, and warnings one by one; a log that bad is read in full by people."""

_MAX_NAME = 40
"""Characters of the log's name in the notes of what is left out."""


def render(sources: Sources, options: Options) -> View:
    """Return the view (views.md, log): `older`, what was unreadable, the newest `log_recent` events.

    A log of which nothing can be read gives no view and an error. Whatever else is lost stands in
    the view by its line, and in a warning.
    """
    try:
        log = read_log(sources.get(SOURCE) or "", options)
    except YamlError as error:
        return View(None, (Finding(SOURCE, error.problem, error.line, error.column),))
    ordered = newest_first(log.records)
    events, dropped = _writable(ordered[: min(options.log_recent, MAX_LINES)], options.redaction)
    losses = sorted(log.losses + dropped, key=lambda loss: (loss.problem.line, loss.problem.column))
    lines = _lines(ordered, events, losses, sources.name(SOURCE), options)
    return View("\n".join(lines) + "\n", tuple(_findings(losses)))


def _writable(records: Sequence[Record], redaction: Redaction) -> tuple[list[Mapping], list[Loss]]:
    """Return the events without secrets and without keys that cannot be written, and which keys those are."""
    events: list[Mapping] = []
    losses: list[Loss] = []
    for record in records:
        redacted = redact_tree(record.node, redaction)
        event, problems = unique_keys(redacted if isinstance(redacted, Mapping) else Mapping())
        events.append(event)
        losses += [Loss(problem.line, problem) for problem in problems]
    return events, losses


def _lines(
    ordered: Sequence[Record], events: Sequence[Mapping], losses: Sequence[Loss], source: str, options: Options
) -> list[str]:
    """Return the view; events for which there is no room are counted among the older ones, and a comment says so."""
    name = clip(" ".join(source.split()), _MAX_NAME)
    wanted = min(len(ordered), options.log_recent)
    shown = len(events)
    while True:
        head = [yaml_header(source), *_older(ordered[shown:], name, options.redaction), *_unreadable(losses, name)]
        head.append("entries:" if shown else "entries: []")
        tail = [f"# {wanted - shown} more of the newest {wanted} are in {name}"] if shown < wanted else []
        lines, fitted = fit(events[:shown], Room(MAX_LINES, MAX_BYTES).less(head + tail), name)
        if fitted == shown:
            return head + lines + tail
        shown = fitted


def _older(older: Sequence[Record], name: str, redaction: Redaction) -> list[str]:
    """Return the lines of `older`; what is wholly a timestamp holds no secret and stays as it is spelled."""
    dated = [record.time for record in older if record.moment is not None and record.time is not None]
    value = yaml.mapping(
        count=integer(len(older)),
        earliest=dated[-1] if dated else NULL,
        latest=dated[0] if dated else NULL,
        summary=string(summarize(older, name, redaction)) if older else NULL,
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
