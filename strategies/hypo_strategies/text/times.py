"""Moments as projects write them.

Whatever can be placed on the time line is compared as an instant; a bare `HH:MM` cannot be (it
says nothing across midnight), so nothing here ever sorts one.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo

_CLOCK = r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?P<fraction>[.,]\d+)?)?"
_ZONE = r"(?P<zone>Z|UTC|(?P<sign>[+-])(?P<hours>\d{1,2})(?::?(?P<minutes>\d{2}))?)"
_EXTENDED = re.compile(
    rf"(?P<year>\d{{4}})-(?P<month>\d{{1,2}})-(?P<day>\d{{1,2}})(?:[T ]\s*{_CLOCK}(?:\s*{_ZONE})?)?",
    re.ASCII | re.IGNORECASE,
)
_BASIC = re.compile(
    r"(?P<year>\d{4})(?P<month>\d{2})(?P<day>\d{2})"
    rf"T(?P<hour>\d{{2}})(?P<minute>\d{{2}})(?:(?P<second>\d{{2}})(?P<fraction>[.,]\d+)?)?{_ZONE}?",
    re.ASCII | re.IGNORECASE,
)
_LEADING = re.compile(
    r"(?:\d{4}[-/.年]\d{1,2}[-/.月]\d{1,2}日?"
    r"(?:[Tt ]*\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:\s*(?:[Zz](?![A-Za-z])|[+-]\d{2}:?\d{2}))?)?"
    r"|(?:\d{1,2}[-/]\d{1,2}\s+|\d{1,2}月\d{1,2}日\s*|\d{1,2}日\s*)?\d{1,2}:\d{2}(?::\d{2})?)"
    r"(?!\d|:\d)"
)


def instant(text: str, zone: tzinfo) -> datetime | None:
    """Return the instant that an ISO 8601 timestamp names, None when the whole text is not one.

    The forms are those of ISO 8601, extended and basic, and those that YAML calls a timestamp.

    Args:
        text: `2026-05-05T08:01:00.479Z`, `2026-05-02 00:15`, `20260502T001500+0800`, `2026-05-02` …
        zone: for a timestamp without a zone (`output.timezone`).
    """
    stripped = text.strip()
    match = _EXTENDED.fullmatch(stripped) or _BASIC.fullmatch(stripped)
    if not match:
        return None
    year, month, day, hour, minute, second = (
        int(match[name] or 0) for name in ("year", "month", "day", "hour", "minute", "second")
    )
    microsecond = int((match["fraction"] or ".0")[1:7].ljust(6, "0"))
    try:
        moment = datetime(year, month, day, hour, minute, second, microsecond, _offset(match) or zone)
        return moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _offset(match: re.Match[str]) -> tzinfo | None:
    if match["zone"] is None:
        return None
    if match["sign"] is None:
        return UTC
    offset = timedelta(hours=int(match["hours"]), minutes=int(match["minutes"] or 0))
    return timezone(-offset if match["sign"] == "-" else offset)


def leading_time(text: str) -> str | None:
    """Return the time that a progress entry begins with, as it is spelled, None when it begins with none.

    `23:08`, `12日 08:06`, `05-02 00:47`, `2026-05-08T00:32:39+08:00` count (formats.md, 1.2).
    """
    match = _LEADING.match(text.strip())
    return match[0].strip() if match else None
