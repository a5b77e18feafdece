"""The older events of a log as one line: how many of each type, and the notable failures among them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from hypo_strategies._log_columns import Columns
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

_KEPT = 200
"""Characters of a name that is remembered: the same few types come at each look."""


def summarize(
    columns: Columns, shown: Sequence[int], record: Callable[[int], Record], source: str, redaction: Redaction
) -> str:
    """Return `type: n, …; notable: id status, …` of the events that are not shown.

    Args:
        columns: of all events.
        shown: the positions of those that are shown; not all of them.
        record: gives the record of an event.
        source: how the log is called where something is left out.
        redaction: how secrets are hidden.
    """
    count, notable = columns.notable(shown)
    counts = columns.counts - Counter(columns.kinds[at] for at in shown)
    ranked = sorted(
        ((kind or "untyped", number) for kind, number in counts.items()), key=lambda pair: (-pair[1], pair[0])
    )
    types = _listed(
        (f"{_shown('type', kind, redaction)}: {number}" for kind, number in ranked),
        MAX_SUMMARY - _MIN_NOTABLE if count else MAX_SUMMARY - 20,
        lambda taken: f"… {len(ranked) - taken} more types in {source}",
    )
    head = f"{types}; notable: "
    failures = _listed(
        (_named(record(at), redaction) for at in notable),
        MAX_SUMMARY - len(head),
        lambda taken: f"… {count - taken} more in {source}",
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
    if record.named is None:
        record.named = _name(record, redaction)
    return record.named


def _name(record: Record, redaction: Redaction) -> str:
    kind = _shown("type", record.kind, redaction)
    name = _shown("id", record.id, redaction)
    if not name:
        name = f"{kind} {_shown('time', record.time.value if record.time else None, redaction)}".strip()
    return f"{name} {_shown('status', record.status, redaction) or kind}".strip()


def _shown(key: str, text: str | None, redaction: Redaction) -> str:
    """Return the text that an event has under `key` as the view may show it: short, without secrets."""
    if not text:
        return ""
    return _remembered(key, text, redaction) if len(text) <= _KEPT else _redacted(key, text, redaction)


def _redacted(key: str, text: str, redaction: Redaction) -> str:
    event = redact_tree(Mapping([(Scalar(key), Scalar(text))]), redaction)
    redacted = event.text(key) if isinstance(event, Mapping) else None
    return clip(" ".join((redacted or redaction.replacement).split()), _MAX_NAME)


_remembered = lru_cache(maxsize=512)(_redacted)
