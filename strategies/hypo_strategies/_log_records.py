"""One event of a log, and the small values by which it is ordered and counted."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo

from hypo_strategies._log_columns import MEDIUM, STRONG, UNDATED
from hypo_strategies._log_fit import Event
from hypo_strategies.text.times import instant
from hypo_strategies.text.yaml import Mapping, Scalar, YamlError

MAX_ENTRY_NODES = 20_000
"""Nodes of one event, its aliases followed; real ones have fewer than a hundred."""

TIME_KEYS = ("timestamp", "time", "date", "at", "created_at", "completed_at", "finished_at", "started_at")
"""The first that an event has; logs are known to use the first two (formats.md, 3.2)."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_FULL = len("2026-05-05T23:05:00+08:00")

_STRONG_STATUS = frozenset(
    {"failed", "fail", "failure", "blocked", "aborted", "rejected", "needs_changes", "needs_revision", "error"}
)
_MEDIUM_STATUS = frozenset({"warning", "deferred", "skipped", "revised"})
_STRONG_TYPE = frozenset(
    {
        "cycle_reject",
        "patch_reject",
        "recovery",
        "lease_takeover",
        "platform_failure",
        "lease_repair_required",
        "watchdog_retries_exhausted",
    }
)


@dataclass(slots=True)
class Record:
    """One event. The texts are one line each, None where there is none.

    `time` is the timestamp as the source spells it, `node` the whole event. Nothing here is redacted, as only few
    records of a long log are shown. `event` is what is shown of it, where that has been made, and `problems` are the
    pairs that were left out of it; the lines of both are those of `node`. `named` is how a summary names it, likewise.
    """

    time: Scalar | None
    kind: str | None
    status: str | None
    id: str | None
    node: Mapping
    event: Event | None = None
    problems: tuple[YamlError, ...] = ()
    named: str | None = None


@dataclass(frozen=True, slots=True)
class Loss:
    """What could not be read, and why. `line` is where it begins, None where nothing is lost by the problem."""

    line: int | None
    problem: YamlError


def record_of(node: Mapping) -> Record:
    """Return the record of an event."""
    values: dict[str, Scalar] = {}
    for key, value in node.items():
        if isinstance(value, Scalar) and not value.is_null and value.value.strip():
            values.setdefault(key, value)
    return Record(
        time=next((values[key] for key in TIME_KEYS if key in values), None),
        kind=one_line(values["type"].value) if "type" in values else None,
        status=one_line(values["status"].value) if "status" in values else None,
        id=one_line(values["id"].value) if "id" in values else None,
        node=node,
    )


def moment_of(time: str | None, zone: tzinfo) -> int:
    """Return the instant that a timestamp names, in microseconds since the epoch; `UNDATED` where it names none."""
    if time is None:
        return UNDATED
    if len(time) == _FULL and time[10] == "T" and time[19] in "+-" and time[22] == ":" and "0001" < time[:4] < "9999":
        # What nearly all have, as `instant` reads it; a long log has many.
        try:
            return int(datetime.fromisoformat(time).timestamp()) * 1_000_000
        except ValueError:
            pass
    moment = instant(time, zone)
    return UNDATED if moment is None else (moment - _EPOCH) // _MICROSECOND


def strength(status: str | None, kind: str | None) -> int:
    """Return how notable an event is: `STRONG`, `MEDIUM`, or 0 for one that is no failure.

    A failure is known by an event's status and type, never by words: nearly every `fail` in a summary is a test that
    had to fail first (formats.md, 3.3).
    """
    status, kind = _folded(status), _folded(kind)
    if status in _STRONG_STATUS or kind in _STRONG_TYPE:
        return STRONG
    return MEDIUM if status in _MEDIUM_STATUS else 0


def one_line(text: str) -> str:
    """Return a text on one line."""
    return " ".join(text.split())


def _folded(text: str | None) -> str:
    return (text or "").lower().replace("-", "_").replace(" ", "_")
