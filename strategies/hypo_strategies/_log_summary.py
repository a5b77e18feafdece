"""The older events of a log as one line: how many of each type, and the notable failures among them.

A failure is known by an event's status and type, never by words: nearly every `fail` in a summary
is a test that had to fail first (formats.md, 3.3).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from hypo_strategies._log_records import Record
from hypo_strategies.api import Redaction
from hypo_strategies.text.limits import clip
from hypo_strategies.text.redact import redact_tree
from hypo_strategies.text.yaml import Mapping, Scalar

MAX_SUMMARY = 1_500
"""Characters of the summary (views.md, log)."""

_MIN_NOTABLE = 600
"""Characters of it that the notable failures have for certain, whatever the types take."""

_MAX_NAME = 120
"""Characters of one type, id or status; real ones have fewer than 80."""

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


def strength(record: Record) -> int:
    """Return 2 for a strong failure, 1 for a medium one, 0 for an event that is none."""
    status, kind = _folded(record.status), _folded(record.kind)
    if status in _STRONG_STATUS or kind in _STRONG_TYPE:
        return 2
    return 1 if status in _MEDIUM_STATUS else 0


def summarize(older: Sequence[Record], source: str, redaction: Redaction) -> str:
    """Return `type: n, …; notable: id status, …` of the older events, given newest first.

    Args:
        older: at least one event.
        source: how the log is called where something is left out.
        redaction: how secrets are hidden.
    """
    notable = sorted((record for record in older if strength(record)), key=strength, reverse=True)
    counts = Counter(record.kind for record in older)
    ranked = sorted(
        ((kind or "untyped", count) for kind, count in counts.items()), key=lambda pair: (-pair[1], pair[0])
    )
    types = _listed(
        (f"{_shown('type', kind, redaction)}: {count}" for kind, count in ranked),
        MAX_SUMMARY - _MIN_NOTABLE if notable else MAX_SUMMARY - 20,
        lambda shown: f"… {len(ranked) - shown} more types in {source}",
    )
    head = f"{types}; notable: "
    failures = _listed(
        (_named(record, redaction) for record in notable),
        MAX_SUMMARY - len(head),
        lambda shown: f"… {len(notable) - shown} more in {source}",
    )
    return head + (failures or "none")


def _listed(parts: Iterable[str], limit: int, rest: Callable[[int], str]) -> str:
    """Return as many parts as fit into `limit` characters and, when not all do, what `rest` says after so many."""
    taken: list[str] = []
    length = 0
    fitting = 0
    for part in parts:
        length += len(part) + 2
        if length - 2 > limit:
            return ", ".join([*taken[:fitting], rest(fitting)])
        taken.append(part)
        if length + len(rest(0)) <= limit:
            fitting = len(taken)
    return ", ".join(taken)


def _named(record: Record, redaction: Redaction) -> str:
    """Return `id status`; an event without an id is named by its type and time, one without a status by its type."""
    kind = _shown("type", record.kind, redaction)
    name = _shown("id", record.id, redaction)
    if not name:
        name = f"{kind} {_shown('time', record.time.value if record.time else None, redaction)}".strip()
    return f"{name} {_shown('status', record.status, redaction) or kind}".strip()


def _shown(key: str, text: str | None, redaction: Redaction) -> str:
    """Return the text that an event has under `key` as the view may show it: short, without secrets."""
    if not text:
        return ""
    event = redact_tree(Mapping([(Scalar(key), Scalar(text))]), redaction)
    redacted = event.text(key) if isinstance(event, Mapping) else None
    return clip(" ".join((redacted or redaction.replacement).split()), _MAX_NAME)


def _folded(text: str | None) -> str:
    return (text or "").lower().replace("-", "_").replace(" ", "_")
